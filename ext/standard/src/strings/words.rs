//! Trimming, padding, wrapping, and taking strings apart and together.

use super::search::find_all;
use phlox_runtime::room::require_room;
use phlox_runtime::{Call, DataKey, FnDef, Key, PhpArr, PhpResult, PhpStr, StrBuilder, Val, View, Vm, convert};
use std::cell::RefCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "trim(string $string, #[written('\" \\n\\r\\t\\v\\x00\"')] string $characters = \" \\n\\r\\t\\v\\0\"): string",
        trim,
    )
    .fast_path(|args| without_space(args, true, true)),
    FnDef::new(
        "rtrim(string $string, #[written('\" \\n\\r\\t\\v\\x00\"')] string $characters = \" \\n\\r\\t\\v\\0\"): string",
        rtrim,
    )
    .fast_path(|args| without_space(args, false, true)),
    FnDef::new(
        "chop(string $string, #[written('\" \\n\\r\\t\\v\\x00\"')] string $characters = \" \\n\\r\\t\\v\\0\"): string",
        rtrim,
    )
    .fast_path(|args| without_space(args, false, true)),
    FnDef::new(
        "ltrim(string $string, #[written('\" \\n\\r\\t\\v\\x00\"')] string $characters = \" \\n\\r\\t\\v\\0\"): string",
        ltrim,
    )
    .fast_path(|args| without_space(args, true, false)),
    FnDef::new("explode(string $separator, string $string, int $limit = PHP_INT_MAX): array", explode)
        .fast_path(explode_quick),
    FnDef::new("implode(string|array $separator, ?array $array = null): string", implode).fast_path(implode_quick),
    FnDef::new("join(string|array $separator, ?array $array = null): string", implode).fast_path(implode_quick),
    FnDef::new("strtok(string $string, ?string $token = null): string|false", strtok).fast_path(|args| {
        let state = Vm::current()?.keyed(&TOKENS);
        match args {
            [text, separators] => {
                let separators = separators.as_str()?;
                state.place.replace(Some((text.as_str()?.clone(), 0)));
                next_token(&state, separators)
            }
            [separators] => next_token(&state, separators.as_str()?),
            _ => None,
        }
    }),
    FnDef::new("str_split(string $string, int $length = 1): array", str_split).fast_path(|args| match args {
        [text] => Some(pieces(text.as_str()?, 1).into()),
        [text, length] => {
            Some(pieces(text.as_str()?, usize::try_from(length.as_int()?).ok().filter(|&l| l > 0)?).into())
        }
        _ => None,
    }),
    FnDef::new("chunk_split(string $string, int $length = 76, string $separator = \"\\r\\n\"): string", chunk_split),
    FnDef::new(
        "wordwrap(string $string, int $width = 75, string $break = \"\\n\", bool $cut_long_words = false): string",
        wordwrap,
    ),
    FnDef::new(
        "str_pad(string $string, int $length, string $pad_string = \" \", int $pad_type = STR_PAD_RIGHT): string",
        str_pad,
    )
    .fast_path(str_pad_quick),
    FnDef::new("str_repeat(string $string, int $times): string", str_repeat).fast_path(str_repeat_quick),
    FnDef::new("strrev(string $string): string", strrev).fast_path(|args| Some(reversed(args.first()?.as_str()?))),
    FnDef::new(
        "str_word_count(string $string, int $format = 0, ?string $characters = null): array|int",
        str_word_count,
    ),
    FnDef::new("count_chars(string $string, int $mode = 0): array|string", count_chars),
    FnDef::new("nl2br(string $string, bool $use_xhtml = true): string", nl2br).fast_path(|args| match args {
        [text] => Some(with_line_breaks(text.as_str()?, b"<br />")),
        _ => None,
    }),
];

