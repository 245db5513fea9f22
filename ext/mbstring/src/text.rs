//! Length, parts, and places in texts, counted in characters.

use crate::case::fold_simple;
use crate::encoding::{BAD, Encoding, Kind, Order, decode, decode_utf8, encode};
use crate::state::{encode as encode_text, encoded, encoding_argument, is_utf8, substitute};
use crate::width::width;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, View, heap};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("mb_str_split(string $string, int $length = 1, ?string $encoding = null): array", mb_str_split)
        .fast_path(|args| match args {
            [text] if is_utf8(None) => {
                let text = text.as_str()?;
                text.is_ascii().then(|| text.iter().map(|byte| Val::str(&[*byte])).collect::<PhpArr>().into())
            }
            _ => None,
        }),
    FnDef::new("mb_strlen(string $string, ?string $encoding = null): int", mb_strlen)
        .fast_path(|args| utf8_text(args, 1).map(|text| Val::int(length_in_utf8(text) as i64))),
    FnDef::new(
        "mb_strpos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false",
        mb_strpos,
    )
    .fast_path(|args| {
        let haystack = utf8_text(args, 3)?;
        let from_start = args.get(2).is_none_or(|offset| offset.as_int() == Some(0));
        from_start.then(|| Some(utf8_position(haystack, args.get(1)?.as_str()?)))?
    }),
    FnDef::new(
        "mb_strrpos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false",
        mb_strrpos,
    ),
    FnDef::new(
        "mb_stripos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false",
        mb_stripos,
    ),
    FnDef::new(
        "mb_strripos(string $haystack, string $needle, int $offset = 0, ?string $encoding = null): int|false",
        mb_strripos,
    ),
    FnDef::new(
        "mb_strstr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false",
        mb_strstr,
    ),
    FnDef::new(
        "mb_strrchr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false",
        mb_strrchr,
    ),
    FnDef::new(
        "mb_stristr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false",
        mb_stristr,
    ),
    FnDef::new(
        "mb_strrichr(string $haystack, string $needle, bool $before_needle = false, ?string $encoding = null): string|false",
        mb_strrichr,
    ),
    FnDef::new("mb_substr_count(string $haystack, string $needle, ?string $encoding = null): int", mb_substr_count)
        .fast_path(|args| {
            let (haystack, needle) = (utf8_text(args, 2)?, args.get(1)?.as_str()?);
            let comparable = !needle.is_empty() && haystack.is_ascii() && needle.is_ascii();
            comparable.then(|| Val::int(memchr::memmem::find_iter(haystack, needle.as_bytes()).count() as i64))
        }),
    FnDef::new(
        "mb_substr(string $string, int $start, ?int $length = null, ?string $encoding = null): string",
        mb_substr,
    )
    .fast_path(|args| {
        let text = utf8_text(args, 3)?;
        let start = usize::try_from(args.get(1)?.as_int()?).ok()?;
        let length = match args.get(2).map(Val::view) {
            None | Some(View::Null) => None,
            Some(View::Int(length)) => Some(usize::try_from(length).ok()?),
            _ => return None,
        };
        utf8_prefix(text, start, length)
    }),
    FnDef::new(
        "mb_strcut(string $string, int $start, ?int $length = null, ?string $encoding = null): string",
        mb_strcut,
    ),
    FnDef::new("mb_strwidth(string $string, ?string $encoding = null): int", mb_strwidth).fast_path(|args| {
        let text = utf8_text(args, 1)?;
        text.is_ascii().then(|| Val::int(text.len() as i64))
    }),
    FnDef::new(
        "mb_strimwidth(string $string, int $start, int $width, string $trim_marker = \"\", ?string $encoding = null): string",
        mb_strimwidth,
    ),
    FnDef::new("mb_trim(string $string, ?string $characters = null, ?string $encoding = null): string", mb_trim),
    FnDef::new("mb_ltrim(string $string, ?string $characters = null, ?string $encoding = null): string", mb_ltrim),
    FnDef::new("mb_rtrim(string $string, ?string $characters = null, ?string $encoding = null): string", mb_rtrim),
    FnDef::new("mb_ord(string $string, ?string $encoding = null): int|false", mb_ord),
    FnDef::new("mb_chr(int $codepoint, ?string $encoding = null): string|false", mb_chr),
    FnDef::new(
        "mb_str_pad(string $string, int $length, string $pad_string = \" \", int $pad_type = STR_PAD_RIGHT, ?string $encoding = null): string",
        mb_str_pad,
    ),
];

