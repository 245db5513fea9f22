//! The slow path of changes at the end of a path of elements and properties.
//!
//! A walk over raw locations goes as far as nothing can run PHP code. For everything else the runtime starts over; it lets go of
//! containers before it runs any.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`, and `n` in its description is
//! the number of a path of that frame's function. The path's base and keys are cells of that frame, literals or `$this`;
//! temporaries among them are consumed on every way out.

use super::{Handler, IN_FRAME, LITERAL, next, path_fast, release_next, slow, slow_handler, source};
use crate::code::{Kind, Site, WalkStep};
use crate::context::{Fp, Ip, Run, cell, literal, slot};
use crate::frame::Frame;
use crate::megamorphic_cache;
use crate::named_sites::{self, Held};
use phlox_hhbc::{IncDec, SetOp, StrId};
use phlox_lower::{ClassBy, Lowered, OpCode, Operand, Opline, Path, PathStep};
use phlox_runtime::members::{self, Action, Input, Place, Step};
use phlox_runtime::{Access, Key, PhpObj, PhpResult, PropInfo, Slot, StaticProp, Val, Vm, coerce, link, statics};
use phlox_value::raw;
use std::rc::Rc;

/// The handler of an opline that changes what is at the end of a path, or makes it a reference.
pub fn select(opline: &Opline, lowered: &Lowered) -> Handler {
    let own_property = matches!(single_property(opline, lowered), Some((Operand::This, _)));
    match opline.op {
        OpCode::SetOpPath if own_property && !matches!(opline.a, Operand::Lit(_)) => set_op_property::<IN_FRAME>,
        OpCode::SetOpPath if own_property => set_op_property::<LITERAL>,
        OpCode::IncDecPath if own_property => inc_dec_property,
        OpCode::SetPath => path_fast::select(opline, lowered).unwrap_or(set),
        OpCode::SetOpPath => path_fast::select(opline, lowered).unwrap_or(set_op),
        OpCode::IncDecPath => path_fast::select(opline, lowered).unwrap_or(inc_dec),
        OpCode::UnsetPath => path_fast::select(opline, lowered).unwrap_or(unset),
        OpCode::RefPath => make_ref,
        _ => bind,
    }
}

/// The base and the cache's number, if the opline is about one property and its result is not used. The assembler puts the cache's
/// number in the place of operand `c`.
pub fn single_property(opline: &Opline, lowered: &Lowered) -> Option<(Operand, u32)> {
    if !matches!(opline.op, OpCode::SetOpPath | OpCode::IncDecPath) || opline.c != Operand::None {
        return None;
    }
    let path = lowered.paths.get(opline.n as usize)?;
    match path.steps[..] {
        [PathStep::Prop(_, site)] => Some((path.base, site)),
        _ => None,
    }
}

/// The location of the property of `$this` that the cache of a one-step path knows, and the types that it takes; null: the cache
/// does not know it.
#[inline(always)]
unsafe fn own_property(ip: Ip, fp: Fp) -> (*mut Val, u32) {
    // SAFETY: `select` chose the handlers that call this: `c` is the number of a cache of the frame's function, whose slot is one
    // of the cached class.
    unsafe {
        let frame = fp.cast::<Frame>();
        let object = (*frame).this;
        let cache = &*(*(*frame).code).site((*ip).c);
        if object == 0 || cache.key != raw::class_of(object) as u64 || super::props::is_readonly(cache.value) {
            return (std::ptr::null_mut(), 0);
        }
        (raw::property(object, super::props::slot_of(cache.value)), (cache.value >> 32) as u32)
    }
}

/// `place OP= operand` where both are numbers and the location takes the result. False: nothing was changed.
///
/// # Safety
/// `place` and `operand` are live cells, and `kinds` has the types that the location takes.
#[inline(never)]
pub unsafe fn set_numbers(operator: SetOp, place: *mut Val, operand: *const Val, kinds: u32) -> bool {
    // SAFETY: both are live cells; a number needs no release.
    unsafe {
        let words = (raw::payload(place), raw::tag(place), raw::payload(operand), raw::tag(operand));
        match super::arith::plain_numbers(operator, words) {
            Some((payload, tag)) if kinds >> tag & 1 != 0 => {
                raw::write(place, payload, tag);
                true
            }
            _ => false,
        }
    }
}

