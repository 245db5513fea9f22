//! The log of the process manager: levels, places and the form of its lines.
//!
//! A process has one log, so its state is static. Workers write to standard error, which the master reads, and send what they log to
//! the client of the request that they answer, too.

mod level;
pub mod stream;
mod system;

use phlox_process::format_time;
use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

pub use level::Level;
pub use system::Facility;

/// Where lines go.
#[derive(Default)]
pub enum Place {
    /// Standard error, before there is a log file and in workers.
    #[default]
    StandardError,
    /// A file, and whether it is standard error under another name.
    File(File, bool),
    /// The system's log.
    System(system::System),
}

/// No message of the manager's own is longer.
const MESSAGE_MAX: usize = 2048;
/// `log_limit` where the configuration gives none.
pub const LIMIT_DEFAULT: i32 = 1024;
/// `log_limit` must not be less.
pub const LIMIT_MIN: i32 = 512;

static LEVEL: AtomicU8 = AtomicU8::new(Level::Notice as u8);
static LIMIT: AtomicUsize = AtomicUsize::new(LIMIT_DEFAULT as usize);
static BUFFERS: AtomicBool = AtomicBool::new(true);
static IS_CHILD: AtomicBool = AtomicBool::new(false);
static LAUNCHED: AtomicBool = AtomicBool::new(false);
static PLACE: Mutex<Place> = Mutex::new(Place::StandardError);

thread_local! {
    /// Who else hears what a worker logs.
    static LISTENER: RefCell<Option<Box<dyn Fn(&[u8])>>> = const { RefCell::new(None) };
}

/// The least serious level that is written.
pub fn level() -> Level {
    Level::of(LEVEL.load(Ordering::Relaxed))
}

/// Sets the least serious level that is written; gives the one before.
pub fn set_level(level: Level) -> Level {
    Level::of(LEVEL.swap(level as u8, Ordering::Relaxed))
}

/// The most bytes that a line may have.
pub fn limit() -> usize {
    LIMIT.load(Ordering::Relaxed)
}

/// Sets the most bytes of a line, and whether lines of workers are collected before they are written.
pub fn set_limits(limit: usize, buffers: bool) {
    LIMIT.store(limit, Ordering::Relaxed);
    BUFFERS.store(buffers, Ordering::Relaxed);
}

fn buffers() -> bool {
    BUFFERS.load(Ordering::Relaxed)
}

/// From now on lines go to the log only; before, they go to standard error, too.
pub fn set_launched() {
    LAUNCHED.store(true, Ordering::Relaxed);
}

/// The system's log under a program's name.
pub fn system_log(name: &str, facility: Facility) -> system::System {
    system::System::new(name, facility)
}

fn place() -> MutexGuard<'static, Place> {
    PLACE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets where lines go.
pub fn set_place(new: Place) {
    *place() = new;
}

/// Makes standard error the log, for what other parts of the program say.
///
/// # Errors
/// If the system refuses.
pub fn tie_standard_error() -> rustix::io::Result<()> {
    match &*place() {
        Place::StandardError => Ok(()),
        Place::File(file, _) => rustix::stdio::dup2_stderr(file),
        // Standard output is the null device.
        Place::System(_) => rustix::stdio::dup2_stderr(rustix::stdio::stdout()),
    }
}

/// Makes this process's log that of a worker: lines go to standard error and have no time.
pub fn become_worker() {
    IS_CHILD.store(true, Ordering::Relaxed);
    set_place(Place::StandardError);
}

/// Sets who else hears what this thread logs.
pub fn set_listener(listener: Option<Box<dyn Fn(&[u8])>>) {
    LISTENER.set(listener);
}

fn tell(message: &[u8]) {
    // A listener that logs would hear itself.
    LISTENER.with(|listener| {
        if let Ok(listener) = listener.try_borrow() {
            if let Some(listener) = &*listener {
                listener(message);
            }
        }
    });
}

/// The time as lines show it: in local time, with microseconds if everything is logged.
pub fn time() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut text = format_time("[%d-%b-%Y %H:%M:%S", now.as_secs() as i64);
    if level() == Level::Debug {
        text.push_str(&format!(".{:06}", now.subsec_micros()));
    }
    text + "] "
}

/// What precedes a message in a line.
fn prefix(level_of_line: Level, source: (&str, u32), is_system: bool) -> String {
    let debugs = level() == Level::Debug;
    let name = level_of_line.name();
    let part = source.0.rsplit("::").next().unwrap_or_default();
    let (place, process) = (format!("{part}(), line {}", source.1), std::process::id());
    if is_system {
        return if debugs { format!("[{name}] {place}: ") } else { format!("[{name}] ") };
    }
    let is_child = IS_CHILD.load(Ordering::Relaxed);
    let time = if is_child { String::new() } else { time() };
    match (debugs, is_child) {
        (false, _) => format!("{time}{name}: "),
        (true, true) => format!("{name}: {place}: "),
        (true, false) => format!("{time}{name}: pid {process}, {place}: "),
    }
}

