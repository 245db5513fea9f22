//! Quantities in settings: `128M`, `0x1F`, `2 G`.

use std::fmt::Write;

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\x0b' | b'\x0c')
}

/// Bytes as messages show them, with escapes.
fn escaped(text: &[u8]) -> String {
    let mut out = String::new();
    for &byte in text {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x0c => out.push_str("\\f"),
            0x0b => out.push_str("\\v"),
            b'\\' => out.push_str("\\\\"),
            0x1b => out.push_str("\\e"),
            b' '..=b'~' => out.push(byte as char),
            _ => _ = write!(out, "\\x{byte:02X}"),
        }
    }
    out
}

/// The number that a text means, and the message about an invalid text.
pub fn quantity(text: &[u8]) -> (i64, Option<String>) {
    let (number, problem) = read(text, true);
    (number as i64, problem)
}

/// The unsigned number that a text means: `-1` is the largest number; before any other number a minus sign is invalid and
/// ignored.
pub fn unsigned_quantity(text: &[u8]) -> (u64, Option<String>) {
    read(text, false)
}

fn read(text: &[u8], signed: bool) -> (u64, Option<String>) {
    let end = text.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1);
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(end).min(end);
    let (whole, mut at) = (&text[..end], start);
    if at == end {
        return (0, None);
    }
    let byte = |at: usize| whole.get(at).copied().unwrap_or(0);
    let negative = byte(at) == b'-';
    if matches!(byte(at), b'+' | b'-') {
        at += 1;
    }
    let invalid = |what: &str| Some(format!("Invalid quantity \"{}\"{what}", escaped(text)));
    let no_digits = || (0, invalid(": no valid leading digits, interpreting as \"0\" for backwards compatibility"));
    if !byte(at).is_ascii_digit() {
        return no_digits();
    }
    let mut base = if byte(at) == b'0' { 8 } else { 10 };
    if byte(at) == b'0' && !byte(at + 1).is_ascii_digit() {
        if at + 1 == end {
            return (0, None);
        }
        base = match byte(at + 1).to_ascii_lowercase() {
            b'x' => 16,
            b'o' => 8,
            b'b' => 2,
            b'g' | b'm' | b'k' => 0,
            _ => {
                let prefix = escaped(&[byte(at + 1)]);
                let text = format!("Invalid prefix \"0{prefix}\", interpreting as \"0\" for backwards compatibility");
                return (0, Some(text));
            }
        };
        if base == 0 {
            base = 10;
        } else {
            at += 2;
            if (byte(at) as char).to_digit(base).is_none() {
                let what = ": no digits after base prefix, interpreting as \"0\" for backwards compatibility";
                return (0, invalid(what));
            }
        }
    }
    let (mut magnitude, mut overflow) = (0u64, false);
    while let Some(digit) = whole.get(at).and_then(|&byte| (byte as char).to_digit(base)) {
        match magnitude.checked_mul(base.into()).and_then(|value| value.checked_add(digit.into())) {
            Some(value) => magnitude = value,
            None => (magnitude, overflow) = (u64::MAX, true),
        }
        at += 1;
    }
    let mut value = magnitude;
    if !overflow {
        match (signed, negative) {
            (true, true) if magnitude <= i64::MIN.unsigned_abs() => value = value.wrapping_neg(),
            (true, _) => overflow = (value as i64) < 0,
            (false, true) if magnitude == 1 && at == end => value = u64::MAX,
            (false, negative) => overflow = negative,
        }
    }
    while at < end && is_space(byte(at)) {
        at += 1;
    }
    if at < end {
        let last = byte(end - 1);
        let factor = match last.to_ascii_lowercase() {
            b'g' => 1_i64 << 30,
            b'm' => 1 << 20,
            b'k' => 1 << 10,
            _ => {
                let (shown, unknown) = (escaped(&text[..at]), escaped(&[last]));
                let what = format!(
                    ": unknown multiplier \"{unknown}\", interpreting as \"{shown}\" for backwards compatibility"
                );
                return (value, invalid(&what));
            }
        };
        overflow |= match signed {
            true => (value as i64).checked_mul(factor).is_none(),
            false => value.checked_mul(factor as u64).is_none(),
        };
        value = value.wrapping_mul(factor as u64);
        if at + 1 != end {
            let (shown, last) = (escaped(&text[..at]), escaped(&[last]));
            let what = format!(", interpreting as \"{shown}{last}\" for backwards compatibility");
            return (value, invalid(&what));
        }
    }
    let out_of_range = ": value is out of range, using overflow result for backwards compatibility";
    (value, if overflow { invalid(out_of_range) } else { None })
}

#[cfg(test)]
mod tests {
    use super::{quantity, unsigned_quantity};

    #[test]
    fn values() {
        for (text, value) in [
            ("128M", 128 << 20),
            (" 2 g ", 2 << 30),
            ("0x1F", 31),
            ("0b101", 5),
            ("017", 15),
            ("0k", 0),
            ("-1", -1),
            ("", 0),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
        ] {
            assert_eq!(quantity(text.as_bytes()), (value, None), "{text}");
        }
        for (text, value, right) in
            [("-1", u64::MAX, true), ("-5", 5, false), ("3G", 3 << 30, true), ("-1k", 1024, false)]
        {
            let (number, problem) = unsigned_quantity(text.as_bytes());
            assert_eq!((number, problem.is_none()), (value, right), "{text}");
        }
        for text in ["1GB", "x", "0y", "0x", "1 2 k", "9223372036854775808", "99999999999G"] {
            assert!(quantity(text.as_bytes()).1.is_some(), "{text}");
        }
    }
}
