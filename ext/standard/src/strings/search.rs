//! Finding one string in another.

use super::compare::{difference, folded_difference};
use memchr::memmem;
use phlox_runtime::{Call, FnDef, Found, PhpResult, PhpStr, Val, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("strpos(string $haystack, string $needle, int $offset = 0): int|false", strpos).fast_path(
        |args| match args {
            [haystack, needle] => Some(position_value(find(haystack.as_str()?, needle.as_str()?))),
            [haystack, needle, offset] => {
                let (haystack, start) = (haystack.as_str()?, usize::try_from(offset.as_int()?).ok()?);
                let found = find(haystack.get(start..)?, needle.as_str()?);
                Some(position_value(found.map(|at| start + at)))
            }
            _ => None,
        },
    ),
    FnDef::new("stripos(string $haystack, string $needle, int $offset = 0): int|false", stripos).fast_path(
        |args| match args {
            [haystack, needle] => Some(position_value(find_folded(haystack.as_str()?, needle.as_str()?))),
            _ => None,
        },
    ),
    FnDef::new("strrpos(string $haystack, string $needle, int $offset = 0): int|false", strrpos).fast_path(
        |args| match args {
            [haystack, needle] => Some(position_value(find_last(haystack.as_str()?, needle.as_str()?))),
            _ => None,
        },
    ),
    FnDef::new("strripos(string $haystack, string $needle, int $offset = 0): int|false", strripos),
    FnDef::new("strstr(string $haystack, string $needle, bool $before_needle = false): string|false", strstr).fast_path(
        |args| match args {
            [haystack, needle] => {
                let haystack = haystack.as_str()?;
                Some(find(haystack, needle.as_str()?).map_or(Val::FALSE, |at| rest_of(haystack, at)))
            }
            _ => None,
        },
    ),
    FnDef::new("strchr(string $haystack, string $needle, bool $before_needle = false): string|false", strstr),
    FnDef::new("stristr(string $haystack, string $needle, bool $before_needle = false): string|false", stristr),
    FnDef::new("strrchr(string $haystack, string $needle, bool $before_needle = false): string|false", strrchr).fast_path(
        |args| match args {
            [haystack, needle] => {
                let (haystack, byte) = (haystack.as_str()?, needle.as_str()?.first().copied().unwrap_or(0));
                Some(haystack.iter().rposition(|&b| b == byte).map_or(Val::FALSE, |at| rest_of(haystack, at)))
            }
            _ => None,
        },
    ),
    FnDef::new("str_contains(string $haystack, string $needle): bool", str_contains)
        .fast_path(|args| Some(Val::bool(find(args.first()?.as_str()?, args.get(1)?.as_str()?).is_some()))),
    FnDef::new("str_starts_with(string $haystack, string $needle): bool", str_starts_with)
        .fast_path(|args| Some(Val::bool(args.first()?.as_str()?.starts_with(args.get(1)?.as_str()?)))),
    FnDef::new("str_ends_with(string $haystack, string $needle): bool", str_ends_with)
        .fast_path(|args| Some(Val::bool(args.first()?.as_str()?.ends_with(args.get(1)?.as_str()?)))),
    FnDef::new(
        "substr_count(string $haystack, string $needle, int $offset = 0, ?int $length = null): int",
        substr_count,
    )
    .fast_path(|args| match args {
        [haystack, needle] => match needle.as_str()?.as_bytes() {
            [] => None,
            [byte] => Some(Val::int(haystack.as_str()?.iter().filter(|b| *b == byte).count() as i64)),
            needle => Some(Val::int(find_all(haystack.as_str()?, needle).count() as i64)),
        },
        _ => None,
    }),
    FnDef::new("strspn(string $string, string $characters, int $offset = 0, ?int $length = null): int", strspn)
        .fast_path(|args| span_quick(args, true)),
    FnDef::new("strcspn(string $string, string $characters, int $offset = 0, ?int $length = null): int", strcspn)
        .fast_path(|args| span_quick(args, false)),
    FnDef::new("strpbrk(string $string, string $characters): string|false", strpbrk).fast_path(|args| {
        let [text, list] = args else { return None };
        let (text, list) = (text.as_str()?, list.as_str()?);
        if list.is_empty() { None } else { Some(from_any(text, list)) }
    }),
    FnDef::new("substr(string $string, int $offset, ?int $length = null): string", substr).fast_path(substr_quick),
    FnDef::new(
        "substr_replace(array|string $string, array|string $replace, array|int $offset, array|int|null $length = null): string|array",
        substr_replace,
    )
    .fast_path(|args| {
        let (text, replacement) = (args.first()?.as_str()?, args.get(1)?.as_str()?);
        let length = match args.get(3) {
            None => None,
            Some(length) => Some(length.as_int()?),
        };
        Some(replace_slice(text, replacement, args.get(2)?.as_int()?, length).into())
    }),
    FnDef::new(
        "substr_compare(string $haystack, string $needle, int $offset, ?int $length = null, bool $case_insensitive = false): int",
        substr_compare,
    ),
];

