//! How serious messages are.

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Debug = 1,
    Notice,
    Warning,
    Error,
    Alert,
}

impl Level {
    /// The name as lines of the log show it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "DEBUG",
            Level::Notice => "NOTICE",
            Level::Warning => "WARNING",
            Level::Error => "ERROR",
            Level::Alert => "ALERT",
        }
    }

    /// The level with a number.
    pub fn of(number: u8) -> Level {
        match number {
            0 | 1 => Level::Debug,
            2 => Level::Notice,
            3 => Level::Warning,
            4 => Level::Error,
            _ => Level::Alert,
        }
    }
}
