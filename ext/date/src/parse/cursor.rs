//! Reads numbers and words of a text, skipping and stopping as PHP's date parsers do.

/// A position in a text. Beyond the end stand NUL bytes.
#[derive(Clone)]
pub struct Cursor<'a> {
    text: &'a [u8],
    pub position: usize,
}

/// A number is too large, or there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    Missing,
    OutOfRange,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of the text.
    pub fn new(text: &'a [u8]) -> Cursor<'a> {
        Cursor { text, position: 0 }
    }

    /// The text from the cursor on.
    pub fn rest(&self) -> &'a [u8] {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// The next byte; 0 at the end.
    pub fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    /// The byte `ahead` bytes behind the next one; 0 behind the end.
    pub fn peek_at(&self, ahead: usize) -> u8 {
        self.text.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// Whether the text has ended, or a NUL byte stands where its end would.
    pub fn at_end(&self) -> bool {
        self.peek() == 0
    }

    /// Moves the cursor on by `count` bytes.
    pub fn advance(&mut self, count: usize) {
        self.position += count;
    }

    /// Reads all next bytes that are wanted.
    pub fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.position += end;
        &rest[..end]
    }

    /// Skips to the next digit and reads up to `longest` of them: the value and how many there were.
    pub fn number_and_length(&mut self, longest: usize) -> Option<(i64, usize)> {
        self.take_while(|byte| byte != 0 && !byte.is_ascii_digit());
        let digits = self.rest().iter().take(longest).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        let text = &self.rest()[..digits];
        self.position += digits;
        let value =
            text.iter().fold(0i64, |value, digit| value.saturating_mul(10).saturating_add((digit - b'0') as i64));
        Some((value, digits))
    }

    /// Reads a number of at most `longest` digits.
    pub fn number(&mut self, longest: usize) -> Option<i64> {
        self.number_and_length(longest).map(|(value, _)| value)
    }

    /// Signs, each `-` turning the value around, then digits.
    pub fn signed_number(&mut self, longest: usize) -> Result<i64, NumberError> {
        self.take_while(|byte| byte != 0 && !byte.is_ascii_digit() && byte != b'+' && byte != b'-');
        if self.at_end() {
            return Err(NumberError::Missing);
        }
        let signs = self.take_while(|byte| byte == b'+' || byte == b'-');
        let negative = signs.iter().filter(|&&sign| sign == b'-').count() % 2 == 1;
        self.take_while(|byte| byte != 0 && !byte.is_ascii_digit());
        if self.at_end() {
            return Err(NumberError::Missing);
        }
        let mut value: i128 = 0;
        let mut length = 0;
        while self.peek().is_ascii_digit() && length < longest {
            value = value * 10 + (self.peek() - b'0') as i128;
            self.position += 1;
            length += 1;
        }
        i64::try_from(if negative { -value } else { value }).map_err(|_| NumberError::OutOfRange)
    }

    /// The digits after a point or colon as microseconds.
    pub fn fraction(&mut self) -> Option<i64> {
        self.take_while(|byte| byte != 0 && byte != b'.' && byte != b':' && !byte.is_ascii_digit());
        if self.at_end() {
            return None;
        }
        let text = self.take_while(|byte| byte == b'.' || byte == b':' || byte.is_ascii_digit());
        let digits: Vec<u8> = text[1..].iter().copied().take_while(u8::is_ascii_digit).collect();
        let value: f64 = String::from_utf8_lossy(&digits).parse().unwrap_or(0.0);
        Some((value * 10f64.powi(7 - text.len() as i32)) as i64)
    }

    /// Reads ASCII letters.
    pub fn letters(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte.is_ascii_alphabetic())
    }

    /// Blanks, tabs and the two kinds of no-break space.
    pub fn skip_spaces(&mut self) {
        loop {
            let rest = self.rest();
            let width = match rest {
                [b' ' | b'\t', ..] => 1,
                [0xe2, 0x80, 0xaf, ..] => 3,
                [0xc2, 0xa0, ..] => 2,
                _ => return,
            };
            self.position += width;
        }
    }

    /// `st`, `nd`, `rd` or `th`
    pub fn skip_day_suffix(&mut self) {
        let suffix = [self.peek().to_ascii_lowercase(), self.peek_at(1).to_ascii_lowercase()];
        if matches!(&suffix, b"st" | b"nd" | b"rd" | b"th") {
            self.position += 2;
        }
    }

    /// Reads `am` or `pm` with or without points: the hours that it adds to `hour`.
    pub fn meridian(&mut self, hour: i64) -> i64 {
        self.take_while(|byte| byte != 0 && !b"AaPp".contains(&byte));
        let morning = self.peek().eq_ignore_ascii_case(&b'a');
        self.position += 1;
        for wanted in [b'.', b'm', b'.'] {
            if self.peek().eq_ignore_ascii_case(&wanted) {
                self.position += 1;
            }
        }
        meridian_shift(morning, hour)
    }

    /// What `am` or `pm`, with both points or none, adds to an hour; `None` if a letter or point is missing.
    pub fn checked_meridian(&mut self, hour: i64) -> Option<i64> {
        self.take_while(|byte| byte != 0 && !b"AaPp".contains(&byte));
        if self.at_end() {
            return None;
        }
        let morning = self.peek().eq_ignore_ascii_case(&b'a');
        self.position += 1;
        let pointed = self.peek() == b'.';
        self.position += pointed as usize;
        if !self.peek().eq_ignore_ascii_case(&b'm') {
            return None;
        }
        self.position += 1;
        if pointed {
            if self.peek() != b'.' {
                return None;
            }
            self.position += 1;
        }
        Some(meridian_shift(morning, hour))
    }
}

fn meridian_shift(morning: bool, hour: i64) -> i64 {
    match (morning, hour == 12) {
        (true, true) => -12,
        (false, false) => 12,
        _ => 0,
    }
}
