//! The formats in descriptions, each of which shows one value, as C's `printf` and PHP's own version of it have them.

use phlox_runtime::number::general_format;

/// The value that a format shows.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    Int(i64),
    Float(f64),
    Text(&'a [u8]),
}

/// The widest field that is allowed.
const WIDEST: usize = 1024;
const FLOAT_DIGITS: usize = 6;

/// Digits at the start of a text as a number that is at most a little too large.
fn field(text: &[u8], at: &mut usize) -> usize {
    let mut width = 0usize;
    while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
        width = width.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    width
}

/// Says what is wrong with a format.
pub fn problem(format: &[u8]) -> Option<String> {
    let mut at = 0;
    while at < format.len() {
        at += 1;
        if format[at - 1] != b'%' {
            continue;
        }
        if format.get(at) == Some(&b'%') {
            at += 1;
            continue;
        }
        while format.get(at).is_some_and(|byte| b"#0.'+- ".contains(byte)) {
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            return Some("* not allowed in format".to_owned());
        }
        let width = field(format, &mut at);
        if width >= WIDEST {
            return Some(format!("field width too large: {width}"));
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            let precision = field(format, &mut at);
            if precision >= WIDEST {
                return Some(format!("field precision too large: {precision}"));
            }
        }
        match format.get(at) {
            Some(byte) if byte.is_ascii_alphabetic() => at += 1,
            other => return Some(format!("bad format char: {}", other.map_or('\0', |&byte| byte as char))),
        }
    }
    None
}

/// What stands between the percent sign and the letter.
#[derive(Default)]
struct Spec {
    left: bool,
    zeros: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    is_long: bool,
}

fn read_spec(format: &[u8], at: &mut usize) -> Spec {
    let mut spec = Spec::default();
    loop {
        match format.get(*at) {
            Some(b'-') => spec.left = true,
            Some(b'+') => spec.plus = true,
            Some(b' ') => spec.space = true,
            Some(b'#') => spec.alternate = true,
            Some(b'0') => spec.zeros = true,
            _ => break,
        }
        *at += 1;
    }
    spec.width = field(format, at).min(WIDEST);
    if format.get(*at) == Some(&b'.') {
        *at += 1;
        spec.precision = Some(field(format, at).min(WIDEST));
    }
    while let Some(byte) = format.get(*at).filter(|byte| b"hlLqjzt".contains(byte)) {
        spec.is_long |= b"lLqjzt".contains(byte);
        *at += 1;
    }
    spec
}

fn integer(spec: &Spec, letter: u8, value: i64) -> Vec<u8> {
    let value = if spec.is_long { value } else { i64::from(value as i32) };
    let bits = if spec.is_long { value as u64 } else { u64::from(value as u32) };
    let mut digits = match letter {
        b'd' | b'i' => value.unsigned_abs().to_string(),
        b'o' => format!("{bits:o}"),
        b'x' => format!("{bits:x}"),
        b'X' => format!("{bits:X}"),
        _ => bits.to_string(),
    };
    if let Some(precision) = spec.precision {
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    let prefix = match letter {
        b'o' if spec.alternate && !digits.starts_with('0') => "0",
        b'x' if spec.alternate && bits != 0 => "0x",
        b'X' if spec.alternate && bits != 0 => "0X",
        b'd' | b'i' if value < 0 => "-",
        b'd' | b'i' if spec.plus => "+",
        b'd' | b'i' if spec.space => " ",
        _ => "",
    };
    [prefix, &digits].concat().into_bytes()
}

fn float(spec: &Spec, letter: u8, value: f64) -> Vec<u8> {
    let precision = spec.precision.unwrap_or(FLOAT_DIGITS);
    let text = match letter {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => if value < 0.0 { "-inf" } else { "inf" }.to_owned(),
        b'f' | b'F' => format!("{value:.precision$}"),
        b'e' | b'E' => {
            let text = format!("{value:.precision$e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("{digits}{}{sign}{exponent}", letter as char)
        }
        _ => {
            let exponent = if letter == b'G' { b'E' } else { b'e' };
            let text = general_format(value, precision.max(1) as i64, b'.', exponent);
            return signed(spec, value, text.to_vec());
        }
    };
    signed(spec, value, text.into_bytes())
}

fn signed(spec: &Spec, value: f64, mut text: Vec<u8>) -> Vec<u8> {
    if value >= 0.0 && (spec.plus || spec.space) {
        text.insert(0, if spec.plus { b'+' } else { b' ' });
    }
    text
}

fn shown(spec: &Spec, letter: u8, value: Value<'_>) -> Vec<u8> {
    match (letter, value) {
        (b'c', Value::Int(value)) => vec![value as u8],
        (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', Value::Int(value)) => integer(spec, letter, value),
        (b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Value::Float(value)) => float(spec, letter, value),
        (b's', Value::Text(text)) => text[..text.len().min(spec.precision.unwrap_or(usize::MAX))].to_vec(),
        // The rule's kind and its format do not fit; nothing sensible can be shown.
        _ => Vec::new(),
    }
}

/// Fills a format in.
pub fn fill(format: &[u8], value: Value<'_>) -> Vec<u8> {
    let (mut text, mut at) = (Vec::new(), 0);
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let spec = read_spec(format, &mut at);
        let Some(&letter) = format.get(at) else { break };
        at += 1;
        if letter == b'%' {
            text.push(b'%');
            continue;
        }
        let piece = shown(&spec, letter, value);
        let missing = spec.width.saturating_sub(piece.len());
        let sign = usize::from(spec.zeros && matches!(piece.first(), Some(b'-' | b'+' | b' ')));
        match (spec.left, spec.zeros && letter != b's') {
            (true, _) => text.extend(piece.into_iter().chain(std::iter::repeat_n(b' ', missing))),
            (false, true) => {
                text.extend_from_slice(&piece[..sign]);
                text.extend(std::iter::repeat_n(b'0', missing));
                text.extend_from_slice(&piece[sign..]);
            }
            (false, false) => text.extend(std::iter::repeat_n(b' ', missing).chain(piece)),
        }
    }
    text
}

/// Has a format a place for a text (`%s`, `%-10.5s`)?
pub fn takes_text(format: &[u8]) -> bool {
    format.iter().enumerate().filter(|(_, byte)| **byte == b'%').any(|(at, _)| {
        let rest = &format[at + 1..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit() || b"-.".contains(byte)).count();
        rest.get(length) == Some(&b's')
    })
}
