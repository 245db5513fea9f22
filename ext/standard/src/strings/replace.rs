//! `str_replace`, `str_ireplace`, `strtr`.

use super::search::{find_all, find_folded};
use phlox_runtime::strmap::PassThrough;
use phlox_runtime::{Call, FnDef, Key, Level, ObjExt, PhpArr, PhpResult, PhpStr, StrBuilder, Val, View, convert};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "str_replace(array|string $search, array|string $replace, string|array $subject, &$count = null): string|array",
        str_replace,
    )
    .fast_path(str_replace_quick),
    FnDef::new(
        "str_ireplace(array|string $search, array|string $replace, string|array $subject, &$count = null): string|array",
        str_ireplace,
    )
    .fast_path(|args| {
        let [search, replacement, text] = args else { return None };
        Some(replaced_folded(search.as_str()?, replacement.as_str()?, text.as_str()?, &mut 0).into())
    }),
    FnDef::new("strtr(string $string, #[unchecked] string|array $from, ?string $to = null): string", strtr).fast_path(
        |args| match args {
            [text, from, to] => Some(translate_bytes(text.as_str()?, from.as_str()?, to.as_str()?).into()),
        [text, pairs] => Some(translated(text.as_str()?, plain_rules(pairs.as_arr()?)?).into()),
            _ => None,
        },
    ),
];

/// One search string with its replacement.
struct Rule {
    search: PhpStr,
    replacement: PhpStr,
}

/// Applies the replacements of the first two arguments to a text. PHP converts each element to a string when it is
/// needed, again for every text.
fn apply(call: &Call<'_>, mut text: PhpStr, fold: bool, count: &mut i64) -> PhpResult<PhpStr> {
    let (search, replace) = (call.arg(0), call.arg(1));
    let Some(searches) = search.as_arr() else {
        let rule = Rule { search: call.str(0), replacement: call.str(1) };
        return Ok(replace_one(&rule, text, fold, count));
    };
    let mut replacements = replace.as_arr().map(PhpArr::values);
    for search in searches.values() {
        if text.is_empty() {
            break;
        }
        let replacement = replacements.as_mut().map(Iterator::next);
        let search = convert::to_str(call.vm, search)?;
        let replacement = match replacement {
            None => call.str(1),
            Some(None) => PhpStr::empty(),
            Some(Some(replacement)) => convert::to_str(call.vm, replacement)?,
        };
        text = replace_one(&Rule { search, replacement }, text, fold, count);
    }
    Ok(text)
}

fn replace_one(rule: &Rule, text: PhpStr, fold: bool, count: &mut i64) -> PhpStr {
    if rule.search.is_empty() || text.len() < rule.search.len() {
        return text;
    }
    if !fold {
        return replaced(&rule.search, &rule.replacement, &text, count);
    }
    replaced_folded(&rule.search, &rule.replacement, &text, count)
}

/// The text with each `search`, in any case of ASCII letters, replaced; `count` is raised by their number.
fn replaced_folded(search: &[u8], replacement: &[u8], text: &PhpStr, count: &mut i64) -> PhpStr {
    if search.is_empty() {
        return text.clone();
    }
    let mut out = StrBuilder::new();
    let mut rest = 0;
    while let Some(found) = find_folded(&text[rest..], search) {
        *count += 1;
        out.extend_from_slice(&text[rest..rest + found]);
        out.extend_from_slice(replacement);
        rest += found + search.len();
    }
    if rest == 0 {
        return text.clone();
    }
    out.extend_from_slice(&text[rest..]);
    out.finish()
}

/// The text with each `search` replaced; `count` is raised by their number.
fn replaced(search: &[u8], replacement: &[u8], text: &PhpStr, count: &mut i64) -> PhpStr {
    if search.is_empty() || search.len() > text.len() {
        return text.clone();
    }
    if let ([from], [to]) = (search, replacement) {
        let Some(first) = phlox_runtime::find_byte(text, *from) else { return text.clone() };
        return PhpStr::build(text.len(), |out| {
            out.copy_from_slice(text);
            for byte in out[first..].iter_mut().filter(|byte| **byte == *from) {
                *byte = *to;
                *count += 1;
            }
        });
    }
    replaced_at(find_all(text, search), search, replacement, text, count)
}

/// The text with the bytes at the given places replaced.
#[inline]
fn replaced_at(
    mut places: impl Iterator<Item = usize>,
    search: &[u8],
    replacement: &[u8],
    text: &PhpStr,
    count: &mut i64,
) -> PhpStr {
    let Some(first) = places.next() else { return text.clone() };
    let places = std::iter::once(first).chain(places).inspect(|_| *count += 1);
    if search.len() == replacement.len() {
        return PhpStr::build(text.len(), |out| {
            out.copy_from_slice(text);
            places.for_each(|at| out[at..at + search.len()].copy_from_slice(replacement));
        });
    }
    let mut out = StrBuilder::with_capacity(text.len());
    let mut rest = 0;
    for at in places {
        out.extend_from_slice(&text[rest..at]);
        out.extend_from_slice(replacement);
        rest = at + search.len();
    }
    out.extend_from_slice(&text[rest..]);
    out.finish()
}

