//! Calls that oplines make of their own: magic methods, the methods of ArrayAccess. The method runs above the frame of
//! the opline, in the same run, and what it returns is the opline's result.

use crate::calls;
use crate::code::FuncCode;
use crate::context::{Ip, Run};
use crate::frame::{CELL, FLAG_DISCARDS, FLAG_GUARDED, FLAG_TO_BOOL, Frame, HEADER};
use phlox_runtime::magic::{self, Guard};
use phlox_runtime::{Func, ObjExt, PhpObj, PhpStr, Val};
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
        let room = calls::reserve(run, header.cast::<u8>().add((HEADER + N as u32 * CELL) as usize));
        let entered = room.and_then(|()| {
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
        });
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

/// Can a method be entered without looking at its parameters?
fn is_plain(func: &Func) -> bool {
    !func.params.iter().any(|param| param.by_ref)
}

/// Reads a property by `__get`. `None`: the runtime reads it.
///
/// # Safety
/// As [`call`], but the operands are consumed only on success; `object` is not the only handle.
pub unsafe fn get_property(run: &mut Run, object: &PhpObj, name: &PhpStr) -> Option<Ip> {
    let func = magic::at_once(run.vm, object, name, run.access(), Guard::Get).filter(|func| is_plain(func))?;
    run.vm.guards.begin(object, name, Guard::Get);
    // SAFETY: by the caller.
    Some(unsafe { call(run, &func, object.clone(), [name.into()], FLAG_GUARDED) })
}

/// Asks `__isset` for a property. `None`: the runtime does.
///
/// # Safety
/// As [`get_property`].
pub unsafe fn isset_property(run: &mut Run, object: &PhpObj, name: &PhpStr) -> Option<Ip> {
    let func = magic::at_once(run.vm, object, name, run.access(), Guard::Isset).filter(|func| is_plain(func))?;
    run.vm.guards.begin(object, name, Guard::Isset);
    // SAFETY: by the caller.
    Some(unsafe { call(run, &func, object.clone(), [name.into()], FLAG_GUARDED | FLAG_TO_BOOL) })
}

/// The `__set` that an assignment to a property comes to; `None`: the runtime assigns.
pub fn setter(run: &Run, object: &PhpObj, name: &PhpStr) -> Option<Rc<Func>> {
    magic::at_once(run.vm, object, name, run.access(), Guard::Set).filter(|func| is_plain(func))
}

/// Assigns a property by the `__set` that [`setter`] gave.
///
/// # Safety
/// As [`call`].
pub unsafe fn set_property(run: &mut Run, func: &Rc<Func>, object: PhpObj, name: &PhpStr, value: Val) -> Ip {
    run.vm.guards.begin(&object, name, Guard::Set);
    // SAFETY: by the caller.
    unsafe { call(run, func, object, [name.into(), value], FLAG_GUARDED | FLAG_DISCARDS) }
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