/// The length of a UTF-8 character by its first byte alone.
fn utf8_width(lead: u8) -> usize {
    match lead {
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0..0xF8 => 4,
        _ => 1,
    }
}

/// The byte ranges of a text's characters, in encodings where the first byte determines the length.
fn split(encoding: &Encoding, text: &[u8]) -> Option<Vec<std::ops::Range<usize>>> {
    let fixed = encoding.fixed_width();
    if fixed.is_none() && encoding.kind != Kind::Utf8 {
        return None;
    }
    Some(ranges(text, |lead| fixed.unwrap_or_else(|| utf8_width(lead))))
}

/// The byte ranges of characters whose first byte determines the length.
fn ranges(text: &[u8], width: impl Fn(u8) -> usize) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = (start + width(text[start])).min(text.len());
        ranges.push(start..end);
        start = end;
    }
    ranges
}

/// The string in the first argument, if the argument at `encoding` makes it UTF-8.
fn utf8_text(args: &[Val], encoding: usize) -> Option<&PhpStr> {
    let text = args.first()?.as_str()?;
    is_utf8(args.get(encoding)).then_some(text)
}

/// Number of characters of a text; malformed sequences count as the characters that replace them.
fn length_in_utf8(text: &[u8]) -> usize {
    if is_valid_utf8(text) { utf8_length(text) } else { decode_utf8(text).len() }
}

fn is_valid_utf8(text: &[u8]) -> bool {
    simdutf8::basic::from_utf8(text).is_ok()
}

/// Number of characters of valid UTF-8; of other texts the number that `mb_strpos()` counts.
fn utf8_length(text: &[u8]) -> usize {
    // The compiler vectorises sums of bytes.
    let starts = |part: &[u8]| part.iter().map(|&byte| u8::from(byte & 0xC0 != 0x80)).sum::<u8>();
    text.chunks(u8::MAX.into()).map(|part| usize::from(starts(part))).sum()
}

/// Where a text is in another, in characters.
fn utf8_position(haystack: &[u8], needle: &[u8]) -> Val {
    let found = match needle {
        [byte] => haystack.iter().position(|other| other == byte),
        _ => memchr::memmem::find(haystack, needle),
    };
    found.map_or(Val::FALSE, |at| Val::int(utf8_length(&haystack[..at]) as i64))
}

/// Number of characters.
pub fn length(encoding: &Encoding, text: &[u8]) -> usize {
    match (encoding.kind, encoding.fixed_width()) {
        (Kind::Utf8, _) => length_in_utf8(text),
        (_, Some(width)) => text.len() / width,
        _ => decode(encoding, text).len(),
    }
}

fn mb_strlen(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(length(encoding_argument(call, 1)?, &call.str(0)) as i64))
}

/// The range that start and length, counted from the end if negative, mean in `total` characters.
fn range(total: usize, start: i64, length: Option<i64>) -> std::ops::Range<usize> {
    let total = total as i64;
    let start = if start < 0 { (total + start).max(0) } else { start.min(total) };
    let end = match length {
        None => total,
        Some(length) if length < 0 => (total + length).max(start),
        Some(length) => start.saturating_add(length).min(total),
    };
    start as usize..end as usize
}

