//! The fast path of changes at the end of a path: locations that exist, in unshared arrays and declared properties. For everything
//! else [`super::path_slow`] starts over.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; the path is a [`Walk`] of that
//! frame's function, whose number is in `d`; its base and keys are cells of that frame, literals or `$this`. Pointers to locations
//! are used only until something can run PHP code.

use super::arith::{ADD, SUB, of_integers};
use super::{Handler, IN_FRAME, LITERAL, doubles, is_literal, next, release_next, slow, slow_switch, source};
use crate::code::{Kind, Site, Walk, WalkStep};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::Frame;
use crate::{implicit_calls, megamorphic_cache};
use phlox_hhbc::{IncDec, SetOp, StrId};
use phlox_lower::{Literal, Lowered, OpCode, Operand, Opline, PathStep};
use phlox_runtime::magic::Guard;
use phlox_runtime::{PhpArr, PhpObj, Val};
use phlox_value::raw;

/// The handler of a change at the end of a path; `None`: it has no fast path. Only `++` and its like have one with a result, which
/// is often used there.
pub fn select(opline: &Opline, lowered: &Lowered) -> Option<Handler> {
    if let Some(handler) = select_element(opline, lowered) {
        return Some(handler);
    }
    match (opline.op, opline.c) {
        (_, Operand::None) => {}
        (OpCode::IncDecPath, Operand::Tmp(_)) => return Some(inc_dec::<true>),
        _ => return None,
    }
    let handler: Handler = match (opline.op, opline.a) {
        (OpCode::SetPath, Operand::Lit(_)) => set::<LITERAL, false>,
        (OpCode::SetPath, Operand::Tmp(_)) => set::<IN_FRAME, false>,
        (OpCode::SetPath, Operand::Local(_)) => set::<IN_FRAME, true>,
        (OpCode::SetOpPath, Operand::Lit(_)) => set_op::<LITERAL>,
        (OpCode::SetOpPath, Operand::Local(_) | Operand::Tmp(_)) => set_op::<IN_FRAME>,
        (OpCode::IncDecPath, _) => inc_dec::<false>,
        (OpCode::UnsetPath, _) => unset,
        _ => return None,
    };
    debug_assert!(!is_literal(opline.a) || opline.op != OpCode::IncDecPath);
    Some(handler)
}

/// The handler of `$a[$k] += number` and `-=`, where most of the time goes into finding the element.
fn select_element(opline: &Opline, lowered: &Lowered) -> Option<Handler> {
    let path =
        (opline.op == OpCode::SetOpPath && opline.c == Operand::None).then(|| &lowered.paths[opline.n as usize])?;
    let (Operand::Local(_), [PathStep::Elem(Operand::Local(_))]) = (path.base, &path.steps[..]) else { return None };
    let Operand::Lit(operator) = opline.b else { return None };
    let Literal::Int(operator) = lowered.literals[operator as usize] else { return None };
    Some(match (SetOp::ALL.get(operator as usize)?, is_literal(opline.a)) {
        (SetOp::Add, true) => set_op_element::<ADD, LITERAL>,
        (SetOp::Add, false) => set_op_element::<ADD, IN_FRAME>,
        (SetOp::Sub, true) => set_op_element::<SUB, LITERAL>,
        (SetOp::Sub, false) => set_op_element::<SUB, IN_FRAME>,
        _ => return None,
    })
}

/// What [`find_place`] finds: a location that exists.
const EXISTING: u8 = 0;
/// What [`find_place`] finds: a location that is created if it is missing.
const CREATED: u8 = 1;
/// What [`find_place`] finds: a location that exists and is to become a reference.
const REFERENCE: u8 = 2;

