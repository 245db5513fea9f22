//! The default time zone, and local time in it.

use crate::calendar::Civil;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use phlox_runtime::{Call, FnDef, Level, PhpResult, Val, Vm};
use std::cell::RefCell;
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("date_default_timezone_set(string $timezoneId): bool", date_default_timezone_set),
    FnDef::new("date_default_timezone_get(): string", date_default_timezone_get),
];

/// A time zone with the name that PHP shows.
#[derive(Clone)]
pub struct Zone {
    pub name: String,
    pub rules: TimeZone,
}

/// Offset from UTC at a moment.
pub struct Offset {
    pub seconds: i64,
    pub abbreviation: String,
    pub daylight_saving: bool,
}

#[derive(Default)]
struct Holder {
    zone: RefCell<Option<Zone>>,
}

fn holder(vm: &Vm) -> Rc<Holder> {
    vm.data::<Holder>("date")
}

impl Zone {
    pub fn utc() -> Zone {
        Zone { name: "UTC".into(), rules: TimeZone::UTC }
    }

    /// A zone of the IANA database, by its name in any case.
    pub fn find(name: &str) -> Option<Zone> {
        if name.eq_ignore_ascii_case("utc") {
            return Some(Zone::utc());
        }
        let rules = jiff::tz::db().get(name).ok()?;
        let name = rules.iana_name().unwrap_or(name).to_owned();
        Some(Zone { name, rules })
    }

    /// The zone set by the script, else the configured one.
    pub fn default(vm: &Vm) -> Zone {
        if let Some(zone) = holder(vm).zone.borrow().clone() {
            return zone;
        }
        Zone::find(&vm.ini.string("date.timezone").to_string()).unwrap_or_else(Zone::utc)
    }

    pub fn offset_at(&self, timestamp: i64) -> Offset {
        let Ok(moment) = Timestamp::from_second(timestamp) else {
            return Offset { seconds: 0, abbreviation: "UTC".into(), daylight_saving: false };
        };
        let info = self.rules.to_offset_info(moment);
        Offset {
            seconds: info.offset().seconds() as i64,
            abbreviation: info.abbreviation().to_owned(),
            daylight_saving: info.dst().is_dst(),
        }
    }

    /// The timestamp of a local time; one that daylight saving skips moves forward.
    pub fn timestamp_of(&self, local_seconds: i64) -> i64 {
        let before = self.offset_at(local_seconds.saturating_sub(86_400)).seconds;
        let guess = local_seconds.saturating_sub(before);
        let offset = self.offset_at(guess).seconds;
        if offset == before {
            return guess;
        }
        let second = local_seconds.saturating_sub(offset);
        if self.offset_at(second).seconds == offset { second } else { guess }
    }

    /// Local calendar fields of a moment.
    pub fn civil(&self, timestamp: i64) -> (Civil, Offset) {
        let offset = self.offset_at(timestamp);
        (Civil::from_seconds(timestamp.saturating_add(offset.seconds)), offset)
    }
}

fn date_default_timezone_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0).to_string();
    match Zone::find(&name) {
        Some(zone) => {
            *holder(call.vm).zone.borrow_mut() = Some(zone);
            Ok(Val::TRUE)
        }
        None => {
            call.raise(Level::Notice, format!("Timezone ID '{name}' is invalid").as_bytes())?;
            Ok(Val::FALSE)
        }
    }
}

fn date_default_timezone_get(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Zone::default(call.vm).name.into())
}