/// A part of the text by its characters, as `mb_substr()` counts them.
pub fn substring(call: &Call<'_>, encoding: &Encoding, text: &PhpStr, start: i64, length: Option<i64>) -> Val {
    let utf8 = encoding.kind == Kind::Utf8;
    if utf8 && start >= 0 && length.is_none_or(|length| length >= 0) {
        if let Some(part) = utf8_prefix(text, start as usize, length.map(|length| length as usize)) {
            return part;
        }
    }
    match split(encoding, text).filter(|_| !utf8 || is_valid_utf8(text)) {
        Some(characters) => {
            let range = range(characters.len(), start, length);
            let at = |index: usize| characters.get(index).map_or(text.len(), |bytes| bytes.start);
            text[at(range.start)..at(range.end)].into()
        }
        None => {
            let codes = decode(encoding, text);
            let range = range(codes.len(), start, length);
            encoded(call.vm, encoding, &codes[range])
        }
    }
}

/// A part counted from the front, which reads the text only as far as needed. `None` if it is malformed before that.
fn utf8_prefix(text: &[u8], start: usize, length: Option<usize>) -> Option<Val> {
    const WORD: usize = 8;
    let advance = |mut at: usize, mut count: usize| {
        while count > 0 && at < text.len() {
            let width = utf8_width(text[at]);
            let is_word = width == 1 && count >= WORD && text.get(at..at + WORD).is_some_and(<[u8]>::is_ascii);
            let step = if is_word { WORD } else { 1 };
            at += if is_word { WORD } else { width };
            count -= step;
        }
        at.min(text.len())
    };
    let begin = advance(0, start);
    let end = length.map_or(text.len(), |length| advance(begin, length));
    is_valid_utf8(&text[..end]).then(|| text[begin..end].into())
}

fn mb_substr(call: &mut Call<'_>) -> PhpResult<Val> {
    let (start, length) = (call.int(1), call.opt_int(2));
    if start == i64::MIN || length == Some(i64::MIN) {
        let index = if start == i64::MIN { 1 } else { 2 };
        let text = format!("must be between {} and {}", i64::MIN + 1, i64::MAX);
        return Err(call.value_error(index, &text));
    }
    let encoding = encoding_argument(call, 3)?;
    Ok(substring(call, encoding, &call.str(0), start, length))
}

fn mb_str_split(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, size) = (call.str(0), call.int(1));
    if size <= 0 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    if size > u32::MAX as i64 / 4 {
        return Err(call.value_error(1, "is too large"));
    }
    let encoding = encoding_argument(call, 2)?;
    let size = size as usize;
    let whole = match encoding.kind {
        Kind::MultiByte(set) if set.is_shift_jis() => {
            Some(ranges(&text, |lead| if set.is_shift_jis_lead(lead) { 2 } else { 1 }))
        }
        _ => split(encoding, &text),
    };
    let parts: PhpArr = match whole {
        Some(characters) => {
            characters.chunks(size).map(|group| Val::from(&text[group[0].start..group[group.len() - 1].end])).collect()
        }
        None => decode(encoding, &text).chunks(size).map(|group| encoded(call.vm, encoding, group)).collect(),
    };
    Ok(parts.into())
}

/// The options of a search.
#[derive(Clone, Copy)]
struct Search {
    from_end: bool,
    ignores_case: bool,
}

fn codes(call: &Call<'_>, index: usize, encoding: &Encoding, search: Search) -> Vec<u32> {
    let text = call.str(index);
    let codes = decode(encoding, &text);
    if search.ignores_case { fold_simple(&codes) } else { codes }
}

/// The first or last place of a needle from `offset` on; `None`: the offset is outside.
fn place(haystack: &[u32], needle: &[u32], offset: i64, from_end: bool) -> Option<Option<usize>> {
    let total = haystack.len() as i64;
    if offset > total || offset < -total {
        return None;
    }
    let fits = |at: &usize| haystack[*at..].starts_with(needle);
    let last = haystack.len().saturating_sub(needle.len());
    if needle.len() > haystack.len() {
        return Some(None);
    }
    if !from_end {
        let start = if offset < 0 { total + offset } else { offset } as usize;
        return Some((start..=last).find(fits));
    }
    let (start, end) = match offset {
        0.. => (offset as usize, last),
        _ => (0, last.min((total + offset) as usize)),
    };
    Some((start..=end).rfind(fits))
}

