//! tads-io: output, input, dialogs. Banners do not exist in a stream of text, and their functions return nil.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::functions;
use phlox_t3_vm::io::Event;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::state::Stream;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Builtin, Vm};

use super::logs;

pub(crate) static FUNCTIONS: &[Builtin] = functions! {
    tadsSay 1 any => say,
    setLogFile 1 2 => logs::set_log_file,
    clearScreen 0 0 => clear_screen,
    morePrompt 0 0 => more_prompt,
    inputLine 0 0 => input_line,
    inputKey 0 0 => input_key,
    inputEvent 0 1 => input_event,
    inputDialog 5 5 => input_dialog,
    inputFile 4 4 => input_file,
    timeDelay 1 1 => time_delay,
    systemInfo 1 any => system_info,
    statusMode 1 1 => status_mode,
    statusRight 1 1 => status_right,
    resExists 1 1 => resource_exists,
    setScriptFile 1 2 => set_script_file,
    getLocalCharSet 1 1 => local_char_set,
    flushOutput 0 0 => flush_output,
    inputLineTimeout 0 1 => input_line_timeout,
    inputLineCancel 1 1 => input_line_cancel,
    bannerCreate 8 8 => banner_create,
    bannerDelete 1 1 => banner_delete,
    bannerClear 1 1 => no_banner,
    bannerSay 1 any => no_banner,
    bannerFlush 1 1 => no_banner,
    bannerSizeToContents 1 1 => no_banner,
    bannerGoTo 3 3 => no_banner,
    bannerSetTextColor 3 3 => no_banner,
    bannerSetScreenColor 2 2 => no_banner,
    bannerGetInfo 1 1 => no_banner,
    bannerSetSize 4 4 => no_banner,
    logConsoleCreate 3 3 => logs::console_create,
    logConsoleClose 1 1 => logs::console_close,
    logConsoleSay 1 any => logs::console_say,
    logInputEvent 1 1 => logs::input_event,
};

/// What an event list begins with: a key.
const KEY: i32 = 1;
/// The time is up.
const TIMEOUT: i32 = 2;
/// Time limits are not supported.
const NO_TIMEOUT: i32 = 4;
/// Input has ended.
const END: i32 = 5;
/// A line.
const LINE: i32 = 6;

fn say(vm: &mut Vm, args: Args) -> Run<Value> {
    for n in 0..args.count {
        let value = args.get(vm, n);
        let text = vm.shown_text(value)?;
        vm.display(&text);
    }
    Ok(Value::Nil)
}

/// Without a screen there is no banner; the arguments are looked at nevertheless.
fn banner_create(vm: &mut Vm, args: Args) -> Run<Value> {
    for n in [1, 3, 4] {
        vm.want_int(args.get(vm, n))?;
    }
    Ok(Value::Nil)
}

fn banner_delete(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.want_int(args.get(vm, 0))?;
    Ok(vm.r0)
}

/// No handle names a banner.
fn no_banner(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.want_int(args.get(vm, 0))?;
    fail(error::BAD_VAL_BIF)
}

fn clear_screen(vm: &mut Vm, _: Args) -> Run<Value> {
    vm.finish_output();
    vm.io.clear();
    vm.state.console.after_input();
    Ok(Value::Nil)
}

fn more_prompt(vm: &mut Vm, _: Args) -> Run<Value> {
    vm.finish_output();
    if vm.io.has_keys() {
        vm.io.more();
    } else {
        vm.io.write("[More] ");
        vm.read_key(None)?;
    }
    vm.state.console.after_input();
    Ok(Value::Nil)
}

/// A line, or nothing at the end of input; either is recorded.
fn recorded_line(vm: &mut Vm) -> Option<String> {
    match vm.read_line(None) {
        Event::Text(line) | Event::Key(line) => {
            vm.log_event("line", Some(&line));
            Some(line)
        }
        Event::Timeout | Event::End => {
            vm.log_event("eof", None);
            None
        }
    }
}

