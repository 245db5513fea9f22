//! `pack` and `unpack`.

use phlox_runtime::room::require_room;
use phlox_runtime::{ArrKey, Call, FnDef, PhpArr, PhpResult, PhpStr, Throw, Val, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("pack(string $format, mixed ...$values): string", pack),
    FnDef::new("unpack(string $format, string $string, int $offset = 0): array|false", unpack),
];

/// How many values a code takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Times(usize),
    /// `*`: all that is left.
    All,
}

/// Size and byte order of an integer code; `true`: big endian.
fn integer_layout(code: u8) -> Option<(usize, bool)> {
    Some(match code {
        b'c' | b'C' => (1, false),
        b's' | b'S' | b'v' => (2, cfg!(target_endian = "big") && code != b'v'),
        b'n' => (2, true),
        b'i' | b'I' | b'l' | b'L' | b'V' => (4, cfg!(target_endian = "big") && code != b'V'),
        b'N' => (4, true),
        b'q' | b'Q' | b'P' => (8, cfg!(target_endian = "big") && code != b'P'),
        b'J' => (8, true),
        _ => return None,
    })
}

/// Size and byte order of a float code.
fn float_layout(code: u8) -> Option<(usize, bool)> {
    Some(match code {
        b'f' | b'g' => (4, false),
        b'G' => (4, true),
        b'd' | b'e' => (8, false),
        b'E' => (8, true),
        _ => return None,
    })
}

fn is_signed(code: u8) -> bool {
    matches!(code, b'c' | b's' | b'i' | b'l' | b'q')
}

/// Reads the count after a code.
fn repeat_at(format: &[u8], at: &mut usize) -> Option<Repeat> {
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(Repeat::All);
    }
    let digits = format[*at..].iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let text = std::str::from_utf8(&format[*at..*at + digits]).unwrap_or("0");
    *at += digits;
    Some(Repeat::Times(text.parse().unwrap_or(usize::MAX)))
}

/// A count as `pack` takes it: the low 32 bits as a signed number; a negative one means all that is left.
fn wrapped(repeat: Option<Repeat>) -> Option<Repeat> {
    let Some(Repeat::Times(times)) = repeat else { return repeat };
    let wrapped = i64::try_from(times).unwrap_or(i64::MAX) as i32;
    Some(usize::try_from(wrapped).map_or(Repeat::All, Repeat::Times))
}

fn error(call: &Call<'_>, text: String) -> Throw {
    // A code is one byte, also if that is no ASCII character.
    let text: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    call.vm.throw_value_error(phlox_runtime::until_nul(&text))
}

struct Packer<'a, 'c> {
    call: &'a Call<'c>,
    next: usize,
    out: Vec<u8>,
}

/// One code of a format with its count.
struct Field {
    code: u8,
    repeat: Option<Repeat>,
}

/// The codes of a format, checked against the arguments before any of these is looked at.
fn fields(call: &Call<'_>, format: &[u8]) -> PhpResult<Vec<Field>> {
    let (mut fields, mut at, mut next) = (Vec::new(), 0, 1);
    while at < format.len() {
        let code = format[at];
        at += 1;
        let mut repeat = wrapped(repeat_at(format, &mut at));
        let left = call.rest(next).len();
        match code {
            b'x' | b'X' | b'@' => {
                if repeat == Some(Repeat::All) {
                    call.warning(&format!("Type {}: '*' ignored", code as char))?;
                    repeat = None;
                }
            }
            b'a' | b'A' | b'Z' | b'h' | b'H' => {
                if left == 0 {
                    return Err(error(call, format!("Type {}: not enough arguments", code as char)));
                }
                next += 1;
            }
            _ if integer_layout(code).is_some() || float_layout(code).is_some() => {
                let times = match repeat {
                    Some(Repeat::All) => left,
                    _ => times(repeat),
                };
                if times > left {
                    return Err(error(call, format!("Type {}: too few arguments", code as char)));
                }
                next += times;
                repeat = Some(Repeat::Times(times));
            }
            _ => return Err(error(call, format!("Type {}: unknown format code", code as char))),
        }
        fields.push(Field { code, repeat });
    }
    let unused = call.rest(next).len();
    if unused > 0 {
        call.warning(&format!("{unused} arguments unused"))?;
    }
    Ok(fields)
}