fn position(call: &Call<'_>, search: Search) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 3)?;
    let (haystack, needle) = (codes(call, 0, encoding, search), codes(call, 1, encoding, search));
    match place(&haystack, &needle, call.int(2), search.from_end) {
        None => Err(call.value_error(2, "must be contained in argument #1 ($haystack)")),
        Some(found) => Ok(found.map_or(Val::FALSE, |at| Val::int(at as i64))),
    }
}

fn mb_strpos(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 3)?;
    if encoding.kind == Kind::Utf8 && call.int(2) == 0 {
        return Ok(utf8_position(&call.str(0), &call.str(1)));
    }
    position(call, Search { from_end: false, ignores_case: false })
}

fn mb_strrpos(call: &mut Call<'_>) -> PhpResult<Val> {
    position(call, Search { from_end: true, ignores_case: false })
}

fn mb_stripos(call: &mut Call<'_>) -> PhpResult<Val> {
    position(call, Search { from_end: false, ignores_case: true })
}

fn mb_strripos(call: &mut Call<'_>) -> PhpResult<Val> {
    position(call, Search { from_end: true, ignores_case: true })
}

/// The part before the needle, or from the needle on.
fn part(call: &Call<'_>, search: Search) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 3)?;
    let (haystack, needle) = (codes(call, 0, encoding, search), codes(call, 1, encoding, search));
    let Some(Some(at)) = place(&haystack, &needle, 0, search.from_end) else { return Ok(Val::FALSE) };
    let text = call.str(0);
    Ok(match call.bool(2) {
        true => substring(call, encoding, &text, 0, Some(at as i64)),
        false => substring(call, encoding, &text, at as i64, None),
    })
}

fn mb_strstr(call: &mut Call<'_>) -> PhpResult<Val> {
    part(call, Search { from_end: false, ignores_case: false })
}

fn mb_strrchr(call: &mut Call<'_>) -> PhpResult<Val> {
    part(call, Search { from_end: true, ignores_case: false })
}

fn mb_stristr(call: &mut Call<'_>) -> PhpResult<Val> {
    part(call, Search { from_end: false, ignores_case: true })
}

fn mb_strrichr(call: &mut Call<'_>) -> PhpResult<Val> {
    part(call, Search { from_end: true, ignores_case: true })
}

fn mb_substr_count(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 2)?;
    let exact = Search { from_end: false, ignores_case: false };
    let (haystack, needle) = (codes(call, 0, encoding, exact), codes(call, 1, encoding, exact));
    if needle.is_empty() {
        return Err(call.value_error(1, "must not be empty"));
    }
    let (mut count, mut at) = (0, 0);
    while at + needle.len() <= haystack.len() {
        if haystack[at..].starts_with(&needle) {
            count += 1;
            at += needle.len();
        } else {
            at += 1;
        }
    }
    Ok(Val::int(count))
}

/// A part by bytes that begins and ends between characters.
/// Whole units, without the first half of a pair at the end; a mark of the byte order is skipped.
fn cut_utf16(text: &[u8], start: usize, length: usize, order: Order) -> &[u8] {
    let (start, order) = match (order, text) {
        (Order::Marked, _) if length < 2 => return b"",
        (Order::Marked, [0xFF, 0xFE, ..]) => (start.max(2), Order::Little),
        (Order::Marked, [0xFE, 0xFF, ..]) => (start.max(2), Order::Big),
        _ => (start, order),
    };
    let length = length.min(text.len().saturating_sub(start));
    let cut = text.get(start & !1..).unwrap_or_default();
    let cut = &cut[..(length & !1).min(cut.len())];
    match cut {
        [rest @ .., high, _] if order != Order::Little && (0xD8..=0xDB).contains(high) => rest,
        [rest @ .., _, high] if order == Order::Little && (0xD8..=0xDB).contains(high) => rest,
        _ => cut,
    }
}