fn replace(call: &mut Call<'_>, fold: bool) -> PhpResult<Val> {
    if call.arg(0).as_arr().is_none() && call.arg(1).as_arr().is_some() {
        return Err(call.type_error(1, "must be of type string when argument #1 ($search) is a string"));
    }
    let mut count = 0;
    let result = replace_in_subjects(call, fold, &mut count);
    // Replacements before an exception are counted, too.
    if call.was_passed(3) {
        call.assign(3, Val::int(count))?;
    }
    result
}

fn replace_in_subjects(call: &Call<'_>, fold: bool, count: &mut i64) -> PhpResult<Val> {
    let subject = call.arg(2);
    let Some(subjects) = subject.as_arr() else { return Ok(apply(call, call.str(2), fold, count)?.into()) };
    let mut results = PhpArr::with_capacity(0);
    for (key, value) in subjects.iter() {
        let text = convert::to_str(call.vm, value)?;
        results.insert(key, apply(call, text, fold, count)?.into());
    }
    Ok(results.into())
}

/// Strings by strings in a string.
fn str_replace_quick(args: &[Val]) -> Option<Val> {
    let [search, replacement, text] = args else { return None };
    let (text, mut count) = (text.as_str()?, 0);
    if let (Some(search), Some(replacement)) = (search.as_str(), replacement.as_str()) {
        return Some(replaced(search, replacement, text, &mut count).into());
    }
    let mut text = text.clone();
    let mut replacements = replacement.as_arr().map(PhpArr::values);
    for search in search.as_arr()?.values() {
        let replacement: &[u8] = match &mut replacements {
            None => replacement.as_str()?,
            Some(list) => match list.next() {
                Some(replacement) => replacement.as_str()?,
                None => b"",
            },
        };
        text = replaced(search.as_str()?, replacement, &text, &mut count);
    }
    Some(text.into())
}

fn str_replace(call: &mut Call<'_>) -> PhpResult<Val> {
    replace(call, false)
}

fn str_ireplace(call: &mut Call<'_>) -> PhpResult<Val> {
    replace(call, true)
}

fn strtr(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, from) = (call.str(0), call.arg(1).into_deref());
    if !call.was_passed(2) {
        let Some(pairs) = from.as_arr() else {
            let given = convert::value_name(&from);
            return Err(call.type_error(1, &format!("must be of type array, {given} given")));
        };
        return translate_pairs(call, text, pairs);
    }
    let from = text_argument(call, &from)?;
    let Some(to) = call.opt_str(2) else {
        call.raise(Level::Deprecated, b"Passing null to parameter #3 ($to) of type ?string is deprecated")?;
        return Ok(text.into());
    };
    Ok(translate_bytes(&text, &from, &to).into())
}

/// The second argument of a call with three, which must be a string then.
fn text_argument(call: &Call<'_>, from: &Val) -> PhpResult<PhpStr> {
    match from.view() {
        View::Str(text) => return Ok(text.clone()),
        View::Null if !call.vm.caller_is_strict() => {
            let text = b"Passing null to parameter #2 ($from) of type array|string is deprecated";
            call.raise(Level::Deprecated, text)?;
            return Ok(PhpStr::empty());
        }
        View::Bool(_) | View::Int(_) | View::Double(_) if !call.vm.caller_is_strict() => {
            return convert::to_str(call.vm, from);
        }
        View::Obj(object) if !call.vm.caller_is_strict() && object.class().magic.to_string.is_some() => {
            return convert::to_str(call.vm, from);
        }
        _ => {}
    }
    let given = convert::value_name(from);
    Err(call.type_error(1, &format!("must be of type string, {given} given")))
}

fn translate_bytes(text: &PhpStr, from: &[u8], to: &[u8]) -> PhpStr {
    match (from, to) {
        ([], _) | (_, []) => text.clone(),
        ([from, ..], [to]) | ([from], [to, ..]) => match text.contains(from) {
            true => PhpStr::build(text.len(), |out| {
                out.iter_mut()
                    .zip(text.iter())
                    .for_each(|(place, byte)| *place = if byte == from { *to } else { *byte });
            }),
            false => text.clone(),
        },
        _ => {
            let mut table: [u8; 256] = std::array::from_fn(|byte| byte as u8);
            from.iter().zip(to).for_each(|(&from, &to)| table[from as usize] = to);
            PhpStr::build(text.len(), |out| {
                out.iter_mut().zip(text.iter()).for_each(|(to, &from)| *to = table[from as usize]);
            })
        }
    }
}

