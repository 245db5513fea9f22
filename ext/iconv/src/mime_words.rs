//! Encoded words in mail headers, read byte by byte.
//!
//! What follows a broken word, or blanks between words, depends on how far the word had got: the reader has a state for each
//! of its parts.

use crate::charset::{self, Problem, Target};
use phlox_ext_standard_file::base64;

const STRICT: i64 = 1;
const CONTINUE_ON_ERROR: i64 = 2;

/// A charset's name may not be longer.
const NAME_MAX: usize = 79;

/// Why a field cannot be decoded.
pub enum DecodeError {
    Malformed,
    Charset,
    Problem(Problem),
    Unknown,
}

/// What the next byte is expected to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Anything,
    /// The `?` of `=?`.
    Opening,
    Charset,
    Language,
    Scheme,
    /// The `?` behind the scheme.
    SchemeEnd,
    Payload,
    /// The `=` of `?=`.
    Closing,
    /// What follows a word, which is decoded only now.
    AfterWord,
    /// The newline behind a carriage return.
    LineEnd,
    /// The first byte of a line: a blank continues the field.
    LineStart,
    Blanks,
    /// Text in which, read strictly, no word can begin.
    Plain,
}

pub struct Reader<'a> {
    text: &'a [u8],
    target: &'a Target,
    mode: i64,
    at: usize,
    /// How many bytes are still taken. An end of line that is looked at twice counts twice, as in PHP.
    left: usize,
    state: State,
    out: Vec<u8>,
    /// Where the word that is being read begins, or the one read last.
    word: Option<usize>,
    charset_start: usize,
    charset: Option<Target>,
    is_base64: bool,
    payload_start: usize,
    payload_end: usize,
    blanks: Option<usize>,
}

type Step = Result<(), DecodeError>;

/// A field, up to the end of its last line, and how much of the text that was.
pub fn decode_field(text: &[u8], target: &Target, mode: i64) -> Result<(Vec<u8>, usize), DecodeError> {
    let mut reader = Reader {
        text,
        target,
        mode,
        at: 0,
        left: text.len(),
        state: State::Anything,
        out: Vec::new(),
        word: None,
        charset_start: 0,
        charset: None,
        is_base64: false,
        payload_start: 0,
        payload_end: 0,
        blanks: None,
    };
    while reader.left > 0
        && let Some(&byte) = text.get(reader.at)
    {
        if reader.state == State::LineStart && !matches!(byte, b' ' | b'\t') {
            break;
        }
        reader.take(byte)?;
        reader.at += 1;
        reader.left -= 1;
    }
    reader.end()?;
    Ok((reader.out, reader.at))
}

