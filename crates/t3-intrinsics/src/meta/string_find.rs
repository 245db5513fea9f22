//! Searching, splitting and replacing in strings.

use std::rc::Rc;

use phlox_t3_library::case::{folded, title};
use phlox_t3_library::regex::{Match, Regex};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

/// What is searched for.
#[derive(Clone)]
pub(crate) enum Needle {
    /// A literal string.
    Text(Text),
    /// A pattern; `None` is malformed and matches nothing.
    Pattern(Option<Rc<Regex>>),
}

impl Needle {
    fn is_pattern(&self) -> bool {
        matches!(self, Needle::Pattern(_))
    }

    /// The first match from a byte position on.
    pub fn search(&self, text: &str, from: usize, ignore_case: bool) -> Option<Match> {
        match self {
            Needle::Pattern(regex) => regex.as_ref()?.search(text, from, !ignore_case),
            Needle::Text(needle) if !ignore_case => {
                let start = from + text[from..].find(&**needle)?;
                Some(Match { start, end: start + needle.len(), groups: Default::default() })
            }
            Needle::Text(needle) => search_folded(text, from, &folded(needle)),
        }
    }
}

/// The first place whose folded text is the folded needle.
fn search_folded(text: &str, from: usize, needle: &str) -> Option<Match> {
    let starts = text[from..].char_indices().map(|(at, _)| from + at).chain([text.len()]);
    for start in starts {
        let mut end = start;
        let mut rest = needle;
        while !rest.is_empty() {
            let Some(c) = text[end..].chars().next() else { break };
            let one = folded(c.encode_utf8(&mut [0; 4]));
            match rest.strip_prefix(&*one) {
                Some(left) => rest = left,
                None => break,
            }
            end += c.len_utf8();
        }
        if rest.is_empty() {
            return Some(Match { start, end, groups: Default::default() });
        }
    }
    None
}

/// A string or RexPattern argument.
pub(crate) fn needle(vm: &Vm, value: Value) -> Run<Needle> {
    if let Some(regex) = vm.pattern_object(value) {
        return Ok(Needle::Pattern(regex));
    }
    match vm.heap.text(value) {
        Some(text) => Ok(Needle::Text(text.clone())),
        None => fail(error::BAD_TYPE_BIF),
    }
}

/// A start position as characters from 0; negative arguments count from the end.
pub(crate) fn start_index(vm: &Vm, value: Option<Value>, text: &Text) -> Run<usize> {
    let Some(value) = value else { return Ok(0) };
    let at = i64::from(vm.number_of(value)?);
    let at = if at < 0 { at + text.chars_len() as i64 } else { at - 1 };
    Ok(usize::try_from(at).unwrap_or(0))
}

pub(crate) fn find(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let needle = needle(vm, args.get(vm, 0))?;
    let start = start_index(vm, args.given(vm, 1), &text)?;
    if start > text.chars_len() {
        return Ok(Value::Nil);
    }
    let found = needle.search(&text, text.byte_of(start), false);
    let index = found.as_ref().map(|found| text.char_of(found.start));
    if needle.is_pattern() {
        vm.remember_match(&text, found);
    }
    Ok(super::seq::index_value(index))
}

pub(crate) fn find_last(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let needle = needle(vm, args.get(vm, 0))?;
    // The match must end before the given position; the end counts as one past the last character.
    let end = match args.given(vm, 1) {
        Some(value) => {
            let at = i64::from(vm.number_of(value)?);
            let at = if at <= 0 { at + text.chars_len() as i64 } else { at - 1 };
            text.byte_of(usize::try_from(at).unwrap_or(0))
        }
        None => text.len(),
    };
    let found = match &needle {
        Needle::Text(needle) => text[..end].rfind(&**needle).map(|start| Match {
            start,
            end: start + needle.len(),
            groups: Default::default(),
        }),
        Needle::Pattern(regex) => regex.as_ref().and_then(|regex| regex.search_back(&text, end, true)),
    };
    let index = found.as_ref().map(|found| text.char_of(found.start));
    if needle.is_pattern() {
        vm.remember_match(&text, found);
    }
    Ok(super::seq::index_value(index))
}

