//! Calls with named arguments. Where the names are those of the next parameters, in any order, the arguments are permuted in
//! place.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is a `CallNamed` of the innermost frame `fp`. `a` is the offset of the
//! pending call's header, and the arguments are full cells in a row behind it, in the order in which they are written.

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

/// `CallNamed`.
#[inline(never)]
unsafe fn call_named_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `CallNamed`: the header at `a` is filled in, and all its arguments are in place.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let call = run.code().named_call(run.meta(ip).n);
        if let Some(arranged) = arrange(ip, fp, run, header, call) {
            let next = calls::call(run, ip, header, arranged.argc);
            return match arranged.missing.filter(|_| run.frame == header) {
                Some(missing) => {
                    // The callee starts where the defaults of all parameters from the first missing one on are set; defaults of
                    // those that were passed are skipped.
                    let code = &*(*header).code;
                    (*header).ip = *code.entries.get().add((missing - code.required) as usize);
                    (*header).ip
                }
                None => next,
            };
        }
        let unit = &run.code().func().unit;
        let names = call.names.iter().map(|(position, name)| (*position as usize, unit.str(*name).clone())).collect();
        super::calls::call_in_parts(ip, fp, run, call.args, names)
    }
}

/// Calls with more arguments are not permuted in place: four bits hold an argument's number.
const MOST: u32 = 16;

/// In the inline cache: the arguments cannot be permuted in place.
const NO_ORDER: u64 = u64::MAX;

/// The result of permuting arguments in place.
struct Arranged {
    argc: u32,
    /// The number of the first parameter that has no argument, if there is one before the last argument.
    missing: Option<u32>,
}

/// Permutes the named arguments so that they lie at the callee's parameters; parameters without an argument become undefined.
/// `None`: nothing was done, the call needs more than that.
unsafe fn arrange(ip: Ip, fp: Fp, run: &mut Run, header: *mut Frame, call: &NamedCall) -> Option<Arranged> {
    // SAFETY: the header is filled in, and its arguments are in place; if parameters are skipped, the callee's frame fits below
    // `run.limit`.
    unsafe {
        let code = (*header).code;
        let is_plain = !calls::calls_nothing(header) && (*header).env.is_null() && (*header).flags & NOT_PLAIN == 0;
        if !is_plain || run.meta(ip).b != Kind::None || (*code).has_by_ref || call.args > MOST {
            return None;
        }
        let cache = super::numbered_site(fp, run.meta(ip).site);
        if cache.key != code as u64 {
            // The address can be another function's in the next request.
            crate::named_sites::note(cache, crate::named_sites::Held::Addresses);
            cache.key = code as u64;
            cache.value = order(run.code(), (*code).func(), call).unwrap_or(NO_ORDER);
        }
        if cache.value == NO_ORDER {
            return None;
        }
        let (first, count) = (call.args - call.names.len() as u32, call.names.len());
        let place_of = |index: usize| (cache.value >> (index * 4) & 15) as usize;
        let taken = (0..count).fold(0_u32, |taken, index| taken | 1 << place_of(index));
        let (end, passed) = (u32::BITS - taken.leading_zeros(), taken.trailing_ones());
        let has_holes = passed < end;
        if has_holes {
            let room = header.cast::<u8>().add((*code).frame_bytes.get() as usize) <= run.limit;
            if !(*code).is_simple.get() || (*code).is_native || !room || (*code).entries.get().is_null() {
                return None;
            }
        }
        let cells = header.add(1).cast::<Val>().add(first as usize);
        let mut values = [(0, 0); MOST as usize];
        for (index, value) in values.iter_mut().enumerate().take(count) {
            *value = (raw::payload(cells.add(index)), raw::tag(cells.add(index)));
        }
        for hole in (0..end).filter(|place| taken >> place & 1 == 0) {
            raw::write(cells.add(hole as usize), 0, raw::TI_UNDEF);
        }
        for (index, (payload, tag)) in values.iter().enumerate().take(count) {
            raw::write(cells.add(place_of(index)), *payload, *tag);
        }
        Some(Arranged { argc: first + end, missing: has_holes.then_some(first + passed) })
    }
}

/// Flags of pending calls whose arguments are not simply those of the function.
const NOT_PLAIN: u32 = crate::frame::FLAG_MAGIC | crate::frame::FLAG_FROM_ARRAY;

/// The position of each named argument, counted from the first of them, in four bits each. `None`: some name is no parameter behind
/// the positional arguments, or a required parameter before the last one has no argument.
fn order(caller: &FuncCode, callee: &Func, call: &NamedCall) -> Option<u64> {
    let first = (call.args as usize).checked_sub(call.names.len())?;
    if callee.has(FuncFlags::VARIADIC) {
        return None;
    }
    let place = |(index, (position, name)): (usize, &(u32, StrId))| {
        let name = caller.func().unit.str(*name);
        let to = callee.params.iter().position(|param| param.name == *name)?.checked_sub(first)?;
        (*position as usize == first + index && to < MOST as usize).then_some(to)
    };
    let places = call.names.iter().enumerate().map(place).collect::<Option<Vec<_>>>()?;
    let taken = places.iter().fold(0_u32, |taken, to| taken | 1 << to);
    let end = (u32::BITS - taken.leading_zeros()) as usize;
    let mut holes = (0..end).filter(|place| taken >> place & 1 == 0);
    if holes.any(|hole| first + hole < callee.required) {
        return None;
    }
    let packed = places.iter().rev().fold(0, |packed, to| packed << 4 | *to as u64);
    (taken.count_ones() as usize == places.len() && packed != NO_ORDER).then_some(packed)
}
