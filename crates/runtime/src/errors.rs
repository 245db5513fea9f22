//! Raising errors: warnings and notices, which go to the handler or to the output, throwables, and fatal errors.

use crate::class::ObjExt;
use crate::error::{Level, PhpResult, Throw, Thrown};
use crate::ini::{
    IniAccess, IniBool, IniChange, IniQuantity, IniSetting, IniStage, IniState, IniString, IniType, Shown, text,
};
use crate::vm::Vm;
use phlox_value::{PhpArr, PhpObj, PhpStr, Val};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;

/// The levels that are reported; the operator `@` lowers them temporarily.
pub static ERROR_REPORTING: IniSetting<Levels> =
    IniSetting::unset("error_reporting", IniAccess::All).on_change(|change| {
        change.vm.errors.reporting.set(Levels::parse(change.value.map(|value| value.as_bytes())) as i64);
        Ok(true)
    });

/// Where errors are shown.
pub static DISPLAY_ERRORS: IniSetting<Display> =
    IniSetting::new("display_errors", "1", IniAccess::All).shown(Shown::Errors);

/// Whether errors before the script runs are shown where [`DISPLAY_ERRORS`] says.
pub static DISPLAY_STARTUP_ERRORS: IniBool = IniBool::new("display_startup_errors", "1", IniAccess::All);
/// Whether errors are shown as HTML.
pub static HTML_ERRORS: IniBool = IniBool::new("html_errors", "0", IniAccess::All);
/// Text that is shown before an error.
pub static ERROR_PREPEND_STRING: IniString = IniString::unset("error_prepend_string", IniAccess::All);
/// Text that is shown after an error.
pub static ERROR_APPEND_STRING: IniString = IniString::unset("error_append_string", IniAccess::All);
/// Whether errors are written to the log.
pub static LOG_ERRORS: IniBool = IniBool::new("log_errors", "0", IniAccess::All);
/// Whether an error is neither shown nor logged if it repeats the last one at the last one's position.
pub static IGNORE_REPEATED_ERRORS: IniBool = IniBool::new("ignore_repeated_errors", "0", IniAccess::All);
/// Whether errors with equal messages count as repeated at any position.
pub static IGNORE_REPEATED_SOURCE: IniBool = IniBool::new("ignore_repeated_source", "0", IniAccess::All);

/// The log: the path of a file, or `syslog`; empty for standard error.
pub static ERROR_LOG: IniString = IniString::unset("error_log", IniAccess::All).on_change(may_be_log);
/// The permissions with which the log is created.
pub static ERROR_LOG_MODE: IniQuantity = IniQuantity::new("error_log_mode", "0644", IniAccess::All);

fn may_be_log(change: &IniChange<'_>) -> PhpResult<bool> {
    match change.text() {
        b"" | b"syslog" => Ok(true),
        path if change.stage == IniStage::Runtime => crate::basedir::allows(change.vm, path),
        _ => Ok(true),
    }
}

/// The type of [`ERROR_REPORTING`]; without a value it means all levels.
pub struct Levels;

impl IniType for Levels {
    type Value = i64;

    fn parse(value: Option<&[u8]>) -> u64 {
        value.map_or(Level::ALL_BITS, text::short_int) as u64
    }

    fn value(state: &IniState) -> i64 {
        state.bits() as i64
    }
}

/// The place where [`DISPLAY_ERRORS`] shows errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    Nowhere,
    /// Among the script's output.
    Output,
    /// On the standard error output.
    Standard,
}

impl Display {
    /// The meaning of a value of the setting.
    pub fn named(value: Option<&[u8]>) -> Display {
        let Some(value) = value else { return Display::Output };
        let is = |word: &&[u8]| value.eq_ignore_ascii_case(word);
        if [&b"on"[..], b"yes", b"true", b"stdout"].iter().any(is) {
            return Display::Output;
        }
        if is(&&b"stderr"[..]) {
            return Display::Standard;
        }
        // PHP keeps the number in a byte, so only its lowest eight bits count.
        match text::int(value) as u8 {
            0 => Display::Nowhere,
            2 => Display::Standard,
            _ => Display::Output,
        }
    }
}

impl IniType for Display {
    type Value = Display;

    fn parse(value: Option<&[u8]>) -> u64 {
        Display::named(value) as u64
    }

