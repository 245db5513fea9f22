//! Messages of libxml2, collected while it works and taken by the caller afterwards.

use crate::sys;
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int, c_void};
use std::sync::Once;

/// The way in which a message was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// A text without a place.
    Plain,
    /// A parser's error with its place.
    ParserError,
    ParserWarning,
    /// A structure with all details.
    Structured,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Report {
    /// The way in which the message was reported.
    pub kind: ReportKind,
    /// The message with its line end, as libxml2 made it.
    pub message: Vec<u8>,
    /// The name of the document, if it has one.
    pub file: Option<Vec<u8>>,
    /// The line of the document, counted from 1; 0 if unknown.
    pub line: i32,
    /// The column of the document; 0 if unknown.
    pub column: i32,
    /// The level of a structured report: 1 a warning, 2 an error, 3 a fatal error.
    pub level: i32,
    /// libxml2's code of the error.
    pub code: i32,
}

thread_local! {
    static REPORTS: RefCell<Vec<Report>> = const { RefCell::new(Vec::new()) };
    static PREPARED: Cell<bool> = const { Cell::new(false) };
}

/// Further reports are dropped until these are taken.
const REPORTS_MAX: usize = 100_000;

fn keep(report: Report) {
    // When the thread's storage is destroyed, messages are dropped.
    let _ = REPORTS.try_with(|reports| {
        if let Ok(mut reports) = reports.try_borrow_mut() {
            if reports.len() < REPORTS_MAX {
                reports.push(report);
            }
        }
    });
}

/// Counts the bytes that libxml2 allocated or freed. `shim.c` calls it.
#[unsafe(no_mangle)]
extern "C" fn phlox_libxml_holds(change: isize) {
    phlox_value::outside::note(change);
}

/// Prepares libxml2 for this thread. Every function that calls libxml2 in a way that can report calls this first.
pub(crate) fn prepare() {
    static LIBRARY: Once = Once::new();
    // SAFETY: both functions run once, before other calls. Memory that was allocated before is freed by the C
    // library, too.
    LIBRARY.call_once(|| unsafe {
        sys::phlox_libxml_count_memory();
        sys::xmlInitParser();
    });
    PREPARED.with(|prepared| {
        if !prepared.replace(true) {
            // SAFETY: both calls change settings of this thread; the handler of messages is a function in the shim.
            unsafe {
                sys::phlox_libxml_hide_messages();
                *sys::__xmlLineNumbersDefaultValue() = 1;
            }
            crate::input::install();
        }
    });
}

/// Collects messages as structures from now on; with `on` false, as texts.
pub fn collect_structured(on: bool) {
    prepare();
    // SAFETY: `structured` has the type of the handler and exists as long as the process.
    unsafe { sys::xmlSetStructuredErrorFunc(std::ptr::null_mut(), on.then_some(structured as _)) };
}

/// Takes the messages since the last call.
pub fn take_reports() -> Vec<Report> {
    REPORTS
        .with(|reports| reports.try_borrow_mut().map(|mut reports| std::mem::take(&mut *reports)).unwrap_or_default())
}

/// The last error that libxml2 remembers on this thread.
pub fn last_report() -> Option<Report> {
    prepare();
    // SAFETY: the structure belongs to this thread, and its texts are null or end with NUL.
    unsafe {
        let error = sys::xmlGetLastError();
        (!error.is_null()).then(|| report_of(&*error))
    }
}

/// Makes libxml2 forget its last error.
pub fn forget_last_report() {
    prepare();
    // SAFETY: the call changes this thread's own structure only.
    unsafe { sys::xmlResetLastError() };
}

/// # Safety
/// The structure's texts are null or end with NUL.
unsafe fn report_of(error: &sys::XmlError) -> Report {
    // SAFETY: the contract says that the texts are null or end with NUL.
    let (message, file) = unsafe { (crate::copied(error.message.cast()), crate::copied(error.file.cast())) };
    Report {
        kind: ReportKind::Structured,
        message: message.unwrap_or_default(),
        file,
        line: error.line,
        column: error.column,
        level: error.level,
        code: error.code,
    }
}

unsafe extern "C" fn structured(_context: *mut c_void, error: *mut sys::XmlError) {
    if error.is_null() {
        return;
    }
    // SAFETY: libxml2 passes a valid structure whose texts end with NUL.
    let report = unsafe { report_of(&*error) };
    keep(report);
}

/// Keeps a message. `shim.c` calls it.
#[unsafe(no_mangle)]
unsafe extern "C" fn phlox_libxml_message(
    kind: c_int,
    text: *const c_char,
    length: usize,
    file: *const c_char,
    line: c_int,
    column: c_int,
) {
    // SAFETY: the shim passes a text with its length, and a file name that ends with NUL or null.
    let (message, file) =
        unsafe { (std::slice::from_raw_parts(text.cast::<u8>(), length).to_vec(), crate::copied(file.cast())) };
    let kind = match kind {
        1 => ReportKind::ParserError,
        2 => ReportKind::ParserWarning,
        _ => ReportKind::Plain,
    };
    let level = if kind == ReportKind::ParserWarning { 1 } else { 2 };
    keep(Report { kind, message, file, line, column, level, code: 0 });
}
