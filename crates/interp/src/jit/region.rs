//! What the compiler is told of a function: its oplines, tables, inline caches and the layout of its frames.

use super::{helpers, inlining, layouts, variants};
use crate::code::{FuncCode, GeneratorStep, OP_BYTES};
use crate::frame::{
    FLAG_BORROWS_THIS, FLAG_CONSTRUCTOR, FLAG_DISCARDS, FLAG_GENERATOR, FLAG_GUARDED, FLAG_INLINE, FLAG_MAGIC,
    FLAG_TO_BOOL, Frame,
};
use crate::generator::{self, Prospect};
use crate::handlers::{cached_constant, whole};
use phlox_hhbc::{EhKind, FuncFlags, Instr, SwitchTable, TypeMask};
use phlox_hhir::types as hhir;
use phlox_jit::{
    Built, Cache, CallContext, Callee, FrameShape, HeaderShape, PropertyName, Region, Seen, Special, Start, Step,
    Switch, This, Wanted, build, call_of,
};
use phlox_lower::{ClassBy, FALLS_THROUGH, ITER_CELLS, NO_SITE, OpCode, Operand, Opline};
use phlox_runtime::class::Class;
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::{Access, ClassHeader, FuncBody, PhpObj, PhpStr, TypeSpec, Val, Vm, props};
use phlox_value::raw;
use std::mem::offset_of;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// In the cache of `new`: a class without a constructor.
const NO_CONSTRUCTOR: u64 = 1;

/// The class with an identity that is not 0.
pub(super) fn class_of<'a>(identity: u64) -> &'a Class {
    // SAFETY: classes in inline caches live as long as the request.
    unsafe { (*(identity as *const ClassHeader)).payload() }
}

/// What an inline cache of a property holds for objects of a class.
fn property_of(code: &FuncCode, class: u64, name: PropertyName, writes: bool) -> Option<Cache> {
    let func = code.func();
    let name = match name {
        // SAFETY: the literal is a string.
        PropertyName::Literal(index) => unsafe { raw::string_at(code.literal(index)) },
        PropertyName::String(id) => func.unit.str(id),
    };
    let access = Access { scope: func.scope.get(), strict: func.strict_types() };
    let site = crate::handlers::place_in_class(class_of(class), class, name, access, writes)?;
    Some(Cache { key: site.key, value: site.value, class: site.class })
}

/// What the reference holds that an opline binds a variable to: a global one, or a static one that is no closure's own.
fn bound_at(code: &FuncCode, at: u32) -> Option<Seen> {
    let lowered = &code.body().lowered;
    let op = &lowered.ops[at as usize];
    let holds = match (op.op, op.a) {
        (OpCode::RefGlobal, Operand::Lit(name)) => {
            // SAFETY: the name is a literal string of the function.
            let name = unsafe { raw::string_at(code.literal(name)) };
            Vm::current()?.globals.find(name)?.get().into_deref()
        }
        (OpCode::StaticLocal, _) if !code.func().has(FuncFlags::CLOSURE) => {
            closure::static_var(code.func(), None, op.n as usize)?.get().into_deref()
        }
        _ => return None,
    };
    // SAFETY: a live value; what it holds is looked at as a sample only as long as the variable holds it.
    unsafe { Seen::loosely(&raw const holds) }
}

/// The unit of a loop.
///
/// # Safety
/// `frame` is the innermost frame, stands at the loop's head and runs `code`.
pub unsafe fn of_loop(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
    is_lazy: bool,
) -> Result<(Built, FrameShape), String> {
    // SAFETY: by the caller.
    unsafe { build_region(code, frame, header, Start::Loop, is_lazy, None, None) }
}

/// The unit of a generator's body that is suspended before `header`; `sent`: what the `yield` is about to give.
///
/// # Safety
/// `frame` is the body's frame, wherever it is, and runs `code`.
pub unsafe fn of_body(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
    is_lazy: bool,
    sent: Option<Seen>,
) -> Result<(Built, FrameShape), String> {
    // SAFETY: by the caller.
    let (built, shape) = unsafe { build_region(code, frame, header, Start::Body, is_lazy, sent, None)? };
    Ok((built, FrameShape { is_body: true, ..shape }))
}

