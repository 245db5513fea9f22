//! Texts in images, which are converted from the encodings that images and settings name.

use crate::image::Image;
use crate::number::Order;
use crate::settings::{
    DECODE_JIS_INTEL, DECODE_JIS_MOTOROLA, DECODE_UNICODE_INTEL, DECODE_UNICODE_MOTOROLA, ENCODE_JIS, ENCODE_UNICODE,
};
use phlox_ext_mbstring::encoding::{self, Substitute};

/// Bytes up to the first zero.
pub fn until_nul(bytes: &[u8]) -> &[u8] {
    phlox_runtime::until_nul(bytes)
}

/// Converts a text; `None`: an encoding is not known.
fn converted(text: &[u8], from: &[u8], to: &[u8]) -> Option<Vec<u8>> {
    let codes = encoding::decode(encoding::find(from)?, text);
    Some(encoding::encode(encoding::find(to)?, &codes, Substitute::QUESTION_MARK).0)
}

/// A text as it is, with the zero byte that PHP counts.
fn raw(text: &[u8]) -> Option<Vec<u8>> {
    (!text.is_empty()).then(|| [text, b"\0"].concat())
}

/// The length without the spaces that some cameras fill comments with. The first byte stays in any case.
fn unfilled(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte != b' ').map_or(1, |at| at + 1).min(text.len())
}

/// What is shown of a comment as its tag has it: PHP puts zeros in the place of the spaces at the end.
pub fn shown_comment(value: &[u8]) -> Vec<u8> {
    let start = match value.get(..8) {
        Some(b"UNICODE\0" | b"JIS\0\0\0\0\0") => return value.to_vec(),
        Some(b"ASCII\0\0\0" | b"\0\0\0\0\0\0\0\0") => 8,
        _ => 0,
    };
    let mut shown = value.to_vec();
    let end = start + unfilled(&shown[start..]);
    shown[end..].fill(0);
    shown
}

impl Image<'_, '_> {
    fn unicode_source(&self) -> Vec<u8> {
        let ini = &self.call.vm.ini;
        match self.byte_order() {
            Order::Motorola => ini.get(&DECODE_UNICODE_MOTOROLA).to_vec(),
            Order::Intel => ini.get(&DECODE_UNICODE_INTEL).to_vec(),
        }
    }

    /// A comment of the user, whose first eight bytes name its encoding; and the name of that.
    pub fn user_comment(&self, value: &[u8]) -> (Option<Vec<u8>>, Option<&'static str>) {
        let ini = &self.call.vm.ini;
        let (head, rest) = value.split_at_checked(8).unwrap_or((&[], value));
        let mut name = None;
        let mut text = value;
        match head {
            b"UNICODE\0" => {
                let mark = rest.get(..2).unwrap_or_default();
                let (from, rest) = match mark {
                    [0xfe, 0xff] => (b"UCS-2BE".to_vec(), &rest[2..]),
                    [0xff, 0xfe] => (b"UCS-2LE".to_vec(), &rest[2..]),
                    _ => (self.unicode_source(), rest),
                };
                let comment = converted(rest, &from, &ini.get(&ENCODE_UNICODE)).or_else(|| raw(rest));
                return (comment, Some("UNICODE"));
            }
            b"JIS\0\0\0\0\0" => {
                let from = match self.byte_order() {
                    Order::Motorola => ini.get(&DECODE_JIS_MOTOROLA),
                    Order::Intel => ini.get(&DECODE_JIS_INTEL),
                };
                let comment = converted(rest, &from, &ini.get(&ENCODE_JIS)).or_else(|| raw(rest));
                return (comment, Some("JIS"));
            }
            b"ASCII\0\0\0" => (name, text) = (Some("ASCII"), rest),
            b"\0\0\0\0\0\0\0\0" => (name, text) = (Some("UNDEFINED"), rest),
            _ => {}
        }
        let end = unfilled(text);
        (Some(until_nul(&text[..end]).to_vec()), name)
    }

    /// A text of Windows XP.
    pub fn xp_text(&self, value: &[u8]) -> Vec<u8> {
        let to = self.call.vm.ini.get(&ENCODE_UNICODE);
        converted(value, &self.unicode_source(), &to).or_else(|| raw(value)).unwrap_or_default()
    }
}
