//! The `mb_ereg` functions: regular expressions of the Oniguruma library over texts in any of its encodings.

use crate::encoding::{self, Encoding, find};
use onig::{EncodedBytes, MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};
use phlox_runtime::ini::{IniAccess, IniQuantity};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, Vm, convert};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Limits of the matcher's stack and of its retries in a search; 0 is no limit.
pub static STACK_LIMIT: IniQuantity = IniQuantity::new("mbstring.regex_stack_limit", "100000", IniAccess::All);
pub static RETRY_LIMIT: IniQuantity = IniQuantity::new("mbstring.regex_retry_limit", "1000000", IniAccess::All);

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("mb_regex_encoding(?string $encoding = null): string|bool", mb_regex_encoding),
    FnDef::new("mb_ereg(string $pattern, string $string, &$matches = null): bool", mb_ereg),
    FnDef::new("mb_eregi(string $pattern, string $string, &$matches = null): bool", mb_eregi),
    FnDef::new(
        "mb_ereg_replace(string $pattern, string $replacement, string $string, ?string $options = null): \
         string|false|null",
        mb_ereg_replace,
    ),
    FnDef::new(
        "mb_eregi_replace(string $pattern, string $replacement, string $string, ?string $options = null): \
         string|false|null",
        mb_eregi_replace,
    ),
    FnDef::new(
        "mb_ereg_replace_callback(string $pattern, callable $callback, string $string, ?string $options = null): \
         string|false|null",
        mb_ereg_replace_callback,
    ),
    FnDef::new("mb_split(string $pattern, string $string, int $limit = -1): array|false", mb_split),
    FnDef::new("mb_ereg_match(string $pattern, string $string, ?string $options = null): bool", mb_ereg_match),
    FnDef::new("mb_ereg_search(?string $pattern = null, ?string $options = null): bool", mb_ereg_search),
    FnDef::new("mb_ereg_search_pos(?string $pattern = null, ?string $options = null): array|false", mb_ereg_search_pos),
    FnDef::new(
        "mb_ereg_search_regs(?string $pattern = null, ?string $options = null): array|false",
        mb_ereg_search_regs,
    ),
    FnDef::new(
        "mb_ereg_search_init(string $string, ?string $pattern = null, ?string $options = null): bool",
        mb_ereg_search_init,
    ),
    FnDef::new("mb_ereg_search_getregs(): array|false", mb_ereg_search_getregs),
    FnDef::new("mb_ereg_search_getpos(): int", mb_ereg_search_getpos),
    FnDef::new("mb_ereg_search_setpos(int $offset): bool", mb_ereg_search_setpos),
    FnDef::new("mb_regex_set_options(?string $options = null): string", mb_regex_set_options),
];

/// A library's encoding, by its names; the first is the one shown.
struct RegexEncoding {
    names: &'static [&'static str],
    library: fn() -> onig_sys::OnigEncoding,
}

macro_rules! encodings {
    ($($library:ident: $($name:literal),+;)+) => {
        &[$(RegexEncoding { names: &[$($name),+], library: || &raw mut onig_sys::$library }),+]
    };
}