fn mb_strcut(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 3)?;
    let text = call.str(0);
    let total = text.len() as i64;
    let mut start = call.int(1);
    let mut length = call.opt_int(2).unwrap_or(total);
    if start < 0 {
        start = (total + start).max(0);
    }
    if length < 0 {
        length = (total - start + length).max(0);
    }
    if start > total {
        return Ok("".into());
    }
    let end = start.saturating_add(length).min(total) as usize;
    let start = start as usize;
    if let Kind::Utf16(order) = encoding.kind {
        return Ok(cut_utf16(&text, start, length as usize, order).into());
    }
    let characters = match encoding.kind {
        Kind::MultiByte(set) if set.is_told_by_lead() => Some(ranges(&text, |lead| set.lead_width(lead))),
        _ => split(encoding, &text),
    };
    if let Some(characters) = characters {
        let floor = |at: usize| match at {
            at if at >= text.len() => text.len(),
            at => characters.iter().map(|bytes| bytes.start).take_while(|&start| start <= at).last().unwrap_or(0),
        };
        let begin = floor(start);
        let end = begin.saturating_add(length as usize).min(text.len());
        return Ok(text[begin..floor(end).max(begin)].into());
    }
    // Texts in other encodings are cut after as many characters as fit.
    let codes = decode(encoding, &text);
    let size = |count: usize| encode(encoding, &codes[..count], substitute(call.vm)).0.len();
    let fitting = |limit: usize, from: usize| {
        (from..=codes.len()).take_while(|&count| size(count) <= limit).last().unwrap_or(from)
    };
    let first = fitting(start, 0);
    let room = end - start;
    let last = (first..=codes.len())
        .take_while(|&last| encode(encoding, &codes[first..last], substitute(call.vm)).0.len() <= room)
        .last();
    Ok(encoded(call.vm, encoding, &codes[first..last.unwrap_or(first)]))
}

fn mb_strwidth(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 1)?;
    Ok(Val::int(decode(encoding, &call.str(0)).into_iter().map(width).sum()))
}

fn mb_strimwidth(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 4)?;
    let codes = decode(encoding, &call.str(0));
    let marker = decode(encoding, &call.str(3));
    let total = codes.len() as i64;
    let (mut from, mut room) = (call.int(1), call.int(2));
    if from < 0 {
        from += total;
        if from < 0 {
            return Err(call.value_error(1, "is out of range"));
        }
    }
    if from > total {
        return Err(call.value_error(1, "is out of range"));
    }
    if room < 0 {
        let text = b"passing a negative integer to argument #3 ($width) is deprecated";
        call.raise(phlox_runtime::Level::Deprecated, text)?;
        let rest = codes.iter().skip(from as usize);
        room += rest.map(|&code| width(code)).sum::<i64>();
        if room < 0 {
            return Err(call.value_error(2, "is out of range"));
        }
    }
    let rest = &codes[from as usize..];
    let fits = |room: i64| {
        let mut used = 0;
        rest.iter().take_while(|&&code| (used += width(code), used <= room).1).count()
    };
    if fits(room) == rest.len() {
        return Ok(encoded(call.vm, encoding, rest));
    }
    let marker_width: i64 = marker.iter().map(|&code| width(code)).sum();
    let kept = if marker_width > room { 0 } else { fits(room - marker_width) };
    let mut shown = rest[..kept].to_vec();
    shown.extend_from_slice(&marker);
    Ok(encoded(call.vm, encoding, &shown))
}

/// White space of Unicode, with the separator that once was some.
const SPACES: &[u32] = &[
    0x20, 0x0C, 0x0A, 0x0D, 0x09, 0x0B, 0x00, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006,
    0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x85, 0x180E,
];

