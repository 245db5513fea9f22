//! A terminal: line editing with history. The text stays a plain stream, which the terminal scrolls and a screen reader
//! reads; the status line is announced in the terminal's title.

use std::io::Write;

use phlox_t3_vm::io::{Event, Io, Script};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// A terminal with a line editor.
pub struct Terminal {
    editor: DefaultEditor,
    script: Script,
    /// The unfinished line, which is the prompt.
    prompt: String,
    status: String,
}

impl Terminal {
    /// A front end whose first lines come from a script.
    pub fn new(script: Script) -> Result<Terminal, String> {
        let editor = DefaultEditor::new().map_err(|error| error.to_string())?;
        Ok(Terminal { editor, script, prompt: String::new(), status: String::new() })
    }
}

impl Io for Terminal {
    fn write(&mut self, text: &str) {
        print!("{text}");
        match text.rfind('\n') {
            Some(at) => self.prompt = text[at + 1..].to_owned(),
            None => self.prompt.push_str(text),
        }
    }

    fn flush(&mut self) {
        // Nobody is left to tell if the terminal is gone.
        let _ = std::io::stdout().flush();
    }

    fn read_line(&mut self, _timeout: Option<u32>) -> Event {
        if let Some(line) = self.script.line() {
            println!("{line}");
            return Event::Text(line);
        }
        let prompt = std::mem::take(&mut self.prompt);
        // The editor shows the prompt again, over the one that is there.
        print!("\r");
        self.flush();
        match self.editor.readline(&prompt) {
            Ok(line) => {
                // A history that does not take a line is no reason to stop.
                let _ = self.editor.add_history_entry(&line);
                Event::Text(line)
            }
            Err(ReadlineError::Interrupted) => Event::Text("quit".to_owned()),
            Err(_) => Event::End,
        }
    }

    fn read_key(&mut self, timeout: Option<u32>) -> Event {
        self.read_line(timeout)
    }

    fn status(&mut self, left: &str, right: &str) {
        let status = format!("{left} {right}");
        if status != self.status {
            print!("\x1b]0;{}\x07", status.replace(char::is_control, " "));
            self.status = status;
        }
    }

    fn clear(&mut self) {
        println!();
    }

    fn scripted_dialog(&mut self) -> Option<i32> {
        self.script.dialog()
    }

    fn script(&mut self, script: Script) {
        self.script.push_front(script);
    }
}
