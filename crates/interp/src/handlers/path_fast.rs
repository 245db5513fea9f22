//! Changes at the end of a path, the short way: places that exist, in unshared arrays and declared properties.
//!
//! Whatever else a path meets is left to `paths`, which starts over.

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

/// The handler of a change; `None`: there is no short way. Only of `++` and the like is the result wanted often.
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

/// `$a[$k] += number` and `-=`, where most of the work is finding the element.
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

/// What [`find_place`] finds: a place that is there; one that is made if it is missing; one that is there, to make it a
/// reference.
const EXISTING: u8 = 0;
const CREATED: u8 = 1;
const REFERENCE: u8 = 2;

/// The place at the end of a path and the kinds of values that it takes as they are, as bits of their tags. Null: only
/// the long way knows.
#[inline(never)]
unsafe fn find_place<const END: u8>(walk: &Walk, steps: &[WalkStep], fp: Fp) -> (*mut Val, u32) {
    const NOWHERE: (*mut Val, u32) = (std::ptr::null_mut(), 0);
    // SAFETY: called by handlers with a walk of their frame; nothing runs meanwhile.
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
            // A static property comes first.
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

/// A step to a property of an object of another class than the last time: fills its cache from the global one, which
/// sees more classes. False: it is not there.
#[inline(never)]
unsafe fn find_again(fp: Fp, object: u64, name: StrId, site: *mut Site) -> bool {
    // SAFETY: called with the cache of a walk of the innermost frame.
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

/// The place of a reference, or of what can become one without ado, at the end of a path; null: only the long way knows.
pub unsafe fn reference_place(walk: &Walk, fp: Fp) -> *mut Val {
    // SAFETY: as `find_place`.
    unsafe {
        let (place, kinds) = find_place::<REFERENCE>(walk, &walk.steps, fp);
        // The types of properties are told to their references.
        if place.is_null() || (kinds != u32::MAX && raw::tag(place) != raw::TI_REF) {
            return std::ptr::null_mut();
        }
        place
    }
}

/// Makes an element that is missing; null: the last step is none by a plain key.
#[inline(never)]
unsafe fn create_element(array: *mut Val, step: &WalkStep, fp: Fp) -> *mut Val {
    // SAFETY: called with the place before a walk's last step, which is an array if the step is one by a key.
    unsafe {
        match key_at(step, fp).and_then(|key| super::elements::plain_key(&*key)) {
            Some(key) => raw::array_at_mut(array).entry(key).0,
            None => std::ptr::null_mut(),
        }
    }
}

/// Makes an element that is missing an array, and an element in that, which is the place; null: only the long way knows, and
/// nothing was made.
#[inline(never)]
unsafe fn create_nested(array: *mut Val, step: &WalkStep, last: &WalkStep, fp: Fp) -> *mut Val {
    // SAFETY: as `create_element`; what is made is null.
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

/// Does a step lead to an element of an array that is new, without a word?
unsafe fn creates(step: &WalkStep, fp: Fp) -> bool {
    // SAFETY: called with a step of a walk of the innermost frame.
    unsafe {
        match step {
            WalkStep::New => true,
            _ => key_at(step, fp).is_some_and(|key| super::elements::plain_key(&*key).is_some()),
        }
    }
}

/// Is it an array that nobody shares? For a place that is made, one that is shared becomes such a one.
#[inline(always)]
unsafe fn is_own_array<const END: u8>(place: *mut Val) -> bool {
    // SAFETY: called with a live cell.
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

/// Frees the temporaries among a walk's keys, which are strings or nothing that counts.
#[inline(never)]
unsafe fn consume(walk: &Walk, fp: Fp) {
    for step in &walk.steps {
        if let WalkStep::Elem(offset) = *step
            && offset >= walk.first_tmp
        {
            // SAFETY: called by a handler with a walk of its frame, once.
            drop(unsafe { raw::take(cell(fp, offset)) });
        }
    }
}

/// The element under a key in the frame; null: missing, or the key is not a plain one.
#[inline(always)]
unsafe fn element(array: *mut Val, key: *mut Val) -> *mut Val {
    // SAFETY: called with an array's cell and a key's cell.
    unsafe {
        match raw::tag(key) {
            raw::TI_INT => int_element(array, key),
            raw::TI_STR | raw::TI_STR_STATIC => super::elements::find(array, key).cast_mut(),
            _ => std::ptr::null_mut(),
        }
    }
}

#[inline(always)]
unsafe fn int_element(array: *mut Val, key: *mut Val) -> *mut Val {
    // SAFETY: called with an array's cell and a key's cell.
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
    // SAFETY: called by handlers with their opline, whose number of a path is at `d`.
    unsafe { &*(*(*fp.cast::<Frame>()).code).walks.get().add((*ip).d as usize) }
}

/// Does the property at the end of a walk take an object of its class? One that it took before says so.
#[inline(always)]
unsafe fn takes_object(walk: &Walk, payload: u64, tag: u32) -> bool {
    // SAFETY: called after a walk to the end, which found the property by its cache.
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

/// Looks that up behind the sites' own caches, and tells the site.
#[inline(never)]
unsafe fn took_before(site: *mut Site, class: u64) -> bool {
    // SAFETY: a site of the innermost frame's function, which nobody else looks at meanwhile.
    unsafe {
        let slot = super::props::slot_of((*site).value) as u64;
        let took = megamorphic_cache::find(megamorphic_cache::Key::of_property((*site).key, slot, class)).is_some();
        if took {
            (*site).class = class;
        }
        took
    }
}

/// An element of a list that is a property of `$this`, which most assignments along paths are about; null if it is none.
#[inline(always)]
unsafe fn own_element(walk: &Walk, fp: Fp) -> *mut Val {
    // SAFETY: as `find_place`.
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

/// An element of an array in a variable; null if it is none.
#[inline(always)]
unsafe fn local_element(walk: &Walk, fp: Fp) -> *mut Val {
    // SAFETY: as `find_place`.
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

/// As [`find_place`], for places that must exist. `LOCAL`: most are elements of arrays in variables.
#[inline(always)]
unsafe fn existing<const LOCAL: bool>(walk: &Walk, fp: Fp) -> (*mut Val, u32) {
    // SAFETY: as `find_place`.
    unsafe {
        let place = if LOCAL && walk.base == Kind::Local { local_element(walk, fp) } else { own_element(walk, fp) };
        match place {
            place if place.is_null() => find_place::<EXISTING>(walk, &walk.steps, fp),
            place => (place, u32::MAX),
        }
    }
}

/// `path = value`; `COPIES`: from a local.
unsafe extern "C-unwind" fn set<const A: u8, const COPIES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        let value = source::<A>(ip, fp, (*ip).a);
        let value = if COPIES { raw::look_through(value) } else { value };
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        // An array that is nobody else's may be the one that is changed.
        if tag == raw::TI_UNDEF || tag == raw::TI_REF || (COPIES && raw::is_unshared(payload, tag)) {
            slow!(super::path_slow::set_slow, ip, fp, run)
        }
        let walk = walk_at(ip, fp);
        let (place, kinds) = match own_element(walk, fp) {
            place if place.is_null() => {
                // What is made may go over memory_limit.
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

/// `$a[$k] OP= number`
unsafe extern "C-unwind" fn set_op_element<const OP: u8, const A: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// `path OP= number`
unsafe extern "C-unwind" fn set_op<const A: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// `$object->name OP= value` where `__get` and `__set` stand for the property, or what else the long way does.
#[inline(never)]
unsafe fn set_op_by_method(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

/// `path++` and the like; `RESULT`: a temporary wants the result.
unsafe extern "C-unwind" fn inc_dec<const RESULT: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// `unset(path)`: of an element under a plain key.
unsafe extern "C-unwind" fn unset(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        let walk = walk_at(ip, fp);
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

/// `unset` of a member of an object that has a method for that, or what else the long way does.
#[inline(never)]
unsafe fn unset_by_method(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline; keys that are consumed are taken once.
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

/// The object that a walk starts at.
unsafe fn base_object(walk: &Walk, fp: Fp) -> Option<PhpObj> {
    // SAFETY: called with a walk of the innermost frame.
    unsafe {
        match walk.base {
            Kind::Local => (*raw::look_through(cell(fp, walk.offset))).as_obj().cloned(),
            Kind::This => Frame::this_object(fp.cast()),
            _ => None,
        }
    }
}

/// The cell with the key of a step, if it goes by one.
#[inline(always)]
unsafe fn key_at(step: &WalkStep, fp: Fp) -> Option<*mut Val> {
    match *step {
        // SAFETY: called with a step of a walk of the innermost frame.
        WalkStep::Elem(offset) => Some(unsafe { raw::look_through(cell(fp, offset)) }),
        WalkStep::ElemLiteral(key) | WalkStep::ElemName(key) => Some(key),
        _ => None,
    }
}

/// No value's tag.
const NOT_TAKEN: u32 = u32::MAX;

/// Takes the element at the end of a walk out of its array; null if there is none. [`NOT_TAKEN`]: only the long way knows.
#[inline(never)]
unsafe fn take_element(walk: &Walk, fp: Fp) -> (u64, u32) {
    // SAFETY: called by a handler with a walk of its frame.
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
