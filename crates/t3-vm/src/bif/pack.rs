//! Packing values into bytes and back, after a format: a letter each, with a repeat count or `*`, `<` or `>` for the
//! byte order and `!` for sizes and alignments that count as unsigned where that matters.

use num_traits::ToPrimitive;

use crate::bignum::BigNum;
use crate::call::Args;
use crate::error::{self, Run, error_int, fail};
use crate::meta::bytearray::new_bytes;
use crate::value::Value;
use crate::vm::Vm;

/// One item of a format.
struct Item {
    code: char,
    big_endian: bool,
    /// Repetitions; `None` is as many as there are.
    count: Option<usize>,
    /// Whether a count was written.
    counted: bool,
    at: usize,
}

fn parse(format: &str) -> Run<Vec<Item>> {
    let chars: Vec<char> = format.chars().collect();
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(code) = chars.get(at).copied() {
        let start = at;
        at += 1;
        if code.is_whitespace() {
            continue;
        }
        if !"aAbuUwWHhcCsSlLqQfdxX@k".contains(code) {
            return Err(error_int(error::PACK_PARSE, start as i32 + 1));
        }
        let mut item = Item { code, big_endian: false, count: Some(1), counted: false, at: start };
        while let Some(c) = chars.get(at).copied() {
            match c {
                '<' => item.big_endian = false,
                '>' => item.big_endian = true,
                '!' | '~' | '%' => {}
                '*' => (item.count, item.counted) = (None, true),
                ':' => {}
                '0'..='9' => {
                    let digits: String = chars[at..].iter().take_while(|c| c.is_ascii_digit()).collect();
                    at += digits.len() - 1;
                    (item.count, item.counted) = (digits.parse().ok(), true);
                }
                _ => break,
            }
            at += 1;
        }
        items.push(item);
    }
    Ok(items)
}

fn size(code: char) -> usize {
    match code {
        's' | 'S' => 2,
        'l' | 'L' | 'f' => 4,
        'q' | 'Q' | 'd' => 8,
        _ => 1,
    }
}

fn number(vm: &Vm, value: Value) -> Option<i128> {
    match value {
        Value::Int(number) => Some(number.into()),
        value => {
            let whole = vm.big(value)?.round_to(0);
            if whole.scale() > 30 {
                return None;
            }
            (whole.mantissa * num_bigint::BigInt::from(10u8).pow(whole.exponent.max(0) as u32)).to_i128()
        }
    }
}

fn float(vm: &Vm, value: Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(number.into()),
        value => vm.big(value)?.display().parse().ok(),
    }
}

/// Packs arguments from the n-th on.
pub(crate) fn pack(vm: &mut Vm, format: &str, values: &[Value]) -> Run<Vec<u8>> {
    let mut out = Vec::new();
    let mut values = values.iter().copied();
    for item in parse(format)? {
        match item.code {
            'x' => out.extend(std::iter::repeat_n(0, item.count.unwrap_or(0))),
            'X' => out.truncate(out.len().saturating_sub(item.count.unwrap_or(0))),
            '@' => out.resize(item.count.unwrap_or(0).min(1 << 24), 0),
            'a' | 'A' | 'u' | 'U' | 'w' | 'W' | 'b' | 'H' | 'h' => {
                let value = values.next().ok_or_else(|| error_int(error::PACK_ARGC_MISMATCH, item.at as i32 + 1))?;
                pack_text(vm, &item, value, &mut out)?;
            }
            _ => {
                let mut left = item.count;
                while left != Some(0) {
                    let Some(value) = values.next() else {
                        if left.is_none() {
                            break;
                        }
                        return Err(error_int(error::PACK_ARGC_MISMATCH, item.at as i32 + 1));
                    };
                    pack_number(vm, &item, value, &mut out)?;
                    left = left.map(|left| left - 1);
                }
            }
        }
    }
    Ok(out)
}