/// `$this->p OP= number`: `SetOpPath` of a property of `$this`.
unsafe extern "C-unwind" fn set_op_property<const A: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SetOpPath`: `a` is a source of the kind `A`, `b` a literal with the operator's number, `c` a cache's
    // number.
    unsafe {
        let (place, kinds) = own_property(ip, fp);
        if place.is_null() {
            slow!(set_op_slow, ip, fp, run)
        }
        let operand = source::<A>(ip, fp, (*ip).a);
        let operator = SetOp::ALL[raw::payload(literal(ip, (*ip).b)) as usize];
        if set_numbers(operator, place, operand, kinds) {
            next!(ip, fp, run)
        }
        if operator == SetOp::Concat && append_text(place, operand) {
            if (*run).meta(ip).a == Kind::Tmp {
                release_next!(raw::payload(operand), raw::tag(operand), ip, fp, run)
            }
            next!(ip, fp, run)
        }
        slow!(set_op_slow, ip, fp, run)
    }
}

/// Appends a string to the string in a location, if that is unshared and has room. False: nothing was changed.
#[inline(always)]
pub(super) unsafe fn append_text(place: *mut Val, operand: *const Val) -> bool {
    // SAFETY: the callers pass live cells, whose tags are read before their payloads are used.
    unsafe {
        raw::tag(place) == raw::TI_STR && raw::tag(operand) & 0xff == raw::TI_STR_STATIC && {
            let bytes: *const [u8] = raw::string_at(operand).as_bytes();
            // `append_text` refuses a string that others share, which includes one that is appended to itself.
            raw::append_text(place, &*bytes)
        }
    }
}

/// `$this->p++` and its like: `IncDecPath` of a property of `$this`.
unsafe extern "C-unwind" fn inc_dec_property(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IncDecPath`: `b` is a literal with the operator's number, `c` a cache's number.
    unsafe {
        let (place, kinds) = own_property(ip, fp);
        if place.is_null() || raw::tag(place) != raw::TI_INT || kinds >> raw::TI_INT & 1 == 0 {
            slow!(inc_dec_slow, ip, fp, run)
        }
        let decrements = raw::payload(literal(ip, (*ip).b)) & 1;
        let by = if decrements == 1 { -1 } else { 1 };
        match (raw::payload(place) as i64).checked_add(by) {
            Some(new) => raw::write(place, new as u64, raw::TI_INT),
            None => slow!(inc_dec_slow, ip, fp, run),
        }
        next!(ip, fp, run)
    }
}

/// The cell of an operand of the innermost frame's function.
fn operand_cell(run: &Run, operand: Operand) -> *mut Val {
    let code = run.code();
    match operand {
        Operand::Lit(index) => code.literal(index).cast_mut(),
        // SAFETY: `operand` belongs to the innermost frame's function, so its offset is in that frame.
        _ => unsafe { cell(run.frame.cast(), code.offset(operand)) },
    }
}

/// Releases the temporaries among a path's operands.
#[inline(never)]
unsafe fn consume(run: &Run, path: &Path) {
    let keys = path.steps.iter().filter_map(|step| match step {
        PathStep::Elem(key) => Some(*key),
        _ => None,
    });
    for operand in std::iter::once(path.base).chain(keys) {
        if matches!(operand, Operand::Tmp(_)) {
            // SAFETY: the opline consumes the temporaries of its path, and calls this once, while they are full.
            drop(unsafe { raw::take(operand_cell(run, operand)) });
        }
    }
}

/// What a walk does at its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The location is created if it is missing.
    Create,
    /// The location must exist.
    Existing,
    /// The last step is left to the caller, who gets the location before it.
    Container,
}

