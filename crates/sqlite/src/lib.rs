//! A small safe layer over SQLite: databases, statements, fields that are read in place, and functions for SQL.
//!
//! SAFETY.md beside this crate's manifest explains the unsafe code.
#![deny(unsafe_op_in_unsafe_fn)]

mod callbacks;
mod memory;
mod statement;

pub use callbacks::{Aggregate, Authorizer, Collation, Function};
use libsqlite3_sys as sys;
pub use statement::{Blob, Statement};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::{self, NonNull};
use std::rc::Rc;

/// The code of success; an authorizer allows an action by it.
pub const OK: i32 = sys::SQLITE_OK;
/// The code of a general error.
pub const ERROR: i32 = sys::SQLITE_ERROR;
/// An authorizer's answer that refuses an action.
pub const DENY: i32 = sys::SQLITE_DENY;
/// The action of which an authorizer is asked for `ATTACH`.
pub const ATTACH: i32 = sys::SQLITE_ATTACH;
/// Opens a database for reading only.
pub const OPEN_READONLY: i32 = sys::SQLITE_OPEN_READONLY;
/// Opens a database for reading and writing.
pub const OPEN_READWRITE: i32 = sys::SQLITE_OPEN_READWRITE;
/// Makes the database if it does not exist.
pub const OPEN_CREATE: i32 = sys::SQLITE_OPEN_CREATE;
/// Allows URIs as names of files.
pub const OPEN_URI: i32 = sys::SQLITE_OPEN_URI;

/// A value of SQL.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

/// An error of SQLite: its code and its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub code: i32,
    pub message: String,
}

/// An open database.
pub struct Connection {
    raw: NonNull<sys::sqlite3>,
    authorizers: RefCell<Vec<Rc<callbacks::Kept>>>,
}

/// SQLite's version as text and as a number.
pub fn version() -> (String, i64) {
    // SAFETY: both are constants of SQLite, and the text ends with NUL.
    unsafe { (text(sys::sqlite3_libversion()), sys::sqlite3_libversion_number() as i64) }
}

/// SQLite's general text for a code of an error.
pub fn error_name(code: i32) -> String {
    // SAFETY: SQLite has a constant text for any code.
    unsafe { text(sys::sqlite3_errstr(code)) }
}

/// Copies a C text of SQLite; empty for null.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: the pointer is not null here, so the text ends with NUL.
    let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
    phlox_text::shown(bytes).into_owned()
}

/// A text for C, cut at its first NUL.
fn c_text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

impl Connection {
    /// Opens a database file with flags `OPEN_…`.
    pub fn open(path: &[u8], flags: i32) -> Result<Rc<Connection>, Failure> {
        memory::count();
        let path = c_text(path);
        let mut raw = ptr::null_mut();
        // SAFETY: the path ends with NUL, and `raw` receives the handle, also after an error.
        let code = unsafe { sys::sqlite3_open_v2(path.as_ptr(), &mut raw, flags, ptr::null()) };
        let Some(raw) = NonNull::new(raw) else {
            return Err(Failure { code, message: error_name(code) });
        };
        let connection = Rc::new(Connection { raw, authorizers: RefCell::default() });
        if code == OK { Ok(connection) } else { Err(connection.failure(code)) }
    }

    fn db(&self) -> *mut sys::sqlite3 {
        self.raw.as_ptr()
    }

    fn failure(&self, code: i32) -> Failure {
        Failure { code, message: self.error_message() }
    }

    fn check(&self, code: c_int) -> Result<(), Failure> {
        callbacks::resume();
        if code == OK { Ok(()) } else { Err(self.failure(code)) }
    }

    /// The code of the last error.
    pub fn error_code(&self) -> i32 {
        // SAFETY: `db` is open until `drop`; SQLite only reads its last error.
        unsafe { sys::sqlite3_errcode(self.db()) }
    }

