//! Messages to the system's log.

use phlox_runtime::ini::{IniAccess, IniSetting, IniState, IniString, IniType};
use phlox_runtime::{Call, ConstValue, FnDef, PhpResult, Val, Vm};
use std::cell::RefCell;
use std::io::Write;
use std::os::unix::net::UnixDatagram;

/// The prefix of messages, unless `openlog` sets one.
pub static IDENT: IniString = IniString::new("syslog.ident", "php", IniAccess::System);

/// Which bytes of a message reach the log as they are.
pub static FILTER: IniSetting<Filter> = IniSetting::new("syslog.filter", "no-ctrl", IniAccess::All)
    .on_change(|change| Ok(Filter::named(change.text()).is_some()));

pub static FACILITY: IniString =
    IniString::new("syslog.facility", "LOG_USER", IniAccess::System).on_change(|change| Ok(is_facility(change.text())));

/// The values of [`FILTER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    NoControl,
    All,
    Ascii,
    /// All bytes pass, and lines are not separated.
    Raw,
}

impl Filter {
    const NAMES: [(&[u8], Filter); 4] =
        [(b"no-ctrl", Filter::NoControl), (b"all", Filter::All), (b"ascii", Filter::Ascii), (b"raw", Filter::Raw)];

    fn named(name: &[u8]) -> Option<Filter> {
        Filter::NAMES.iter().find(|(known, _)| *known == name).map(|(_, filter)| *filter)
    }
}

impl IniType for Filter {
    type Value = Filter;

    fn parse(text: Option<&[u8]>) -> u64 {
        text.and_then(Filter::named).unwrap_or(Filter::NoControl) as u64
    }

    fn value(state: &IniState) -> Filter {
        Filter::NAMES.iter().find(|(_, filter)| *filter as u64 == state.bits()).map_or(Filter::All, |row| row.1)
    }
}

/// Facilities have the names of C's constants and those of `syslog.conf`.
fn is_facility(name: &[u8]) -> bool {
    const NAMES: &str = "auth authpriv cron daemon ftp kern local0 local1 local2 local3 local4 local5 local6 local7 lpr mail \
                         news syslog user uucp";
    let is = |known: &str| {
        name == known.as_bytes() || name.strip_prefix(b"LOG_") == Some(known.to_ascii_uppercase().as_bytes())
    };
    name == b"security" || NAMES.split(' ').any(is)
}

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("openlog(string $prefix, int $flags, int $facility): true", openlog),
    FnDef::new("closelog(): true", closelog),
    FnDef::new("syslog(int $priority, string $message): true", syslog),
];

const PID: i64 = 1;
const CONSOLE: i64 = 2;
const STANDARD_ERROR: i64 = 32;
const USER: i64 = 8;

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("LOG_EMERG", ConstValue::Int(0)),
    ("LOG_ALERT", ConstValue::Int(1)),
    ("LOG_CRIT", ConstValue::Int(2)),
    ("LOG_ERR", ConstValue::Int(3)),
    ("LOG_WARNING", ConstValue::Int(4)),
    ("LOG_NOTICE", ConstValue::Int(5)),
    ("LOG_INFO", ConstValue::Int(6)),
    ("LOG_DEBUG", ConstValue::Int(7)),
    ("LOG_KERN", ConstValue::Int(0)),
    ("LOG_USER", ConstValue::Int(USER)),
    ("LOG_MAIL", ConstValue::Int(2 << 3)),
    ("LOG_DAEMON", ConstValue::Int(3 << 3)),
    ("LOG_AUTH", ConstValue::Int(4 << 3)),
    ("LOG_SYSLOG", ConstValue::Int(5 << 3)),
    ("LOG_LPR", ConstValue::Int(6 << 3)),
    ("LOG_NEWS", ConstValue::Int(7 << 3)),
    ("LOG_UUCP", ConstValue::Int(8 << 3)),
    ("LOG_CRON", ConstValue::Int(9 << 3)),
    ("LOG_AUTHPRIV", ConstValue::Int(10 << 3)),
    ("LOG_LOCAL0", ConstValue::Int(16 << 3)),
    ("LOG_LOCAL1", ConstValue::Int(17 << 3)),
    ("LOG_LOCAL2", ConstValue::Int(18 << 3)),
    ("LOG_LOCAL3", ConstValue::Int(19 << 3)),
    ("LOG_LOCAL4", ConstValue::Int(20 << 3)),
    ("LOG_LOCAL5", ConstValue::Int(21 << 3)),
    ("LOG_LOCAL6", ConstValue::Int(22 << 3)),
    ("LOG_LOCAL7", ConstValue::Int(23 << 3)),
    ("LOG_PID", ConstValue::Int(PID)),
    ("LOG_CONS", ConstValue::Int(CONSOLE)),
    ("LOG_ODELAY", ConstValue::Int(4)),
    ("LOG_NDELAY", ConstValue::Int(8)),
    ("LOG_NOWAIT", ConstValue::Int(16)),
    ("LOG_PERROR", ConstValue::Int(STANDARD_ERROR)),
];

