//! Names and comments, whose encoding is known or guessed: UTF-8, or code page 437 of the IBM PC.

use super::error::{Code, Result};
use super::flags;
use std::borrow::Cow;

/// The characters of code page 437 above ASCII.
const HIGH: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
/// Its characters for the control codes.
const LOW: &str = "\0☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼";

/// What the bytes of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Ascii,
    /// The archive or the script says so.
    Utf8,
    /// The bytes look so.
    Utf8Guessed,
    Cp437,
}

/// A text that is not empty, as it is in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub raw: Vec<u8>,
    pub encoding: Encoding,
}

/// Are the bytes those of characters in UTF-8? Only the form is looked at, as libzip does.
fn is_utf8(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let more = match bytes[at] {
            0..=0x7f => 0,
            byte if byte & 0xe0 == 0xc0 => 1,
            byte if byte & 0xf0 == 0xe0 => 2,
            byte if byte & 0xf8 == 0xf0 => 3,
            _ => return false,
        };
        let Some(rest) = bytes.get(at + 1..at + 1 + more) else { return false };
        if rest.iter().any(|byte| byte & 0xc0 != 0x80) {
            return false;
        }
        at += 1 + more;
    }
    true
}

fn guess(bytes: &[u8]) -> Encoding {
    let is_ascii = bytes.is_ascii();
    let has_controls = bytes.iter().any(|&byte| byte < 32 && !matches!(byte, b'\r' | b'\n' | b'\t'));
    match (is_ascii, has_controls) {
        (true, false) => Encoding::Ascii,
        (true, true) => Encoding::Cp437,
        _ if is_utf8(bytes) => Encoding::Utf8Guessed,
        _ => Encoding::Cp437,
    }
}

impl Text {
    /// A text of an archive; `None` for an empty one.
    pub fn found(raw: &[u8]) -> Option<Text> {
        (!raw.is_empty()).then(|| Text { raw: raw.to_vec(), encoding: guess(raw) })
    }

    /// A text of a script in the encoding that the flags name; `None` for an empty one.
    ///
    /// # Errors
    /// `Invalid` if the bytes are not in that encoding.
    pub fn given(raw: &[u8], flags: u32) -> Result<Option<Text>> {
        if raw.is_empty() {
            return Ok(None);
        }
        let encoding = match flags & (flags::ENC_UTF_8 | flags::ENC_CP437) {
            0 => guess(raw),
            flags::ENC_UTF_8 if is_utf8(raw) => Encoding::Utf8,
            flags::ENC_CP437 => Encoding::Cp437,
            _ => return Err(Code::Invalid.into()),
        };
        Ok(Some(Text { raw: raw.to_vec(), encoding }))
    }

    /// The text, now known to be UTF-8 if its bytes look so and the flags do not name another encoding.
    pub fn settled(mut self, flags: u32) -> Text {
        if flags & (flags::ENC_UTF_8 | flags::ENC_CP437) == 0 && self.encoding == Encoding::Utf8Guessed {
            self.encoding = Encoding::Utf8;
        }
        self
    }

    /// Notes that the archive says that the text is UTF-8. False: it is not.
    pub fn must_be_utf8(&mut self) -> bool {
        if is_utf8(&self.raw) {
            self.encoding = Encoding::Utf8;
        }
        self.encoding == Encoding::Utf8
    }

    /// The text in UTF-8, or its bytes if the flags ask for them or if it may be UTF-8 already.
    pub fn get(&self, flags: u32) -> Cow<'_, [u8]> {
        let strict = flags & flags::ENC_STRICT != 0 && self.encoding == Encoding::Utf8Guessed;
        if flags & flags::ENC_RAW != 0 || !(strict || self.encoding == Encoding::Cp437) {
            return Cow::Borrowed(&self.raw);
        }
        Cow::Owned(self.raw.iter().map(|&byte| character(byte)).collect::<String>().into_bytes())
    }
}

/// The text, or none, as [`Text::get`] gives it.
pub fn shown(text: Option<&Text>, flags: u32) -> Cow<'_, [u8]> {
    text.map_or(Cow::Borrowed(b""), |text| text.get(flags))
}

/// The character of a byte in code page 437.
fn character(byte: u8) -> char {
    let found = match byte {
        0..32 => LOW.chars().nth(usize::from(byte)),
        127 => Some('⌂'),
        128.. => HIGH.chars().nth(usize::from(byte - 128)),
        _ => None,
    };
    found.unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character() {
        assert_eq!(HIGH.chars().count(), 128);
        assert_eq!(LOW.chars().count(), 32);
        assert_eq!(character(0xe1), 'ß');
        assert_eq!(character(0xff), '\u{a0}');
    }

    #[test]
    fn encodings_are_guessed() {
        assert_eq!(guess(b"abc"), Encoding::Ascii);
        assert_eq!(guess("ä".as_bytes()), Encoding::Utf8Guessed);
        assert_eq!(guess(b"\x84"), Encoding::Cp437);
        assert_eq!(guess(b"\x01"), Encoding::Cp437);
        assert_eq!(&*Text::found(b"\x84").unwrap_or_else(|| unreachable!()).get(0), "ä".as_bytes());
    }
}
