//! What native functions and methods remember between calls.

use std::rc::Rc;

use foldhash::HashMap;
use phlox_t3_library::date_format::Locale;
use phlox_t3_library::random::Random;
use phlox_t3_library::regex::Regex;

use crate::console::Console;
use crate::logs::Logs;
use crate::meta::Meta;
use crate::objects::grammar::{LiteralIndex, Literals};
use crate::objects::pattern::LastMatch;
use crate::undo::Undo;
use crate::value::{ObjId, Value};

/// A native function or method that is running.
#[derive(Debug, Clone, Copy)]
pub struct NativeCall {
    /// What is called: a function set and number, or a metaclass and method number.
    pub callee: NativeCallee,
    /// self
    pub this: Value,
    /// Stack index behind the first argument.
    pub top: usize,
    /// Number of arguments.
    pub count: usize,
    /// How many frames there were when it called back.
    pub depth: usize,
}

/// A native function or method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NativeCallee {
    Function(u16, u16),
    Method(Meta, u16),
    /// None at all: the machine itself.
    Nothing,
}

impl NativeCall {
    /// The machine itself.
    pub const NONE: NativeCall =
        NativeCall { callee: NativeCallee::Nothing, this: Value::Nil, top: 0, count: 0, depth: 0 };
}

/// Where output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stream {
    /// The main text.
    #[default]
    Main,
    /// The left part of the status line.
    Status,
    /// Nowhere, after the status line is complete.
    Dropped,
}

/// What intrinsics remember between calls.
pub struct State {
    /// Changes since the savepoints.
    pub undo: Undo,
    /// The output formatter.
    pub console: Console,
    /// Where output goes.
    pub stream: Stream,
    /// Text for the left of the status line, as written.
    pub status: String,
    /// Text for the right of the status line.
    pub status_right: String,
    /// Transcripts, and records of input.
    pub logs: Logs,
    /// The rest of a line that keys are taken from.
    pub key_line: Option<String>,
    /// Whether a line was begun whose time limit passed, or was not supported.
    pub line_begun: bool,
    /// How often input was wanted after its end.
    pub ends_seen: u32,
    /// Files that the user named.
    pub granted: Vec<String>,
    /// Random numbers.
    pub random: Random,
    /// Compiled patterns by their text.
    pub patterns: HashMap<String, Option<Rc<Regex>>>,
    /// Names and formats of dates.
    pub locale: Locale,
    /// Literals of the program's grammar.
    pub literals: Literals,
    /// Literals of the program's grammar by the hash of the comparator that is in use.
    pub literal_index: LiteralIndex,
    /// What rexGroup speaks about.
    pub last_match: LastMatch,
    /// Exception objects that are being made for errors, each within the one before.
    pub making_exceptions: usize,
    /// The last error for which the program has no class, with its message.
    pub plain_error: Option<(ObjId, String)>,
    /// The native function or method that runs, for messages about its callbacks.
    pub native: NativeCall,
    /// When getTime's ticks began.
    pub first_tick: Option<i64>,
}

impl State {
    /// The state at the start, with random numbers from a seed.
    pub fn new(seed: Option<&str>) -> State {
        State {
            undo: Undo::default(),
            console: Console::default(),
            stream: Stream::Main,
            status: String::new(),
            status_right: String::new(),
            logs: Logs::default(),
            key_line: None,
            line_begun: false,
            ends_seen: 0,
            granted: Vec::new(),
            random: Random::new(seed),
            patterns: HashMap::default(),
            locale: Default::default(),
            literals: Default::default(),
            literal_index: Default::default(),
            last_match: LastMatch::default(),
            making_exceptions: 0,
            plain_error: None,
            native: NativeCall::NONE,
            first_tick: None,
        }
    }

    /// Values that must be kept.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        self.undo.values(visit);
    }
}
