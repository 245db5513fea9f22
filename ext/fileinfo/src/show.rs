//! What a match says, and where it ends.

use crate::compare::sign_extended;
use crate::der;
use crate::format::{self, Value};
use crate::kind::{Shape, Shown, Zone};
use crate::output::{APPLE, Done, EXTENSION, MIME_TYPE, Stop};
use crate::rule::{self, LONGEST, Rule, until_nul};
use crate::scan::{self, is_space};
use crate::state::{State, length_size};
use crate::time;
use phlox_runtime::number::general_format;

/// The longest text of a file that a description shows, with its NUL.
const TEXT_MOST: usize = 512;
/// The longest description, and the longest MIME type, with what is chosen in it.
const DESCRIPTION_MOST: usize = 512;
const MIME_MOST: usize = 1024;

/// A text in which `${x?one:other}` stands for one of two, which the permission to execute chooses.
fn choose(text: &[u8], executable: bool, most: usize) -> Vec<u8> {
    let (mut result, mut rest) = (Vec::new(), text);
    while let Some(at) = memchr::memmem::find(rest, b"${") {
        result.extend_from_slice(&rest[..at]);
        let Some(choice) = rest[at + 2..].strip_prefix(b"x?") else { return text.to_vec() };
        let Some(colon) = choice.iter().position(|&byte| byte == b':') else { return text.to_vec() };
        let Some(end) = choice[colon + 1..].iter().position(|&byte| byte == b'}') else { return text.to_vec() };
        let (one, other) = (&choice[..colon], &choice[colon + 1..colon + 1 + end]);
        result.extend_from_slice(if executable { one } else { other });
        rest = &choice[colon + 2 + end..];
    }
    result.extend_from_slice(rest);
    if result.len() < most { result } else { text.to_vec() }
}

/// A text without the blanks around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let text = &text[scan::spaces(text)..];
    &text[..text.iter().rposition(|&byte| !is_space(byte)).map_or(0, |at| at + 1)]
}

impl State<'_, '_> {
    fn is_executable(&self) -> bool {
        self.mode & 0o111 != 0
    }

    /// Writes what comes between the descriptions of two matches.
    pub fn separate(&mut self, is_first: bool) -> Done<()> {
        if is_first { Ok(()) } else { self.out.separate() }
    }

    /// Writes the rule's MIME type, extensions or Apple types, if they are wanted; false: they are not, or it has none.
    pub fn annotate(&mut self, rule: &Rule, is_first: bool) -> Done<bool> {
        let text = if self.out.has(APPLE) && !rule.apple.is_empty() {
            rule.apple.to_vec()
        } else if self.out.has(EXTENSION) && !rule.extensions.is_empty() {
            rule.extensions.to_vec()
        } else if self.out.has(MIME_TYPE) && !rule.mime.is_empty() {
            choose(&rule.mime, self.is_executable(), MIME_MOST)
        } else {
            return Ok(false);
        };
        self.separate(is_first)?;
        self.out.print(&text)?;
        Ok(true)
    }

    /// The value's text, up to the end of its line if the rule compares with nothing.
    fn line_of_value(&mut self, rule: &Rule) -> Vec<u8> {
        if rule.value.is_empty() {
            if let Some(end) = self.value.iter().position(|byte| b"\r\n\0".contains(byte)) {
                self.value[end] = 0;
            }
        }
        until_nul(&self.value).to_vec()
    }

    /// Writes a rule's description.
    pub fn describe(&mut self, rule: &Rule) -> Done<()> {
        let description = choose(&rule.description, self.is_executable(), DESCRIPTION_MOST);
        let kind = rule.kind();
        let text = match kind.shape {
            Shape::Int | Shape::Offset => return self.describe_number(rule, &description),
            Shape::Float => return self.describe_float(f64::from(f32::from_le_bytes(self.bytes())), &description),
            Shape::Double => return self.describe_float(f64::from_le_bytes(self.bytes()), &description),
            Shape::Default | Shape::Clear => return self.out.print(&rule.description),
            Shape::Indirect | Shape::Use | Shape::Name => return Ok(()),
            Shape::String | Shape::Pascal | Shape::Wide => self.text_of_value(rule)?,
            Shape::Search | Shape::Regex => self.found_text(rule),
            Shape::Date(zone) => {
                let seconds = if kind.size == 4 { self.number(4) as i64 } else { self.number(8) as i64 };
                let show = match zone {
                    Zone::Utc => time::utc,
                    Zone::Local => time::local,
                    Zone::Windows => time::windows,
                };
                show(seconds).into_bytes()
            }
            Shape::DosDate => time::dos_date(self.number(2) as u16).into_bytes(),
            Shape::DosTime => time::dos_time(self.number(2) as u16).into_bytes(),
            Shape::Der => self.out.printable(&self.value, TEXT_MOST),
            Shape::Guid => guid(&self.bytes()).into_bytes(),
            Shape::Octal => octal(rule.text()),
            Shape::Invalid | Shape::Id3 | Shape::Varint => {
                self.error(&format!("invalid m->type ({}) in mprint()", rule.kind));
                return Err(Stop);
            }
        };
        self.out.fill(&description, Value::Text(&text))
    }

