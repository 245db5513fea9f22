//! Numbers in texts, as the C library reads them.

/// A number that was read.
pub struct Scanned {
    /// The number, with a minus sign as its complement; the largest one if it has too many digits.
    pub value: u64,
    /// Where the number ends; 0 if there is none.
    pub end: usize,
    /// Had it too many digits?
    pub overflow: bool,
}

/// Is the byte white space?
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Length of the white space that a text starts with.
pub fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_space(byte)).count()
}

/// An integer, of base 8 or, with base 0, of the base that its beginning tells.
pub fn unsigned(text: &[u8], base: u32) -> Scanned {
    let mut at = spaces(text);
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let negative = byte(at) == b'-';
    if matches!(byte(at), b'-' | b'+') {
        at += 1;
    }
    let hexadecimal = byte(at) == b'0' && byte(at + 1) | 0x20 == b'x' && byte(at + 2).is_ascii_hexdigit();
    let base = match base {
        0 if hexadecimal => {
            at += 2;
            16
        }
        0 if byte(at) == b'0' => 8,
        0 => 10,
        base => base,
    };
    let (start, mut value, mut overflow) = (at, 0u64, false);
    while let Some(digit) = (byte(at) as char).to_digit(base) {
        let next = value.checked_mul(u64::from(base)).and_then(|value| value.checked_add(u64::from(digit)));
        overflow |= next.is_none();
        value = next.unwrap_or(value);
        at += 1;
    }
    if at == start {
        return Scanned { value: 0, end: 0, overflow: false };
    }
    let value = if overflow {
        u64::MAX
    } else if negative {
        value.wrapping_neg()
    } else {
        value
    };
    Scanned { value, end: at, overflow }
}

/// A signed integer of 64 bits whose base its beginning tells; numbers out of range are the nearest one.
pub fn signed(text: &[u8]) -> (i64, usize) {
    let scanned = unsigned(text, 0);
    let negative = text.get(spaces(text)) == Some(&b'-');
    let value = match (negative, scanned.overflow) {
        (true, true) => i64::MIN,
        (false, true) => i64::MAX,
        (true, false) if scanned.value < 1 << 63 && scanned.value != 0 => i64::MIN,
        (false, false) if scanned.value > i64::MAX as u64 => i64::MAX,
        _ => scanned.value as i64,
    };
    (value, scanned.end)
}

/// A decimal number with a point and an exponent: its value, and where it ends.
pub fn float(text: &[u8]) -> (f64, usize) {
    let start = spaces(text);
    let digits = |at: usize| text[at.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let whole = digits(at);
    at += whole;
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        fraction = digits(at + 1);
        if whole + fraction > 0 {
            at += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return (0.0, 0);
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let exponent = digits(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    let number = std::str::from_utf8(&text[start..at]).ok().and_then(|number| number.parse().ok());
    (number.unwrap_or(0.0), at)
}
