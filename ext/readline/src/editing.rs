//! One line: edited on a terminal, else read as it comes.

use crate::state;
use phlox_runtime::{PhpResult, PhpStr, Throw, Val, Vm, convert};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::cell::RefCell;
use std::io::{BufRead, IsTerminal, stdin};

/// A line without its end; `None` at the end of input.
pub fn read(vm: &Vm, prompt: &[u8]) -> PhpResult<Option<PhpStr>> {
    if stdin().is_terminal() { edit(vm, prompt) } else { Ok(plain()) }
}

/// A line from a file or pipe, which gets no prompt.
pub fn plain() -> Option<PhpStr> {
    let mut line = Vec::new();
    // What cannot be read ends the input.
    stdin().lock().read_until(b'\n', &mut line).ok().filter(|&length| length > 0)?;
    Some(PhpStr::new(line.strip_suffix(b"\n").unwrap_or(&line)))
}

fn edit(vm: &Vm, prompt: &[u8]) -> PhpResult<Option<PhpStr>> {
    let Ok(mut editor) = Editor::<Words<'_>, DefaultHistory>::new() else { return Ok(plain()) };
    for line in state(vm).history.borrow().iter() {
        // A history that is full forgets.
        let _ = editor.add_history_entry(line.to_string());
    }
    editor.set_helper(Some(Words { vm, thrown: RefCell::new(None) }));
    let result = editor.readline(&String::from_utf8_lossy(prompt));
    if let Some(throw) = editor.helper().and_then(|words| words.thrown.take()) {
        return Err(throw);
    }
    match result {
        Ok(line) => Ok(Some(PhpStr::from(line.as_str()))),
        Err(_) => Ok(None),
    }
}

/// Completion by the script's function.
struct Words<'v> {
    vm: &'v Vm,
    thrown: RefCell<Option<Throw>>,
}

impl Completer for Words<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line[..position].rfind(|c: char| " \t\n\"\\'`@$><=;|&{(".contains(c)).map_or(0, |at| at + 1);
        let Some(callee) = state(self.vm).completion.borrow().clone() else { return Ok((start, Vec::new())) };
        let args = vec![line[start..position].into(), Val::int(start as i64), Val::int(position as i64)];
        let words = self.vm.call(&callee, args).and_then(|list| {
            let list = list.into_deref().into_arr().unwrap_or_default();
            list.values().map(|word| Ok(convert::to_str(self.vm, word)?.to_string())).collect::<PhpResult<Vec<_>>>()
        });
        match words {
            Ok(words) => {
                Ok((start, words.into_iter().filter(|word| word.starts_with(&line[start..position])).collect()))
            }
            Err(throw) => {
                self.thrown.replace(Some(throw));
                Err(ReadlineError::Interrupted)
            }
        }
    }
}

impl Hinter for Words<'_> {
    type Hint = String;
}
impl Highlighter for Words<'_> {}
impl Validator for Words<'_> {}
impl Helper for Words<'_> {}