    fn value(state: &IniState) -> Display {
        match state.bits() {
            0 => Display::Nowhere,
            1 => Display::Output,
            _ => Display::Standard,
        }
    }
}

/// The request's state of error handling.
#[derive(Default)]
pub struct ErrorState {
    /// The value of `error_reporting()`; `@` lowers it.
    pub reporting: Cell<i64>,
    /// The error handlers with the levels that they handle, the current one last; null means that there is none, or that it runs.
    pub handlers: RefCell<Vec<(Val, i64)>>,
    /// The exception handlers, the current one last; null means that there is none, or that it runs.
    pub exception_handlers: RefCell<Vec<Val>>,
    /// The phase of the request. Until the script runs, errors are shown only if [`DISPLAY_STARTUP_ERRORS`] is on.
    pub phase: Cell<Phase>,
    /// The result of `error_get_last()`.
    pub last: RefCell<Option<LastError>>,
    /// The class of the exceptions that warnings and notices of builtin code become (in constructors of SPL's files).
    pub promote: Cell<Option<&'static [u8]>>,
}

/// The phase of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The configuration is being read: errors that are not shown are logged.
    Configuring,
    Starting,
    #[default]
    Running,
}

/// The error that `error_get_last()` describes.
#[derive(Clone)]
pub struct LastError {
    pub level: i64,
    pub message: PhpStr,
    pub file: PhpStr,
    pub line: u32,
}

/// Levels that `@` does not silence.
pub const UNSILENCED: i64 = Level::FATAL_BITS;

/// Sets `$previous` at the end of the new throwable's chain, unless that would close a cycle.
pub fn chain_previous(exception: &PhpObj, previous: PhpObj) {
    let destroying = |object: &PhpObj| {
        Vm::current().is_some_and(|vm| vm.destroying.borrow().iter().any(|marker| marker.ptr_eq(object)))
    };
    if destroying(&previous) || destroying(exception) {
        return;
    }
    // The set of `previous` and its predecessors. Reflection can make a chain that is a cycle.
    let mut earlier = HashSet::new();
    let mut next = Some(previous.clone());
    while let Some(object) = next.filter(|object| earlier.insert(object.address())) {
        next = crate::throwable::previous(&object);
    }
    let mut seen = HashSet::new();
    let mut last = exception.clone();
    loop {
        if earlier.contains(&last.address()) || !seen.insert(last.address()) {
            return;
        }
        match crate::throwable::previous(&last) {
            Some(later) => last = later,
            None => break,
        }
    }
    crate::throwable::set_previous(&last, previous);
}

/// The throwable to throw when a destructor threw meanwhile: the destructor's throwable, with `throw` as its previous one.
pub fn with_pending(vm: &Vm, throw: Throw) -> Throw {
    if !vm.has_pending.get() || !matches!(throw, Throw::Exception(_)) {
        return throw;
    }
    match vm.check_pending() {
        Err(later) => with_earlier(throw, later),
        Ok(()) => throw,
    }
}

/// The throwable to throw when something threw while `earlier` was not caught yet: `later`, with `earlier` as its previous one.
pub fn with_earlier(earlier: Throw, later: Throw) -> Throw {
    if let (Throw::Exception(earlier), Throw::Exception(later)) = (earlier, &later) {
        chain_previous(later, earlier);
    }
    later
}

/// An engine's message as PHP code gets it: as raw bytes, and without the location that follows the name of an anonymous class.
fn finished(message: &[u8]) -> Cow<'_, [u8]> {
    const MARK: &[u8] = b"@anonymous\0";
    let message = phlox_text::raw_bytes(message);
    let mut rest = &message[..];
    let mut shown = Vec::new();
    while let Some(at) = rest.windows(MARK.len()).position(|window| window == MARK) {
        let name_end = at + MARK.len() - 1;
        shown.extend_from_slice(&rest[..name_end]);
        let place = &rest[name_end..];
        let Some(dollar) = place.iter().position(|&b| b == b'$') else { break };
        let digits = place[dollar + 1..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
        rest = &place[dollar + 1 + digits..];
    }
    if shown.is_empty() {
        return message;
    }
    shown.extend_from_slice(rest);
    shown.into()
}

