//! What libxml2 complains about, collected while it works and taken by the caller afterwards.

use crate::sys;
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int, c_void};
use std::sync::Once;

/// How a message was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// As text without a place.
    Plain,
    /// By a parser, with the place where it is.
    ParserError,
    ParserWarning,
    /// As a structure with all details.
    Structured,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Report {
    pub kind: ReportKind,
    /// With the line's end, as libxml2 made it.
    pub message: Vec<u8>,
    pub file: Option<Vec<u8>>,
    pub line: i32,
    pub column: i32,
    /// 1 a warning, 2 an error, 3 a fatal error; of structured reports.
    pub level: i32,
    pub code: i32,
}

thread_local! {
    static REPORTS: RefCell<Vec<Report>> = const { RefCell::new(Vec::new()) };
    static PREPARED: Cell<bool> = const { Cell::new(false) };
}

/// Reports beyond this number are dropped until the others are taken.
const REPORTS_MAX: usize = 100_000;

fn keep(report: Report) {
    // A message while the thread's storage goes away has no reader.
    let _ = REPORTS.try_with(|reports| {
        if let Ok(mut reports) = reports.try_borrow_mut() {
            if reports.len() < REPORTS_MAX {
                reports.push(report);
            }
        }
    });
}

/// The library has so many bytes more or fewer.
#[unsafe(no_mangle)]
extern "C" fn phlox_libxml_holds(change: isize) {
    phlox_value::outside::note(change);
}

/// Prepares the library for this thread. Every entry to libxml2 that can report goes through it.
pub(crate) fn prepare() {
    static LIBRARY: Once = Once::new();
    // SAFETY: initialises the library's tables, once. What was allocated before is freed by the C library, too.
    LIBRARY.call_once(|| unsafe {
        sys::phlox_libxml_count_memory();
        sys::xmlInitParser();
    });
    PREPARED.with(|prepared| {
        if !prepared.replace(true) {
            // SAFETY: sets this thread's handler for messages to the function in the shim.
            unsafe {
                sys::phlox_libxml_hide_messages();
                *sys::__xmlLineNumbersDefaultValue() = 1;
            }
            crate::input::install();
        }
    });
}

/// From now on messages come as structures (or, off, as text).
pub fn collect_structured(on: bool) {
    prepare();
    // SAFETY: the handler has the right type and stays valid for ever.
    unsafe { sys::xmlSetStructuredErrorFunc(std::ptr::null_mut(), on.then_some(structured as _)) };
}

/// Takes what was reported since the last time.
pub fn take_reports() -> Vec<Report> {
    REPORTS
        .with(|reports| reports.try_borrow_mut().map(|mut reports| std::mem::take(&mut *reports)).unwrap_or_default())
}

/// The last error that libxml2 remembers on this thread.
pub fn last_report() -> Option<Report> {
    prepare();
    // SAFETY: the structure is the thread's own, and its texts end with NUL.
    unsafe {
        let error = sys::xmlGetLastError();
        (!error.is_null()).then(|| report_of(&*error))
    }
}

/// Makes libxml2 forget its last error.
pub fn forget_last_report() {
    prepare();
    // SAFETY: changes the thread's own structure.
    unsafe { sys::xmlResetLastError() };
}

/// # Safety
/// The structure's texts are null or end with NUL.
unsafe fn report_of(error: &sys::XmlError) -> Report {
    // SAFETY: by the contract.
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

/// Called by the shim.
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
