//! Text encodings: their names, and bytes to code points and back.

mod charset;
mod japanese;
mod mobile;
mod shifted;
mod single_byte;
mod table;
mod transfer;
mod unicode;

use charset::Charset;
pub use table::{ENCODINGS, Encoding, Kind, MORE, find};
pub use unicode::{Order, decode_utf8};

/// Stands in decoded text for bytes that are no character.
pub const BAD: u32 = u32::MAX;

/// The substitute for characters that an encoding lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substitute {
    pub mode: Mode,
    /// The character for [`Mode::Character`], which other modes use where there is no code point to write.
    pub character: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    None,
    /// `U+3042`
    Long,
    /// `&#x3042;`
    Entity,
    Character,
}

impl Substitute {
    pub const NONE: Substitute = Substitute { mode: Mode::None, character: '?' as u32 };
    pub const QUESTION_MARK: Substitute = Substitute { mode: Mode::Character, character: '?' as u32 };
}

/// Code points of a text.
pub fn decode(encoding: &Encoding, text: &[u8]) -> Vec<u32> {
    match encoding.kind {
        Kind::Utf8 => unicode::decode_utf8(text),
        Kind::Utf16(order) => unicode::decode_utf16(text, order),
        Kind::Ucs2(order) => unicode::decode_ucs2(text, order),
        Kind::Utf32(order) => unicode::decode_utf32(text, order, 0x10FFFF),
        Kind::Ucs4(order) => unicode::decode_utf32(text, order, BAD),
        Kind::Utf7 => unicode::decode_utf7(text, false),
        Kind::Utf7Imap => unicode::decode_utf7(text, true),
        Kind::Ascii | Kind::SevenBit => text.iter().map(|&byte| if byte < 0x80 { byte as u32 } else { BAD }).collect(),
        Kind::Latin1 | Kind::EightBit => text.iter().map(|&byte| byte as u32).collect(),
        Kind::SingleByte(table) => single_byte::decode(text, table),
        Kind::MultiByte(set) => Charset::of(set).decode(text),
        Kind::Shifted(form) => shifted::decode(text, form),
        Kind::Japanese(member) => japanese::decode(text, member),
        Kind::Mobile(carrier) => mobile::decode(text, carrier),
        Kind::Base64 => transfer::decode_base64(text),
        Kind::QuotedPrintable => decode_bytes(&transfer::decode_quoted_printable(text)),
        Kind::Uuencode => decode_bytes(&transfer::decode_uuencode(text)),
        Kind::HtmlEntities => transfer::decode_entities(text),
    }
}

fn decode_bytes(text: &[u8]) -> Vec<u32> {
    text.iter().map(|&byte| byte as u32).collect()
}

/// Writes code points in an encoding and counts those that it lacks.
pub struct Encoder {
    kind: Kind,
    out: Vec<u8>,
    state: State,
}

/// The state of stateful encodings.
#[derive(Default)]
struct State {
    utf7: unicode::Utf7State,
    shift: shifted::Shift,
    japanese: japanese::Shift,
}

impl Encoder {
    /// An encoder that has written nothing yet.
    pub fn new(encoding: &Encoding) -> Encoder {
        Encoder { kind: encoding.kind, out: Vec::new(), state: State::default() }
    }

    /// Writes one code point; `false`: the encoding lacks it.
    pub fn put(&mut self, code: u32) -> bool {
        self.put_next(&[code]).is_some()
    }