fn input_line(vm: &mut Vm, _: Args) -> Run<Value> {
    match recorded_line(vm) {
        Some(line) => Ok(vm.heap.new_text(line)),
        None => {
            vm.at_end_of_input()?;
            Ok(Value::Nil)
        }
    }
}

fn input_key(vm: &mut Vm, _: Args) -> Run<Value> {
    let key = match vm.read_key(None)? {
        Event::Text(key) | Event::Key(key) => key,
        // The reference gives a blank when there is nothing more.
        Event::Timeout | Event::End => " ".to_owned(),
    };
    vm.log_event("key", Some(&key));
    Ok(vm.heap.new_text(key))
}

fn event(vm: &mut Vm, kind: i32, text: Option<String>) -> Value {
    let tag = match kind {
        KEY => "key",
        TIMEOUT => "timeout",
        NO_TIMEOUT => "notimeout",
        END => "eof",
        _ => "line",
    };
    vm.log_event(tag, text.as_deref());
    let mut items = vec![Value::Int(kind)];
    if let Some(text) = text {
        items.push(vm.heap.new_text(text));
    }
    vm.heap.new_list(items)
}

fn input_event(vm: &mut Vm, args: Args) -> Run<Value> {
    let timeout = match args.given(vm, 0) {
        Some(value) => Some(vm.want_int(value)?.max(0) as u32),
        None => None,
    };
    Ok(match vm.read_key(timeout)? {
        Event::Text(key) | Event::Key(key) => event(vm, KEY, Some(key)),
        Event::Timeout => event(vm, TIMEOUT, None),
        Event::End if timeout.is_some() => event(vm, TIMEOUT, None),
        Event::End => event(vm, KEY, Some(" ".to_owned())),
    })
}

fn input_line_timeout(vm: &mut Vm, args: Args) -> Run<Value> {
    let timeout = match args.given(vm, 0) {
        Some(_) if !vm.io.has_time_limits() => {
            vm.state.line_begun = true;
            return Ok(event(vm, NO_TIMEOUT, None));
        }
        Some(value) => Some(vm.want_int(value)?.max(0) as u32),
        None => None,
    };
    Ok(match vm.read_line(timeout) {
        Event::Text(line) | Event::Key(line) => event(vm, LINE, Some(line)),
        Event::Timeout => {
            vm.state.line_begun = true;
            let typed = vm.io.unfinished_line();
            event(vm, TIMEOUT, Some(typed))
        }
        Event::End => {
            vm.at_end_of_input()?;
            event(vm, END, None)
        }
    })
}

fn input_line_cancel(vm: &mut Vm, args: Args) -> Run<Value> {
    let forget = !args.get(vm, 0).is_false();
    if std::mem::take(&mut vm.state.line_begun) {
        vm.state.console.leave_line();
        vm.pass_on();
    }
    vm.io.cancel_line(forget);
    Ok(Value::Nil)
}

/// Labels of the standard buttons.
const LABELS: [&str; 4] = ["&OK", "&Cancel", "&Yes", "&No"];

/// The buttons of a dialog: a standard set, or a list of labels and numbers of standard ones.
fn buttons(vm: &Vm, value: Value) -> Run<Vec<String>> {
    let standard = |numbers: &[usize]| numbers.iter().map(|n| LABELS[*n].to_owned()).collect();
    if let Value::Int(set) = value {
        return match set {
            1 => Ok(standard(&[0])),
            2 => Ok(standard(&[0, 1])),
            3 => Ok(standard(&[2, 3])),
            4 => Ok(standard(&[2, 3, 1])),
            _ => fail(error::BAD_VAL_BIF),
        };
    }
    let Some(items) = vm.heap.list(value) else { return fail(error::BAD_TYPE_BIF) };
    items
        .iter()
        .map(|item| match item {
            Value::Int(number @ 1..=4) => Ok(LABELS[*number as usize - 1].to_owned()),
            item => vm.want_text(*item).map(|text| text.to_string()),
        })
        .collect()
}