pub(crate) fn find_all(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let needle = needle(vm, args.get(vm, 0))?;
    let function = match args.count {
        1 => None,
        _ => Some(vm.function_arg(args.get(vm, 1))?),
    };
    if let Needle::Text(wanted) = &needle
        && wanted.is_empty()
    {
        // The reference finds the empty string again and again.
        return if text.is_empty() { Ok(vm.heap.new_list(Vec::new())) } else { fail(error::LIST_TOO_LONG) };
    }
    let items = phlox_t3_vm::contents::sequence::collect(vm, |vm| {
        let mut at = 0;
        while at <= text.len() {
            let Some(found) = needle.search(&text, at, false) else { break };
            let part = vm.heap.new_text(&text[found.start..found.end]);
            let index = Value::Int(text.char_of(found.start) as i32 + 1);
            let (start, end) = (found.start, found.end);
            let groups = found.groups;
            if needle.is_pattern() {
                vm.remember_match(&text, Some(found));
            }
            vm.rooted.push(part);
            if let Some(function) = function {
                let mut arguments = vec![part, index];
                if needle.is_pattern() {
                    for (from, to) in groups.into_iter().flatten() {
                        arguments.push(vm.heap.new_text(&text[from..to]));
                    }
                }
                let wanted = vm.parameters_of(function).map_or(arguments.len(), |(min, optional, varargs)| {
                    let declared = (min + optional) as usize;
                    if varargs { arguments.len().max(declared) } else { declared }
                });
                arguments.resize(wanted, Value::Nil);
                let value = vm.call_value(function, &arguments)?;
                vm.rooted.pop();
                vm.rooted.push(value);
            }
            at = if end > start { end } else { end + text[end..].chars().next().map_or(1, char::len_utf8) };
        }
        Ok(())
    })?;
    Ok(vm.heap.new_list(items))
}

pub(crate) fn match_at(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let needle = needle(vm, args.get(vm, 0))?;
    let start = start_index(vm, args.given(vm, 1), &text)?;
    if start > text.chars_len() {
        return Ok(Value::Nil);
    }
    let from = text.byte_of(start);
    match needle {
        Needle::Text(needle) if text[from..].starts_with(&*needle) => Ok(Value::Int(needle.chars_len() as i32)),
        Needle::Text(_) => Ok(Value::Nil),
        Needle::Pattern(regex) => {
            let found = regex.and_then(|regex| regex.match_at(&text, from, true));
            let length = found.as_ref().map(|found| text[found.start..found.end].chars().count() as i32);
            vm.remember_match(&text, found);
            Ok(length.map_or(Value::Nil, Value::Int))
        }
    }
}

pub(crate) fn split(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let limit = match args.given(vm, 1) {
        Some(value) => {
            let limit = vm.number_of(value)?;
            if limit < 1 {
                return fail(error::BAD_VAL_BIF);
            }
            limit as usize
        }
        None => usize::MAX,
    };
    let mut parts: Vec<String> = Vec::new();
    let mut rest = 0;
    let chars = match args.get(vm, 0) {
        Value::Nil => Some(1),
        Value::Int(count) if count <= 0 => return fail(error::BAD_VAL_BIF),
        Value::Int(count) => Some(count as usize),
        _ => None,
    };
    match chars {
        Some(chars) => {
            while parts.len() + 1 < limit && rest < text.len() {
                let Some((length, _)) = text[rest..].char_indices().nth(chars) else { break };
                parts.push(text[rest..rest + length].to_owned());
                rest += length;
            }
        }
        None => {
            let needle = needle(vm, args.get(vm, 0))?;
            while parts.len() + 1 < limit && rest < text.len() {
                let Some(found) = needle.search(&text, rest, false) else { break };
                parts.push(text[rest..found.start].to_owned());
                rest = found.end;
                if found.start == found.end {
                    rest += text[rest..].chars().next().map_or(0, char::len_utf8);
                }
            }
        }
    }
    if rest < text.len() {
        parts.push(text[rest..].to_owned());
    }
    let start = vm.rooted.len();
    for part in parts {
        let part = vm.heap.new_text(part);
        vm.rooted.push(part);
    }
    let items = vm.rooted.split_off(start);
    Ok(vm.heap.new_list(items))
}

