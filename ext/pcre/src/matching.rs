//! `preg_match()`, `preg_match_all()`, `preg_grep()` and `preg_quote()`.

use crate::pattern::{self, Found, Regex, Search};
use crate::state;
use phlox_pcre::MatchError;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpRef, PhpResult, PhpStr, StrBuilder, Val, View, Vm, convert};

/// The functions of this module.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "preg_match(string $pattern, string $subject, &$matches = null, int $flags = 0, int $offset = 0): int|false",
        preg_match,
    )
    .fast_path(match_quick),
    FnDef::new(
        "preg_match_all(string $pattern, string $subject, &$matches = null, int $flags = 0, int $offset = 0): int|false",
        preg_match_all,
    )
    .fast_path(match_all_quick),
    FnDef::new("preg_grep(string $pattern, array $array, int $flags = 0): array|false", preg_grep),
    FnDef::new("preg_quote(string $str, ?string $delimiter = null): string", preg_quote).fast_path(|args| match args {
        [text] => Some(quoted(text.as_str()?, None)),
        [text, delimiter] => Some(quoted(text.as_str()?, delimiter.as_str()?.first().copied())),
        _ => None,
    }),
];

/// `PREG_OFFSET_CAPTURE`.
pub const OFFSET_CAPTURE: i64 = 256;
/// `PREG_UNMATCHED_AS_NULL`.
pub const UNMATCHED_AS_NULL: i64 = 512;
/// The mask of the flags that order all matches.
const ORDERS: i64 = 0xff;
const PATTERN_ORDER: i64 = 1;
const SET_ORDER: i64 = 2;

/// The form in which groups become values.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Each group comes with its offset.
    pub offsets: bool,
    /// Groups that did not take part are null instead of empty.
    pub nulls: bool,
}

impl Shape {
    /// The form that `PREG_OFFSET_CAPTURE` and `PREG_UNMATCHED_AS_NULL` ask for.
    pub fn from_flags(flags: i64) -> Shape {
        Shape { offsets: flags & OFFSET_CAPTURE != 0, nulls: flags & UNMATCHED_AS_NULL != 0 }
    }

    /// A group as a value. Groups from `count` on did not take part.
    pub fn value(self, search: &Search<'_>, index: usize, count: usize) -> Val {
        let group = if index < count { search.group(index) } else { None };
        let text = match group {
            Some(text) => Val::str(text),
            None if self.nulls => Val::NULL,
            None => PhpStr::empty().into(),
        };
        if !self.offsets {
            return text;
        }
        let start = group.and_then(|_| search.group_start(index)).map_or(-1, |start| start as i64);
        PhpArr::list(2, [text, Val::int(start)].into_iter()).into()
    }

    /// The groups of a match as an array. Named groups are also under their names.
    pub fn set(self, search: &Search<'_>, found: &Found) -> PhpArr {
        let regex = search.regex();
        // Groups behind the last one that took part are left out, unless nulls are wanted.
        let last = if self.nulls { regex.group_count } else { found.count };
        let mark = search.mark();
        if !regex.has_names && mark.is_none() {
            if !self.offsets && !self.nulls {
                return PhpArr::list(last, (0..last).map(|index| Val::from(search.text(index))));
            }
            return PhpArr::list(last, (0..last).map(|index| self.value(search, index, found.count)));
        }
        let mut set = PhpArr::with_hash_capacity(2 * last);
        for index in 0..last {
            let value = self.value(search, index, found.count);
            match &regex.names[index] {
                Some(name) if regex.has_same_names => {
                    add_named(&mut set, name, value.clone(), search.group(index).is_some());
                }
                Some(name) => set.add_new(Key::Str(name), value.clone()),
                None => {}
            }
            set.add_new(Key::Int(index as i64), value);
        }
        if let Some(mark) = mark {
            set.set_bytes(b"MARK", mark.into());
        }
        set
    }
}

