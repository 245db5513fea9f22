//! `strip_tags`.

use phlox_runtime::{Call, FnDef, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] =
    &[FnDef::new("strip_tags(string $string, array|string|null $allowed_tags = null): string", strip_tags).fast_path(
        |args| {
            // Without brackets there is nothing to strip.
            let [text] = args else { return None };
            let text = text.as_str()?;
            (!text.iter().any(|byte| matches!(byte, b'<' | b'>' | 0))).then(|| text.into())
        },
    )];

fn strip_tags(call: &mut Call<'_>) -> PhpResult<Val> {
    let allowed = call.arg(1);
    let mut tags = Vec::new();
    match allowed.view() {
        View::Arr(list) => {
            for name in list.values() {
                tags.extend([b"<", &convert::to_str(call.vm, name)?[..], b">"].concat());
            }
        }
        View::Str(list) => tags.extend_from_slice(list),
        _ => {}
    }
    Ok(strip(&call.str(0), &tags, false).into())
}

/// Is a tag (with its brackets) allowed? Its attributes do not count, nor does the slash of a closing or an empty one; what is
/// left must stand somewhere in the list just so.
fn is_allowed(tag: &[u8], allowed: &[u8]) -> bool {
    let mut plain = Vec::with_capacity(tag.len());
    let mut named = false;
    for (at, &byte) in tag.iter().enumerate() {
        match byte {
            b'<' => plain.push(byte),
            b'>' => break,
            _ if is_space(byte) && named => break,
            _ if is_space(byte) => {}
            _ => {
                named = true;
                let slash = byte == b'/' && (tag[at - 1] == b'<' || tag.get(at + 1) == Some(&b'>'));
                if !slash {
                    plain.push(byte.to_ascii_lowercase());
                }
            }
        }
    }
    plain.push(b'>');
    allowed.windows(plain.len()).any(|part| part == plain)
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The construct that the text being read is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Text,
    /// `<tag ...>`
    Tag,
    /// `<? ... >`
    Code,
    /// `<!...>`
    Declaration,
    /// `<!-- ... -->`
    Comment,
}

/// The state of the removal.
struct Stripper<'a> {
    text: &'a [u8],
    /// The allowed tags in lower case.
    allowed: Vec<u8>,
    /// White space may follow the bracket.
    spaced: bool,
    out: Vec<u8>,
    /// The tag being read, without brackets nested in it.
    tag: Vec<u8>,
    inside: Inside,
    quote: u8,
    depth: u32,
    parens: i32,
    /// The last bracket or quote of code.
    last: u8,
    is_xml: bool,
}

/// Removes tags, comments and PHP code; tags that the list has stay. `spaced`: white space may follow the bracket.
pub fn strip(text: &[u8], allowed: &[u8], spaced: bool) -> Vec<u8> {
    let mut stripper = Stripper {
        text,
        allowed: allowed.to_ascii_lowercase(),
        spaced,
        out: Vec::with_capacity(text.len()),
        tag: Vec::new(),
        inside: Inside::Text,
        quote: 0,
        depth: 0,
        parens: 0,
        last: 0,
        is_xml: false,
    };
    for at in 0..text.len() {
        match stripper.inside {
            Inside::Text => stripper.text_byte(at),
            Inside::Tag => stripper.tag_byte(at),
            Inside::Code => stripper.code_byte(at),
            Inside::Declaration => stripper.declaration_byte(at),
            Inside::Comment => {
                if text[at] == b'>' && stripper.quote == 0 && stripper.follows(at, b"--") {
                    stripper.end();
                }
            }
        }
    }
    stripper.out
}

impl Stripper<'_> {
    /// Do these letters (in any case) stand before a position?
    fn follows(&self, at: usize, before: &[u8]) -> bool {
        at >= before.len() && self.text[at - before.len()..at].eq_ignore_ascii_case(before)
    }

    /// Does the bracket begin no tag because white space follows?
    fn is_lone(&self, at: usize) -> bool {
        !self.spaced && self.text.get(at + 1).is_some_and(|&byte| is_space(byte))
    }

    fn turn_quote(&mut self, byte: u8) {
        if self.quote == 0 {
            self.quote = byte;
        } else if self.quote == byte {
            self.quote = 0;
        }
    }

    /// Does a closing bracket end what is being read, and not something nested or quoted?
    fn closes(&mut self) -> bool {
        if self.depth > 0 {
            self.depth -= 1;
            return false;
        }
        self.quote == 0
    }

    fn end(&mut self) {
        self.tag.clear();
        self.inside = Inside::Text;
        (self.quote, self.is_xml) = (0, false);
    }

    fn text_byte(&mut self, at: usize) {
        match self.text[at] {
            0 => {}
            b'<' if self.is_lone(at) => self.out.push(b'<'),
            b'<' => {
                self.inside = Inside::Tag;
                self.last = b'<';
                self.tag.push(b'<');
            }
            byte => self.out.push(byte),
        }
    }

    fn tag_byte(&mut self, at: usize) {
        let byte = self.text[at];
        match byte {
            0 => {}
            b'<' if self.quote != 0 => {}
            b'<' if !self.is_lone(at) => self.depth += 1,
            b'>' => {
                if !self.closes() {
                    return;
                }
                self.last = b'>';
                // An arrow in code that looks like an XML declaration.
                if self.is_xml && self.follows(at, b"-") {
                    return;
                }
                self.tag.push(b'>');
                if !self.allowed.is_empty() && is_allowed(&self.tag, &self.allowed) {
                    self.out.extend_from_slice(&self.tag);
                }
                self.end();
            }
            b'!' if self.follows(at, b"<") => {
                self.inside = Inside::Declaration;
                self.last = byte;
            }
            b'?' if self.follows(at, b"<") => {
                self.inside = Inside::Code;
                self.parens = 0;
            }
            _ => {
                if matches!(byte, b'"' | b'\'') {
                    self.turn_quote(byte);
                }
                self.tag.push(byte);
            }
        }
    }

    fn code_byte(&mut self, at: usize) {
        let byte = self.text[at];
        let quoted = matches!(self.last, b'"' | b'\'');
        match byte {
            b'(' | b')' if !quoted => {
                self.last = byte;
                self.parens += if byte == b'(' { 1 } else { -1 };
            }
            b'>' => {
                if self.closes() && self.parens == 0 && self.last != b'"' && self.follows(at, b"?") {
                    self.end();
                }
            }
            b'"' | b'\'' if !self.follows(at, b"\\") => {
                self.last = if self.last == byte { 0 } else { byte };
                self.turn_quote(byte);
            }
            // An XML declaration is no code.
            b'l' | b'L' if self.follows(at, b"<?xm") => {
                self.inside = Inside::Tag;
                self.is_xml = true;
            }
            _ => {}
        }
    }

    fn declaration_byte(&mut self, at: usize) {
        let byte = self.text[at];
        match byte {
            b'>' => {
                if self.closes() {
                    self.end();
                }
            }
            b'"' | b'\'' if !self.follows(at, b"\\") => self.turn_quote(byte),
            b'-' if self.follows(at, b"!-") => self.inside = Inside::Comment,
            b'e' | b'E' if self.follows(at, b"doctyp") => self.inside = Inside::Tag,
            _ => {}
        }
    }
}
