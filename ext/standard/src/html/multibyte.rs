//! The lengths of characters in East Asian encodings.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Big5,
    Big5Hkscs,
    Gb2312,
    Sjis,
    EucJp,
}

impl Encoding {
    /// The encoding with this name, if it is one with characters of several bytes.
    pub fn named(name: &str) -> Option<Encoding> {
        Some(match name {
            "big5" => Encoding::Big5,
            "big5-hkscs" => Encoding::Big5Hkscs,
            "gb2312" => Encoding::Gb2312,
            "sjis" => Encoding::Sjis,
            "euc-jp" => Encoding::EucJp,
            _ => return None,
        })
    }

    /// The bytes of the character that a text starts with as one number, and its length. `Err` has the number of invalid
    /// bytes.
    pub fn next(self, text: &[u8]) -> Result<(u32, usize), usize> {
        let lead = text[0];
        let single = Ok((u32::from(lead), 1));
        match self {
            Encoding::Big5 | Encoding::Big5Hkscs => match lead {
                0x81..=0xfe => pair(
                    text,
                    |byte| matches!(byte, 0x40..=0x7e | 0xa1..=0xfe),
                    |byte| self == Encoding::Big5 || !matches!(byte, 0x80 | 0xff),
                ),
                _ => single,
            },
            Encoding::Gb2312 => {
                let leads = |byte: u8| !matches!(byte, 0x8e | 0x8f | 0xa0 | 0xff);
                match lead {
                    0xa1..=0xfe => pair(text, |byte| matches!(byte, 0xa1..=0xfe), leads),
                    byte if leads(byte) => single,
                    _ => Err(1),
                }
            }
            Encoding::Sjis => match lead {
                0x81..=0x9f | 0xe0..=0xfc => {
                    let trails = |byte: u8| matches!(byte, 0x40..=0x7e | 0x80..=0xfc);
                    pair(text, trails, |byte| !matches!(byte, 0x80 | 0xa0) && byte < 0xfd)
                }
                0..=0x7f | 0xa1..=0xdf => single,
                _ => Err(1),
            },
            Encoding::EucJp => {
                let leads = |byte: u8| !matches!(byte, 0xa0 | 0xff);
                match lead {
                    0xa1..=0xfe => pair(text, |byte| matches!(byte, 0xa1..=0xfe), leads),
                    0x8e => pair(text, |byte| matches!(byte, 0xa1..=0xdf), leads),
                    0x8f => triple(text, leads),
                    byte if leads(byte) => single,
                    _ => Err(1),
                }
            }
        }
    }
}

/// A character of two bytes. A second byte that could begin a character is not part of what is invalid.
fn pair(text: &[u8], trails: impl Fn(u8) -> bool, leads: impl Fn(u8) -> bool) -> Result<(u32, usize), usize> {
    match text.get(1) {
        None => Err(1),
        Some(&second) if trails(second) => Ok((u32::from(text[0]) << 8 | u32::from(second), 2)),
        Some(&second) => Err(if leads(second) { 1 } else { 2 }),
    }
}

/// The characters of EUC-JP's third plane.
fn triple(text: &[u8], leads: impl Fn(u8) -> bool) -> Result<(u32, usize), usize> {
    let byte = |at: usize| text.get(at).copied();
    let is_part = |byte: Option<u8>| byte.filter(|byte| matches!(byte, 0xa1..=0xfe)).map(u32::from);
    if let (Some(second), Some(third)) = (is_part(byte(1)), is_part(byte(2))) {
        return Ok((u32::from(text[0]) << 16 | second << 8 | third, 3));
    }
    match (byte(1), byte(2)) {
        (None, _) => Err(1),
        (Some(second), _) if leads(second) => Err(1),
        (_, None) => Err(2),
        (_, Some(third)) => Err(if leads(third) { 2 } else { 3 }),
    }
}
