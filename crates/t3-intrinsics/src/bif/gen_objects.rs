//! tads-gen: the table, and the functions about objects, arguments and values.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::functions;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::{ObjId, Value};
use phlox_t3_vm::vm::{Args, Builtin, Vm};

use super::{game, number, rand, rex, sprintf, time};
use crate::meta::string_find;

pub(crate) static FUNCTIONS: &[Builtin] = functions! {
    dataType 1 1 => data_type,
    getArg 1 1 => get_arg,
    firstObj 0 2 => first_obj,
    nextObj 1 3 => next_obj,
    randomize 0 2 => rand::randomize,
    rand 0 any => rand::rand,
    toString 1 3 => number::to_string,
    toInteger 1 2 => number::to_integer,
    getTime 0 1 => time::get_time,
    rexMatch 2 3 => rex::rex_match,
    rexSearch 2 3 => rex::rex_search,
    rexGroup 1 1 => rex::rex_group,
    rexReplace 3 6 => string_find::rex_replace,
    savepoint 0 0 => game::savepoint,
    undo 0 0 => game::undo,
    saveGame 1 2 => game::save_game,
    restoreGame 1 1 => game::restore_game,
    restartGame 0 0 => game::restart_game,
    max 1 any => max,
    min 1 any => min,
    makeString 1 2 => make_string,
    getFuncParams 1 1 => get_func_params,
    toNumber 1 2 => number::to_number,
    sprintf 1 any => sprintf::sprintf,
    makeList 1 2 => make_list,
    abs 1 1 => number::abs,
    sgn 1 1 => number::sgn,
    concat 0 any => concat,
    rexSearchLast 2 3 => rex::rex_search_last,
};

fn data_type(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(vm.data_type(args.get(vm, 0))))
}

fn get_arg(vm: &mut Vm, args: Args) -> Run<Value> {
    let at = vm.want_int(args.get(vm, 0))?;
    let Some(frame) = vm.frames.last() else { return fail(error::BAD_FRAME) };
    if at < 1 || at as u32 > frame.argc {
        return fail(error::BAD_VAL_BIF);
    }
    Ok(vm.stack[frame.fp as usize - at as usize])
}

/// firstObj and nextObj: ordinary objects.
const INSTANCES: i32 = 1;
/// Classes.
const CLASSES: i32 = 2;

fn first_obj(vm: &mut Vm, args: Args) -> Run<Value> {
    enumerate(vm, args, 0, 1)
}

fn next_obj(vm: &mut Vm, args: Args) -> Run<Value> {
    let start = vm.want_object(args.get(vm, 0))?;
    enumerate(vm, args, 1, start + 1)
}

/// The first object from a number on that the arguments from `at` on describe.
fn enumerate(vm: &mut Vm, args: Args, at: usize, start: ObjId) -> Run<Value> {
    let (mut class, mut flags) = (None, INSTANCES);
    match (args.count - at, args.get(vm, at)) {
        (0, _) => {}
        (1, Value::Int(wanted)) => flags = wanted,
        (1, Value::Obj(id)) => class = Some(id),
        (1, _) => return fail(error::BAD_TYPE_BIF),
        (_, value) => {
            class = Some(vm.want_object(value)?);
            flags = vm.want_int(args.get(vm, at + 1))?;
        }
    }
    for id in start..vm.heap.slots.len() as ObjId {
        let is_class = match vm.heap.get(id) {
            Obj::Free | Obj::Modifier(_) => continue,
            Obj::Tads(object) => object.is_class,
            Obj::Class(_) => true,
            Obj::Text(_) | Obj::List(_) if class.is_none() => continue,
            _ => false,
        };
        let wanted = if is_class { CLASSES } else { INSTANCES };
        if flags & wanted == 0 {
            continue;
        }
        let belongs = match class {
            None => true,
            Some(class) => id != class && vm.is_instance(id, class),
        };
        if belongs {
            return Ok(Value::Obj(id));
        }
    }
    Ok(Value::Nil)
}

fn max(vm: &mut Vm, args: Args) -> Run<Value> {
    extreme(vm, args, std::cmp::Ordering::Greater)
}

fn min(vm: &mut Vm, args: Args) -> Run<Value> {
    extreme(vm, args, std::cmp::Ordering::Less)
}

fn extreme(vm: &mut Vm, args: Args, wanted: std::cmp::Ordering) -> Run<Value> {
    let first = args.get(vm, 0);
    let items = match (args.count, vm.list_like(first)?) {
        (1, Some(items)) => items,
        _ => args.all(vm),
    };
    let Some((mut best, rest)) = items.split_first() else { return fail(error::BAD_VAL_BIF) };
    for item in rest {
        if vm.order(*item, *best)? == wanted {
            best = item;
        }
    }
    Ok(*best)
}

fn count_arg(vm: &Vm, args: Args) -> Run<usize> {
    match args.count {
        0 | 1 => Ok(1),
        _ => usize::try_from(vm.want_int(args.get(vm, 1))?).map_err(|_| error::error(error::BAD_VAL_BIF)),
    }
}

/// The longest string that repetition may make.
const MAX_STRING: usize = 1 << 26;

fn make_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let value = args.get(vm, 0);
    let count = count_arg(vm, args)?;
    let text = if let Some(text) = vm.heap.text(value) {
        text.to_string()
    } else {
        let codes = match value {
            Value::Int(_) => vec![value],
            _ => vm.list_like(value)?.ok_or_else(|| error::error(error::BAD_TYPE_BIF))?,
        };
        let mut text = String::new();
        for code in codes {
            let code = vm.want_int(code)?;
            // The reference keeps sixteen bits of a code.
            text.push(char::from_u32(code as u32 & 0xffff).unwrap_or('\u{fffd}'));
        }
        text
    };
    if text.len().saturating_mul(count) > MAX_STRING {
        return fail(error::BAD_VAL_BIF);
    }
    Ok(vm.heap.new_text(text.repeat(count)))
}

fn make_list(vm: &mut Vm, args: Args) -> Run<Value> {
    let count = count_arg(vm, args)?;
    if count > MAX_STRING / 8 {
        return fail(error::LIST_TOO_LONG);
    }
    let value = args.get(vm, 0);
    Ok(vm.heap.new_list(vec![value; count]))
}

fn get_func_params(vm: &mut Vm, args: Args) -> Run<Value> {
    match vm.parameters_of(args.get(vm, 0)) {
        Some((min, optional, varargs)) => {
            Ok(vm.heap.new_list(vec![Value::Int(min), Value::Int(optional), Value::truth(varargs)]))
        }
        None => fail(error::FUNCPTR_VAL_REQD),
    }
}

fn concat(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut out = String::new();
    for n in 0..args.count {
        out.push_str(&vm.to_text(args.get(vm, n))?);
    }
    Ok(vm.heap.new_text(out))
}
