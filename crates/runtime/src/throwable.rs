//! The state of Exception and Error objects, whose declared properties the engine reads and writes directly.

use crate::class::ObjExt;
use crate::lookup::KnownClass;
use crate::pending_trace::{self, PendingTrace};
use crate::vm::Vm;
use phlox_value::{PENDING_SLOT, PhpArr, PhpObj, PhpStr, Val, View};

/// The slots of `Exception` and `Error`, in the order of their (identical) declarations.
const MESSAGE: usize = 0;
const CODE: usize = 2;
const FILE: usize = 3;
const LINE: usize = 4;
const TRACE: usize = PENDING_SLOT;
const PREVIOUS: usize = 6;

/// Stores the position and the trace of a new throwable. The trace becomes an array when it is first read.
pub fn initialize(vm: &Vm, object: &PhpObj) {
    let slots = object.slots_in_place();
    if slots.len() <= PREVIOUS {
        return;
    }
    let made = pending_trace::capture(vm);
    let position = made.position;
    match made.is_due || object.has_native() {
        true => slots[TRACE].set(made.trace.take().into()),
        false => object.set_pending(made.trace),
    }
    let (file, line) = position.unwrap_or_else(|| (PhpStr::empty(), 0));
    let file = if file.is_empty() { PhpStr::intern(b"[no active file]") } else { file };
    slots[FILE].set(file.into());
    slots[LINE].set(Val::int(line as i64));
}

/// Replaces a pending trace by the array that it stands for.
pub(crate) fn complete(object: &PhpObj) {
    if let Some(trace) = object.native::<PendingTrace>() {
        object.slots_in_place()[TRACE].set(trace.take().into());
    }
}

/// Sets the message and, if it is not 0, the code.
pub fn set_message(object: &PhpObj, message: &[u8], code: i64) {
    object.slots_in_place()[MESSAGE].set(Val::str(message));
    if code != 0 {
        object.slots_in_place()[CODE].set(Val::int(code));
    }
}

/// Sets the file and line.
pub fn set_position(object: &PhpObj, file: &PhpStr, line: u32) {
    object.slots_in_place()[FILE].set(file.into());
    object.slots_in_place()[LINE].set(Val::int(line as i64));
}

/// The previous throwable.
pub fn previous(object: &PhpObj) -> Option<PhpObj> {
    object.slots_in_place().get(PREVIOUS)?.get_deref().into_obj()
}

/// Sets the previous throwable.
pub fn set_previous(object: &PhpObj, previous: PhpObj) {
    if let Some(slot) = object.slots_in_place().get(PREVIOUS) {
        slot.set(previous.into());
    }
}

/// The message; empty if the property is no string.
pub fn message(object: &PhpObj) -> PhpStr {
    object.slots_in_place()[MESSAGE].get_deref().into_str().unwrap_or_else(PhpStr::empty)
}

/// The file and line.
pub fn position(object: &PhpObj) -> (PhpStr, u32) {
    let file = object.slots_in_place()[FILE].get_deref().into_str().unwrap_or_else(PhpStr::empty);
    let line = object.slots_in_place()[LINE].get_deref().as_int().unwrap_or(0);
    (file, line as u32)
}

/// The trace as an array; a pending trace is built now.
pub fn trace(object: &PhpObj) -> PhpArr {
    object.slots()[TRACE].get_deref().into_arr().unwrap_or_default()
}

/// The result of `getTraceAsString()`.
pub fn trace_string(vm: &Vm, object: &PhpObj) -> Vec<u8> {
    crate::trace::format(vm, &trace(object), true)
}

/// The result of `__toString()` of Exception and Error: the chain of throwables, the innermost previous one first.
pub fn to_string(vm: &Vm, object: &PhpObj) -> PhpStr {
    let mut text = Vec::new();
    let mut cursor = Some(object.clone());
    let mut seen = Vec::new();
    while let Some(current) = cursor {
        if seen.contains(&current.address()) {
            break;
        }
        seen.push(current.address());
        let message = current.slots_in_place()[MESSAGE].get_deref();
        let message = crate::convert::to_str(vm, &message).unwrap_or_else(|_| PhpStr::empty());
        let (file, line) = position(&current);
        let mut message = message.to_vec();
        // The message of such an error names the position of the call, and the text added here that of the function.
        let names_caller = message.windows(12).any(|part| part == b", called in ");
        if names_caller && matches!(current.class_name().as_bytes(), b"TypeError" | b"ArgumentCountError") {
            message.extend_from_slice(b" and defined");
        }
        let mut one = current.class_name().to_vec();
        if !message.is_empty() {
            one.extend_from_slice(&[b": ", &message[..]].concat());
        }
        one.extend_from_slice(&[b" in ", &file[..], b":", line.to_string().as_bytes(), b"\nStack trace:\n"].concat());
        one.extend_from_slice(&trace_string(vm, &current));
        if !text.is_empty() {
            one.extend_from_slice(b"\n\nNext ");
            one.extend_from_slice(&text);
        }
        text = one;
        cursor = previous(&current);
    }
    PhpStr::new(&text)
}

/// Whether the value is an object that can be thrown.
pub fn is_throwable(vm: &Vm, value: &Val) -> bool {
    let View::Obj(object) = value.view() else { return false };
    // Only throwables have a pending trace.
    object.native::<PendingTrace>().is_some()
        || vm.known_class(KnownClass::Throwable).is_ok_and(|throwable| object.is_a(throwable))
}