static ENCODINGS: &[RegexEncoding] = encodings! {
    OnigEncodingUTF8: "UTF-8", "UTF8";
    OnigEncodingEUC_JP: "EUC-JP", "EUCJP", "X-EUC-JP", "UJIS", "EUCJP-WIN";
    OnigEncodingUTF16_BE: "UTF-16", "UTF-16BE";
    OnigEncodingUTF16_LE: "UTF-16LE";
    OnigEncodingUTF32_BE: "UCS-4", "UTF-32", "UTF-32BE";
    OnigEncodingUTF32_LE: "UCS-4LE", "UTF-32LE";
    OnigEncodingSJIS: "SJIS", "CP932", "MS932", "SHIFT_JIS", "SJIS-WIN", "WINDOWS-31J";
    OnigEncodingBIG5: "BIG5", "BIG-5", "BIGFIVE", "CN-BIG5", "BIG-FIVE";
    OnigEncodingEUC_CN: "EUC-CN", "EUCCN", "EUC_CN", "GB-2312", "GB2312";
    OnigEncodingEUC_TW: "EUC-TW", "EUCTW", "EUC_TW";
    OnigEncodingEUC_KR: "EUC-KR", "EUCKR", "EUC_KR";
    OnigEncodingKOI8_R: "KOI8R", "KOI8-R", "KOI-8R";
    OnigEncodingISO_8859_1: "ISO-8859-1", "ISO8859-1";
    OnigEncodingISO_8859_2: "ISO-8859-2", "ISO8859-2";
    OnigEncodingISO_8859_3: "ISO-8859-3", "ISO8859-3";
    OnigEncodingISO_8859_4: "ISO-8859-4", "ISO8859-4";
    OnigEncodingISO_8859_5: "ISO-8859-5", "ISO8859-5";
    OnigEncodingISO_8859_6: "ISO-8859-6", "ISO8859-6";
    OnigEncodingISO_8859_7: "ISO-8859-7", "ISO8859-7";
    OnigEncodingISO_8859_8: "ISO-8859-8", "ISO8859-8";
    OnigEncodingISO_8859_9: "ISO-8859-9", "ISO8859-9";
    OnigEncodingISO_8859_10: "ISO-8859-10", "ISO8859-10";
    OnigEncodingISO_8859_13: "ISO-8859-13", "ISO8859-13";
    OnigEncodingISO_8859_14: "ISO-8859-14", "ISO8859-14";
    OnigEncodingISO_8859_15: "ISO-8859-15", "ISO8859-15";
    OnigEncodingISO_8859_16: "ISO-8859-16", "ISO8859-16";
    OnigEncodingASCII: "ASCII", "US-ASCII", "US_ASCII", "ISO646";
};

fn named(name: &[u8]) -> Option<&'static RegexEncoding> {
    ENCODINGS.iter().find(|encoding| encoding.names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name)))
}

/// The letters of syntaxes in options.
const SYNTAXES: [(u8, fn() -> &'static Syntax); 8] = [
    (b'j', Syntax::java),
    (b'u', Syntax::gnu_regex),
    (b'g', Syntax::grep),
    (b'c', Syntax::emacs),
    (b'r', Syntax::ruby),
    (b'z', Syntax::perl),
    (b'b', Syntax::posix_basic),
    (b'd', Syntax::posix_extended),
];

/// The letters of the other options, in the order in which they are shown.
const FLAGS: [(u8, RegexOptions); 7] = [
    (b'i', RegexOptions::REGEX_OPTION_IGNORECASE),
    (b'x', RegexOptions::REGEX_OPTION_EXTEND),
    (b'p', RegexOptions::REGEX_OPTION_MULTILINE.union(RegexOptions::REGEX_OPTION_SINGLELINE)),
    (b'm', RegexOptions::REGEX_OPTION_MULTILINE),
    (b's', RegexOptions::REGEX_OPTION_SINGLELINE),
    (b'l', RegexOptions::REGEX_OPTION_FIND_LONGEST),
    (b'n', RegexOptions::REGEX_OPTION_FIND_NOT_EMPTY),
];

/// How a pattern is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Mode {
    flags: u32,
    /// The syntax's letter.
    syntax: u8,
}

impl Mode {
    const DEFAULT: Mode = Mode { flags: FLAGS[2].1.bits(), syntax: b'r' };

    fn parse(vm: &Vm, letters: &[u8]) -> PhpResult<Mode> {
        let mut mode = Mode { flags: 0, syntax: b'r' };
        for &letter in letters {
            if let Some((_, flag)) = FLAGS.iter().find(|(known, _)| *known == letter) {
                mode.flags |= flag.bits();
            } else if SYNTAXES.iter().any(|(known, _)| *known == letter) {
                mode.syntax = letter;
            } else {
                let text = [b"Option \"", &[letter][..], b"\" is not supported"].concat();
                return Err(vm.throw_value_error(&text));
            }
        }
        Ok(mode)
    }

