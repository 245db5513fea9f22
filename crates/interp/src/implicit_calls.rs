//! Implicit calls, which oplines make without being calls: magic methods, the methods of ArrayAccess, `count`. The method runs
//! above the frame of the opline, in the same run, and its return value is the opline's result.

use crate::calls;
use crate::code::{FuncCode, Kind};
use crate::context::{Ip, Run, cell, literal};
use crate::frame::{CELL, FLAG_DISCARDS, FLAG_GUARDED, FLAG_MIDWAY, FLAG_TO_BOOL, Frame, HEADER};
use crate::megamorphic_cache;
use phlox_hhbc::SetOp;
use phlox_lower::{OpCode, PathStep};
use phlox_runtime::magic::{self, Guard};
use phlox_runtime::{Func, ObjExt, PhpObj, PhpStr, Val, arith, convert, props};
use phlox_value::raw;
use std::rc::Rc;

/// Calls a method of an object with these arguments; gives the opline that it starts with.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
unsafe fn call<const N: usize>(run: &mut Run, func: &Rc<Func>, object: PhpObj, args: [Val; N], flags: u32) -> Ip {
    // SAFETY: the caller says that the position is saved and the operands are consumed; the new frame lies above the innermost one.
    unsafe {
        let below = run.frame;
        let header = Frame::end(below).max(run.floor).cast::<Frame>();
        let entered = match calls::reserve(run, header.cast::<u8>().add((HEADER + N as u32 * CELL) as usize)) {
            Ok(()) => {
                Frame::prepare(header, FuncCode::of(func));
                (*header).static_class = Rc::as_ptr(object.class_header());
                (*header).this = calls::into_payload(object);
                (*header).prev = below;
                (*header).argc = N as u32;
                (*header).flags = flags;
                for (index, value) in args.into_iter().enumerate() {
                    raw::put(Frame::local(header, index as u32), value);
                }
                calls::enter(run, header, N as u32)
            }
            Err(throw) => {
                drop((args, object));
                Err(throw)
            }
        };
        match entered {
            Ok(entry) => entry,
            Err(throw) => {
                if flags & FLAG_GUARDED != 0 {
                    run.vm.guards.end();
                }
                run.raise(throw)
            }
        }
    }
}

/// Whether a method takes all parameters by value and gives what its body returns.
fn is_plain(func: &Func) -> bool {
    !func.params.iter().any(|param| param.by_ref) && !func.is_generator()
}

/// A magic method, owned by its class, which lives as long as the request.
pub type Method = *const Rc<Func>;

/// The magic method that an access to a property calls without further checks; `None`: the slow path decides. `name` is a literal.
pub fn magic(run: &Run, object: &PhpObj, name: &PhpStr, guard: Guard) -> Option<Method> {
    let kind = match guard {
        Guard::Get => megamorphic_cache::MAGIC_GET,
        Guard::Set => megamorphic_cache::MAGIC_SET,
        Guard::Isset => megamorphic_cache::MAGIC_ISSET,
        Guard::Unset => megamorphic_cache::MAGIC_UNSET,
    };
    let class = Rc::as_ptr(object.class_header()) as u64;
    let key = megamorphic_cache::Key::new(class | kind, name, run.access().scope);
    let is_usual = magic::is_usual(object);
    if is_usual && let Some(found) = megamorphic_cache::find(key) {
        return run.vm.guards.allow(object, name, guard).then_some(found as Method);
    }
    let func = magic::at_once(run.vm, object, name, run.access(), guard).filter(|func| is_plain(func))?;
    if is_usual {
        megamorphic_cache::remember(key, std::ptr::from_ref(func) as u64);
    }
    Some(std::ptr::from_ref(func))
}

/// Reads a property by the `__get` that [`magic`] gave.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn get_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Get);
    // SAFETY: `func` is a `__get` of a class, which is never freed; the caller says that the operands are consumed.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED) }
}

/// Asks the `__isset` that [`magic`] gave for a property.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn isset_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Isset);
    // SAFETY: `func` is an `__isset` of a class, which is never freed; the caller says that the operands are consumed.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_TO_BOOL) }
}

/// Assigns a property by the `__set` that [`magic`] gave.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn set_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr, value: Val) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Set);
    // SAFETY: `func` is a `__set` of a class, which is never freed; the caller says that the operands are consumed.
    unsafe { call(run, &*func, object, [name.into(), value], FLAG_GUARDED | FLAG_DISCARDS) }
}

/// Unsets a property by the `__unset` that [`magic`] gave.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn unset_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Unset);
    // SAFETY: `func` is an `__unset` of a class, which is never freed; the caller says that the operands are consumed.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_DISCARDS) }
}

/// The `__isset` that `??` calls before `__get`; `None`: the slow path decides.
pub fn quiet_magic(run: &Run, object: &PhpObj, name: &PhpStr) -> Option<Method> {
    let is_written = |func: &Rc<Func>| matches!(func.body, phlox_runtime::FuncBody::User) && is_plain(func);
    object.class().magic.get.as_ref().filter(|func| is_written(func))?;
    magic(run, object, name, Guard::Isset)
}

/// Reads a property by the `__isset` that [`quiet_magic`] gave, and by `__get` if that returns true.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn get_quietly(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Isset);
    // SAFETY: `func` is an `__isset` of a class, which is never freed; the caller says that the operands are consumed.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_MIDWAY) }
}

/// Reads a property that the opline, a SetOpPath, assigns afterwards, by the `__get` that [`magic`] gave.
///
/// # Safety
/// The innermost frame's position is saved, and its opline is a SetOpPath whose value is still in its temporary.
pub unsafe fn change_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Get);
    // SAFETY: the caller says that the position is saved; the opline's value stays in a temporary of the frame.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_MIDWAY) }
}

