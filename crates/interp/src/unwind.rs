//! Unwinding: which handler an exception has, and what is released on the way.

use crate::context::{Ip, Run};
use crate::frame::{CELL, FLAG_CONSTRUCTOR, FLAG_ENTRY, FLAG_GUARDED, FLAG_INLINE, FLAG_MIDWAY, Frame};
use crate::{implicit_calls, iterator, leave, megamorphic_cache};
use phlox_hhbc::EhKind;
use phlox_lower::facts::Runs;
use phlox_lower::{Live, OpCode};
use phlox_runtime::{ObjExt, PhpObj, PhpStr, Throw, Vm, errors};
use phlox_value::raw;
use std::rc::Rc;

/// An entry of a function's exception table that applies to a throwable.
enum Handler {
    Catch { target: u32, exception: PhpObj },
    Fault { target: u32, next_row: usize },
}

/// Raises [`Run::thrown`] at the position of the innermost frame; gives the opline to go on with. Null: it has left the run.
///
/// # Safety
/// The innermost frame's saved position is one of its oplines.
#[inline(never)] // The calling handler needs no native frame then, and can jump to the next one.
pub unsafe fn start(run: &mut Run) -> Ip {
    let Some(throw) = run.thrown.take() else { unreachable!("something was thrown") };
    let throw = errors::with_pending(run.vm, throw);
    // SAFETY: the caller says that the frame's saved position is one of its oplines.
    unsafe {
        if matches!(throw, Throw::Exception(_)) {
            run.check_row(Runs::Throws);
        }
        free_live(run);
        match cleaned_up_for(run) {
            Some((earlier, row)) => resume(run, errors::with_earlier(earlier, throw), row),
            None => resume(run, throw, 0),
        }
    }
}

/// The throwable that the innermost frame is being unwound for, if it is in a fault funclet, and the row to go on from. The funclet
/// may free a generator, which may throw, too.
unsafe fn cleaned_up_for(run: &mut Run) -> Option<(Throw, usize)> {
    // SAFETY: the innermost frame is alive, and owns its `env`.
    unsafe { if (*run.frame).env.is_null() { None } else { Frame::env(run.frame).unwinding.take() } }
}

/// Goes on unwinding at the end of a fault funclet. Null: the exception has left the run. `None`: the frame is in no funclet.
///
/// # Safety
/// The innermost frame's saved position is one of its oplines, and its temporaries are empty.
pub unsafe fn end_cleanup(run: &mut Run) -> Option<Ip> {
    // SAFETY: the caller says that the frame's position is saved and its temporaries are empty.
    unsafe {
        let (throw, row) = cleaned_up_for(run)?;
        let throw = errors::with_pending(run.vm, throw);
        Some(resume(run, throw, row))
    }
}

/// Goes on unwinding from a row of the innermost frame's exception table. Null: the exception has left the run.
///
/// # Safety
/// The innermost frame's saved position is one of its oplines, and its temporaries are empty.
pub unsafe fn resume(run: &mut Run, mut throw: Throw, mut row: usize) -> Ip {
    // SAFETY: the caller says that the frame's position is saved and its temporaries are empty; the frames below it are alive.
    unsafe {
        loop {
            match find_handler(run, &throw, row) {
                Some(Handler::Catch { target, exception }) => {
                    run.caught = Some(exception);
                    return run.code().entry(target);
                }
                Some(Handler::Fault { target, next_row }) => {
                    Frame::env(run.frame).unwinding = Some((throw, next_row));
                    return run.code().entry(target);
                }
                None => {}
            }
            let frame = run.frame;
            let flags = (*frame).flags;
            if flags & FLAG_CONSTRUCTOR != 0
                && matches!(throw, Throw::Exception(_))
                && let Some(this) = Frame::this_object(frame)
            {
                this.mark_destructed();
            }
            match (*(*frame).code).is_native {
                true => leave::release_arguments(frame),
                false => free_hidden(frame),
            }
            match flags & FLAG_INLINE {
                0 => leave::leave_frame(run, frame),
                _ => crate::generator::leave_inline(run, frame),
            }
            if flags & FLAG_GUARDED != 0 {
                run.vm.guards.end();
            }
            if flags & FLAG_INLINE != 0 {
                throw = errors::with_pending(run.vm, throw);
                match crate::generator::threw_inline(run, frame, throw) {
                    Ok(next) => return next,
                    Err(thrown) => throw = thrown,
                }
                free_loop(run);
            }
            throw = errors::with_pending(run.vm, throw);
            if flags & FLAG_ENTRY != 0 {
                run.exit = Some(Err(throw));
                return std::ptr::null();
            }
            if flags & FLAG_MIDWAY != 0 {
                implicit_calls::give_up(run);
            }
            free_live(run);
            row = 0;
        }
    }
}