    fn show(self) -> PhpStr {
        let mut left = RegexOptions::from_bits_truncate(self.flags);
        let mut text = Vec::new();
        for (letter, flag) in FLAGS {
            if left.contains(flag) {
                text.push(letter);
                left.remove(flag);
            }
        }
        text.push(self.syntax);
        PhpStr::new(&text)
    }

    fn ignoring_case(self) -> Mode {
        Mode { flags: self.flags | FLAGS[0].1.bits(), ..self }
    }
}

/// A compiled pattern with its encoding.
struct Pattern {
    regex: Regex,
    encoding: &'static RegexEncoding,
}

impl Pattern {
    fn text<'t>(&self, text: &'t [u8]) -> EncodedBytes<'t> {
        EncodedBytes::from_parts(text, (self.encoding.library)())
    }

    /// Looks for a match from a place on; the error is the library's text.
    fn search(&self, vm: &Vm, text: &[u8], from: usize) -> Result<Option<Region>, String> {
        if from > text.len() {
            return Ok(None);
        }
        let mut region = Region::new();
        let found = self.regex.search_with_param(
            self.text(text),
            from,
            text.len(),
            SearchOptions::SEARCH_OPTION_NONE,
            Some(&mut region),
            limits(vm),
        );
        match found {
            Ok(found) => Ok(found.map(|_| region)),
            Err(error) => Err(error.description().to_owned()),
        }
    }

    /// The named groups: of several with one name, the last that matched.
    fn names(&self, region: &Region) -> Vec<(Vec<u8>, usize)> {
        let mut names = Vec::new();
        self.regex.foreach_name(|name, groups| {
            let matched = groups.iter().rev().find(|&&group| region.pos(group as usize).is_some());
            if let Some(&group) = matched.or(groups.last()) {
                names.push((name.as_bytes().to_vec(), group as usize));
            }
            true
        });
        names
    }

    /// Can groups be referred to by number? In a pattern with named groups they cannot.
    fn has_numbers(&self) -> bool {
        self.regex.capture_names_len() == 0
    }
}

fn limits(vm: &Vm) -> MatchParam {
    let mut limits = MatchParam::default();
    if let Ok(stack @ 1..) = u32::try_from(vm.ini.get(&STACK_LIMIT)) {
        limits.set_match_stack_limit(stack);
    }
    if let Ok(retries @ 1..) = u32::try_from(vm.ini.get(&RETRY_LIMIT)) {
        limits.set_retry_limit_in_match(retries);
    }
    limits
}

/// The state of the functions between calls.
struct Searching {
    encoding: Cell<&'static RegexEncoding>,
    mode: Cell<Mode>,
    /// Compiled patterns by their text. A pattern that is compiled for another mode or encoding replaces the old one.
    patterns: RefCell<HashMap<PhpStr, (Mode, Rc<Pattern>)>>,
    pattern: RefCell<Option<Rc<Pattern>>>,
    text: RefCell<Option<PhpStr>>,
    position: Cell<usize>,
    region: RefCell<Option<Region>>,
}

impl Default for Searching {
    fn default() -> Searching {
        Searching {
            encoding: Cell::new(&ENCODINGS[0]),
            mode: Cell::new(Mode::DEFAULT),
            patterns: RefCell::default(),
            pattern: RefCell::default(),
            text: RefCell::default(),
            position: Cell::new(0),
            region: RefCell::default(),
        }
    }
}

fn searching(vm: &Vm) -> Rc<Searching> {
    vm.data::<Searching>("mbstring.regex")
}

/// `mbstring.internal_encoding` is the encoding of patterns, too, where the library has it.
pub fn follow_internal(vm: &Vm, name: &[u8]) {
    if let Some(encoding) = named(name) {
        searching(vm).encoding.set(encoding);
    }
}

