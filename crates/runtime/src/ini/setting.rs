//! Declarations of settings: each is one typed `static` beside the code that uses it.
//!
//! `pub static PRECISION: IniInt = IniInt::new("precision", "14", IniAccess::All).at_least(-1);` declares the name, the default,
//! who may change the setting, and its valid values. Its extension lists `&PRECISION.def`, and `vm.ini.get(&PRECISION)` reads it.

use super::{IniState, parse_quantity, text};
use crate::errors::Display;
use crate::quantity::quantity;
use crate::{PhpResult, Vm};
use phlox_value::PhpStr;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// Who may change a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IniAccess {
    /// Scripts, too (`INI_ALL`).
    All,
    /// Configuration files and per-directory settings (`INI_PERDIR`).
    PerDir,
    /// Configuration files only (`INI_SYSTEM`).
    System,
    /// Like [`IniAccess::PerDir`], but PHP reports it as `INI_PERDIR` only.
    PerDirOnly,
    /// Scripts only (`INI_USER`).
    User,
}

/// How `phpinfo` shows a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Its text.
    Text,
    /// `On` or `Off`.
    Switch,
    /// In its colour.
    Color,
    /// Where errors are shown: `STDOUT`, `STDERR` or `Off`.
    Errors,
}

/// The occasion on which a setting gets a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IniStage {
    /// From the configuration, before the script.
    Startup,
    /// By the script.
    Runtime,
    /// At the end of the request, when all settings are restored. Refusals are ignored.
    End,
}

/// A value that a setting is about to get. The setting still has the old value while handlers run.
pub struct IniChange<'a> {
    pub vm: &'a Vm,
    pub setting: &'static IniDef,
    pub stage: IniStage,
    /// The start of messages, for instance `ini_set(): `.
    pub prefix: &'a str,
    /// The new value; `None` if the setting is restored to having none.
    pub value: Option<&'a PhpStr>,
}

impl<'a> IniChange<'a> {
    /// The value's text, empty if there is no value.
    pub fn text(&self) -> &'a [u8] {
        self.value.map_or(&[], |value| value.as_bytes())
    }

    /// The text that a setting will have after the change.
    pub fn text_of(&self, setting: &'static IniDef) -> PhpStr {
        if std::ptr::eq(self.setting, setting) { PhpStr::new(self.text()) } else { self.vm.ini.text(setting) }
    }

    /// The value as a quantity.
    pub fn number(&self) -> i64 {
        parse_quantity(self.text())
    }

    /// The value as a boolean.
    pub fn truth(&self) -> bool {
        text::bool(self.text())
    }

    /// Raises a warning that starts with the prefix.
    pub fn warning(&self, message: &str) -> PhpResult<()> {
        self.vm.warning(format!("{}{message}", self.prefix).as_bytes())
    }

    /// Raises a deprecation that starts with the prefix.
    pub fn deprecated(&self, message: &str) -> PhpResult<()> {
        self.vm.deprecated(format!("{}{message}", self.prefix).as_bytes())
    }
}