/// The location at the end of path `n`, if it is reached without running PHP code. Null: the runtime must do it. `kinds` gets the
/// types of values that the location takes without conversion, as bits of their tags.
#[inline(always)]
unsafe fn walk(run: &mut Run, n: u32, end: End, kinds: &mut u32) -> *mut Val {
    // SAFETY: `n` is a path of the innermost frame's function; no PHP code runs while its locations are in use.
    unsafe {
        let code = run.code();
        let walk = code.walk(n);
        let fp: Fp = run.frame.cast();
        let (mut place, mut object) = match walk.base {
            Kind::Local => (raw::look_through(cell(fp, walk.offset)), 0),
            Kind::This if (*run.frame).this != 0 => (std::ptr::null_mut(), (*run.frame).this),
            Kind::None => (std::ptr::null_mut(), 0),
            // A temporary's object, such as a call's result, is released by the opline after the location was used.
            Kind::Tmp if raw::tag(cell(fp, walk.offset)) == raw::TI_OBJ => {
                (std::ptr::null_mut(), raw::payload(cell(fp, walk.offset)))
            }
            _ => return std::ptr::null_mut(),
        };
        *kinds = u32::MAX;
        let last = walk.steps.len().wrapping_sub(1);
        let steps = if end == End::Container { &walk.steps[..last] } else { &walk.steps[..] };
        for (index, step) in steps.iter().enumerate() {
            let is_last = index == last;
            let key = match *step {
                WalkStep::Elem(offset) => raw::look_through(cell(fp, offset)),
                WalkStep::ElemLiteral(key) | WalkStep::ElemName(key) => key,
                WalkStep::Prop(name, site) => {
                    if object == 0 {
                        if raw::tag(place) != raw::TI_OBJ {
                            return std::ptr::null_mut();
                        }
                        object = raw::payload(place);
                    }
                    place = property(run, object, name, &mut *site, is_last, kinds);
                    if place.is_null() {
                        return place;
                    }
                    object = 0;
                    continue;
                }
                WalkStep::Static(site) => {
                    let late = (*site).class;
                    place = (*site).key as *mut Val;
                    if place.is_null() || (late != 0 && late != (*run.frame).static_class as u64) {
                        return std::ptr::null_mut();
                    }
                    // The declared type of a static property says nothing about elements in it.
                    if is_last {
                        *kinds = (*site).value as u32;
                    }
                    if raw::tag(place) == raw::TI_UNDEF || (is_last && raw::tag(place) == raw::TI_REF) {
                        return std::ptr::null_mut();
                    }
                    place = raw::look_through(place);
                    continue;
                }
                WalkStep::New => {
                    if object != 0 || raw::tag(place) & 0xff != raw::TI_ARR_STATIC || !is_last || end != End::Create {
                        return std::ptr::null_mut();
                    }
                    return raw::array_at_mut(place).push_place().map_or(std::ptr::null_mut(), |place| place);
                }
            };
            if object != 0 || raw::tag(place) & 0xff != raw::TI_ARR_STATIC {
                return std::ptr::null_mut();
            }
            place = element(place, key, is_last && end == End::Create);
            if place.is_null() {
                return place;
            }
            if raw::tag(place) == raw::TI_REF {
                // A reference may be typed: the runtime assigns to it.
                if is_last {
                    return std::ptr::null_mut();
                }
                place = raw::ref_place(raw::payload(place));
            }
        }
        place
    }
}

