//! Regular expressions as functions.

use phlox_t3_library::regex::{MAX_GROUPS, Match, Regex};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

use crate::meta::string_find::start_index;

/// The pattern; what is wrong with the optional start is noticed before anything is wrong with it.
fn pattern(vm: &mut Vm, args: Args) -> Run<Option<std::rc::Rc<Regex>>> {
    if args.count > 2 && !matches!(args.get(vm, 2), Value::Int(_)) {
        return fail(error::BAD_TYPE_BIF);
    }
    let pattern = args.get(vm, 0);
    if vm.pattern_object(pattern).is_none() && vm.heap.text(pattern).is_none() {
        return fail(error::STRING_VAL_REQD);
    }
    vm.pattern_arg(pattern)
}

/// Subject and byte position of the optional start argument.
fn subject(vm: &Vm, args: Args) -> Run<(Text, usize)> {
    let text = vm.want_text(args.get(vm, 1))?;
    let start = start_index(vm, args.given(vm, 2), &text)?;
    let at = text.byte_of(start);
    Ok((text, at))
}

pub(crate) fn rex_match(vm: &mut Vm, args: Args) -> Run<Value> {
    let regex = pattern(vm, args)?;
    let (text, at) = subject(vm, args)?;
    let found = regex.and_then(|regex| regex.match_at(&text, at, true));
    let length = found.as_ref().map(|found| text[found.start..found.end].chars().count());
    vm.remember_match(&text, found);
    Ok(length.map_or(Value::Nil, |length| Value::Int(length as i32)))
}

pub(crate) fn rex_search(vm: &mut Vm, args: Args) -> Run<Value> {
    let regex = pattern(vm, args)?;
    let (text, at) = subject(vm, args)?;
    let found = regex.and_then(|regex| regex.search(&text, at, true));
    result(vm, text, found)
}

pub(crate) fn rex_search_last(vm: &mut Vm, args: Args) -> Run<Value> {
    let regex = pattern(vm, args)?;
    let text = vm.want_text(args.get(vm, 1))?;
    let end = match args.given(vm, 2) {
        Some(value) => {
            let at = i64::from(vm.want_int(value)?);
            let at = if at <= 0 { at + text.chars_len() as i64 } else { at - 1 };
            text.byte_of(usize::try_from(at).unwrap_or(0))
        }
        None => text.len(),
    };
    let found = regex.and_then(|regex| regex.search_back(&text, end, true));
    result(vm, text, found)
}

/// Remembers a match and describes it: index, length, text.
fn result(vm: &mut Vm, text: Text, found: Option<Match>) -> Run<Value> {
    let whole = found.as_ref().map(|found| (found.start, found.end));
    vm.remember_match(&text, found);
    match whole {
        Some((start, end)) => Ok(describe(vm, &text, start, end)),
        None => Ok(Value::Nil),
    }
}

fn describe(vm: &mut Vm, text: &Text, start: usize, end: usize) -> Value {
    let part = vm.heap.new_text(&text[start..end]);
    let index = text.char_of(start) as i32 + 1;
    let length = vm.heap.text(part).map_or(0, Text::chars_len) as i32;
    vm.heap.new_list(vec![Value::Int(index), Value::Int(length), part])
}

pub(crate) fn rex_group(vm: &mut Vm, args: Args) -> Run<Value> {
    let number = vm.want_int(args.get(vm, 0))?;
    if !(0..=MAX_GROUPS as i32).contains(&number) {
        return fail(error::BAD_VAL_BIF);
    }
    let last = &vm.state.last_match;
    let (Some(text), Some(found)) = (last.text.clone(), &last.found) else { return Ok(Value::Nil) };
    let range = match number {
        0 => Some((found.start, found.end)),
        number => found.groups.get(number as usize - 1).copied().flatten(),
    };
    match range {
        Some((start, end)) => Ok(describe(vm, &text, start, end)),
        None => Ok(Value::Nil),
    }
}