/// Where a needle begins for the first time. Short texts are searched directly, because preparing a search costs more.
pub(super) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match phlox_runtime::find_text(haystack, needle) {
        Found::At(at) => Some(at),
        Found::Nowhere => None,
        Found::NotBefore(from) => memmem::find(&haystack[from..], needle).map(|at| from + at),
    }
}

/// All places of a needle, which is not empty, in ascending order without overlaps.
pub(super) fn find_all<'a>(haystack: &'a [u8], needle: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    // Below this length a plain search is faster than preparing one for long texts.
    const SHORT: usize = 512;
    let mut prepared = (haystack.len() >= SHORT).then(|| memmem::find_iter(haystack, needle));
    let mut from = 0;
    std::iter::from_fn(move || match &mut prepared {
        Some(places) => places.next(),
        None => {
            let at = from + find(&haystack[from..], needle)?;
            from = at + needle.len();
            Some(at)
        }
    })
}

/// Where a needle begins for the last time.
fn find_last(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [byte] if haystack.len() < 16 => haystack.iter().rposition(|b| b == byte),
        [byte] => memchr::memrchr(*byte, haystack),
        _ => memmem::rfind(haystack, needle),
    }
}

/// Where a needle, in any case of ASCII letters, begins for the first time.
pub(super) fn find_folded(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let Some((first, rest)) = needle.split_first() else { return Some(0) };
    let last = haystack.len().checked_sub(needle.len())?;
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let fits = |at: usize| haystack[at + 1..at + needle.len()].eq_ignore_ascii_case(rest);
    if haystack.len() < 16 {
        return (0..=last).find(|&at| haystack[at].to_ascii_lowercase() == lower && fits(at));
    }
    memchr::memchr2_iter(lower, upper, &haystack[..=last]).find(|&at| fits(at))
}

/// The text from a position on.
fn rest_of(text: &PhpStr, at: usize) -> Val {
    if at == 0 { text.into() } else { Val::str(&text[at..]) }
}

fn lower(text: &[u8]) -> PhpStr {
    PhpStr::build(text.len(), |out| out.iter_mut().zip(text).for_each(|(to, from)| *to = from.to_ascii_lowercase()))
}

fn position_value(position: Option<usize>) -> Val {
    position.map_or(Val::FALSE, |at| Val::int(at as i64))
}

const OFFSET_OUTSIDE: &str = "must be contained in argument #1 ($haystack)";

fn find_forward(call: &Call<'_>, fold: bool) -> PhpResult<Val> {
    let (haystack, needle) = folded(call, fold);
    let offset = call.int(2);
    let start = if offset < 0 { offset + haystack.len() as i64 } else { offset };
    if start < 0 || start > haystack.len() as i64 {
        return Err(call.value_error(2, OFFSET_OUTSIDE));
    }
    let start = start as usize;
    Ok(position_value(find(&haystack[start..], &needle).map(|at| start + at)))
}

fn folded(call: &Call<'_>, fold: bool) -> (PhpStr, PhpStr) {
    let (haystack, needle) = (call.str(0), call.str(1));
    if fold { (lower(&haystack), lower(&needle)) } else { (haystack, needle) }
}

fn strpos(call: &mut Call<'_>) -> PhpResult<Val> {
    find_forward(call, false)
}

fn stripos(call: &mut Call<'_>) -> PhpResult<Val> {
    find_forward(call, true)
}

/// A negative offset limits where the match may start, counted from the end.
fn find_backward(call: &Call<'_>, fold: bool) -> PhpResult<Val> {
    let (haystack, needle) = folded(call, fold);
    let (offset, length) = (call.int(2), haystack.len() as i64);
    let (start, end) = if offset >= 0 {
        if offset > length {
            return Err(call.value_error(2, OFFSET_OUTSIDE));
        }
        (offset as usize, haystack.len())
    } else {
        if offset < -length {
            return Err(call.value_error(2, OFFSET_OUTSIDE));
        }
        let behind = offset.unsigned_abs() as usize;
        let end = if behind < needle.len() { haystack.len() } else { haystack.len() - behind + needle.len() };
        (0, end)
    };
    Ok(position_value(memmem::rfind(&haystack[start..end], &needle).map(|at| start + at)))
}