/// Releases iterators and unnamed locals of a frame, which belong to statements that have not ended: PHP frees them before the
/// variables.
unsafe fn free_hidden(frame: *mut Frame) {
    // SAFETY: `resume` passes a PHP function's frame that is being left.
    unsafe {
        let code = &*(*frame).code;
        for index in 0..code.iters {
            iterator::free(Frame::iter(frame, index));
        }
        for (index, _) in code.func().code().locals.iter().enumerate().filter(|(_, name)| name.is_none()) {
            drop((*Frame::local(frame, index as u32)).take());
        }
    }
}

/// Frees the iterator of a loop over a generator that has thrown before its first `yield`: the loop has not begun.
unsafe fn free_loop(run: &mut Run) {
    // SAFETY: `resume` passes the run whose innermost frame is the one that the generator's body ran above; it is alive.
    unsafe {
        if (*(*run.frame).code).is_native {
            return;
        }
        let meta = run.meta((*run.frame).ip);
        if meta.op == OpCode::IterInit {
            iterator::free(Frame::iter(run.frame, meta.n));
        }
    }
}

/// Releases the temporaries of the innermost frame that are full across its position.
unsafe fn free_live(run: &mut Run) {
    // SAFETY: the position is an opline of the frame, and `Opline::live` says which temporaries are full there.
    unsafe {
        let frame = run.frame;
        let code = run.code();
        if code.is_native || code.ops.get().is_null() {
            return;
        }
        let live = code.live(code.meta((*frame).ip).live);
        for live in live {
            match live {
                Live::Value(number) | Live::Arg(number) => drop(raw::take(Frame::tmp(frame, number))),
                Live::Call(number) => {
                    let header = Frame::tmp(frame, number).cast::<Frame>();
                    // The arguments of `new` have thrown: the object was never constructed.
                    if (*header).flags & FLAG_CONSTRUCTOR != 0
                        && let Some(this) = Frame::this_object(header)
                    {
                        this.mark_destructed();
                    }
                    leave::release_header(header);
                }
            }
        }
    }
    const { assert!(CELL == 16) };
}

/// The handler of the innermost frame for a throwable, from a row of the exception table on.
unsafe fn find_handler(run: &mut Run, throw: &Throw, from_row: usize) -> Option<Handler> {
    let Throw::Exception(exception) = throw else { return None };
    // SAFETY: the innermost frame is alive (only its position and `env` are read below).
    let frame = run.frame;
    let code = run.code();
    if code.is_native || code.ops.get().is_null() {
        return None;
    }
    let func = code.func();
    let unit_code = func.code();
    if unit_code.eh.is_empty() {
        return None;
    }
    // In a funclet that goes on unwinding, the position is that of the throw.
    // SAFETY: the innermost frame is alive, and its saved position is one of its oplines.
    let pc = match from_row {
        0 => code.meta(unsafe { (*frame).ip }).pc,
        _ => unsafe { Frame::env(frame) }.fault_pc,
    };
    for (row, entry) in unit_code.eh.iter().enumerate().skip(from_row) {
        if pc < entry.start.0 || pc >= entry.end.0 {
            continue;
        }
        match &entry.kind {
            EhKind::Fault(target) => {
                // SAFETY: the innermost frame is alive, and owns its `env`.
                unsafe { Frame::env(frame) }.fault_pc = pc;
                return Some(Handler::Fault { target: target.0, next_row: row + 1 });
            }
            EhKind::Catch(clauses) => {
                for (name, target) in clauses {
                    let name = func.unit.str(*name);
                    let destroying = || run.vm.destroying.borrow().iter().any(|marker| marker.ptr_eq(exception));
                    if name.is_empty() || (is_named(run.vm, exception, name) && !destroying()) {
                        return Some(Handler::Catch { target: target.0, exception: exception.clone() });
                    }
                }
            }
        }
    }
    None
}

/// Whether an exception is an instance of the class with this literal name. A name that stands for a class keeps doing so.
fn is_named(vm: &Vm, exception: &PhpObj, name: &PhpStr) -> bool {
    let key = megamorphic_cache::Key::of_classes(Rc::as_ptr(exception.class_header()) as u64, name.as_ptr() as u64);
    if let Some(known) = megamorphic_cache::find(key) {
        return known != 0;
    }
    let Some(class) = vm.find_class_no_autoload(name) else { return false };
    let fits = exception.is_a(&class);
    megamorphic_cache::remember(key, fits.into());
    fits
}