/// Goes on with an opline after the method that it has called with `FLAG_MIDWAY` has returned `value`. Out of line, because few of
/// the calls that return are such calls.
///
/// # Safety
/// `opline` is that of the innermost frame, which has called the method.
#[inline(never)]
pub unsafe fn go_on(run: &mut Run, opline: Ip, value: Val) -> Ip {
    let value = value.into_deref();
    // SAFETY: the caller says that this is the innermost frame's opline; the name is a literal, or a string of the unit.
    unsafe {
        let meta = run.meta(opline);
        let is_change = meta.op == OpCode::SetOpPath;
        let last = if is_change { run.code().path(meta.n).steps.last() } else { None };
        let (name, guard) = match last {
            Some(PathStep::Prop(name, _)) => (run.code().func().unit.str(*name).clone(), Guard::Get),
            _ => (raw::string_at(literal(opline, (*opline).b)).clone(), Guard::Isset),
        };
        let object = run.vm.guards.finish(&name, guard);
        let object = match (object, run.vm.check_pending()) {
            (Some(object), Ok(())) => object,
            (_, result) => {
                give_up(run);
                let result = if is_change { result } else { result.and_then(|()| run.store(opline, Val::NULL)) };
                return run.finish(opline, result);
            }
        };
        if is_change {
            return assign_changed(run, opline, value, object, &name);
        }
        let allowed = convert::to_bool(&value) && run.vm.guards.allow(&object, &name, Guard::Get);
        let func = object.class().magic.get.as_ref().filter(|_| allowed).map(std::ptr::from_ref);
        drop(value);
        match func {
            Some(func) => get_property(run, func, object, &name),
            None => {
                drop(object);
                let result = run.store(opline, Val::NULL);
                run.finish(opline, result)
            }
        }
    }
}

/// The second half of `$object->name OP= value`: computes and assigns.
unsafe fn assign_changed(run: &mut Run, opline: Ip, current: Val, object: PhpObj, name: &PhpStr) -> Ip {
    // SAFETY: `go_on` passes a SetOpPath of the innermost frame, whose value is still in place.
    unsafe {
        let operator = raw::payload(literal(opline, (*opline).b)) as usize;
        let operator = SetOp::ALL.get(operator).copied().unwrap_or(SetOp::Add);
        let kind = run.meta(opline).a;
        let result = run
            .fetch(opline, (*opline).a, kind)
            .and_then(|operand| arith::set_op(run.vm, operator, current, &operand.into_deref()));
        let value = match result {
            Ok(value) => value,
            Err(throw) => return run.raise(throw),
        };
        if let Some(func) = magic(run, &object, name, Guard::Set) {
            return set_property(run, func, object, name, value);
        }
        let result = props::write(run.vm, &object, name, value, run.access()).map(drop);
        drop(object);
        run.finish(opline, result)
    }
}

/// Releases the value of the innermost frame's opline, which does not go on after its call with `FLAG_MIDWAY`.
///
/// # Safety
/// The opline at the innermost frame's position has called a method with `FLAG_MIDWAY`.
pub unsafe fn give_up(run: &mut Run) {
    // SAFETY: the caller says that the opline has not gone on, so its value is still in place; it is consumed once.
    unsafe {
        let opline = (*run.frame).ip;
        let meta = run.meta(opline);
        if meta.op == OpCode::SetOpPath && meta.a == Kind::Tmp {
            drop(raw::take(cell(run.frame.cast(), (*opline).a)));
        }
    }
}

/// Counts an object by its `count` method.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn count(run: &mut Run, func: &Rc<Func>, object: PhpObj) -> Ip {
    // SAFETY: the operands of the opline for `count($object)` are consumed and its position is saved (by the caller).
    unsafe { call(run, func, object, [], 0) }
}

/// The `offsetGet` of an object, if it takes its offset by value and is no generator.
pub fn offset_getter(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_get.clone().filter(|func| is_plain(func))
}

/// The `offsetSet` of an object, if it takes its parameters by value and is no generator.
pub fn offset_setter(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_set.clone().filter(|func| is_plain(func))
}

/// The `offsetExists` of an object, if it takes its offset by value and is no generator.
pub fn offset_checker(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_exists.clone().filter(|func| is_plain(func))
}

/// The `offsetUnset` of an object, if it takes its offset by value and is no generator.
pub fn offset_unsetter(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_unset.clone().filter(|func| is_plain(func))
}

/// Reads an element by `offsetGet`.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn get_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val) -> Ip {
    // SAFETY: the operands of the opline for `$object[$offset]` are consumed and its position is saved (by the caller).
    unsafe { call(run, func, object, [offset.into_deref()], 0) }
}

/// Assigns an element by `offsetSet`.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn set_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val, value: Val) -> Ip {
    // SAFETY: the operands of the opline for `$object[$offset] = $value` are consumed and its position is saved (by the caller).
    unsafe { call(run, func, object, [offset.into_deref(), value.into_deref()], FLAG_DISCARDS) }
}

/// Asks whether an element exists by `offsetExists`.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn isset_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val) -> Ip {
    // SAFETY: the operands of the opline for `isset($object[$offset])` are consumed and its position is saved (by the caller).
    unsafe { call(run, func, object, [offset.into_deref()], FLAG_TO_BOOL) }
}

/// Unsets an element by `offsetUnset`.
///
/// # Safety
/// The innermost frame's position is saved, and the operands of its opline are consumed.
pub unsafe fn unset_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val) -> Ip {
    // SAFETY: the operands of the opline for `unset($object[$offset])` are consumed and its position is saved (by the caller).
    unsafe { call(run, func, object, [offset.into_deref()], FLAG_DISCARDS) }
}
