//! The family of ISO-2022-JP: escape sequences announce character sets of one byte and of two.
//!
//! The members differ in the sets that they know, in how they read what announces none, and in what they do with
//! katakana of half width.

use super::BAD;
use super::charset::{Charset, Set};

/// A member of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// JIS7 and JIS8
    Jis,
    Iso2022Jp,
    /// Writes katakana of full width only.
    Cp50220,
    Cp50221,
    /// Writes katakana of half width between SO and SI.
    Cp50222,
    /// ISO-2022-JP-MS
    Microsoft,
    /// ISO-2022-JP-MOBILE#KDDI
    Kddi,
    /// ISO-2022-JP-2004
    Jis2004,
}

/// The character set that a text is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    #[default]
    Ascii,
    Roman,
    Kana,
    Double,
    /// JIS X 0212
    Supplement,
    /// Characters of users' own
    Private,
    /// JIS X 0213
    Plane1,
    Plane2,
}

/// Escape sequences and the sets that they announce. The first sequence of a set is the one that is written.
const SEQUENCES: [(&[u8], Shift); 12] = [
    (b"\x1B(B", Shift::Ascii),
    (b"\x1B(H", Shift::Ascii),
    (b"\x1B(J", Shift::Roman),
    (b"\x1B(I", Shift::Kana),
    (b"\x1B$B", Shift::Double),
    (b"\x1B$@", Shift::Double),
    (b"\x1B$(B", Shift::Double),
    (b"\x1B$(@", Shift::Double),
    (b"\x1B$(D", Shift::Supplement),
    (b"\x1B$(?", Shift::Private),
    (b"\x1B$(Q", Shift::Plane1),
    (b"\x1B$(P", Shift::Plane2),
];

const KANA: u32 = 0xFF61;
const LAST_KANA: u32 = 0xFF9F;
/// Characters of users' own: rows behind the last that two bytes of seven bits have.
const PRIVATE: u32 = 0xE000;
const PRIVATE_END: u32 = 0xF900;
const ROW: u32 = 94;
const PRIVATE_ROWS: u32 = 20;
const BEHIND_ROWS: u8 = 0x7F;
const IBM_ROWS: u8 = BEHIND_ROWS + PRIVATE_ROWS as u8;
/// How far KDDI moves its rows of emoji up.
const KDDI_ROWS: u8 = 22;

impl Member {
    fn set(self) -> &'static Charset {
        Charset::of(match self {
            Member::Jis | Member::Iso2022Jp => Set::EucJp,
            Member::Jis2004 => Set::EucJp2004,
            Member::Kddi => Set::SjisKddi,
            _ => Set::Cp51932,
        })
    }

    fn is_cp5022x(self) -> bool {
        matches!(self, Member::Cp50220 | Member::Cp50221 | Member::Cp50222)
    }

    /// Does the member go on behind the first byte of an unknown escape sequence, and know SO and SI?
    fn is_lenient(self) -> bool {
        self.is_cp5022x() || matches!(self, Member::Jis | Member::Iso2022Jp)
    }

    /// The character set that an escape sequence announces, if the member knows the sequence.
    fn announced(self, sequence: &[u8]) -> Option<Shift> {
        let (_, shift) = SEQUENCES.iter().find(|(known, _)| *known == sequence)?;
        let shift = match shift {
            // Strict members of the family read JIS X 0201 as ASCII.
            Shift::Roman if !self.is_lenient() => Shift::Ascii,
            shift => *shift,
        };
        let known = match self {
            Member::Jis2004 => matches!(sequence, b"\x1B(B" | b"\x1B$B" | b"\x1B$(Q" | b"\x1B$(P"),
            Member::Microsoft => shift != Shift::Supplement && sequence != b"\x1B(H" && !is_2004(shift),
            Member::Kddi => {
                !matches!(shift, Shift::Supplement | Shift::Private) && sequence != b"\x1B(H" && !is_2004(shift)
            }
            _ => shift != Shift::Private && !is_2004(shift),
        };
        known.then_some(shift)
    }
}

fn is_2004(shift: Shift) -> bool {
    matches!(shift, Shift::Plane1 | Shift::Plane2)
}

