//! Characters as numeric entities of HTML.

use crate::encoding::decode;
use crate::state::{encoded, encoding_argument};
use phlox_runtime::{Call, FnDef, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "mb_encode_numericentity(string $string, array $map, ?string $encoding = null, bool $hex = false): string",
        mb_encode_numericentity,
    ),
    FnDef::new(
        "mb_decode_numericentity(string $string, array $map, ?string $encoding = null): string",
        mb_decode_numericentity,
    ),
];

/// A row of the map: a range of characters, the number that is added, and the mask of the sum.
struct Row {
    first: u32,
    last: u32,
    offset: u32,
    mask: u32,
}

fn rows(call: &Call<'_>) -> PhpResult<Vec<Row>> {
    let map = call.arr(1);
    if !map.len().is_multiple_of(4) {
        return Err(call.value_error(1, "must have a multiple of 4 elements"));
    }
    let mut numbers = Vec::with_capacity(map.len());
    for value in map.values() {
        let value = value.deref();
        match value.view() {
            View::Int(_) | View::Double(_) | View::Bool(_) | View::Null => {
                numbers.push(convert::to_int(call.vm, &value)? as u32)
            }
            View::Str(text) if phlox_runtime::number::is_numeric(text) => {
                numbers.push(convert::to_int(call.vm, &value)? as u32)
            }
            _ => return Err(call.value_error(1, "must only be composed of values of type int")),
        }
    }
    Ok(numbers.chunks(4).map(|row| Row { first: row[0], last: row[1], offset: row[2], mask: row[3] }).collect())
}

fn mb_encode_numericentity(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 2)?;
    let rows = rows(call)?;
    let hex = call.bool(3);
    let mut out = Vec::new();
    // Malformed bytes are also written as a number.
    for code in decode(encoding, &call.str(0)) {
        let row = rows.iter().find(|row| (row.first..=row.last).contains(&code));
        match row {
            Some(row) => {
                let number = code.wrapping_add(row.offset) & row.mask;
                let text = if hex { format!("&#x{number:X};") } else { format!("&#{number};") };
                out.extend(text.bytes().map(u32::from));
            }
            None => out.push(code),
        }
    }
    Ok(encoded(call.vm, encoding, &out))
}

/// An entity at the beginning: its number and length.
fn entity(codes: &[u32]) -> Option<(u32, usize)> {
    let rest = codes.strip_prefix(&[b'&' as u32, b'#' as u32])?;
    let (rest, radix, longest, prefix) = match rest {
        [x, rest @ ..] if *x == b'x' as u32 || *x == b'X' as u32 => (rest, 16, 8, 3),
        rest => (rest, 10, 10, 2),
    };
    let digit = |code: &u32| char::from_u32(*code).and_then(|character| character.to_digit(radix));
    let digits: Vec<u32> = rest.iter().map_while(digit).collect();
    if digits.is_empty() || digits.len() > longest {
        return None;
    }
    let number = digits.iter().fold(0u64, |value, &digit| value * radix as u64 + digit as u64);
    let closed = rest.get(digits.len()) == Some(&(b';' as u32));
    Some((u32::try_from(number).ok()?, prefix + digits.len() + closed as usize))
}

fn mb_decode_numericentity(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 2)?;
    let rows = rows(call)?;
    let codes = decode(encoding, &call.str(0));
    let mut out = Vec::with_capacity(codes.len());
    let mut rest = &codes[..];
    while let [code, tail @ ..] = rest {
        if let Some((number, length)) = entity(rest) {
            let original = |row: &Row| {
                let code = number.wrapping_sub(row.offset);
                (row.first..=row.last).contains(&code).then_some(code)
            };
            if let Some(code) = rows.iter().find_map(original) {
                out.push(code);
                rest = &rest[length..];
                continue;
            }
        }
        out.push(*code);
        rest = tail;
    }
    Ok(encoded(call.vm, encoding, &out))
}