fn is_valid(encoding: &RegexEncoding, text: &[u8]) -> bool {
    find(encoding.names[0].as_bytes()).is_none_or(|known: &Encoding| encoding::is_valid(known, text))
}

/// Compiled patterns that are kept; PHP keeps all of a request.
const KEPT: usize = 1024;

fn compile(call: &Call<'_>, pattern: &PhpStr, mode: Mode) -> PhpResult<Option<Rc<Pattern>>> {
    let state = searching(call.vm);
    let encoding = state.encoding.get();
    if !is_valid(encoding, pattern) {
        call.warning(&format!("Pattern is not valid under {} encoding", encoding.names[0]))?;
        return Ok(None);
    }
    if let Some((known_mode, compiled)) = state.patterns.borrow().get(pattern)
        && *known_mode == mode
        && std::ptr::eq(compiled.encoding, encoding)
    {
        return Ok(Some(compiled.clone()));
    }
    let syntax = SYNTAXES.iter().find(|(letter, _)| *letter == mode.syntax).map_or(Syntax::ruby as fn() -> _, |s| s.1);
    let flags = RegexOptions::from_bits_truncate(mode.flags);
    let text = EncodedBytes::from_parts(pattern, (encoding.library)());
    match Regex::with_options_and_encoding(text, flags, syntax()) {
        Ok(regex) => {
            let compiled = Rc::new(Pattern { regex, encoding });
            let mut patterns = state.patterns.borrow_mut();
            if patterns.len() >= KEPT {
                patterns.clear();
            }
            let replaced = patterns.insert(pattern.clone(), (mode, compiled.clone()));
            // A search that uses the replaced pattern cannot be continued.
            if let Some((_, replaced)) = replaced {
                state.pattern.borrow_mut().take_if(|searched| Rc::ptr_eq(searched, &replaced));
            }
            Ok(Some(compiled))
        }
        Err(error) => {
            call.warning(&format!("mbregex compile err: {}", error.description()))?;
            Ok(None)
        }
    }
}

/// The options argument, or what `mb_regex_set_options()` set.
fn mode_argument(call: &Call<'_>, index: usize) -> PhpResult<Mode> {
    match call.opt_str(index) {
        Some(letters) => Mode::parse(call.vm, &letters),
        None => Ok(searching(call.vm).mode.get()),
    }
}

fn mb_regex_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = searching(call.vm);
    let Some(name) = call.opt_str(0) else { return Ok(state.encoding.get().names[0].into()) };
    match named(&name) {
        Some(encoding) => {
            state.encoding.set(encoding);
            Ok(Val::TRUE)
        }
        None => {
            Err(call.value_error(0, &format!("must be a valid encoding, \"{}\" given", crate::state::as_c_text(&name))))
        }
    }
}

fn mb_regex_set_options(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = searching(call.vm);
    let before = state.mode.get();
    if let Some(letters) = call.opt_str(0) {
        state.mode.set(Mode::parse(call.vm, &letters)?);
    }
    Ok(before.show().into())
}

/// The text of a group; false where it did not take part or (unless `empty`) matched nothing.
fn group(text: &[u8], region: &Region, index: usize, empty: bool) -> Val {
    match region.pos(index) {
        Some((start, end)) if start < end || empty && start == end => text.get(start..end).map_or(Val::FALSE, Val::str),
        _ => Val::FALSE,
    }
}

/// All groups, by number and then by name.
fn groups(pattern: &Pattern, text: &[u8], region: &Region, empty: bool) -> PhpArr {
    let mut groups: PhpArr = (0..region.len()).map(|index| group(text, region, index, empty)).collect();
    for (name, index) in pattern.names(region) {
        groups.set_bytes(&name, group(text, region, index, false));
    }
    groups
}