fn strrpos(call: &mut Call<'_>) -> PhpResult<Val> {
    find_backward(call, false)
}

fn strripos(call: &mut Call<'_>) -> PhpResult<Val> {
    find_backward(call, true)
}

fn part_from(call: &Call<'_>, fold: bool) -> PhpResult<Val> {
    let (haystack, needle) = folded(call, fold);
    let text = call.str(0);
    Ok(match find(&haystack, &needle) {
        Some(at) if call.bool(2) => Val::str(&text[..at]),
        Some(at) => Val::str(&text[at..]),
        None => Val::FALSE,
    })
}

fn strstr(call: &mut Call<'_>) -> PhpResult<Val> {
    part_from(call, false)
}

fn stristr(call: &mut Call<'_>) -> PhpResult<Val> {
    part_from(call, true)
}

fn strrchr(call: &mut Call<'_>) -> PhpResult<Val> {
    let (haystack, needle) = (call.str(0), call.str(1));
    let byte = needle.first().copied().unwrap_or(0);
    Ok(match haystack.iter().rposition(|&b| b == byte) {
        Some(at) if call.bool(2) => Val::str(&haystack[..at]),
        Some(at) => Val::str(&haystack[at..]),
        None => Val::FALSE,
    })
}

fn str_contains(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(find(&call.str(0), &call.str(1)).is_some().into())
}

fn str_starts_with(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.str(0).starts_with(&call.str(1)).into())
}

fn str_ends_with(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.str(0).ends_with(&call.str(1)).into())
}

fn substr_count(call: &mut Call<'_>) -> PhpResult<Val> {
    let (haystack, needle) = (call.str(0), call.str(1));
    if needle.is_empty() {
        return Err(call.value_error(1, "must not be empty"));
    }
    let size = haystack.len() as i64;
    let offset = call.int(2);
    let start = if offset < 0 { offset + size } else { offset };
    if !(0..=size).contains(&start) {
        return Err(call.value_error(2, OFFSET_OUTSIDE));
    }
    let end = match call.opt_int(3) {
        None => size,
        Some(length) => {
            let end = if length < 0 { size + length } else { start.saturating_add(length) };
            if end < start || end > size {
                return Err(call.value_error(3, OFFSET_OUTSIDE));
            }
            end
        }
    };
    Ok(Val::int(find_all(&haystack[start as usize..end as usize], &needle).count() as i64))
}

/// The range that an offset and a length choose; negative ones count from the end, all are limited to the string.
pub fn slice_bounds(size: usize, offset: i64, length: Option<i64>) -> (usize, usize) {
    let size = size as i64;
    let start = if offset < 0 { (offset + size).max(0) } else { offset.min(size) };
    let end = match length {
        None => size,
        Some(length) if length < 0 => (size + length).max(start),
        Some(length) => start.saturating_add(length).min(size),
    };
    (start as usize, end as usize)
}

fn span(call: &Call<'_>, inside: bool) -> PhpResult<Val> {
    let (text, list) = (call.str(0), call.str(1));
    let (start, end) = slice_bounds(text.len(), call.int(2), call.opt_int(3));
    Ok(Val::int(run_length(&text[start..end], &list, inside) as i64))
}

fn span_quick(args: &[Val], inside: bool) -> Option<Val> {
    let (text, list) = (args.first()?.as_str()?, args.get(1)?.as_str()?);
    let offset = args.get(2).map_or(Some(0), Val::as_int)?;
    let length = match args.get(3) {
        None => None,
        Some(length) => Some(length.as_int()?),
    };
    let (start, end) = slice_bounds(text.len(), offset, length);
    Some(Val::int(run_length(&text[start..end], list, inside) as i64))
}

/// How many bytes at the start are in a list, or are not.
fn run_length(text: &[u8], list: &[u8], inside: bool) -> usize {
    if list.len() == 1 || text.len() < 8 {
        return text.iter().take_while(|byte| list.contains(byte) == inside).count();
    }
    let mut set = [0u64; 4];
    list.iter().for_each(|&byte| set[usize::from(byte >> 6)] |= 1 << (byte & 63));
    text.iter().take_while(|&&byte| (set[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0) == inside).count()
}

fn strspn(call: &mut Call<'_>) -> PhpResult<Val> {
    span(call, true)
}

fn strcspn(call: &mut Call<'_>) -> PhpResult<Val> {
    span(call, false)
}

/// The text from the first byte on that is in a list.
fn from_any(text: &PhpStr, list: &[u8]) -> Val {
    let at = run_length(text, list, false);
    if at == text.len() { Val::FALSE } else { rest_of(text, at) }
}

fn strpbrk(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, list) = (call.str(0), call.str(1));
    if list.is_empty() {
        return Err(call.value_error(1, "must be a non-empty string"));
    }
    Ok(from_any(&text, &list))
}