/// The location at the end of a path, and the types of values that it takes without conversion, as bits of their tags. Null: the
/// slow path has to do it.
#[inline(never)]
unsafe fn find_place<const END: u8>(walk: &Walk, steps: &[WalkStep], fp: Fp) -> (*mut Val, u32) {
    const NOWHERE: (*mut Val, u32) = (std::ptr::null_mut(), 0);
    // SAFETY: `walk` belongs to the function of the innermost frame `fp`; no PHP code runs while its locations are in use.
    unsafe {
        let mut object = 0;
        let mut place = match walk.base {
            Kind::Local => raw::look_through(cell(fp, walk.offset)),
            Kind::This => {
                object = (*fp.cast::<Frame>()).this;
                if object == 0 {
                    return NOWHERE;
                }
                std::ptr::null_mut()
            }
            // The first step is a static property, which needs no base.
            Kind::None => std::ptr::null_mut(),
            _ => return NOWHERE,
        };
        if END == CREATED && walk.base == Kind::Local && raw::tag(place) <= raw::TI_NULL {
            let is_reference = place != cell(fp, walk.offset);
            if is_reference || !steps.iter().all(|step| creates(step, fp)) {
                return NOWHERE;
            }
            raw::put(place, PhpArr::with_capacity(0).into());
        }
        let mut kinds = u32::MAX;
        let mut steps = steps.iter();
        loop {
            let Some(step) = steps.next() else { return (place, kinds) };
            kinds = u32::MAX;
            let array = place;
            place = match *step {
                WalkStep::Prop(name, site) => {
                    let object = match std::mem::take(&mut object) {
                        0 if raw::tag(place) == raw::TI_OBJ => raw::payload(place),
                        object => object,
                    };
                    if object == 0 || (*site).key != raw::class_of(object) as u64 && !find_again(fp, object, name, site)
                    {
                        return NOWHERE;
                    }
                    if super::props::is_readonly((*site).value) {
                        return NOWHERE;
                    }
                    kinds = ((*site).value >> 32) as u32;
                    raw::property(object, super::props::slot_of((*site).value))
                }
                WalkStep::Static(site) => {
                    let late = (*site).class;
                    if late != 0 && late != (*fp.cast::<Frame>()).static_class as u64 {
                        return NOWHERE;
                    }
                    kinds = (*site).value as u32;
                    (*site).key as *mut Val
                }
                _ if object != 0 || !is_own_array::<END>(place) => return NOWHERE,
                WalkStep::ElemName(key) => match raw::find_literal(raw::payload(place), raw::string_at(key)) {
                    Some(place) => place,
                    None => super::elements::find(place, key).cast_mut(),
                },
                WalkStep::Elem(offset) => element(place, raw::look_through(cell(fp, offset))),
                WalkStep::ElemLiteral(key) => int_element(place, key),
                WalkStep::New if END == CREATED && steps.as_slice().is_empty() => {
                    match raw::array_at_mut(place).push_place() {
                        Ok(place) => return (place, kinds),
                        Err(_) => return NOWHERE,
                    }
                }
                WalkStep::New => return NOWHERE,
            };
            if place.is_null() || raw::tag(place) == raw::TI_UNDEF {
                return match steps.as_slice() {
                    [] if END == CREATED => (create_element(array, step, fp), kinds),
                    [last] if END == CREATED => (create_nested(array, step, last, fp), u32::MAX),
                    _ => NOWHERE,
                };
            }
            if raw::tag(place) == raw::TI_REF {
                if steps.as_slice().is_empty() {
                    if END == REFERENCE {
                        return (place, kinds);
                    }
                    if raw::is_typed_ref(raw::payload(place)) {
                        return NOWHERE;
                    }
                }
                place = raw::ref_place(raw::payload(place));
            }
        }
    }
}

/// Fills a step's cache from the megamorphic cache, for an object of another class than the cached one. False: the property is not
/// there.
#[inline(never)]
unsafe fn find_again(fp: Fp, object: u64, name: StrId, site: *mut Site) -> bool {
    // SAFETY: the callers pass a live object and the cache of a walk of the innermost frame's function.
    unsafe {
        let func = (*(*fp.cast::<Frame>()).code).func();
        let class = raw::class_of(object) as u64;
        let key =
            megamorphic_cache::Key::new(class | megamorphic_cache::SETTABLE, func.unit.str(name), func.scope.get());
        match megamorphic_cache::find(key) {
            Some(value) if value & megamorphic_cache::DYNAMIC == 0 => {
                *site = Site { key: class, value, class: 0 };
                true
            }
            _ => false,
        }
    }
}

/// The location at the end of a path if it is a reference, or can become one without further work; null: the slow path has to do
/// it.
///
/// # Safety
/// `walk` belongs to the function of the innermost frame `fp`.
pub unsafe fn reference_place(walk: &Walk, fp: Fp) -> *mut Val {
    // SAFETY: `walk` belongs to the function of the innermost frame, as `find_place` requires.
    unsafe {
        let (place, kinds) = find_place::<REFERENCE>(walk, &walk.steps, fp);
        // A reference to a typed property has to know the property's type, which the slow path sets.
        if place.is_null() || (kinds != u32::MAX && raw::tag(place) != raw::TI_REF) {
            return std::ptr::null_mut();
        }
        place
    }
}