fn trim(call: &Call<'_>, left: bool, right: bool) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 2)?;
    let text = call.str(0);
    let codes = decode(encoding, &text);
    let given = call.opt_str(1).map(|characters| decode(encoding, &characters));
    let trimmed = given.as_deref().unwrap_or(SPACES);
    let is_kept = |code: &u32| !trimmed.contains(code);
    let start = if left { codes.iter().position(is_kept).unwrap_or(codes.len()) } else { 0 };
    let end = if right { codes.iter().rposition(is_kept).map_or(start, |last| last + 1) } else { codes.len() };
    if start == 0 && end == codes.len() {
        return Ok(text.into());
    }
    Ok(substring(call, encoding, &text, start as i64, Some(end.saturating_sub(start) as i64)))
}

fn mb_trim(call: &mut Call<'_>) -> PhpResult<Val> {
    trim(call, true, true)
}

fn mb_ltrim(call: &mut Call<'_>) -> PhpResult<Val> {
    trim(call, true, false)
}

fn mb_rtrim(call: &mut Call<'_>) -> PhpResult<Val> {
    trim(call, false, true)
}

/// Encodings whose characters have no code points.
fn requires_code_points(call: &Call<'_>, encoding: &Encoding) -> PhpResult<()> {
    let is_transfer = !encoding.has_characters() && !matches!(encoding.kind, Kind::SevenBit | Kind::EightBit);
    let unsupported = matches!(encoding.name, "CP50220" | "CP50221" | "CP50222" | "UTF-7" | "UTF7-IMAP")
        || encoding.name.starts_with("ISO-2022-JP")
        || encoding.name == "JIS";
    if !is_transfer && !unsupported {
        return Ok(());
    }
    let name = encoding.name;
    let function = phlox_runtime::shown(&call.func.display_name()).into_owned();
    Err(call.vm.throw_value_error(format!("{function}() does not support the \"{name}\" encoding").as_bytes()))
}

fn mb_ord(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    if text.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let encoding = encoding_argument(call, 1)?;
    requires_code_points(call, encoding)?;
    match decode(encoding, &text[..text.len().min(16)]).first() {
        Some(&BAD) | None => Ok(Val::FALSE),
        Some(&code) => Ok(Val::int(code as i64)),
    }
}

fn mb_chr(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 1)?;
    requires_code_points(call, encoding)?;
    let Ok(code) = u32::try_from(call.int(0)) else { return Ok(Val::FALSE) };
    let is_unicode = code <= 0x10FFFF && !(0xD800..0xE000).contains(&code);
    if encoding.is_unicode() && !is_unicode {
        return Ok(Val::FALSE);
    }
    let (text, missing) = encode(encoding, &[code], substitute(call.vm));
    Ok(if missing > 0 { Val::FALSE } else { text.into() })
}

fn mb_str_pad(call: &mut Call<'_>) -> PhpResult<Val> {
    let encoding = encoding_argument(call, 4)?;
    let (text, wanted, padding, side) = (call.str(0), call.int(1), call.str(2), call.int(3));
    let present = length(encoding, &text) as i64;
    if wanted < 0 || wanted <= present {
        return Ok(text.into());
    }
    if padding.is_empty() {
        return Err(call.value_error(2, "must not be empty"));
    }
    if !(0..=2).contains(&side) {
        return Err(call.value_error(3, "must be STR_PAD_LEFT, STR_PAD_RIGHT, or STR_PAD_BOTH"));
    }
    let padding = decode(encoding, &padding);
    let missing = (wanted - present) as usize;
    // memory_limit is checked before the code points, which it does not count, are allocated.
    let codes_size = missing.saturating_mul(size_of::<u32>()).min(isize::MAX as usize);
    heap::charge(codes_size);
    heap::discharge(codes_size);
    let left = match side {
        0 => missing,
        2 => missing / 2,
        _ => 0,
    };
    let fill = |count: usize| -> Vec<u8> {
        let codes: Vec<u32> = padding.iter().copied().cycle().take(count).collect();
        encode_text(call.vm, encoding, &codes)
    };
    Ok([&fill(left)[..], &text, &fill(missing - left)].concat().into())
}
