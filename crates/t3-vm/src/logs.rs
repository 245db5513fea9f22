//! What is written down of a run: transcripts of what is displayed, and records of what the user typed.

use std::fs::File;
use std::io::Write;

use phlox_t3_library::charset::CharacterSet;

use crate::console::Console;

/// Columns of a transcript.
const TRANSCRIPT_WIDTH: usize = 80;

/// A file with text that is formatted as on a display.
pub struct LogConsole {
    console: Console,
    file: File,
    set: CharacterSet,
}

impl LogConsole {
    /// A transcript of the display.
    pub fn transcript(file: File) -> LogConsole {
        LogConsole::new(file, CharacterSet::new("utf-8"), TRANSCRIPT_WIDTH)
    }

    /// A file in a character set with lines of a width.
    pub fn new(file: File, set: CharacterSet, width: usize) -> LogConsole {
        LogConsole { console: Console::of_file(width), file, set }
    }

    /// Formats text into the file.
    pub fn write(&mut self, text: &str) {
        self.console.write(text);
        self.pass_on();
    }

    /// The unfinished line goes out, too.
    pub fn flush(&mut self) {
        self.console.finish_prompt();
        self.pass_on();
    }

    /// A line that the user typed.
    fn typed(&mut self, line: &str) {
        self.flush();
        self.put(line);
        self.put("\n");
        self.console.after_input();
    }

    fn pass_on(&mut self) {
        let text = self.console.take();
        self.put(&text);
    }

    fn put(&mut self, text: &str) {
        // A log that cannot be written must not stop the game.
        let _ = self.file.write_all(&self.set.encode(text));
    }
}

/// A record of the user's input.
pub struct Record {
    file: File,
    /// Whether all events are written down, not only lines.
    events: bool,
}

impl Record {
    /// A record that begins now.
    pub fn new(mut file: File, events: bool) -> Record {
        if events {
            // A record that cannot be written must not stop the game.
            let _ = file.write_all(b"<eventscript>\n");
        }
        Record { file, events }
    }

    fn event(&mut self, tag: &str, parameter: Option<&str>) {
        // A tag may come with its brackets. The reference takes off the first one only when it writes, but both to compare.
        let tag = tag.strip_prefix('<').unwrap_or(tag);
        let parameter = match (tag.strip_suffix('>').unwrap_or(tag), parameter) {
            ("key", Some("\n")) => Some("[enter]"),
            ("key", Some("\t")) => Some("[tab]"),
            ("key", Some(" ")) => Some("[space]"),
            ("notimeout" | "eof", _) => None,
            (_, parameter) => parameter,
        };
        let line = match (self.events, parameter) {
            (true, _) if tag.is_empty() => return,
            (true, parameter) => format!("<{tag}>{}\n", parameter.unwrap_or_default()),
            (false, Some(line)) if tag.eq_ignore_ascii_case("line") => format!(">{line}\n"),
            (false, _) => return,
        };
        // A record that cannot be written must not stop the game.
        let _ = self.file.write_all(line.as_bytes());
    }
}

/// Everything that is written down at present.
#[derive(Default)]
pub struct Logs {
    /// The transcript.
    pub transcript: Option<LogConsole>,
    /// The record of input.
    pub record: Option<Record>,
    /// The program's own log consoles, by handles from 1 on.
    pub consoles: Vec<Option<LogConsole>>,
}

impl Logs {
    /// The console with a handle.
    pub fn console(&mut self, handle: i32) -> Option<&mut LogConsole> {
        let at = usize::try_from(handle).ok()?.checked_sub(1)?;
        self.consoles.get_mut(at)?.as_mut()
    }

    /// Opens a console; its handle.
    pub fn open(&mut self, console: LogConsole) -> i32 {
        let free = self.consoles.iter().position(Option::is_none).unwrap_or(self.consoles.len());
        if free == self.consoles.len() {
            self.consoles.push(None);
        }
        self.consoles[free] = Some(console);
        free as i32 + 1
    }

    /// Closes a console, if there is one with that handle.
    pub fn close(&mut self, handle: i32) -> bool {
        let at = usize::try_from(handle).ok().and_then(|handle| handle.checked_sub(1));
        let Some(mut console) = at.and_then(|at| self.consoles.get_mut(at)).and_then(Option::take) else {
            return false;
        };
        console.flush();
        true
    }

    /// Writes down what the user did: a tag such as `line` or `key`, and what belongs to it.
    pub fn event(&mut self, tag: &str, parameter: Option<&str>) {
        if let Some(record) = &mut self.record {
            record.event(tag, parameter);
        }
    }

    /// A line that the user typed belongs to the transcript.
    pub fn line(&mut self, line: &str) {
        if let Some(transcript) = &mut self.transcript {
            transcript.typed(line);
        }
    }

    /// What is left of lines goes out at the end of the program.
    pub fn finish(&mut self) {
        self.transcript.iter_mut().chain(self.consoles.iter_mut().flatten()).for_each(LogConsole::flush);
    }
}
