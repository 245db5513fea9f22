//! The `ob_*` stack's behaviour: what happens when a buffer is written, flushed or removed.
//!
//! Output enters at the innermost buffer. A buffer with a chunk size hands its contents on when it is full; a
//! buffer whose callback failed is disabled and lets everything through.

use crate::error::{Level, PhpResult};
use crate::ini::{IniAccess, IniBool, IniQuantity, IniStage, IniString};
pub use crate::output::NativeHandler;
use crate::output::{Callback, OutputBuffer};
use crate::vm::Vm;
use phlox_value::Val;
use std::cell::RefCell;

/// `PHP_OUTPUT_HANDLER_*`
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

/// A script goes on though nobody takes its output any more.
pub static IGNORE_USER_ABORT: IniBool = IniBool::new("ignore_user_abort", "0", IniAccess::All);

/// Output is sent whenever something is written.
pub static IMPLICIT_FLUSH: IniBool = IniBool::new("implicit_flush", "1", IniAccess::All).on_change(|change| {
    if change.stage != IniStage::Startup {
        change.vm.output.implicit_flush.set(change.truth());
    }
    Ok(true)
});

/// The buffer that a request begins with: 0 for none, 1 for one without a limit, else its size.
pub static OUTPUT_BUFFERING: IniQuantity = IniQuantity::new("output_buffering", "0", IniAccess::PerDir);

/// The handler of the buffer that a request begins with.
pub static OUTPUT_HANDLER: IniString = IniString::unset("output_handler", IniAccess::PerDir);

/// The name of a buffer without a callback.
pub const DEFAULT_NAME: &[u8] = b"default output handler";

/// Writes into the innermost buffer, or out.
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

/// Ends the script whose output nobody takes any more, unless it wants to go on.
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

/// Writes into the buffer number `level` (1 is the outermost); 0 writes out.
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

/// Stores bytes; true when the buffer has a chunk size and reached it.
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

/// The bytes that PHP sets aside for this many, as `ob_get_status` shows them.
fn allotment(bytes: usize) -> usize {
    const PAGE: usize = 0x1000;
    if bytes > 1 { bytes.next_multiple_of(PAGE) + PAGE } else { 0x4000 }
}

/// Starts a buffer. Inside a callback this is a fatal error.
pub fn start(vm: &Vm, callback: Val, name: Vec<u8>, chunk_size: usize, flags: i64) -> PhpResult<()> {
    check_not_in_callback(vm)?;
    let (callback, user) = if callback.is_null() { (Callback::None, 0) } else { (Callback::User(callback), USER) };
    push(vm, callback, name, chunk_size, flags & STDFLAGS | user);
    Ok(())
}

/// Starts a buffer whose contents pass through builtin code.
pub fn start_native(vm: &Vm, handler: NativeHandler, name: &str, chunk_size: usize) -> PhpResult<()> {
    check_not_in_callback(vm)?;
    push(vm, Callback::Native(handler), name.as_bytes().to_vec(), chunk_size, STDFLAGS);
    Ok(())
}

/// Handlers that `ob_start` starts when their name is the callback: with what each of them needs first.
#[derive(Default)]
struct Named(RefCell<Vec<(&'static str, NativeHandler, fn(&Vm))>>);

/// Gives a handler a name for `ob_start`.
pub fn name_handler(vm: &Vm, name: &'static str, handler: NativeHandler, prepare: fn(&Vm)) {
    vm.data::<Named>("output handlers").0.borrow_mut().push((name, handler, prepare));
}

/// Starts the handler of a name. False: there is none.
pub fn start_named(vm: &Vm, name: &[u8], chunk_size: usize, flags: i64) -> PhpResult<bool> {
    let handlers = vm.data::<Named>("output handlers");
    let found = handlers.0.borrow().iter().find(|row| name.eq_ignore_ascii_case(row.0.as_bytes())).copied();
    let Some((name, handler, prepare)) = found else { return Ok(false) };
    check_not_in_callback(vm)?;
    prepare(vm);
    push(vm, Callback::Native(handler), name.as_bytes().to_vec(), chunk_size, flags & STDFLAGS);
    Ok(true)
}

/// Is there a buffer of this name?
pub fn is_started(vm: &Vm, name: &[u8]) -> bool {
    vm.output.buffers.borrow().iter().any(|buffer| buffer.name == name)
}

/// The buffer whose handler runs can no longer be cleaned or removed.
pub fn make_permanent(vm: &Vm) {
    if let Some(buffer) = vm.output.buffers.borrow_mut().last_mut() {
        buffer.flags &= !(CLEANABLE | REMOVABLE);
    }
}

/// What the settings `output_handler` and `output_buffering` start with the request.
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

/// What needs a buffer of its own is a fatal error inside a callback.
pub fn check_not_in_callback(vm: &Vm) -> PhpResult<()> {
    if !vm.output.in_callback.get() {
        return Ok(());
    }
    // The script ends here, and so do destructors: a callback may hold the last count of an object that prints.
    phlox_value::set_shutdown(true);
    vm.output.discard();
    let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
    let text = [&name[..], b"(): Cannot use output buffering in output buffering display handlers"].concat();
    vm.raise(Level::Error, &text)
}

/// Runs a buffer's contents through its callback and takes the result out.
fn process(vm: &Vm, level: usize, mode: i64) -> PhpResult<Vec<u8>> {
    let (data, callback, mode) = {
        let mut buffers = vm.output.buffers.borrow_mut();
        let Some(buffer) = buffers.get_mut(level - 1) else { return Ok(Vec::new()) };
        let mode = if buffer.flags & STARTED != 0 { mode } else { mode | START };
        if matches!(buffer.callback, Callback::None) {
            buffer.flags |= STARTED | PROCESSED;
            let data = std::mem::take(&mut buffer.data);
            // Without a callback, cleaning is the only thing that changes the contents.
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
        // What the callback printed is dropped.
        discarded = std::mem::take(&mut buffer.data);
        buffer.flags |= STARTED;
        let failed = result.as_ref().is_ok_and(|value| value.as_bool() == Some(false)) || result.is_err();
        buffer.flags |= if failed { DISABLED } else { PROCESSED };
    }
    drop(buffers);
    drop(discarded);
    let result = match result {
        Ok(result) => result,
        // The contents pass on as they are; the throwable goes on at the next safe point.
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

/// The innermost buffer's flags, name and level (from 0).
pub fn active(vm: &Vm) -> Option<(i64, Vec<u8>, usize)> {
    let buffers = vm.output.buffers.borrow();
    buffers.last().map(|buffer| (buffer.flags, buffer.name.clone(), buffers.len() - 1))
}

/// Sends the innermost buffer's contents one level down and keeps the buffer.
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

/// Throws the innermost buffer's contents away and keeps the buffer.
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

/// Removes the innermost buffer, sending its contents down or throwing them away. `force`: even one that is
/// not removable.
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

/// At the end of a request: flushes all buffers.
pub fn end_all(vm: &Vm) -> PhpResult<()> {
    while vm.output.level() > 0 {
        end(vm, true, true)?;
    }
    Ok(())
}
