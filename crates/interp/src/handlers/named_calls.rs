//! Calls with named arguments. Where the names are those of the next parameters, in any order, the arguments are permuted in
//! place.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is a `CallNamed` of the innermost frame `fp`. `a` is the offset of the
//! pending call's header, and the arguments are full cells in a row behind it, in the order in which they are written.

use super::switch_handler;
use crate::calls;
use crate::code::{FuncCode, Kind};
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_CONSTRUCTOR, FLAG_FROM_ARRAY, FLAG_MAGIC, Frame};
use phlox_hhbc::{FuncFlags, StrId};
use phlox_lower::NamedCall;
use phlox_runtime::{Func, Key, PhpArr, Val};
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
            return call_arranged(ip, run, header, arranged);
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

/// Makes a call whose arguments lie at their parameters.
unsafe fn call_arranged(ip: Ip, run: &mut Run, header: *mut Frame, arranged: Arranged) -> Ip {
    // SAFETY: the callers pass a filled-in header with the arguments behind it; only parameters with defaults have none.
    unsafe {
        let next = calls::call(run, ip, header, arranged.argc);
        match arranged.missing.filter(|_| run.frame == header) {
            Some(missing) => {
                // The callee starts where the defaults of all parameters from the first missing one on are set; defaults of
                // those that were passed are skipped.
                let code = &*(*header).code;
                (*header).ip = *code.entries.get().add((missing - code.required) as usize);
                (*header).ip
            }
            None => next,
        }
    }
}

/// Makes the call of `CallSlow` with an array of further arguments that have names, where each goes to a parameter of its own.
/// `None`: nothing was done, the call needs more than that.
pub(super) unsafe fn call_with_names(ip: Ip, fp: Fp, run: &mut Run, header: *mut Frame, argc: u32) -> Option<Ip> {
    // SAFETY: the header at `a` is filled in, with `argc` arguments behind it; `b` is the array's temporary. The callee's frame,
    // which has a cell for each parameter, fits below `run.limit`.
    unsafe {
        let code = (*header).code;
        let flags = (*header).flags & !(FLAG_FROM_ARRAY | FLAG_CONSTRUCTOR);
        if calls::calls_nothing(header) || !(*header).env.is_null() || flags != 0 || run.meta(ip).b == Kind::None {
            return None;
        }
        let room = header.cast::<u8>().add((*code).frame_bytes.get() as usize) <= run.limit;
        let is_plain = (*code).is_simple.get() && !(*code).is_native && !(*code).has_by_ref;
        let further = cell(fp, (*ip).b);
        if !room || !is_plain || (*code).entries.get().is_null() || raw::tag(further) & 0xff != raw::TI_ARR_STATIC {
            return None;
        }
        let (places, arranged) = places_of((*code).func(), argc, raw::array_at(further))?;
        // The array's temporary may lie where an argument goes.
        let held = raw::take(further);
        let first = header.add(1).cast::<Val>();
        for place in argc..arranged.argc {
            raw::write_tag(first.add(place as usize), raw::TI_UNDEF);
        }
        for (place, (_, value)) in places.iter().zip(raw::array_at(&held)) {
            raw::put(first.add(*place as usize), value.clone());
        }
        drop(held);
        Some(call_arranged(ip, run, header, arranged))
    }
}

/// The parameters that the elements of an array go to, behind `argc` arguments. `None`: a name is unknown or its parameter is taken,
/// a required parameter before the last one has no argument, or there are more arguments than parameters.
fn places_of(callee: &Func, argc: u32, further: &PhpArr) -> Option<([u32; MOST as usize], Arranged)> {
    let declared = callee.params.len();
    let fits = declared <= MOST as usize && further.len() <= MOST as usize && argc as usize <= declared;
    if callee.has(FuncFlags::VARIADIC) || !fits {
        return None;
    }
    let mut places = [0; MOST as usize];
    let (mut taken, mut positional) = ((1_u32 << argc) - 1, argc as usize);
    for (place, (key, value)) in places.iter_mut().zip(further) {
        let to = match key {
            // A positional argument behind one with a name is an error.
            Key::Int(_)
                if taken.trailing_ones() as usize == positional && taken.count_ones() as usize == positional =>
            {
                positional += 1;
                Some(positional - 1).filter(|&to| to < declared)?
            }
            Key::Int(_) => return None,
            Key::Str(name) => callee.params.iter().position(|param| param.name == *name)?,
        };
        if value.is_ref() || taken >> to & 1 != 0 {
            return None;
        }
        taken |= 1 << to;
        *place = to as u32;
    }
    let (end, passed) = (u32::BITS - taken.leading_zeros(), taken.trailing_ones());
    let is_required = |hole: u32| taken >> hole & 1 == 0 && (hole as usize) < callee.required;
    let missing = (passed < end).then_some(passed);
    (!(0..end).any(is_required)).then_some((places, Arranged { argc: end, missing }))
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
const NOT_PLAIN: u32 = FLAG_MAGIC | FLAG_FROM_ARRAY;

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
