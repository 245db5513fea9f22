//! `sscanf`: reading values out of a text by a format.

use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, number};

pub const FUNCTIONS: &[FnDef] =
    &[FnDef::new("sscanf(string $string, string $format, mixed &...$vars): array|int|null", sscanf)];

/// A conversion of a format.
struct Conversion {
    /// `%2$d`: the zero-based number of the variable.
    position: Option<usize>,
    /// `%*d`: read, but not stored.
    skip: bool,
    width: Option<usize>,
    kind: Kind,
}

#[derive(Clone, PartialEq)]
enum Kind {
    /// An integer with its base; with 0 the prefix decides.
    Int(u32),
    Unsigned,
    Double,
    Text,
    Chars,
    Set(Box<[bool; 256]>),
    /// `%n`: how much was read so far.
    Consumed,
}

enum Item {
    Space,
    Literal(u8),
    Convert(Conversion),
}

fn sscanf(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, format) = (call.str(0), call.str(1));
    scan(call, &text, &format, 2)
}

/// Scans `text`; variables are the parameters from `first` on. Without any, an array of the values is given.
pub fn scan(call: &Call<'_>, text: &[u8], format: &[u8], first: usize) -> PhpResult<Val> {
    // Both end with a NUL byte.
    let until_nul = |bytes| memchr::memchr(0, bytes).map_or(bytes, |end| &bytes[..end]);
    let (text, format) = (until_nul(text), until_nul(format));
    let items = parse(call, format)?;
    let variables = call.rest(first).len();
    let conversions = || {
        items.iter().filter_map(|item| match item {
            Item::Convert(conversion) if !conversion.skip => Some(conversion),
            _ => None,
        })
    };
    let sequential = conversions().filter(|c| c.position.is_none()).count();
    let positional = conversions().filter_map(|c| c.position).map(|position| position + 1).max().unwrap_or(0);
    let wanted = sequential.max(positional);
    let error = |text: &str| Err(call.vm.throw_value_error(text.as_bytes()));
    if sequential > 0 && positional > 0 {
        return error("cannot mix \"%\" and \"%n$\" conversion specifiers");
    }
    if variables > 0 && positional > variables {
        return error("\"%n$\" argument index out of range");
    }
    if variables > 0 && wanted > variables {
        return error("Different numbers of variable names and field specifiers");
    }
    let assigned = |place: usize| conversions().filter(|c| c.position == Some(place)).count();
    if (0..positional).any(|place| assigned(place) > 1) {
        return error("Variable is assigned by multiple \"%n$\" conversion specifiers");
    }
    let skips_one = variables > 0 && (0..positional).any(|place| assigned(place) == 0);
    if skips_one || variables > wanted {
        return error("Variable is not assigned by any conversion specifiers");
    }
    let mut results: Vec<Option<Val>> = vec![None; wanted];
    let outcome = run(&items, text, &mut results);
    let stored = results.iter().flatten().count();
    if variables == 0 {
        if outcome == Outcome::EndOfText && stored == 0 {
            return Ok(Val::NULL);
        }
        return Ok(results.into_iter().map(|value| value.unwrap_or(Val::NULL)).collect::<PhpArr>().into());
    }
    for (index, value) in results.into_iter().enumerate() {
        if let Some(value) = value {
            call.assign(first + index, value)?;
        }
    }
    if outcome == Outcome::EndOfText && stored == 0 {
        return Ok(Val::int(-1));
    }
    Ok(Val::int(stored as i64))
}

fn parse(call: &Call<'_>, format: &[u8]) -> PhpResult<Vec<Item>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let byte = format[at];
        at += 1;
        if byte.is_ascii_whitespace() {
            items.push(Item::Space);
        } else if byte != b'%' {
            items.push(Item::Literal(byte));
        } else if format.get(at) == Some(&b'%') {
            items.push(Item::Literal(b'%'));
            at += 1;
        } else {
            items.push(Item::Convert(parse_conversion(call, format, &mut at)?));
        }
    }
    Ok(items)
}

fn digits(format: &[u8], at: &mut usize) -> Option<usize> {
    let count = format[*at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&format[*at..*at + count]).ok()?.parse().ok();
    *at += count;
    number
}

/// Variables that a format can number.
const POSITION_MAX: usize = 255;

fn parse_conversion(call: &Call<'_>, format: &[u8], at: &mut usize) -> PhpResult<Conversion> {
    let error = |text: &str| Err(call.vm.throw_value_error(text.as_bytes()));
    let mut position = None;
    let skip = format.get(*at) == Some(&b'*');
    *at += usize::from(skip);
    let start = *at;
    let mut width = digits(format, at);
    if !skip && width.is_some() && format.get(*at) == Some(&b'$') {
        position = match width.and_then(|number| number.checked_sub(1)) {
            Some(position) if position < POSITION_MAX => Some(position),
            _ => return error("\"%n$\" argument index out of range"),
        };
        *at += 1;
        width = digits(format, at);
    } else if width.is_none() {
        *at = start;
    }
    if matches!(format.get(*at), Some(b'l' | b'h' | b'L')) {
        *at += 1;
    }
    let letter = format.get(*at).copied();
    *at += 1;
    let kind = match letter {
        Some(b'd' | b'D') => Kind::Int(10),
        Some(b'i') => Kind::Int(0),
        Some(b'o') => Kind::Int(8),
        Some(b'x' | b'X') => Kind::Int(16),
        Some(b'u') => Kind::Unsigned,
        Some(b'f' | b'e' | b'E' | b'g') => Kind::Double,
        Some(b's') => Kind::Text,
        Some(b'c') => Kind::Chars,
        Some(b'n') => Kind::Consumed,
        Some(b'[') => match parse_set(format, at) {
            Some(set) => Kind::Set(Box::new(set)),
            None => return error("Unmatched [ in format string"),
        },
        other => {
            let shown = other.map_or(String::new(), |letter| (letter as char).to_string());
            return error(&format!("Bad scan conversion character \"{shown}\""));
        }
    };
    Ok(Conversion { position, skip, width, kind })
}