/// The set of bytes of a character list with `a..z` ranges; malformed ranges warn and stand for themselves.
pub fn char_mask(call: &Call<'_>, list: &[u8]) -> PhpResult<[bool; 256]> {
    let mut mask = [false; 256];
    let mut at = 0;
    while at < list.len() {
        let byte = list[at];
        if list[at + 1..].starts_with(b"..") && list.get(at + 3).is_some_and(|&end| end >= byte) {
            mask[byte as usize..=list[at + 3] as usize].fill(true);
            at += 4;
            continue;
        }
        if list[at..].starts_with(b"..") {
            let problem = if at == 0 {
                "no character to the left of '..'"
            } else if at + 2 >= list.len() {
                "no character to the right of '..'"
            } else if list[at - 1] > list[at + 2] {
                "'..'-range needs to be incrementing"
            } else {
                ""
            };
            let separator = if problem.is_empty() { "" } else { ", " };
            call.warning(&format!("Invalid '..'-range{separator}{problem}"))?;
        }
        mask[byte as usize] = true;
        at += 1;
    }
    Ok(mask)
}

fn trimmed(call: &Call<'_>, left: bool, right: bool) -> PhpResult<Val> {
    let text = call.str(0);
    let mask = char_mask(call, &call.str(1))?;
    let start = if left { text.iter().position(|&b| !mask[b as usize]).unwrap_or(text.len()) } else { 0 };
    let end =
        if right { text.iter().rposition(|&b| !mask[b as usize]).map_or(start, |last| last + 1) } else { text.len() };
    if start == 0 && end == text.len() {
        return Ok(text.into());
    }
    Ok(Val::str(&text[start..end.max(start)]))
}

