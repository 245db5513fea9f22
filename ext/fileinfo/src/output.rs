//! What a test writes: the description as far as it goes, or the first error.

use crate::format::{self, Value};
use crate::rule::until_nul;

/// Flags of a test, with libmagic's numbers.
pub const DEVICES: u32 = 0x8;
pub const MIME_TYPE: u32 = 0x10;
pub const CONTINUE: u32 = 0x20;
/// Rules are checked for mistakes, which are warned about.
pub const CHECK: u32 = 0x40;
pub const RAW: u32 = 0x100;
pub const MIME_ENCODING: u32 = 0x400;
pub const MIME: u32 = MIME_TYPE | MIME_ENCODING;
pub const APPLE: u32 = 0x800;
pub const NO_TAR: u32 = 0x2000;
pub const NO_SOFT: u32 = 0x4000;
pub const NO_TEXT: u32 = 0x2_0000;
pub const NO_CDF: u32 = 0x4_0000;
pub const NO_CSV: u32 = 0x8_0000;
pub const NO_ENCODING: u32 = 0x20_0000;
pub const NO_JSON: u32 = 0x40_0000;
pub const NO_SIMH: u32 = 0x80_0000;
pub const EXTENSION: u32 = 0x100_0000;
/// Something other than a description is wanted.
pub const NO_DESCRIPTION: u32 = EXTENSION | MIME | APPLE;

/// The test ends: nothing more can be said. An error has been noted, or nothing.
#[derive(Debug)]
pub struct Stop;

/// What a step of a test gives.
pub type Done<T> = Result<T, Stop>;

/// Bytes that one piece, and all of the output, may have.
const LONGEST_PIECE: usize = 1024;
const LONGEST: usize = 1024 * 1024;

/// What comes between matches.
const SEPARATOR: &[u8] = b"\n- ";

/// The output of a test.
#[derive(Default)]
pub struct Output {
    pub flags: u32,
    /// `None`: nothing was written, not even an empty text.
    text: Option<Vec<u8>>,
    /// Bytes that were written, replacements not counted.
    written: usize,
    failed: bool,
    error: i32,
}

/// What was written before a part of a test that is written apart.
pub struct Saved {
    text: Option<Vec<u8>>,
    written: usize,
}

impl Output {
    /// An output for a test with these flags.
    pub fn new(flags: u32) -> Output {
        Output { flags, ..Output::default() }
    }

