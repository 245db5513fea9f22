//! The kinds of values that directives have: how they are read and shown.

use crate::log::{Facility, Level};
use std::fmt;

/// A directive's value.
pub trait Value: Sized {
    /// Reads the value; the error says what is wrong with the text.
    ///
    /// # Errors
    /// If the text is no such value.
    fn read(text: &str) -> Result<Self, &'static str>;

    /// The value as the dump of the configuration shows it.
    fn show(&self) -> String;
}

impl Value for Option<String> {
    fn read(text: &str) -> Result<Option<String>, &'static str> {
        Ok(Some(text.to_owned()))
    }

    fn show(&self) -> String {
        self.clone().unwrap_or_else(|| "undefined".to_owned())
    }
}

/// The number that a text begins with, as the C library reads it.
fn leading_number(text: &str) -> i32 {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
    let number = digits.parse::<i64>().unwrap_or(if digits.is_empty() { 0 } else { i64::from(i32::MAX) });
    let number = if text.starts_with('-') { -number } else { number };
    number.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

impl Value for i32 {
    fn read(text: &str) -> Result<i32, &'static str> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            Ok(leading_number(text))
        } else {
            Err("is not a valid number (greater or equal than zero)")
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for bool {
    fn read(text: &str) -> Result<bool, &'static str> {
        match text {
            "1" | "yes" | "true" | "on" => Ok(true),
            "" | "0" | "no" | "none" | "false" | "off" => Ok(false),
            _ => Err("invalid boolean value"),
        }
    }

    fn show(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

/// A span of time in seconds; in the text minutes, hours and days, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seconds(pub i32);

impl Value for Seconds {
    fn read(text: &str) -> Result<Seconds, &'static str> {
        let number = leading_number(text);
        let unit = match text.bytes().last() {
            None => return Err("invalid time value"),
            Some(b'm') => 60,
            Some(b'h') => 3600,
            Some(b'd') => 86400,
            Some(b's' | b'0'..=b'9') => 1,
            Some(_) => return Err("unknown suffix used in time value"),
        };
        Ok(Seconds(number.wrapping_mul(unit)))
    }

    fn show(&self) -> String {
        format!("{}s", self.0)
    }
}

/// A span of time that is shown without a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainSeconds(pub i32);

impl Value for PlainSeconds {
    fn read(text: &str) -> Result<PlainSeconds, &'static str> {
        Seconds::read(text).map(|seconds| PlainSeconds(seconds.0))
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

/// A priority of processes; none is set by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Priority(pub Option<i32>);

impl Priority {
    /// The number that stands for no priority.
    const UNSET: i32 = 64;

    /// Whether the system knows such a priority.
    pub fn is_valid(self) -> bool {
        self.0.is_none_or(|priority| (-19..=20).contains(&priority))
    }
}

impl Value for Priority {
    fn read(text: &str) -> Result<Priority, &'static str> {
        i32::read(text).map(|number| Priority((number != Priority::UNSET).then_some(number)))
    }

    fn show(&self) -> String {
        self.0.map_or_else(|| "undefined".to_owned(), |priority| priority.to_string())
    }
}

/// The largest core file; -1: without a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreLimit(pub i32);

impl Value for CoreLimit {
    fn read(text: &str) -> Result<CoreLimit, &'static str> {
        if text.eq_ignore_ascii_case("unlimited") {
            return Ok(CoreLimit(-1));
        }
        match i32::read(text)? {
            number if number < 0 => Err("must be greater than zero or 'unlimited'"),
            number => Ok(CoreLimit(number)),
        }
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

/// php-fpm does not know the name of the level that it has where none is configured.
impl Value for Option<Level> {
    fn read(text: &str) -> Result<Option<Level>, &'static str> {
        match &text.to_ascii_lowercase()[..] {
            "debug" => Ok(Some(Level::Debug)),
            "notice" => Ok(Some(Level::Notice)),
            "warning" | "warn" => Ok(Some(Level::Warning)),
            "error" => Ok(Some(Level::Error)),
            "alert" => Ok(Some(Level::Alert)),
            _ => Err("invalid value for 'log_level'"),
        }
    }

    fn show(&self) -> String {
        self.map_or("unknown value", Level::name).to_owned()
    }
}

impl Value for Option<Facility> {
    fn read(text: &str) -> Result<Option<Facility>, &'static str> {
        Facility::named(text).map(Some).ok_or("invalid value")
    }

    fn show(&self) -> String {
        self.unwrap_or(Facility::DAEMON).0.to_string()
    }
}

/// How a pool decides how many workers it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manager {
    #[default]
    Undefined,
    Static,
    Dynamic,
    OnDemand,
}

impl Manager {
    const ALL: [Manager; 4] = [Manager::Undefined, Manager::Static, Manager::Dynamic, Manager::OnDemand];

    /// The manager with a number of the scoreboard.
    pub fn of(number: u64) -> Manager {
        Manager::ALL.get(number as usize).copied().unwrap_or_default()
    }
}

impl fmt::Display for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Manager::Undefined => "undefined",
            Manager::Static => "static",
            Manager::Dynamic => "dynamic",
            Manager::OnDemand => "ondemand",
        })
    }
}

impl Value for Manager {
    fn read(text: &str) -> Result<Manager, &'static str> {
        let known = Manager::ALL[1..].iter().find(|manager| manager.to_string().eq_ignore_ascii_case(text));
        known.copied().ok_or("invalid process manager (static, dynamic or ondemand)")
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// A way of waiting for events. There is one, whatever the configuration asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mechanism(pub Option<String>);

impl Mechanism {
    /// Whether this system has it.
    pub fn is_available(&self) -> bool {
        let known = ["epoll", "poll", "select"];
        self.0.as_deref().is_none_or(|name| known.iter().any(|known| known.eq_ignore_ascii_case(name)))
    }

    /// Whether a pool that starts workers on demand can be served.
    pub fn serves_on_demand(&self) -> bool {
        self.0.as_deref().is_none_or(|name| name.eq_ignore_ascii_case("epoll"))
    }
}

impl Value for Mechanism {
    fn read(text: &str) -> Result<Mechanism, &'static str> {
        Ok(Mechanism(Some(text.to_owned())))
    }

    fn show(&self) -> String {
        self.0.as_deref().unwrap_or("epoll").to_ascii_lowercase()
    }
}

/// How often systemd is told what the server does; `None`: by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval(pub Option<i32>);

impl Interval {
    /// Seconds where nothing is configured.
    pub const DEFAULT: i32 = 10;
}

impl Value for Interval {
    fn read(text: &str) -> Result<Interval, &'static str> {
        Seconds::read(text).map(|seconds| Interval((seconds.0 >= 0).then_some(seconds.0)))
    }

    fn show(&self) -> String {
        format!("{}s", self.0.unwrap_or(Interval::DEFAULT))
    }
}
