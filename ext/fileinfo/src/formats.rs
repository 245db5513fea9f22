//! Formats that are recognised without rules: tar, JSON, CSV, tapes of SIMH.

use crate::scan::is_space;

const TAR_RECORD: usize = 512;

/// A field of octal digits; `None`: it is none.
fn octal_field(field: &[u8]) -> Option<i64> {
    let start = field.iter().take_while(|&&byte| is_space(byte)).count();
    let digits = field[start..].iter().take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    let value = field[start..start + digits].iter().fold(0i64, |value, byte| value << 3 | i64::from(byte - b'0'));
    match field.get(start + digits) {
        Some(&byte) if byte != 0 && !is_space(byte) => None,
        _ if start == field.len() => None,
        _ => Some(value),
    }
}

/// The kind of tar archive that a file is.
pub fn tar(data: &[u8]) -> Option<&'static str> {
    let record = data.get(..TAR_RECORD)?;
    // Packages of Gentoo are left to the rules.
    let name_end = record[..100].iter().position(|&byte| byte == 0);
    if name_end.is_some_and(|end| end > 7 && record[..end].ends_with(b"/gpkg-1")) {
        return None;
    }
    let checksum = 148..156;
    let wanted = octal_field(&record[checksum.clone()])?;
    let sum: i64 = record.iter().map(|&byte| i64::from(byte)).sum();
    let own: i64 = record[checksum.clone()].iter().map(|&byte| i64::from(byte)).sum();
    if sum - own + i64::from(b' ') * checksum.len() as i64 != wanted {
        return None;
    }
    let magic = &record[257..265];
    Some(match magic {
        b"ustar  \0" => "POSIX tar archive (GNU)",
        _ if magic.starts_with(b"ustar\0") => "POSIX tar archive",
        _ => "tar archive",
    })
}

/// The deepest nesting of JSON that is looked at.
const DEEPEST: usize = 500;

/// A reader of JSON that says only whether it is some.
struct Json<'a> {
    data: &'a [u8],
    at: usize,
    has_container: bool,
}

impl Json<'_> {
    fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn string(&mut self) -> bool {
        loop {
            match self.next() {
                None | Some(0) => return false,
                Some(b'"') => return true,
                Some(b'\\') => match self.next() {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {}
                    Some(b'u') => {
                        if !(0..4).all(|_| self.next().is_some_and(|byte| byte.is_ascii_hexdigit())) {
                            return false;
                        }
                    }
                    _ => return false,
                },
                Some(_) => {}
            }
        }
    }

    fn array(&mut self, level: usize) -> bool {
        loop {
            self.skip_space();
            let closed = match self.peek() {
                None => return false,
                Some(b']') => true,
                Some(_) => {
                    if !self.value(level + 1) {
                        return false;
                    }
                    match self.peek() {
                        Some(b',') => false,
                        Some(b']') => true,
                        _ => return false,
                    }
                }
            };
            self.at += 1;
            if closed {
                self.has_container = true;
                return true;
            }
        }
    }

    fn object(&mut self, level: usize) -> bool {
        loop {
            self.skip_space();
            match self.next() {
                Some(b'}') => return true,
                Some(b'"') => {}
                _ => return false,
            }
            if !self.string() {
                return false;
            }
            self.skip_space();
            if self.next() != Some(b':') || !self.value(level + 1) {
                return false;
            }
            match self.next() {
                Some(b',') => {}
                Some(b'}') => return true,
                _ => return false,
            }
        }
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at > start
    }

    fn number(&mut self) -> bool {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let mut got = self.digits();
        if self.peek() == Some(b'.') {
            self.at += 1;
        }
        got |= self.digits();
        if got && matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            got = false;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            got |= self.digits();
        }
        got
    }

    /// A word whose first letter has been read; at the end of the data its beginning is enough.
    fn word(&mut self, rest: &[u8]) -> bool {
        let there = &self.data[self.at..self.data.len().min(self.at + rest.len())];
        let matches = rest.starts_with(there);
        self.at += there.len();
        matches
    }

    fn value(&mut self, level: usize) -> bool {
        self.skip_space();
        let Some(first) = self.peek() else { return false };
        if level > DEEPEST {
            return false;
        }
        self.at += 1;
        let good = match first {
            b'"' => self.string(),
            b'[' => self.array(level + 1),
            b'{' => {
                let good = self.object(level + 1);
                self.has_container |= good;
                good
            }
            b't' => self.word(b"rue"),
            b'f' => self.word(b"alse"),
            b'n' => self.word(b"ull"),
            _ => {
                self.at -= 1;
                self.number()
            }
        };
        self.skip_space();
        good
    }
}

/// Is a file JSON, and if so, is it one value a line?
pub fn json(data: &[u8]) -> Option<bool> {
    let mut json = Json { data, at: 0, has_container: false };
    json.skip_space();
    let first = json.peek()?;
    if !json.value(0) {
        return None;
    }
    let by_lines = match json.peek() {
        None => false,
        Some(next) if next == first && json.value(1) => true,
        Some(_) => return None,
    };
    json.has_container.then_some(by_lines)
}

/// Lines of CSV that are looked at.
const CSV_LINES: usize = 10;

/// Where a quoted field ends. A quote is doubled in it.
fn after_quotes(data: &[u8], mut at: usize) -> usize {
    let mut quoted = false;
    while let Some(&byte) = data.get(at) {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Is a text CSV, with as many commas in each line?
pub fn csv(data: &[u8]) -> bool {
    let (mut commas, mut wanted, mut lines, mut at) = (0, 0, 0, 0);
    while let Some(&byte) = data.get(at) {
        at += 1;
        match byte {
            b'"' => at = after_quotes(data, at),
            b',' => commas += 1,
            b'\n' => {
                lines += 1;
                if lines == CSV_LINES {
                    return wanted != 0 && wanted == commas;
                }
                if wanted == 0 && commas == 0 || wanted != 0 && wanted != commas {
                    return false;
                }
                wanted = commas;
                commas = 0;
            }
            _ => {}
        }
    }
    wanted != 0 && lines >= 2
}

/// Marks of a tape that are looked at.
const TAPE_MARKS: usize = 10;
const END_OF_MEDIUM: u32 = u32::MAX;

/// The length of a record at an offset, which is even.
fn tape_length(data: &[u8], at: usize) -> Option<u32> {
    let length = u32::from_le_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?);
    if length == END_OF_MEDIUM {
        return Some(length);
    }
    let length = length & 0x00ff_ffff;
    Some(length + (length & 1))
}

/// Is a file a tape of the simulator SIMH: records between their lengths?
pub fn simh(data: &[u8]) -> bool {
    let (mut marks, mut records, mut at) = (0usize, 0usize, 0usize);
    while let Some(length) = tape_length(data, at) {
        at += 4;
        if (marks > 0 || records > 0) && length == END_OF_MEDIUM {
            break;
        }
        if length == 0 {
            marks += 1;
            if marks == TAPE_MARKS {
                break;
            }
            continue;
        }
        at += length as usize;
        let Some(again) = tape_length(data, at) else { break };
        at += 4;
        if again != length {
            return false;
        }
        records += 1;
    }
    marks * 4 != at && records > 0
}
