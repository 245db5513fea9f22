//! What the compiler is told of a function: its oplines, tables, inline caches and the layout of its frames.

use super::functions;
use crate::code::{FuncCode, OP_BYTES};
use crate::frame::{FLAG_BORROWS_THIS, Frame};
use phlox_hhbc::SwitchTable;
use phlox_hhir::Unit;
use phlox_hhir::types as hhir;
use phlox_jit::{
    Built, Cache, CallContext, Callee, FrameShape, HeaderShape, Region, Seen, Start, Switch, This, Wanted, build,
    layout,
};
use phlox_lower::{FALLS_THROUGH, ITER_CELLS, OpCode};
use phlox_runtime::{PhpStr, Val};
use phlox_value::raw;
use std::mem::offset_of;

/// The unit of a loop.
///
/// # Safety
/// `frame` is the innermost frame, stands at the loop's head and runs `code`.
pub unsafe fn of_loop(code: &FuncCode, frame: *mut Frame, header: u32) -> Result<(Unit, FrameShape), String> {
    // SAFETY: by the caller.
    let (built, shape) = unsafe { build_region(code, frame, header, Start::Loop)? };
    Ok((built.unit, shape))
}

/// The unit of a function, for calls with as many arguments as it has parameters from `header` on.
pub fn of_function(code: &FuncCode, header: u32, wanted: &Wanted) -> Result<(Built, FrameShape), String> {
    // SAFETY: no frame is looked at.
    unsafe { build_region(code, std::ptr::null_mut(), header, Start::Function(wanted)) }
}

/// What methods of a function have: `$this`, a class, or nothing.
pub fn this_of(code: &FuncCode) -> This {
    let func = code.func();
    match func.scope.get() {
        None => This::None,
        Some(_) if func.is_static() => This::Class,
        Some(_) => This::Object,
    }
}

pub fn shape_of(code: &FuncCode) -> FrameShape {
    FrameShape {
        before_tmps: code.locals + code.iters * ITER_CELLS,
        oplines: code.ops.get() as u64,
        opline_bytes: OP_BYTES as u32,
        header: HeaderShape {
            callee: offset_of!(Frame, code) as u32,
            empty: [
                offset_of!(Frame, this) as u32,
                offset_of!(Frame, static_class) as u32,
                offset_of!(Frame, closure) as u32,
                offset_of!(Frame, env) as u32,
            ],
            flags: offset_of!(Frame, flags) as u32,
            borrows_this: FLAG_BORROWS_THIS,
            ip: offset_of!(Frame, ip) as u32,
            prev: offset_of!(Frame, prev) as u32,
            argc: offset_of!(Frame, argc) as u32,
            this: offset_of!(Frame, this) as u32,
            static_class: offset_of!(Frame, static_class) as u32,
        },
        bytes: layout::byte_strings() as u64,
        fails_every: super::fails_every(),
    }
}

/// What a call's inline cache knows.
fn callees_at(code: &FuncCode, at: u32) -> Vec<Callee> {
    let op = &code.body().lowered.ops[at as usize];
    let caches = if op.op == OpCode::InitMethod { 2 } else { 1 };
    let known: Vec<Callee> = (0..caches).filter_map(|second| callee_at(code, at, second)).collect();
    // Objects of a class whose method cannot be called that way are likely, too.
    let all = (0..caches).filter(|second| has_cache(code, op.site + second * code.site_count.get())).count();
    if known.len() == all { known } else { Vec::new() }
}

fn has_cache(code: &FuncCode, site: u32) -> bool {
    // SAFETY: the number of a cache of this function.
    unsafe { (*code.sites.get().add(site as usize)).key != 0 }
}

