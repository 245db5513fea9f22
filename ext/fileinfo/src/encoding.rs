//! Which encoding a text has, and its characters.

/// What bytes look like.
pub struct Encoding {
    /// The name in descriptions.
    pub name: &'static str,
    /// The name in MIME types.
    pub mime: &'static str,
    /// False: the bytes are no text.
    pub is_text: bool,
    /// The characters, as far as they were looked at.
    pub characters: Vec<u32>,
}

/// Bytes that are looked at.
const MOST: usize = 64 * 1024;

/// In which texts a byte appears.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Ascii,
    /// In the sets of ISO 8859.
    Iso,
    /// In those of the Macintosh and the IBM PC.
    Extended,
    Never,
}

fn class(byte: u8) -> Class {
    match byte {
        7..=13 | 27 | b' '..=b'~' | 0x85 => Class::Ascii,
        0xa0.. => Class::Iso,
        0x80..=0x9f => Class::Extended,
        _ => Class::Never,
    }
}

/// The bytes as characters, if all are of the class or of one before it.
fn single_bytes(data: &[u8], last: Class) -> Option<Vec<u32>> {
    data.iter().map(|&byte| (class(byte) <= last).then_some(u32::from(byte))).collect()
}

/// How UTF-8 looks.
#[derive(PartialEq, Eq, Debug)]
pub enum Utf8 {
    Invalid,
    /// It is valid and has control characters that texts do not have.
    Odd,
    Ascii,
    Beyond,
}

/// The values that the second byte of a character may have.
fn second_bytes(first: u8) -> std::ops::RangeInclusive<u8> {
    match first {
        0xe0 => 0xa0..=0xbf,
        0xed => 0x80..=0x9f,
        0xf0 => 0x90..=0xbf,
        0xf4 => 0x80..=0x8f,
        _ => 0x80..=0xbf,
    }
}

/// Looks at UTF-8; a character that is cut off at the end is left out.
pub fn utf8(data: &[u8]) -> (Utf8, Vec<u32>) {
    let mut characters = Vec::with_capacity(data.len());
    let (mut beyond, mut odd, mut at) = (false, false, 0);
    while let Some(&first) = data.get(at) {
        at += 1;
        let following = match first {
            ..0x80 => {
                odd |= class(first) != Class::Ascii;
                characters.push(u32::from(first));
                continue;
            }
            0xc2..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf4 => 3,
            _ => return (Utf8::Invalid, characters),
        };
        let mut character = u32::from(first) & (0x3f >> following);
        let rest = &data[at..data.len().min(at + following)];
        for (index, &byte) in rest.iter().enumerate() {
            let range = if index == 0 { second_bytes(first) } else { 0x80..=0xbf };
            if !range.contains(&byte) {
                return (Utf8::Invalid, characters);
            }
            character = character << 6 | u32::from(byte & 0x3f);
        }
        if rest.len() < following {
            break;
        }
        at += following;
        characters.push(character);
        beyond = true;
    }
    let kind = if odd {
        Utf8::Odd
    } else if beyond {
        Utf8::Beyond
    } else {
        Utf8::Ascii
    };
    (kind, characters)
}

fn starts_utf7(data: &[u8]) -> bool {
    data.len() > 4 && data.starts_with(b"+/v") && b"89+/".contains(&data[3])
}

/// UTF-16 after its mark: is it big-endian, and its characters.
fn utf16(data: &[u8]) -> Option<(bool, Vec<u32>)> {
    let big = match data {
        [0xff, 0xfe, ..] => false,
        [0xfe, 0xff, ..] => true,
        _ => return None,
    };
    let (mut characters, mut high) = (Vec::new(), None);
    for pair in data[2..].chunks_exact(2) {
        let bytes = [pair[0], pair[1]];
        let mut unit = u32::from(if big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) });
        if matches!(unit, 0xfffe | 0xffff | 0xfdd0..=0xfdef) {
            return None;
        }
        if let Some(high) = high.take() {
            if !(0xdc00..=0xdfff).contains(&unit) {
                return None;
            }
            unit = 0x10000 + 0x400 * high + (unit - 0xdc00);
        }
        if unit < 128 && class(unit as u8) != Class::Ascii {
            return None;
        }
        characters.push(unit);
        match unit {
            0xd800..=0xdbff => high = Some(unit - 0xd800),
            0xdc00..=0xdfff => return None,
            _ => {}
        }
    }
    Some((big, characters))
}

/// UTF-32 after its mark: is it big-endian, and its characters.
fn utf32(data: &[u8]) -> Option<(bool, Vec<u32>)> {
    let big = match data {
        [0xff, 0xfe, 0, 0, ..] => false,
        [0, 0, 0xfe, 0xff, ..] => true,
        _ => return None,
    };
    let mut characters = Vec::new();
    for unit in data[4..].chunks_exact(4) {
        let bytes = [unit[0], unit[1], unit[2], unit[3]];
        let character = if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        if character == 0xfffe || (character < 128 && class(character as u8) != Class::Ascii) {
            return None;
        }
        characters.push(character);
    }
    Some((big, characters))
}

