//! Changes at the end of a path of elements and properties.
//!
//! A walk over raw places goes as far as nothing can run PHP code; anything else starts over in the runtime,
//! which lets go of containers before it runs any.

use super::{Handler, IN_FRAME, LITERAL, next, path_fast, release_next, slow, slow_handler, source};
use crate::code::{Kind, Site, WalkStep};
use crate::context::{Fp, Ip, Run, cell, literal, slot};
use crate::frame::Frame;
use crate::megamorphic_cache;
use phlox_hhbc::{IncDec, SetOp, StrId};
use phlox_lower::{ClassBy, Lowered, OpCode, Operand, Opline, Path, PathStep};
use phlox_runtime::members::{self, Action, Input, Place, Step};
use phlox_runtime::{
    Access, Key, PhpObj, PhpResult, PropInfo, Slot, StaticProp, Val, Vm, arith, coerce, link, statics,
};
use phlox_value::raw;
use std::rc::Rc;

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

/// An opline over one property whose result is not used: its base and its cache. The assembler puts the cache in the
/// place of the result.
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

/// The place of a property of `$this` in the cache of a short path, and the kinds that it takes; null: there is none.
#[inline(always)]
unsafe fn own_property(ip: Ip, fp: Fp) -> (*mut Val, u32) {
    // SAFETY: called by handlers with their opline, whose cache is at `c`.
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

/// `place OP= operand` where both are numbers and the place takes the result.
#[inline(never)]
pub unsafe fn set_numbers(operator: SetOp, place: *mut Val, operand: *const Val, kinds: u32) -> bool {
    // SAFETY: called with live cells.
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

/// `$this->p OP= number`
unsafe extern "C-unwind" fn set_op_property<const A: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// Appends a string to the string in a place, if that only takes writing the bytes. False: nothing happened.
#[inline(always)]
pub(super) unsafe fn append_text(place: *mut Val, operand: *const Val) -> bool {
    // SAFETY: called with live cells.
    unsafe {
        raw::tag(place) == raw::TI_STR && raw::tag(operand) & 0xff == raw::TI_STR_STATIC && {
            let bytes: *const [u8] = raw::string_at(operand).as_bytes();
            // A string that is appended to itself is shared.
            raw::append_text(place, &*bytes)
        }
    }
}

/// `$this->p++` and the like
unsafe extern "C-unwind" fn inc_dec_property(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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
        // SAFETY: an operand of the frame's function.
        _ => unsafe { cell(run.frame.cast(), code.offset(operand)) },
    }
}

/// Frees the temporaries among a path's operands.
#[inline(never)]
unsafe fn consume(run: &Run, path: &Path) {
    let keys = path.steps.iter().filter_map(|step| match step {
        PathStep::Elem(key) => Some(*key),
        _ => None,
    });
    for operand in std::iter::once(path.base).chain(keys) {
        if matches!(operand, Operand::Tmp(_)) {
            // SAFETY: the opline consumes them.
            drop(unsafe { raw::take(operand_cell(run, operand)) });
        }
    }
}

/// What a walk does at its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The place is made if it is missing.
    Create,
    /// The place must exist.
    Existing,
    /// The last step is left to the caller: it gets the place before it.
    Container,
}

/// The place at the end of path `n`, if it is reached without running PHP code. Null: the runtime must do it.
/// `kinds`: the kinds of values that the place takes as they are, as bits of their tags.
#[inline(always)]
unsafe fn walk(run: &mut Run, n: u32, end: End, kinds: &mut u32) -> *mut Val {
    // SAFETY: every place is looked at while nothing else runs.
    unsafe {
        let code = run.code();
        let walk = code.walk(n);
        let fp: Fp = run.frame.cast();
        let (mut place, mut object) = match walk.base {
            Kind::Local => (raw::look_through(cell(fp, walk.offset)), 0),
            Kind::This if (*run.frame).this != 0 => (std::ptr::null_mut(), (*run.frame).this),
            Kind::None => (std::ptr::null_mut(), 0),
            // An object that a call gave, say: it is given up once the place was used.
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
                    // What a property is declared with is nothing that elements in it are.
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
                // A reference may obey types.
                if is_last {
                    return std::ptr::null_mut();
                }
                place = raw::ref_place(raw::payload(place));
            }
        }
        place
    }
}

/// The place of a declared property on a walk; null: the runtime must look.
#[inline(always)]
unsafe fn property(
    run: &Run,
    object: u64,
    name: phlox_hhbc::StrId,
    cache: &mut Site,
    is_last: bool,
    kinds: &mut u32,
) -> *mut Val {
    // SAFETY: called by `walk` with an object; a cached slot is one of the class.
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
            // A readonly property takes nothing here: it is initialised.
            *kinds = if super::props::is_readonly(cache.value) { 0 } else { (cache.value >> 32) as u32 };
        } else if super::props::is_readonly(cache.value) && raw::tag(place) != raw::TI_OBJ {
            return std::ptr::null_mut();
        }
        place
    }
}