/// The location of a declared property on a walk; null: the runtime must look.
#[inline(always)]
unsafe fn property(
    run: &Run,
    object: u64,
    name: phlox_hhbc::StrId,
    cache: &mut Site,
    is_last: bool,
    kinds: &mut u32,
) -> *mut Val {
    // SAFETY: `walk` passes the payload of a live object; a cached slot is one of the cached class.
    unsafe {
        if cache.key != raw::class_of(object) as u64 {
            look_up(run, object, name, cache);
            if cache.key != raw::class_of(object) as u64 {
                return std::ptr::null_mut();
            }
        }
        let place = raw::property(object, super::props::slot_of(cache.value));
        if raw::tag(place) == raw::TI_UNDEF || raw::tag(place) == raw::TI_REF {
            return std::ptr::null_mut();
        }
        if is_last {
            // An initialised readonly property takes no value.
            *kinds = if super::props::is_readonly(cache.value) { 0 } else { (cache.value >> 32) as u32 };
        } else if super::props::is_readonly(cache.value) && raw::tag(place) != raw::TI_OBJ {
            return std::ptr::null_mut();
        }
        place
    }
}

/// Fills the cache of a step for an object, if the property can be cached.
#[inline(never)]
unsafe fn look_up(run: &Run, object: u64, name: phlox_hhbc::StrId, cache: &mut Site) {
    // SAFETY: `walk` passes the payload of a live object, whose handle has the same bits.
    let handle = unsafe { &*(&raw const object).cast::<PhpObj>() };
    super::props::remember_place(cache, handle, run.code().func().unit.str(name), run.access());
}

/// The location of an element in an array, which is separated if it is shared. Null: the element is missing, or the key is neither
/// an integer nor a string.
#[inline(always)]
unsafe fn element(array: *mut Val, key: *mut Val, create: bool) -> *mut Val {
    // SAFETY: `array` is a location with an array; the key's tag is read before its payload is used.
    unsafe {
        let key = match raw::tag(key) {
            raw::TI_INT => {
                let index = raw::payload(key);
                let (cells, used) = raw::packed(raw::payload(array));
                if !cells.is_null() && index < used as u64 && raw::is_unshared(raw::payload(array), raw::tag(array)) {
                    let place = cells.add(index as usize);
                    if raw::tag(place) != raw::TI_UNDEF {
                        return place;
                    }
                }
                Key::Int(index as i64)
            }
            raw::TI_STR | raw::TI_STR_STATIC => {
                let key = super::elements::literal_key(raw::string_at(key));
                if let Key::Str(name) = key
                    && raw::is_unshared(raw::payload(array), raw::tag(array))
                {
                    let place = raw::find_string(raw::payload(array), name);
                    if !place.is_null() || !create {
                        return place;
                    }
                }
                key
            }
            _ => return std::ptr::null_mut(),
        };
        let array = raw::array_at_mut(array);
        if create {
            return array.entry(key).0;
        }
        array.get_mut(key).map_or(std::ptr::null_mut(), |place| place)
    }
}

/// Does the location at the end of a path take a value without conversion?
unsafe fn takes(run: &Run, path: &Path, kinds: u32, value: &Val) -> bool {
    // SAFETY: the caller has walked to the end of the path, so the last step's cache is about the object's class.
    unsafe {
        let tag = raw::tag(&raw const *value);
        if kinds >> (tag & 0xff) & 1 != 0 {
            return true;
        }
        match path.steps.last() {
            Some(PathStep::Prop(_, site)) if tag == raw::TI_OBJ => {
                let cache = &*run.code().site(*site);
                !super::props::is_readonly(cache.value)
                    && cache.class == raw::class_of(raw::payload(&raw const *value)) as u64
            }
            _ => false,
        }
    }
}

/// Remembers that the property at the end of a path took an object, so that it takes other objects of the class, too.
unsafe fn took(run: &Run, path: &Path, value: &Val) {
    if let (Some(PathStep::Prop(_, site)), Some(_)) = (path.steps.last(), value.as_obj()) {
        // SAFETY: `site` numbers a cache of the innermost frame's function, and `as_obj` has shown that the value is an object.
        unsafe {
            let cache = &mut *run.code().site(*site);
            cache.class = raw::class_of(raw::payload(&raw const *value)) as u64;
            let slot = super::props::slot_of(cache.value) as u64;
            megamorphic_cache::remember(megamorphic_cache::Key::of_property(cache.key, slot, cache.class), 1);
        }
    }
}

