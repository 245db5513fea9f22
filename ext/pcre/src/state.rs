//! The last error, the cache of compiled patterns, and `preg_last_error()`.

use crate::pattern::Regex;
use phlox_pcre::MatchError;
use phlox_runtime::ini::{IniAccess, IniQuantity};
use phlox_runtime::{Call, DataKey, FnDef, PhpResult, PhpStr, StrMap, Val, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// `pcre.backtrack_limit`: the limit of steps of a match.
pub static BACKTRACK_LIMIT: IniQuantity = IniQuantity::new("pcre.backtrack_limit", "1000000", IniAccess::All);
/// `pcre.recursion_limit`: the limit of depth of a match.
pub static RECURSION_LIMIT: IniQuantity = IniQuantity::new("pcre.recursion_limit", "100000", IniAccess::All);

/// The functions of this module.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("preg_last_error(): int", preg_last_error),
    FnDef::new("preg_last_error_msg(): string", preg_last_error_msg),
];

/// `PREG_INTERNAL_ERROR`.
pub const INTERNAL_ERROR: usize = 1;

const MESSAGES: [&str; 7] = [
    "No error",
    "Internal error",
    "Backtrack limit exhausted",
    "Recursion limit exhausted",
    "Malformed UTF-8 characters, possibly incorrectly encoded",
    "The offset did not correspond to the beginning of a valid UTF-8 code point",
    "JIT stack limit exhausted",
];

const RECENT: usize = 32;

thread_local! {
    /// The compiled patterns of the process by their text with delimiters and modifiers: what a pattern means is the same in all
    /// requests.
    static COMPILED: RefCell<StrMap<Rc<Regex>>> = RefCell::default();
}

/// The maximum number of cached patterns.
const CACHE_MAX: usize = 4096;

/// Puts a compiled pattern into the cache.
pub fn keep(source: &PhpStr, regex: &Rc<Regex>) {
    COMPILED.with_borrow_mut(|cache| {
        if cache.len() >= CACHE_MAX {
            cache.clear();
        }
        cache.insert(PhpStr::new(source), regex.clone());
    });
}

/// The state of `preg_*` functions in a request.
#[derive(Default)]
pub struct State {
    /// The number of the last error (`PREG_…_ERROR`).
    pub last_error: Cell<usize>,
    /// Patterns that were used recently, by the address of their text: literals are used again and again.
    recent: RefCell<[Option<(PhpStr, Rc<Regex>)>; RECENT]>,
}

impl State {
    /// The limits of backtracking and depth.
    #[inline]
    pub fn limits(&self, vm: &Vm) -> (u32, u32) {
        // PHP passes the low 32 bits to PCRE2.
        (vm.ini.get(&BACKTRACK_LIMIT) as u32, vm.ini.get(&RECURSION_LIMIT) as u32)
    }

    /// A pattern from the cache.
    #[inline]
    pub fn compiled(&self, source: &PhpStr) -> Option<Rc<Regex>> {
        let place = (source.as_bytes().as_ptr().addr() >> 4) % RECENT;
        let mut recent = self.recent.borrow_mut();
        match &recent[place] {
            Some((known, regex)) if std::ptr::eq(known.as_bytes(), source.as_bytes()) => Some(regex.clone()),
            _ => {
                let regex = COMPILED.with_borrow(|cache| cache.get(source).cloned())?;
                recent[place] = Some((source.clone(), regex.clone()));
                Some(regex)
            }
        }
    }
}

static STATE: DataKey<State> = DataKey::new();

/// The state of `preg_*` functions in this request.
pub fn state(vm: &Vm) -> Rc<State> {
    vm.keyed(&STATE)
}

/// Keeps the reason why a match failed, for `preg_last_error()`.
pub fn set_error(vm: &Vm, error: MatchError) {
    let number = match error {
        MatchError::BacktrackLimit => 2,
        MatchError::RecursionLimit => 3,
        MatchError::BadUtf => 4,
        MatchError::BadUtfOffset => 5,
        MatchError::JitStack => 6,
        MatchError::StartBehindEnd => return,
        MatchError::Other(_) => INTERNAL_ERROR,
    };
    state(vm).last_error.set(number);
}

fn preg_last_error(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(state(call.vm).last_error.get() as i64))
}

fn preg_last_error_msg(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(MESSAGES.get(state(call.vm).last_error.get()).copied().unwrap_or_default().into())
}