/// The set after `[`; `^` negates it, a leading `]` is a member.
fn parse_set(format: &[u8], at: &mut usize) -> Option<[bool; 256]> {
    let negated = format.get(*at) == Some(&b'^');
    *at += usize::from(negated);
    let first_end = usize::from(format.get(*at) == Some(&b']'));
    let length = format.get(*at + first_end..)?.iter().position(|&b| b == b']')? + first_end;
    let members = &format[*at..*at + length];
    *at += length + 1;
    let mut set = [false; 256];
    let mut index = 0;
    while index < members.len() {
        match &members[index..] {
            [low, b'-', high, ..] => {
                let (low, high) = (low.min(high), low.max(high));
                set[*low as usize..=*high as usize].fill(true);
                index += 3;
            }
            _ => {
                set[members[index] as usize] = true;
                index += 1;
            }
        }
    }
    if negated {
        set.iter_mut().for_each(|member| *member = !*member);
    }
    Some(set)
}

#[derive(PartialEq)]
enum Outcome {
    Done,
    Mismatch,
    EndOfText,
}

fn run(items: &[Item], text: &[u8], results: &mut [Option<Val>]) -> Outcome {
    let mut at = 0;
    let mut next = 0;
    for item in items {
        match item {
            Item::Space => at += spaces(&text[at..]),
            Item::Literal(byte) => match text.get(at) {
                None => return Outcome::EndOfText,
                Some(found) if found == byte => at += 1,
                Some(_) => return Outcome::Mismatch,
            },
            Item::Convert(conversion) => {
                let keeps_space = matches!(conversion.kind, Kind::Chars | Kind::Set(_) | Kind::Consumed);
                if !keeps_space {
                    at += spaces(&text[at..]);
                }
                if at >= text.len() && conversion.kind != Kind::Consumed {
                    return Outcome::EndOfText;
                }
                let Some((value, length)) = read(conversion, &text[at..], at) else {
                    // A sign alone, and then nothing: the text has ended within a number.
                    let number = matches!(conversion.kind, Kind::Int(_) | Kind::Unsigned | Kind::Double);
                    let ended = number && matches!(&text[at..], b"+" | b"-");
                    return if ended { Outcome::EndOfText } else { Outcome::Mismatch };
                };
                at += length;
                if !conversion.skip {
                    let index = conversion.position.unwrap_or_else(|| {
                        next += 1;
                        next - 1
                    });
                    if let Some(result) = results.get_mut(index) {
                        *result = Some(value);
                    }
                }
            }
        }
    }
    Outcome::Done
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// Reads one value; gives it with its length.
fn read(conversion: &Conversion, text: &[u8], consumed: usize) -> Option<(Val, usize)> {
    let limit = conversion.width.filter(|&width| width > 0).unwrap_or(usize::MAX).min(text.len());
    let text = &text[..limit];
    let run = |member: &dyn Fn(u8) -> bool| text.iter().take_while(|&&b| member(b)).count();
    let slice = |length: usize| (length > 0).then(|| (Val::str(&text[..length]), length));
    match &conversion.kind {
        Kind::Consumed => Some((Val::int(consumed as i64), 0)),
        Kind::Text => slice(run(&|b| !b.is_ascii_whitespace())),
        Kind::Set(set) => slice(run(&|b| set[b as usize])),
        // Characters end at a space like a text, and may be none.
        Kind::Chars => {
            let limit = if conversion.width.is_some() { limit } else { 1 };
            let length = text[..limit].iter().take_while(|b| !b.is_ascii_whitespace()).count();
            Some((Val::str(&text[..length]), length))
        }
        Kind::Double => {
            let length = (1..=text.len()).rev().find(|&end| {
                let part = &text[..end];
                !number::is_numeric_space(part[end - 1]) && number::numeric(part).is_some()
            })?;
            Some((Val::double(number::string_to_double(&text[..length])), length))
        }
        Kind::Unsigned => {
            let (value, length) = read_int(text, 10)?;
            let digits = text[..length].trim_ascii_start();
            // Beyond the signed range the number is given as text.
            let wide = match digits.strip_prefix(b"-") {
                Some(_) => value as u64,
                None => std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()).unwrap_or(u64::MAX),
            };
            Some((i64::try_from(wide).map_or_else(|_| Val::from(wide.to_string()), Val::int), length))
        }
        Kind::Int(base) => read_int(text, *base).map(|(value, length)| (Val::int(value), length)),
    }
}

fn read_int(text: &[u8], base: u32) -> Option<(i64, usize)> {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let rest = &text[sign..];
    let hex = rest.len() > 2 && rest[0] == b'0' && matches!(rest[1], b'x' | b'X') && rest[2].is_ascii_hexdigit();
    let (prefix, base) = match base {
        16 | 0 if hex => (2, 16),
        0 if rest.first() == Some(&b'0') => (0, 8),
        0 => (0, 10),
        base => (0, base),
    };
    let digits = rest[prefix..].iter().take_while(|&&b| (b as char).is_digit(base)).count();
    if digits == 0 {
        return None;
    }
    let end = sign + prefix + digits;
    let value = crate::variables::parse_int(&text[..end], if prefix > 0 { 16 } else { base.into() });
    Some((value, end))
}