/// The change at the end of a path as the runtime makes it; returns the result. The path's temporaries are consumed, also on
/// failure.
unsafe fn apply(run: &mut Run, ip: Ip, path: &Path, action: Action) -> PhpResult<Val> {
    // SAFETY: `path` belongs to `ip`, an opline of the innermost frame; its operands are consumed once.
    unsafe {
        // `unset` of a property does not read the variable: without the variable there is nothing to unset.
        let is_property = matches!(path.steps[..], [PathStep::Prop(..)]);
        let reads = match action {
            Action::Unset => !is_property,
            _ => matches!(action, Action::SetOp(..) | Action::IncDec(_)),
        };
        if let (Operand::Local(_), true) = (path.base, reads)
            && raw::tag(operand_cell(run, path.base)) == raw::TI_UNDEF
        {
            if let Err(throw) = run.undefined_local(run.code().offset(path.base)) {
                consume(run, path);
                return Err(throw);
            }
        }
        let steps = take_steps(run, ip, path);
        if let Some(PathStep::Static { name, class, by, site }) = path.steps.first() {
            let named = (*name, *class, *by, run.code().site(*site));
            return apply_to_static(run, ip, named, &steps?, action);
        }
        let place = match path.base {
            Operand::Local(_) => {
                let variable = operand_cell(run, path.base);
                // `false` in a reference becomes an array without a deprecation. Compiled code may have made a plain variable of
                // such a reference, which is made again here.
                if raw::tag(variable) == raw::TI_FALSE
                    && (*run.frame).flags & Frame::unboxed_flag(run.frame, variable) != 0
                {
                    (*variable).make_ref();
                }
                Place::Slot(slot(variable))
            }
            Operand::This => match run.this() {
                Some(this) => Place::Temp(Slot::new(this.into())),
                None => return Err(run.vm.throw_error(b"Using $this when not in object context")),
            },
            Operand::Tmp(_) => Place::Temp(Slot::new(raw::take(operand_cell(run, path.base)))),
            _ => Place::Temp(Slot::new((*operand_cell(run, path.base)).clone())),
        };
        members::apply(run.vm, place, &steps?, action, run.access())
    }
}

/// The steps of a path with their keys; keys that are temporaries are consumed even on failure.
unsafe fn take_steps(run: &mut Run, ip: Ip, path: &Path) -> PhpResult<Vec<Step>> {
    // SAFETY: `path` belongs to `ip`, an opline of the innermost frame; each key is consumed once.
    unsafe {
        let mut steps = Vec::with_capacity(path.steps.len());
        let mut failed = None;
        for step in &path.steps {
            steps.push(match step {
                PathStep::New => Step::New,
                PathStep::Static { .. } => continue,
                PathStep::Prop(name, _) => Step::Prop(run.code().func().unit.str(*name).clone()),
                PathStep::Elem(key) => match key_value(run, ip, *key) {
                    Ok(key) => Step::Elem(key),
                    Err(throw) => {
                        failed.get_or_insert(throw);
                        Step::New
                    }
                },
            });
        }
        failed.map_or(Ok(steps), Err)
    }
}