/// Creates an element that is missing; null: the step is none by an integer or string key.
#[inline(never)]
unsafe fn create_element(array: *mut Val, step: &WalkStep, fp: Fp) -> *mut Val {
    // SAFETY: `array` is the location before the step; it holds an unshared array if the step has a key.
    unsafe {
        match key_at(step, fp).and_then(|key| super::elements::plain_key(&*key)) {
            Some(key) => raw::array_at_mut(array).entry(key).0,
            None => std::ptr::null_mut(),
        }
    }
}

/// Creates a missing element with an array, and an element in that, which is the result; null: the slow path has to do it, and
/// nothing was created.
#[inline(never)]
unsafe fn create_nested(array: *mut Val, step: &WalkStep, last: &WalkStep, fp: Fp) -> *mut Val {
    // SAFETY: `array` is the location before `step` and holds an unshared array; a new element holds null, which needs no release.
    unsafe {
        if !creates(last, fp) {
            return std::ptr::null_mut();
        }
        let outer = create_element(array, step, fp);
        if outer.is_null() {
            return outer;
        }
        raw::put(outer, PhpArr::with_capacity(0).into());
        match last {
            WalkStep::New => raw::array_at_mut(outer).push_place().map_or(std::ptr::null_mut(), |place| place),
            _ => create_element(outer, last, fp),
        }
    }
}

/// Does a step create an element of a new array without a warning?
unsafe fn creates(step: &WalkStep, fp: Fp) -> bool {
    // SAFETY: the callers pass a step of a walk of the innermost frame's function.
    unsafe {
        match step {
            WalkStep::New => true,
            _ => key_at(step, fp).is_some_and(|key| super::elements::plain_key(&*key).is_some()),
        }
    }
}

/// Does a location hold an unshared array? A shared one is separated first, unless the location at the end has to exist.
#[inline(always)]
unsafe fn is_own_array<const END: u8>(place: *mut Val) -> bool {
    // SAFETY: the caller passes a live location.
    unsafe {
        if raw::is_unshared(raw::payload(place), raw::tag(place)) {
            return true;
        }
        if END == EXISTING || raw::tag(place) & 0xff != raw::TI_ARR_STATIC {
            return false;
        }
        raw::array_at_mut(place);
        true
    }
}

/// Releases the temporaries among the keys of a walk. They are strings or uncounted values, so no PHP code runs.
#[inline(never)]
unsafe fn consume(walk: &Walk, fp: Fp) {
    for step in &walk.steps {
        if let WalkStep::Elem(offset) = *step
            && offset >= walk.first_tmp
        {
            // SAFETY: a handler calls this once for the walk of its opline, whose temporary keys are full.
            drop(unsafe { raw::take(cell(fp, offset)) });
        }
    }
}

/// The element under a key in the frame; null: it is missing, or the key is neither an integer nor a string.
#[inline(always)]
unsafe fn element(array: *mut Val, key: *mut Val) -> *mut Val {
    // SAFETY: `array` holds an array; the key's tag is read before its payload is used.
    unsafe {
        match raw::tag(key) {
            raw::TI_INT => int_element(array, key),
            raw::TI_STR | raw::TI_STR_STATIC => super::elements::find(array, key).cast_mut(),
            _ => std::ptr::null_mut(),
        }
    }
}

/// The location of an element by an integer or a literal key; in a packed array it may be empty.
#[inline(always)]
unsafe fn int_element(array: *mut Val, key: *mut Val) -> *mut Val {
    // SAFETY: `array` holds an array; a packed array has `used` cells.
    unsafe {
        let (cells, used) = raw::packed(raw::payload(array));
        match raw::tag(key) {
            raw::TI_INT if raw::payload(key) < used as u64 => cells.add(raw::payload(key) as usize),
            _ => super::elements::find(array, key).cast_mut(),
        }
    }
}

/// The walk of an opline.
#[inline(always)]
unsafe fn walk_at<'a>(ip: Ip, fp: Fp) -> &'a Walk {
    // SAFETY: `d` of the callers' opline is the number of a walk of the innermost frame's function.
    unsafe { &*(*(*fp.cast::<Frame>()).code).walks.get().add((*ip).d as usize) }
}

