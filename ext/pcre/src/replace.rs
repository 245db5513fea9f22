//! `preg_replace()`, `preg_filter()` and the functions with callbacks.

use crate::matching::Shape;
use crate::pattern::{self, Regex, Search};
use crate::state;
use phlox_runtime::{
    Call, Callback, Callee, FnDef, Key, PhpArr, PhpResult, PhpStr, StrBuilder, Val, View, Vm, convert,
};

/// The functions of this module.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "preg_replace(array|string $pattern, array|string $replacement, array|string $subject, int $limit = -1, &$count = null): array|string|null",
        preg_replace,
    )
    .fast_path(replace_quick),
    FnDef::new(
        "preg_filter(array|string $pattern, array|string $replacement, array|string $subject, int $limit = -1, &$count = null): array|string|null",
        preg_filter,
    ),
    FnDef::new(
        "preg_replace_callback(array|string $pattern, callable $callback, array|string $subject, int $limit = -1, &$count = null, int $flags = 0): array|string|null",
        preg_replace_callback,
    ),
    FnDef::new(
        "preg_replace_callback_array(array $pattern, array|string $subject, int $limit = -1, &$count = null, int $flags = 0): array|string|null",
        preg_replace_callback_array,
    ),
];

/// The replacement of matches.
enum Replacement<'a> {
    Text(PhpStr),
    Callback(&'a Callee, Shape),
}

/// The way in which the matches in one subject are replaced.
enum Replaced<'a> {
    ByText(&'a PhpStr),
    ByCallback(Callback<'a>, &'a Shape),
}

/// A pattern with its replacement. Values become strings when the rule is applied, because conversions may have
/// effects.
struct Rule<'a> {
    pattern: Val,
    replacement: Source<'a>,
}

#[derive(Clone)]
enum Source<'a> {
    Value(Val),
    Callback(&'a Callee, Shape),
}

/// Replaces matches in a subject, and adds their number to `count`. `None`: an error was kept or warned about.
fn replace(
    call: &Call<'_>,
    regex: &Regex,
    replacement: &Replacement<'_>,
    subject: &PhpStr,
    limit: i64,
    count: &mut i64,
) -> PhpResult<Option<PhpStr>> {
    let state = state::state(call.vm);
    state.last_error.set(0);
    let Some(mut search) = Search::new(call.vm, &state, regex, subject, 0) else { return Ok(None) };
    let source = match replacement {
        Replacement::Text(text) => Replaced::ByText(text),
        Replacement::Callback(callee, shape) => Replaced::ByCallback(Callback::new(call.vm, callee), shape),
    };
    let mut result = StrBuilder::new();
    let (mut copied, mut left) = (0, limit);
    while left != 0 {
        match search.next() {
            Ok(Some(found)) => {
                result.extend_from_slice(subject.get(copied..found.start).unwrap_or_default());
                match &source {
                    Replaced::ByText(text) => expand(&search, found.count, text, &mut result),
                    Replaced::ByCallback(callback, shape) => {
                        let value = callback.call([&shape.set(&search, &found).into()])?;
                        match value.as_str() {
                            Some(text) => result.extend_from_slice(text),
                            None => result.extend_from_slice(&convert::to_str(call.vm, &value.deref())?),
                        }
                    }
                }
                copied = found.end;
                *count += 1;
                left -= 1;
            }
            Ok(None) => break,
            Err(error) => {
                state::set_error(call.vm, error);
                return Ok(None);
            }
        }
    }
    if copied == 0 && result.is_empty() && left == limit {
        return Ok(Some(subject.clone()));
    }
    result.extend_from_slice(&subject[copied..]);
    Ok(Some(result.finish()))
}

/// The fast path of `preg_replace()` with three strings, for patterns that are in the cache. `None`: the slow path is
/// needed.
fn replace_quick(args: &[Val]) -> Option<Val> {
    let [pattern, text, subject] = args else { return None };
    let (pattern, text, subject) = (pattern.as_str()?, text.as_str()?, subject.as_str()?);
    let vm = Vm::current()?;
    let state = state::state(vm);
    let regex = state.compiled(pattern)?;
    let mut search = Search::new(vm, &state, &regex, subject, 0)?;
    let Some(first) = search.next().ok()? else {
        state.last_error.set(0);
        return Some(subject.into());
    };
    let is_plain = !text.iter().any(|byte| matches!(byte, b'\\' | b'$'));
    let mut result = StrBuilder::new();
    let mut copied = 0;
    let mut next = Some(first);
    while let Some(found) = next {
        result.extend_from_slice(subject.get(copied..found.start).unwrap_or_default());
        match is_plain {
            true => result.extend_from_slice(text),
            false => expand(&search, found.count, text, &mut result),
        }
        copied = found.end;
        next = search.next().ok()?;
    }
    state.last_error.set(0);
    result.extend_from_slice(&subject[copied..]);
    Some(result.into())
}

/// The group and length of a reference at the start of a text: `\1`, `$1` or `${1}`, with up to two digits.
fn reference(text: &[u8]) -> Option<(usize, usize)> {
    let (&sign, rest) = text.split_first()?;
    let braced = sign == b'$' && rest.first() == Some(&b'{');
    let rest = if braced { &rest[1..] } else { rest };
    let digits = rest.iter().take(2).take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || (braced && rest.get(digits) != Some(&b'}')) {
        return None;
    }
    let number = rest[..digits].iter().fold(0, |number, digit| number * 10 + (digit - b'0') as usize);
    Some((number, 1 + digits + if braced { 2 } else { 0 }))
}