/// The code points of a text; what is malformed becomes `BAD`.
pub fn decode(text: &[u8], member: Member) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut shift = Shift::Ascii;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        if *byte == 0x1B {
            rest = escape(&mut codes, tail, member, &mut shift);
            continue;
        }
        match (shift, *byte) {
            (_, 0x0E) if member.is_lenient() => shift = Shift::Kana,
            (_, 0x0F) if member.is_lenient() => shift = Shift::Ascii,
            (Shift::Roman, 0x5C) => codes.push(0xA5),
            (Shift::Roman, 0x7E) => codes.push(0x203E),
            (Shift::Kana, byte @ 0x21..0x60) => codes.push(KANA - 0x21 + u32::from(byte)),
            (Shift::Ascii | Shift::Roman | Shift::Kana, byte @ ..0x80) => codes.push(byte.into()),
            (_, byte) if (0x21..=last_lead(member)).contains(&byte) && !is_single(shift) => {
                let Some((trail, tail)) = tail.split_first() else {
                    codes.push(BAD);
                    break;
                };
                rest = tail;
                match trail {
                    0x21..=0x7E => two_bytes(&mut codes, byte, *trail, member, shift),
                    _ => codes.push(BAD),
                }
            }
            (_, byte @ ..0x80) => codes.push(byte.into()),
            (_, byte @ 0xA1..0xE0) if member != Member::Jis2004 => codes.push(KANA - 0xA1 + u32::from(byte)),
            _ => codes.push(BAD),
        }
    }
    codes
}

fn is_single(shift: Shift) -> bool {
    matches!(shift, Shift::Ascii | Shift::Roman | Shift::Kana)
}

/// The last byte that begins a character of two.
fn last_lead(member: Member) -> u8 {
    match member {
        Member::Microsoft | Member::Kddi => 0x7F,
        _ if member.is_cp5022x() => 0x97,
        _ => 0x7E,
    }
}

/// Reads the sequence behind an ESC, and gives the text behind the sequence.
fn escape<'a>(codes: &mut Vec<u32>, tail: &'a [u8], member: Member, shift: &mut Shift) -> &'a [u8] {
    let length = match tail {
        [b'$', b'(', _, ..] => 3,
        [b'$', b'('] => {
            codes.push(BAD);
            return &[];
        }
        [_, _, ..] => 2,
        _ => {
            codes.push(BAD);
            let skipped = match tail {
                [b'$' | b'('] => 1,
                _ if member.is_lenient() => 0,
                _ => tail.len(),
            };
            return &tail[skipped..];
        }
    };
    let sequence = [&[0x1B], &tail[..length]].concat();
    if let Some(next) = member.announced(&sequence) {
        *shift = next;
        return &tail[length..];
    }
    codes.push(BAD);
    let begins = matches!(tail[0], b'$' | b'(');
    if !member.is_lenient() {
        return &tail[if begins { length } else { 1 }..];
    }
    if !begins {
        return tail;
    }
    codes.extend(tail[..length - 1].iter().map(|&byte| u32::from(byte)));
    &tail[length - 1..]
}