// ---- replacement

/// Without regard to case.
const IGNORE_CASE: i32 = 2;
/// The replacement takes the case of what it replaces.
const FOLLOW_CASE: i32 = 4;
/// One pattern after the other instead of all at once.
const SERIALLY: i32 = 8;
/// Only the first match.
const ONCE: i32 = 16;

/// What takes the place of a match.
enum Replacement {
    Text(Text),
    Function(Value, usize),
}

/// A pattern with its replacement and its next match.
struct Rule {
    needle: Needle,
    replacement: Replacement,
    next: Option<Option<Match>>,
}

pub(crate) fn find_replace(vm: &mut Vm, args: Args) -> Run<Value> {
    let subject = args.this;
    replace(vm, args, subject, 1, false)
}

/// `rexReplace(pattern, text, replacement ...)`: the same with strings as patterns.
pub(crate) fn rex_replace(vm: &mut Vm, args: Args) -> Run<Value> {
    let subject = args.get(vm, 1);
    replace(vm, args, subject, 2, true)
}

/// `at` is where the replacement stands among the arguments.
fn replace(vm: &mut Vm, args: Args, subject: Value, at: usize, strings_are_patterns: bool) -> Run<Value> {
    let flags = match args.given(vm, at + 1) {
        Some(value) => vm.want_int(value)?,
        None => 1,
    };
    if let Some(value) = args.given(vm, at + 2) {
        vm.want_int(value)?;
    }
    let mut text = vm.text_arg(subject)?;
    let flags = if flags == 0 { ONCE } else { flags };
    let mut limit = if flags & ONCE != 0 { 1 } else { i64::MAX };
    if at + 3 < args.count {
        limit = match args.get(vm, at + 3) {
            Value::Nil => i64::MAX,
            Value::Int(0) => return Ok(subject),
            Value::Int(limit) if limit > 0 => i64::from(limit),
            Value::Int(_) => return fail(error::BAD_VAL_BIF),
            _ => return fail(error::INT_VAL_REQD),
        };
    }
    let mut rules = rules(vm, args, at, strings_are_patterns)?;
    let start = start_index(vm, args.given(vm, at + 2), &text)?;
    let mut changed = false;
    if flags & SERIALLY != 0 {
        for rule in &mut rules {
            if limit <= 0 {
                break;
            }
            let single = std::slice::from_mut(rule);
            changed |= replace_all(vm, &mut text, single, start, flags, &mut limit, subject)?;
        }
    } else {
        changed = replace_all(vm, &mut text, &mut rules, start, flags, &mut limit, subject)?;
    }
    if changed { Ok(vm.heap.new_text(text)) } else { Ok(subject) }
}

fn rules(vm: &mut Vm, args: Args, at: usize, strings_are_patterns: bool) -> Run<Vec<Rule>> {
    let (patterns, replacements) = (args.get(vm, 0), args.get(vm, at));
    let list = vm.list_like(patterns)?;
    let patterns = list.unwrap_or_else(|| vec![patterns]);
    let list = vm.list_like(replacements)?;
    let mut rules = Vec::with_capacity(patterns.len());
    for (n, pattern) in patterns.into_iter().enumerate() {
        let needle =
            if strings_are_patterns { Needle::Pattern(vm.pattern_arg(pattern)?) } else { needle(vm, pattern)? };
        let replacement = match &list {
            Some(list) => list.get(n).copied().unwrap_or_default(),
            None => replacements,
        };
        let replacement = match vm.heap.text(replacement) {
            Some(text) => Replacement::Text(text.clone()),
            None if replacement == Value::Nil => Replacement::Text(Text::from("")),
            None => match vm.parameters_of(replacement) {
                Some((_, _, true)) => Replacement::Function(replacement, 3),
                Some((min, optional, false)) => {
                    Replacement::Function(replacement, (min + optional).clamp(0, 3) as usize)
                }
                None => return fail(error::BAD_TYPE_BIF),
            },
        };
        rules.push(Rule { needle, replacement, next: None });
    }
    Ok(rules)
}

