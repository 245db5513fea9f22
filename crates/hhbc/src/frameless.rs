//! Builtin functions that PHP compiles to instructions of their own, whose operands are the arguments, so that they have
//! no frame. Programs can observe this: a plain variable is read after all other arguments have been evaluated, and
//! `min` of equal values gives another one of them.

use crate::instr::Instr;
use crate::unit::{FpiRegion, Func, Unit};

/// Names of the functions, each with the numbers of arguments for which PHP has an instruction.
const FRAMELESS: [(&[u8], std::ops::RangeInclusive<usize>); 20] = [
    (b"property_exists", 2..=2),
    (b"class_exists", 1..=2),
    (b"preg_match", 2..=2),
    (b"preg_replace", 3..=3),
    (b"min", 2..=2),
    (b"max", 2..=2),
    (b"in_array", 2..=3),
    (b"trim", 1..=2),
    (b"implode", 1..=2),
    (b"dirname", 1..=2),
    (b"strstr", 2..=3),
    (b"strpos", 2..=3),
    (b"str_contains", 2..=2),
    (b"str_starts_with", 2..=2),
    (b"substr", 2..=3),
    (b"strtr", 2..=3),
    (b"str_replace", 3..=3),
    (b"dechex", 1..=1),
    (b"is_numeric", 1..=1),
    (b"array_key_exists", 2..=2),
];

/// Functions that PHP compiles to instructions of other kinds, each with the number of arguments for which it does.
/// Traces show no call of these functions.
const INLINED: [(&[u8], usize); 28] = [
    (b"strlen", 1),
    (b"is_null", 1),
    (b"is_bool", 1),
    (b"is_long", 1),
    (b"is_int", 1),
    (b"is_integer", 1),
    (b"is_float", 1),
    (b"is_double", 1),
    (b"is_string", 1),
    (b"is_array", 1),
    (b"is_object", 1),
    (b"is_resource", 1),
    (b"is_scalar", 1),
    (b"boolval", 1),
    (b"intval", 1),
    (b"floatval", 1),
    (b"doubleval", 1),
    (b"strval", 1),
    (b"defined", 1),
    (b"count", 1),
    (b"sizeof", 1),
    (b"get_class", 0),
    (b"get_class", 1),
    (b"get_called_class", 0),
    (b"gettype", 1),
    (b"func_num_args", 0),
    (b"func_get_args", 0),
    (b"array_key_exists", 2),
];

/// Is the function called without a frame if it has this many arguments?
pub fn is_frameless(name: &[u8], count: usize) -> bool {
    FRAMELESS.iter().any(|(frameless, counts)| counts.contains(&count) && name.eq_ignore_ascii_case(frameless))
}

/// Is the call at `pc` one without a frame? PHP looks an unqualified name up in the namespace first and branches; calls
/// by unqualified names among the arguments of such a call have a frame.
pub fn is_frameless_call(unit: &Unit, func: &Func, pc: u32) -> bool {
    let Some(own) = func.fpi.iter().find(|region| region.call.0 == pc) else { return false };
    if matches!(func.code.get(pc as usize), Some(Instr::FCallUnpack { .. })) {
        return false;
    }
    let is_looked_up = |region: &FpiRegion| match func.code.get(region.push.0 as usize) {
        Some(&Instr::FPushFuncU { args, fallback, .. }) => is_frameless(unit.str(fallback), args as usize),
        _ => false,
    };
    match func.code.get(own.push.0 as usize) {
        Some(&Instr::FPushFuncD { args, name }) => is_frameless(unit.str(name), args as usize),
        Some(Instr::FPushFuncU { .. }) => {
            let around = |region: &&FpiRegion| region.push.0 < own.push.0 && region.call.0 > own.call.0;
            is_looked_up(own) && !func.fpi.iter().filter(around).any(is_looked_up)
        }
        _ => false,
    }
}

/// Does PHP compile the function to an instruction when it has so many arguments?
pub fn is_inlined(name: &[u8], count: usize) -> bool {
    INLINED.iter().any(|(inlined, number)| count == *number && name.eq_ignore_ascii_case(inlined))
}

/// Is the call at `pc` no call in PHP, but an instruction?
pub fn is_inlined_call(unit: &Unit, func: &Func, pc: u32) -> bool {
    let Some(own) = func.fpi.iter().find(|region| region.call.0 == pc) else { return false };
    let Some(code) = func.code.get(own.push.index()..=own.call.index()) else { return false };
    let is_plain = |instr: &Instr| !matches!(instr, Instr::FCallUnpack { .. } | Instr::FPassName { .. });
    match code {
        [Instr::FPushFuncD { args, name }, rest @ ..] => {
            is_inlined(unit.str(*name), *args as usize) && rest.iter().all(is_plain)
        }
        _ => false,
    }
}