/// The parameters of `openlog`.
#[derive(Clone, Default)]
struct Log {
    prefix: Option<Vec<u8>>,
    flags: i64,
    facility: i64,
}

#[derive(Default)]
struct State(RefCell<Log>);

fn openlog(call: &mut Call<'_>) -> PhpResult<Val> {
    let log = Log { prefix: Some(call.str(0).to_vec()), flags: call.int(1), facility: call.int(2) };
    *call.vm.data::<State>("syslog").0.borrow_mut() = log;
    Ok(Val::TRUE)
}

fn closelog(call: &mut Call<'_>) -> PhpResult<Val> {
    call.vm.data::<State>("syslog").0.take();
    Ok(Val::TRUE)
}

/// A message may have several lines: each is a message of its own, unless `syslog.filter` lets everything through.
/// C's interface ends a message at a NUL byte.
fn syslog(call: &mut Call<'_>) -> PhpResult<Val> {
    let (priority, message) = (call.int(0), call.str(1));
    let filter = call.vm.ini.get(&FILTER);
    let until_nul = |line: &[u8]| line.split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
    if filter == Filter::Raw {
        send(call.vm, priority, &until_nul(&message));
        return Ok(Val::TRUE);
    }
    for line in message.split(|&byte| byte == b'\n') {
        send(call.vm, priority, &until_nul(&filtered(line, filter)));
    }
    Ok(Val::TRUE)
}

/// A line with the bytes that `filter` does not let through as hexadecimal escapes.
fn filtered(line: &[u8], filter: Filter) -> Vec<u8> {
    let mut text = Vec::with_capacity(line.len());
    for &byte in line {
        let passes = match byte {
            b' '..=b'~' => true,
            0x80.. => filter != Filter::Ascii,
            0..b' ' => filter == Filter::All,
            0x7f => false,
        };
        if passes {
            text.push(byte);
        } else {
            text.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
        }
    }
    text
}

/// A notice of the engine's own.
pub fn note(vm: &Vm, line: &[u8]) {
    const NOTICE: i64 = 5;
    send(vm, NOTICE, line);
}

fn send(vm: &Vm, priority: i64, line: &[u8]) {
    let log = vm.data::<State>("syslog").0.borrow().clone();
    let mut prefix = log.prefix.unwrap_or_else(|| vm.ini.get(&IDENT).to_vec());
    if log.flags & PID != 0 {
        prefix.extend_from_slice(format!("[{}]", std::process::id()).as_bytes());
    }
    let text = [&prefix[..], b": ", line].concat();
    if log.flags & STANDARD_ERROR != 0 {
        vm.output.before_waiting();
        // There is nowhere to say that standard error is gone.
        let _ = std::io::stderr().write_all(&[&text[..], b"\n"].concat());
    }
    let facility = if log.facility == 0 { USER } else { log.facility };
    let packet =
        [format!("<{}>", priority & 7 | if priority > 7 { priority & !7 } else { facility }).as_bytes(), &text]
            .concat();
    let sent = UnixDatagram::unbound().and_then(|socket| socket.send_to(&packet, "/dev/log"));
    if sent.is_err() && log.flags & CONSOLE != 0 {
        // There is nowhere to say that the console cannot be written.
        let _ = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/console")
            .and_then(|mut console| console.write_all(&text));
    }
}