/// Fast path of the trim functions with the default characters, or a short list without ranges.
fn without_space(args: &[Val], left: bool, right: bool) -> Option<Val> {
    match args {
        [text] => {
            let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0);
            Some(without(text.as_str()?, is_space, left, right))
        }
        [text, list] => {
            let list = list.as_str()?;
            match list.as_bytes() {
                [only] => Some(without(text.as_str()?, |byte| byte == only, left, right)),
                // A list with dots may contain ranges.
                list if list.len() <= 8 && !list.contains(&b'.') => {
                    Some(without(text.as_str()?, |byte| list.contains(byte), left, right))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The text without the bytes of a set at its ends.
#[inline]
fn without(text: &PhpStr, is_space: impl Fn(&u8) -> bool, left: bool, right: bool) -> Val {
    let mut rest = text.as_bytes();
    while let (true, [first, tail @ ..]) = (left, rest)
        && is_space(first)
    {
        rest = tail;
    }
    while let (true, [head @ .., last]) = (right, rest)
        && is_space(last)
    {
        rest = head;
    }
    if rest.len() == text.len() { text.into() } else { Val::str(rest) }
}

fn trim(call: &mut Call<'_>) -> PhpResult<Val> {
    trimmed(call, true, true)
}

fn rtrim(call: &mut Call<'_>) -> PhpResult<Val> {
    trimmed(call, false, true)
}

fn ltrim(call: &mut Call<'_>) -> PhpResult<Val> {
    trimmed(call, true, false)
}

fn explode(call: &mut Call<'_>) -> PhpResult<Val> {
    let (separator, text, limit) = (call.str(0), call.str(1), call.int(2));
    if separator.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if text.is_empty() {
        let empty = if limit >= 0 { vec![PhpStr::empty().into()] } else { Vec::new() };
        return Ok(PhpArr::from_vec(empty).into());
    }
    let most = if limit > 1 {
        limit as usize - 1
    } else if limit < 0 {
        usize::MAX
    } else {
        0
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in find_all(&text, &separator).take(most) {
        pieces.push(Val::str(&text[start..at]));
        start = at + separator.len();
    }
    pieces.push(if start == 0 { text.into() } else { Val::str(&text[start..]) });
    if limit < 0 {
        pieces.truncate(pieces.len().saturating_sub(limit.unsigned_abs() as usize));
    }
    Ok(PhpArr::from_vec(pieces).into())
}

fn explode_quick(args: &[Val]) -> Option<Val> {
    // Below this length a plain search is faster than preparing one for long texts.
    const SHORT: usize = 64;
    const SHORT_PIECE: usize = 24;
    let [separator, text] = args else { return None };
    let (separator, text) = (separator.as_str()?, text.as_str()?);
    let mut start = 0;
    let mut pieces = match separator.as_bytes() {
        [] => return None,
        [byte] if text.len() < SHORT => {
            let count = text.iter().filter(|other| *other == byte).count();
            if count == 0 {
                return Some(PhpArr::list(1, std::iter::once(text.into())).into());
            }
            return Some(PhpArr::list(count + 1, text.split(|other| other == byte).map(Val::str)).into());
        }
        [byte] => {
            let count = memchr::memchr_iter(*byte, text).count();
            let mut pieces = PhpArr::with_capacity(count + 1);
            // Between short pieces a search takes longer than looking at each byte.
            if count > text.len() / SHORT_PIECE {
                for (at, other) in text.iter().enumerate() {
                    if other == byte {
                        let _ = pieces.push(Val::str(&text[start..at]));
                        start = at + 1;
                    }
                }
                let _ = pieces.push(Val::str(&text[start..]));
                return Some(pieces.into());
            }
            for at in memchr::memchr_iter(*byte, text) {
                let _ = pieces.push(Val::str(&text[start..at]));
                start = at + 1;
            }
            pieces
        }
        separator => {
            let mut pieces = PhpArr::with_capacity(0);
            for at in find_all(text, separator) {
                let _ = pieces.push(Val::str(&text[start..at]));
                start = at + separator.len();
            }
            pieces
        }
    };
    let _ = pieces.push(if start == 0 { text.into() } else { Val::str(&text[start..]) });
    Some(pieces.into())
}

/// Fast path of `implode` for strings and integers.
fn implode_quick(args: &[Val]) -> Option<Val> {
    let (glue, pieces): (&[u8], &PhpArr) = match args {
        [glue, pieces] => (glue.as_str()?, pieces.as_arr()?),
        [pieces] => (b"", pieces.as_arr()?),
        _ => return None,
    };
    if pieces.len() < 2 {
        let Some(only) = pieces.values().next() else { return Some(PhpStr::empty().into()) };
        return match only.view() {
            View::Str(text) => Some(text.into()),
            View::Int(int) => Some(convert::int_to_str(int).into()),
            _ => None,
        };
    }
    let mut total = glue.len() * (pieces.len() - 1);
    for piece in pieces.values() {
        match piece.as_str() {
            Some(text) => total += text.len(),
            None => return joined_scalars(glue, pieces),
        }
    }
    Some(joined(total, glue, pieces.values().filter_map(Val::as_str)).into())
}

/// Strings and integers with `glue` between them; `None` if there are other values.
fn joined_scalars(glue: &[u8], pieces: &PhpArr) -> Option<Val> {
    let mut out = StrBuilder::new();
    for (index, piece) in pieces.values().enumerate() {
        if index > 0 {
            out.extend_from_slice(glue);
        }
        match piece.view() {
            View::Str(text) => out.extend_from_slice(text),
            View::Int(int) => out.extend_from_slice(convert::int_digits(int, &mut [0; 20])),
            _ => return None,
        }
    }
    Some(out.into())
}

/// Strings with `glue` between them, `total` bytes in all.
fn joined<'a>(total: usize, glue: &[u8], mut texts: impl Iterator<Item = &'a PhpStr>) -> PhpStr {
    PhpStr::fill(total, |out| {
        if let Some(first) = texts.next() {
            out.put(first);
        }
        texts.for_each(|text| {
            out.put(glue);
            out.put(text);
        });
    })
}

fn implode(call: &mut Call<'_>) -> PhpResult<Val> {
    let first = call.arg(0);
    let (glue, pieces) = match (first.view(), call.opt_arr(1)) {
        (View::Arr(pieces), None) => (PhpStr::empty(), pieces.clone()),
        (View::Arr(_), Some(_)) => return Err(call.type_error(0, "must be of type string, array given")),
        (_, Some(pieces)) => (call.str(0), pieces),
        (_, None) => {
            let function = &call.func.name;
            let text = "(): If argument #1 ($separator) is of type string, argument #2 ($array) must be of type array, null given";
            return Err(call.vm.throw_type_error(&[function, text.as_bytes()].concat()));
        }
    };
    Ok(join_values(call, &glue, &pieces)?.into())
}

/// All elements as strings with `glue` between them.
pub fn join_values(call: &Call<'_>, glue: &[u8], pieces: &PhpArr) -> PhpResult<PhpStr> {
    if pieces.len() == 1
        && let Some(only) = pieces.values().next()
    {
        return convert::to_str(call.vm, only);
    }
    let texts: Vec<PhpStr> = pieces.values().map(|piece| convert::to_str(call.vm, piece)).collect::<PhpResult<_>>()?;
    let total = texts.iter().map(|text| text.len()).sum::<usize>() + glue.len() * texts.len().saturating_sub(1);
    Ok(joined(total, glue, texts.iter()))
}

/// The state of `strtok`: the string and the position behind the last token.
#[derive(Default)]
struct TokenState {
    place: RefCell<Option<(PhpStr, usize)>>,
}

static TOKENS: DataKey<TokenState> = DataKey::new();

fn strtok(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = call.vm.keyed(&TOKENS);
    let separators = match call.opt_str(1) {
        Some(separators) => {
            state.place.replace(Some((call.str(0), 0)));
            separators
        }
        None => call.str(0),
    };
    match next_token(&state, &separators) {
        Some(token) => Ok(token),
        None => {
            call.warning("Both arguments must be provided when starting tokenization")?;
            Ok(Val::FALSE)
        }
    }
}

/// The next token; false if there is none. `None`: there is no string.
fn next_token(state: &TokenState, separators: &[u8]) -> Option<Val> {
    let (text, position) = state.place.take()?;
    if position >= text.len() {
        state.place.replace(Some((text, position)));
        return Some(Val::FALSE);
    }
    let is_separator = |byte: &u8| separators.contains(byte);
    let Some(start) = text[position..].iter().position(|b| !is_separator(b)).map(|skip| position + skip) else {
        return Some(Val::FALSE);
    };
    let end = text[start..].iter().position(is_separator).map_or(text.len(), |len| start + len);
    let token = Val::str(&text[start..end]);
    state.place.replace(Some((text, end + 1)));
    Some(token)
}

fn str_split(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, length) = (call.str(0), call.int(1));
    if length <= 0 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    Ok(pieces(&text, length as usize).into())
}

/// The text cut into pieces of a length.
fn pieces(text: &[u8], length: usize) -> PhpArr {
    match length {
        1 => text.iter().map(|byte| Val::str(&[*byte])).collect(),
        _ => text.chunks(length).map(Val::str).collect(),
    }
}

fn chunk_split(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, length, separator) = (call.str(0), call.int(1), call.str(2));
    if length < 1 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    if length as usize > text.len() {
        return Ok(PhpStr::concat(&[&text, &separator]).into());
    }
    let size = text.len() + (text.len() / length as usize + 1).saturating_mul(separator.len());
    require_room(size);
    let mut out = Vec::with_capacity(size);
    for chunk in text.chunks(length as usize) {
        out.extend_from_slice(chunk);
        out.extend_from_slice(&separator);
    }
    Ok(out.into())
}

fn wordwrap(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, width, line_break, cut) = (call.str(0), call.int(1), call.str(2), call.bool(3));
    if text.is_empty() {
        return Ok(text.into());
    }
    if line_break.is_empty() {
        return Err(call.value_error(2, "must not be empty"));
    }
    if width == 0 && cut {
        return Err(call.value_error(3, "cannot be true when argument #2 ($width) is 0"));
    }
    Ok(wrap(&text, width.max(0) as usize, &line_break, cut).into())
}

fn wrap(text: &[u8], width: usize, line_break: &[u8], cut: bool) -> Vec<u8> {
    let size = text.len() + (text.len() / width.max(1)).saturating_mul(line_break.len());
    require_room(size);
    let mut out = Vec::with_capacity(size);
    // Start of the line, and of what follows the last space on it.
    let (mut line, mut space) = (0, 0);
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(line_break) {
            out.extend_from_slice(&text[line..at + line_break.len()]);
            at += line_break.len() - 1;
            line = at + 1;
            space = line;
        } else if text[at] == b' ' {
            if at - line >= width {
                out.extend_from_slice(&text[line..at]);
                out.extend_from_slice(line_break);
                line = at + 1;
            }
            space = at;
        } else if at - line >= width && cut && line >= space {
            out.extend_from_slice(&text[line..at]);
            out.extend_from_slice(line_break);
            line = at;
            space = at;
        } else if at - line >= width && line < space {
            out.extend_from_slice(&text[line..space]);
            out.extend_from_slice(line_break);
            line = space + 1;
            space = line;
        }
        at += 1;
    }
    out.extend_from_slice(&text[line.min(text.len())..]);
    out
}

