//! The behaviour of the `ob_*` stack: what happens when a buffer is written, flushed or removed.
//!
//! Output is written to the innermost buffer. A buffer with a chunk size passes its contents on when it is full; a buffer whose
//! callback failed is disabled and passes everything on.

use crate::error::{Level, PhpResult};
use crate::ini::{IniAccess, IniBool, IniQuantity, IniStage, IniString};
pub use crate::output::NativeHandler;
use crate::output::{Callback, OutputBuffer};
use crate::vm::Vm;
use phlox_value::Val;
use std::cell::RefCell;

/// Flags of output buffers: `PHP_OUTPUT_HANDLER_*`.
pub const WRITE: i64 = 0;
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
/// The buffer has a callback (the handler's type in `ob_get_status`).
pub const USER: i64 = 1;

/// Whether a script continues when the client is gone.
pub static IGNORE_USER_ABORT: IniBool = IniBool::new("ignore_user_abort", "0", IniAccess::All);

/// Whether output is sent at every write.
pub static IMPLICIT_FLUSH: IniBool = IniBool::new("implicit_flush", "1", IniAccess::All).on_change(|change| {
    if change.stage != IniStage::Startup {
        change.vm.output.implicit_flush.set(change.truth());
    }
    Ok(true)
});

/// The output buffer that a request starts with: 0 for none, 1 for one without a limit, else its size.
pub static OUTPUT_BUFFERING: IniQuantity = IniQuantity::new("output_buffering", "0", IniAccess::PerDir);

/// The handler of the output buffer that a request starts with.
pub static OUTPUT_HANDLER: IniString = IniString::unset("output_handler", IniAccess::PerDir);

/// The name of a buffer without a callback.
pub const DEFAULT_NAME: &[u8] = b"default output handler";

/// Writes to the innermost buffer, or to the output if there is none.
pub fn write(vm: &Vm, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let level = vm.output.level();
    if level == 0 {
        return write_out(vm, bytes);
    }
    if let Err(throw) = write_at(vm, level, bytes) {
        vm.set_pending(throw);
    }
}

fn write_out(vm: &Vm, bytes: &[u8]) {
    if let Some(hook) = vm.output.before_first.take() {
        hook(vm);
    }
    if !vm.output.sent.get() {
        *vm.output.sent_at.borrow_mut() = Some(vm.position());
    }
    vm.output.write_raw(bytes);
    if vm.output.implicit_flush.get() {
        vm.output.flush_raw();
    }
    notice_lost(vm);
}

/// Ends the script if the client is gone, unless the script ignores that.
pub fn notice_lost(vm: &Vm) {
    const FAILED: i32 = 255;
    if !vm.output.lost.get() || vm.output.aborted.replace(true) {
        return;
    }
    vm.exit_status.set(FAILED);
    if !vm.ini.get(&IGNORE_USER_ABORT) && !vm.output.ending.get() {
        vm.set_pending(crate::error::Throw::Exit);
    }
}

/// Writes to the buffer with number `level` (1 is the outermost); 0 is the output itself.
fn write_at(vm: &Vm, level: usize, bytes: &[u8]) -> PhpResult<()> {
    let mut level = level;
    let mut data = std::borrow::Cow::Borrowed(bytes);
    while level > 0 {
        if !is_disabled(vm, level) {
            let full = append(vm, level, &data);
            if !full || vm.output.in_callback.get() {
                return Ok(());
            }
            data = process(vm, level, WRITE)?.into();
            if data.is_empty() {
                return Ok(());
            }
        }
        level -= 1;
    }
    write_out(vm, &data);
    Ok(())
}

fn is_disabled(vm: &Vm, level: usize) -> bool {
    vm.output.buffers.borrow().get(level - 1).is_none_or(|buffer| buffer.flags & DISABLED != 0)
}

/// Stores bytes in a buffer; true if the buffer has a chunk size and reached it.
fn append(vm: &Vm, level: usize, bytes: &[u8]) -> bool {
    let mut buffers = vm.output.buffers.borrow_mut();
    let Some(buffer) = buffers.get_mut(level - 1) else { return false };
    let room = buffer.size - buffer.data.len();
    if room <= bytes.len() {
        let more = allotment(buffer.chunk_size).max(allotment(bytes.len() - room));
        buffer.grow(more);
    }
    buffer.data.extend_from_slice(bytes);
    buffer.chunk_size > 0 && buffer.data.len() >= buffer.chunk_size
}

/// The number of bytes that PHP allocates for a buffer of this many bytes, which `ob_get_status` shows.
fn allotment(bytes: usize) -> usize {
    const PAGE: usize = 0x1000;
    if bytes > 1 { bytes.next_multiple_of(PAGE) + PAGE } else { 0x4000 }
}

