//! Compares output with an expectation: exactly, by PHP's `EXPECTF` pattern, or by regular expression.

use regex::bytes::{Regex, RegexBuilder};

/// Compiled patterns may be large: some expectations are whole listings.
const PATTERN_BYTES_MAX: usize = 64 << 20;

/// What a program should print.
#[derive(Clone, Debug)]
pub enum Expectation {
    Exact(Vec<u8>),
    /// `%d`, `%s` and the others of `EXPECTF`.
    Format(Vec<u8>),
    Regex(Vec<u8>),
}

impl Expectation {
    /// Does the output agree? Surrounding white space and carriage returns do not count, as in PHP's runner.
    pub fn matches(&self, output: &[u8]) -> Result<bool, String> {
        let output = normalize(output);
        match self {
            Expectation::Exact(text) => Ok(normalize(text) == output),
            Expectation::Format(text) => {
                let text = normalize(text);
                Ok(text == output || full_match(&format_pattern(&text))?.is_match(&output))
            }
            Expectation::Regex(text) => {
                let pattern = String::from_utf8(normalize(text)).map_err(|_| "pattern is not UTF-8".to_owned())?;
                Ok(full_match(&pattern)?.is_match(&output))
            }
        }
    }

    /// The expected text, for messages.
    pub fn text(&self) -> &[u8] {
        match self {
            Expectation::Exact(text) | Expectation::Format(text) | Expectation::Regex(text) => text,
        }
    }
}

/// The text without carriage returns before line ends and without white space and NUL bytes around it.
pub fn normalize(text: &[u8]) -> Vec<u8> {
    let mut unix = Vec::with_capacity(text.len());
    for (i, byte) in text.iter().enumerate() {
        if *byte != b'\r' || text.get(i + 1) != Some(&b'\n') {
            unix.push(*byte);
        }
    }
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0 | 0x0b);
    let start = unix.iter().position(|b| !blank(b)).unwrap_or(unix.len());
    let end = unix.iter().rposition(|b| !blank(b)).map_or(start, |at| at + 1);
    unix[start..end].to_vec()
}

fn full_match(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(&format!("^(?:{pattern})$"))
        .unicode(false)
        .dot_matches_new_line(true)
        .size_limit(PATTERN_BYTES_MAX)
        .build()
        .map_err(|error| error.to_string())
}

/// The regular expression of an `EXPECTF` text. Parts between `%r` are regular expressions already.
fn format_pattern(text: &[u8]) -> String {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some(byte) = rest.first() {
        if *byte == b'%' {
            if let Some(raw) = raw_part(rest) {
                pattern.push_str(&format!("(?:{})", String::from_utf8_lossy(raw)));
                rest = &rest[raw.len() + 4..];
                continue;
            }
            if let Some(meaning) = rest.get(1).and_then(|letter| directive(*letter)) {
                pattern.push_str(meaning);
                rest = &rest[2..];
                continue;
            }
        }
        push_literal(&mut pattern, *byte);
        rest = &rest[1..];
    }
    pattern
}

/// What stands between `%r` and the next `%r`.
fn raw_part(text: &[u8]) -> Option<&[u8]> {
    let body = text.strip_prefix(b"%r")?;
    let end = body.windows(2).position(|pair| pair == b"%r")?;
    Some(&body[..end])
}

fn directive(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'e' => "/",
        b's' => r"[^\r\n]+",
        b'S' => r"[^\r\n]*",
        b'a' => ".+?",
        b'A' => ".*?",
        b'w' => r"\s*",
        b'i' => r"[+-]?[0-9]+",
        b'd' => r"[0-9]+",
        b'x' => r"[0-9a-fA-F]+",
        b'f' => r"[+-]?(?:[0-9]+|\.)?\.?[0-9]*(?:[Ee][+-]?[0-9]+)?",
        b'c' => ".",
        b'0' => r"\x00",
        _ => return None,
    })
}

fn push_literal(pattern: &mut String, byte: u8) {
    match byte {
        b'\n' | b' ' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => pattern.push(byte as char),
        _ => pattern.push_str(&format!(r"\x{byte:02x}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(format: &str, output: &str) -> bool {
        Expectation::Format(format.into()).matches(output.as_bytes()).expect("a valid pattern")
    }

    #[test]
    fn format_directives() {
        assert!(agrees("int(%d)", "int(42)\n"));
        assert!(!agrees("int(%d)", "int(-42)"));
        assert!(agrees("in %s on line %d", "in /a b.php on line 3"));
        assert!(!agrees("a%sb", "ab"));
        assert!(agrees("a%Sb", "ab"));
        assert!(agrees("x%ay", "x1\n2y"));
        assert!(agrees("float(%f)", "float(1.5E+25)"));
        assert!(agrees("%r(a|b)+%r.", "abba."));
        assert!(agrees("100%", "100%"));
        assert!(agrees("a.c\r\n", "a.c"));
        assert!(!agrees("a.c", "abc"));
    }

    #[test]
    fn bytes_that_are_not_utf8() {
        let format = Expectation::Format(b"\xff%d".to_vec());
        assert_eq!(format.matches(b"\xff12"), Ok(true));
    }
}