/// Adds a named group. Among groups with one name, the one that took part is kept.
fn add_named(set: &mut PhpArr, name: &PhpStr, value: Val, matched: bool) {
    if matched || !set.contains(Key::Str(name)) {
        set.insert(Key::Str(name), value);
    }
}

/// The start of the search. A negative offset counts from the end. `None`: it is behind the end.
fn start_offset(offset: i64, length: usize) -> Option<usize> {
    let start = if offset < 0 { (length as i64).saturating_add(offset).max(0) } else { offset };
    usize::try_from(start).ok().filter(|&start| start <= length)
}

fn store(call: &Call<'_>, matches: PhpArr) -> PhpResult<()> {
    if call.was_passed(2) { call.assign(2, matches.into()) } else { Ok(()) }
}

/// Whether dropping the value has no visible effect. Earlier matches are texts, or pairs of a text and an offset.
fn is_plain(value: &Val) -> bool {
    let is_leaf = |value: &Val| !matches!(value.view(), View::Arr(_) | View::Obj(_) | View::Ref(_));
    match value.view() {
        View::Arr(array) => array.values().all(|value| match value.view() {
            View::Arr(inner) => inner.values().all(is_leaf),
            _ => is_leaf(value),
        }),
        View::Obj(_) | View::Ref(_) | View::Class(_) => false,
        _ => true,
    }
}

/// The arguments of a match that takes the fast path.
struct QuickMatch<'a> {
    pattern: &'a PhpStr,
    subject: &'a PhpStr,
    /// The variable that gets the groups, if any.
    matches: Option<&'a PhpRef>,
    flags: i64,
    offset: usize,
}

