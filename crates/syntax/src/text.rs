//! Token texts to values: numbers, escapes and heredoc indentation.

use crate::lexer::{Heredoc, count_newlines, newline_length};
use bumpalo::Bump;
use memchr::{memchr, memchr2};

/// A number literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

/// A text that cannot be decoded: PHP's message, and how many lines into the text it is found.
#[derive(Debug)]
pub(crate) struct TextError {
    pub message: String,
    pub lines: u32,
}

/// The value of an integer or floating-point literal as the lexer found it.
pub(crate) fn number(text: &[u8]) -> Number {
    let digits: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'_').collect();
    match &digits[..] {
        [b'0', b'x' | b'X', rest @ ..] => radix(rest, 16),
        [b'0', b'b' | b'B', rest @ ..] => radix(rest, 2),
        [b'0', b'o' | b'O', rest @ ..] => radix(rest, 8),
        [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => radix(rest, 8),
        _ => {
            let text = String::from_utf8_lossy(&digits);
            match text.parse() {
                Ok(int) => Number::Int(int),
                Err(_) => Number::Float(text.parse().unwrap_or(0.0)),
            }
        }
    }
}

/// Digits of a power-of-two base; beyond 64 bits they add up in floating point, rounding at each step as PHP does
/// (for binary and octal digits it adds the character and takes `'0'` off again).
fn radix(digits: &[u8], base: u32) -> Number {
    let values = || digits.iter().map_while(|&byte| (byte as char).to_digit(base));
    let exact = values().try_fold(0i64, |sum, digit| sum.checked_mul(i64::from(base))?.checked_add(i64::from(digit)));
    match exact {
        Some(int) => Number::Int(int),
        None if base == 16 => Number::Float(values().fold(0.0, |sum, digit| sum * 16.0 + f64::from(digit))),
        None => Number::Float(values().fold(0.0, |sum, digit| sum * f64::from(base) + f64::from(digit + 48) - 48.0)),
    }
}

/// The content of a single-quoted string: only `\\` and `\'` are escapes.
pub(crate) fn unescape_single<'a>(arena: &'a Bump, raw: &'a [u8]) -> &'a [u8] {
    let Some(first) = memchr(b'\\', raw) else { return raw };
    let mut out = bumpalo::collections::Vec::with_capacity_in(raw.len(), arena);
    out.extend_from_slice(&raw[..first]);
    let mut rest = &raw[first..];
    while let [byte, tail @ ..] = rest {
        match rest {
            [b'\\', next @ (b'\\' | b'\''), tail @ ..] => {
                out.push(*next);
                rest = tail;
            }
            _ => {
                out.push(*byte);
                rest = tail;
            }
        }
    }
    out.into_bump_slice()
}

/// The content of a double-quoted string, a heredoc (`quote` is 0) or backticks.
///
/// `warn` is told of octal escapes that do not fit a byte.
pub(crate) fn unescape_double<'a>(
    arena: &'a Bump,
    raw: &'a [u8],
    quote: u8,
    warn: &mut dyn FnMut(TextError),
) -> Result<&'a [u8], TextError> {
    let Some(first) = memchr(b'\\', raw) else { return Ok(raw) };
    let mut out = bumpalo::collections::Vec::with_capacity_in(raw.len(), arena);
    out.extend_from_slice(&raw[..first]);
    let mut at = first;
    while at < raw.len() {
        let Some(offset) = memchr(b'\\', &raw[at..]) else { break };
        out.extend_from_slice(&raw[at..at + offset]);
        at += offset + 1;
        let escape = at;
        let fail = |message: String| TextError { message, lines: count_newlines(&raw[..escape]) };
        let Some(&letter) = raw.get(at) else {
            out.push(b'\\');
            break;
        };
        at += 1;
        match letter {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'f' => out.push(0x0c),
            b'v' => out.push(0x0b),
            b'e' => out.push(0x1b),
            b'\\' | b'$' => out.push(letter),
            b'"' | b'`' if letter == quote => out.push(letter),
            b'x' | b'X' if raw.get(at).is_some_and(u8::is_ascii_hexdigit) => {
                let (value, len) = digits(&raw[at..], 16, 2);
                out.push(value as u8);
                at += len;
            }
            b'u' if raw.get(at) == Some(&b'{') => {
                let (character, len) = code_point(&raw[at + 1..]).map_err(|message| fail(message.to_string()))?;
                push_utf8(&mut out, character);
                at += 1 + len;
            }
            b'0'..=b'7' => {
                let (value, len) = digits(&raw[at - 1..], 8, 3);
                if value > 0xff {
                    let escape = String::from_utf8_lossy(&raw[at - 1..at - 1 + len]).into_owned();
                    let message = format!("Octal escape sequence overflow \\{escape} is greater than \\377");
                    warn(fail(message));
                }
                out.push(value as u8);
                at += len - 1;
            }
            _ => out.extend_from_slice(&[b'\\', letter]),
        }
    }
    out.extend_from_slice(&raw[at.min(raw.len())..]);
    Ok(out.into_bump_slice())
}

