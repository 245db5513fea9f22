//! The kind of value that each option of libcurl takes, by number, as its header declares it. The crate's build
//! leaves libcurl's own table out. Options that are missing here are refused.

/// The kind of value that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    Long,
    /// A number of 64 bits.
    Large,
    Text,
    List,
    Blob,
    /// A pointer or a function. Such an option has a method of its own, or cannot be set.
    Other,
}

/// The kind of value that an option takes.
pub fn option_kind(option: i32) -> OptionKind {
    let kinds = [
        (LONGS, OptionKind::Long),
        (LARGE, OptionKind::Large),
        (TEXTS, OptionKind::Text),
        (LISTS, OptionKind::List),
        (BLOBS, OptionKind::Blob),
    ];
    let found = kinds.iter().find(|(numbers, _)| numbers.binary_search(&option).is_ok());
    found.map_or(OptionKind::Other, |(_, kind)| *kind)
}

/// Options that take a long.
#[rustfmt::skip]
const LONGS: &[i32] = &[
    3, 13, 14, 19, 20, 21, 27, 32, 33, 34, 41, 42, 43, 44, 45, 46, 47, 48, 50, 51, 52, 53, 54, 58, 59, 60, 61, 64, 68,
    69, 71, 74, 75, 78, 80, 81, 84, 85, 90, 91, 92, 96, 98, 99, 101, 105, 106, 107, 110, 111, 112, 113, 114, 119, 121,
    129, 136, 137, 138, 139, 140, 141, 150, 151, 154, 155, 156, 157, 158, 159, 160, 161, 166, 171, 172, 178, 180, 181,
    182, 188, 189, 193, 194, 197, 207, 210, 212, 213, 214, 215, 216, 218, 225, 226, 227, 229, 232, 233, 234, 237, 239,
    242, 244, 245, 248, 249, 250, 261, 265, 267, 268, 271, 274, 275, 278, 280, 281, 285, 286, 288, 290, 299, 306, 307,
    308, 314, 315, 320, 321, 322, 324, 326, 327, 329,
];

/// Options that take 64 bits.
#[rustfmt::skip]
const LARGE: &[i32] = &[
    30115, 30116, 30117, 30120, 30145, 30146, 30270,
];

/// Options that take a text that is copied.
#[rustfmt::skip]
const TEXTS: &[i32] = &[
    10002, 10004, 10005, 10006, 10007, 10016, 10017, 10018, 10022, 10025, 10026, 10031, 10036, 10062, 10063, 10065,
    10076, 10077, 10082, 10083, 10086, 10087, 10088, 10089, 10097, 10102, 10118, 10134, 10135, 10147, 10152, 10153,
    10162, 10169, 10170, 10173, 10174, 10175, 10176, 10177, 10179, 10183, 10186, 10190, 10191, 10192, 10204, 10205,
    10206, 10211, 10217, 10220, 10221, 10222, 10223, 10224, 10230, 10231, 10235, 10236, 10238, 10246, 10247, 10251,
    10252, 10253, 10254, 10255, 10256, 10257, 10258, 10259, 10260, 10262, 10263, 10264, 10266, 10276, 10277, 10279,
    10287, 10289, 10296, 10298, 10300, 10305, 10311, 10318, 10319, 10323, 10325, 10328, 10330, 10331, 10332,
];

/// Options that take a list of texts.
#[rustfmt::skip]
const LISTS: &[i32] = &[
    10023, 10028, 10039, 10070, 10093, 10104, 10187, 10203, 10228, 10243,
];

/// Options that take bytes with their size.
#[rustfmt::skip]
const BLOBS: &[i32] = &[
    40291, 40292, 40293, 40294, 40295, 40297, 40309, 40310,
];