fn input_dialog(vm: &mut Vm, args: Args) -> Run<Value> {
    let prompt = vm.want_text(args.get(vm, 1))?;
    let buttons = buttons(vm, args.get(vm, 2))?;
    let answer = match vm.io.scripted_dialog() {
        Some(button) => button,
        None => ask(vm, &prompt, &buttons),
    };
    vm.log_event("dialog", Some(&answer.to_string()));
    Ok(Value::Int(answer))
}

/// Shows a dialog's question until it is answered; 0 at the end of input.
fn ask(vm: &mut Vm, prompt: &str, buttons: &[String]) -> i32 {
    // "(O)ne/(T)wo": the letter behind the ampersand answers, and so does a beginning that only one label has.
    let mut choices = Vec::new();
    for label in buttons {
        choices.push(match label.split_once('&') {
            Some((before, rest)) => {
                let mut chars = rest.chars();
                let letter = chars.next().unwrap_or(' ');
                format!("{before}({letter}){}", chars.as_str())
            }
            None => label.clone(),
        });
    }
    // A dialog begins on a line of its own.
    let question = format!("\n{prompt} {} >", choices.join("/"));
    loop {
        vm.write_main(&question);
        let Some(line) = recorded_line(vm) else { return 0 };
        if let Some(at) = chosen(buttons, line.trim_start()) {
            return at as i32 + 1;
        }
    }
}

/// The button that an answer means.
fn chosen(buttons: &[String], answer: &str) -> Option<usize> {
    let same = |a: char, b: char| a.eq_ignore_ascii_case(&b);
    if answer.len() == 1 {
        let shortcut = |label: &String| label.split_once('&').and_then(|(_, rest)| rest.chars().next());
        let typed = answer.chars().next()?;
        let found = buttons.iter().position(|label| shortcut(label).is_some_and(|letter| same(letter, typed)));
        if found.is_some() {
            return found;
        }
    }
    let begins = |label: &String| {
        let mut letters = label.chars().filter(|c| *c != '&');
        answer.chars().all(|typed| letters.next().is_some_and(|letter| same(letter, typed)))
    };
    let mut matching = buttons.iter().enumerate().filter(|row| begins(row.1)).map(|row| row.0);
    let first = matching.next()?;
    matching.next().is_none().then_some(first)
}

/// inputFile's answer: a file was chosen.
const FILE_CHOSEN: i32 = 0;
/// Nobody could be asked.
const FILE_FAILED: i32 = 1;
/// Nothing was chosen.
const FILE_CANCELLED: i32 = 2;

fn input_file(vm: &mut Vm, args: Args) -> Run<Value> {
    let prompt = vm.want_text(args.get(vm, 0))?;
    let answer = match vm.io.scripted_file() {
        Some(name) => Some(name),
        None => {
            vm.write_main(&format!("{prompt} &gt;"));
            recorded_line(vm)
        }
    };
    let name = answer.as_deref().map(str::trim);
    vm.log_event("file", name.filter(|name| !name.is_empty()));
    match name {
        None => Ok(vm.heap.new_list(vec![Value::Int(FILE_FAILED)])),
        Some("") => Ok(vm.heap.new_list(vec![Value::Int(FILE_CANCELLED)])),
        Some(name) => {
            // What the user names, the program may use, wherever it is.
            vm.state.granted.push(name.to_owned());
            let name = Value::Obj(vm.heap.alloc(Obj::FileName(name.to_owned())));
            // Neither a description nor a warning comes with it.
            Ok(vm.heap.new_list(vec![Value::Int(FILE_CHOSEN), name, Value::Nil, Value::Nil]))
        }
    }
}

fn time_delay(vm: &mut Vm, args: Args) -> Run<Value> {
    let milliseconds = vm.want_int(args.get(vm, 0))?;
    vm.finish_output();
    vm.io.delay(milliseconds.max(0) as u32);
    Ok(Value::Nil)
}