fn pack_text(vm: &mut Vm, item: &Item, value: Value, out: &mut Vec<u8>) -> Run<()> {
    let bytes = match vm.bytes(value) {
        Ok(bytes) => bytes.clone(),
        Err(_) => {
            let text = vm.to_text(value)?;
            match item.code {
                'H' | 'h' => {
                    let digits: Vec<u8> =
                        text.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
                    digits
                        .chunks(2)
                        .map(|pair| {
                            let (first, second) = (pair[0], pair.get(1).copied().unwrap_or(0));
                            if item.code == 'H' { first << 4 | second } else { second << 4 | first }
                        })
                        .collect()
                }
                'u' | 'U' => text.as_bytes().to_vec(),
                'w' | 'W' => text
                    .encode_utf16()
                    .flat_map(|unit| if item.big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() })
                    .collect(),
                _ => text.chars().map(|c| u8::try_from(c as u32).unwrap_or(b'?')).collect(),
            }
        }
    };
    let pad = if matches!(item.code, 'A' | 'U' | 'W') { b' ' } else { 0 };
    let wanted = match item.code {
        'H' | 'h' => item.count.filter(|_| item.counted).map(|count| count.div_ceil(2)),
        _ => item.count,
    };
    let wanted = wanted.unwrap_or(bytes.len()).min(1 << 24);
    let taken = wanted.min(bytes.len());
    out.extend_from_slice(&bytes[..taken]);
    out.extend(std::iter::repeat_n(pad, wanted - taken));
    Ok(())
}

fn pack_number(vm: &Vm, item: &Item, value: Value, out: &mut Vec<u8>) -> Run<()> {
    let mismatch = || error_int(error::PACK_ARG_MISMATCH, item.at as i32 + 1);
    let size = size(item.code);
    let mut bytes = match item.code {
        'f' => (float(vm, value).ok_or_else(mismatch)? as f32).to_le_bytes().to_vec(),
        'd' => float(vm, value).ok_or_else(mismatch)?.to_le_bytes().to_vec(),
        'k' => {
            // Base 128, the most significant digit first, all but the last marked.
            let mut number = number(vm, value).ok_or_else(mismatch)?.max(0);
            let mut digits = vec![(number & 0x7f) as u8];
            number >>= 7;
            while number > 0 {
                digits.push((number & 0x7f) as u8 | 0x80);
                number >>= 7;
            }
            digits.reverse();
            out.extend(digits);
            return Ok(());
        }
        _ => number(vm, value).ok_or_else(mismatch)?.to_le_bytes()[..size].to_vec(),
    };
    if item.big_endian {
        bytes.reverse();
    }
    out.extend(bytes);
    Ok(())
}