    fn describe_number(&mut self, rule: &Rule, description: &[u8]) -> Done<()> {
        let kind = rule.kind();
        let number = sign_extended(rule, self.number(kind.size));
        let unsigned = rule.flags & rule::UNSIGNED != 0;
        let is_quad = kind.shown == Shown::Quad;
        let number = match (is_quad, unsigned) {
            (true, _) => number as i64,
            (false, true) => (number & (u64::MAX >> (64 - 8 * kind.size))) as i64,
            (false, false) => number as i64,
        };
        if format::takes_text(description) {
            let text = if unsigned { (number as u64).to_string() } else { number.to_string() };
            return self.out.fill(description, Value::Text(text.as_bytes()));
        }
        self.out.fill(description, Value::Int(number))
    }

    fn describe_float(&mut self, number: f64, description: &[u8]) -> Done<()> {
        if format::takes_text(description) {
            let text = general_format(number, 6, b'.', b'e');
            return self.out.fill(description, Value::Text(&text));
        }
        self.out.fill(description, Value::Float(number))
    }

    fn text_of_value(&mut self, rule: &Rule) -> Done<Vec<u8>> {
        if matches!(rule.relation, b'=' | b'!') {
            return Ok(self.out.printable(&rule.value, TEXT_MOST));
        }
        let text = self.line_of_value(rule);
        let text = if rule.text_flags() & rule::TRIM != 0 { trimmed(&text) } else { &text };
        let shown = self.out.printable(text, TEXT_MOST);
        if rule.kind().shape == Shape::Pascal && length_size(rule).is_none() {
            return Err(Stop);
        }
        Ok(shown)
    }

    fn found_text(&mut self, rule: &Rule) -> Vec<u8> {
        let region = self.search.region();
        let found = &region[..region.len().min(self.search.matched)];
        let found = if rule.text_flags() & rule::TRIM != 0 { trimmed(until_nul(found)) } else { found };
        self.out.printable(found, TEXT_MOST)
    }

    /// Where a match ends, which deeper rules may count from. `None`: it is outside of the file.
    pub fn end_of_match(&mut self, rule: &Rule, length: usize) -> Option<i32> {
        let kind = rule.kind();
        let after = |size: usize| self.offset.wrapping_add(size as u32) as i32;
        let end = match kind.shape {
            Shape::Int | Shape::DosDate | Shape::DosTime | Shape::Float | Shape::Double | Shape::Guid => {
                after(kind.size)
            }
            // The other dates of Windows have no end.
            Shape::Date(Zone::Windows) => 0,
            Shape::Date(_) => after(kind.size),
            Shape::String | Shape::Pascal | Shape::Wide | Shape::Octal => {
                if matches!(rule.relation, b'=' | b'!') {
                    after(usize::from(rule.length))
                } else {
                    let mut size = self.line_of_value(rule).len();
                    if kind.shape == Shape::Pascal {
                        size += self.length_size(rule)?;
                    }
                    self.offset.wrapping_add(size as u32) as i32
                }
            }
            Shape::Regex | Shape::Search if rule.text_flags() & rule::FROM_START != 0 => self.search.offset as i32,
            Shape::Regex => (self.search.offset + self.search.matched) as i32,
            Shape::Search => (self.search.offset + usize::from(rule.length)) as i32,
            Shape::Clear | Shape::Default | Shape::Indirect | Shape::Offset | Shape::Use => self.offset as i32,
            Shape::Der => self.end_of_der(rule, length)?,
            Shape::Name | Shape::Invalid | Shape::Id3 | Shape::Varint => 0,
        };
        usize::try_from(end).is_ok_and(|end| end <= length).then_some(end)
    }

    /// Where a DER value's contents start; the level above goes on behind them.
    fn end_of_der(&mut self, rule: &Rule, length: usize) -> Option<i32> {
        let (start, size) = der::place(self.search.region())?;
        let start = start.wrapping_add(self.offset as usize).wrapping_add(rule.offset as usize);
        if rule.level != 0 {
            let end = start.checked_add(size).filter(|end| *end <= length)?;
            self.level(usize::from(rule.level) - 1).end = end as i32;
        }
        Some(start as i32)
    }
}

/// A GUID in its usual form.
fn guid(bytes: &[u8; LONGEST / 8]) -> String {
    let b = bytes;
    let (one, two, three) = (
        u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        u16::from_le_bytes([b[4], b[5]]),
        u16::from_le_bytes([b[6], b[7]]),
    );
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
    format!("{one:08X}-{two:04X}-{three:04X}-{}-{}", hex(&b[8..10]), hex(&b[10..]))
}

/// An octal number as a decimal one.
fn octal(text: &[u8]) -> Vec<u8> {
    let scanned = scan::unsigned(text, 8);
    match scanned.end == text.len() && !scanned.overflow {
        true => scanned.value.to_string().into_bytes(),
        false => b"*Invalid number*".to_vec(),
    }
}