/// The change at the end of a path that starts at a static property, given by its name, class and cache.
unsafe fn apply_to_static(
    run: &mut Run,
    ip: Ip,
    (name, class, by, site): (StrId, Option<StrId>, ClassBy, *mut Site),
    steps: &[Step],
    action: Action,
) -> PhpResult<Val> {
    // SAFETY: `ip` is an opline of the innermost frame; the variable of a static property lives as long as its class.
    unsafe {
        let unit = &run.code().func().unit;
        let class: Val = class.map_or(Val::NULL, |class| unit.str(class).into());
        let class = super::calls::class_by(run, ip, &raw const class, by)?;
        let (vm, access) = (run.vm, run.access());
        let Some(info) = statics::find(vm, &class, unit.str(name), access.scope, false)? else {
            return Err(vm.throw_error(b"Access to undeclared static property"));
        };
        let property = link::static_prop(vm, &class, &info)?;
        let late = if by == ClassBy::Static { (*run.frame).static_class as u64 } else { 0 };
        // PHP reports each access to a static property by way of a trait, so it is not cached.
        if (by != ClassBy::Static || late != 0) && !phlox_runtime::ClassExt::class(&*class).is_trait() {
            let value = crate::declared::property_kinds(info.ty.as_deref()) as u64;
            named_sites::note(site, Held::Addresses);
            *site = Site { key: (&raw const property.slot) as u64, value, class: late };
        }
        if !steps.is_empty() {
            let reads = matches!(action, Action::SetOp(..) | Action::IncDec(_));
            statics::check_modifiable(vm, &info, &property, reads)?;
            return members::apply(vm, Place::Static(info, property), steps, action, access);
        }
        match action {
            Action::Set(value) => statics::write(vm, &info, &property, value.into_read(vm)?, access),
            Action::SetOp(operator, operand) => {
                let operand = operand.into_read(vm)?;
                statics::set_op(vm, &info, &property, (operator, &operand), access)
            }
            Action::IncDec(operator) => step_static(vm, &info, &property, operator, access),
            _ => members::apply(vm, Place::Static(info, property), steps, action, access),
        }
    }
}

/// `++` and `--` of a static property; returns the result.
fn step_static(
    vm: &Vm,
    info: &Rc<PropInfo>,
    property: &StaticProp,
    operator: IncDec,
    access: Access<'_>,
) -> PhpResult<Val> {
    let current = statics::read(vm, info, property, false)?;
    let next = members::step_value(vm, operator, &current)?;
    let increment = matches!(operator, IncDec::PreInc | IncDec::PostInc);
    match property.slot.as_ref() {
        Some(reference) => coerce::check_reference_inc_dec(vm, &reference, &current, &next)?,
        None => coerce::check_inc_dec_overflow(vm, info, &current, &next, increment)?,
    }
    let stored = statics::write(vm, info, property, next, access)?;
    Ok(if matches!(operator, IncDec::PreInc | IncDec::PreDec) { stored } else { current })
}

/// The value of a key of a path: moved out of a temporary, else copied.
unsafe fn key_value(run: &mut Run, ip: Ip, key: Operand) -> PhpResult<Input> {
    // SAFETY: `key` belongs to a path of `ip`, an opline of the innermost frame.
    unsafe {
        match key {
            Operand::Lit(_) => Ok((*operand_cell(run, key)).clone().into()),
            _ => run.input(ip, run.code().offset(key), Kind::of(key)),
        }
    }
}

slow_handler!(set, set_slow);