/// The unit of a function, for calls with as many arguments as it has parameters from `header` on.
pub fn of_function(
    code: &FuncCode,
    header: u32,
    wanted: &Wanted,
    is_framed: bool,
) -> Result<(Built, FrameShape), String> {
    // SAFETY: no frame is looked at.
    unsafe { build_region(code, std::ptr::null_mut(), header, Start::Function(wanted), is_framed, None, None) }
}

/// The same for who inlines the function; the object and the arguments are likely to be of some classes. `own`: it is inlined into
/// itself, and whether that is framed.
pub fn of_inlined(
    code: &FuncCode,
    header: u32,
    wanted: &Wanted,
    classes: &[Option<u64>],
    own: Option<bool>,
) -> Result<Built, String> {
    let (start, is_framed) = (Start::Function(wanted), own.unwrap_or_default());
    let inlined = Some((classes, own.is_some()));
    // SAFETY: no frame is looked at.
    unsafe { build_region(code, std::ptr::null_mut(), header, start, is_framed, None, inlined) }.map(|built| built.0)
}

/// Whether the iterators of a frame that loops of some oplines go on with are of generators whose bodies are about to be compiled.
///
/// # Safety
/// The frame runs `code`.
pub unsafe fn awaits_body(code: &FuncCode, frame: *mut Frame, oplines: RangeInclusive<u32>) -> bool {
    let ops = &code.body().lowered.ops;
    let mut walks = ops[*oplines.start() as usize..=*oplines.end() as usize].iter();
    // SAFETY: by the caller; an iterator of the function.
    let awaits = walks.any(|op| unsafe {
        op.op == OpCode::IterNext && generator::prospect(Frame::iter(frame, op.n)) == Prospect::Awaited
    });
    // SAFETY: by the caller.
    awaits || oplines.into_iter().any(|at| unsafe { prospect_of_step(code, frame, at) } == Prospect::Awaited)
}

/// The method that the InitMethod at an opline has found, if it resumes generators.
fn step_at(code: &FuncCode, at: u32) -> Option<Step> {
    let op = &code.body().lowered.ops[at as usize];
    if op.op != OpCode::InitMethod {
        return None;
    }
    let found = [0, 1].into_iter().find_map(|second| {
        // SAFETY: the number of a cache of this function; functions in caches live as long as the request.
        let (site, callee) = unsafe {
            let site = *code.site(op.site).add(second);
            let is_known = site.key != 0 && site.key & 1 == 0;
            (site, (is_known.then_some(site.value)? as *const FuncCode).as_ref()?)
        };
        callee.generator_step.map(|step| (site, step))
    });
    found.map(|(site, step)| Step { class: site.key, func: site.value, sends: matches!(step, GeneratorStep::Send) })
}

/// What there is for the generator in the variable that such a method is called on, or that has just been copied for that.
///
/// # Safety
/// The frame runs `code`.
unsafe fn prospect_of_step(code: &FuncCode, frame: *mut Frame, at: u32) -> Prospect {
    let ops = &code.body().lowered.ops[..=at as usize];
    let (op, before) = (&ops[at as usize], &ops[at.saturating_sub(1) as usize]);
    let operand = if before.op == OpCode::Copy && before.c == op.b { before.a } else { op.b };
    let (Some(_), Operand::Local(local)) = (step_at(code, at), operand) else { return Prospect::Nothing };
    // SAFETY: by the caller; a variable of the frame.
    let object = unsafe { (*raw::look_through(Frame::local(frame, local.0))).as_obj() };
    generator::prospect_of(object.and_then(|object| object.native()))
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
        context: super::context() as u64,
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
            constructor: FLAG_CONSTRUCTOR,
            magic: FLAG_MAGIC,
            name: offset_of!(Frame, extra) as u32,
            guarded: FLAG_GUARDED,
            discards: FLAG_DISCARDS,
            to_bool: FLAG_TO_BOOL,
            ip: offset_of!(Frame, ip) as u32,
            prev: offset_of!(Frame, prev) as u32,
            argc: offset_of!(Frame, argc) as u32,
            this: offset_of!(Frame, this) as u32,
            by_ref: offset_of!(FuncCode, has_by_ref) as u32,
            static_class: offset_of!(Frame, static_class) as u32,
            closure: offset_of!(Frame, closure) as u32,
        },
        helpers: helpers::HELPERS,
        interrupt: std::ptr::from_ref(phlox_value::interrupt::word()) as u64,
        bytes: raw::byte_string(0),
        fails_every: super::fails_every(),
        is_body: false,
        has_destructors: raw::frees_run_code(),
    }
}