/// A system error as messages show it.
pub fn error_text(number: i32) -> String {
    let text = std::io::Error::from_raw_os_error(number).to_string();
    let end = text.rfind(" (os error").unwrap_or(text.len());
    format!("{} ({number})", &text[..end])
}

/// The number of the system's error.
pub trait Number {
    /// The number.
    fn number(&self) -> i32;
}

impl Number for i32 {
    fn number(&self) -> i32 {
        *self
    }
}

impl Number for std::io::Error {
    fn number(&self) -> i32 {
        self.raw_os_error().unwrap_or(0)
    }
}

impl Number for rustix::io::Errno {
    fn number(&self) -> i32 {
        self.raw_os_error()
    }
}

impl Number for nix::errno::Errno {
    fn number(&self) -> i32 {
        *self as i32
    }
}

/// Writes a message. `source` is the module and line that it comes from; `error` is the system's.
pub fn write(level_of_line: Level, error: Option<i32>, source: (&str, u32), message: fmt::Arguments<'_>) {
    let message = message.to_string().into_bytes();
    tell(&message[..message.len().min(MESSAGE_MAX)]);
    if level_of_line < level() {
        return;
    }
    let mut place = place();
    let is_system = matches!(*place, Place::System(_));
    let mut line = [prefix(level_of_line, source, is_system).as_bytes(), &message].concat();
    let mut is_long = line.len() >= MESSAGE_MAX;
    if let Some(number) = error.filter(|_| !is_long) {
        line.extend_from_slice(format!(": {}", error_text(number)).as_bytes());
        is_long = line.len() >= limit();
    }
    if is_long {
        line.truncate(limit().min(MESSAGE_MAX) - 1 - 3);
        line.extend_from_slice(b"...");
    }
    line.push(b'\n');
    // There is nobody to tell that the log cannot be written.
    let is_elsewhere = match &mut *place {
        Place::StandardError => {
            to_standard_error(&line);
            false
        }
        Place::File(file, is_standard_error) => {
            let _ = file.write_all(&line);
            !*is_standard_error
        }
        Place::System(system) => {
            system.write(level_of_line, &line[..line.len() - 1]);
            true
        }
    };
    if is_elsewhere && !LAUNCHED.load(Ordering::Relaxed) && level_of_line >= Level::Notice {
        to_standard_error(&line);
    }
}

/// Writes a message of PHP in a worker: to standard error, and to who else listens.
pub fn write_php_message(message: &[u8]) {
    let mut line = Vec::new();
    let mut start = 0;
    if Level::Notice >= level() {
        line.extend_from_slice(prefix(Level::Notice, (module_path!(), line!()), false).as_bytes());
        start = line.len();
    }
    line.extend_from_slice(b"PHP message: ");
    line.extend_from_slice(message);
    if line.len() >= limit() {
        line.truncate(limit() - 1 - 3);
        line.extend_from_slice(b"...");
    }
    tell(&line[start..]);
    line.push(b'\n');
    to_standard_error(&line);
}

/// Writes to the descriptor itself: the standard library's handle would keep what a full pipe does not take.
fn to_standard_error(bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        match rustix::io::write(rustix::stdio::stderr(), rest) {
            Ok(0) => return,
            Ok(count) => rest = &rest[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Logs a message for those who look for a mistake.
#[macro_export]
macro_rules! debug {
    ($($text:tt)*) => { $crate::log::write($crate::log::Level::Debug, None, (module_path!(), line!()), format_args!($($text)*)) };
}

/// Logs what has happened.
#[macro_export]
macro_rules! notice {
    ($($text:tt)*) => { $crate::log::write($crate::log::Level::Notice, None, (module_path!(), line!()), format_args!($($text)*)) };
}

/// Logs what an operator should look at.
#[macro_export]
macro_rules! warning {
    ($($text:tt)*) => { $crate::log::write($crate::log::Level::Warning, None, (module_path!(), line!()), format_args!($($text)*)) };
}

/// Logs what has failed.
#[macro_export]
macro_rules! error {
    ($($text:tt)*) => { $crate::log::write($crate::log::Level::Error, None, (module_path!(), line!()), format_args!($($text)*)) };
}

/// Logs what the system has refused; the first argument is its error.
#[macro_export]
macro_rules! system_error {
    ($error:expr, $($text:tt)*) => {
        $crate::log::write(
            $crate::log::Level::Error,
            Some($crate::log::Number::number(&$error)),
            (module_path!(), line!()),
            format_args!($($text)*),
        )
    };
}

/// Logs what must be mended before anything works.
#[macro_export]
macro_rules! alert {
    ($($text:tt)*) => { $crate::log::write($crate::log::Level::Alert, None, (module_path!(), line!()), format_args!($($text)*)) };
}
