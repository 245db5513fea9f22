//! Rare instructions: the reference interpreter's machine executes them with values from the frame.

use crate::calls;
use crate::context::{Ip, Run};
use crate::frame::{FLAG_CONSTRUCTOR, FLAG_FROM_ARRAY, Frame};
use crate::view;
use phlox_oracle::machine::{Flow, Pending};
use phlox_runtime::{PhpResult, Throw, Val};
use phlox_value::raw;

/// Executes the instruction of the opline `ip`: its `count` inputs are cells in a row from `first` on, where its results go, too.
/// `call`: the pending call that the instruction is about. Gives the HHBC position that it jumps to.
///
/// # Safety
/// `ip` is an opline of the innermost frame; `first` and `call` are places in that frame, and the inputs are full.
pub unsafe fn step(
    run: &mut Run,
    ip: Ip,
    first: *mut Val,
    count: usize,
    call: Option<*mut Frame>,
) -> PhpResult<Option<u32>> {
    // SAFETY: the caller says that the inputs are full temporaries of the innermost frame.
    unsafe {
        // The machine's stacks may be in use: the step works on top of them, and allocates nothing.
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

/// Executes one instruction on the machine's stack.
unsafe fn execute(run: &mut Run, ip: Ip) -> Result<Flow, Throw> {
    // SAFETY: the innermost frame is alive, and `ip` is one of its oplines.
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

/// A pending call in the reference interpreter's form. The header keeps what it holds, except for names of arguments.
unsafe fn pending_of(header: *mut Frame) -> Pending {
    // SAFETY: `step` passes the header of a pending call.
    unsafe {
        let nothing = calls::calls_nothing(header);
        let callee = if nothing { None } else { Some(calls::callee_of(header)) };
        let is_constructor = nothing || (*header).flags & FLAG_CONSTRUCTOR != 0;
        let (names, next_name) = match (*header).env.as_mut() {
            Some(env) => (std::mem::take(&mut env.names), env.next_name.take()),
            None => (Vec::new(), None),
        };
        let from_array = (*header).flags & FLAG_FROM_ARRAY != 0;
        // Which values are live when the instruction throws is known to this interpreter from its own tables.
        let (args_at, passed) = (0, 0);
        Pending { callee, is_constructor, names, next_name, from_array, counts: false, args_at, passed }
    }
}

/// Takes over what the instruction has changed of the pending call.
unsafe fn note_names(header: *mut Frame, pending: Pending) {
    if pending.from_array {
        // SAFETY: `step` passes the header of a pending call.
        unsafe { (*header).flags |= FLAG_FROM_ARRAY };
    }
    if pending.names.is_empty() && pending.next_name.is_none() {
        return;
    }
    // SAFETY: `step` passes the header of a pending call.
    let env = unsafe { Frame::env(header) };
    env.names = pending.names;
    env.next_name = pending.next_name;
}

/// Executes an instruction that opens a call; inputs and results are those of [`step`]. The header of the call goes to `header`,
/// which may overlap the inputs.
///
/// # Safety
/// `ip` is an opline of the innermost frame; `first` is a place in it with full inputs, and there is room for a header at `header`.
pub unsafe fn open_call(run: &mut Run, ip: Ip, first: *mut Val, count: usize, header: *mut Frame) -> PhpResult<()> {
    // SAFETY: the caller says that the inputs are full temporaries of the innermost frame.
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
