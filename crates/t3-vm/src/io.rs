//! How the machine talks to its user. A front end implements [`Io`]; the machine formats nothing for a device beyond
//! what the console module does with HTML.

/// A line or key from the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A line of text, or a key's name.
    Text(String),
    /// The time limit passed.
    Timeout,
    /// There is no more input.
    End,
}

/// What files a program may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// None.
    Nothing,
    /// Those in the working folder.
    Folder,
    /// All.
    Everything,
}

/// A front end.
pub trait Io {
    /// Shows finished text, with line breaks where they shall be.
    fn write(&mut self, text: &str);

    /// Everything written so far is to be visible.
    fn flush(&mut self);

    /// Reads a line; `timeout` in milliseconds.
    fn read_line(&mut self, timeout: Option<u32>) -> Event;

    /// Reads a key.
    fn read_key(&mut self, timeout: Option<u32>) -> Event;

    /// Whether `read_key` gives single keys, not lines.
    fn has_keys(&self) -> bool {
        false
    }

    /// Columns for word wrap.
    fn width(&self) -> usize {
        80
    }

    /// The left and right part of the status line.
    fn status(&mut self, _left: &str, _right: &str) {}

    /// Clears the screen.
    fn clear(&mut self) {}

    /// Waits for a key with a "more" prompt, if the front end has pages.
    fn more(&mut self) {}

    /// Lines to be read before the user's.
    fn script(&mut self, _lines: Vec<String>) {}

    /// Sleeps.
    fn delay(&mut self, milliseconds: u32) {
        std::thread::sleep(std::time::Duration::from_millis(u64::from(milliseconds)));
    }

    /// Seconds and nanoseconds since 1970.
    fn now(&self) -> (i64, u32) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        (now.as_secs() as i64, now.subsec_nanos())
    }
}

/// A front end that collects output in memory and reads prepared lines.
#[derive(Debug, Default)]
pub struct Buffer {
    /// What was written.
    pub output: String,
    /// Lines to be read, the last first.
    pub input: Vec<String>,
}

impl Io for Buffer {
    fn write(&mut self, text: &str) {
        self.output.push_str(text);
    }

    fn flush(&mut self) {}

    fn read_line(&mut self, _timeout: Option<u32>) -> Event {
        self.input.pop().map_or(Event::End, Event::Text)
    }

    fn read_key(&mut self, _timeout: Option<u32>) -> Event {
        self.read_line(None)
    }

    fn delay(&mut self, _milliseconds: u32) {}
}
