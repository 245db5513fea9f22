//! The intrinsic function sets: one table each, in the order of the image's function numbers.

pub(crate) mod game;
pub(crate) mod gen_objects;
pub(crate) mod io;
pub(crate) mod number;
pub(crate) mod pack;
mod pack_format;
pub(crate) mod rand;
pub(crate) mod rex;
pub(crate) mod sprintf;
pub(crate) mod t3test;
pub(crate) mod t3vm;
pub(crate) mod time;
pub(crate) mod unpack;

use std::rc::Rc;

use foldhash::HashMap;

use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::frames::{NativeCall, NativeCallee};
use crate::meta::pattern::LastMatch;
use crate::random::Random;
use crate::regex::Regex;
use crate::undo::Undo;
use crate::value::Value;
use crate::vm::Vm;

/// An intrinsic function.
pub(crate) struct Builtin {
    /// Its name in the language.
    pub name: &'static str,
    /// Least number of arguments.
    pub min: u8,
    /// Largest number of arguments.
    pub max: u8,
    /// What it does.
    pub run: fn(&mut Vm, Args) -> Run<Value>,
}

/// A function set.
#[derive(Clone, Copy)]
pub(crate) struct BuiltinSet {
    /// The name in images, without version.
    pub name: &'static str,
    /// The newest version that is supported.
    pub version: &'static str,
    /// The functions.
    pub functions: &'static [Builtin],
}

/// Function tables: `name min max => function, ...;`.
macro_rules! functions {
    ($($name:ident $min:literal $max:tt => $run:path,)*) => {
        &[$($crate::bif::Builtin {
            name: stringify!($name),
            min: $min,
            max: $crate::meta::methods!(@max $max),
            run: $run,
        },)*]
    };
}
pub(crate) use functions;

/// All sets.
pub(crate) static SETS: &[BuiltinSet] = &[
    BuiltinSet { name: "t3vm", version: "010006", functions: t3vm::FUNCTIONS },
    BuiltinSet { name: "tads-gen", version: "030008", functions: gen_objects::FUNCTIONS },
    BuiltinSet { name: "t3vmTEST", version: "010000", functions: t3test::FUNCTIONS },
    BuiltinSet { name: "tads-io", version: "030007", functions: io::FUNCTIONS },
];

/// The set with a name.
pub(crate) fn set(name: &str) -> Option<BuiltinSet> {
    SETS.iter().find(|set| set.name == name).copied()
}

/// Calls a function of the image's n-th set; the arguments are on the stack and are gone afterwards.
pub(crate) fn call(vm: &mut Vm, set: u16, index: u16, argc: usize) -> Run<()> {
    let function = vm.sets.get(set as usize).and_then(|set| set.functions.get(index as usize));
    let Some(function) = function else { return fail(error::INVALID_OPCODE) };
    if argc < function.min as usize || argc > function.max as usize {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let sp = vm.sp;
    let rooted = vm.rooted.len();
    let callee = NativeCallee::Function(set, index);
    vm.state.native = NativeCall { callee, this: Value::Nil, top: sp, count: argc, depth: 0 };
    let result = (function.run)(vm, Args { this: Value::Nil, top: sp, count: argc });
    vm.rooted.truncate(rooted);
    vm.r0 = result?;
    vm.sp = sp.saturating_sub(argc);
    Ok(())
}

/// What intrinsics remember between calls.
pub(crate) struct State {
    /// Changes since the savepoints.
    pub undo: Undo,
    /// The output formatter.
    pub console: crate::console::Console,
    /// Where output goes.
    pub stream: io::Stream,
    /// Text for the left of the status line, as written.
    pub status: String,
    /// Text for the right of the status line.
    pub status_right: String,
    /// The transcript.
    pub log: Option<std::fs::File>,
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
    pub locale: crate::meta::date_format::Locale,
    /// Literals of the program's grammar.
    pub literals: crate::meta::grammar::Literals,
    /// The same by hash.
    pub literal_index: crate::meta::grammar_parse::LiteralIndex,
    /// What rexGroup speaks about.
    pub last_match: LastMatch,
    /// The last error for which the program has no class, with its message.
    pub plain_error: Option<(crate::value::ObjId, String)>,
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
            console: crate::console::Console::default(),
            stream: io::Stream::Main,
            status: String::new(),
            status_right: String::new(),
            log: None,
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
