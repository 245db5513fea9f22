//! UTF-8 with the emoji of Japanese mobile phones, which are private-use characters assigned by the carriers. Each also
//! has a place in the carrier's Shift JIS, whose table gives its standard code point.

use super::BAD;
use super::charset::{Charset, Set};
use super::unicode;

/// The carrier whose private-use characters are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    Docomo,
    /// The places that were exchanged in mail.
    KddiA,
    /// The places that web pages use: those in Shift JIS, moved.
    KddiB,
    Softbank,
}

/// First and last character, and the place of the first in Shift JIS: row and cell from 0 on.
type Range = (u32, u32, (u32, u32));

const DOCOMO: &[Range] = &[(0xE63E, 0xE757, (111, 0))];
const KDDI_A: &[Range] = &[
    (0xE468, 0xE5B4, (106, 0)),
    (0xE5B5, 0xE5CC, (109, 70)),
    (0xE5CD, 0xE5DF, (100, 0)),
    (0xEA80, 0xEAFA, (100, 19)),
    (0xEAFB, 0xEB0D, (109, 51)),
    (0xEB0E, 0xEB8E, (101, 48)),
];
const KDDI_B: &[Range] = &[
    (0xEC40, 0xEC7E, (100, 0)),
    (0xEC80, 0xECFC, (100, 63)),
    (0xED40, 0xED7E, (102, 0)),
    (0xED80, 0xED93, (102, 63)),
    (0xEF40, 0xEF7E, (106, 0)),
    (0xEF80, 0xEFFC, (106, 63)),
    (0xF040, 0xF07E, (108, 0)),
    (0xF080, 0xF0FC, (108, 63)),
];
const SOFTBANK: &[Range] = &[
    (0xE001, 0xE05A, (112, 1)),
    (0xE101, 0xE15A, (108, 1)),
    (0xE201, 0xE25A, (109, 2)),
    (0xE301, 0xE34D, (113, 2)),
    (0xE401, 0xE44C, (116, 1)),
    (0xE501, 0xE53E, (117, 2)),
];
const CELLS: u32 = 94;
const PRIVATE: std::ops::Range<u32> = 0xE000..0xF900;
/// The letters that flags are written with.
const FLAG_LETTERS: std::ops::RangeInclusive<u32> = 0x1F1E8..=0x1F1FA;

impl Carrier {
    fn ranges(self) -> &'static [Range] {
        match self {
            Carrier::Docomo => DOCOMO,
            Carrier::KddiA => KDDI_A,
            Carrier::KddiB => KDDI_B,
            Carrier::Softbank => SOFTBANK,
        }
    }

    fn set(self) -> &'static Charset {
        Charset::of(match self {
            Carrier::Docomo => Set::SjisDocomo,
            Carrier::KddiA | Carrier::KddiB => Set::SjisKddi,
            Carrier::Softbank => Set::SjisSoftbank,
        })
    }

    /// The Shift JIS bytes of a character for private use.
    fn bytes(self, code: u32) -> Option<[u8; 2]> {
        let range = self.ranges().iter().find(|(first, last, _)| (*first..=*last).contains(&code));
        let (first, _, (row, cell)) = range?;
        let place = row * CELLS + cell + code - first;
        Some(super::japanese::shift_jis((place / CELLS) as u8, (place % CELLS) as u8))
    }

    /// The character for private use that Shift JIS bytes stand for.
    fn private(self, bytes: &[u8]) -> Option<u32> {
        let [lead, trail] = *bytes else { return None };
        let [row, cell] = super::japanese::kuten(lead, trail);
        let place = u32::from(row) * CELLS + u32::from(cell);
        let mut ranges = self.ranges().iter();
        ranges.find_map(|(first, last, (row, cell))| {
            let code = first + place.checked_sub(row * CELLS + cell)?;
            (code <= *last).then_some(code)
        })
    }
}

/// The code points of a text, with the carrier's emoji as their standard code points.
pub fn decode(text: &[u8], carrier: Carrier) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    for code in unicode::decode_utf8(text) {
        match carrier.bytes(code) {
            Some([lead, trail]) => carrier.set().push_pair(&mut codes, lead, trail),
            None => codes.push(code),
        }
    }
    codes
}

/// Writes the first of the code points, or as many as are one emoji; gives how many. `None`: it cannot be written.
pub fn put(out: &mut Vec<u8>, codes: &[u32], carrier: Carrier) -> Option<usize> {
    let code = *codes.first()?;
    if let Some((length, bytes)) = carrier.set().joined(codes)
        && let Some(private) = carrier.private(&bytes)
    {
        unicode::put_utf8(out, private);
        return Some(length);
    }
    if carrier != Carrier::Docomo && FLAG_LETTERS.contains(&code) {
        return None;
    }
    // Shift JIS has users' own characters where UTF-8 has them anyway.
    let bytes = if PRIVATE.contains(&code) { None } else { carrier.set().bytes(code) };
    let private = bytes.and_then(|bytes| carrier.private(&bytes));
    unicode::put_utf8(out, private.unwrap_or(code)).then_some(1)
}

/// Reads SoftBank's emoji behind an ESC: `$`, the letter of a page, and one byte each up to an SI. Gives the text behind
/// them.
pub fn escaped_emoji<'a>(set: &Charset, codes: &mut Vec<u32>, text: &'a [u8]) -> &'a [u8] {
    let (page, mut rest) = match text {
        [b'$', page, rest @ ..] => (*page, rest),
        _ => (0, text.get(1..).unwrap_or_default()),
    };
    // The last byte, and the row in Shift JIS that the first is in.
    let (last, row) = match page {
        b'G' => (0x7A, 0x91),
        b'E' => (0x7A, 0x8D),
        b'F' => (0x7A, 0x8E),
        b'O' => (0x6D, 0x92),
        b'P' => (0x6C, 0x95),
        b'Q' => (0x5E, 0x96),
        _ => {
            codes.push(BAD);
            return rest;
        }
    };
    while let [byte, tail @ ..] = rest {
        rest = tail;
        let before = codes.len();
        match byte {
            0x0F => break,
            0x21.. if *byte <= last => {
                let [lead, trail] = super::japanese::shift_jis(row - 0x21, byte - 0x21);
                set.push_pair(codes, lead, trail);
            }
            _ => codes.push(BAD),
        }
        if codes[before..].iter().any(|code| *code == BAD || PRIVATE.contains(code)) {
            codes.truncate(before);
            codes.push(BAD);
            break;
        }
    }
    rest
}