    /// Writes the first of the code points, or as many as are one character; gives how many. `None`: the encoding lacks
    /// it.
    pub fn put_next(&mut self, codes: &[u32]) -> Option<usize> {
        let code = *codes.first()?;
        // Encodings of bytes do not ask whether a code is a character.
        let takes_all = matches!(self.kind, Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode | Kind::HtmlEntities);
        if code == BAD && !takes_all {
            return None;
        }
        let out = &mut self.out;
        let written = match self.kind {
            Kind::Utf8 => unicode::put_utf8(out, code),
            Kind::Utf16(order) => unicode::put_utf16(out, code, order),
            Kind::Ucs2(order) => unicode::put_ucs2(out, code, order),
            Kind::Utf32(order) => unicode::put_utf32(out, code, order, 0x10FFFF),
            Kind::Ucs4(order) => unicode::put_utf32(out, code, order, BAD),
            Kind::Utf7 => self.state.utf7.put(out, code, false),
            Kind::Utf7Imap => self.state.utf7.put(out, code, true),
            Kind::Ascii | Kind::SevenBit => put_byte(out, code, 0x80),
            Kind::Latin1 | Kind::EightBit => put_byte(out, code, 0x100),
            // Only the low bytes are written.
            Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode => put_byte(out, code & 0xff, 0x100),
            Kind::SingleByte(table) => single_byte::put(out, code, table),
            Kind::MultiByte(set) => return Charset::of(set).put(out, codes),
            Kind::Japanese(member) => return japanese::put(out, codes, member, &mut self.state.japanese),
            Kind::Mobile(carrier) => return mobile::put(out, codes, carrier),
            Kind::Shifted(form) => shifted::put(out, code, form, &mut self.state.shift),
            Kind::HtmlEntities => transfer::put_entity(out, code),
        };
        written.then_some(1)
    }

    /// The encoded text, with the sequence that ends it in stateful encodings.
    pub fn finish(mut self) -> Vec<u8> {
        match self.kind {
            Kind::Utf7 => self.state.utf7.end(&mut self.out, false),
            Kind::Utf7Imap => self.state.utf7.end(&mut self.out, true),
            Kind::Shifted(form) => shifted::end(&mut self.out, form, self.state.shift),
            Kind::Japanese(member) => japanese::end(&mut self.out, member, &mut self.state.japanese),
            Kind::Base64 => return transfer::encode_base64(&self.out),
            Kind::QuotedPrintable => return transfer::encode_quoted_printable(&self.out),
            Kind::Uuencode => return transfer::encode_uuencode(&self.out),
            _ => {}
        }
        self.out
    }
}

fn put_byte(out: &mut Vec<u8>, code: u32, limit: u32) -> bool {
    if code < limit {
        out.push(code as u8);
    }
    code < limit
}

/// A text of code points in an encoding, and how many of them it lacks.
pub fn encode(encoding: &Encoding, codes: &[u32], substitute: Substitute) -> (Vec<u8>, usize) {
    let mut encoder = Encoder::new(encoding);
    let mut missing = 0;
    let mut rest = codes;
    while let [code, tail @ ..] = rest {
        let code = *code;
        if let Some(written) = encoder.put_next(rest) {
            rest = &rest[written..];
            continue;
        }
        rest = tail;
        missing += 1;
        let text = match (substitute.mode, code) {
            (Mode::None, _) => continue,
            (Mode::Long, code) if code != BAD => format!("U+{code:X}"),
            (Mode::Entity, code) if code != BAD => format!("&#x{code:X};"),
            _ if encoder.put(substitute.character) => continue,
            _ => "?".to_owned(),
        };
        for character in text.bytes() {
            encoder.put(character as u32);
        }
    }
    (encoder.finish(), missing)
}

/// Is the text well-formed?
pub fn is_valid(encoding: &Encoding, text: &[u8]) -> bool {
    match encoding.kind {
        Kind::Utf8 => std::str::from_utf8(text).is_ok(),
        Kind::Utf7 | Kind::Utf7Imap => unicode::is_well_formed_utf7(text, encoding.kind == Kind::Utf7Imap),
        Kind::Japanese(member @ (japanese::Member::Jis | japanese::Member::Iso2022Jp)) => {
            !decode(encoding, text).contains(&BAD) && japanese::is_strict(text, member)
        }
        _ => !decode(encoding, text).contains(&BAD),
    }
}