/// A character of a set of two bytes.
fn two_bytes(codes: &mut Vec<u32>, lead: u8, trail: u8, member: Member, shift: Shift) {
    let set = member.set();
    let place = u32::from(lead - 0x21) * ROW + u32::from(trail - 0x21);
    let (high, low) = (lead | 0x80, trail | 0x80);
    let code = match (member, shift) {
        (_, Shift::Private) if lead <= 0x20 + PRIVATE_ROWS as u8 => PRIVATE + place,
        (_, Shift::Private) => BAD,
        (_, Shift::Supplement) => Charset::of(Set::EucJp).triple([0x8F, high, low]),
        (_, Shift::Plane2) => set.triple([0x8F, high, low]),
        (Member::Jis2004, Shift::Plane1) => return set.push_pair(codes, high, low),
        (Member::Jis2004, _) => Charset::of(Set::EucJp).pair(high, low),
        // Rows 85 to 91 are KDDI's emoji.
        (Member::Kddi, _) if (0x75..0x7C).contains(&lead) => {
            let [lead, trail] = shift_jis(lead - 0x21 + KDDI_ROWS, trail - 0x21);
            match set.pair(lead, trail) {
                PRIVATE..PRIVATE_END => BAD,
                _ => return set.push_pair(codes, lead, trail),
            }
        }
        (Member::Kddi, _) if lead > 0x74 => BAD,
        (Member::Kddi, _) => Charset::of(Set::Cp51932).pair(high, low),
        (_, Shift::Double) if member.is_cp5022x() => match lead {
            // NEC's characters, and those of IBM that NEC chose.
            0x2D | 0x79..=0x7C => set.pair(high, low),
            ..BEHIND_ROWS => Charset::of(Set::EucJp).pair(high, low),
            BEHIND_ROWS..IBM_ROWS => PRIVATE + place - u32::from(BEHIND_ROWS - 0x21) * ROW,
            _ => {
                let [lead, trail] = shift_jis(lead - 0x21, trail - 0x21);
                Charset::of(Set::Cp932).pair(lead, trail)
            }
        },
        _ if lead == 0x7F => BAD,
        _ => set.pair(high, low),
    };
    codes.push(code);
}

/// Is the text what mail programs would write, and does it end in ASCII? For JIS and ISO-2022-JP, which read more than that.
pub fn is_strict(text: &[u8], member: Member) -> bool {
    let is_mail = member == Member::Iso2022Jp;
    let (mut shift, mut shifted_out) = (Shift::Ascii, false);
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match byte {
            0x1B => {
                let length = if tail.starts_with(b"$(") { 3 } else { 2 };
                let Some(sequence) = tail.get(..length) else { return false };
                let Some(next) = member.announced(&[b"\x1B", sequence].concat()) else { return false };
                if shifted_out || (is_mail && (length == 3 || matches!(sequence, b"(H" | b"(I"))) {
                    return false;
                }
                shift = next;
                rest = &tail[length..];
            }
            0x0E if !is_mail && shift == Shift::Ascii && !shifted_out => shifted_out = true,
            0x0F if shifted_out => shifted_out = false,
            0x0E | 0x0F => return false,
            0x80.. if is_mail => return false,
            0x21..=0x7E if !is_single(shift) => rest = tail.get(1..).unwrap_or_default(),
            _ => {}
        }
    }
    shift == Shift::Ascii && !shifted_out
}

/// The Shift JIS bytes of a row and a cell, both from 0 on.
pub fn shift_jis(row: u8, cell: u8) -> [u8; 2] {
    let lead = 0x81 + row / 2;
    let trail = if row % 2 == 1 { 0x9F + cell } else { 0x40 + cell + u8::from(cell >= 0x3F) };
    [if lead > 0x9F { lead + 0x40 } else { lead }, trail]
}

/// The row and the cell of Shift JIS bytes, both from 0 on.
pub fn kuten(lead: u8, trail: u8) -> [u8; 2] {
    let lead = if lead > 0x9F { lead - 0x40 } else { lead } - 0x81;
    match trail {
        0x9F.. => [lead * 2 + 1, trail - 0x9F],
        _ => [lead * 2, trail - 0x40 - u8::from(trail > 0x7F)],
    }
}

/// A code point in one of the sets.
type Placed = (Shift, Vec<u8>);

/// Writes the first of the code points, or as many as are one character; gives how many. `None`: the encoding lacks it.
pub fn put(out: &mut Vec<u8>, codes: &[u32], member: Member, shift: &mut Shift) -> Option<usize> {
    let (length, (wanted, bytes)) = match joined(codes, member) {
        Some(found) => found,
        None => (1, placed(*codes.first()?, member)?),
    };
    change(out, shift, wanted, member);
    out.extend_from_slice(&bytes);
    Some(length)
}

/// Goes back to ASCII.
pub fn end(out: &mut Vec<u8>, member: Member, shift: &mut Shift) {
    change(out, shift, Shift::Ascii, member);
}