fn callee_at(code: &FuncCode, at: u32, second: u32) -> Option<Callee> {
    let op = &code.body().lowered.ops[at as usize];
    // SAFETY: the number of a cache of this function.
    let site = unsafe { *code.sites.get().add((op.site + second * code.site_count.get()) as usize) };
    if site.key == 0 {
        return None;
    }
    let (func, this, guard) = match op.op {
        OpCode::InitFunc => (site.key, CallContext::None, None),
        OpCode::InitStatic => {
            let guard = (site.key != 1).then_some(site.key);
            match site.value & 1 {
                0 => (site.value, CallContext::Class(site.class), guard),
                _ => (site.value & !1, CallContext::Own, guard),
            }
        }
        OpCode::InitMethod if site.key & 1 == 0 => (site.value, CallContext::Operand, Some(site.key)),
        _ => return None,
    };
    // SAFETY: functions in caches live as long as the request.
    let callee = unsafe { &*(func as *const FuncCode) };
    let fits = match this {
        CallContext::None => this_of(callee) == This::None,
        CallContext::Class(_) => this_of(callee) == This::Class,
        CallContext::Own | CallContext::Operand => this_of(callee) == This::Object,
    };
    let plain = fits && callee.is_simple.get() && !callee.has_by_ref && !callee.is_native;
    plain.then_some(Callee { func, this, guard })
}

unsafe fn build_region(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
    start: Start<'_>,
) -> Result<(Built, FrameShape), String> {
    let lowered = &code.body().lowered;
    let builtin = |at: u32| {
        let site = lowered.ops[at as usize].site;
        // SAFETY: the number of a cache of this function; its key is a function that lives as long as the request.
        let callee = unsafe { ((*code.sites.get().add(site as usize)).key as *const FuncCode).as_ref() }?;
        let plain = callee.is_native && !callee.has_by_ref;
        plain.then(|| (std::ptr::from_ref(callee) as u64, callee.func().name.as_bytes().to_vec()))
    };
    let switch = |at: u32| {
        let op = &lowered.ops[at as usize];
        let table = code.func().code().switches.get((op.n & !FALLS_THROUGH) as usize)?;
        let place = |target: &phlox_hhbc::Target| lowered.entries[target.index()];
        match table {
            SwitchTable::Int { base, targets, default } => {
                let keys = (0..).map(|at| base.wrapping_add(at));
                let cases = keys.zip(targets.iter().map(place)).filter(|case| case.1 != place(default));
                let cases: Vec<(i64, u32)> = cases.collect();
                cases.is_sorted_by_key(|case| case.0).then(|| Switch::Int(cases, place(default)))
            }
            SwitchTable::Str { cases, .. } => {
                let payload = |text: &PhpStr| {
                    let value = Val::from(text);
                    // SAFETY: a live value; names of a unit are never freed.
                    unsafe { raw::payload(&raw const value) }
                };
                let cases = cases.iter().map(|(text, target)| {
                    let text = code.func().unit.str(*text);
                    (text.as_bytes().into(), payload(text), place(target))
                });
                Some(Switch::Str(cases.collect()))
            }
        }
    };
    let caches = |site: u32| {
        let cache = |at: u32| {
            // SAFETY: the number of a cache of this function; as many again follow.
            let site = unsafe { *code.sites.get().add(at as usize) };
            Cache { key: site.key, value: site.value, class: site.class }
        };
        [cache(site), cache(site + code.site_count.get())]
    };
    let this_sample = match &start {
        Start::Function(wanted) => wanted.this_sample,
        // SAFETY: the frame is the innermost one.
        Start::Loop => match unsafe { (*frame).this } {
            0 => None,
            payload => Some(Seen { bits: hhir::OBJ, payload }),
        },
    };
    let shape = shape_of(code);
    let region = Region {
        lowered,
        locals: code.locals,
        iters: code.iters,
        header,
        shape,
        // SAFETY: locals follow the header.
        cells: if frame.is_null() { std::ptr::null() } else { unsafe { Frame::local(frame, 0) } },
        builtin: &builtin,
        switch: &switch,
        literals: code.literal(0),
        start,
        callee: &|at| callees_at(code, at),
        compiled: &functions::compiled,
        // SAFETY: an opline of the function.
        taken_kinds: &|at| unsafe { (*code.ops.get().add(at as usize)).b },
        this: this_of(code),
        func: std::ptr::from_ref(code) as u64,
        this_sample,
        caches: &caches,
        class_constant: &|at| {
            let [first, _] = caches(lowered.ops[at as usize].site);
            crate::handlers::cached_constant(first.key, first.value, first.class)
        },
    };
    Ok((build(&region)?, shape))
}