impl Vm {
    /// A message of a builtin function as it is raised: its special characters are escaped if errors are shown as HTML.
    pub fn builtin_message<'a>(&self, message: &'a [u8]) -> Cow<'a, [u8]> {
        if !self.ini.get(&HTML_ERRORS) {
            return message.into();
        }
        let mut html = Vec::with_capacity(message.len() + 16);
        for letter in String::from_utf8_lossy(&phlox_text::raw_bytes(message)).chars() {
            match letter {
                '&' => html.extend_from_slice(b"&amp;"),
                '<' => html.extend_from_slice(b"&lt;"),
                '>' => html.extend_from_slice(b"&gt;"),
                '"' => html.extend_from_slice(b"&quot;"),
                _ => html.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        html.into()
    }

    /// Raises a warning. `Err` if the handler threw.
    pub fn warning(&self, message: &[u8]) -> PhpResult<()> {
        self.raise(Level::Warning, message)
    }

    /// Raises the warning about a variable that is read and undefined.
    pub fn undefined_variable(&self, name: &[u8]) -> PhpResult<()> {
        self.warning(&[b"Undefined variable $", name].concat())
    }

    /// Raises a notice. `Err` if the handler threw.
    pub fn notice(&self, message: &[u8]) -> PhpResult<()> {
        self.raise(Level::Notice, message)
    }

    /// Raises a deprecation. `Err` if the handler threw.
    pub fn deprecated(&self, message: &[u8]) -> PhpResult<()> {
        self.raise(Level::Deprecated, message)
    }

    /// Raises an error at the running position. `Err` if the handler threw, or if the level is fatal.
    pub fn raise(&self, level: Level, message: &[u8]) -> PhpResult<()> {
        let (file, line) = self.position();
        self.raise_at(level, message, &file, line)
    }

    /// Raises an error at a given position. `Err` if the handler threw, or if the level is fatal.
    pub fn raise_at(&self, level: Level, message: &[u8], file: &PhpStr, line: u32) -> PhpResult<()> {
        if let Some(class) = self.errors.promote.get().filter(|_| matches!(level, Level::Warning | Level::Notice)) {
            return Err(self.throw_class(class, message, 0));
        }
        // A message from the script itself is not changed.
        let by_user =
            matches!(level, Level::UserError | Level::UserWarning | Level::UserNotice | Level::UserDeprecated);
        let message = &*if by_user { message.into() } else { finished(message) };
        if let Some(handler) = self.handler_for(level) {
            let handled = self.call_error_handler(handler, level, message, file, line)?;
            if handled {
                return Ok(());
            }
        }
        self.report(level, message, file, line);
        if level.bits() & Level::FATAL_BITS != 0 {
            self.exit_status.set(255);
            return Err(Throw::Fatal);
        }
        Ok(())
    }

    fn handler_for(&self, level: Level) -> Option<Val> {
        let fatal = level.bits() & (Level::FATAL_BITS & !(Level::UserError.bits() | Level::RecoverableError.bits()));
        if fatal != 0 || matches!(level, Level::CoreWarning | Level::CompileWarning) {
            return None;
        }
        let handlers = self.errors.handlers.borrow();
        let (handler, mask) = handlers.last()?;
        (!handler.is_null() && mask & level.bits() != 0).then(|| handler.clone())
    }

    fn call_error_handler(
        &self,
        handler: Val,
        level: Level,
        message: &[u8],
        file: &PhpStr,
        line: u32,
    ) -> PhpResult<bool> {
        let file = if file.is_empty() { Val::str(b"Unknown") } else { file.into() };
        let args = vec![Val::int(level.bits()), Val::str(message), file, Val::int(line as i64)];
        // While the handler runs, none is installed: errors inside it go to a handler that it sets, or to the standard handler.
        if let Some((current, _)) = self.errors.handlers.borrow_mut().last_mut() {
            *current = Val::NULL;
        }
        let result = self.call_value(&handler, args);
        let unused = {
            let mut handlers = self.errors.handlers.borrow_mut();
            match handlers.last_mut() {
                Some((current, _)) if current.is_null() => std::mem::replace(current, handler),
                Some(_) => handler,
                None => {
                    handlers.push((handler, Level::ALL_BITS));
                    Val::NULL
                }
            }
        };
        drop(unused);
        Ok(result?.as_bool() != Some(false))
    }

    /// Records, logs and shows an error without calling the handler.
    pub fn report(&self, level: Level, message: &[u8], file: &PhpStr, line: u32) {
        let unknown = PhpStr::intern(b"Unknown");
        let file = if file.is_empty() { &unknown } else { file };
        let repeated = self.is_repeated(message, file, line);
        *self.errors.last.borrow_mut() =
            Some(LastError { level: level.bits(), message: PhpStr::new(message), file: file.clone(), line });
        if self.errors.reporting.get() & level.bits() == 0 || repeated {
            return;
        }
        let text = [message, b" in ", file, b" on line ", line.to_string().as_bytes()].concat();
        let phase = self.errors.phase.get();
        let target = match phase != Phase::Running && !self.ini.get(&DISPLAY_STARTUP_ERRORS) {
            true => Display::Nowhere,
            false => self.ini.get(&DISPLAY_ERRORS),
        };
        if self.ini.get(&LOG_ERRORS) || (phase == Phase::Configuring && target == Display::Nowhere) {
            self.log_error(&[b"PHP ", level.label().as_bytes(), b":  ", &text].concat());
        }
        if target == Display::Output {
            let (before, after) = (self.ini.get(&ERROR_PREPEND_STRING), self.ini.get(&ERROR_APPEND_STRING));
            let label = level.label().as_bytes();
            if self.ini.get(&HTML_ERRORS) {
                let line_text = line.to_string();
                let html = [
                    &before[..],
                    b"<br />\n<b>",
                    label,
                    b"</b>:  ",
                    message,
                    b" in <b>",
                    file,
                    b"</b> on line <b>",
                    line_text.as_bytes(),
                    b"</b><br />\n",
                    &after,
                ];
                self.echo(&html.concat());
            } else {
                self.echo(&[&before[..], b"\n", label, b": ", &text, b"\n", &after].concat());
            }
        } else if target == Display::Standard {
            use std::io::Write;
            let _ = std::io::stderr().write_all(&[level.label().as_bytes(), b": ", &text, b"\n"].concat());
        }
    }

    /// Whether this is the last error again, and repeated errors are not shown.
    fn is_repeated(&self, message: &[u8], file: &PhpStr, line: u32) -> bool {
        if !self.ini.get(&IGNORE_REPEATED_ERRORS) {
            return false;
        }
        let last = self.errors.last.borrow();
        let Some(last) = &*last else { return false };
        let same_place = last.file == *file && last.line == line;
        last.message.as_bytes() == message && (same_place || self.ini.get(&IGNORE_REPEATED_SOURCE))
    }

    /// Writes a line to the error log, which is the `error_log` setting or standard error.
    pub fn log_error(&self, text: &[u8]) {
        use std::io::Write;
        use std::os::unix::fs::OpenOptionsExt;
        let target = self.ini.get(&ERROR_LOG);
        if !target.is_empty() {
            let path = std::ffi::OsStr::from_bytes(&target);
            let mode = self.ini.get(&ERROR_LOG_MODE);
            let mode = u32::try_from(mode).ok().filter(|mode| (1..=0o777).contains(mode)).unwrap_or(0o644);
            if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).mode(mode).open(path) {
                let time = self.find_function(b"date").map(crate::Callee::function).and_then(|date| {
                    // A log line without the time is better than none.
                    self.call(&date, vec!["d-M-Y H:i:s e".into()]).ok()?.into_str()
                });
                let stamp = time.map_or_else(Vec::new, |time| [b"[", &time[..], b"] "].concat());
                let _ = file.write_all(&[&stamp[..], text, b"\n"].concat());
                return;
            }
        }
        if self.request.borrow().log(text) {
            return;
        }
        self.output.before_waiting();
        let _ = std::io::stderr().write_all(&[text, b"\n"].concat());
    }

    /// Creates a builtin throwable with a message, to be thrown.
    pub fn throw(&self, class: Thrown, message: &[u8]) -> Throw {
        self.throw_class(class.class_name(), message, 0)
    }

    /// Creates an `Error` with a message, to be thrown.
    pub fn throw_error(&self, message: &[u8]) -> Throw {
        self.throw(Thrown::Error, message)
    }

    /// Creates a `TypeError` with a message, to be thrown.
    pub fn throw_type_error(&self, message: &[u8]) -> Throw {
        self.throw(Thrown::TypeError, message)
    }

    /// Creates a `ValueError` with a message, to be thrown.
    pub fn throw_value_error(&self, message: &[u8]) -> Throw {
        self.throw(Thrown::ValueError, message)
    }

    /// Creates a throwable of any class whose constructor is Exception's or Error's, to be thrown.
    pub fn throw_class(&self, class: &[u8], message: &[u8], code: i64) -> Throw {
        match self.make_throwable(class, message, code) {
            Ok(object) => Throw::Exception(object),
            Err(throw) => throw,
        }
    }

    /// Creates a throwable object without throwing it.
    pub fn make_throwable(&self, class: &[u8], message: &[u8], code: i64) -> PhpResult<PhpObj> {
        // Reporting a missing class would throw an Error, so the builtin classes must exist.
        let Some(class) = self.find_class_no_autoload(class) else {
            let text = [b"Uncaught ", class, b": ", message].concat();
            return Err(self.fatal(&text));
        };
        let object = self.instantiate(&class)?;
        crate::throwable::set_message(&object, &finished(message), code);
        Ok(object)
    }

    /// Reports a fatal error at the running position, which ends the script.
    pub fn fatal(&self, message: &[u8]) -> Throw {
        let (file, line) = self.position();
        self.fatal_at(message, &file, line)
    }

    /// The fatal error of an instruction that adds to an array if its operand is none, which only invalid bytecode can cause
    /// (r17, `AddElemC`).
    pub fn not_an_array(&self) -> Throw {
        self.fatal(b"Cannot add an element to what is not an array")
    }

    /// Reports a fatal error at a given position, which ends the script.
    pub fn fatal_at(&self, message: &[u8], file: &PhpStr, line: u32) -> Throw {
        self.report(Level::Error, &phlox_text::raw_bytes(message), file, line);
        self.exit_status.set(255);
        Throw::Fatal
    }

    /// Handles a throwable that was not caught: calls the script's exception handler, or reports it.
    pub fn report_uncaught(&self, exception: &PhpObj) -> PhpResult<()> {
        let handler = self.errors.exception_handlers.borrow().last().cloned().filter(|h| !h.is_null());
        if let Some(handler) = handler {
            // While the handler runs, none is installed, so a throwable from it is reported.
            self.errors.exception_handlers.borrow_mut().push(Val::NULL);
            let result = self.call_value(&handler, vec![exception.into()]);
            let result = match result {
                Err(Throw::Exception(next)) => self.report_uncaught(&next),
                other => other.map(|_| ()),
            };
            self.errors.exception_handlers.borrow_mut().pop_if(|current| current.is_null());
            return result;
        }
        self.exit_status.set(255);
        self.report_thrown(exception, Level::Error)
    }

    /// Reports a throwable that was not caught.
    pub fn report_thrown(&self, exception: &PhpObj, level: Level) -> PhpResult<()> {
        let (file, line) = crate::throwable::position(exception);
        let parse_error = matches!(exception.class_name().as_bytes(), b"ParseError" | b"CompileError");
        if parse_error {
            let level = if exception.class_name().as_bytes() == b"ParseError" { Level::Parse } else { level };
            self.report(level, &crate::throwable::message(exception), &file, line);
            return Ok(());
        }
        let text = match self.throwable_to_string(exception) {
            Ok(text) => text,
            Err(Throw::Exception(_)) => PhpStr::empty(),
            Err(other) => return Err(other),
        };
        self.report(level, &[b"Uncaught ", &text[..], b"\n  thrown"].concat(), &file, line);
        Ok(())
    }

    fn throwable_to_string(&self, exception: &PhpObj) -> PhpResult<PhpStr> {
        match exception.class().magic.to_string.clone() {
            Some(func) if func.is_native() => Ok(crate::throwable::to_string(self, exception)),
            Some(func) => {
                let result = self.call(&crate::vm::Callee::method(func, exception.clone()), Vec::new())?;
                Ok(result.into_str().unwrap_or_else(PhpStr::empty))
            }
            None => Ok(crate::throwable::to_string(self, exception)),
        }
    }
}

/// The trace of the active frames, as `getTrace()` shows it, without the innermost `skip` frames.
pub fn backtrace(vm: &Vm, skip: usize, with_object: bool, with_args: bool, limit: usize) -> PhpArr {
    crate::trace::build(vm, skip, with_object, with_args, limit)
}
