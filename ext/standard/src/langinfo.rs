//! `nl_langinfo` of the C locale, which is the only one.

use phlox_runtime::{Call, ConstValue, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new("nl_langinfo(int $item): string|false", nl_langinfo)];

/// Stands for items that the C locale does not define.
const NOT_SAID: &str = "none";

/// Name, number in the C library, text.
const ITEMS: &[(&str, i64, &str)] = &[
    ("ABDAY_1", 0x2_0000, "Sun"),
    ("ABDAY_2", 0x2_0001, "Mon"),
    ("ABDAY_3", 0x2_0002, "Tue"),
    ("ABDAY_4", 0x2_0003, "Wed"),
    ("ABDAY_5", 0x2_0004, "Thu"),
    ("ABDAY_6", 0x2_0005, "Fri"),
    ("ABDAY_7", 0x2_0006, "Sat"),
    ("DAY_1", 0x2_0007, "Sunday"),
    ("DAY_2", 0x2_0008, "Monday"),
    ("DAY_3", 0x2_0009, "Tuesday"),
    ("DAY_4", 0x2_000a, "Wednesday"),
    ("DAY_5", 0x2_000b, "Thursday"),
    ("DAY_6", 0x2_000c, "Friday"),
    ("DAY_7", 0x2_000d, "Saturday"),
    ("ABMON_1", 0x2_000e, "Jan"),
    ("ABMON_2", 0x2_000f, "Feb"),
    ("ABMON_3", 0x2_0010, "Mar"),
    ("ABMON_4", 0x2_0011, "Apr"),
    ("ABMON_5", 0x2_0012, "May"),
    ("ABMON_6", 0x2_0013, "Jun"),
    ("ABMON_7", 0x2_0014, "Jul"),
    ("ABMON_8", 0x2_0015, "Aug"),
    ("ABMON_9", 0x2_0016, "Sep"),
    ("ABMON_10", 0x2_0017, "Oct"),
    ("ABMON_11", 0x2_0018, "Nov"),
    ("ABMON_12", 0x2_0019, "Dec"),
    ("MON_1", 0x2_001a, "January"),
    ("MON_2", 0x2_001b, "February"),
    ("MON_3", 0x2_001c, "March"),
    ("MON_4", 0x2_001d, "April"),
    ("MON_5", 0x2_001e, "May"),
    ("MON_6", 0x2_001f, "June"),
    ("MON_7", 0x2_0020, "July"),
    ("MON_8", 0x2_0021, "August"),
    ("MON_9", 0x2_0022, "September"),
    ("MON_10", 0x2_0023, "October"),
    ("MON_11", 0x2_0024, "November"),
    ("MON_12", 0x2_0025, "December"),
    ("AM_STR", 0x2_0026, "AM"),
    ("PM_STR", 0x2_0027, "PM"),
    ("D_T_FMT", 0x2_0028, "%a %b %e %H:%M:%S %Y"),
    ("D_FMT", 0x2_0029, "%m/%d/%y"),
    ("T_FMT", 0x2_002a, "%H:%M:%S"),
    ("T_FMT_AMPM", 0x2_002b, "%I:%M:%S %p"),
    ("ERA", 0x2_002c, ""),
    ("ERA_YEAR", 0x2_002d, ""),
    ("ERA_D_FMT", 0x2_002e, ""),
    ("ALT_DIGITS", 0x2_002f, ""),
    ("ERA_D_T_FMT", 0x2_0030, ""),
    ("ERA_T_FMT", 0x2_0031, ""),
    ("INT_CURR_SYMBOL", 0x4_0000, ""),
    ("CURRENCY_SYMBOL", 0x4_0001, ""),
    ("MON_DECIMAL_POINT", 0x4_0002, ""),
    ("MON_THOUSANDS_SEP", 0x4_0003, ""),
    ("MON_GROUPING", 0x4_0004, ""),
    ("POSITIVE_SIGN", 0x4_0005, ""),
    ("NEGATIVE_SIGN", 0x4_0006, ""),
    ("INT_FRAC_DIGITS", 0x4_0007, NOT_SAID),
    ("FRAC_DIGITS", 0x4_0008, NOT_SAID),
    ("P_CS_PRECEDES", 0x4_0009, NOT_SAID),
    ("P_SEP_BY_SPACE", 0x4_000a, NOT_SAID),
    ("N_CS_PRECEDES", 0x4_000b, NOT_SAID),
    ("N_SEP_BY_SPACE", 0x4_000c, NOT_SAID),
    ("P_SIGN_POSN", 0x4_000d, NOT_SAID),
    ("N_SIGN_POSN", 0x4_000e, NOT_SAID),
    ("CRNCYSTR", 0x4_000f, "-"),
    ("DECIMAL_POINT", 0x1_0000, "."),
    ("RADIXCHAR", 0x1_0000, "."),
    ("THOUSANDS_SEP", 0x1_0001, ""),
    ("THOUSEP", 0x1_0001, ""),
    ("GROUPING", 0x1_0002, ""),
    ("YESEXPR", 0x5_0000, "^[yY]"),
    ("NOEXPR", 0x5_0001, "^[nN]"),
    ("YESSTR", 0x5_0002, ""),
    ("NOSTR", 0x5_0003, ""),
    ("CODESET", 14, "UTF-8"),
];

const fn constants<const N: usize>() -> [(&'static str, ConstValue); N] {
    let mut all = [("CHAR_MAX", ConstValue::Int(127)); N];
    let mut at = 0;
    while at < ITEMS.len() {
        all[at] = (ITEMS[at].0, ConstValue::Int(ITEMS[at].1));
        at += 1;
    }
    all
}

/// The items, and `CHAR_MAX`, which stands for undefined numbers.
pub static CONSTANTS: [(&str, ConstValue); ITEMS.len() + 1] = constants();

fn nl_langinfo(call: &mut Call<'_>) -> PhpResult<Val> {
    let item = call.int(0);
    match ITEMS.iter().find(|(_, number, _)| *number == item) {
        Some(("CODESET", ..)) if !crate::locale::is_utf8(call.vm) => Ok("ANSI_X3.4-1968".into()),
        Some((_, _, NOT_SAID)) => Ok(Val::str(b"\xff")),
        Some((_, _, text)) => Ok((*text).into()),
        None => {
            call.warning(&format!("Item '{item}' is not valid"))?;
            Ok(Val::FALSE)
        }
    }
}