/// `SetPath` of all values; also executed for compiled code.
///
/// # Safety
/// `ip` is a `SetPath` of the innermost frame, whose sources have not been consumed.
#[inline(never)]
pub unsafe fn set_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetPath`: `input` consumes `a`; the walk's location is used before PHP code can run.
    unsafe {
        let meta = run.meta(ip);
        let path = run.code().path(meta.n);
        let value = match run.input(ip, (*ip).a, meta.a) {
            Ok(Input::Value(value)) => value,
            Ok(undefined) => {
                let result = apply(run, ip, path, Action::Set(undefined)).and_then(|value| run.store(ip, value));
                return run.finish(ip, result);
            }
            Err(throw) => {
                consume(run, path);
                return run.raise(throw);
            }
        };
        if set_unboxed(run, meta.n, &value) {
            consume(run, path);
            let result = run.store(ip, value);
            return run.finish(ip, result);
        }
        let mut kinds = 0;
        let place = walk(run, meta.n, End::Create, &mut kinds);
        let result = if place.is_null() || !takes(run, path, kinds, &value) {
            let looked_up = !place.is_null();
            apply(run, ip, path, Action::Set(value.into())).and_then(|value| {
                if looked_up {
                    took(run, path, &value);
                }
                run.store(ip, value)
            })
        } else {
            let copy = if meta.c == Kind::None { Val::NULL } else { value.clone() };
            drop((*place).replace(value));
            consume(run, path);
            run.store(ip, copy)
        };
        run.finish(ip, result)
    }
}

slow_handler!(set_op, set_op_slow);

/// `SetOpPath` of all values; also executed for compiled code.
///
/// # Safety
/// `ip` is a `SetOpPath` of the innermost frame, whose sources have not been consumed.
#[inline(never)]
pub unsafe fn set_op_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetOpPath`: `input` consumes `a`, `b` is a literal with the operator's number.
    unsafe {
        let meta = run.meta(ip);
        let path = run.code().path(meta.n);
        let operator = raw::payload(literal(ip, (*ip).b)) as usize;
        let operator = SetOp::ALL.get(operator).copied().unwrap_or(SetOp::Add);
        let operand = match run.input(ip, (*ip).a, meta.a) {
            Ok(Input::Value(value)) => value,
            Ok(undefined) => {
                let action = Action::SetOp(operator, undefined);
                let result = apply(run, ip, path, action).and_then(|value| run.store(ip, value));
                return run.finish(ip, result);
            }
            Err(throw) => {
                consume(run, path);
                return run.raise(throw);
            }
        };
        let mut kinds = 0;
        let place = walk(run, meta.n, End::Existing, &mut kinds);
        if !place.is_null() && set_op_in_place(operator, place, &operand, kinds) {
            let copy = if meta.c == Kind::None { Val::NULL } else { (*place).clone() };
            consume(run, path);
            drop(operand);
            let result = run.store(ip, copy);
            return run.finish(ip, result);
        }
        let action = Action::SetOp(operator, operand.into());
        let result = apply(run, ip, path, action).and_then(|value| run.store(ip, value));
        run.finish(ip, result)
    }
}

/// `$local[key] = value` where the local holds an unboxed list that takes the value as it is. False: nothing was assigned.
unsafe fn set_unboxed(run: &mut Run, n: u32, value: &Val) -> bool {
    // SAFETY: `n` is a path of the innermost frame's function; no PHP code runs while its locations are in use.
    unsafe {
        let walk = run.code().walk(n);
        let key = match (walk.base, &walk.steps[..]) {
            (Kind::Local, [WalkStep::Elem(offset)]) => raw::look_through(cell(run.frame.cast(), *offset)),
            (Kind::Local, [WalkStep::ElemLiteral(key)]) => *key,
            _ => return false,
        };
        let list = raw::look_through(cell(run.frame.cast(), walk.offset));
        raw::tag(list) == raw::TI_ARR
            && raw::tag(key) == raw::TI_INT
            && raw::array_at_mut(list).set_unboxed(raw::payload(key) as i64, value)
    }
}

/// `place OP= operand` where the operation cannot fail, warn or run PHP code. False: nothing was changed.
unsafe fn set_op_in_place(operator: SetOp, place: *mut Val, operand: &Val, kinds: u32) -> bool {
    // SAFETY: the caller passes the location at the end of a walk, and no PHP code has run since.
    unsafe {
        if operator == SetOp::Concat {
            let Some(tail) = operand.as_str() else { return false };
            if raw::tag(place) & 0xff != raw::TI_STR_STATIC || raw::payload(place) == raw::payload(operand) {
                return false;
            }
            (*place).append_bytes(tail);
            return true;
        }
        let words = (raw::payload(place), raw::tag(place), raw::payload(operand), raw::tag(operand));
        match super::arith::plain_numbers(operator, words) {
            Some((payload, tag)) if kinds >> tag & 1 != 0 => {
                raw::write(place, payload, tag);
                true
            }
            _ => false,
        }
    }
}

slow_handler!(inc_dec, inc_dec_slow);