fn times(repeat: Option<Repeat>) -> usize {
    match repeat {
        Some(Repeat::Times(times)) => times,
        _ => 1,
    }
}

fn pack(call: &mut Call<'_>) -> PhpResult<Val> {
    let fields = fields(call, &call.str(0))?;
    let mut packer = Packer { call, next: 1, out: Vec::new() };
    for field in fields {
        packer.field(&field)?;
    }
    Ok(packer.out.into())
}

impl Packer<'_, '_> {
    fn argument(&mut self) -> Val {
        let value = self.call.rest(self.next).first().map_or(Val::NULL, Val::deref);
        self.next += 1;
        value
    }

    fn field(&mut self, field: &Field) -> PhpResult<()> {
        let Field { code, repeat } = *field;
        match code {
            b'x' | b'X' | b'@' => self.position(code, times(repeat)),
            b'a' | b'A' | b'Z' | b'h' | b'H' => {
                let value = self.argument();
                let text = convert::to_str(self.call.vm, &value)?;
                if matches!(code, b'h' | b'H') { self.hex(code, &text, repeat) } else { self.text(code, &text, repeat) }
            }
            _ => {
                for _ in 0..times(repeat) {
                    let value = self.argument();
                    self.number(code, &value)?;
                }
                Ok(())
            }
        }
    }

    fn position(&mut self, code: u8, times: usize) -> PhpResult<()> {
        match code {
            b'x' => {
                require_room(self.out.len() + times);
                self.out.resize(self.out.len() + times, 0)
            }
            b'X' => {
                if times > self.out.len() {
                    self.call.warning("Type X: outside of string")?;
                }
                self.out.truncate(self.out.len().saturating_sub(times));
            }
            _ => {
                require_room(times);
                self.out.resize(times, 0)
            }
        }
        Ok(())
    }

    fn text(&mut self, code: u8, text: &[u8], repeat: Option<Repeat>) -> PhpResult<()> {
        let size = match repeat {
            None => 1,
            Some(Repeat::Times(times)) => times,
            Some(Repeat::All) => text.len() + usize::from(code == b'Z'),
        };
        // Z keeps room for a closing NUL.
        let room = if code == b'Z' { size.saturating_sub(1) } else { size };
        let start = self.out.len();
        require_room(start.saturating_add(size));
        self.out.extend_from_slice(&text[..text.len().min(room)]);
        self.out.resize(start + size, if code == b'A' { b' ' } else { 0 });
        Ok(())
    }

    fn hex(&mut self, code: u8, text: &[u8], repeat: Option<Repeat>) -> PhpResult<()> {
        let mut size = match repeat {
            None => 1,
            Some(Repeat::Times(times)) => times,
            Some(Repeat::All) => text.len(),
        };
        if size > text.len() {
            self.call.warning(&format!("Type {}: not enough characters in string", code as char))?;
            size = text.len();
        }
        let mut bytes = vec![0u8; size.div_ceil(2)];
        for (index, &digit) in text[..size].iter().enumerate() {
            let value = match (digit as char).to_digit(16) {
                Some(value) => value as u8,
                None => {
                    let shown = phlox_runtime::shown(&[digit]).into_owned();
                    self.call.warning(&format!("Type {}: illegal hex digit {shown}", code as char))?;
                    0
                }
            };
            let high = (index % 2 == 0) == (code == b'H');
            bytes[index / 2] |= if high { value << 4 } else { value };
        }
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    fn number(&mut self, code: u8, value: &Val) -> PhpResult<()> {
        if let Some((size, big)) = integer_layout(code) {
            let bytes = convert::to_int(self.call.vm, value)?.to_le_bytes();
            self.bytes(&bytes[..size], big);
        } else if let Some((size, big)) = float_layout(code) {
            let number = convert::to_double(self.call.vm, value)?;
            if size == 4 {
                self.bytes(&(number as f32).to_le_bytes(), big);
            } else {
                self.bytes(&number.to_le_bytes(), big);
            }
        }
        Ok(())
    }

    fn bytes(&mut self, little: &[u8], big: bool) {
        if big { self.out.extend(little.iter().rev()) } else { self.out.extend_from_slice(little) }
    }
}

/// One `code repeat name` part of an unpack format.
struct Part<'a> {
    code: u8,
    repeat: Option<Repeat>,
    name: &'a [u8],
}