/// Does the property at the end of a walk take an object of this class? It does if it took one before.
#[inline(always)]
unsafe fn takes_object(walk: &Walk, payload: u64, tag: u32) -> bool {
    // SAFETY: the callers have walked to the end, so the last step's cache is about the object's class.
    unsafe {
        match walk.steps.last() {
            Some(WalkStep::Prop(_, site)) if tag == raw::TI_OBJ => {
                let class = raw::class_of(payload) as u64;
                (**site).class == class || took_before(*site, class)
            }
            _ => false,
        }
    }
}

/// Looks up in the megamorphic cache whether a property took an object of this class, and if so tells the step's cache.
#[inline(never)]
unsafe fn took_before(site: *mut Site, class: u64) -> bool {
    // SAFETY: `site` is a cache of the innermost frame's function, to which no reference is in use.
    unsafe {
        let slot = super::props::slot_of((*site).value) as u64;
        let took = megamorphic_cache::find(megamorphic_cache::Key::of_property((*site).key, slot, class)).is_some();
        if took {
            (*site).class = class;
        }
        took
    }
}

/// The element of a packed array that is a property of `$this`, which most assignments along paths are about; null if the path is
/// another one.
#[inline(always)]
unsafe fn own_element(walk: &Walk, fp: Fp) -> *mut Val {
    // SAFETY: `walk` belongs to the function of the innermost frame; a cached slot is one of the cached class.
    unsafe {
        let ([WalkStep::Prop(_, site), WalkStep::Elem(offset)], Kind::This) = (&walk.steps[..], walk.base) else {
            return std::ptr::null_mut();
        };
        let object = (*fp.cast::<Frame>()).this;
        let cache = &**site;
        if object == 0 || cache.key != raw::class_of(object) as u64 || super::props::is_readonly(cache.value) {
            return std::ptr::null_mut();
        }
        let array = raw::property(object, super::props::slot_of(cache.value));
        let key = raw::look_through(cell(fp, *offset));
        if !raw::is_unshared(raw::payload(array), raw::tag(array)) || raw::tag(key) != raw::TI_INT {
            return std::ptr::null_mut();
        }
        match raw::packed_at(raw::payload(array), raw::payload(key)) {
            Some(place) if !matches!(raw::tag(place.as_ptr()), raw::TI_UNDEF | raw::TI_REF) => place.as_ptr(),
            _ => std::ptr::null_mut(),
        }
    }
}

/// The element of an array in a local; null if the path is another one.
#[inline(always)]
unsafe fn local_element(walk: &Walk, fp: Fp) -> *mut Val {
    // SAFETY: `walk` belongs to the function of the innermost frame, so its base and key are cells of that.
    unsafe {
        let ([WalkStep::Elem(offset)], Kind::Local) = (&walk.steps[..], walk.base) else { return std::ptr::null_mut() };
        let (array, key) = (cell(fp, walk.offset), cell(fp, *offset));
        if !raw::is_unshared(raw::payload(array), raw::tag(array)) {
            return std::ptr::null_mut();
        }
        let place = element(array, key);
        if place.is_null() || matches!(raw::tag(place), raw::TI_UNDEF | raw::TI_REF) {
            return std::ptr::null_mut();
        }
        place
    }
}

/// The location at the end of a path, which must exist, and the types that it takes. `LOCAL`: elements of arrays in locals are
/// tried first.
#[inline(always)]
unsafe fn existing<const LOCAL: bool>(walk: &Walk, fp: Fp) -> (*mut Val, u32) {
    // SAFETY: `walk` belongs to the function of the innermost frame, as `find_place` requires.
    unsafe {
        let place = if LOCAL && walk.base == Kind::Local { local_element(walk, fp) } else { own_element(walk, fp) };
        match place {
            place if place.is_null() => find_place::<EXISTING>(walk, &walk.steps, fp),
            place => (place, u32::MAX),
        }
    }
}