const PAD_LEFT: i64 = 0;
const PAD_RIGHT: i64 = 1;
const PAD_BOTH: i64 = 2;

fn str_pad(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, length, pad, kind) = (call.str(0), call.int(1), call.str(2), call.int(3));
    if length < 0 || length as usize <= text.len() {
        return Ok(text.into());
    }
    if pad.is_empty() {
        return Err(call.value_error(2, "must not be empty"));
    }
    if !(PAD_LEFT..=PAD_BOTH).contains(&kind) {
        return Err(call.value_error(3, "must be STR_PAD_LEFT, STR_PAD_RIGHT, or STR_PAD_BOTH"));
    }
    Ok(padded(&text, length as usize, &pad, kind))
}

fn str_pad_quick(args: &[Val]) -> Option<Val> {
    let (text, length) = (args.first()?.as_str()?, args.get(1)?.as_int()?);
    if length < 0 || length as usize <= text.len() {
        return Some(text.into());
    }
    let pad: &[u8] = match args.get(2) {
        None => b" ",
        Some(pad) => pad.as_str()?,
    };
    let kind = match args.get(3) {
        None => PAD_RIGHT,
        Some(kind) => kind.as_int()?,
    };
    let valid = !pad.is_empty() && (PAD_LEFT..=PAD_BOTH).contains(&kind);
    valid.then(|| padded(text, length as usize, pad, kind))
}

