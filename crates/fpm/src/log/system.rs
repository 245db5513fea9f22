//! The system's log: messages to the socket that syslog services listen at.

use super::level::Level;
use phlox_process::format_time;
use std::os::unix::net::UnixDatagram;
use std::time::SystemTime;

/// Where syslog services listen.
const SOCKET: &str = "/dev/log";

/// What part of the system a message is about, by the numbers of syslog (RFC 3164).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facility(pub i32);

const FACILITIES: &[(&str, i32)] = &[
    ("AUTH", 4),
    ("AUTHPRIV", 10),
    ("CRON", 9),
    ("DAEMON", 3),
    ("FTP", 11),
    ("KERN", 0),
    ("LPR", 6),
    ("MAIL", 2),
    ("NEWS", 7),
    ("SYSLOG", 5),
    ("USER", 1),
    ("UUCP", 8),
    ("LOCAL0", 16),
    ("LOCAL1", 17),
    ("LOCAL2", 18),
    ("LOCAL3", 19),
    ("LOCAL4", 20),
    ("LOCAL5", 21),
    ("LOCAL6", 22),
    ("LOCAL7", 23),
];

impl Facility {
    /// The facility of daemons.
    pub const DAEMON: Facility = Facility(3 << 3);

    /// The facility with a name, in either case.
    pub fn named(name: &str) -> Option<Facility> {
        let row = FACILITIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(Facility(row.1 << 3))
    }
}

/// A connection to the system's log.
pub struct System {
    name: String,
    facility: Facility,
    socket: Option<UnixDatagram>,
}

impl System {
    /// The log under a program's name.
    pub fn new(name: &str, facility: Facility) -> System {
        System { name: name.to_owned(), facility, socket: None }
    }

    pub(super) fn write(&mut self, level: Level, message: &[u8]) {
        let severity = match level {
            Level::Debug => 7,
            Level::Notice => 5,
            Level::Warning => 4,
            Level::Error => 3,
            Level::Alert => 1,
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let time = format_time("%b %e %H:%M:%S", now as i64);
        let head = format!("<{}>{time} {}[{}]: ", self.facility.0 | severity, self.name, std::process::id());
        let packet = [head.as_bytes(), message].concat();
        // The service may have been started anew: once more with a new connection.
        for _ in 0..2 {
            if self.socket.is_none() {
                self.socket = connect();
            }
            match self.socket.as_ref().map(|socket| socket.send(&packet)) {
                Some(Ok(_)) | None => return,
                Some(Err(_)) => self.socket = None,
            }
        }
    }
}

fn connect() -> Option<UnixDatagram> {
    let socket = UnixDatagram::unbound().ok()?;
    socket.connect(SOCKET).ok()?;
    Some(socket)
}