    /// The extended code of the last error.
    pub fn extended_error_code(&self) -> i32 {
        // SAFETY: `db` is open until `drop`; SQLite only reads its last extended error.
        unsafe { sys::sqlite3_extended_errcode(self.db()) }
    }

    /// The message of the last error.
    pub fn error_message(&self) -> String {
        // SAFETY: `db` is open until `drop`, and the text is copied at once.
        unsafe { text(sys::sqlite3_errmsg(self.db())) }
    }

    /// Runs all statements of a text, and ignores their results.
    pub fn execute(&self, sql: &[u8]) -> Result<(), Failure> {
        let sql = c_text(sql);
        // SAFETY: `db` is open until `drop`; the text ends with NUL; there is no callback, and no message is asked
        // for.
        let code = unsafe { sys::sqlite3_exec(self.db(), sql.as_ptr(), None, ptr::null_mut(), ptr::null_mut()) };
        self.check(code)
    }

    /// The number of rows that the last statement changed.
    pub fn changes(&self) -> i64 {
        // SAFETY: `db` is open until `drop`; SQLite only reads the number of changes.
        unsafe { sys::sqlite3_changes(self.db()) as i64 }
    }

    /// The id of the row that was inserted last.
    pub fn last_insert_id(&self) -> i64 {
        // SAFETY: `db` is open until `drop`; SQLite only reads the last row's id.
        unsafe { sys::sqlite3_last_insert_rowid(self.db()) }
    }

    /// Sets how long an operation waits for locks.
    pub fn set_busy_timeout(&self, milliseconds: i32) -> Result<(), Failure> {
        // SAFETY: `db` is open until `drop`; the setting takes a number.
        self.check(unsafe { sys::sqlite3_busy_timeout(self.db(), milliseconds) })
    }

    /// Whether no transaction is open.
    pub fn is_autocommit(&self) -> bool {
        // SAFETY: `db` is open until `drop`; SQLite only reads a flag of it.
        unsafe { sys::sqlite3_get_autocommit(self.db()) != 0 }
    }

    /// Makes functions fail with extended codes, or with plain ones.
    pub fn use_extended_codes(&self, on: bool) -> Result<(), Failure> {
        // SAFETY: `db` is open until `drop`; the setting takes a flag.
        self.check(unsafe { sys::sqlite3_extended_result_codes(self.db(), on as c_int) })
    }

    /// Forbids SQL to damage the file on purpose.
    pub fn set_defensive(&self) -> Result<(), Failure> {
        // SAFETY: `db` is open until `drop`; this operation takes an `int` and a pointer that may be null.
        self.check(unsafe {
            sys::sqlite3_db_config(self.db(), sys::SQLITE_DBCONFIG_DEFENSIVE, 1 as c_int, ptr::null_mut::<c_int>())
        })
    }

    /// Copies the whole database `source` to the database `name` of `target`.
    pub fn backup(&self, source: &[u8], target: &Connection, name: &[u8]) -> Result<(), Failure> {
        let (source, name) = (c_text(source), c_text(name));
        // SAFETY: both handles are open, and SQLite refuses to copy a database to itself; the backup is finished
        // before this returns.
        let code = unsafe {
            let backup = sys::sqlite3_backup_init(target.db(), name.as_ptr(), self.db(), source.as_ptr());
            if backup.is_null() {
                return Err(target.failure(target.error_code()));
            }
            let mut code;
            loop {
                code = sys::sqlite3_backup_step(backup, -1);
                if code != sys::SQLITE_OK {
                    break;
                }
            }
            let finished = sys::sqlite3_backup_finish(backup);
            if code == sys::SQLITE_DONE { finished } else { code }
        };
        if code == OK { Ok(()) } else { Err(Failure { code, message: error_name(code) }) }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the handle is closed only here; statements and blobs keep the connection, so none is open.
        unsafe { sys::sqlite3_close(self.db()) };
        callbacks::free_given_back();
    }
}