/// A text filled up to a length greater than its own.
fn padded(text: &[u8], length: usize, pad: &[u8], kind: i64) -> Val {
    let missing = length - text.len();
    let left = match kind {
        PAD_LEFT => missing,
        PAD_BOTH => missing / 2,
        _ => 0,
    };
    PhpStr::build(length, |out| {
        let (head, rest) = out.split_at_mut(left);
        let (body, tail) = rest.split_at_mut(text.len());
        body.copy_from_slice(text);
        for part in [head, tail] {
            match pad {
                [byte] => part.fill(*byte),
                _ => part.iter_mut().zip(pad.iter().cycle()).for_each(|(to, from)| *to = *from),
            }
        }
    })
    .into()
}

fn str_repeat_quick(args: &[Val]) -> Option<Val> {
    let [text, times] = args else { return None };
    let (text, times) = (text.as_str()?, usize::try_from(times.as_int()?).ok()?);
    Some(repeated(text, text.len().checked_mul(times)?).into())
}

/// The text over and over, `total` bytes.
fn repeated(text: &PhpStr, total: usize) -> PhpStr {
    PhpStr::build(total, |out| match text.as_bytes() {
        [] => {}
        [byte] => out.fill(*byte),
        bytes => {
            // The filled part is copied behind itself, which doubles it each time.
            let mut done = bytes.len().min(total);
            out[..done].copy_from_slice(&bytes[..done]);
            while done < total {
                let more = done.min(total - done);
                out.copy_within(..more, done);
                done += more;
            }
        }
    })
}

