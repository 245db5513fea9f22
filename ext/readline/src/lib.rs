//! The `readline` extension: lines from the terminal with editing, history and completion, and as they are from
//! anything else. `rustyline` edits; what scripts see is libedit's behaviour, which PHP is mostly built with.
#![forbid(unsafe_code)]

mod callbacks;
mod editing;
mod history;

use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::{Call, Callee, ConstValue, Extension, FnDef, PhpArr, PhpResult, PhpStr, Val, Vm, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("readline(?string $prompt = null): string|false", readline),
    FnDef::new("readline_info(?string $var_name = null, $value = null): mixed", readline_info),
    FnDef::new("readline_completion_function(callable $callback): bool", readline_completion_function),
    FnDef::new("readline_redisplay(): void", |_| Ok(Val::NULL)),
    FnDef::new("readline_on_new_line(): void", |_| Ok(Val::NULL)),
];

static PAGER: IniString = IniString::new("cli.pager", "", IniAccess::All);
static PROMPT: IniString = IniString::new("cli.prompt", "\\b \\> ", IniAccess::All);

pub static EXTENSION: Extension = Extension {
    name: "readline",
    functions: &[FUNCTIONS, history::FUNCTIONS, callbacks::FUNCTIONS],
    classes: &[],
    constants: &[&[("READLINE_LIB", ConstValue::Str("libedit"))]],
    ini: &[&PAGER.def, &PROMPT.def],
    startup: None,
    shutdown: None,
};

/// What the functions share.
#[derive(Default)]
pub struct State {
    pub history: RefCell<Vec<PhpStr>>,
    pub completion: RefCell<Option<Callee>>,
    /// The line being edited, as `readline_info` shows and changes it.
    line: RefCell<PhpLine>,
    erase_empty_line: Cell<i64>,
    attempted_completion_over: Cell<i64>,
    pub handler: RefCell<Option<callbacks::Handler>>,
}

/// A line and its name for configuration files.
struct PhpLine {
    text: PhpStr,
    name: PhpStr,
}

impl Default for PhpLine {
    fn default() -> PhpLine {
        PhpLine { text: PhpStr::empty(), name: PhpStr::empty() }
    }
}

pub fn state(vm: &Vm) -> Rc<State> {
    vm.data::<State>("readline")
}

fn readline(call: &mut Call<'_>) -> PhpResult<Val> {
    let prompt = call.opt_str(0).unwrap_or_else(PhpStr::empty);
    call.vm.output.before_waiting();
    Ok(editing::read(call.vm, &prompt)?.map_or(Val::FALSE, Val::from))
}

/// What can be asked for, with its value now.
fn shown(state: &State) -> [(&'static str, Val); 7] {
    let line = state.line.borrow();
    let length = Val::int(line.text.len() as i64);
    [
        ("line_buffer", (&line.text).into()),
        ("point", length.clone()),
        ("end", length),
        ("erase_empty_line", Val::int(state.erase_empty_line.get())),
        ("library_version", "EditLine wrapper".into()),
        ("readline_name", (&line.name).into()),
        ("attempted_completion_over", Val::int(state.attempted_completion_over.get())),
    ]
}

/// All of it, or one value; with a second argument that value changes and the one before it comes back.
fn readline_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let state = state(call.vm);
    let rows = shown(&state);
    let Some(name) = call.opt_str(0) else {
        let mut all = PhpArr::new();
        rows.into_iter().for_each(|(name, value)| all.set_bytes(name.as_bytes(), value));
        return Ok(all.into());
    };
    let Some((name, old)) = rows.into_iter().find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(&name)) else {
        return Ok(Val::NULL);
    };
    let value = call.arg(1);
    if !value.is_null() {
        match name {
            "line_buffer" => state.line.borrow_mut().text = convert::to_str(call.vm, &value)?,
            "readline_name" => state.line.borrow_mut().name = convert::to_str(call.vm, &value)?,
            "erase_empty_line" => state.erase_empty_line.set(convert::to_int(call.vm, &value)?),
            "attempted_completion_over" => state.attempted_completion_over.set(convert::to_int(call.vm, &value)?),
            _ => {}
        }
    }
    Ok(old)
}

fn readline_completion_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = call.vm.require_callable(&call.arg(0))?;
    drop(state(call.vm).completion.replace(Some(callee)));
    Ok(Val::TRUE)
}
