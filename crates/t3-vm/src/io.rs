//! How the machine talks to its user. A front end implements [`Io`]; the machine formats nothing for a device beyond
//! what the console module does with HTML.

/// A line or key from the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A line of text, or a key's name.
    Text(String),
    /// A single key, from a front end that otherwise gives lines only.
    Key(String),
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
    /// Files in the working folder and below.
    Folder,
    /// All.
    Everything,
}

/// Styles of text, as bits.
pub const BOLD: u8 = 1;
pub const ITALIC: u8 = 2;
pub const UNDERLINED: u8 = 4;

/// The private character that begins the mark of style 0.
const STYLE_MARK: u32 = 0x10_fff0;

/// The mark in a text from which on it has a style.
pub fn style_mark(style: u8) -> char {
    char::from_u32(STYLE_MARK + u32::from(style & 7)).unwrap_or_default()
}

/// The style that a character is the mark of.
pub fn style_of(c: char) -> Option<u8> {
    (c as u32).checked_sub(STYLE_MARK).and_then(|style| u8::try_from(style).ok()).filter(|style| *style < 8)
}

/// A front end.
pub trait Io {
    /// Shows finished text, with line breaks where they shall be.
    fn write(&mut self, text: &str);

    /// Whether the text is to have marks of its styles.
    fn styles(&self) -> bool {
        false
    }

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

    /// Whether `read_line` minds its time limit.
    fn has_time_limits(&self) -> bool {
        false
    }

    /// What was typed of a line whose time was up. The next `read_line` goes on with it.
    fn unfinished_line(&self) -> String {
        String::new()
    }

    /// Leaves a line whose time was up, so that other text can be shown. What was typed comes again with the next line,
    /// unless it is to be forgotten.
    fn cancel_line(&mut self, _forget: bool) {}

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

    /// What is to be read before the user's input.
    fn script(&mut self, _script: Script) {}

    /// The answer that a script has for a dialog, by the number of its button.
    fn scripted_dialog(&mut self) -> Option<i32> {
        None
    }

    /// The file that a script has for a file dialog; an empty name if none was chosen.
    fn scripted_file(&mut self) -> Option<String> {
        None
    }

    /// The flags of the script that is read, if there is one.
    fn script_flags(&self) -> Option<i32> {
        None
    }

    /// Forgets what is left of the script.
    fn close_script(&mut self) {}

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

/// An item of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptItem {
    /// A line.
    Line(String),
    /// A key.
    Key(String),
    /// The number of a dialog's button.
    Dialog(i32),
    /// A file's name.
    File(String),
}

/// Flags of a script: nothing is displayed while it is read.
pub const SCRIPT_QUIET: i32 = 1;
/// No pauses while it is read.
pub const SCRIPT_NONSTOP: i32 = 2;
/// It has events, not lines.
pub const SCRIPT_EVENTS: i32 = 4;

/// Prepared input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    items: std::collections::VecDeque<ScriptItem>,
    /// Whether the items are events; those of another kind than the wanted one are skipped.
    events: bool,
    /// Whether nobody has asked for more than there is.
    open: bool,
    /// What the program asked for: [`SCRIPT_QUIET`] and the like.
    flags: i32,
}

impl Script {
    /// Reads a script: lines, of which only those that begin with `>` count if there are such, or events of the form
    /// `<line>text` after a line `<eventscript>`.
    pub fn parse(text: &str) -> Script {
        let mut lines = text.lines().peekable();
        if lines.next_if(|line| line.trim() == "<eventscript>").is_some() {
            let items = lines.filter_map(|line| {
                let (kind, rest) = line.strip_prefix('<')?.split_once('>')?;
                match kind {
                    "line" => Some(ScriptItem::Line(rest.to_owned())),
                    "key" => Some(ScriptItem::Key(match rest {
                        "[enter]" => "\n".to_owned(),
                        "[tab]" => "\t".to_owned(),
                        "[space]" => " ".to_owned(),
                        key => key.to_owned(),
                    })),
                    "file" => Some(ScriptItem::File(rest.to_owned())),
                    "dialog" => rest.trim().parse().ok().map(ScriptItem::Dialog),
                    _ => None,
                }
            });
            return Script { items: items.collect(), events: true, open: true, flags: SCRIPT_EVENTS };
        }
        let marked = text.lines().any(|line| line.starts_with('>'));
        let commands = text.lines().filter_map(|line| if marked { line.strip_prefix('>') } else { Some(line) });
        let items = commands.map(|line| ScriptItem::Line(line.to_owned())).collect();
        Script { items, events: false, open: true, flags: 0 }
    }

    /// The script with flags that the program asks for.
    pub fn with_flags(mut self, flags: i32) -> Script {
        self.flags |= flags & (SCRIPT_QUIET | SCRIPT_NONSTOP);
        self
    }

    /// The flags, until somebody asks for more than there is.
    pub fn flags(&self) -> Option<i32> {
        self.open.then_some(self.flags)
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Puts another script before what is left of this one.
    pub fn push_front(&mut self, script: Script) {
        (self.events, self.open, self.flags) = (script.events, script.open, script.flags);
        let rest = std::mem::replace(&mut self.items, script.items);
        self.items.extend(rest);
    }

    fn take<T>(&mut self, wanted: impl Fn(&ScriptItem) -> Option<T>) -> Option<T> {
        while let Some(item) = self.items.front() {
            let found = wanted(item);
            if found.is_none() && !self.events {
                return None;
            }
            self.items.pop_front();
            if found.is_some() {
                return found;
            }
        }
        self.open = false;
        None
    }

    /// The next file.
    pub fn file(&mut self) -> Option<String> {
        self.take(|item| if let ScriptItem::File(name) = item { Some(name.clone()) } else { None })
    }

    /// The next line.
    pub fn line(&mut self) -> Option<String> {
        self.take(|item| if let ScriptItem::Line(line) = item { Some(line.clone()) } else { None })
    }

    /// The next key.
    pub fn key(&mut self) -> Option<String> {
        self.take(|item| if let ScriptItem::Key(key) = item { Some(key.clone()) } else { None })
    }

    /// The next dialog's answer.
    pub fn dialog(&mut self) -> Option<i32> {
        self.take(|item| if let ScriptItem::Dialog(button) = item { Some(*button) } else { None })
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