/// Appends a replacement text, with its references replaced by groups.
fn expand(search: &Search<'_>, count: usize, text: &[u8], result: &mut StrBuilder) {
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        if let (b'\\', Some(&escaped @ (b'\\' | b'$'))) = (byte, text.get(at + 1)) {
            result.push(escaped);
            at += 2;
            continue;
        }
        if matches!(byte, b'\\' | b'$') {
            if let Some((group, length)) = reference(&text[at..]) {
                if group < count {
                    result.extend_from_slice(search.group(group).unwrap_or_default());
                }
                at += length;
                continue;
            }
        }
        result.push(byte);
        at += 1;
    }
}

/// Applies all rules to one subject. `None`: an error was kept or warned about.
fn apply(
    call: &Call<'_>,
    rules: &[Rule<'_>],
    subject: PhpStr,
    limit: i64,
    count: &mut i64,
) -> PhpResult<Option<PhpStr>> {
    let mut subject = subject;
    let state = state::state(call.vm);
    for rule in rules {
        let source = convert::to_str(call.vm, &rule.pattern)?;
        let replacement = match &rule.replacement {
            Source::Value(value) => Replacement::Text(convert::to_str(call.vm, value)?),
            Source::Callback(callee, shape) => Replacement::Callback(callee, *shape),
        };
        let Some(regex) = pattern::compile(call, &state, &source)? else { return Ok(None) };
        match replace(call, &regex, &replacement, &subject, limit, count)? {
            Some(replaced) => subject = replaced,
            None => return Ok(None),
        }
    }
    Ok(Some(subject))
}

/// Applies rules to a subject or an array of subjects. `filter`: subjects without a match are left out.
fn apply_to_all(
    call: &Call<'_>,
    rules: &[Rule<'_>],
    subject_index: usize,
    limit: i64,
    count_index: usize,
    filter: bool,
) -> PhpResult<Val> {
    let mut total = 0;
    let subject = call.arg(subject_index);
    let result = match subject.view() {
        View::Arr(subjects) => {
            let mut results = PhpArr::with_capacity(0);
            for (key, value) in subjects {
                let text = convert::to_str(call.vm, &value.deref())?;
                let before = total;
                if let Some(replaced) = apply(call, rules, text, limit, &mut total)? {
                    if !filter || total > before {
                        results.insert(key, replaced.into());
                    }
                }
            }
            results.into()
        }
        _ => {
            let replaced = apply(call, rules, call.str(subject_index), limit, &mut total)?;
            replaced.filter(|_| !filter || total > 0).map_or(Val::NULL, Val::from)
        }
    };
    if call.was_passed(count_index) {
        call.assign(count_index, Val::int(total))?;
    }
    Ok(result)
}

fn with_texts(call: &Call<'_>, filter: bool) -> PhpResult<Val> {
    let (patterns, replacement) = (call.arg(0), call.arg(1));
    let mut rules = Vec::new();
    match (patterns.view(), replacement.view()) {
        (View::Arr(patterns), View::Arr(replacements)) => {
            let mut texts = replacements.values();
            for pattern in patterns.values() {
                let text = texts.next().map_or_else(|| PhpStr::empty().into(), Val::deref);
                rules.push(Rule { pattern: pattern.deref(), replacement: Source::Value(text) });
            }
        }
        (View::Arr(patterns), _) => {
            for pattern in patterns.values() {
                rules.push(Rule { pattern: pattern.deref(), replacement: Source::Value(call.str(1).into()) });
            }
        }
        (_, View::Arr(_)) => {
            let text = "must be of type array when argument #2 ($replacement) is an array, string given";
            return Err(call.type_error(0, text));
        }
        _ => rules.push(Rule { pattern: call.str(0).into(), replacement: Source::Value(call.str(1).into()) }),
    }
    apply_to_all(call, &rules, 2, call.int(3), 4, filter)
}

fn preg_replace(call: &mut Call<'_>) -> PhpResult<Val> {
    with_texts(call, false)
}

fn preg_filter(call: &mut Call<'_>) -> PhpResult<Val> {
    with_texts(call, true)
}

fn preg_replace_callback(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = call.vm.require_callable(&call.arg(1))?;
    let shape = Shape::from_flags(call.int(5));
    let patterns = match call.arg(0).view() {
        View::Arr(patterns) => patterns.values().map(Val::deref).collect(),
        _ => vec![Val::from(call.str(0))],
    };
    let rule = |pattern| Rule { pattern, replacement: Source::Callback(&callee, shape) };
    let rules: Vec<Rule<'_>> = patterns.into_iter().map(rule).collect();
    apply_to_all(call, &rules, 2, call.int(3), 4, false)
}

fn preg_replace_callback_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let shape = Shape::from_flags(call.int(4));
    let mut callees = Vec::new();
    for (key, callback) in &call.arr(0) {
        let Ok(callee) = call.vm.resolve_callable(&callback.deref())? else {
            return Err(call.type_error(0, "must contain only valid callbacks"));
        };
        let Key::Str(pattern) = key else {
            return Err(call.type_error(0, "must contain only string patterns as keys"));
        };
        callees.push((pattern.clone(), callee));
    }
    let rules: Vec<Rule<'_>> = callees
        .iter()
        .map(|(pattern, callee)| Rule { pattern: pattern.into(), replacement: Source::Callback(callee, shape) })
        .collect();
    apply_to_all(call, &rules, 1, call.int(2), 3, false)
}