/// What a call's inline cache knows.
fn callees_at(code: &FuncCode, at: u32) -> Vec<Callee> {
    let op = &code.body().lowered.ops[at as usize];
    let caches = if op.op == OpCode::InitMethod { 2 } else { 1 };
    let known: Vec<Callee> = (0..caches).filter_map(|second| callee_at(code, at, second)).collect();
    // Objects of a class whose method cannot be called that way are likely, too.
    let all = (0..caches).filter(|&second| has_cache(code, op.site, second)).count();
    if known.len() != all {
        return Vec::new();
    }
    let mut known = known;
    for (class, func) in code.noted_calls(at).into_iter().filter(|row| row.1 != 0) {
        let is_new = !known.iter().any(|callee| callee.guard == Some(class));
        match callable(func, CallContext::Operand, Some(class), false) {
            Some(callee) if is_new => known.push(callee),
            _ => {}
        }
    }
    known
}

fn has_cache(code: &FuncCode, site: u32, second: usize) -> bool {
    // SAFETY: the number of a cache of this function.
    unsafe { (*code.site(site).add(second)).key != 0 }
}

fn callee_at(code: &FuncCode, at: u32, second: usize) -> Option<Callee> {
    let op = &code.body().lowered.ops[at as usize];
    // SAFETY: the number of a cache of this function.
    let site = unsafe { *code.site(op.site).add(second) };
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
    callable(func, this, guard, names_function(op))
}

/// Whether an opline prepares a call of the same function each time.
fn names_function(op: &Opline) -> bool {
    match op.op {
        OpCode::InitFunc => true,
        OpCode::InitStatic => ClassBy::of(op.n) != ClassBy::Static,
        _ => false,
    }
}

/// A function as the target of a call, if it can be one; whether the code names the very function.
fn callable(func: u64, this: CallContext, guard: Option<u64>, is_named: bool) -> Option<Callee> {
    // SAFETY: functions in caches live as long as the request.
    let callee = unsafe { &*(func as *const FuncCode) };
    let fits = match this {
        CallContext::None => this_of(callee) == This::None,
        CallContext::Class(_) => this_of(callee) == This::Class,
        CallContext::Own | CallContext::Operand => this_of(callee) == This::Object,
    };
    // Who sends arguments by reference knows the function.
    let takes_values = !callee.has_by_ref || is_named;
    let plain = fits && callee.is_simple.get() && takes_values && !callee.is_native;
    plain.then_some(Callee { func, this, guard })
}

/// The function of a closure, if that is all that a call of it needs.
fn plain_closure(payload: u64) -> Option<u64> {
    // SAFETY: the payload of a live object, whose handle it is.
    let object = unsafe { &*(&raw const payload).cast::<PhpObj>() };
    let code = plain_function(object.native()?)?;
    // SAFETY: the closure holds its function.
    let takes_values = unsafe { !(*code).has_by_ref };
    callable(code as u64, CallContext::None, None, true).filter(|_| takes_values).map(|callee| callee.func)
}

/// The code of the function of a closure that has no object, no scope and no captured values.
pub fn plain_function(closure: &ClosureData) -> Option<*const FuncCode> {
    let is_plain = closure.captured.is_empty()
        && closure.this.is_undef()
        && closure.called_scope.is_none()
        && closure.magic_name.is_none();
    is_plain.then(|| FuncCode::of(&closure.func))
}