fn change(out: &mut Vec<u8>, shift: &mut Shift, wanted: Shift, member: Member) {
    let current = std::mem::replace(shift, wanted);
    if current == wanted {
        return;
    }
    let by_control = member == Member::Cp50222;
    if by_control && current == Shift::Kana {
        out.push(0x0F);
    }
    match wanted {
        Shift::Kana if by_control => out.push(0x0E),
        Shift::Ascii if by_control && current == Shift::Kana => {}
        _ => {
            let row = SEQUENCES.iter().find(|(_, shift)| *shift == wanted);
            out.extend_from_slice(row.map_or(&b""[..], |row| row.0));
        }
    }
}

/// Several code points that are one character, and how many.
fn joined(codes: &[u32], member: Member) -> Option<(usize, Placed)> {
    match (member, codes) {
        (Member::Cp50220, [first, second, ..]) => Some((2, placed(crate::kana::voiced(*first, *second)?, member)?)),
        (Member::Kddi | Member::Jis2004, _) => {
            let (length, bytes) = member.set().joined(codes)?;
            Some((length, in_set(&bytes, member)?))
        }
        _ => None,
    }
}

fn placed(code: u32, member: Member) -> Option<Placed> {
    use Member::{Cp50220, Cp50221, Cp50222, Iso2022Jp, Jis, Jis2004, Kddi, Microsoft};
    match (code, member) {
        (..0x80, _) => Some((Shift::Ascii, vec![code as u8])),
        (0xA5, Jis2004) => Some((Shift::Ascii, b"\x5C".to_vec())),
        (0x203E, Jis2004) => Some((Shift::Ascii, b"\x7E".to_vec())),
        // JIS X 0208 has a macron of full width only.
        (0xAF, Jis | Iso2022Jp) => Some((Shift::Double, b"\x21\x31".to_vec())),
        (0xA5, Microsoft | Kddi) => Some((Shift::Double, b"\x21\x6F".to_vec())),
        (0xA5, _) => Some((Shift::Roman, b"\x5C".to_vec())),
        (0x203E, Jis | Cp50220 | Cp50221 | Cp50222) => Some((Shift::Roman, b"\x7E".to_vec())),
        (KANA..=LAST_KANA, Jis2004 | Iso2022Jp) => None,
        (KANA..=LAST_KANA, Cp50220) => placed(crate::kana::wide(code), member),
        (KANA..=LAST_KANA, _) => Some((Shift::Kana, vec![(code - KANA) as u8 + 0x21])),
        (PRIVATE..PRIVATE_END, Jis | Iso2022Jp | Jis2004 | Kddi) => None,
        (PRIVATE..PRIVATE_END, _) => {
            let place = code - PRIVATE;
            let (row, cell) = ((place / ROW) as u8, (place % ROW) as u8 + 0x21);
            match member {
                _ if place >= PRIVATE_ROWS * ROW => None,
                Microsoft => Some((Shift::Private, vec![row + 0x21, cell])),
                _ => Some((Shift::Double, vec![row + BEHIND_ROWS, cell])),
            }
        }
        _ => {
            let bytes = member.set().bytes(code).or_else(|| member.set().beginning(code).filter(|_| member == Kddi))?;
            in_set(&bytes, member)
        }
    }
}

/// The character set and the bytes in it of a character in the member's underlying encoding.
fn in_set(bytes: &[u8], member: Member) -> Option<Placed> {
    match *bytes {
        [lead, trail] if member == Member::Kddi => {
            let [row, cell] = kuten(lead, trail);
            let row = match row {
                0..84 => row,
                100..113 => row - KDDI_ROWS,
                _ => return None,
            };
            Some((Shift::Double, vec![row + 0x21, cell + 0x21]))
        }
        [lead @ 0xA1..=0xFE, trail] => {
            let shift = if member == Member::Jis2004 { Shift::Plane1 } else { Shift::Double };
            Some((shift, vec![lead & 0x7F, trail & 0x7F]))
        }
        [0x8F, lead, trail] => {
            let shift = match member {
                Member::Jis => Shift::Supplement,
                Member::Jis2004 => Shift::Plane2,
                _ => return None,
            };
            Some((shift, vec![lead & 0x7F, trail & 0x7F]))
        }
        _ => None,
    }
}