/// `SetPath`. `COPIES`: the value is a local's and is retained.
unsafe extern "C-unwind" fn set<const A: u8, const COPIES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SetPath`: `a` is a source of the kind `A`, which moves into the location at the end of the walk.
    unsafe {
        let value = source::<A>(ip, fp, (*ip).a);
        let value = if COPIES { raw::look_through(value) } else { value };
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        // An unshared array in a local may be the one that the path changes.
        if tag == raw::TI_UNDEF || tag == raw::TI_REF || (COPIES && raw::is_unshared(payload, tag)) {
            slow!(super::path_slow::set_slow, ip, fp, run)
        }
        let walk = walk_at(ip, fp);
        let (place, kinds) = match own_element(walk, fp) {
            place if place.is_null() => {
                // Creating an element may exceed the memory limit: the error needs the position.
                (*fp.cast::<Frame>()).ip = ip;
                find_place::<CREATED>(walk, &walk.steps, fp)
            }
            place => (place, u32::MAX),
        };
        if place.is_null() || (kinds >> (tag & 0xff) & 1 == 0 && !takes_object(walk, payload, tag)) {
            slow!(super::path_slow::set_slow, ip, fp, run)
        }
        if COPIES {
            raw::retain(payload, tag);
        }
        let (old, old_tag) = (raw::payload(place), raw::tag(place));
        raw::write(place, payload, tag);
        if walk.consumes {
            consume(walk, fp);
        }
        release_next!(old, old_tag, ip, fp, run)
    }
}

/// `$a[$k] OP= number`: `SetOpPath` of an element of an array in a local.
unsafe extern "C-unwind" fn set_op_element<const OP: u8, const A: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `select_element` chose this handler: the path is a local with one key, `a` a source of the kind `A`.
    unsafe {
        let (place, operand) = (local_element(walk_at(ip, fp), fp), source::<A>(ip, fp, (*ip).a));
        if !place.is_null() {
            if of_integers::<OP, false>(place, operand, place) {
                next!(ip, fp, run)
            }
            if let Some((x, y)) = doubles::pair::<IN_FRAME, A>(place, operand)
                && doubles::write::<OP, false>(x, y, place)
            {
                next!(ip, fp, run)
            }
        }
        set_op::<A>(ip, fp, run)
    }
}

/// `path OP= number`: `SetOpPath`, and `.=` where the string has room.
unsafe extern "C-unwind" fn set_op<const A: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SetOpPath`: `a` is a source of the kind `A`, `b` a literal with the operator's number.
    unsafe {
        let walk = walk_at(ip, fp);
        let (place, kinds) = existing::<false>(walk, fp);
        let operand = source::<A>(ip, fp, (*ip).a);
        let operator = SetOp::ALL[raw::payload(literal(ip, (*ip).b)) as usize];
        if !place.is_null() && super::path_slow::set_numbers(operator, place, operand, kinds) {
            if walk.consumes {
                consume(walk, fp);
            }
            next!(ip, fp, run)
        }
        if !place.is_null() && operator == SetOp::Concat && super::path_slow::append_text(place, operand) {
            if walk.consumes {
                consume(walk, fp);
            }
            if (*run).meta(ip).a == Kind::Tmp {
                release_next!(raw::payload(operand), raw::tag(operand), ip, fp, run)
            }
            next!(ip, fp, run)
        }
        slow_switch!(set_op_by_method, ip, fp, run)
    }
}

/// `SetOpPath` of all values; for `$object->name` without such a property, `__get` and `__set` run as implicit calls in frames
/// above this one.
#[inline(never)]
unsafe fn set_op_by_method(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetOpPath`; the object is retained while its methods run.
    unsafe {
        let walk = walk_at(ip, fp);
        let is_undefined = run.meta(ip).a == Kind::Local && raw::tag(cell(fp, (*ip).a)) == raw::TI_UNDEF;
        if let ([WalkStep::Prop(name, _)], false) = (&walk.steps[..], is_undefined)
            && let Some(object) = base_object(walk, fp)
            && let name = run.code().func().unit.str(*name)
            && let Some(func) = implicit_calls::magic(run, &object, name, Guard::Get)
        {
            return implicit_calls::change_property(run, func, object, name);
        }
        super::path_slow::set_op_slow(ip, fp, run)
    }
}

/// `IncDecPath` of an integer. `RESULT`: temporary `c` gets the result.
unsafe extern "C-unwind" fn inc_dec<const RESULT: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IncDecPath`: `b` is a literal with the operator's number, `c` an empty temporary if `RESULT`.
    unsafe {
        let walk = walk_at(ip, fp);
        let (place, kinds) = existing::<true>(walk, fp);
        if place.is_null() || raw::tag(place) != raw::TI_INT || kinds >> raw::TI_INT & 1 == 0 {
            slow!(super::path_slow::inc_dec_slow, ip, fp, run)
        }
        let operator = raw::payload(literal(ip, (*ip).b));
        let by = if operator & 1 == 1 { -1 } else { 1 };
        let old = raw::payload(place) as i64;
        let Some(new) = old.checked_add(by) else { slow!(super::path_slow::inc_dec_slow, ip, fp, run) };
        raw::write(place, new as u64, raw::TI_INT);
        if walk.consumes {
            consume(walk, fp);
        }
        if RESULT {
            let is_post = operator >= IncDec::PostInc as u64;
            raw::write(cell(fp, (*ip).c), if is_post { old } else { new } as u64, raw::TI_INT);
        }
        next!(ip, fp, run)
    }
}

