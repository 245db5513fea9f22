//! A terminal: line editing with history, styles, pages and a status line. The status line is the window's last row,
//! outside of the part that scrolls, so that the text still goes to the terminal's own scroll-back.
//!
//! The linear kind has none of that but the line editor: the text is a stream, which a screen reader reads, and the
//! status line is announced in the terminal's title.

use std::io::Write;

use phlox_t3_vm::io::{self, Event, Io, Script};
use rustix::termios::tcgetwinsize;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::keys;
use crate::line::Line;

/// A window with fewer rows has no status line.
const MIN_ROWS: usize = 6;

/// A terminal with a line editor.
pub struct Terminal {
    editor: DefaultEditor,
    script: Script,
    /// The unfinished line, which is the prompt.
    prompt: String,
    status: (String, String),
    linear: bool,
    /// The window's rows when the status line was set apart; 0 before.
    rows: usize,
    /// Lines since the user has seen the last ones.
    fresh: usize,
    /// Whether a user reads along, not a script.
    paging: bool,
    /// A line whose time was up before it was ended.
    unfinished: Line,
    /// Whether such a line is on the screen.
    waiting: bool,
    history: Vec<String>,
}

impl Terminal {
    /// A front end whose first lines come from a script.
    pub fn new(script: Script, linear: bool) -> Result<Terminal, String> {
        let editor = DefaultEditor::new().map_err(|error| error.to_string())?;
        let linear = linear || std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
        let paging = !linear && script.is_empty();
        let (prompt, status) = (String::new(), (String::new(), String::new()));
        Ok(Terminal {
            editor,
            script,
            prompt,
            status,
            linear,
            rows: 0,
            fresh: 0,
            paging,
            unfinished: Line::default(),
            waiting: false,
            history: Vec::new(),
        })
    }

    /// Columns and rows.
    fn size() -> (usize, usize) {
        match tcgetwinsize(std::io::stdout()) {
            Ok(size) if size.ws_col > 0 => (size.ws_col.into(), size.ws_row.into()),
            _ => (80, 24),
        }
    }

    /// Shows the status line, in a row that does not scroll.
    fn draw_status(&mut self) {
        let (columns, rows) = Terminal::size();
        if self.linear || rows < MIN_ROWS || self.status == Default::default() {
            return;
        }
        if rows != self.rows {
            // The cursor must not be in the row that is set apart.
            print!("\x1bD\x1b[A\x1b7\x1b[1;{}r\x1b8", rows - 1);
            self.rows = rows;
        }
        let (left, right) = &self.status;
        let room = columns.saturating_sub(right.chars().count() + 2);
        let left: String = left.chars().take(room).collect();
        print!("\x1b7\x1b[{rows};1H\x1b[0;7m {left:<room$}{right} \x1b[0m\x1b8");
    }

    fn line_ends(&mut self) {
        println!();
        self.prompt.clear();
        self.fresh += 1;
        if self.paging && self.fresh + 2 >= Terminal::size().1 {
            self.more();
        }
    }

    /// A line without a time limit.
    fn edited_line(&mut self) -> Event {
        // The editor shows the prompt again, over the one that is there.
        print!("\r");
        self.flush();
        let (before, after) = std::mem::take(&mut self.unfinished).parts();
        match self.editor.readline_with_initial(&self.prompt, (&before, &after)) {
            Ok(line) => Event::Text(line),
            Err(ReadlineError::Interrupted) => Event::Text("quit".to_owned()),
            Err(_) => Event::End,
        }
    }

    /// A line that must be ended within some milliseconds; what was typed by then is kept.
    fn timed_line(&mut self, limit: u32) -> Event {
        let (columns, _) = Terminal::size();
        let event = self.unfinished.read(&self.prompt, columns, &self.history, limit);
        if event != Event::Timeout {
            println!();
        }
        event
    }