impl Reader<'_> {
    fn is_strict(&self) -> bool {
        self.mode & STRICT != 0
    }

    fn goes_on(&self) -> bool {
        self.mode & CONTINUE_ON_ERROR != 0
    }

    /// Where text goes on that is in no word.
    fn text_state(&self) -> State {
        if self.is_strict() { State::Plain } else { State::Anything }
    }

    fn take(&mut self, byte: u8) -> Step {
        match self.state {
            State::Anything => self.anything(byte),
            State::Opening => self.opening(byte),
            State::Charset => self.charset(byte),
            State::Language => {
                if byte == b'?' {
                    self.state = State::Scheme;
                }
                Ok(())
            }
            State::Scheme if matches!(byte, b'b' | b'B' | b'q' | b'Q') => {
                self.is_base64 = matches!(byte, b'b' | b'B');
                self.state = State::SchemeEnd;
                Ok(())
            }
            State::SchemeEnd if byte == b'?' => {
                self.payload_start = self.at + 1;
                self.state = State::Payload;
                Ok(())
            }
            State::Scheme | State::SchemeEnd => self.broken(),
            State::Payload => {
                if byte == b'?' {
                    self.payload_end = self.at;
                    self.state = State::Closing;
                }
                Ok(())
            }
            State::Closing if byte != b'=' => self.broken(),
            State::Closing => {
                self.state = State::AfterWord;
                match self.left == 1 {
                    true => self.decode_word().map(|_| self.state = State::Anything),
                    false => Ok(()),
                }
            }
            State::AfterWord => self.after_word(byte),
            State::LineEnd => {
                self.state = State::LineStart;
                if byte != b'\n' {
                    self.put_lenient(&[b'\r']);
                    self.put_lenient(&[byte]);
                    self.state = State::Anything;
                }
                Ok(())
            }
            State::LineStart => {
                if self.word.is_none() {
                    self.put_lenient(b" ");
                }
                self.blanks = None;
                self.state = State::Blanks;
                Ok(())
            }
            State::Blanks => self.blank(byte),
            State::Plain => self.plain(byte),
        }
    }

    /// Text outside of words, which has to be ASCII.
    fn put(&mut self, text: &[u8]) -> Step {
        if !text.is_ascii() {
            return Err(DecodeError::Problem(Problem::Illegal));
        }
        let codes: Vec<u32> = text.iter().map(|&byte| u32::from(byte)).collect();
        let bytes = charset::encode(self.target, &codes).map_err(DecodeError::Problem)?;
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    /// What cannot be written is left out.
    fn put_lenient(&mut self, text: &[u8]) {
        let _ = self.put(text);
    }

    /// The word as it stands, up to here.
    fn put_word(&mut self, end: usize) -> Step {
        let text = self.text;
        self.put(&text[self.word.unwrap_or(end).min(end)..end])
    }

    /// Ends of lines and blanks, which mean the same wherever they stand outside of words.
    fn space(&mut self, byte: u8) -> bool {
        self.state = match byte {
            b'\r' => State::LineEnd,
            b'\n' => State::LineStart,
            b' ' | b'\t' => {
                self.blanks = Some(self.at);
                State::Blanks
            }
            _ => return false,
        };
        true
    }

    fn begin_word(&mut self) {
        self.word = Some(self.at);
        self.state = State::Opening;
    }

    fn anything(&mut self, byte: u8) -> Step {
        if self.space(byte) {
            return Ok(());
        }
        if byte == b'=' {
            self.begin_word();
            return Ok(());
        }
        match self.put(&[byte]) {
            Err(error) if !self.goes_on() => return Err(error),
            _ => {}
        }
        self.word = None;
        self.state = self.text_state();
        Ok(())
    }

    fn opening(&mut self, byte: u8) -> Step {
        if byte == b'?' {
            self.charset_start = self.at + 1;
            self.state = State::Charset;
            return Ok(());
        }
        let ends_line = matches!(byte, b'\r' | b'\n');
        self.put_word(self.at + usize::from(!ends_line))?;
        self.word = None;
        self.state = self.text_state();
        // The end of the line is looked at once more.
        self.at -= usize::from(ends_line);
        Ok(())
    }

    fn charset(&mut self, byte: u8) -> Step {
        match byte {
            b'?' => self.state = State::Scheme,
            b'*' => self.state = State::Language,
            b'\r' | b'\n' => {
                let text = self.text;
                self.put_lenient(b"=?");
                self.put(&text[self.charset_start..self.at])?;
                self.state = self.text_state();
                self.at -= 1;
                return Ok(());
            }
            _ => return Ok(()),
        }
        let name = &self.text[self.charset_start..self.at];
        if name.len() > NAME_MAX {
            return self.broken();
        }
        self.charset = charset::parse(name);
        match self.charset {
            Some(_) => Ok(()),
            None if self.goes_on() => self.skip_word(),
            None => Err(DecodeError::Charset),
        }
    }

    /// A word in an unknown charset stays as it is.
    fn skip_word(&mut self) -> Step {
        let mut marks = 2;
        while marks > 0 && self.left > 1 {
            self.at += 1;
            self.left -= 1;
            marks -= usize::from(self.text[self.at] == b'?');
        }
        if self.text.get(self.at + 1) == Some(&b'=') {
            self.at += 1;
            self.left -= usize::from(self.left > 1);
        }
        self.put_word(self.at + 1)?;
        self.state = State::Plain;
        Ok(())
    }

    /// This is no word: it stays as text, or ends it all.
    fn broken(&mut self) -> Step {
        if !self.goes_on() {
            return Err(DecodeError::Malformed);
        }
        self.put_word(self.at + 1)?;
        self.word = None;
        self.state = self.text_state();
        Ok(())
    }

    /// Writes the word that was read; false: it stays as it is, up to this byte.
    fn decode_word(&mut self) -> Result<bool, DecodeError> {
        let payload = &self.text[self.payload_start..self.payload_end];
        let bytes = if self.is_base64 { base64::decode(payload, false) } else { quoted_printable(payload) };
        let Some(bytes) = bytes else {
            if !self.goes_on() {
                return Err(DecodeError::Unknown);
            }
            self.put_word(self.at + 1)?;
            self.word = None;
            self.state = self.text_state();
            return Ok(false);
        };
        let Some(charset) = &self.charset else { return Ok(true) };
        match charset::convert(charset, self.target, &bytes) {
            Ok(decoded) => self.out.extend_from_slice(&decoded),
            Err(problem) if !self.goes_on() => return Err(DecodeError::Problem(problem)),
            Err(_) => {
                let written = self.put_word(self.at);
                self.word = None;
                if written.is_err() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn after_word(&mut self, byte: u8) -> Step {
        let is_space = matches!(byte, b'\r' | b'\n' | b' ' | b'\t');
        if self.is_strict() && !is_space {
            // Something has to part a word from what follows.
            self.put_word(self.at + 1)?;
            self.state = State::Plain;
            return Ok(());
        }
        if !self.decode_word()? || self.space(byte) {
            return Ok(());
        }
        if byte == b'=' {
            self.state = State::Opening;
            return Ok(());
        }
        self.put_lenient(&[byte]);
        self.state = State::Plain;
        Ok(())
    }

    fn blank(&mut self, byte: u8) -> Step {
        match byte {
            b'\r' => self.state = State::LineEnd,
            b'\n' => self.state = State::LineStart,
            b' ' | b'\t' => {}
            b'=' => {
                // Blanks between words go.
                if self.word.is_none() {
                    self.put_blanks();
                }
                self.begin_word();
            }
            _ => {
                self.put_blanks();
                self.put_lenient(&[byte]);
                self.word = None;
                self.state = self.text_state();
            }
        }
        Ok(())
    }

    fn put_blanks(&mut self) {
        if let Some(start) = self.blanks.take() {
            let text = self.text;
            self.put_lenient(&text[start..self.at]);
        }
    }

    fn plain(&mut self, byte: u8) -> Step {
        if self.space(byte) {
            return Ok(());
        }
        if byte == b'=' && !self.is_strict() {
            self.begin_word();
        } else {
            self.put_lenient(&[byte]);
        }
        Ok(())
    }

    fn end(&mut self) -> Step {
        match self.state {
            State::Anything | State::LineStart | State::Blanks | State::Plain => Ok(()),
            _ if !self.goes_on() => Err(DecodeError::Malformed),
            state => {
                if state == State::Opening {
                    self.put_lenient(b"=");
                }
                Ok(())
            }
        }
    }
}

/// `_` is a blank; `None`: something after a `=` that is no number. At the end of a line that is no mistake.
fn quoted_printable(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match byte {
            b'_' => out.push(b' '),
            b'=' => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                match tail {
                    [high, low, tail @ ..] if digit(high).is_some() => {
                        out.push((digit(high)? << 4 | digit(low)?) as u8);
                        rest = tail;
                    }
                    [b'\n' | b'\r' | b' ' | b'\t', ..] => rest = after_break(tail),
                    [] => {}
                    _ => return None,
                }
            }
            byte => out.push(*byte),
        }
    }
    Some(out)
}

/// What follows blanks and the end of a line, or whatever stands there in its place.
fn after_break(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match &text[blanks..] {
        [] => &[],
        [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
    }
}