fn ereg(call: &mut Call<'_>, mode: Mode) -> PhpResult<Val> {
    let (pattern, text) = (call.str(0), call.str(1));
    if pattern.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if call.was_passed(2) {
        call.assign(2, PhpArr::new().into())?;
    }
    if !is_valid(searching(call.vm).encoding.get(), &text) {
        return Ok(Val::FALSE);
    }
    let Some(pattern) = compile(call, &pattern, mode)? else { return Ok(Val::FALSE) };
    let Ok(Some(region)) = pattern.search(call.vm, &text, 0) else { return Ok(Val::FALSE) };
    if call.was_passed(2) {
        call.assign(2, groups(&pattern, &text, &region, false).into())?;
    }
    Ok(Val::TRUE)
}

fn mb_ereg(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = searching(call.vm).mode.get();
    ereg(call, mode)
}

fn mb_eregi(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = searching(call.vm).mode.get().ignoring_case();
    ereg(call, mode)
}

/// Replaces every match by the result of `replacement`.
fn replace(
    call: &mut Call<'_>,
    ignores_case: bool,
    replacement: impl Fn(&Call<'_>, &Pattern, &[u8], &Region) -> PhpResult<Vec<u8>>,
) -> PhpResult<Val> {
    let (pattern, text) = (call.str(0), call.str(2));
    if !is_valid(searching(call.vm).encoding.get(), &text) {
        return Ok(Val::NULL);
    }
    let mode = mode_argument(call, 3)?;
    let mode = if ignores_case && call.opt_str(3).is_none() { mode.ignoring_case() } else { mode };
    let Some(pattern) = compile(call, &pattern, mode)? else { return Ok(Val::FALSE) };
    let (mut result, mut position) = (Vec::new(), 0);
    loop {
        let region = match pattern.search(call.vm, &text, position) {
            Ok(Some(region)) => region,
            Ok(None) => break,
            Err(reason) => {
                call.warning(&format!("mbregex search failure in php_mbereg_replace_exec(): {reason}"))?;
                return Ok(Val::FALSE);
            }
        };
        let Some((start, end)) = region.pos(0) else { break };
        result.extend_from_slice(text.get(position..start).unwrap_or_default());
        result.extend_from_slice(&replacement(call, &pattern, &text, &region)?);
        if position < end {
            position = end;
        } else {
            result.extend(text.get(position));
            position += 1;
        }
    }
    result.extend_from_slice(text.get(position..).unwrap_or_default());
    Ok(Val::str(&result))
}

fn mb_ereg_replace(call: &mut Call<'_>) -> PhpResult<Val> {
    let template = call.str(1);
    replace(call, false, |_, pattern, text, region| Ok(substitute(&template, pattern, text, region)))
}

fn mb_eregi_replace(call: &mut Call<'_>) -> PhpResult<Val> {
    let template = call.str(1);
    replace(call, true, |_, pattern, text, region| Ok(substitute(&template, pattern, text, region)))
}

fn mb_ereg_replace_callback(call: &mut Call<'_>) -> PhpResult<Val> {
    let callback = call.arg(1);
    replace(call, false, |call, pattern, text, region| {
        let whole = |index| match region.pos(index) {
            Some((start, end)) => text.get(start..end).map_or(Val::FALSE, Val::str),
            None => Val::str(b""),
        };
        let mut matched: PhpArr = (0..region.len()).map(whole).collect();
        for (name, index) in pattern.names(region) {
            matched.set_bytes(&name, group(text, region, index, false));
        }
        let result = call.vm.call_value(&callback, vec![matched.into()])?;
        Ok(convert::to_str(call.vm, &result)?.to_vec())
    })
}

/// Replaces the references in a replacement: `\1`, `\k<1>`, `\k'name'`. Invalid references stay unchanged.
fn substitute(template: &[u8], pattern: &Pattern, text: &[u8], region: &Region) -> Vec<u8> {
    let mut result = Vec::new();
    let mut at = 0;
    while at < template.len() {
        let width = character_length(pattern.encoding, &template[at..]);
        if width != 1 || template[at] != b'\\' {
            result.extend_from_slice(&template[at..at + width]);
            at += width;
            continue;
        }
        let (length, number) = reference(&template[at..], pattern, region);
        match number.filter(|&number| number < region.len()) {
            Some(number) => {
                if let Some((start, end)) = region.pos(number) {
                    result.extend_from_slice(text.get(start..end).unwrap_or_default());
                }
            }
            None => result.extend_from_slice(&template[at..at + length]),
        }
        at += length;
    }
    result
}

/// The bytes of the first character.
fn character_length(encoding: &RegexEncoding, text: &[u8]) -> usize {
    let first = text[0];
    let length = match encoding.names[0] {
        "UTF-8" => match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        },
        "EUC-JP" | "EUC-CN" | "EUC-KR" | "EUC-TW" | "BIG5" if first > 0x80 => 2,
        "SJIS" if matches!(first, 0x81..=0x9f | 0xe0..=0xfc) => 2,
        "UTF-16" | "UTF-16LE" => 2,
        "UCS-4" | "UCS-4LE" => 4,
        _ => 1,
    };
    length.min(text.len())
}

