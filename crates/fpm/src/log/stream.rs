//! What a worker writes on its standard output and error, as lines of the log: decorated and wrapped at `log_limit`.

use super::{Level, buffers, level, limit, prefix, to_standard_error};

/// The output of one worker.
pub struct Stream {
    decorates: bool,
    /// What precedes the output in each line: whose it is.
    intro: String,
    /// Bytes of the line so far; 0: none has been begun.
    length: usize,
    /// Bytes of the line before the output.
    begun: usize,
    pending: Vec<u8>,
    /// The process and the descriptor (true: standard output) that the intro speaks of.
    source: (i32, bool),
}

impl Stream {
    /// The output of a worker of this pool.
    pub fn new(pool: &str, decorates: bool, process: i32, is_output: bool) -> Stream {
        let mut stream =
            Stream { decorates, intro: String::new(), length: 0, begun: 0, pending: Vec::new(), source: (0, false) };
        stream.set_source(pool, process, is_output);
        stream
    }

    /// Says whose output follows; a line of another source ends.
    pub fn set_source(&mut self, pool: &str, process: i32, is_output: bool) {
        if self.source == (process, is_output) {
            return;
        }
        self.finish(b"");
        self.source = (process, is_output);
        let name = if is_output { "stdout" } else { "stderr" };
        self.intro = format!("[pool {pool}] child {process} said into {name}: ");
    }

    fn begin(&mut self) {
        if self.decorates {
            if Level::Warning >= level() {
                self.pending.extend_from_slice(prefix(Level::Warning, (module_path!(), line!()), false).as_bytes());
                self.pending.extend_from_slice(self.intro.as_bytes());
            }
            self.pending.push(b'"');
        }
        self.length = self.pending.len();
        self.begun = self.length;
    }

    /// Ends a line that another one goes on.
    fn break_line(&mut self) {
        if self.decorates {
            self.add(b"\"");
        }
        self.end();
    }

    fn add(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        self.length += bytes.len();
    }

    fn end(&mut self) {
        self.pending.push(b'\n');
        self.length = 0;
        self.flush();
    }

    fn flush(&mut self) {
        to_standard_error(&self.pending);
        self.pending.clear();
    }

    /// Adds output that has no end of line.
    pub fn text(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.length == 0 {
                self.begin();
            }
            // The quote and the end of the line need room.
            let room = limit().saturating_sub(self.length + 1 + usize::from(self.decorates));
            if room == 0 && self.length > self.begun {
                self.break_line();
                continue;
            }
            // If the intro alone fills a line, each line has a byte of output.
            let room = room.max(1);
            let (now, later) = rest.split_at(rest.len().min(room));
            self.add(now);
            rest = later;
            if !rest.is_empty() {
                self.break_line();
            }
        }
        if !buffers() {
            self.flush();
        }
    }

    /// Ends the line, if one has been begun, with this text behind the output.
    pub fn finish(&mut self, suffix: &[u8]) {
        if self.length == 0 {
            return;
        }
        if self.decorates {
            self.add(b"\"");
            if !suffix.is_empty() {
                self.add_suffix(suffix);
            }
        }
        self.end();
    }

    /// Of a suffix that the line has no room for, the rest goes to another line.
    fn add_suffix(&mut self, suffix: &[u8]) {
        let room = limit().saturating_sub(self.length + 1);
        let (now, later) = suffix.split_at(suffix.len().min(room));
        self.add(now);
        if !later.is_empty() {
            self.end();
            self.begin();
            // There is no output in this line.
            self.pending.pop();
            self.add(later);
        }
    }
}