/// What each byte of EBCDIC is in Latin-1, as POSIX has it for `dd`.
#[rustfmt::skip]
const FROM_EBCDIC: [u8; 256] = [
      0,   1,   2,   3, 156,   9, 134, 127, 151, 141, 142,  11,  12,  13,  14,  15,
     16,  17,  18,  19, 157, 133,   8, 135,  24,  25, 146, 143,  28,  29,  30,  31,
    128, 129, 130, 131, 132,  10,  23,  27, 136, 137, 138, 139, 140,   5,   6,   7,
    144, 145,  22, 147, 148, 149, 150,   4, 152, 153, 154, 155,  20,  21, 158,  26,
     32, 160, 161, 162, 163, 164, 165, 166, 167, 168, 213,  46,  60,  40,  43, 124,
     38, 169, 170, 171, 172, 173, 174, 175, 176, 177,  33,  36,  42,  41,  59, 126,
     45,  47, 178, 179, 180, 181, 182, 183, 184, 185, 203,  44,  37,  95,  62,  63,
    186, 187, 188, 189, 190, 191, 192, 193, 194,  96,  58,  35,  64,  39,  61,  34,
    195,  97,  98,  99, 100, 101, 102, 103, 104, 105, 196, 197, 198, 199, 200, 201,
    202, 106, 107, 108, 109, 110, 111, 112, 113, 114,  94, 204, 205, 206, 207, 208,
    209, 229, 115, 116, 117, 118, 119, 120, 121, 122, 210, 211, 212,  91, 214, 215,
    216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228,  93, 230, 231,
    123,  65,  66,  67,  68,  69,  70,  71,  72,  73, 232, 233, 234, 235, 236, 237,
    125,  74,  75,  76,  77,  78,  79,  80,  81,  82, 238, 239, 240, 241, 242, 243,
     92, 159,  83,  84,  85,  86,  87,  88,  89,  90, 244, 245, 246, 247, 248, 249,
     48,  49,  50,  51,  52,  53,  54,  55,  56,  57, 250, 251, 252, 253, 254, 255,
];

fn text(name: &'static str, mime: &'static str, characters: Vec<u32>) -> Encoding {
    Encoding { name, mime, is_text: true, characters }
}

/// Finds out the encoding of a file's beginning.
pub fn detect(data: &[u8]) -> Encoding {
    let data = &data[..data.len().min(MOST)];
    if let Some(characters) = single_bytes(data, Class::Ascii) {
        return match starts_utf7(data) {
            true => text("Unicode text, UTF-7", "utf-7", Vec::new()),
            false => text("ASCII", "us-ascii", characters),
        };
    }
    if let Some(rest) = data.strip_prefix(b"\xef\xbb\xbf").filter(|rest| !rest.is_empty()) {
        let (kind, characters) = utf8(rest);
        if matches!(kind, Utf8::Ascii | Utf8::Beyond) {
            return text("Unicode text, UTF-8 (with BOM)", "utf-8", characters);
        }
    }
    if let (Utf8::Beyond, characters) = utf8(data) {
        return text("Unicode text, UTF-8", "utf-8", characters);
    }
    match utf32(data) {
        Some((false, characters)) => return text("Unicode text, UTF-32, little-endian", "utf-32le", characters),
        Some((true, characters)) => return text("Unicode text, UTF-32, big-endian", "utf-32be", characters),
        None => {}
    }
    match utf16(data) {
        Some((false, characters)) => return text("Unicode text, UTF-16, little-endian", "utf-16le", characters),
        Some((true, characters)) => return text("Unicode text, UTF-16, big-endian", "utf-16be", characters),
        None => {}
    }
    if let Some(characters) = single_bytes(data, Class::Iso) {
        return text("ISO-8859", "iso-8859-1", characters);
    }
    if let Some(characters) = single_bytes(data, Class::Extended) {
        return text("Non-ISO extended-ASCII", "unknown-8bit", characters);
    }
    let converted: Vec<u8> = data.iter().map(|&byte| FROM_EBCDIC[usize::from(byte)]).collect();
    if let Some(characters) = single_bytes(&converted, Class::Ascii) {
        return text("EBCDIC", "ebcdic", characters);
    }
    if let Some(characters) = single_bytes(&converted, Class::Iso) {
        return text("International EBCDIC", "ebcdic", characters);
    }
    Encoding { name: "unknown", mime: "binary", is_text: false, characters: Vec::new() }
}

/// Characters as UTF-8, in up to six bytes each; `None`: one is too large for that.
pub fn to_utf8(characters: &[u32]) -> Option<Vec<u8>> {
    const FIRST: [u32; 5] = [0xc0, 0xe0, 0xf0, 0xf8, 0xfc];
    let mut text = Vec::with_capacity(characters.len());
    for &character in characters {
        let following = match character {
            0..=0x7f => {
                text.push(character as u8);
                continue;
            }
            ..=0x7ff => 1,
            ..=0xffff => 2,
            ..=0x1f_ffff => 3,
            ..=0x3ff_ffff => 4,
            ..=0x7fff_ffff => 5,
            _ => return None,
        };
        text.push((FIRST[following - 1] + (character >> (6 * following))) as u8);
        text.extend((0..following).rev().map(|index| (0x80 + (character >> (6 * index) & 0x3f)) as u8));
    }
    Some(text)
}
