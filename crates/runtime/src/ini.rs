//! Configuration settings of the request.

use crate::extension::{IniAccess, IniDef};
use phlox_value::PhpStr;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

/// One setting.
#[derive(Clone, Debug)]
pub struct IniEntry {
    pub extension: &'static str,
    pub access: IniAccess,
    /// Value from the configuration (php.ini, `-d`); `ini_restore` goes back to it.
    pub global: Option<PhpStr>,
    /// Value now.
    pub local: Option<PhpStr>,
}

/// Hears of a value that a setting is to get, with what messages begin with (`ini_set(): `). False: it is refused.
pub type Watcher = fn(&crate::Vm, &str, &PhpStr) -> crate::PhpResult<bool>;

/// All settings by name.
#[derive(Default)]
pub struct Ini {
    watchers: RefCell<BTreeMap<&'static str, Watcher>>,
    entries: RefCell<HashMap<&'static str, IniEntry, foldhash::fast::FixedState>>,
    /// Settings given before (or without) a declaration, as php.ini and `-d` may.
    overrides: RefCell<BTreeMap<String, PhpStr>>,
    changes: Cell<u64>,
    precision: Cached<i64>,
    serialize_precision: Cached<i64>,
    exception_ignore_args: Cached<bool>,
}

/// What was read from settings, in the form that it is used in: good until any of them changes. What library code asks for
/// at every call has its place here or in the extension's own data, so that no name is looked up.
pub struct Cached<T>(Cell<Option<(u64, T)>>);

impl<T> Default for Cached<T> {
    fn default() -> Cached<T> {
        Cached(Cell::new(None))
    }
}

impl<T: Copy> Cached<T> {
    /// The value, read again if settings have changed.
    #[inline]
    pub fn get(&self, ini: &Ini, read: impl FnOnce(&Ini) -> T) -> T {
        if let Some((changes, value)) = self.0.get()
            && changes == ini.changes()
        {
            return value;
        }
        let value = read(ini);
        self.0.set(Some((ini.changes(), value)));
        value
    }
}

impl Ini {
    /// Gives a setting from the configuration. Call before [`Ini::declare`].
    pub fn configure(&self, name: &str, value: &[u8]) {
        self.overrides.borrow_mut().insert(name.to_owned(), PhpStr::new(value));
    }

    /// Grows with every change: what was made of settings is good as long as it stays.
    #[inline]
    pub fn changes(&self) -> u64 {
        self.changes.get()
    }

    /// Adds an extension's settings.
    pub fn declare(&self, extension: &'static str, defs: &[IniDef]) {
        self.changes.set(self.changes.get() + 1);
        let overrides = self.overrides.borrow();
        let mut entries = self.entries.borrow_mut();
        for def in defs {
            let default = def.default.map(PhpStr::from);
            let value = overrides.get(def.name).cloned().or(default);
            entries.insert(def.name, IniEntry { extension, access: def.access, global: value.clone(), local: value });
        }
    }

    /// Lets an extension hear of changes.
    pub fn watch(&self, name: &'static str, watcher: Watcher) {
        self.watchers.borrow_mut().insert(name, watcher);
    }

    /// Asks whoever watches a setting whether it may get a value.
    pub fn permits(&self, vm: &crate::Vm, prefix: &str, name: &[u8], value: &PhpStr) -> crate::PhpResult<bool> {
        let watcher = std::str::from_utf8(name).ok().and_then(|name| self.watchers.borrow().get(name).copied());
        watcher.map_or(Ok(true), |watcher| watcher(vm, prefix, value))
    }

    /// `get_cfg_var`: a value from the configuration.
    pub fn configured(&self, name: &str) -> Option<PhpStr> {
        self.overrides.borrow().get(name).cloned()
    }

    /// The values that the configuration gives as elements of `name`, with their keys.
    pub fn configured_elements(&self, name: &str) -> Vec<(Vec<u8>, PhpStr)> {
        let overrides = self.overrides.borrow();
        let key = |full: &str| Some(full.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?.as_bytes().to_vec());
        let mut elements: Vec<_> =
            overrides.iter().filter_map(|(full, value)| Some((key(full)?, value.clone()))).collect();
        elements.sort();
        elements
    }

    pub fn entry(&self, name: &[u8]) -> Option<IniEntry> {
        self.entries.borrow().get(std::str::from_utf8(name).ok()?).cloned()
    }

    /// All settings in order of name.
    pub fn all(&self) -> Vec<(&'static str, IniEntry)> {
        let mut all: Vec<_> = self.entries.borrow().iter().map(|(name, entry)| (*name, entry.clone())).collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// The value as a string; empty when unset or unknown.
    pub fn string(&self, name: &str) -> PhpStr {
        self.entries.borrow().get(name).and_then(|e| e.local.clone()).unwrap_or_else(PhpStr::empty)
    }

    /// The value as PHP reads booleans: `1 on yes true`.
    pub fn bool(&self, name: &str) -> bool {
        let value = self.string(name);
        value.eq_ignore_ascii_case(b"on")
            || value.eq_ignore_ascii_case(b"yes")
            || value.eq_ignore_ascii_case(b"true")
            || leading_int(&value) != 0
    }

    /// The value as an integer (leading digits).
    pub fn int(&self, name: &str) -> i64 {
        leading_int(&self.string(name))
    }

    /// `precision`
    #[inline]
    pub fn precision(&self) -> i64 {
        self.precision.get(self, |ini| ini.int("precision"))
    }

    /// `zend.exception_ignore_args`
    #[inline]
    pub fn exception_ignore_args(&self) -> bool {
        self.exception_ignore_args.get(self, |ini| ini.bool("zend.exception_ignore_args"))
    }

    /// `serialize_precision`
    #[inline]
    pub fn serialize_precision(&self) -> i64 {
        self.serialize_precision.get(self, |ini| ini.int("serialize_precision"))
    }

    /// The value as a quantity: `128M`, `2G`, `0x10`.
    pub fn quantity(&self, name: &str) -> i64 {
        parse_quantity(&self.string(name))
    }

    /// Changes the value now; false if the setting does not exist.
    pub fn set(&self, name: &[u8], value: Option<PhpStr>) -> bool {
        self.changes.set(self.changes.get() + 1);
        let Ok(name) = std::str::from_utf8(name) else { return false };
        match self.entries.borrow_mut().get_mut(name) {
            Some(entry) => {
                entry.local = value;
                true
            }
            None => false,
        }
    }
}

fn leading_int(text: &[u8]) -> i64 {
    let text = text.trim_ascii();
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let value = digits
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0i64, |value, b| value.wrapping_mul(10).wrapping_add((b - b'0') as i64));
    if negative { value.wrapping_neg() } else { value }
}

/// A number with an optional K, M or G suffix; nobody hears what is wrong with it.
pub fn parse_quantity(text: &[u8]) -> i64 {
    crate::quantity::quantity(text).0
}
