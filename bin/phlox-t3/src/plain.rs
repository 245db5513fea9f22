//! Input and output as plain lines, for pipes and tests.

use std::io::{BufRead, Write};

use phlox_t3_vm::io::{Event, Io, Script};

/// Lines from a script and then from standard input; text to standard output.
pub struct Plain {
    out: std::io::BufWriter<std::io::Stdout>,
    script: Script,
    width: usize,
}

impl Plain {
    /// A front end whose first lines come from a script.
    pub fn new(script: Script, width: usize) -> Plain {
        Plain { out: std::io::BufWriter::new(std::io::stdout()), script, width }
    }
}

impl Io for Plain {
    fn write(&mut self, text: &str) {
        // Nobody is left to tell if standard output is closed.
        let _ = self.out.write_all(text.as_bytes());
    }

    fn flush(&mut self) {
        let _ = self.out.flush();
    }

    fn read_line(&mut self, _timeout: Option<u32>) -> Event {
        self.flush();
        if let Some(line) = self.script.line() {
            self.write(&line);
            self.write("\n");
            return Event::Text(line);
        }
        let mut line = Vec::new();
        match std::io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::End,
            Ok(_) => {
                let line = String::from_utf8_lossy(&line);
                Event::Text(line.trim_end_matches(['\n', '\r']).to_owned())
            }
        }
    }

    fn read_key(&mut self, timeout: Option<u32>) -> Event {
        match self.script.key() {
            Some(key) => Event::Key(key),
            None => self.read_line(timeout),
        }
    }

    fn scripted_dialog(&mut self) -> Option<i32> {
        self.script.dialog()
    }

    fn scripted_file(&mut self) -> Option<String> {
        self.script.file()
    }

    fn script_flags(&self) -> Option<i32> {
        self.script.flags()
    }

    fn close_script(&mut self) {
        self.script = Script::default();
    }

    fn width(&self) -> usize {
        self.width
    }

    fn script(&mut self, script: Script) {
        self.script.push_front(script);
    }
}