/// `IncDecPath` of all values; also executed for compiled code.
///
/// # Safety
/// `ip` is an `IncDecPath` of the innermost frame, whose path's operands have not been consumed.
#[inline(never)]
pub unsafe fn inc_dec_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `IncDecPath`: `b` is a literal with the operator's number; the walk's location is used before PHP code
    // can run.
    unsafe {
        let meta = run.meta(ip);
        let path = run.code().path(meta.n);
        let operator = raw::payload(literal(ip, (*ip).b)) as usize;
        let operator = IncDec::ALL.get(operator).copied().unwrap_or(IncDec::PreInc);
        let mut kinds = 0;
        let place = walk(run, meta.n, End::Existing, &mut kinds);
        if !place.is_null() && raw::tag(place) == raw::TI_INT && kinds >> raw::TI_INT & 1 != 0 {
            let old = raw::payload(place) as i64;
            let by = if matches!(operator, IncDec::PreInc | IncDec::PostInc) { 1 } else { -1 };
            if let Some(new) = old.checked_add(by) {
                raw::write(place, new as u64, raw::TI_INT);
                consume(run, path);
                let is_post = matches!(operator, IncDec::PostInc | IncDec::PostDec);
                let result = run.store(ip, Val::int(if is_post { old } else { new }));
                return run.finish(ip, result);
            }
        }
        let result = apply(run, ip, path, Action::IncDec(operator)).and_then(|value| run.store(ip, value));
        run.finish(ip, result)
    }
}

slow_handler!(unset, unset_slow);

/// `UnsetPath` of all paths; also executed for compiled code.
///
/// # Safety
/// `ip` is an `UnsetPath` of the innermost frame, whose path's operands have not been consumed.
#[inline(never)]
pub unsafe fn unset_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `n` of an `UnsetPath` is a path of the innermost frame's function, whose temporaries are consumed once.
    unsafe {
        let meta = run.meta(ip);
        let path = run.code().path(meta.n);
        if let Some(old) = unset_element(run, meta.n) {
            drop(old);
            consume(run, path);
            return run.finish(ip, Ok(()));
        }
        let result = apply(run, ip, path, Action::Unset).map(drop);
        run.finish(ip, result)
    }
}

/// Takes the element at the end of path `n` out of its array, if that can be done without running PHP code. `None`: the runtime
/// must do it.
unsafe fn unset_element(run: &mut Run, n: u32) -> Option<Val> {
    // SAFETY: `n` is a path of the innermost frame's function; the element is removed before PHP code can run.
    unsafe {
        let key = match *run.code().walk(n).steps.last()? {
            WalkStep::Elem(offset) => raw::look_through(cell(run.frame.cast(), offset)),
            WalkStep::ElemLiteral(key) | WalkStep::ElemName(key) => key,
            _ => return None,
        };
        let key = super::elements::plain_key(&*key)?;
        let mut kinds = 0;
        let place = walk(run, n, End::Container, &mut kinds);
        if place.is_null() || raw::tag(place) & 0xff != raw::TI_ARR_STATIC {
            return None;
        }
        Some(raw::array_at_mut(place).remove(key).unwrap_or(Val::NULL))
    }
}

slow_handler!(make_ref, make_ref_slow);

/// `RefPath`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn make_ref_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `n` of a `RefPath` is a path of the innermost frame's function; the location becomes a reference before PHP code can
    // run.
    unsafe {
        let n = run.meta(ip).n;
        let path = run.code().path(n);
        let place = path_fast::reference_place(run.code().walk(n), fp);
        if !place.is_null() {
            let reference = (*place).make_ref();
            consume(run, path);
            let result = run.store(ip, reference.into());
            return run.finish(ip, result);
        }
        let result = apply(run, ip, path, Action::MakeRef).and_then(|mut value| {
            value.make_ref();
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

slow_handler!(bind, bind_slow);

/// `BindPath`.
#[inline(never)]
unsafe fn bind_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `BindPath`: `fetch` consumes `a`, and the path's temporaries are consumed by `apply` or `consume`.
    unsafe {
        let meta = run.meta(ip);
        let path = run.code().path(meta.n);
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|value| {
            match value.as_ref() {
                Some(reference) => apply(run, ip, path, Action::Bind(reference.clone())).map(drop)?,
                None => consume(run, path),
            }
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}
