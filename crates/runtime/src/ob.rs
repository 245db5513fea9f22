//! The `ob_*` stack's behaviour: what happens when a buffer is written, flushed or removed.

use crate::error::PhpResult;
use crate::output::OutputBuffer;
use crate::vm::Vm;
use phlox_value::{PhpStr, Val};

/// `PHP_OUTPUT_HANDLER_*`
pub const START: i64 = 1;
pub const CLEAN: i64 = 2;
pub const FLUSH: i64 = 4;
pub const FINAL: i64 = 8;
pub const CLEANABLE: i64 = 16;
pub const FLUSHABLE: i64 = 32;
pub const REMOVABLE: i64 = 64;
pub const STDFLAGS: i64 = 112;
pub const STARTED: i64 = 0x1000;
pub const DISABLED: i64 = 0x2000;
pub const PROCESSED: i64 = 0x4000;

/// Writes into the innermost buffer, or out.
pub fn write(vm: &Vm, bytes: &[u8]) {
    if vm.output.in_callback.get() || bytes.is_empty() {
        return;
    }
    let full = {
        let mut buffers = vm.output.buffers.borrow_mut();
        match buffers.last_mut() {
            Some(buffer) => {
                buffer.data.extend_from_slice(bytes);
                buffer.chunk_size > 0 && buffer.data.len() >= buffer.chunk_size
            }
            None => {
                drop(buffers);
                return write_below(vm, 0, bytes);
            }
        }
    };
    if full {
        let _ = flush(vm);
    }
}

/// Writes into the buffer below `level` buffers, or out.
fn write_below(vm: &Vm, level: usize, bytes: &[u8]) {
    if level == 0 {
        vm.output.write_raw(bytes);
        if vm.output.implicit_flush.get() {
            vm.output.flush_raw();
        }
        return;
    }
    if let Some(buffer) = vm.output.buffers.borrow_mut().get_mut(level - 1) {
        buffer.data.extend_from_slice(bytes);
    }
}

/// Starts a buffer.
pub fn start(vm: &Vm, callback: Val, name: Vec<u8>, chunk_size: usize, flags: i64) {
    let buffer = OutputBuffer { data: Vec::new(), callback, name, chunk_size, flags, started: false };
    vm.output.buffers.borrow_mut().push(buffer);
}

/// Runs the innermost buffer's contents through its callback. `None`: there is no buffer.
fn process(vm: &Vm, mode: i64) -> PhpResult<Option<Vec<u8>>> {
    let (data, callback, mode) = {
        let mut buffers = vm.output.buffers.borrow_mut();
        let Some(buffer) = buffers.last_mut() else { return Ok(None) };
        let mode = if buffer.started { mode } else { mode | START };
        buffer.started = true;
        buffer.flags |= STARTED;
        (std::mem::take(&mut buffer.data), buffer.callback.clone(), mode)
    };
    let disabled = vm.output.buffers.borrow().last().is_some_and(|b| b.flags & DISABLED != 0);
    if callback.is_null() || disabled {
        return Ok(Some(data));
    }
    vm.output.in_callback.set(true);
    let result = vm.call_value(&callback, vec![Val::str(&data), Val::int(mode)]);
    vm.output.in_callback.set(false);
    let result = result?;
    if result.as_bool() == Some(false) {
        if let Some(buffer) = vm.output.buffers.borrow_mut().last_mut() {
            buffer.flags |= DISABLED;
        }
        return Ok(Some(data));
    }
    if let Some(buffer) = vm.output.buffers.borrow_mut().last_mut() {
        buffer.flags |= PROCESSED;
    }
    let text = if result.as_bool() == Some(true) { PhpStr::empty() } else { crate::convert::to_str(vm, &result)? };
    Ok(Some(text.to_vec()))
}

/// Sends the innermost buffer's contents one level down and keeps the buffer.
pub fn flush(vm: &Vm) -> PhpResult<bool> {
    let Some(data) = process(vm, FLUSH)? else { return Ok(false) };
    write_below(vm, vm.output.level().saturating_sub(1), &data);
    Ok(true)
}

/// Throws the innermost buffer's contents away and keeps the buffer.
pub fn clean(vm: &Vm) -> PhpResult<bool> {
    Ok(process(vm, CLEAN)?.is_some())
}

/// Removes the innermost buffer, sending its contents down or throwing them away.
pub fn end(vm: &Vm, send: bool) -> PhpResult<bool> {
    let result = process(vm, if send { FINAL } else { CLEAN | FINAL });
    let level = vm.output.level();
    drop(vm.output.buffers.borrow_mut().pop());
    let Some(data) = result? else { return Ok(false) };
    if send {
        write_below(vm, level.saturating_sub(1), &data);
    }
    Ok(true)
}

/// At the end of a request: flushes all buffers.
pub fn end_all(vm: &Vm) -> PhpResult<()> {
    while vm.output.level() > 0 {
        end(vm, true)?;
    }
    Ok(())
}