/// The method of a class for something; for a property, if objects that are nothing special do not have it.
fn special_method(code: &FuncCode, class: u64, special: Special, name: Option<PropertyName>) -> Option<u64> {
    let (class, func) = (class_of(class), code.func());
    let magic = &class.magic;
    let method = match special {
        Special::Get => &magic.get,
        Special::Set => &magic.set,
        Special::Isset => &magic.isset,
        Special::Unset => &magic.unset,
        Special::OffsetGet => &magic.offset_get,
        Special::OffsetSet => &magic.offset_set,
        Special::OffsetExists => &magic.offset_exists,
        Special::OffsetUnset => &magic.offset_unset,
        Special::Count => &magic.count,
        Special::Call => &magic.call,
        Special::Invoke => &magic.invoke,
    };
    let method = method.as_ref().filter(|method| matches!(method.body, FuncBody::User))?;
    if let Some(name) = name {
        let name = match name {
            // SAFETY: the literal is a string.
            PropertyName::Literal(index) => unsafe { raw::string_at(code.literal(index)) },
            PropertyName::String(id) => func.unit.str(id),
        };
        let native = &class.native;
        let is_there = matches!(props::find(class, name, func.scope.get()), props::Found::Declared(_));
        if is_there || native.own_properties.is_some() || native.elements_as_properties.is_some() {
            return None;
        }
    }
    let method = FuncCode::of(method) as u64;
    callable(method, CallContext::Operand, None, false).map(|callee| callee.func)
}

/// The type that a parameter or result is declared with.
fn declared_type(code: &FuncCode, at: u32) -> Option<&TypeSpec> {
    let op = &code.body().lowered.ops[at as usize];
    match (op.op, op.a) {
        (OpCode::VerifyParam, Operand::Local(local)) => {
            code.func().params.get(local.index()).filter(|param| !param.variadic)?.ty.as_deref()
        }
        (OpCode::Ret | OpCode::VerifyReturn, _) => code.func().return_type.as_deref(),
        _ => None,
    }
}

/// The one class that a parameter, result or instanceof names, if there is a class of that name.
fn declared_class(code: &FuncCode, at: u32) -> Option<u64> {
    let op = &code.body().lowered.ops[at as usize];
    let (func, vm) = (code.func(), Vm::current()?);
    let ty = match (op.op, op.a, op.b) {
        (OpCode::InstanceOf, _, Operand::Lit(name)) => {
            // SAFETY: the literal is a string.
            let class = vm.find_class_no_autoload(unsafe { raw::string_at(code.literal(name)) })?;
            return Some(Rc::as_ptr(&class) as u64);
        }
        _ => declared_type(code, at)?,
    };
    class_named(ty, || func.scope.get().map(|class| Rc::as_ptr(class) as u64))
}

/// The one class that a type names, if there is a class of that name.
fn class_named(ty: &TypeSpec, scope: impl FnOnce() -> Option<u64>) -> Option<u64> {
    let [names] = &ty.classes[..] else { return None };
    let [name] = &names[..] else { return None };
    match &name.to_ascii_lowercase()[..] {
        b"self" => scope(),
        b"parent" | b"static" => None,
        _ => Some(Rc::as_ptr(&Vm::current()?.find_class_no_autoload(name)?) as u64),
    }
}

/// Whether the call that an opline prepares passes something by reference: not all calls reach such a parameter.
fn passes_references(ops: &[Opline], init: u32, callee: &FuncCode) -> bool {
    let reaches = |call: &Opline| (0..call.n as usize).any(|index| callee.func().is_by_ref(index));
    callee.has_by_ref && call_of(ops, init).is_none_or(reaches)
}