/// `UnsetPath` of an element under an integer or string key.
unsafe extern "C-unwind" fn unset(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `UnsetPath` has the number of its walk in `d`; the element that was taken out is owned here.
    unsafe {
        let walk = walk_at(ip, fp);
        // A list that loses its layout needs memory, which may run out.
        (*fp.cast::<Frame>()).ip = ip;
        let is_object = walk.base == Kind::Local
            && walk.steps.len() == 1
            && raw::tag(raw::look_through(cell(fp, walk.offset))) == raw::TI_OBJ;
        let (payload, tag) = if is_object { (0, NOT_TAKEN) } else { take_element(walk, fp) };
        if tag == NOT_TAKEN {
            slow_switch!(unset_by_method, ip, fp, run)
        }
        if walk.consumes {
            consume(walk, fp);
        }
        release_next!(payload, tag, ip, fp, run)
    }
}

/// `UnsetPath` of all paths; an `__unset` or `offsetUnset` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn unset_by_method(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `UnsetPath` has the number of its walk in `d`; temporary keys are taken once.
    unsafe {
        let walk = walk_at(ip, fp);
        let ([step], Some(object)) = (&walk.steps[..], base_object(walk, fp)) else {
            return super::path_slow::unset_slow(ip, fp, run);
        };
        if let WalkStep::Prop(name, _) = *step {
            let name = run.code().func().unit.str(name);
            if let Some(func) = implicit_calls::magic(run, &object, name, Guard::Unset) {
                return implicit_calls::unset_property(run, func, object, name);
            }
        } else if let Some(key) = key_at(step, fp)
            && raw::tag(key) != raw::TI_UNDEF
            && let Some(func) = implicit_calls::offset_unsetter(&object)
        {
            let key = (*key).clone();
            consume(walk, fp);
            return implicit_calls::unset_offset(run, &func, object, key);
        }
        drop(object);
        super::path_slow::unset_slow(ip, fp, run)
    }
}

/// The object that a walk starts at, retained.
unsafe fn base_object(walk: &Walk, fp: Fp) -> Option<PhpObj> {
    // SAFETY: `walk` belongs to the function of the innermost frame, so its base is a local of that or `$this`.
    unsafe {
        match walk.base {
            Kind::Local => (*raw::look_through(cell(fp, walk.offset))).as_obj().cloned(),
            Kind::This => Frame::this_object(fp.cast()),
            _ => None,
        }
    }
}

/// The cell with the key of a step, if the step has one.
#[inline(always)]
unsafe fn key_at(step: &WalkStep, fp: Fp) -> Option<*mut Val> {
    match *step {
        // SAFETY: the step belongs to a walk of the innermost frame's function, so its key is a cell of that frame.
        WalkStep::Elem(offset) => Some(unsafe { raw::look_through(cell(fp, offset)) }),
        WalkStep::ElemLiteral(key) | WalkStep::ElemName(key) => Some(key),
        _ => None,
    }
}

/// A tag that no value has: nothing was taken out.
const NOT_TAKEN: u32 = u32::MAX;

/// Takes the element at the end of a walk out of its array; null if it is missing. [`NOT_TAKEN`]: the slow path has to do it.
#[inline(never)]
unsafe fn take_element(walk: &Walk, fp: Fp) -> (u64, u32) {
    // SAFETY: `walk` belongs to the function of the innermost frame; the element that is returned is owned by the caller.
    unsafe {
        let Some((last, before)) = walk.steps.split_last() else { return (0, NOT_TAKEN) };
        let key = key_at(last, fp).and_then(|key| super::elements::plain_key(&*key));
        let (Some(key), (place, _)) = (key, find_place::<EXISTING>(walk, before, fp)) else { return (0, NOT_TAKEN) };
        if place.is_null() || !raw::is_unshared(raw::payload(place), raw::tag(place)) {
            return (0, NOT_TAKEN);
        }
        let taken = std::mem::ManuallyDrop::new(raw::array_at_mut(place).remove(key).unwrap_or(Val::NULL));
        (raw::payload(&raw const *taken), raw::tag(&raw const *taken))
    }
}