fn str_repeat(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, times) = (call.str(0), call.int(1));
    if times < 0 {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    }
    if text.is_empty() || times == 0 {
        return Ok(PhpStr::empty().into());
    }
    let Some(total) = text.len().checked_mul(times as usize) else {
        return Err(call.vm.fatal(b"Possible integer overflow in memory allocation"));
    };
    Ok(repeated(&text, total).into())
}

fn strrev(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(reversed(&call.str(0)))
}

fn reversed(text: &PhpStr) -> Val {
    if text.len() < 2 {
        return text.into();
    }
    PhpStr::build(text.len(), |out| out.iter_mut().zip(text.iter().rev()).for_each(|(to, from)| *to = *from)).into()
}

fn str_word_count(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, format) = (call.str(0), call.int(1));
    if !(0..=2).contains(&format) {
        return Err(call.value_error(1, "must be a valid format value"));
    }
    if text.is_empty() {
        return Ok(if format == 0 { Val::int(0) } else { PhpArr::new().into() });
    }
    let extra = match call.opt_str(2).filter(|list| !list.is_empty()) {
        Some(list) => char_mask(call, &list)?,
        None => [false; 256],
    };
    let mut words = PhpArr::new();
    let mut count = 0;
    // A word does not begin with an apostrophe or a hyphen, nor does the last one end with a hyphen,
    // unless the list of extra letters has them.
    let skip_start = text.iter().take_while(|&&b| b == b'\'' && !extra[39] || b == b'-' && !extra[45]).take(1).count();
    let end = if text.last() == Some(&b'-') && !extra[45] { text.len() - 1 } else { text.len() };
    let in_word = |byte: u8| byte.is_ascii_alphabetic() || extra[byte as usize] || byte == b'\'' || byte == b'-';
    let mut at = skip_start.min(end);
    while at < end {
        let length = text[at..end].iter().take_while(|&&b| in_word(b)).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let word = Val::str(&text[at..at + length]);
        match format {
            1 => drop(words.push(word)),
            2 => drop(words.insert(Key::Int(at as i64), word)),
            _ => count += 1,
        }
        at += length;
    }
    Ok(if format == 0 { Val::int(count) } else { words.into() })
}

fn count_chars(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, mode) = (call.str(0), call.int(1));
    if !(0..=4).contains(&mode) {
        return Err(call.value_error(1, "must be between 0 and 4 (inclusive)"));
    }
    let mut counts = [0i64; 256];
    text.iter().for_each(|&byte| counts[byte as usize] += 1);
    let wanted = |count: i64| match mode {
        0 => true,
        1 | 3 => count > 0,
        _ => count == 0,
    };
    let chosen = (0..256).filter(|&byte| wanted(counts[byte]));
    if mode >= 3 {
        return Ok(chosen.map(|byte| byte as u8).collect::<Vec<u8>>().into());
    }
    let mut table = PhpArr::new();
    for byte in chosen {
        table.insert(Key::Int(byte as i64), Val::int(counts[byte]));
    }
    Ok(table.into())
}

fn nl2br(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with_line_breaks(&call.str(0), if call.bool(1) { b"<br />" } else { b"<br>" }))
}

/// The text with a tag before every end of a line.
fn with_line_breaks(text: &PhpStr, tag: &[u8]) -> Val {
    let mut out = StrBuilder::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text[at..].iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        at += found;
        out.extend_from_slice(&text[copied..at]);
        out.extend_from_slice(tag);
        copied = at;
        at += if let [b'\r', b'\n', ..] | [b'\n', b'\r', ..] = &text[at..] { 2 } else { 1 };
    }
    if copied == 0 && out.is_empty() {
        return text.into();
    }
    out.extend_from_slice(&text[copied..]);
    out.into()
}