/// Replaces the longest key at each place; what was replaced is not searched again. A single value becomes text at once,
/// of several each one when it is needed.
fn translate_pairs(call: &Call<'_>, text: PhpStr, pairs: &PhpArr) -> PhpResult<Val> {
    if text.is_empty() {
        return Ok(text.into());
    }
    if pairs.len() > 1 {
        return translate_late(call, &text, pairs);
    }
    let Some((key, value)) = pairs.iter().next() else { return Ok(text.into()) };
    let (search, replacement) = (convert::to_str(call.vm, &key.to_val())?, convert::to_str(call.vm, value)?);
    if search.is_empty() {
        call.warning("Ignoring replacement of empty string")?;
        return Ok(text.into());
    }
    Ok(translated(&text, vec![Rule { search, replacement }]).into())
}

fn translate_late(call: &Call<'_>, text: &PhpStr, pairs: &PhpArr) -> PhpResult<Val> {
    let mut rules: Vec<(PhpStr, &Val)> = Vec::with_capacity(pairs.len());
    for (key, value) in pairs.iter() {
        let search = convert::to_str(call.vm, &key.to_val())?;
        match search.is_empty() {
            true => call.warning("Ignoring replacement of empty string")?,
            false => rules.push((search, value)),
        }
    }
    let mut lengths: Vec<usize> = rules.iter().map(|rule| rule.0.len()).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths.dedup();
    let table: HashMap<&[u8], &Val> = rules.iter().map(|(search, value)| (search.as_bytes(), *value)).collect();
    let mut out = StrBuilder::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let fitting = lengths.iter().filter(|&&length| length <= rest.len());
        match fitting.copied().find_map(|length| Some((length, *table.get(&rest[..length])?))) {
            Some((length, value)) => {
                out.extend_from_slice(&convert::to_str(call.vm, value)?);
                at += length;
            }
            None => {
                out.extend_from_slice(&rest[..1]);
                at += 1;
            }
        }
    }
    Ok(out.finish().into())
}

/// Pairs of strings and integers, none of them of an empty string.
fn plain_rules(pairs: &PhpArr) -> Option<Vec<Rule>> {
    let mut rules = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let search = match key {
            Key::Int(int) => convert::int_to_str(int),
            Key::Str(search) if search.is_empty() => return None,
            Key::Str(search) => search.clone(),
        };
        let replacement = match value.view() {
            View::Int(int) => convert::int_to_str(int),
            View::Str(replacement) => replacement.clone(),
            _ => return None,
        };
        rules.push(Rule { search, replacement });
    }
    Some(rules)
}

/// Up to this many rules are tried in turn wherever the text has the first byte of one of them.
const FEW_RULES: usize = 16;

fn translated(text: &PhpStr, mut rules: Vec<Rule>) -> PhpStr {
    let mut starts = [false; 256];
    rules.iter().for_each(|rule| starts[rule.search[0] as usize] = true);
    if !text.iter().any(|&byte| starts[byte as usize]) {
        return text.clone();
    }
    if rules.len() <= FEW_RULES {
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.search.len()));
        return replace_hits(text, &starts, |rest| {
            let rule = rules.iter().find(|rule| rest.starts_with(&rule.search))?;
            Some((rule.search.len(), &rule.replacement))
        });
    }
    let mut lengths: Vec<usize> = rules.iter().map(|rule| rule.search.len()).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths.dedup();
    let table: HashMap<&[u8], &PhpStr, BuildHasherDefault<PassThrough>> =
        rules.iter().map(|rule| (rule.search.as_bytes(), &rule.replacement)).collect();
    replace_hits(text, &starts, |rest| {
        let fitting = lengths.iter().filter(|&&length| length <= rest.len());
        fitting.copied().find_map(|length| Some((length, *table.get(&rest[..length])?)))
    })
}

/// Replaces what `hit` finds at the start of what is left, if that begins with one of the bytes in `starts`.
fn replace_hits<'a>(text: &PhpStr, starts: &[bool; 256], hit: impl Fn(&[u8]) -> Option<(usize, &'a PhpStr)>) -> PhpStr {
    let mut out = StrBuilder::with_capacity(text.len());
    let (mut copied, mut at) = (0, 0);
    while let Some(skip) = text[at..].iter().position(|&byte| starts[byte as usize]) {
        at += skip;
        match hit(&text[at..]) {
            Some((length, replacement)) => {
                out.extend_from_slice(&text[copied..at]);
                out.extend_from_slice(replacement);
                at += length;
                copied = at;
            }
            None => at += 1,
        }
    }
    if copied == 0 {
        return text.clone();
    }
    out.extend_from_slice(&text[copied..]);
    out.finish()
}