/// The length of a reference at the text's start, and the group that it names.
fn reference(text: &[u8], pattern: &Pattern, region: &Region) -> (usize, Option<usize>) {
    let numbered = |number: usize| if pattern.has_numbers() { Some(number) } else { None };
    match text.get(1) {
        Some(b'0') => (2, Some(0)),
        Some(digit @ b'1'..=b'9') => (2, numbered((digit - b'0').into())),
        Some(b'k') => {
            let closing = match text.get(2) {
                Some(b'<') => b'>',
                Some(b'\'') => b'\'',
                Some(_) => return (3, None),
                None => return (2, None),
            };
            let name = &text[3..];
            let Some(end) = name.iter().position(|&byte| byte == closing) else { return (text.len(), None) };
            let (name, length) = (&name[..end], end + 4);
            if name.is_empty() {
                return (length, None);
            }
            if !name.iter().all(u8::is_ascii_digit) {
                let found = pattern.names(region).into_iter().find(|(known, _)| known == name);
                return (length, found.map(|(_, index)| index));
            }
            if name.len() > 1 && name[0] == b'0' {
                return (length, None);
            }
            let number = std::str::from_utf8(name).ok().and_then(|digits| digits.parse().ok());
            (length, number.and_then(numbered))
        }
        _ => (1, None),
    }
}

fn mb_split(call: &mut Call<'_>) -> PhpResult<Val> {
    let (pattern, text, limit) = (call.str(0), call.str(1), call.int(2));
    let mut left = if limit > 0 { limit as u64 - 1 } else { limit as u64 };
    let state = searching(call.vm);
    if !is_valid(state.encoding.get(), &text) {
        return Ok(Val::FALSE);
    }
    let Some(pattern) = compile(call, &pattern, state.mode.get())? else { return Ok(Val::FALSE) };
    let mut parts = Vec::new();
    let (mut start_of_part, mut position) = (0, 0);
    while left != 0 && position < text.len() {
        let region = match pattern.search(call.vm, &text, position) {
            Ok(Some(region)) => region,
            Ok(None) => break,
            Err(reason) => {
                call.warning(&format!("mbregex search failure in mbsplit(): {reason}"))?;
                return Ok(Val::FALSE);
            }
        };
        let Some((start, end)) = region.pos(0) else { break };
        if position < end && start < text.len() && start >= start_of_part {
            parts.push(Val::str(&text[start_of_part..start]));
            left = left.wrapping_sub(1);
            start_of_part = end;
            position = end;
        } else {
            position += 1;
        }
    }
    parts.push(Val::str(text.get(start_of_part..).unwrap_or_default()));
    Ok(PhpArr::from_vec(parts).into())
}