/// Validates the new value of a setting and applies its effects. False refuses the value.
pub type IniHandler = fn(&IniChange<'_>) -> PhpResult<bool>;

/// A handler that refuses empty values and values that start with a NUL byte.
pub fn not_empty(change: &IniChange<'_>) -> PhpResult<bool> {
    Ok(change.value.is_none_or(|value| !matches!(value.first(), None | Some(0))))
}

/// The part of a declaration that does not depend on its type.
pub struct IniDef {
    pub name: &'static str,
    /// The default; without one the setting has no value (`ini_get` gives an empty string, listings give null).
    pub default: Option<&'static str>,
    pub access: IniAccess,
    pub shown: Shown,
    pub(super) parse: fn(Option<&[u8]>) -> u64,
    problem: fn(&[u8]) -> Option<String>,
    least: i64,
    most: i64,
    guard: Option<IniHandler>,
    handler: Option<IniHandler>,
    pub(super) is_restored: bool,
    /// The setting's index in every request's list of settings; 0 until it is declared to a request.
    number: AtomicU32,
}

impl IniDef {
    /// Whether the declaration permits a value; handlers apply its effects.
    pub(super) fn permits(&self, change: &IniChange<'_>) -> PhpResult<bool> {
        if let Some(guard) = self.guard
            && !guard(change)?
        {
            return Ok(false);
        }
        if let Some(problem) = change.value.and_then(|value| (self.problem)(value)) {
            change.vm.warning(format!("Invalid \"{}\" setting. {problem}", self.name).as_bytes())?;
        }
        let number = (self.parse)(change.value.map(|value| value.as_bytes())) as i64;
        if !(self.least..=self.most).contains(&number) {
            return Ok(false);
        }
        self.handler.map_or(Ok(true), |handler| handler(change))
    }

    /// A value as `phpinfo` shows it; `None` if nothing is shown. `on_terminal` names the stream where errors are shown.
    pub fn display(&self, value: Option<&PhpStr>, on_terminal: bool) -> Option<Vec<u8>> {
        let word = match self.shown {
            Shown::Text => return value.filter(|value| !value.is_empty()).map(|value| value.to_vec()),
            Shown::Color => {
                return value.map(|color| [b"<span style=\"color: ", &color[..], b"\">", color, b"</span>"].concat());
            }
            Shown::Switch if value.is_some_and(|value| text::bool(value)) => "On",
            Shown::Switch => "Off",
            Shown::Errors => match Display::named(value.map(|value| value.as_bytes())) {
                Display::Nowhere => "Off",
                Display::Output if on_terminal => "STDOUT",
                Display::Standard if on_terminal => "STDERR",
                _ => "On",
            },
        };
        Some(word.into())
    }

    /// The setting's number; 0 if it has none.
    #[inline]
    pub(super) fn number(&self) -> usize {
        self.number.load(Ordering::Relaxed) as usize
    }

    /// The setting's number, which is assigned now if it has none.
    pub(super) fn numbered(&self) -> usize {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        if self.number() == 0 {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            // If another thread was faster, its number is used.
            let _ = self.number.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        }
        self.number()
    }
}

/// The type of a setting. A request stores the parsed value in 64 bits that are computed with each change, so that reads are as
/// cheap as those of a variable.
pub trait IniType {
    type Value;
    const SHOWN: Shown = Shown::Text;

    /// Parses a text, or the lack of one.
    fn parse(text: Option<&[u8]>) -> u64;

    /// The value that reads get.
    fn value(state: &IniState) -> Self::Value;

    /// The message about an invalid text that is accepted nevertheless.
    fn problem(_text: &[u8]) -> Option<String> {
        None
    }
}

/// The type of [`IniInt`]: integers as C's `atol` reads them.
pub struct Int;

impl IniType for Int {
    type Value = i64;

    fn parse(value: Option<&[u8]>) -> u64 {
        text::int(value.unwrap_or_default()) as u64
    }

    #[inline]
    fn value(state: &IniState) -> i64 {
        state.bits() as i64
    }
}

/// The type of [`IniQuantity`]: `128M`, `2G`, `0x10`. An invalid quantity raises a warning when it is set.
pub struct Quantity;

impl IniType for Quantity {
    type Value = i64;

    fn parse(value: Option<&[u8]>) -> u64 {
        parse_quantity(value.unwrap_or_default()) as u64
    }

    #[inline]
    fn value(state: &IniState) -> i64 {
        state.bits() as i64
    }

    fn problem(value: &[u8]) -> Option<String> {
        quantity(value).1
    }
}

/// The type of [`IniBool`]: `on`, `yes`, `true` and numbers other than 0 are true.
pub struct Bool;

impl IniType for Bool {
    type Value = bool;
    const SHOWN: Shown = Shown::Switch;

    fn parse(value: Option<&[u8]>) -> u64 {
        text::bool(value.unwrap_or_default()).into()
    }

    #[inline]
    fn value(state: &IniState) -> bool {
        state.bits() != 0
    }
}

/// The type of [`IniFloat`]: decimal numbers.
pub struct Float;

impl IniType for Float {
    type Value = f64;

    fn parse(value: Option<&[u8]>) -> u64 {
        text::float(value.unwrap_or_default()).to_bits()
    }

    fn value(state: &IniState) -> f64 {
        f64::from_bits(state.bits())
    }
}

/// The type of [`IniString`]; without a value it is empty.
pub struct Text;

impl IniType for Text {
    type Value = PhpStr;

    fn parse(_: Option<&[u8]>) -> u64 {
        0
    }

    fn value(state: &IniState) -> PhpStr {
        state.text()
    }
}

/// The declaration of a setting with values of type `T`.
pub struct IniSetting<T> {
    pub def: IniDef,
    values: PhantomData<fn() -> T>,
}

/// A setting whose value is an integer.
pub type IniInt = IniSetting<Int>;
/// A setting whose value is a quantity.
pub type IniQuantity = IniSetting<Quantity>;
/// A setting whose value is a boolean.
pub type IniBool = IniSetting<Bool>;
/// A setting whose value is a float.
pub type IniFloat = IniSetting<Float>;
/// A setting whose value is a string.
pub type IniString = IniSetting<Text>;

impl<T> std::ops::Deref for IniSetting<T> {
    type Target = IniDef;

    #[inline]
    fn deref(&self) -> &IniDef {
        &self.def
    }
}

impl<T: IniType> IniSetting<T> {
    /// A setting with a default value.
    pub const fn new(name: &'static str, default: &'static str, access: IniAccess) -> IniSetting<T> {
        IniSetting::declare(name, Some(default), access)
    }

    /// A setting without a default value.
    pub const fn unset(name: &'static str, access: IniAccess) -> IniSetting<T> {
        IniSetting::declare(name, None, access)
    }

    const fn declare(name: &'static str, default: Option<&'static str>, access: IniAccess) -> IniSetting<T> {
        let def = IniDef {
            name,
            default,
            access,
            shown: T::SHOWN,
            parse: T::parse,
            problem: T::problem,
            least: i64::MIN,
            most: i64::MAX,
            guard: None,
            handler: None,
            is_restored: true,
            number: AtomicU32::new(0),
        };
        IniSetting { def, values: PhantomData }
    }

    /// Sets the handler that is called before the new value is parsed.
    pub const fn guard(mut self, guard: IniHandler) -> IniSetting<T> {
        self.def.guard = Some(guard);
        self
    }

    /// Sets the handler that is called with a new value that is valid and within bounds, and that applies its effects.
    pub const fn on_change(mut self, handler: IniHandler) -> IniSetting<T> {
        self.def.handler = Some(handler);
        self
    }

    /// Makes `ini_restore` ignore the setting, as PHP does for settings without a handler.
    pub const fn not_restored(mut self) -> IniSetting<T> {
        self.def.is_restored = false;
        self
    }

    /// Sets how `phpinfo` shows values, if not in the way of the type.
    pub const fn shown(mut self, shown: Shown) -> IniSetting<T> {
        self.def.shown = shown;
        self
    }
}

impl<T: IniType<Value = i64>> IniSetting<T> {
    /// Refuses smaller numbers silently.
    pub const fn at_least(self, least: i64) -> IniSetting<T> {
        self.within(least, i64::MAX)
    }

    /// Refuses numbers outside of the range silently.
    pub const fn within(mut self, least: i64, most: i64) -> IniSetting<T> {
        self.def.least = least;
        self.def.most = most;
        self
    }
}