impl<'a> QuickMatch<'a> {
    /// `None`: the slow path is needed, because an error may have to be reported. `orders` are the flags that the
    /// function allows besides those of groups.
    fn of(args: &'a [Val], orders: i64) -> Option<QuickMatch<'a>> {
        let (pattern, subject) = (args.first()?.as_str()?, args.get(1)?.as_str()?);
        let matches = match args.get(2) {
            None => None,
            Some(matches) => Some(matches.as_ref().filter(|matches| !matches.has_sources())?),
        };
        let flags = args.get(3).map_or(Some(0), Val::as_int)?;
        let offset = usize::try_from(args.get(4).map_or(Some(0), Val::as_int)?).ok()?;
        let is_known = flags & !(orders | OFFSET_CAPTURE | UNMATCHED_AS_NULL) == 0;
        let is_free = matches.is_none_or(|matches| is_plain(&matches.get()));
        (is_known && offset <= subject.len() && is_free).then_some(QuickMatch {
            pattern,
            subject,
            matches,
            flags,
            offset,
        })
    }
}

/// The fast path of `preg_match()`, for patterns that are in the cache. `None`: the slow path is needed.
fn match_quick(args: &[Val]) -> Option<Val> {
    let QuickMatch { pattern, subject, matches, flags, offset } = QuickMatch::of(args, 0)?;
    let vm = Vm::current()?;
    let state = state::state(vm);
    let regex = state.compiled(pattern)?;
    let mut search = Search::new(vm, &state, &regex, subject, offset)?;
    let found = search.next().ok()?;
    state.last_error.set(0);
    if let Some(matches) = matches {
        let set = found.as_ref().map_or_else(PhpArr::new, |found| Shape::from_flags(flags).set(&search, found));
        matches.set(set.into());
    }
    Some(Val::int(found.is_some().into()))
}

fn preg_match(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = state::state(call.vm);
    let Some(regex) = pattern::compile(call, &state, &call.str(0))? else { return Ok(Val::FALSE) };
    let (subject, flags) = (call.str(1), call.int(3));
    if flags & 0xff != 0 {
        return Err(call.value_error(3, "must be a PREG_* constant"));
    }
    check_offset(call)?;
    state.last_error.set(0);
    let Some(offset) = start_offset(call.int(4), subject.len()) else {
        store(call, PhpArr::new())?;
        state.last_error.set(state::INTERNAL_ERROR);
        return Ok(Val::FALSE);
    };
    let Some(mut search) = Search::new(call.vm, &state, &regex, &subject, offset) else { return Ok(Val::FALSE) };
    match search.next() {
        Ok(Some(found)) => {
            if call.was_passed(2) {
                store(call, Shape::from_flags(flags).set(&search, &found))?;
            }
            Ok(Val::int(1))
        }
        Ok(None) => {
            store(call, PhpArr::new())?;
            Ok(Val::int(0))
        }
        Err(error) => {
            store(call, PhpArr::new())?;
            state::set_error(call.vm, error);
            Ok(failed(call, error)?.map_or(Val::FALSE, |()| Val::int(0)))
        }
    }
}

/// The fast path of `preg_match_all()`, for patterns that are in the cache. `None`: the slow path is needed.
fn match_all_quick(args: &[Val]) -> Option<Val> {
    let QuickMatch { pattern, subject, matches, flags, offset } = QuickMatch::of(args, ORDERS)?;
    let order = order_of(flags)?;
    let vm = Vm::current()?;
    let state = state::state(vm);
    let regex = state.compiled(pattern)?;
    let mut search = Search::new(vm, &state, &regex, subject, offset)?;
    let (count, found, error) = collect(&mut search, &regex, order, Shape::from_flags(flags), matches.is_some());
    if error.is_some() {
        return None;
    }
    state.last_error.set(0);
    if let Some(matches) = matches {
        matches.set(found.into());
    }
    Some(Val::int(count))
}

/// The order that the flags ask for. `None`: they contradict each other.
fn order_of(flags: i64) -> Option<i64> {
    let order = if flags & ORDERS == 0 { PATTERN_ORDER } else { flags & ORDERS };
    (PATTERN_ORDER..=SET_ORDER).contains(&order).then_some(order)
}

/// The number of matches and, if wanted, their groups. An error that ended the search comes with the matches before it.
fn collect(
    search: &mut Search<'_>,
    regex: &Regex,
    order: i64,
    shape: Shape,
    wanted: bool,
) -> (i64, PhpArr, Option<MatchError>) {
    let mut sets = PhpArr::new();
    let mut columns: Vec<PhpArr> =
        vec![PhpArr::new(); if wanted && order == PATTERN_ORDER { regex.group_count } else { 0 }];
    let (mut marks, mut count) = (PhpArr::new(), 0);
    let error = loop {
        match search.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(_)) if !wanted => {}
            Ok(Some(found)) if order == SET_ORDER => {
                let _ = sets.push(shape.set(search, &found).into());
            }
            Ok(Some(found)) => {
                for (index, column) in columns.iter_mut().enumerate() {
                    let _ = column.push(shape.value(search, index, found.count));
                }
                if let Some(mark) = search.mark() {
                    marks.insert(Key::Int(count), mark.into());
                }
            }
        }
        count += 1;
    };
    let matches = match order {
        SET_ORDER => sets,
        _ if !wanted => PhpArr::new(),
        _ if !regex.has_names && marks.is_empty() => PhpArr::from_vec(columns.into_iter().map(Val::from).collect()),
        _ => by_pattern(&regex.names, columns, marks),
    };
    (count, matches, error)
}

/// Handles an error of a match. A start behind the end gives a warning and ends the search; other errors make the
/// function give false.
fn failed(call: &Call<'_>, error: MatchError) -> PhpResult<Option<()>> {
    if error != MatchError::StartBehindEnd {
        return Ok(None);
    }
    call.warning("Get subpatterns list failed")?;
    Ok(Some(()))
}

fn check_offset(call: &Call<'_>) -> PhpResult<()> {
    if call.int(4) == i64::MIN {
        return Err(call.value_error(4, &format!("must be greater than {}", i64::MIN)));
    }
    Ok(())
}