#[inline(never)]
unsafe fn look_up(run: &Run, object: u64, name: phlox_hhbc::StrId, cache: &mut Site) {
    // SAFETY: called by `walk` with an object, whose handle is its payload.
    let handle = unsafe { &*(&raw const object).cast::<PhpObj>() };
    super::props::remember_place(cache, handle, run.code().func().unit.str(name), run.access());
}

/// An element's place in an array that is made unshared. Null: missing, or not a plain key.
#[inline(always)]
unsafe fn element(array: *mut Val, key: *mut Val, create: bool) -> *mut Val {
    // SAFETY: called by `walk` with an array's cell and a key's cell.
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

/// Does the place at the end of a path take a value of this tag as it is?
unsafe fn takes(run: &Run, path: &Path, kinds: u32, value: &Val) -> bool {
    // SAFETY: called after a walk to the end of the path, which looked the property up.
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

/// The property at the end of a path took a value: it takes other objects of its class, too.
unsafe fn took(run: &Run, path: &Path, value: &Val) {
    if let (Some(PathStep::Prop(_, site)), Some(_)) = (path.steps.last(), value.as_obj()) {
        // SAFETY: the cache is one of the function; the value is an object.
        unsafe {
            let cache = &mut *run.code().site(*site);
            cache.class = raw::class_of(raw::payload(&raw const *value)) as u64;
            let slot = super::props::slot_of(cache.value) as u64;
            megamorphic_cache::remember(megamorphic_cache::Key::of_property(cache.key, slot, cache.class), 1);
        }
    }
}

/// The operation by the runtime.
unsafe fn apply(run: &mut Run, ip: Ip, path: &Path, action: Action) -> PhpResult<Val> {
    // SAFETY: called by handlers with their opline.
    unsafe {
        // A property of a variable that is not there is gone already: `unset` does not read the variable.
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
                // False in a reference becomes an array without a word: what was one is one again.
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
    // SAFETY: called by handlers with their opline.
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

/// The operation at the end of a path that starts at a static property: its name, class and cache.
unsafe fn apply_to_static(
    run: &mut Run,
    ip: Ip,
    (name, class, by, site): (StrId, Option<StrId>, ClassBy, *mut Site),
    steps: &[Step],
    action: Action,
) -> PhpResult<Val> {
    // SAFETY: called by handlers with their opline; a static property lives as long as its class.
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
        // Each access through a trait is reported.
        if (by != ClassBy::Static || late != 0) && !phlox_runtime::ClassExt::class(&*class).is_trait() {
            let value = crate::declared::property_kinds(info.ty.as_deref()) as u64;
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
                let current = statics::read(vm, &info, &property, false)?;
                let result = arith::set_op(vm, operator, current, &operand)?;
                statics::write(vm, &info, &property, result, access)
            }
            Action::IncDec(operator) => step_static(vm, &info, &property, operator, access),
            _ => members::apply(vm, Place::Static(info, property), steps, action, access),
        }
    }
}

/// ++ and -- of a static property; gives the result.
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

unsafe fn key_value(run: &mut Run, ip: Ip, key: Operand) -> PhpResult<Input> {
    // SAFETY: called with an operand of the opline.
    unsafe {
        match key {
            Operand::Lit(_) => Ok((*operand_cell(run, key)).clone().into()),
            _ => run.input(ip, run.code().offset(key), Kind::of(key)),
        }
    }
}

slow_handler!(set, set_slow);

#[inline(never)]
pub unsafe fn set_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

#[inline(never)]
pub unsafe fn set_op_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

/// `$local[key] = value` of which the result is wanted, where the local is a list without tags that takes the value so.
unsafe fn set_unboxed(run: &mut Run, n: u32, value: &Val) -> bool {
    // SAFETY: called by handlers with the number of their path; every place is looked at while nothing else runs.
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

/// Operations that cannot fail, warn or run PHP code.
unsafe fn set_op_in_place(operator: SetOp, place: *mut Val, operand: &Val, kinds: u32) -> bool {
    // SAFETY: called with the place at the end of a walk.
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

#[inline(never)]
pub unsafe fn inc_dec_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

#[inline(never)]
pub unsafe fn unset_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

/// Takes the element at the end of path `n` out, if that cannot run PHP code. `None`: the runtime must do it.
unsafe fn unset_element(run: &mut Run, n: u32) -> Option<Val> {
    // SAFETY: called with a path of the innermost frame's function.
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

#[inline(never)]
pub(super) unsafe fn make_ref_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

#[inline(never)]
unsafe fn bind_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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