/// The number of the rule that matches first from a position on, and its match. Each rule keeps its next match.
fn first_match(rules: &mut [Rule], source: &Text, at: usize, flags: i32) -> Option<(usize, Match)> {
    for rule in rules.iter_mut() {
        if rule.next.is_none() {
            rule.next = Some(rule.needle.search(source, at, flags & IGNORE_CASE != 0));
        }
    }
    let starts = rules.iter().enumerate().filter_map(|(n, rule)| Some((rule.next.as_ref()?.as_ref()?.start, n)));
    let (_, best) = starts.min()?;
    Some((best, rules[best].next.clone().flatten()?))
}

fn replace_all(
    vm: &mut Vm,
    text: &mut Text,
    rules: &mut [Rule],
    start: usize,
    flags: i32,
    limit: &mut i64,
    subject: Value,
) -> Run<bool> {
    let source = text.clone();
    vm.remember_match(&source, None);
    let mut at = source.byte_of(start);
    let mut out: Option<String> = None;
    while at < source.len() && *limit > 0 {
        let Some((best, found)) = first_match(rules, &source, at, flags) else { break };
        *limit -= 1;
        let is_pattern = rules[best].needle.is_pattern();
        if is_pattern {
            vm.remember_match(&source, Some(found.clone()));
        }
        let result = out.get_or_insert_with(|| source[..at].to_owned());
        result.push_str(&source[at..found.start]);
        match &rules[best].replacement {
            Replacement::Text(template) => expand(result, &source, &found, template, is_pattern, flags),
            Replacement::Function(function, wanted) => {
                let matched = vm.heap.new_text(&source[found.start..found.end]);
                let index = Value::Int(source.char_of(found.start) as i32 + 1);
                let value = vm.call_value(*function, &[matched, index, subject][..*wanted])?;
                if value != Value::Nil {
                    result.push_str(&vm.want_text(value)?);
                }
            }
        }
        at = found.end;
        if found.start == found.end
            && let Some(c) = source[at..].chars().next()
        {
            result.push(c);
            at += c.len_utf8();
        }
        for rule in rules.iter_mut() {
            if rule.next.as_ref().is_some_and(|next| next.as_ref().is_some_and(|next| next.start < at)) {
                rule.next = None;
            }
        }
    }
    let changed = out.is_some();
    if let Some(mut out) = out {
        out.push_str(source.get(at..).unwrap_or_default());
        *text = Text::from(out);
    }
    for rule in rules {
        rule.next = None;
    }
    Ok(changed)
}

/// Puts a replacement in, with its references to the match if it belongs to a pattern.
fn expand(out: &mut String, source: &str, found: &Match, template: &str, is_pattern: bool, flags: i32) {
    let matched = &source[found.start..found.end];
    let follow = flags & FOLLOW_CASE != 0;
    let has_upper = follow && matched.chars().any(char::is_uppercase);
    let has_lower = follow && matched.chars().any(char::is_lowercase);
    let mut letters = 0;
    let mut chars = template.chars();
    while let Some(c) = chars.next() {
        if !is_pattern || c != '%' || chars.as_str().is_empty() {
            if follow && c.is_lowercase() && has_upper {
                if !has_lower {
                    out.extend(c.to_uppercase());
                    continue;
                }
                letters += 1;
                if letters == 1 {
                    out.push_str(&title(c));
                    continue;
                }
            }
            out.push(c);
            continue;
        }
        match chars.next() {
            Some(digit @ '1'..='9') => {
                if let Some(Some((from, to))) = found.groups.get(digit as usize - '1' as usize) {
                    out.push_str(&source[*from..*to]);
                }
            }
            Some('*') => out.push_str(matched),
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => {}
        }
    }
}