/// Starts a buffer. A fatal error inside a callback.
pub fn start(vm: &Vm, callback: Val, name: Vec<u8>, chunk_size: usize, flags: i64) -> PhpResult<()> {
    check_not_in_callback(vm)?;
    let (callback, user) = if callback.is_null() { (Callback::None, 0) } else { (Callback::User(callback), USER) };
    push(vm, callback, name, chunk_size, flags & STDFLAGS | user);
    Ok(())
}

/// Starts a buffer whose contents are passed through builtin code.
pub fn start_native(vm: &Vm, handler: NativeHandler, name: &str, chunk_size: usize) -> PhpResult<()> {
    check_not_in_callback(vm)?;
    push(vm, Callback::Native(handler), name.as_bytes().to_vec(), chunk_size, STDFLAGS);
    Ok(())
}

/// Builtin handlers that `ob_start` accepts by name, each with a function that prepares it.
#[derive(Default)]
struct Named(RefCell<Vec<(&'static str, NativeHandler, fn(&Vm))>>);

/// Registers a handler under a name for `ob_start`.
pub fn name_handler(vm: &Vm, name: &'static str, handler: NativeHandler, prepare: fn(&Vm)) {
    vm.data::<Named>("output handlers").0.borrow_mut().push((name, handler, prepare));
}

/// Starts a buffer with the handler of this name. False if there is none.
pub fn start_named(vm: &Vm, name: &[u8], chunk_size: usize, flags: i64) -> PhpResult<bool> {
    let handlers = vm.data::<Named>("output handlers");
    let found = handlers.0.borrow().iter().find(|row| name.eq_ignore_ascii_case(row.0.as_bytes())).copied();
    let Some((name, handler, prepare)) = found else { return Ok(false) };
    check_not_in_callback(vm)?;
    prepare(vm);
    push(vm, Callback::Native(handler), name.as_bytes().to_vec(), chunk_size, flags & STDFLAGS);
    Ok(true)
}

/// Whether there is a buffer with this name.
pub fn is_started(vm: &Vm, name: &[u8]) -> bool {
    vm.output.buffers.borrow().iter().any(|buffer| buffer.name == name)
}

/// Makes the innermost buffer, whose handler runs, impossible to clean or remove.
pub fn make_permanent(vm: &Vm) {
    if let Some(buffer) = vm.output.buffers.borrow_mut().last_mut() {
        buffer.flags &= !(CLEANABLE | REMOVABLE);
    }
}

/// Starts the buffers of the settings `output_handler` and `output_buffering` at the start of a request.
pub fn start_configured(vm: &Vm) -> PhpResult<()> {
    let handler = vm.ini.get(&OUTPUT_HANDLER);
    if !handler.is_empty() {
        if !start_named(vm, &handler, 0, STDFLAGS)? {
            if let Err(reason) = vm.resolve_callable(&(&handler).into())? {
                return vm.warning(format!("PHP Request Startup: {reason}").as_bytes());
            }
            start(vm, (&handler).into(), handler.to_vec(), 0, STDFLAGS)?;
        }
        return Ok(());
    }
    match usize::try_from(vm.ini.get(&OUTPUT_BUFFERING)) {
        Ok(0) | Err(_) => Ok(()),
        Ok(size) => start(vm, Val::NULL, DEFAULT_NAME.to_vec(), if size > 1 { size } else { 0 }, STDFLAGS),
    }
}

fn push(vm: &Vm, callback: Callback, name: Vec<u8>, chunk_size: usize, flags: i64) {
    let mut buffer = OutputBuffer { data: Vec::new(), callback, name, chunk_size, flags, size: 0 };
    buffer.grow(allotment(chunk_size));
    vm.output.buffers.borrow_mut().push(buffer);
}

/// Raises the fatal error of code that needs an output buffer while a callback runs.
pub fn check_not_in_callback(vm: &Vm) -> PhpResult<()> {
    if !vm.output.in_callback.get() {
        return Ok(());
    }
    // The script ends here without destructors: a callback may hold the last reference to an object that prints in its
    // destructor.
    phlox_value::set_shutdown(true);
    vm.output.discard();
    let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
    let text = [&name[..], b"(): Cannot use output buffering in output buffering display handlers"].concat();
    vm.raise(Level::Error, &text)
}

/// Passes a buffer's contents through its callback and returns the result.
fn process(vm: &Vm, level: usize, mode: i64) -> PhpResult<Vec<u8>> {
    let (data, callback, mode) = {
        let mut buffers = vm.output.buffers.borrow_mut();
        let Some(buffer) = buffers.get_mut(level - 1) else { return Ok(Vec::new()) };
        let mode = if buffer.flags & STARTED != 0 { mode } else { mode | START };
        if matches!(buffer.callback, Callback::None) {
            buffer.flags |= STARTED | PROCESSED;
            let data = std::mem::take(&mut buffer.data);
            // Without a callback, only cleaning changes the contents.
            return Ok(if mode & CLEAN != 0 { Vec::new() } else { data });
        }
        (std::mem::take(&mut buffer.data), buffer.callback.clone(), mode)
    };
    vm.output.in_callback.set(true);
    let result = match callback {
        Callback::None => Ok(Val::str(&data)),
        Callback::User(callback) => vm.call_value(&callback, vec![Val::str(&data), Val::int(mode)]),
        Callback::Native(handler) => handler(vm, data.clone(), mode).map(|out| out.map_or(Val::FALSE, Val::from)),
    };
    vm.output.in_callback.set(false);
    let mut buffers = vm.output.buffers.borrow_mut();
    let mut discarded = Vec::new();
    if let Some(buffer) = buffers.get_mut(level - 1) {
        // Output of the callback itself is dropped.
        discarded = std::mem::take(&mut buffer.data);
        buffer.flags |= STARTED;
        let failed = result.as_ref().is_ok_and(|value| value.as_bool() == Some(false)) || result.is_err();
        buffer.flags |= if failed { DISABLED } else { PROCESSED };
    }
    drop(buffers);
    drop(discarded);
    let result = match result {
        Ok(result) => result,
        // The contents are passed on unchanged; the throwable is thrown at the next safe point.
        Err(throw @ crate::error::Throw::Exception(_)) => {
            vm.set_pending(throw);
            return Ok(data);
        }
        Err(throw) => return Err(throw),
    };
    match result.as_bool() {
        Some(false) => Ok(data),
        Some(true) => Ok(Vec::new()),
        None => Ok(crate::convert::to_str(vm, &result)?.to_vec()),
    }
}

/// The flags, name and level (from 0) of the innermost buffer.
pub fn active(vm: &Vm) -> Option<(i64, Vec<u8>, usize)> {
    let buffers = vm.output.buffers.borrow();
    buffers.last().map(|buffer| (buffer.flags, buffer.name.clone(), buffers.len() - 1))
}

/// Passes the contents of the innermost buffer one level down and keeps the buffer. False if that is not possible.
pub fn flush(vm: &Vm) -> PhpResult<bool> {
    let Some((flags, ..)) = active(vm) else { return Ok(false) };
    if flags & FLUSHABLE == 0 {
        return Ok(false);
    }
    check_not_in_callback(vm)?;
    let level = vm.output.level();
    let data = if flags & DISABLED != 0 { Vec::new() } else { process(vm, level, FLUSH)? };
    if !data.is_empty() {
        write_at(vm, level - 1, &data)?;
    }
    Ok(true)
}

/// Drops the contents of the innermost buffer and keeps the buffer. False if that is not possible.
pub fn clean(vm: &Vm) -> PhpResult<bool> {
    let Some((flags, ..)) = active(vm) else { return Ok(false) };
    if flags & CLEANABLE == 0 {
        return Ok(false);
    }
    check_not_in_callback(vm)?;
    if flags & DISABLED == 0 {
        process(vm, vm.output.level(), CLEAN)?;
    }
    Ok(true)
}

/// Removes the innermost buffer, and passes its contents down (`send`) or drops them. With `force`, even a buffer that is not
/// removable. False if that is not possible.
pub fn end(vm: &Vm, send: bool, force: bool) -> PhpResult<bool> {
    let Some((flags, ..)) = active(vm) else { return Ok(false) };
    if !force && flags & REMOVABLE == 0 {
        return Ok(false);
    }
    check_not_in_callback(vm)?;
    let level = vm.output.level();
    let mode = if send { FINAL } else { CLEAN | FINAL };
    let result = if flags & DISABLED != 0 { Ok(Vec::new()) } else { process(vm, level, mode) };
    let removed = vm.output.buffers.borrow_mut().pop();
    drop(removed);
    let data = result?;
    if send && !data.is_empty() {
        write_at(vm, level - 1, &data)?;
    }
    Ok(true)
}

/// Removes all buffers at the end of a request, passing their contents on.
pub fn end_all(vm: &Vm) -> PhpResult<()> {
    while vm.output.level() > 0 {
        end(vm, true, true)?;
    }
    Ok(())
}