/// systemInfo: whether there is systemInfo.
const PRESENT: i32 = 1;
/// The version of the interpreter.
const VERSION: i32 = 2;
/// The name of the system.
const SYSTEM_NAME: i32 = 3;
/// Whether the text is HTML, which no current interpreter answers.
const HTML_MODE: i32 = 19;
/// Whether text can be set off from other text.
const HIGHLIGHTS: i32 = 31;
/// How colours can be given; the reference says that it has colours of text and ground even without a screen.
const COLORS: i32 = 32;
/// The interpreter's class.
const INTERPRETER_CLASS: i32 = 34;

fn system_info(vm: &mut Vm, args: Args) -> Run<Value> {
    let wanted = vm.want_int(args.get(vm, 0))?;
    if args.count > 1 && wanted != HTML_MODE && (PRESENT..=INTERPRETER_CLASS).contains(&wanted) {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    Ok(match wanted {
        PRESENT => Value::True,
        VERSION => vm.heap.new_text(super::t3vm::VERSION_TEXT),
        // The reference's name for Unix and its relatives.
        SYSTEM_NAME => vm.heap.new_text("POSIX_UNIX_MSWINDOWS"),
        HTML_MODE => Value::Nil,
        // Text only.
        INTERPRETER_CLASS => Value::Int(1),
        HIGHLIGHTS => Value::Int(1),
        COLORS => Value::Int(3),
        4..=33 => Value::Int(0),
        _ => Value::Nil,
    })
}

fn status_mode(vm: &mut Vm, args: Args) -> Run<Value> {
    let old = vm.state.stream;
    vm.state.stream = match vm.want_int(args.get(vm, 0))? {
        0 => Stream::Main,
        1 => {
            vm.state.status.clear();
            Stream::Status
        }
        _ => Stream::Dropped,
    };
    if old == Stream::Status && vm.state.stream != Stream::Status {
        let left = phlox_t3_vm::console::Console::plain(&vm.state.status);
        let right = vm.state.status_right.clone();
        vm.io.status(&left, &right);
    }
    Ok(Value::Nil)
}

fn status_right(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.to_text(args.get(vm, 0))?;
    vm.state.status_right = phlox_t3_vm::console::Console::plain(&text);
    let left = phlox_t3_vm::console::Console::plain(&vm.state.status);
    let right = vm.state.status_right.clone();
    vm.io.status(&left, &right);
    Ok(Value::Nil)
}

fn resource_exists(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = vm.want_text(args.get(vm, 0))?;
    let found = vm.image.resources.iter().any(|resource| resource.name.eq_ignore_ascii_case(&name));
    Ok(Value::truth(found))
}

/// setScriptFile: asks for the flags of the script that is read.
const SCRIPT_STATUS: i32 = 0x7000;

fn set_script_file(vm: &mut Vm, args: Args) -> Run<Value> {
    match args.get(vm, 0) {
        Value::Nil => {
            vm.io.close_script();
            return Ok(Value::True);
        }
        Value::Int(SCRIPT_STATUS) => return Ok(vm.io.script_flags().map_or(Value::Nil, Value::Int)),
        Value::Int(_) => return fail(error::BAD_VAL_BIF),
        _ => {}
    }
    let flags = if args.count > 1 { vm.number_of(args.get(vm, 1))? } else { 0 };
    let path = vm.file_path(args.get(vm, 0), false)?;
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(Value::Nil) };
    vm.io.script(phlox_t3_vm::io::Script::parse(&text).with_flags(flags));
    Ok(Value::True)
}

fn local_char_set(vm: &mut Vm, args: Args) -> Run<Value> {
    // The display's set, the one of file names, and the one of what is in files.
    match vm.want_int(args.get(vm, 0))? {
        1..=3 => Ok(vm.heap.new_text("utf-8")),
        _ => Ok(Value::Nil),
    }
}

fn flush_output(vm: &mut Vm, _: Args) -> Run<Value> {
    vm.finish_output();
    Ok(Value::Nil)
}