fn parts(format: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let code = format[at];
        at += 1;
        let repeat = repeat_at(format, &mut at);
        let end = format[at..].iter().position(|&b| b == b'/').map_or(format.len(), |skip| at + skip);
        parts.push(Part { code, repeat, name: &format[at..end] });
        at = end + 1;
    }
    parts
}

fn unpack(call: &mut Call<'_>) -> PhpResult<Val> {
    let (format, data, offset) = (call.str(0), call.str(1), call.int(2));
    if offset < 0 || offset > data.len() as i64 {
        return Err(call.value_error(2, "must be contained in argument #2 ($data)"));
    }
    let data = &data[offset as usize..];
    let mut result = PhpArr::new();
    let mut at = 0;
    for part in parts(&format) {
        if !unpack_part(call, &part, data, &mut at, &mut result)? {
            return Ok(Val::FALSE);
        }
    }
    Ok(result.into())
}

/// `false`: the data is too short (a warning says so).
fn unpack_part(call: &Call<'_>, part: &Part<'_>, data: &[u8], at: &mut usize, result: &mut PhpArr) -> PhpResult<bool> {
    let letter = part.code as char;
    let left = data.len() - *at;
    if matches!(part.repeat, Some(Repeat::Times(times)) if times > i32::MAX as usize) {
        call.warning(&format!("Type {letter}: integer overflow"))?;
        return Ok(false);
    }
    match part.code {
        b'X' => {
            let times = match part.repeat {
                Some(Repeat::All) => {
                    call.warning("Type X: '*' ignored")?;
                    0
                }
                Some(Repeat::Times(times)) => times,
                None => 1,
            };
            *at = at.saturating_sub(times);
        }
        b'@' => {
            let target = match part.repeat {
                Some(Repeat::Times(target)) => target,
                _ => 1,
            };
            if target > data.len() {
                call.warning("Type @: outside of string")?;
            } else {
                *at = target;
            }
        }
        b'x' => {
            let times = match part.repeat {
                Some(Repeat::All) => left,
                Some(Repeat::Times(times)) => times,
                None => 1,
            };
            // PHP goes on byte by byte until one is missing.
            if times > left {
                return too_short(call, part.code, 1, 0);
            }
            *at += times;
        }
        b'a' | b'A' | b'Z' => return unpack_text(call, part, data, at, result),
        b'h' | b'H' => return unpack_hex(call, part, data, at, result),
        _ => {
            let layout = integer_layout(part.code).or(float_layout(part.code));
            let Some((size, big)) = layout else {
                return Err(error(call, format!("Invalid format type {letter}")));
            };
            return unpack_numbers(call, part, data, at, result, size, big);
        }
    }
    Ok(true)
}

fn too_short(call: &Call<'_>, code: u8, need: usize, have: usize) -> PhpResult<bool> {
    let (letter, verb) = (code as char, if have == 1 { "was" } else { "were" });
    call.warning(&format!(
        "Type {letter}: not enough input values, need {need} values but only {have} {verb} provided"
    ))?;
    Ok(false)
}