    /// Is one of the flags set?
    pub fn has(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    fn append(&mut self, piece: &[u8]) -> Done<()> {
        if piece.len() > LONGEST_PIECE || piece.len() + self.written > LONGEST {
            let (length, written) = (piece.len(), self.written);
            self.clear();
            self.error(0, format!("Output buffer space exceeded {length}+{written}").as_bytes());
            return Err(Stop);
        }
        let text = self.text.get_or_insert_default();
        text.extend_from_slice(until_nul(piece));
        self.written = text.len();
        Ok(())
    }

    /// Writes a text.
    pub fn print(&mut self, text: &[u8]) -> Done<()> {
        if self.failed {
            return Ok(());
        }
        self.append(text)
    }

    /// Writes a text with a value in the place of its format.
    pub fn fill(&mut self, format: &[u8], value: Value<'_>) -> Done<()> {
        if self.failed {
            return Ok(());
        }
        if let Some(problem) = format::problem(format) {
            self.clear();
            self.error(0, &[b"Bad magic format `", format, b"' (", problem.as_bytes(), b")"].concat());
            return Err(Stop);
        }
        self.append(&format::fill(format, value))
    }

    fn clear(&mut self) {
        self.text = None;
        self.written = 0;
    }

    /// Notes an error, unless there is one already. `number`: the system's number of it, or 0.
    pub fn error(&mut self, number: i32, message: &[u8]) {
        if self.failed {
            return;
        }
        if self.text.as_ref().is_some_and(|text| !text.is_empty()) {
            let _ = self.append(b" ");
        }
        let mut message = message.to_vec();
        if number > 0 {
            let text = std::io::Error::from_raw_os_error(number).to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            message.extend_from_slice(format!(" ({text})").as_bytes());
        }
        if self.append(&message).is_err() {
            return;
        }
        self.failed = true;
        self.error = number;
    }

    /// Notes an error in a line of rules.
    pub fn error_in_line(&mut self, line: u32, message: &[u8]) {
        if self.failed {
            return;
        }
        self.clear();
        let _ = self.append(format!("line {line}:").as_bytes());
        self.error(0, message);
    }

    /// The number and the text of the error.
    pub fn failure(&self) -> (i32, &[u8]) {
        match &self.text {
            Some(text) if self.failed => (self.error, text),
            _ => (0, b"(null)"),
        }
    }

    /// Bytes that were written.
    pub fn written(&self) -> usize {
        self.written
    }

    /// Starts what comes between matches.
    pub fn separate(&mut self) -> Done<()> {
        self.print(SEPARATOR)
    }

    /// Takes a separator at the end away.
    pub fn trim_separator(&mut self) {
        if let Some(text) = &mut self.text {
            if text.len() > SEPARATOR.len() && text.ends_with(SEPARATOR) {
                text.truncate(text.len() - SEPARATOR.len());
            }
        }
    }

    /// Replaces this ending of a line, wherever it stands; false: no line ends so.
    pub fn replace_endings(&mut self, ending: &[u8], with: &[u8]) -> bool {
        let Some(text) = &self.text else { return false };
        let mut found = false;
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for line in text.split(|&byte| byte == b'\n') {
            lines.push(match line.strip_suffix(ending) {
                Some(start) => {
                    found = true;
                    [start, with].concat()
                }
                None => line.to_vec(),
            });
        }
        if found {
            self.text = Some(lines.join(&b'\n'));
        }
        found
    }

    /// Puts what was written aside. Nothing more is written after an error.
    pub fn save(&mut self) -> Done<Saved> {
        if self.failed {
            return Err(Stop);
        }
        Ok(Saved { text: self.text.take(), written: std::mem::take(&mut self.written) })
    }

    /// Goes on where [`save`](Self::save) was called, and gives what was written since; `Err`: there was an error.
    pub fn restore(&mut self, saved: Saved) -> Done<Option<Vec<u8>>> {
        if self.failed {
            return Err(Stop);
        }
        self.written = saved.written;
        Ok(std::mem::replace(&mut self.text, saved.text))
    }

    /// The result; unless raw output is wanted, what is not printable is written with octal numbers.
    pub fn result(&self) -> Option<Vec<u8>> {
        let text = self.text.as_ref().filter(|_| !self.failed)?;
        if self.has(RAW) {
            return Some(text.clone());
        }
        let octal = |byte: u8, result: &mut Vec<u8>| {
            result.extend_from_slice(format!("\\{}{}{}", byte >> 6 & 3, byte >> 3 & 7, byte & 7).as_bytes());
        };
        let mut result = Vec::with_capacity(text.len());
        for &byte in text {
            match byte {
                b' '..=b'~' => result.push(byte),
                _ => octal(byte, &mut result),
            }
        }
        Some(result)
    }

    /// A text without what is not printable, of at most `size` bytes, as far as its first NUL.
    pub fn printable(&self, text: &[u8], size: usize) -> Vec<u8> {
        let mut result = Vec::new();
        let end = size.saturating_sub(1);
        for &byte in until_nul(text) {
            if result.len() >= end {
                break;
            }
            if self.has(RAW) || (b' '..=b'~').contains(&byte) {
                result.push(byte);
                continue;
            }
            if result.len() + 3 >= end {
                break;
            }
            result.extend_from_slice(format!("\\{byte:03o}").as_bytes());
        }
        result
    }
}
