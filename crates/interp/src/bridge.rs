//! Rare instructions: the plain interpreter executes them with values from the frame.

use crate::calls;
use crate::context::{Ip, Run};
use crate::frame::{FLAG_CONSTRUCTOR, FLAG_FROM_ARRAY, Frame};
use crate::view;
use phlox_oracle::machine::{Flow, Pending};
use phlox_runtime::{PhpResult, Throw, Val};
use phlox_value::raw;

/// Executes the instruction that `ip` stands for: its `count` inputs are cells in a row from `first` on, where
/// its results go. `call`: the pending call that it is about. Gives where it jumps to.
///
/// # Safety
/// `ip` is an opline of the innermost frame; `first` and `call` are places in it.
pub unsafe fn step(
    run: &mut Run,
    ip: Ip,
    first: *mut Val,
    count: usize,
    call: Option<*mut Frame>,
) -> PhpResult<Option<u32>> {
    // SAFETY: by the caller.
    unsafe {
        // Both of the machine's stacks are used from where they are: no memory is taken for a step.
        let (values, calls) = (run.machine.stack.len(), run.machine.pending.len());
        run.machine.stack.extend((0..count).map(|index| raw::take(first.add(index))));
        if let Some(header) = call {
            run.machine.pending.push(pending_of(header));
        }
        let result = execute(run, ip);
        if result.is_err() {
            run.machine.stack.truncate(values);
        }
        for (index, value) in run.machine.stack.drain(values..).enumerate() {
            raw::put(first.add(index), value);
        }
        if let Some(now) = run.machine.pending.drain(calls..).next()
            && let Some(header) = call
        {
            note_names(header, now);
        }
        match result? {
            Flow::Jump(target) => Ok(Some(target)),
            _ => Ok(None),
        }
    }
}

unsafe fn execute(run: &mut Run, ip: Ip) -> Result<Flow, Throw> {
    // SAFETY: the innermost frame is alive.
    unsafe {
        let frame = view::of(run.frame);
        let pc = run.meta(ip).pc;
        frame.pc.set(pc);
        let code = frame.func.code();
        run.is_stepping = true;
        let flow = run.machine.step(&frame, code, code.code[pc as usize]);
        run.is_stepping = false;
        flow
    }
}

/// A pending call in the plain interpreter's form. The header keeps what it holds.
unsafe fn pending_of(header: *mut Frame) -> Pending {
    // SAFETY: a pending call's header.
    unsafe {
        let nothing = calls::calls_nothing(header);
        let callee = if nothing { None } else { Some(calls::callee_of(header)) };
        let is_constructor = nothing || (*header).flags & FLAG_CONSTRUCTOR != 0;
        let (names, next_name) = match (*header).env.as_mut() {
            Some(env) => (std::mem::take(&mut env.names), env.next_name.take()),
            None => (Vec::new(), None),
        };
        let from_array = (*header).flags & FLAG_FROM_ARRAY != 0;
        // What is live when the instruction throws, this interpreter knows itself.
        let (args_at, passed) = (0, 0);
        Pending { callee, is_constructor, names, next_name, from_array, counts: false, args_at, passed }
    }
}

/// Takes over what the instruction did to the pending call.
unsafe fn note_names(header: *mut Frame, pending: Pending) {
    if pending.from_array {
        // SAFETY: a pending call's header.
        unsafe { (*header).flags |= FLAG_FROM_ARRAY };
    }
    if pending.names.is_empty() && pending.next_name.is_none() {
        return;
    }
    // SAFETY: a pending call's header.
    let env = unsafe { Frame::env(header) };
    env.names = pending.names;
    env.next_name = pending.next_name;
}

/// Executes an instruction that opens a call; its inputs are as for [`step`], results too. The header goes to
/// `header`, which may lie over the inputs.
///
/// # Safety
/// As [`step`].
pub unsafe fn open_call(run: &mut Run, ip: Ip, first: *mut Val, count: usize, header: *mut Frame) -> PhpResult<()> {
    // SAFETY: by the caller.
    unsafe {
        let (values, calls) = (run.machine.stack.len(), run.machine.pending.len());
        run.machine.stack.extend((0..count).map(|index| raw::take(first.add(index))));
        let result = execute(run, ip);
        if result.is_err() {
            run.machine.stack.truncate(values);
        }
        for (index, value) in run.machine.stack.drain(values..).enumerate() {
            raw::put(first.add(index), value);
        }
        let opened = run.machine.pending.drain(calls..).next();
        result?;
        match opened {
            Some(Pending { callee: Some(callee), is_constructor, from_array, .. }) => {
                calls::set_header(header, callee);
                if is_constructor {
                    (*header).flags |= FLAG_CONSTRUCTOR;
                }
                if from_array {
                    (*header).flags |= FLAG_FROM_ARRAY;
                }
            }
            _ => Frame::prepare(header, std::ptr::null()),
        }
        Ok(())
    }
}