fn substr_quick(args: &[Val]) -> Option<Val> {
    let text = args.first()?.as_str()?;
    let length = match args.get(2) {
        None => None,
        Some(length) => Some(length.as_int()?),
    };
    let (start, end) = slice_bounds(text.len(), args.get(1)?.as_int()?, length);
    Some(if start == 0 && end == text.len() { text.into() } else { Val::str(&text[start..end]) })
}

fn substr(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let (start, end) = slice_bounds(text.len(), call.int(1), call.opt_int(2));
    if start == 0 && end == text.len() {
        return Ok(text.into());
    }
    Ok(Val::str(&text[start..end]))
}

fn substr_compare(call: &mut Call<'_>) -> PhpResult<Val> {
    let (haystack, needle) = (call.str(0), call.str(1));
    let (offset, length) = (call.int(2), call.opt_int(3));
    match length {
        Some(0) => return Ok(Val::int(0)),
        Some(length) if length < 0 => return Err(call.value_error(3, "must be greater than or equal to 0")),
        _ => {}
    }
    let size = haystack.len() as i64;
    let start = if offset < 0 { (offset + size).max(0) } else { offset };
    if start > size {
        return Err(call.value_error(2, OFFSET_OUTSIDE));
    }
    let rest = &haystack[start as usize..];
    let most = length.map_or(usize::MAX, |length| length as usize);
    let (a, b) = (&rest[..rest.len().min(most)], &needle[..needle.len().min(most)]);
    Ok(Val::int(if call.bool(4) { folded_difference(a, b) } else { difference(a, b) }))
}

/// A parameter of `substr_replace` that is one value for all strings, or an array with one for each.
enum PerString {
    One(i64),
    Each(Vec<i64>),
}

impl PerString {
    fn of(call: &Call<'_>, index: usize) -> PhpResult<Option<PerString>> {
        if call.is_null(index) {
            return Ok(None);
        }
        let value = call.arg(index);
        match value.as_arr() {
            Some(list) => {
                let numbers = list.values().map(|v| convert::to_int(call.vm, v)).collect::<PhpResult<_>>()?;
                Ok(Some(PerString::Each(numbers)))
            }
            None => Ok(Some(PerString::One(value.as_int().unwrap_or(0)))),
        }
    }

    fn at(&self, position: usize, missing: i64) -> i64 {
        match self {
            PerString::One(number) => *number,
            PerString::Each(numbers) => numbers.get(position).copied().unwrap_or(missing),
        }
    }
}

fn replace_slice(text: &[u8], replacement: &[u8], offset: i64, length: Option<i64>) -> PhpStr {
    let (start, end) = slice_bounds(text.len(), offset, length);
    PhpStr::concat(&[&text[..start], replacement, &text[end..]])
}

fn substr_replace(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    let (subject, replacement) = (call.arg(0), call.arg(1));
    let offset = PerString::of(call, 2)?.unwrap_or(PerString::One(0));
    let length = PerString::of(call, 3)?;
    if let Some(text) = subject.as_str() {
        const REFUSED: &str = "cannot be an array when working on a single string";
        if let PerString::Each(_) = offset {
            return Err(call.type_error(2, REFUSED));
        }
        if let Some(PerString::Each(_)) = length {
            return Err(call.type_error(3, REFUSED));
        }
        let replacement = match replacement.as_arr() {
            Some(list) => list.values().next().map_or(Ok(PhpStr::empty()), |v| convert::to_str(vm, v))?,
            None => call.str(1),
        };
        return Ok(replace_slice(text, &replacement, offset.at(0, 0), length.map(|l| l.at(0, 0))).into());
    }
    let strings = call.arr(0);
    let mut replacements = replacement.as_arr().map(|list| list.values());
    let single = call.str(1);
    let mut result = phlox_runtime::PhpArr::new();
    for (position, (key, value)) in strings.iter().enumerate() {
        let text = convert::to_str(vm, value)?;
        let with = match &mut replacements {
            Some(list) => list.next().map_or(Ok(PhpStr::empty()), |value| convert::to_str(vm, value))?,
            None => single.clone(),
        };
        let length = length.as_ref().map(|l| l.at(position, text.len() as i64));
        result.insert(key, replace_slice(&text, &with, offset.at(position, 0), length).into());
    }
    Ok(result.into())
}
