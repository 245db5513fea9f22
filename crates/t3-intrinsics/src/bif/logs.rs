//! Log files: transcripts, records of input, and consoles that write to files.

use std::fs::File;

use phlox_t3_library::charset::CharacterSet;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::logs::{LogConsole, Record};
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

/// setLogFile: everything that is displayed and typed. The kind between this and the next is that of typed lines.
const TRANSCRIPT: i32 = 1;
/// All events of input.
const EVENTS: i32 = 3;

/// The handle of the transcript for logConsoleSay.
const MAIN_LOG: i32 = -1;

/// `setLogFile(file or nil, kind?)`.
pub(crate) fn set_log_file(vm: &mut Vm, args: Args) -> Run<Value> {
    let kind = match args.count {
        1 => TRANSCRIPT,
        _ => vm.number_of(args.get(vm, 1))?,
    };
    if !(TRANSCRIPT..=EVENTS).contains(&kind) {
        return fail(error::BAD_VAL_BIF);
    }
    let file = match args.given(vm, 0) {
        None => None,
        Some(name) => {
            let path = vm.file_path(name, true)?;
            match File::create(path) {
                Ok(file) => Some(file),
                Err(_) => return Ok(Value::Nil),
            }
        }
    };
    let logs = &mut vm.state.logs;
    if kind == TRANSCRIPT {
        logs.transcript.iter_mut().for_each(LogConsole::flush);
        logs.transcript = file.map(LogConsole::transcript);
    } else {
        logs.record = file.map(|file| Record::new(file, kind == EVENTS));
    }
    Ok(Value::True)
}

/// `logConsoleCreate(file, charset, width)`.
pub(crate) fn console_create(vm: &mut Vm, args: Args) -> Run<Value> {
    let width = vm.number_of(args.get(vm, 2))?;
    let set = match args.get(vm, 1) {
        Value::Nil => CharacterSet::new("utf-8"),
        Value::Obj(id) if matches!(vm.heap.get(id), Obj::CharSet(_)) => match vm.heap.get(id) {
            Obj::CharSet(set) => (**set).clone(),
            _ => return fail(error::BAD_TYPE_BIF),
        },
        name => CharacterSet::new(&vm.text_arg(name)?),
    };
    let set = if set.is_known() { set } else { CharacterSet::new("us-ascii") };
    if vm.name_arg(args.get(vm, 0)).is_err() {
        return fail(error::BAD_VAL_BIF);
    }
    let path = vm.file_path(args.get(vm, 0), true)?;
    let Ok(file) = File::create(path) else {
        return vm.throw_class("File.FileCreationException", error::CREATE_FILE, &[]);
    };
    let console = LogConsole::new(file, set, width.max(1) as usize);
    Ok(Value::Int(vm.state.logs.open(console)))
}

/// `logConsoleClose(handle)`.
pub(crate) fn console_close(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = vm.want_int(args.get(vm, 0))?;
    if vm.state.logs.close(handle) { Ok(Value::Nil) } else { fail(error::BAD_VAL_BIF) }
}

/// `logConsoleSay(handle, value, ...)`.
pub(crate) fn console_say(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = vm.want_int(args.get(vm, 0))?;
    if handle != MAIN_LOG && vm.state.logs.console(handle).is_none() {
        return fail(error::BAD_VAL_BIF);
    }
    for n in 1..args.count {
        let text = vm.shown_text(args.get(vm, n))?;
        let logs = &mut vm.state.logs;
        let console = if handle == MAIN_LOG { logs.transcript.as_mut() } else { logs.console(handle) };
        if let Some(console) = console {
            console.write(&text);
        }
    }
    Ok(Value::Nil)
}

/// Tags of the kinds of events that have numbers.
const TAGS: [(i32, &str); 7] =
    [(1, "key"), (2, "timeout"), (3, "href"), (4, "notimeout"), (5, "eof"), (6, "line"), (0x100, "command")];

/// `logInputEvent([kind or tag, parameter?])`.
pub(crate) fn input_event(vm: &mut Vm, args: Args) -> Run<Value> {
    let Some(items) = vm.list_like(args.get(vm, 0))? else { return fail(error::BAD_TYPE_BIF) };
    let Some(kind) = items.first().copied() else { return fail(error::BAD_VAL_BIF) };
    let parameter = match items.get(1) {
        None => None,
        Some(value) => match vm.name_of(*value) {
            Ok(text) => Some(text),
            Err(_) => return fail(error::BAD_VAL_BIF),
        },
    };
    let tag = if let Some(text) = vm.heap.text(kind) {
        text.to_string()
    } else if vm.as_big(kind).is_some() {
        let number = vm.number_of(kind)?;
        TAGS.iter().find(|row| row.0 == number).map_or(String::new(), |row| row.1.to_owned())
    } else {
        return fail(error::BAD_VAL_BIF);
    };
    vm.log_event(&tag, parameter.as_deref());
    Ok(Value::Nil)
}