/// The key of a part's value: its name, a number, or both when it repeats.
fn key(part: &Part<'_>, index: usize) -> ArrKey {
    // A count of one is treated like no count.
    let numbered = !matches!(part.repeat, None | Some(Repeat::Times(1)));
    match (part.name.is_empty(), numbered) {
        (true, _) => ArrKey::Int(index as i64 + 1),
        (false, false) => ArrKey::from_bytes(part.name),
        (false, true) => ArrKey::from_bytes(&[part.name, (index + 1).to_string().as_bytes()].concat()),
    }
}

/// Texts have one value, so their key has no number.
fn text_key(part: &Part<'_>) -> ArrKey {
    if part.name.is_empty() { ArrKey::Int(1) } else { ArrKey::from_bytes(part.name) }
}

fn unpack_text(call: &Call<'_>, part: &Part<'_>, data: &[u8], at: &mut usize, result: &mut PhpArr) -> PhpResult<bool> {
    let left = data.len() - *at;
    let size = match part.repeat {
        Some(Repeat::All) => left,
        Some(Repeat::Times(times)) => times,
        None => 1,
    };
    if size > left {
        return too_short(call, part.code, size, left);
    }
    let mut text = &data[*at..*at + size];
    match part.code {
        b'A' => {
            let blank = |b: &u8| matches!(b, 0 | b' ' | b'\t' | b'\r' | b'\n');
            text = &text[..text.iter().rposition(|b| !blank(b)).map_or(0, |last| last + 1)];
        }
        b'Z' => text = &text[..text.iter().position(|&b| b == 0).unwrap_or(text.len())],
        _ => {}
    }
    *at += size;
    drop(result.insert(text_key(part).as_key(), Val::str(text)));
    Ok(true)
}

fn unpack_hex(call: &Call<'_>, part: &Part<'_>, data: &[u8], at: &mut usize, result: &mut PhpArr) -> PhpResult<bool> {
    let left = data.len() - *at;
    let digits = match part.repeat {
        Some(Repeat::All) => left * 2,
        Some(Repeat::Times(times)) => times,
        None => 1,
    };
    let size = digits.div_ceil(2);
    if size > left {
        return too_short(call, part.code, size, left);
    }
    let text: PhpStr = PhpStr::build(digits, |out| {
        for (index, digit) in out.iter_mut().enumerate() {
            let byte = data[*at + index / 2];
            let high = (index % 2 == 0) == (part.code == b'H');
            let value = if high { byte >> 4 } else { byte & 15 };
            *digit = b"0123456789abcdef"[value as usize];
        }
    });
    *at += size;
    drop(result.insert(text_key(part).as_key(), text.into()));
    Ok(true)
}

fn unpack_numbers(
    call: &Call<'_>,
    part: &Part<'_>,
    data: &[u8],
    at: &mut usize,
    result: &mut PhpArr,
    size: usize,
    big: bool,
) -> PhpResult<bool> {
    let times = match part.repeat {
        Some(Repeat::All) => (data.len() - *at) / size,
        Some(Repeat::Times(times)) => times,
        None => 1,
    };
    for index in 0..times {
        let left = data.len() - *at;
        if size > left {
            return too_short(call, part.code, size, left);
        }
        let mut bytes = [0u8; 8];
        bytes[..size].copy_from_slice(&data[*at..*at + size]);
        if big {
            bytes[..size].reverse();
        }
        *at += size;
        let value = if float_layout(part.code).is_some() {
            Val::double(match size {
                4 => f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).into(),
                _ => f64::from_le_bytes(bytes),
            })
        } else {
            let unsigned = u64::from_le_bytes(bytes) as i64;
            let shift = 64 - 8 * size as u32;
            Val::int(if is_signed(part.code) { unsigned << shift >> shift } else { unsigned })
        };
        drop(result.insert(key(part, index).as_key(), value));
    }
    Ok(true)
}
