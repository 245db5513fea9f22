//! Configuration settings: how they are declared ([`setting`]), and what a request has in them.
//!
//! Each declaration has a number, the same in every request. A request keeps what it has in a setting at that place of a list, with
//! the meaning of its text beside the text, so that a read looks nothing up.

pub mod setting;
pub mod text;

use phlox_value::PhpStr;
pub use setting::{
    IniAccess, IniBool, IniChange, IniDef, IniFloat, IniHandler, IniInt, IniQuantity, IniSetting, IniStage, IniString,
    IniType, Shown, not_empty,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

/// What a request has in a setting.
pub struct IniState {
    pub def: &'static IniDef,
    pub extension: &'static str,
    /// The configuration says something of it.
    is_configured: bool,
    bits: Cell<u64>,
    value: RefCell<Option<PhpStr>>,
    /// What `ini_restore` goes back to, once the value was changed.
    original: RefCell<Option<Option<PhpStr>>>,
}

impl IniState {
    /// A setting with a value from the configuration, or its default.
    fn new(def: &'static IniDef, extension: &'static str, configured: Option<PhpStr>) -> IniState {
        let is_configured = configured.is_some();
        let value = configured.or_else(|| def.default.map(PhpStr::from));
        let bits = Cell::new((def.parse)(value.as_ref().map(|value| value.as_bytes())));
        IniState { def, extension, is_configured, bits, value: RefCell::new(value), original: RefCell::default() }
    }

    /// What the text means, as the setting's type has it.
    #[inline]
    pub fn bits(&self) -> u64 {
        self.bits.get()
    }

    pub fn value(&self) -> Option<PhpStr> {
        self.value.borrow().clone()
    }

    /// The value, empty if there is none.
    pub fn text(&self) -> PhpStr {
        self.value().unwrap_or_else(PhpStr::empty)
    }

    /// The value that the script found.
    pub fn original(&self) -> Option<PhpStr> {
        self.original.borrow().clone().unwrap_or_else(|| self.value())
    }

    pub fn is_changed(&self) -> bool {
        self.original.borrow().is_some()
    }

    fn store(&self, value: Option<PhpStr>) {
        self.bits.set((self.def.parse)(value.as_ref().map(|value| value.as_bytes())));
        // What was there is freed when nothing is borrowed any more.
        drop(self.value.replace(value));
    }
}

/// All settings of a request.
#[derive(Default)]
pub struct Ini {
    /// By the number of the declaration.
    states: Vec<Option<IniState>>,
    numbers: HashMap<&'static str, usize, foldhash::fast::FixedState>,
    /// The numbers of the settings that were changed, in the order in which they were.
    changed: RefCell<Vec<usize>>,
    /// What the configuration (php.ini, `-d`) says, also of settings that nobody declares.
    configuration: BTreeMap<String, PhpStr>,
}

impl Ini {
    /// Gives a setting from the configuration. Call before [`Ini::declare`].
    pub fn configure(&mut self, name: &str, value: &[u8]) {
        self.configuration.insert(name.to_owned(), PhpStr::new(value));
    }

    /// Adds an extension's settings, with what the configuration says or their defaults.
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

    /// Asks an extension's settings about their values from the configuration; those that are refused have their defaults then.
    /// What follows from defaults needs no handler.
    pub fn start(&self, vm: &crate::Vm, defs: &[&'static IniDef]) {
        for state in defs.iter().filter_map(|def| self.state(def)).filter(|state| state.is_configured) {
            let ask = |value: Option<&PhpStr>| {
                let (stage, prefix) = (IniStage::Startup, "PHP Startup: ");
                state.def.permits(&IniChange { vm, setting: state.def, stage, prefix, value })
            };
            // An exception has nobody to catch it yet.
            if !ask(state.value().as_ref()).unwrap_or(false) {
                state.store(state.def.default.map(PhpStr::from));
                let _ = ask(state.value().as_ref());
            }
        }
    }

    /// The value of a setting. One that the request does not have is as its default says.
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

    /// Has a setting a value, be it an empty one?
    pub fn is_set(&self, def: &IniDef) -> bool {
        self.state(def).is_some_and(|state| state.value.borrow().is_some())
    }

    /// What this request has in a setting; `None`: it does not have the setting.
    #[inline]
    pub fn state(&self, def: &IniDef) -> Option<&IniState> {
        self.states.get(def.number())?.as_ref()
    }

    /// The setting of a name that a script has.
    pub fn find(&self, name: &[u8]) -> Option<&IniState> {
        let number = self.numbers.get(std::str::from_utf8(name).ok()?)?;
        self.states.get(*number)?.as_ref()
    }

    /// All settings in order of name.
    pub fn all(&self) -> Vec<&IniState> {
        let mut all: Vec<_> = self.states.iter().flatten().collect();
        all.sort_by_cached_key(|state| state.def.name.to_ascii_lowercase());
        all
    }

    /// From now on there is something to go back to.
    fn note_change(&self, state: &IniState) {
        if !state.is_changed() {
            *state.original.borrow_mut() = Some(state.value());
            self.changed.borrow_mut().push(state.def.number());
        }
    }

    /// Changes a setting of which nobody needs to be asked.
    pub fn put(&self, def: &IniDef, value: PhpStr) {
        if let Some(state) = self.state(def) {
            self.note_change(state);
            state.store(Some(value));
        }
    }

    /// Changes a setting if its declaration permits it; messages begin with a prefix.
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

    /// Gives a setting back the value that the script found, if its declaration permits it.
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

    /// Gives all settings back the values that the request found, at its end. The script's error handlers hear nothing of it.
    pub fn restore_all(&self, vm: &crate::Vm) {
        let changed = self.changed.take();
        vm.errors.handlers.borrow_mut().push((phlox_value::Val::NULL, 0));
        for state in changed.into_iter().filter_map(|number| self.states.get(number)?.as_ref()) {
            let original = state.original();
            let (stage, prefix, value) = (IniStage::End, "PHP Request Shutdown: ", original.as_ref());
            // Whatever it says, the next request has the value again.
            let _ = state.def.permits(&IniChange { vm, setting: state.def, stage, prefix, value });
            state.store(original);
            state.original.take();
        }
        vm.errors.handlers.borrow_mut().pop();
    }

    /// `get_cfg_var`: a value from the configuration.
    pub fn configured(&self, name: &str) -> Option<PhpStr> {
        self.configuration.get(name).cloned()
    }

    /// The values that the configuration gives as elements of `name`, with their keys.
    pub fn configured_elements(&self, name: &str) -> Vec<(Vec<u8>, PhpStr)> {
        let key = |full: &str| Some(full.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?.as_bytes().to_vec());
        let mut elements: Vec<_> =
            self.configuration.iter().filter_map(|(full, value)| Some((key(full)?, value.clone()))).collect();
        elements.sort();
        elements
    }
}

/// What a request has in a setting that it does not have.
#[cold]
fn by_default<T: IniType>(setting: &'static IniSetting<T>) -> T::Value {
    T::value(&IniState::new(setting, "", None))
}

/// A number with an optional K, M or G suffix; nobody hears what is wrong with it.
pub fn parse_quantity(text: &[u8]) -> i64 {
    crate::quantity::quantity(text).0
}