    /// The user has seen everything.
    fn seen(&mut self, paging: bool) {
        self.fresh = 0;
        self.paging = paging && !self.linear;
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.rows > 0 {
            print!("\x1b7\x1b[r\x1b[{};1H\x1b[2K\x1b8", self.rows);
            self.flush();
        }
    }
}

impl Io for Terminal {
    fn write(&mut self, text: &str) {
        self.cancel_line(false);
        for c in text.chars() {
            match (c, io::style_of(c)) {
                ('\n', _) => self.line_ends(),
                (_, Some(style)) => {
                    let on = [(io::BOLD, "\x1b[1m"), (io::ITALIC, "\x1b[3m"), (io::UNDERLINED, "\x1b[4m")];
                    print!("\x1b[0m");
                    on.iter().filter(|(bit, _)| style & bit != 0).for_each(|(_, code)| print!("{code}"));
                }
                _ if c.is_control() => {}
                _ => {
                    print!("{c}");
                    self.prompt.push(c);
                }
            }
        }
    }

    fn styles(&self) -> bool {
        !self.linear
    }

    fn flush(&mut self) {
        // Nobody is left to tell if the terminal is gone.
        let _ = std::io::stdout().flush();
    }

    fn read_line(&mut self, timeout: Option<u32>) -> Event {
        self.draw_status();
        if let Some(line) = self.script.line() {
            println!("{line}");
            self.prompt.clear();
            self.seen(false);
            return Event::Text(line);
        }
        let event = match timeout {
            Some(limit) => self.timed_line(limit),
            None => self.edited_line(),
        };
        self.seen(true);
        self.waiting = event == Event::Timeout;
        if !self.waiting {
            self.prompt.clear();
        }
        if let Event::Text(line) = &event {
            // A history that does not take a line is no reason to stop.
            let _ = self.editor.add_history_entry(line);
            self.history.push(line.clone());
        }
        event
    }

    fn has_time_limits(&self) -> bool {
        true
    }

    fn unfinished_line(&self) -> String {
        let (before, after) = self.unfinished.parts();
        before + &after
    }

    fn cancel_line(&mut self, forget: bool) {
        if forget {
            self.unfinished = Line::default();
        }
        if std::mem::take(&mut self.waiting) {
            println!();
            self.prompt.clear();
        }
    }

    fn read_key(&mut self, timeout: Option<u32>) -> Event {
        if let Some(key) = self.script.key() {
            return Event::Key(key);
        }
        self.draw_status();
        self.flush();
        self.seen(true);
        keys::read(timeout)
    }

    fn has_keys(&self) -> bool {
        true
    }

    fn width(&self) -> usize {
        Terminal::size().0.max(20)
    }

    fn status(&mut self, left: &str, right: &str) {
        let clean = |text: &str| text.replace(char::is_control, " ");
        let status = (clean(left), clean(right));
        if status == self.status {
            return;
        }
        if self.linear {
            print!("\x1b]0;{} {}\x07", status.0, status.1);
        }
        self.status = status;
        self.draw_status();
    }

    fn clear(&mut self) {
        let (_, rows) = Terminal::size();
        if self.linear {
            println!();
        } else {
            // What was there scrolls away and can be scrolled back to.
            print!("{}\x1b[H", "\n".repeat(rows));
            self.draw_status();
        }
        self.prompt.clear();
        self.seen(self.paging);
    }

    fn more(&mut self) {
        self.draw_status();
        print!("{}", if self.linear { "[More]\n" } else { "\x1b[0;7m[More]\x1b[0m" });
        self.flush();
        let key = keys::read(None);
        print!("{}", if self.linear { "" } else { "\r\x1b[K" });
        self.fresh = 0;
        if key == Event::Text("\n".to_owned()) {
            // A line only.
            self.fresh = Terminal::size().1.saturating_sub(3);
        }
        self.paging &= key != Event::End;
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

    fn script(&mut self, script: Script) {
        self.seen(false);
        self.script.push_front(script);
    }
}
