//! Calls that oplines make of their own: magic methods, the methods of ArrayAccess. The method runs above the frame of
//! the opline, in the same run, and what it returns is the opline's result.

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

/// Calls a method of an object with these arguments; gives where it starts.
///
/// # Safety
/// The innermost frame's position is saved, and its operands are consumed.
unsafe fn call<const N: usize>(run: &mut Run, func: &Rc<Func>, object: PhpObj, args: [Val; N], flags: u32) -> Ip {
    // SAFETY: by the caller; the frame lies above the innermost one.
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

/// Can a method be entered without looking at its parameters, and does it give what its body returns?
fn is_plain(func: &Func) -> bool {
    !func.params.iter().any(|param| param.by_ref) && !func.is_generator()
}

/// A magic method, in its class, which lives as long as the request.
pub type Method = *const Rc<Func>;

/// The magic method that an access to a property comes to at once; `None`: the runtime knows what happens. `name` is a
/// literal.
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
/// As [`call`].
pub unsafe fn get_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Get);
    // SAFETY: by the caller.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED) }
}

/// Asks the `__isset` that [`magic`] gave for a property.
///
/// # Safety
/// As [`call`].
pub unsafe fn isset_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Isset);
    // SAFETY: by the caller.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_TO_BOOL) }
}

/// Assigns a property by the `__set` that [`magic`] gave.
///
/// # Safety
/// As [`call`].
pub unsafe fn set_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr, value: Val) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Set);
    // SAFETY: by the caller.
    unsafe { call(run, &*func, object, [name.into(), value], FLAG_GUARDED | FLAG_DISCARDS) }
}

/// Unsets a property by the `__unset` that [`magic`] gave.
///
/// # Safety
/// As [`call`].
pub unsafe fn unset_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Unset);
    // SAFETY: by the caller.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_DISCARDS) }
}

/// The `__isset` that `??` asks before `__get`; `None`: the runtime knows what happens.
pub fn quiet_magic(run: &Run, object: &PhpObj, name: &PhpStr) -> Option<Method> {
    let is_written = |func: &Rc<Func>| matches!(func.body, phlox_runtime::FuncBody::User) && is_plain(func);
    object.class().magic.get.as_ref().filter(|func| is_written(func))?;
    magic(run, object, name, Guard::Isset)
}

/// Reads a property by the `__isset` that [`quiet_magic`] gave, and `__get` if it says so.
///
/// # Safety
/// As [`call`].
pub unsafe fn get_quietly(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Isset);
    // SAFETY: by the caller.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_MIDWAY) }
}

/// Reads a property that the opline, a SetOpPath, assigns then, by the `__get` that [`magic`] gave.
///
/// # Safety
/// As [`call`], but the opline's value stays where it is.
pub unsafe fn change_property(run: &mut Run, func: Method, object: PhpObj, name: &PhpStr) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Get);
    // SAFETY: by the caller.
    unsafe { call(run, &*func, object, [name.into()], FLAG_GUARDED | FLAG_MIDWAY) }
}

/// A method has returned to an opline that goes on with the value.
///
/// # Safety
/// The opline is one of the innermost frame, which called the method with `FLAG_MIDWAY`.
pub unsafe fn go_on(run: &mut Run, opline: Ip, value: Val) -> Ip {
    let value = value.into_deref();
    // SAFETY: by the caller; the name is a literal, or one of the unit.
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

/// The second half of `$object->name OP= value`.
unsafe fn assign_changed(run: &mut Run, opline: Ip, current: Val, object: PhpObj, name: &PhpStr) -> Ip {
    // SAFETY: called by `go_on` with a SetOpPath.
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

/// The opline of the innermost frame does not go on: frees the value that it was to use.
///
/// # Safety
/// It called a method with `FLAG_MIDWAY`.
pub unsafe fn give_up(run: &mut Run) {
    // SAFETY: by the caller; the value is used up once.
    unsafe {
        let opline = (*run.frame).ip;
        let meta = run.meta(opline);
        if meta.op == OpCode::SetOpPath && meta.a == Kind::Tmp {
            drop(raw::take(cell(run.frame.cast(), (*opline).a)));
        }
    }
}

/// Counts an object by its `count`.
///
/// # Safety
/// As [`call`].
pub unsafe fn count(run: &mut Run, func: &Rc<Func>, object: PhpObj) -> Ip {
    // SAFETY: by the caller.
    unsafe { call(run, func, object, [], 0) }
}

/// The `offsetGet` of an object, if it is written in PHP and takes its offset by value.
pub fn offset_getter(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_get.clone().filter(|func| is_plain(func))
}

/// As [`offset_getter`], `offsetSet`.
pub fn offset_setter(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_set.clone().filter(|func| is_plain(func))
}

/// As [`offset_getter`], `offsetExists`.
pub fn offset_checker(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_exists.clone().filter(|func| is_plain(func))
}

/// As [`offset_getter`], `offsetUnset`.
pub fn offset_unsetter(object: &PhpObj) -> Option<Rc<Func>> {
    object.class().magic.offset_unset.clone().filter(|func| is_plain(func))
}

/// Reads an element by `offsetGet`.
///
/// # Safety
/// As [`call`].
pub unsafe fn get_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val) -> Ip {
    // SAFETY: by the caller.
    unsafe { call(run, func, object, [offset.into_deref()], 0) }
}

/// Assigns an element by `offsetSet`.
///
/// # Safety
/// As [`call`].
pub unsafe fn set_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val, value: Val) -> Ip {
    // SAFETY: by the caller.
    unsafe { call(run, func, object, [offset.into_deref(), value.into_deref()], FLAG_DISCARDS) }
}

/// Asks `offsetExists`.
///
/// # Safety
/// As [`call`].
pub unsafe fn isset_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val) -> Ip {
    // SAFETY: by the caller.
    unsafe { call(run, func, object, [offset.into_deref()], FLAG_TO_BOOL) }
}

/// Unsets an element by `offsetUnset`.
///
/// # Safety
/// As [`call`].
pub unsafe fn unset_offset(run: &mut Run, func: &Rc<Func>, object: PhpObj, offset: Val) -> Ip {
    // SAFETY: by the caller.
    unsafe { call(run, func, object, [offset.into_deref()], FLAG_DISCARDS) }
}