fn preg_match_all(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = state::state(call.vm);
    let Some(regex) = pattern::compile(call, &state, &call.str(0))? else { return Ok(Val::FALSE) };
    let (subject, flags) = (call.str(1), call.int(3));
    let Some(order) = order_of(flags) else {
        store(call, PhpArr::new())?;
        return Err(call.value_error(3, "must be a PREG_* constant"));
    };
    check_offset(call)?;
    state.last_error.set(0);
    let Some(offset) = start_offset(call.int(4), subject.len()) else {
        store(call, PhpArr::new())?;
        state.last_error.set(state::INTERNAL_ERROR);
        return Ok(Val::FALSE);
    };
    let Some(mut search) = Search::new(call.vm, &state, &regex, &subject, offset) else { return Ok(Val::FALSE) };
    let wanted = call.was_passed(2);
    let (count, matches, error) = collect(&mut search, &regex, order, Shape::from_flags(flags), wanted);
    if let Some(error) = error {
        state::set_error(call.vm, error);
        failed(call, error)?;
    }
    store(call, matches)?;
    Ok(if error.is_some() { Val::FALSE } else { Val::int(count) })
}

fn by_pattern(names: &[Option<PhpStr>], columns: Vec<PhpArr>, marks: PhpArr) -> PhpArr {
    let mut matches = PhpArr::with_capacity(0);
    for (index, (column, name)) in columns.into_iter().zip(names).enumerate() {
        if let Some(name) = name {
            matches.insert(Key::Str(name), column.clone().into());
        }
        matches.insert(Key::Int(index as i64), column.into());
    }
    if !marks.is_empty() {
        matches.set_bytes(b"MARK", marks.into());
    }
    matches
}

fn preg_grep(call: &mut Call<'_>) -> PhpResult<Val> {
    const INVERT: i64 = 1;
    let state = state::state(call.vm);
    let Some(regex) = pattern::compile(call, &state, &call.str(0))? else { return Ok(Val::FALSE) };
    let (array, invert) = (call.arr(1), call.int(2) & INVERT != 0);
    state.last_error.set(0);
    let mut kept = PhpArr::with_capacity(0);
    for (key, value) in &array {
        let text = convert::to_str(call.vm, &value.deref())?;
        let Some(mut search) = Search::new(call.vm, &state, &regex, &text, 0) else { break };
        match search.next() {
            Ok(found) if found.is_some() != invert => drop(kept.insert(key, value.clone())),
            Ok(_) => {}
            Err(error) => {
                state::set_error(call.vm, error);
                break;
            }
        }
    }
    Ok(kept.into())
}

fn preg_quote(call: &mut Call<'_>) -> PhpResult<Val> {
    let delimiter = call.opt_str(1).and_then(|text| text.first().copied());
    Ok(quoted(&call.str(0), delimiter))
}

/// A text with a backslash before each character that is special in patterns.
fn quoted(text: &PhpStr, delimiter: Option<u8>) -> Val {
    let is_special = |byte: u8| {
        matches!(
            byte,
            0 | b'!'
                | b'#'
                | b'$'
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b':'
                | b'<'
                | b'='
                | b'>'
                | b'?'
                | b'['
                | b'\\'
                | b']'
                | b'^'
                | b'{'
                | b'|'
                | b'}'
        ) || Some(byte) == delimiter
    };
    if !text.iter().any(|&byte| is_special(byte)) {
        return text.into();
    }
    let mut quoted = StrBuilder::with_capacity(text.len() + text.len() / 2);
    for &byte in text.iter() {
        match byte {
            0 => quoted.extend_from_slice(b"\\000"),
            _ if is_special(byte) => quoted.extend_from_slice(&[b'\\', byte]),
            _ => quoted.push(byte),
        }
    }
    quoted.into()
}