fn mb_ereg_match(call: &mut Call<'_>) -> PhpResult<Val> {
    let (pattern, text, mode) = (call.str(0), call.str(1), mode_argument(call, 2)?);
    if !is_valid(searching(call.vm).encoding.get(), &text) {
        return Ok(Val::FALSE);
    }
    let Some(pattern) = compile(call, &pattern, mode)? else { return Ok(Val::FALSE) };
    let options = SearchOptions::SEARCH_OPTION_NONE;
    let matched = pattern.regex.match_with_param(pattern.text(&text), 0, options, None, limits(call.vm));
    Ok(matches!(matched, Ok(Some(_))).into())
}

/// One step of a search over a text; the match's place, if there is one.
fn next_match(call: &mut Call<'_>) -> PhpResult<Option<(usize, usize)>> {
    let (vm, mode) = (call.vm, mode_argument(call, 1)?);
    let state = searching(vm);
    state.region.replace(None);
    if let Some(pattern) = call.opt_str(0) {
        let compiled = compile(call, &pattern, mode)?;
        let failed = compiled.is_none();
        state.pattern.replace(compiled);
        if failed {
            return Ok(None);
        }
    }
    let Some(pattern) = state.pattern.borrow().clone() else {
        return Err(vm.throw_error(b"No pattern was provided"));
    };
    let Some(text) = state.text.borrow().clone() else { return Err(vm.throw_error(b"No string was provided")) };
    let position = state.position.get();
    match pattern.search(vm, &text, position) {
        Ok(Some(region)) => {
            let place = region.pos(0).unwrap_or((position, position));
            state.position.set(if position <= place.1 { place.1 } else { position + 1 });
            state.region.replace(Some(region));
            Ok(Some(place))
        }
        Ok(None) => {
            state.position.set(text.len());
            Ok(None)
        }
        Err(reason) => {
            call.warning(&format!("mbregex search failure in mbregex_search(): {reason}"))?;
            Ok(None)
        }
    }
}

fn mb_ereg_search(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(next_match(call)?.is_some().into())
}

fn mb_ereg_search_pos(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((start, end)) = next_match(call)? else { return Ok(Val::FALSE) };
    Ok(PhpArr::from_vec(vec![Val::int(start as i64), Val::int((end - start) as i64)]).into())
}

fn mb_ereg_search_regs(call: &mut Call<'_>) -> PhpResult<Val> {
    match next_match(call)? {
        Some(_) => mb_ereg_search_getregs(call),
        None => Ok(Val::FALSE),
    }
}

fn mb_ereg_search_getregs(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = searching(call.vm);
    let (region, text, pattern) = (state.region.borrow(), state.text.borrow(), state.pattern.borrow());
    match (&*region, &*text, &*pattern) {
        (Some(region), Some(text), Some(pattern)) => Ok(groups(pattern, text, region, true).into()),
        _ => Ok(Val::FALSE),
    }
}

fn mb_ereg_search_init(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, pattern) = (call.str(0), call.opt_str(1));
    if pattern.as_ref().is_some_and(|pattern| pattern.is_empty()) {
        return Err(call.value_error(1, "must not be empty"));
    }
    let mode = mode_argument(call, 2)?;
    let state = searching(call.vm);
    if let Some(pattern) = pattern {
        let compiled = compile(call, &pattern, mode)?;
        let failed = compiled.is_none();
        state.pattern.replace(compiled);
        if failed {
            return Ok(Val::FALSE);
        }
    }
    let valid = is_valid(state.encoding.get(), &text);
    state.position.set(if valid { 0 } else { text.len() });
    state.text.replace(Some(text));
    state.region.replace(None);
    Ok(valid.into())
}

fn mb_ereg_search_getpos(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(searching(call.vm).position.get() as i64))
}

fn mb_ereg_search_setpos(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = searching(call.vm);
    let length = state.text.borrow().as_ref().map(|text| text.len() as i64);
    let offset = match (call.int(0), length) {
        (offset, Some(length)) if offset < 0 => offset + length,
        (offset, _) => offset,
    };
    if offset < 0 || length.is_some_and(|length| offset > length) {
        return Err(call.value_error(0, "is out of range"));
    }
    state.position.set(offset as usize);
    Ok(Val::TRUE)
}
