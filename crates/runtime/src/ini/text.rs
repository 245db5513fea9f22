//! Parsing of settings' texts as C functions do it.

/// The integer at the start of a text, as `atol` reads it; the smallest or largest integer if it is beyond their range.
pub fn int(text: &[u8]) -> i64 {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    let (negative, digits) = match &text[start..] {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit()).map(|byte| i64::from(byte - b'0'));
    let add = |value: i64, digit: i64| {
        let value = value.checked_mul(10)?;
        if negative { value.checked_sub(digit) } else { value.checked_add(digit) }
    };
    let beyond = if negative { i64::MIN } else { i64::MAX };
    digits.into_iter().try_fold(0, add).unwrap_or(beyond)
}

/// The integer at the start of a text, as `atoi` reads it: only its low 32 bits count.
pub fn short_int(text: &[u8]) -> i64 {
    int(text) as i32 as i64
}

/// True for `on`, `yes`, `true`, and a number other than 0.
pub fn bool(text: &[u8]) -> bool {
    [&b"true"[..], b"yes", b"on"].iter().any(|word| text.eq_ignore_ascii_case(word)) || short_int(text) != 0
}

/// The decimal number at the start of a text; 0 without one.
pub fn float(text: &[u8]) -> f64 {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = |at: usize| usize::from(matches!(text.get(at), Some(b'+' | b'-')));
    let whole = sign(0);
    let mut end = whole + digits(whole);
    let mut any = end > whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        any |= fraction > 0;
        end += 1 + fraction;
    }
    if !any {
        return 0.0;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let exponent = end + 1 + sign(end + 1);
        if exponent <= text.len() && digits(exponent) > 0 {
            end = exponent + digits(exponent);
        }
    }
    std::str::from_utf8(&text[..end]).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\x0b' | b'\x0c')
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_read_from_their_beginnings() {
        for (text, int) in [("", 0), ("12x", 12), (" -7", -7), ("+3", 3), ("99999999999999999999", i64::MAX), ("x1", 0)]
        {
            assert_eq!(super::int(text.as_bytes()), int, "{text}");
        }
        for (text, float) in
            [("", 0.0), ("1.5x", 1.5), (".5", 0.5), ("5.", 5.0), ("-1e2", -100.0), ("1e", 1.0), (".", 0.0)]
        {
            assert_eq!(super::float(text.as_bytes()), float, "{text}");
        }
        for (text, bool) in
            [("oN", true), ("Yes", true), ("TRUE", true), ("2", true), ("", false), ("off", false), ("x", false)]
        {
            assert_eq!(super::bool(text.as_bytes()), bool, "{text}");
        }
    }
}
