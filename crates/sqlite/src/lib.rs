//! A small safe layer over SQLite: databases, statements, fields as files, and functions for SQL.
//!
//! Unsafe code is explained in SAFETY.md beside this crate's manifest.
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

pub const OK: i32 = sys::SQLITE_OK;
pub const ERROR: i32 = sys::SQLITE_ERROR;
pub const DENY: i32 = sys::SQLITE_DENY;
/// The action of `ATTACH`, as authorizers are asked.
pub const ATTACH: i32 = sys::SQLITE_ATTACH;
pub const OPEN_READONLY: i32 = sys::SQLITE_OPEN_READONLY;
pub const OPEN_READWRITE: i32 = sys::SQLITE_OPEN_READWRITE;
pub const OPEN_CREATE: i32 = sys::SQLITE_OPEN_CREATE;
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

/// SQLite's code of an error, with its message.
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

/// The library's version and its number.
pub fn version() -> (String, i64) {
    // SAFETY: both are constants of the library.
    unsafe { (text(sys::sqlite3_libversion()), sys::sqlite3_libversion_number() as i64) }
}

pub fn error_name(code: i32) -> String {
    // SAFETY: any code has a text.
    unsafe { text(sys::sqlite3_errstr(code)) }
}

/// A C text of SQLite's, copied; null is empty.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: by the contract.
    let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
    phlox_text::shown(bytes).into_owned()
}

/// A text for C, up to its first NUL.
fn c_text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

impl Connection {
    pub fn open(path: &[u8], flags: i32) -> Result<Rc<Connection>, Failure> {
        memory::count();
        let path = c_text(path);
        let mut raw = ptr::null_mut();
        // SAFETY: the path ends with NUL, `raw` takes the handle.
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

    pub fn error_code(&self) -> i32 {
        // SAFETY: the handle is open.
        unsafe { sys::sqlite3_errcode(self.db()) }
    }

    pub fn extended_error_code(&self) -> i32 {
        // SAFETY: the handle is open.
        unsafe { sys::sqlite3_extended_errcode(self.db()) }
    }

    pub fn error_message(&self) -> String {
        // SAFETY: the handle is open; the text is copied at once.
        unsafe { text(sys::sqlite3_errmsg(self.db())) }
    }

    /// Runs statements without results.
    pub fn execute(&self, sql: &[u8]) -> Result<(), Failure> {
        let sql = c_text(sql);
        // SAFETY: the text ends with NUL; no callback, no message asked for.
        let code = unsafe { sys::sqlite3_exec(self.db(), sql.as_ptr(), None, ptr::null_mut(), ptr::null_mut()) };
        self.check(code)
    }

    /// Rows that the last statement changed.
    pub fn changes(&self) -> i64 {
        // SAFETY: the handle is open.
        unsafe { sys::sqlite3_changes(self.db()) as i64 }
    }

    pub fn last_insert_id(&self) -> i64 {
        // SAFETY: the handle is open.
        unsafe { sys::sqlite3_last_insert_rowid(self.db()) }
    }

    pub fn set_busy_timeout(&self, milliseconds: i32) -> Result<(), Failure> {
        // SAFETY: the handle is open.
        self.check(unsafe { sys::sqlite3_busy_timeout(self.db(), milliseconds) })
    }

    /// Is no transaction open?
    pub fn is_autocommit(&self) -> bool {
        // SAFETY: the handle is open.
        unsafe { sys::sqlite3_get_autocommit(self.db()) != 0 }
    }

    pub fn use_extended_codes(&self, on: bool) -> Result<(), Failure> {
        // SAFETY: the handle is open.
        self.check(unsafe { sys::sqlite3_extended_result_codes(self.db(), on as c_int) })
    }

    /// SQL may not damage the file on purpose.
    pub fn set_defensive(&self) -> Result<(), Failure> {
        // SAFETY: this operation takes an int and an optional place for the new state.
        self.check(unsafe {
            sys::sqlite3_db_config(self.db(), sys::SQLITE_DBCONFIG_DEFENSIVE, 1 as c_int, ptr::null_mut::<c_int>())
        })
    }

    /// Copies a whole database into another.
    pub fn backup(&self, source: &[u8], target: &Connection, name: &[u8]) -> Result<(), Failure> {
        let (source, name) = (c_text(source), c_text(name));
        // SAFETY: both handles are open and differ or SQLite refuses; the backup is finished before this returns.
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
        // SAFETY: the only close; statements hold the connection, so none is left.
        unsafe { sys::sqlite3_close(self.db()) };
        callbacks::free_given_back();
    }
}