/// Unpacks bytes; the values, and how many bytes were used.
pub(crate) fn unpack(vm: &mut Vm, format: &str, bytes: &[u8]) -> Run<(Vec<Value>, usize)> {
    let items = parse(format)?;
    let mut at = 0;
    let values = crate::meta::seq::collect(vm, |vm| {
        for item in items {
            match item.code {
                'x' => at = (at + item.count.unwrap_or(0)).min(bytes.len()),
                'X' => at = at.saturating_sub(item.count.unwrap_or(0)),
                '@' => at = item.count.unwrap_or(0).min(bytes.len()),
                'a' | 'A' | 'u' | 'U' | 'w' | 'W' | 'b' | 'H' | 'h' => unpack_text(vm, &item, bytes, &mut at),
                _ => {
                    let size = size(item.code);
                    let mut left = item.count;
                    while left != Some(0) {
                        if at + size > bytes.len() {
                            if left.is_none() {
                                break;
                            }
                            return fail(error::BAD_VAL_BIF);
                        }
                        let value = unpack_number(vm, &item, bytes, &mut at);
                        vm.rooted.push(value);
                        left = left.map(|left| left - 1);
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok((values, at))
}

fn unpack_text(vm: &mut Vm, item: &Item, bytes: &[u8], at: &mut usize) {
    let hex = matches!(item.code, 'H' | 'h');
    let wanted = match item.count {
        Some(count) if hex => count.div_ceil(2),
        Some(count) => count,
        None => bytes.len() - *at,
    };
    let part = &bytes[*at..(*at + wanted).min(bytes.len())];
    *at += part.len();
    let value = match item.code {
        'b' => new_bytes(vm, part.to_vec()),
        'H' | 'h' => {
            let text: String = part
                .iter()
                .map(|byte| {
                    let byte = if item.code == 'H' { *byte } else { byte.rotate_left(4) };
                    format!("{byte:02x}")
                })
                .collect();
            vm.heap.new_text(text)
        }
        code => {
            let text = match code {
                'u' | 'U' => String::from_utf8_lossy(part).into_owned(),
                'w' | 'W' => {
                    let units = part.chunks_exact(2).map(|pair| {
                        let pair = [pair[0], pair[1]];
                        if item.big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
                    });
                    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
                }
                _ => part.iter().map(|byte| *byte as char).collect(),
            };
            let text = match code {
                'A' | 'U' | 'W' => text.trim_end_matches([' ', '\0', '\t', '\n']).to_owned(),
                _ => text.split('\0').next().unwrap_or_default().to_owned(),
            };
            vm.heap.new_text(text)
        }
    };
    vm.rooted.push(value);
}

fn unpack_number(vm: &mut Vm, item: &Item, bytes: &[u8], at: &mut usize) -> Value {
    if item.code == 'k' {
        let mut sum = 0i64;
        while let Some(byte) = bytes.get(*at) {
            *at += 1;
            sum = sum << 7 | i64::from(byte & 0x7f);
            if byte & 0x80 == 0 || sum > 1 << 50 {
                break;
            }
        }
        return whole_value(vm, sum.into());
    }
    let size = size(item.code);
    let mut raw = [0u8; 16];
    raw[..size].copy_from_slice(&bytes[*at..*at + size]);
    *at += size;
    if item.big_endian {
        raw[..size].reverse();
    }
    let unsigned = i128::from_le_bytes(raw);
    let real = match item.code {
        'f' => f64::from(f32::from_bits(unsigned as u32)),
        'd' => f64::from_bits(unsigned as u64),
        code => {
            let bits = 8 * size as u32;
            let signed = unsigned << (128 - bits) >> (128 - bits);
            return match code {
                // Unsigned numbers of 32 bits and more do not fit integers and are BigNumbers always.
                'L' | 'Q' => vm.new_big(BigNum::new(unsigned.into(), 0, 20)),
                'q' => whole_value(vm, signed),
                _ if code.is_ascii_uppercase() => Value::Int(unsigned as i32),
                _ => Value::Int(signed as i32),
            };
        }
    };
    vm.new_big(BigNum::parse(&format!("{real:e}"), None))
}

fn whole_value(vm: &mut Vm, number: i128) -> Value {
    match i32::try_from(number) {
        Ok(number) => Value::Int(number),
        Err(_) => vm.new_big(BigNum::new(number.into(), 0, 20)),
    }
}

/// `String.packBytes(format, ...)`: a string whose characters are the bytes.
pub(crate) fn pack_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let format = vm.want_text(args.get(vm, 0))?;
    let values = args.all(vm);
    let bytes = pack(vm, &format, &values[1..])?;
    let text: String = bytes.into_iter().map(|byte| byte as char).collect();
    Ok(vm.heap.new_text(text))
}

/// `unpackBytes(format)` of a string whose characters are bytes.
pub(crate) fn unpack_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let format = vm.want_text(args.get(vm, 0))?;
    let bytes: Result<Vec<u8>, _> = text.chars().map(|c| u8::try_from(c as u32)).collect();
    let bytes = bytes.map_err(|_| error::error(error::NUM_OVERFLOW))?;
    let (values, _) = unpack(vm, &format, &bytes)?;
    Ok(vm.heap.new_list(values))
}

/// `packBytes(index, format, ...)` into an array; `ByteArray.packBytes(format, ...)` makes one.
pub(crate) fn pack_array(vm: &mut Vm, args: Args) -> Run<Value> {
    let values = args.all(vm);
    if let Some(format) = vm.heap.text(values[0]).cloned() {
        let bytes = pack(vm, &format, &values[1..])?;
        return Ok(new_bytes(vm, bytes));
    }
    let at = vm.num_arg(values[0])?;
    let format = vm.want_text(values[1])?;
    let bytes = pack(vm, &format, &values[2..])?;
    let len = vm.bytes(args.this)?.len();
    let Some(start) = usize::try_from(at).ok().and_then(|at| at.checked_sub(1)).filter(|at| *at <= len) else {
        return fail(error::INDEX_OUT_OF_RANGE);
    };
    let count = bytes.len() as i32;
    vm.change_bytes(args.this, |own| {
        if own.len() < start + bytes.len() {
            own.resize(start + bytes.len(), 0);
        }
        own[start..start + bytes.len()].copy_from_slice(&bytes);
    })?;
    Ok(Value::Int(count))
}

/// `unpackBytes(index, format)` of an array.
pub(crate) fn unpack_array(vm: &mut Vm, args: Args) -> Run<Value> {
    let at = vm.num_arg(args.get(vm, 0))?;
    let format = vm.want_text(args.get(vm, 1))?;
    let bytes = vm.bytes(args.this)?.clone();
    let Some(start) = usize::try_from(at).ok().and_then(|at| at.checked_sub(1)).filter(|at| *at <= bytes.len()) else {
        return fail(error::INDEX_OUT_OF_RANGE);
    };
    let (values, _) = unpack(vm, &format, &bytes[start..])?;
    Ok(vm.heap.new_list(values))
}