/// Up to `max` digits of `text` in `base`: their value and number.
fn digits(text: &[u8], base: u32, max: usize) -> (u32, usize) {
    let values = text.iter().take(max).map_while(|&byte| (byte as char).to_digit(base));
    values.fold((0, 0), |(value, len), digit| (value * base + digit, len + 1))
}

/// The code point of `\u{...}`, from after the brace, and the length of the rest with its closing brace.
fn code_point(text: &[u8]) -> Result<(u32, usize), &'static str> {
    let len = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    if len == 0 || text.get(len) != Some(&b'}') {
        return Err("Invalid UTF-8 codepoint escape sequence");
    }
    let value = text[..len].iter().try_fold(0u32, |sum, &byte| {
        let sum = sum * 16 + (byte as char).to_digit(16)?;
        (sum <= 0x10ffff).then_some(sum)
    });
    let value = value.ok_or("Invalid UTF-8 codepoint escape sequence: Codepoint too large")?;
    Ok((value, len + 1))
}

/// Encodes `value` in UTF-8; surrogates too, which Rust's own encoder refuses.
fn push_utf8(out: &mut bumpalo::collections::Vec<'_, u8>, value: u32) {
    let continuation = |shift: u32| 0x80 | (value >> shift & 0x3f) as u8;
    match value {
        0..0x80 => out.push(value as u8),
        0x80..0x800 => out.extend_from_slice(&[0xc0 | (value >> 6) as u8, continuation(0)]),
        0x800..0x10000 => out.extend_from_slice(&[0xe0 | (value >> 12) as u8, continuation(6), continuation(0)]),
        _ => out.extend_from_slice(&[0xf0 | (value >> 18) as u8, continuation(12), continuation(6), continuation(0)]),
    }
}

/// Removes a heredoc's indentation from each line of a part of its content.
///
/// `at_line_start`: the part is the first, or follows a line end. `last`: the closing label follows.
pub(crate) fn strip_indentation<'a>(
    arena: &'a Bump,
    raw: &'a [u8],
    heredoc: &Heredoc,
    at_line_start: bool,
    last: bool,
) -> Result<&'a [u8], TextError> {
    if heredoc.indentation == 0 {
        return Ok(raw);
    }
    let mut out = bumpalo::collections::Vec::with_capacity_in(raw.len(), arena);
    let mut at = 0;
    let mut lines = 0;
    let next_line_end = |from: usize| memchr2(b'\n', b'\r', &raw[from..]).map(|offset| from + offset);
    if !at_line_start {
        let Some(line_end) = next_line_end(0) else { return Ok(raw) };
        at = line_end + newline_length(&raw[line_end..]);
        out.extend_from_slice(&raw[..at]);
        lines = 1;
    }
    loop {
        let line_end = next_line_end(at);
        let blank_until = line_end.or(last.then_some(raw.len()));
        for _ in 0..heredoc.indentation {
            if Some(at) == blank_until {
                break;
            }
            let message = match raw.get(at) {
                Some(b' ') if heredoc.uses_spaces => None,
                Some(b'\t') if !heredoc.uses_spaces => None,
                Some(b' ' | b'\t') => Some("Invalid indentation - tabs and spaces cannot be mixed".to_string()),
                _ => Some(body_indentation_message(heredoc)),
            };
            if let Some(message) = message {
                return Err(TextError { message, lines });
            }
            at += 1;
        }
        let Some(line_end) = line_end else {
            out.extend_from_slice(&raw[at..]);
            return Ok(out.into_bump_slice());
        };
        let next = line_end + newline_length(&raw[line_end..]);
        out.extend_from_slice(&raw[at..next]);
        at = next;
        lines += 1;
    }
}

/// PHP's words for a line that is not indented as far as the closing label.
pub(crate) fn body_indentation_message(heredoc: &Heredoc) -> String {
    format!("Invalid body indentation level (expecting an indentation level of at least {})", heredoc.indentation)
}
