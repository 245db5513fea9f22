//! Strings as sequences: `str_increment`, `str_decrement`; ordering of version numbers.

use phlox_runtime::{Call, FnDef, PhpResult, Val, arith};
use std::cmp::Ordering;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("str_increment(string $string): string", str_increment),
    FnDef::new("str_decrement(string $string): string", str_decrement),
    FnDef::new(
        "version_compare(string $version1, string $version2, ?string $operator = null): int|bool",
        version_compare,
    ),
];

fn check_alphanumeric(call: &Call<'_>, text: &[u8]) -> PhpResult<()> {
    if text.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if !text.iter().all(u8::is_ascii_alphanumeric) {
        return Err(call.value_error(0, "must be composed only of alphanumeric ASCII characters"));
    }
    Ok(())
}

fn str_increment(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    check_alphanumeric(call, &text)?;
    Ok(arith::increment_string(&text).into())
}

fn str_decrement(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    check_alphanumeric(call, &text)?;
    let out_of_range = || {
        let text = format!("\"{text}\" is out of decrement range");
        call.value_error(0, &text)
    };
    if text.starts_with(b"0") {
        return Err(out_of_range());
    }
    let mut bytes = text.to_vec();
    let mut borrowed = true;
    for byte in bytes.iter_mut().rev() {
        let (previous, borrow) = match *byte {
            b'a' => (b'z', true),
            b'A' => (b'Z', true),
            b'0' => (b'9', true),
            other => (other - 1, false),
        };
        *byte = previous;
        borrowed = borrow;
        if !borrow {
            break;
        }
    }
    if borrowed || bytes[0] == b'0' && bytes.len() > 1 {
        if bytes.len() == 1 {
            return Err(out_of_range());
        }
        bytes.remove(0);
    }
    Ok(bytes.into())
}

/// Splits a version into its parts: separators are dots, and each change between digits and letters.
fn canonical(version: &[u8]) -> Vec<Vec<u8>> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut previous = 0u8;
    for &byte in version {
        let separator = matches!(byte, b'-' | b'_' | b'+' | b'.');
        let special = |b: u8| !b.is_ascii_alphanumeric();
        let changes = previous != 0 && !special(previous) && (previous.is_ascii_digit() != byte.is_ascii_digit());
        if separator || special(byte) || changes || parts.is_empty() {
            if parts.last().is_none_or(|part| !part.is_empty()) {
                parts.push(Vec::new());
            }
        }
        if !separator && !special(byte) {
            if let Some(part) = parts.last_mut() {
                part.push(byte);
            }
        }
        previous = byte;
    }
    parts
}

/// Rank of a word in a version; `#` stands for a number, others are below all.
fn rank(part: &[u8]) -> i64 {
    const RANKS: [(&[u8], i64); 10] = [
        (b"dev", 0),
        (b"alpha", 1),
        (b"a", 1),
        (b"beta", 2),
        (b"b", 2),
        (b"RC", 3),
        (b"rc", 3),
        (b"#", 4),
        (b"pl", 5),
        (b"p", 5),
    ];
    RANKS.iter().find(|(word, _)| part.starts_with(word)).map_or(-1, |(_, rank)| *rank)
}

fn compare_parts(a: &[u8], b: &[u8]) -> Ordering {
    let is_number = |part: &[u8]| part.first().is_some_and(u8::is_ascii_digit);
    let number = |part: &[u8]| crate::variables::parse_int(part, 10);
    match (is_number(a), is_number(b)) {
        (true, true) => number(a).cmp(&number(b)),
        (false, false) => rank(a).cmp(&rank(b)),
        (true, false) => rank(b"#").cmp(&rank(b)),
        (false, true) => rank(a).cmp(&rank(b"#")),
    }
}

/// The order of two version numbers.
pub fn compare_versions(a: &[u8], b: &[u8]) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return a.is_empty().cmp(&b.is_empty()).reverse();
    }
    let (x, y) = (canonical(a), canonical(b));
    for (p, q) in x.iter().zip(&y) {
        let order = compare_parts(p, q);
        if order != Ordering::Equal {
            return order;
        }
    }
    let is_number = |part: &[u8]| part.first().is_some_and(u8::is_ascii_digit);
    let longer = |part: &[u8]| if is_number(part) { Ordering::Greater } else { rank(part).cmp(&rank(b"#")) };
    match x.len().cmp(&y.len()) {
        Ordering::Greater => longer(&x[y.len()]),
        Ordering::Less => longer(&y[x.len()]).reverse(),
        Ordering::Equal => Ordering::Equal,
    }
}

fn version_compare(call: &mut Call<'_>) -> PhpResult<Val> {
    let order = compare_versions(&call.str(0), &call.str(1));
    let Some(operator) = call.opt_str(2) else { return Ok(Val::int(order as i64)) };
    let holds = match operator.as_bytes() {
        b"<" | b"lt" => order.is_lt(),
        b"<=" | b"le" => order.is_le(),
        b">" | b"gt" => order.is_gt(),
        b">=" | b"ge" => order.is_ge(),
        b"==" | b"eq" => order.is_eq(),
        b"!=" | b"<>" | b"ne" => order.is_ne(),
        _ => return Err(call.value_error(2, "must be a valid comparison operator")),
    };
    Ok(holds.into())
}