unsafe fn build_region(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
    start: Start<'_>,
    is_special: bool,
    sent: Option<Seen>,
    inlined: Option<(&[Option<u64>], bool)>,
) -> Result<(Built, FrameShape), String> {
    if !super::is_wanted(code) {
        return Err("not wanted".to_owned());
    }
    let lowered = &code.body().lowered;
    let is_function = matches!(start, Start::Function(_));
    let builtin = |at: u32| {
        let site = lowered.ops[at as usize].site;
        // SAFETY: the number of a cache of this function; its key is a function that lives as long as the request.
        let callee = unsafe { ((*code.site(site)).key as *const FuncCode).as_ref() }?;
        let plain = callee.is_native && !passes_references(&lowered.ops, at, callee);
        let argc = call_of(&lowered.ops, at).map_or(0, |call| call.n);
        // Of how many arguments there are the short way knows nothing.
        let answers = |quick: &u64| {
            (callee.required..=callee.most).contains(&argc)
                && helpers::is_answering(*quick, argc.into(), callee.func().name.as_bytes())
        };
        let quick = callee.quick.map(|quick| quick as usize as u64).filter(answers);
        plain.then(|| (std::ptr::from_ref(callee) as u64, callee.func().name.as_bytes().to_vec(), quick))
    };
    let quick_by_reference = |at: u32, argc: u32| {
        let site = lowered.ops[at as usize].site;
        // SAFETY: as above.
        let callee = unsafe { ((*code.site(site)).key as *const FuncCode).as_ref() }?;
        let quick = callee.quick? as usize as u64;
        let fits = callee.is_native && callee.has_by_ref && (callee.required..=callee.most).contains(&argc);
        let is_tried = fits && helpers::is_answering(quick, argc.into(), callee.func().name.as_bytes());
        is_tried.then(|| (std::ptr::from_ref(callee) as u64, callee.func().name.as_bytes().to_vec(), quick))
    };
    let switch = |at: u32| {
        let op = &lowered.ops[at as usize];
        let table = code.func().code().switches.get((op.n & !FALLS_THROUGH) as usize)?;
        let place = |target: &phlox_hhbc::Target| lowered.entries[target.index()];
        match table {
            SwitchTable::Int { cases, default } => {
                let cases = cases.iter().map(|(case, target)| (*case, place(target)));
                Some(Switch::Int(cases.filter(|case| case.1 != place(default)).collect(), place(default)))
            }
            SwitchTable::Str { cases, default } => {
                let payload = |text: &PhpStr| {
                    let value = Val::from(text);
                    // SAFETY: a live value; names of a unit are never freed.
                    unsafe { raw::payload(&raw const value) }
                };
                let cases = cases.iter().map(|(text, target)| {
                    let text = code.func().unit.str(*text);
                    (text.as_bytes().into(), payload(text), place(target))
                });
                Some(Switch::Str(cases.collect(), place(default)))
            }
        }
    };
    let caches = |site: u32| {
        if site == NO_SITE {
            return [Cache { key: 0, value: 0, class: 0 }; 2];
        }
        let cache = |second: usize| {
            // SAFETY: the number of a cache of this function.
            let site = unsafe { *code.site(site).add(second) };
            Cache { key: site.key, value: site.value, class: site.class }
        };
        [cache(0), cache(1)]
    };
    let this_sample = match &start {
        Start::Function(wanted) => wanted.this_sample,
        // SAFETY: the frame is the innermost one.
        Start::Loop | Start::Body => match unsafe { ((*frame).this, (*frame).static_class as u64) } {
            (0, 0) => None,
            (0, payload) => Some(Seen { bits: hhir::CLS, payload }),
            (payload, _) => Some(Seen { bits: hhir::OBJ, payload }),
        },
    };
    let shape = shape_of(code);
    // SAFETY: the frame is the innermost one.
    let is_shared =
        !frame.is_null() && unsafe { !(*frame).env.is_null() || (*frame).flags & (FLAG_GENERATOR | FLAG_INLINE) != 0 };
    let region = Region {
        lowered,
        locals: code.locals,
        params: code.params,
        iters: code.iters,
        header,
        shape,
        sent,
        resume_point: &|at| code.body_site(at).map(|site| std::ptr::from_ref(site) as u64),
        // SAFETY: the frame's iterators.
        walks_generator: &|number| {
            !frame.is_null() && unsafe { generator::prospect(Frame::iter(frame, number)) == Prospect::Code }
        },
        closure: &plain_closure,
        steps_generator: &|at| step_at(code, at).is_some(),
        step: &|at, object| {
            // SAFETY: a live object, whose handle its payload is.
            let object = unsafe { &*(&raw const object).cast::<PhpObj>() };
            step_at(code, at).filter(|_| generator::prospect_of(object.native()) == Prospect::Code)
        },
        // SAFETY: locals follow the header.
        cells: if frame.is_null() { std::ptr::null() } else { unsafe { Frame::local(frame, 0) } },
        builtin: &builtin,
        quick_by_reference: &quick_by_reference,
        switch: &switch,
        literals: code.literal(0),
        start,
        callee: &|at| callees_at(code, at),
        inline: &|wanted, classes, own| inlining::inlined(code, wanted, classes, own),
        inlined: inlined.map(|row| row.0),
        goes_round: inlined.is_some_and(|row| row.1),
        compiled: &variants::compiled,
        // SAFETY: an opline of the function.
        taken_kinds: &|at| unsafe { (*code.ops.get().add(at as usize)).b },
        this: this_of(code),
        has_no_handlers: has_no_handlers(code),
        may_nest: !is_shared && !code.func().has(FuncFlags::PSEUDO_MAIN),
        is_framed: is_special && is_function,
        is_lazy: is_special && !is_function,
        func: std::ptr::from_ref(code) as u64,
        this_sample,
        bound: &|at| bound_at(code, at),
        static_property: &|site| {
            let place = caches(site)[0].key;
            // SAFETY: a static property's variable lives as long as its class, which lives as long as the code.
            (place != 0).then(|| (place, unsafe { Seen::loosely(place as *const Val) }))
        },
        caches: &caches,
        // SAFETY: the number of a cache of this function.
        cache_address: &|site| unsafe { code.site(site) as u64 },
        declared: &|class, slot| {
            let infos = &class_of(class).slots;
            infos.get(slot as usize).map_or(0, |info| {
                let has_class = info.ty.as_ref().is_some_and(|ty| !ty.classes.is_empty());
                let objects = if has_class { 1 << (raw::TI_OBJ & 0xff) } else { 0 };
                crate::declared::property_kinds(info.ty.as_deref()) | objects
            })
        },
        property_class: &|class, slot| {
            let info = class_of(class).slots.get(slot as usize)?;
            let scope = info.class.get().map(|class| Rc::as_ptr(class) as u64);
            class_named(info.ty.as_deref()?, || scope)
        },
        returned: &|func| {
            // SAFETY: functions in caches live as long as the request.
            let callee = unsafe { &*(func as *const FuncCode) };
            let Some(ty) = callee.func().return_type.as_deref() else { return 0 };
            let objects = if ty.classes.is_empty() { 0 } else { 1 << (raw::TI_OBJ & 0xff) };
            let kinds = crate::declared::property_kinds(Some(ty)) | objects;
            let is_void = ty.has(TypeMask::VOID);
            if ty.is_mixed() { 0 } else { kinds | u32::from(is_void) << raw::TI_NULL }
        },
        declared_class: &|at| declared_class(code, at),
        names_static: &|at| declared_type(code, at).is_some_and(|ty| ty.has(TypeMask::STATIC)),
        takes_closures: &|at| declared_type(code, at).is_some_and(|ty| ty.has(TypeMask::CALLABLE)),
        is_closure: &|class| &class_of(class).name[..] == b"Closure",
        noted: &|at| code.noted(at),
        entered_with: &|local| code.noted_entry(header, local),
        observed: &|at| code.observed.kinds(at),
        is_plain: &|class| {
            let native = &class_of(class).native;
            native.create.is_none() && native.compare.is_none() && native.debug_info.is_none()
        },
        made: &|at| {
            let [cache, _] = caches(lowered.ops[at as usize].site);
            if cache.value == 0 {
                return None;
            }
            let class = class_of(cache.key);
            if class.defaults.get().is_none() || class.magic.destruct.is_some() || class.native.destruct.is_some() {
                return None;
            }
            if cache.value == NO_CONSTRUCTOR {
                return Some((cache.key, None));
            }
            // SAFETY: functions in caches live as long as the request.
            let callee = unsafe { &*(cache.value as *const FuncCode) };
            let fits = callee.is_simple.get() && !callee.has_by_ref && !callee.is_native;
            fits.then_some((cache.key, Some(cache.value)))
        },
        takes_references: &|at| {
            let [first, _] = caches(lowered.ops[at as usize].site);
            let func = match lowered.ops[at as usize].op {
                OpCode::InitFunc => first.key,
                OpCode::InitMethod | OpCode::InitStatic if first.key != 0 => first.value & !1,
                _ => 0,
            };
            // SAFETY: functions in caches live as long as the request.
            unsafe { (func as *const FuncCode).as_ref() }
                .is_some_and(|callee| passes_references(&lowered.ops, at, callee))
        },
        passes_reference: &|at, param| {
            let [first, second] = caches(lowered.ops[at as usize].site);
            let func = match lowered.ops[at as usize].op {
                OpCode::InitFunc => first.key,
                // Methods of one class: the code looks at that.
                OpCode::InitMethod if first.key != 0 && first.key & 1 == 0 && second.key == 0 => first.value & !1,
                OpCode::InitStatic if first.key != 0 && names_function(&lowered.ops[at as usize]) => first.value & !1,
                _ => 0,
            };
            // SAFETY: functions in caches live as long as the request.
            let callee = unsafe { (func as *const FuncCode).as_ref() };
            callee.is_some_and(|callee| callee.has_by_ref && callee.func().is_by_ref(param as usize))
        },
        whole: &|op| whole::path(op).map(|path| path as usize as u64),
        property_of: &|class, name, writes| property_of(code, class, name, writes),
        layout: &|cache, name, writes| {
            let scope = code.func().scope.get();
            let own = scope.map_or(0, |scope| Rc::as_ptr(scope) as u64);
            let is_there =
                |class: u64| property_of(code, class, name, writes).is_some_and(|found| found.value == cache.value);
            let declarer = || {
                let info = class_of(cache.key).slots.get((cache.value & 0xffff) as usize)?;
                info.class.get().map(|class| Rc::as_ptr(class) as u64)
            };
            let class = [(own != 0).then_some(own), declarer()].into_iter().flatten().find(|&class| is_there(class))?;
            Some(layouts::layout_of(class, scope))
        },
        has_layout: &|class, layout| layouts::fits(class, layout),
        noted_classes: &|at| {
            let noted = code.noted_calls(at);
            noted.into_iter().filter(|row| row.1 == 0).map(|row| row.0).collect()
        },
        late_constants: &|at| {
            let late = caches(lowered.ops[at as usize].site).into_iter().filter(|cache| cache.class != 0);
            late.filter_map(|cache| Some((cache.class, cached_constant(cache.key, cache.value, 0)?))).collect()
        },
        made_of: &|class| {
            let class = class_of(class);
            let (native, magic) = (&class.native, &class.magic);
            let special = native.create.is_some() || native.no_new.is_some() || native.destruct.is_some();
            if special || magic.destruct.is_some() || class.defaults.get().is_none() || class.is_abstract() {
                return None;
            }
            let Some(constructor) = magic.construct.as_ref().map(FuncCode::of) else { return Some(None) };
            // SAFETY: functions of classes live as long as the request.
            let callee = unsafe { &*constructor };
            let fits = callee.is_simple.get() && !callee.has_by_ref && !callee.is_native;
            fits.then_some(Some(constructor as u64))
        },
        method_of: &|class, special, name| special_method(code, class, special, name),
        can_call: &|func, context| callable(func, context, None, context == CallContext::None).is_some(),
        unit_string: &|id| {
            let text = code.func().unit.str(id);
            let value = Val::from(text);
            // SAFETY: a live value; names of a unit are never freed.
            (text.as_bytes().into(), unsafe { raw::payload(&raw const value) })
        },
        class_constant: &|at| {
            let [first, _] = caches(lowered.ops[at as usize].site);
            cached_constant(first.key, first.value, first.class)
        },
    };
    Ok((build(&region)?, shape))
}

/// Whether nothing is done where an exception comes along, but that loops end.
fn has_no_handlers(code: &FuncCode) -> bool {
    let body = code.func().code();
    body.eh.iter().all(|entry| match entry.kind {
        EhKind::Catch(_) => false,
        EhKind::Fault(funclet) => {
            let mut instructions = body.code[funclet.index()..].iter();
            let end = instructions.find(|instr| !matches!(instr, Instr::IterFree { .. } | Instr::MIterFree { .. }));
            matches!(end, Some(Instr::Unwind {}))
        }
    })
}
