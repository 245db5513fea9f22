//! Configuration settings: their declarations ([`setting`]), and their values in a request.
//!
//! Each declaration has a number that is equal in all requests. A request stores the setting's state at that index of a list,
//! with the parsed value beside the text, so that a read needs no lookup.

pub mod setting;
pub mod text;

use phlox_value::PhpStr;
pub use setting::{
    IniAccess, IniBool, IniChange, IniDef, IniFloat, IniHandler, IniInt, IniQuantity, IniSetting, IniStage, IniString,
    IniType, Shown, not_empty,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

/// The state of a setting in a request.
pub struct IniState {
    pub def: &'static IniDef,
    pub extension: &'static str,
    /// Whether the configuration has a value for the setting.
    is_configured: bool,
    /// Whether scripts may not change the setting in this request.
    pub is_locked: Cell<bool>,
    bits: Cell<u64>,
    value: RefCell<Option<PhpStr>>,
    /// The value that `ini_restore` restores; `None` until the value is changed.
    original: RefCell<Option<Option<PhpStr>>>,
}

impl IniState {
    /// A setting with a value from the configuration, or its default.
    fn new(def: &'static IniDef, extension: &'static str, configured: Option<PhpStr>) -> IniState {
        let is_configured = configured.is_some();
        let value = configured.or_else(|| def.default.map(PhpStr::from));
        let bits = Cell::new((def.parse)(value.as_ref().map(|value| value.as_bytes())));
        let is_locked = Cell::new(false);
        IniState {
            def,
            extension,
            is_configured,
            is_locked,
            bits,
            value: RefCell::new(value),
            original: RefCell::default(),
        }
    }

    /// The parsed value, as the setting's type encodes it.
    #[inline]
    pub fn bits(&self) -> u64 {
        self.bits.get()
    }

    /// The text of the value.
    pub fn value(&self) -> Option<PhpStr> {
        self.value.borrow().clone()
    }

    /// The text of the value; empty if there is none.
    pub fn text(&self) -> PhpStr {
        self.value().unwrap_or_else(PhpStr::empty)
    }

    /// The value from before the script changed it.
    pub fn original(&self) -> Option<PhpStr> {
        self.original.borrow().clone().unwrap_or_else(|| self.value())
    }

    /// Whether the script changed the value.
    pub fn is_changed(&self) -> bool {
        self.original.borrow().is_some()
    }

    fn store(&self, value: Option<PhpStr>) {
        self.bits.set((self.def.parse)(value.as_ref().map(|value| value.as_bytes())));
        // The old value is dropped when nothing is borrowed any more.
        drop(self.value.replace(value));
    }
}

/// All settings of a request.
#[derive(Default)]
pub struct Ini {
    /// The states, by the numbers of the declarations.
    states: Vec<Option<IniState>>,
    numbers: HashMap<&'static str, usize, foldhash::fast::FixedState>,
    /// The numbers of the changed settings, in the order of their first changes.
    changed: RefCell<Vec<usize>>,
    /// The values of the configuration (php.ini, `-d`), also of settings that are not declared.
    configuration: BTreeMap<String, PhpStr>,
}

impl Ini {
    /// Sets a value of the configuration. Must be called before [`Ini::declare`].
    pub fn configure(&mut self, name: &str, value: &[u8]) {
        self.configuration.insert(name.to_owned(), PhpStr::new(value));
    }

    /// Adds an extension's settings, with their values from the configuration or their defaults.
    pub fn declare(&mut self, extension: &'static str, defs: &[&'static IniDef]) {
        for &def in defs {
            let number = def.numbered();
            if self.states.len() <= number {
                self.states.resize_with(number + 1, || None);
            }
            let configured = self.configuration.get(def.name).cloned();
            self.states[number] = Some(IniState::new(def, extension, configured));
            self.numbers.insert(def.name, number);
        }
    }

    /// Validates the values that the configuration gives to an extension's settings; refused values are replaced by the defaults.
    /// Handlers are not called for settings without a configured value, because the effects of defaults are in place already.
    pub fn start(&self, vm: &crate::Vm, defs: &[&'static IniDef]) {
        for state in defs.iter().filter_map(|def| self.state(def)).filter(|state| state.is_configured) {
            let ask = |value: Option<&PhpStr>| {
                let (stage, prefix) = (IniStage::Startup, "PHP Startup: ");
                state.def.permits(&IniChange { vm, setting: state.def, stage, prefix, value })
            };
            // An exception counts as a refusal: nothing could catch it yet.
            if !ask(state.value().as_ref()).unwrap_or(false) {
                state.store(state.def.default.map(PhpStr::from));
                let _ = ask(state.value().as_ref());
            }
        }
    }

    /// The value of a setting; its default if the request does not have the setting.
    #[inline]
    pub fn get<T: IniType>(&self, setting: &'static IniSetting<T>) -> T::Value {
        match self.state(setting) {
            Some(state) => T::value(state),
            None => by_default(setting),
        }
    }

    /// The text of a setting, whatever its type; empty if it has none.
    pub fn text(&self, def: &IniDef) -> PhpStr {
        self.state(def).map_or_else(|| def.default.unwrap_or_default().into(), IniState::text)
    }

    /// Whether a setting has a value, even an empty one.
    pub fn is_set(&self, def: &IniDef) -> bool {
        self.state(def).is_some_and(|state| state.value.borrow().is_some())
    }

    /// The state of a setting; `None` if the request does not have it.
    #[inline]
    pub fn state(&self, def: &IniDef) -> Option<&IniState> {
        self.states.get(def.number())?.as_ref()
    }

    /// The setting with a name given by a script.
    pub fn find(&self, name: &[u8]) -> Option<&IniState> {
        let number = self.numbers.get(std::str::from_utf8(name).ok()?)?;
        self.states.get(*number)?.as_ref()
    }

    /// All settings, sorted by name.
    pub fn all(&self) -> Vec<&IniState> {
        let mut all: Vec<_> = self.states.iter().flatten().collect();
        all.sort_by_cached_key(|state| state.def.name.to_ascii_lowercase());
        all
    }

    /// Saves the value for `ini_restore` before the first change.
    fn note_change(&self, state: &IniState) {
        if !state.is_changed() {
            *state.original.borrow_mut() = Some(state.value());
            self.changed.borrow_mut().push(state.def.number());
        }
    }

    /// Changes a setting without calling its handlers.
    pub fn put(&self, def: &IniDef, value: PhpStr) {
        if let Some(state) = self.state(def) {
            self.note_change(state);
            state.store(Some(value));
        }
    }

    /// Changes a setting if its declaration permits that; messages begin with `prefix`. False if the value is refused.
    pub fn change(&self, vm: &crate::Vm, def: &IniDef, prefix: &str, value: PhpStr) -> crate::PhpResult<bool> {
        let Some(state) = self.state(def) else { return Ok(false) };
        self.note_change(state);
        let change = IniChange { vm, setting: state.def, stage: IniStage::Runtime, prefix, value: Some(&value) };
        let permitted = state.def.permits(&change)?;
        if permitted {
            state.store(Some(value));
        }
        Ok(permitted)
    }

    /// Gives a setting another value for the running request, before its script runs. Scripts cannot change it if it is `locked`.
    /// Names that no setting has are ignored, and so are values that the declaration refuses.
    pub fn begin_with(&self, vm: &crate::Vm, name: &str, value: &[u8], locked: bool) {
        let Some(state) = self.find(name.as_bytes()) else { return };
        // Nothing could catch an exception of the handler yet.
        let _ = self.change(vm, state.def, "", PhpStr::new(value));
        state.is_locked.set(locked);
    }

    /// Restores the value from before the script's changes, if the declaration permits that.
    pub fn restore(&self, vm: &crate::Vm, state: &IniState, prefix: &str) -> crate::PhpResult<()> {
        if !state.is_changed() || !state.def.is_restored {
            return Ok(());
        }
        let original = state.original();
        let (stage, value) = (IniStage::Runtime, original.as_ref());
        if state.def.permits(&IniChange { vm, setting: state.def, stage, prefix, value })? {
            state.store(original);
            state.original.take();
            self.changed.borrow_mut().retain(|number| *number != state.def.number());
        }
        Ok(())
    }

    /// Restores all settings at the end of the request. The script's error handlers are not called.
    pub fn restore_all(&self, vm: &crate::Vm) {
        let changed = self.changed.take();
        vm.errors.handlers.borrow_mut().push((phlox_value::Val::NULL, 0));
        for state in changed.into_iter().filter_map(|number| self.states.get(number)?.as_ref()) {
            let original = state.original();
            let (stage, prefix, value) = (IniStage::End, "PHP Request Shutdown: ", original.as_ref());
            // The value is restored even if the handler refuses it.
            let _ = state.def.permits(&IniChange { vm, setting: state.def, stage, prefix, value });
            state.store(original);
            state.original.take();
            state.is_locked.set(false);
        }
        vm.errors.handlers.borrow_mut().pop();
    }

    /// A value of the configuration, for `get_cfg_var`.
    pub fn configured(&self, name: &str) -> Option<PhpStr> {
        self.configuration.get(name).cloned()
    }

    /// The values that the configuration gives to elements of `name`, with their keys.
    pub fn configured_elements(&self, name: &str) -> Vec<(Vec<u8>, PhpStr)> {
        let key = |full: &str| Some(full.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?.as_bytes().to_vec());
        let mut elements: Vec<_> =
            self.configuration.iter().filter_map(|(full, value)| Some((key(full)?, value.clone()))).collect();
        elements.sort();
        elements
    }
}

/// The value of a setting that the request does not have: its default.
#[cold]
fn by_default<T: IniType>(setting: &'static IniSetting<T>) -> T::Value {
    T::value(&IniState::new(setting, "", None))
}

/// A number with an optional suffix K, M or G; errors in the text are ignored.
pub fn parse_quantity(text: &[u8]) -> i64 {
    crate::quantity::quantity(text).0
}
