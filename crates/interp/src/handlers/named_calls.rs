//! Calls with named arguments: where the names are those of the next parameters, in any order, the arguments change places.

use super::switch_handler;
use crate::calls;
use crate::code::{FuncCode, Kind};
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use phlox_hhbc::{FuncFlags, StrId};
use phlox_lower::NamedCall;
use phlox_runtime::{Func, Val};
use phlox_value::raw;

switch_handler!(call_named, call_named_slow);

#[inline(never)]
unsafe fn call_named_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let call = run.code().named_call(run.meta(ip).n);
        if arrange(ip, fp, run, header, call) {
            return calls::call(run, ip, header, call.args);
        }
        let unit = &run.code().func().unit;
        let names = call.names.iter().map(|(position, name)| (*position as usize, unit.str(*name).clone())).collect();
        super::calls::call_in_parts(ip, fp, run, call.args, names)
    }
}

/// Arguments beyond this one are not arranged.
const MOST: u32 = 16;

/// An order that is none: some argument has no parameter of its own among the next ones.
const NO_ORDER: u64 = u64::MAX;

/// Puts the named arguments where the callee's parameters are. False: nothing happened, the call needs more than that.
unsafe fn arrange(ip: Ip, fp: Fp, run: &mut Run, header: *mut Frame, call: &NamedCall) -> bool {
    // SAFETY: called with a call whose arguments are in place.
    unsafe {
        let code = (*header).code;
        let is_plain = !calls::calls_nothing(header) && (*header).env.is_null() && (*header).flags & NOT_PLAIN == 0;
        if !is_plain || run.meta(ip).b != Kind::None || (*code).has_by_ref || call.args > MOST {
            return false;
        }
        let cache = super::numbered_site(fp, run.meta(ip).site);
        if cache.key != code as u64 {
            cache.key = code as u64;
            cache.value = order(run.code(), (*code).func(), call).unwrap_or(NO_ORDER);
        }
        if cache.value == NO_ORDER {
            return false;
        }
        let first = call.args - call.names.len() as u32;
        let cells = header.add(1).cast::<Val>().add(first as usize);
        let mut values = [(0, 0); MOST as usize];
        for (index, value) in values.iter_mut().enumerate().take(call.names.len()) {
            *value = (raw::payload(cells.add(index)), raw::tag(cells.add(index)));
        }
        for (index, (payload, tag)) in values.iter().enumerate().take(call.names.len()) {
            let to = cache.value >> (index * 4) & 15;
            raw::write(cells.add(to as usize), *payload, *tag);
        }
        true
    }
}

/// Flags of pending calls whose arguments are not simply those of the function.
const NOT_PLAIN: u32 = crate::frame::FLAG_MAGIC | crate::frame::FLAG_FROM_ARRAY;

/// Where each named argument goes, counted from the first of them, four bits each, if they go to the parameters that follow
/// the arguments without names.
fn order(caller: &FuncCode, callee: &Func, call: &NamedCall) -> Option<u64> {
    let first = (call.args as usize).checked_sub(call.names.len())?;
    if callee.has(FuncFlags::VARIADIC) {
        return None;
    }
    let place = |(index, (position, name)): (usize, &(u32, StrId))| {
        let name = caller.func().unit.str(*name);
        let to = callee.params.iter().position(|param| param.name == *name)?.checked_sub(first)?;
        (*position as usize == first + index && to < call.names.len()).then_some(to)
    };
    let places = call.names.iter().enumerate().map(place).collect::<Option<Vec<_>>>()?;
    let taken = places.iter().fold(0_u32, |taken, to| taken | 1 << to);
    let packed = places.iter().rev().fold(0, |packed, to| packed << 4 | *to as u64);
    (taken.count_ones() as usize == places.len() && packed != NO_ORDER).then_some(packed)
}
