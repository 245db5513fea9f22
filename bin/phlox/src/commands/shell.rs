//! `-a`: programs typed at a prompt, with history and completion.

use super::{options, scripts};
use crate::args::Invocation;
use phlox_engine::{Configuration, EXTENSIONS, Ending, Session};
use phlox_syntax::ParseOptions;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

/// The file in the home folder that keeps what was typed.
const HISTORY_FILE: &str = ".phlox_history";

/// The part of the parser's message by which incomplete code is recognised.
const OPEN_END: &[u8] = b"unexpected end of file";

/// Reads and runs statements until the end of the input or `exit`.
pub fn run(invocation: &Invocation, configuration: &Configuration) -> i32 {
    say_line!("Interactive shell\n");
    let last_byte = Rc::new(Cell::new(b'\n'));
    let output = Box::new(LastByte { seen: last_byte.clone() });
    let options = options(scripts::STANDARD_INPUT, invocation, configuration);
    phlox_engine::session_to(output, &options, |session| {
        if let Err(error) = converse(session, &last_byte) {
            eprintln!("{error}");
            session.set_exit_status(1);
        }
    })
}

fn converse(session: &Session, last_byte: &Cell<u8>) -> rustyline::Result<()> {
    let names = Rc::new(RefCell::new(Vec::new()));
    let mut editor: Editor<Names, DefaultHistory> = Editor::new()?;
    editor.set_helper(Some(Names { builtin: builtin_names(), variables: names.clone() }));
    let history = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(HISTORY_FILE));
    if let Some(file) = &history {
        // The file does not exist before the first use.
        let _ = editor.load_history(file);
    }
    while let Some(code) = read_statement(&mut editor)? {
        let ending = session.execute(&scripts::code_program(b"php shell code", code.as_bytes()));
        session.flush();
        if last_byte.replace(b'\n') != b'\n' {
            say_line!();
        }
        if ending == Ending::Exit {
            break;
        }
        session.set_exit_status(0);
        *names.borrow_mut() = session.global_names().iter().map(|name| String::from_utf8_lossy(name).into()).collect();
    }
    if let Some(file) = &history {
        // A home folder that cannot be written to is no reason to fail.
        let _ = editor.save_history(file);
    }
    Ok(())
}

/// Reads lines until they are complete statements. `None` at the end of the input.
fn read_statement(editor: &mut Editor<Names, DefaultHistory>) -> rustyline::Result<Option<String>> {
    let mut code = String::new();
    loop {
        let prompt = if code.is_empty() { "php > " } else { "php { " };
        match editor.readline(prompt) {
            Ok(line) => {
                code.push_str(&line);
                code.push('\n');
            }
            Err(ReadlineError::Interrupted) => code.clear(),
            Err(ReadlineError::Eof) => return Ok((!code.trim().is_empty()).then_some(code)),
            Err(error) => return Err(error),
        }
        if code.trim().is_empty() {
            code.clear();
        } else if is_whole(&code) {
            editor.add_history_entry(code.trim_end())?;
            return Ok(Some(code));
        }
    }
}

/// Is the code complete? Other errors are reported when the code runs.
fn is_whole(code: &str) -> bool {
    let arena = bumpalo::Bump::new();
    let options = ParseOptions { start_in_php: true, ..ParseOptions::default() };
    let parsed = phlox_syntax::parse(&arena, code.as_bytes(), &options);
    let missing = |message: &[u8]| {
        message.starts_with(b"Unclosed '") || message.windows(OPEN_END.len()).any(|part| part == OPEN_END)
    };
    !parsed.diagnostics.iter().any(|diagnostic| missing(&diagnostic.message))
}

fn builtin_names() -> Vec<String> {
    let mut names = Vec::new();
    for extension in EXTENSIONS {
        let functions = extension.functions.iter().copied().flatten();
        names.extend(functions.map(|row| format!("{}(", row.name())));
        names.extend(extension.classes.iter().copied().flatten().map(|class| class.name.to_owned()));
        names.extend(extension.constants.iter().copied().flatten().map(|(name, _)| (*name).to_owned()));
    }
    names.sort();
    names
}

/// Completes names of functions, classes, constants and global variables.
struct Names {
    builtin: Vec<String>,
    variables: Rc<RefCell<Vec<String>>>,
}

impl Helper for Names {}
impl Highlighter for Names {}
impl Validator for Names {}

impl Hinter for Names {
    type Hint = String;
}

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\\' | '$');
        let before = &line[..position];
        let start =
            before.rfind(|c| !is_name(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        if word.is_empty() {
            return Ok((position, Vec::new()));
        }
        let found = match word.strip_prefix('$') {
            Some(name) => {
                let variables = self.variables.borrow();
                variables.iter().filter(|v| v.starts_with(name)).map(|v| format!("${v}")).collect()
            }
            None => self.builtin.iter().filter(|candidate| candidate.starts_with(word)).cloned().collect(),
        };
        Ok((start, found))
    }
}

/// Standard output that remembers its last byte, so that a prompt starts on a line of its own.
struct LastByte {
    seen: Rc<Cell<u8>>,
}

impl Write for LastByte {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if let Some(last) = bytes.last() {
            self.seen.set(*last);
        }
        std::io::stdout().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stdout().flush()
    }
}
