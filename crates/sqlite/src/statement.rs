//! Prepared statements and fields as files.

use crate::{Connection, Failure, OK, Value, c_text, callbacks, sys, text};
use std::cell::Cell;
use std::ffi::{CStr, c_int};
use std::ptr::{self, NonNull};
use std::rc::Rc;

pub struct Statement {
    raw: NonNull<sys::sqlite3_stmt>,
    connection: Rc<Connection>,
    runs: Cell<bool>,
}

impl Connection {
    /// The first statement of a text and where the rest begins; `None`: there is none.
    pub fn prepare(self: &Rc<Self>, sql: &[u8]) -> Result<Option<(Statement, usize)>, Failure> {
        let mut raw = ptr::null_mut();
        let mut tail = ptr::null();
        let length = c_int::try_from(sql.len()).unwrap_or(c_int::MAX);
        // SAFETY: the text goes with its length; SQLite copies it.
        let code = unsafe { sys::sqlite3_prepare_v2(self.db(), sql.as_ptr().cast(), length, &mut raw, &mut tail) };
        self.check(code)?;
        let rest = if tail.is_null() { sql.len() } else { tail as usize - sql.as_ptr() as usize };
        Ok(NonNull::new(raw).map(|raw| (Statement { raw, connection: self.clone(), runs: Cell::new(false) }, rest)))
    }
}

/// Bytes of SQLite's, copied.
///
/// # Safety
/// `length` bytes can be read at the pointer, or it is null.
unsafe fn bytes(pointer: *const u8, length: c_int) -> Vec<u8> {
    if pointer.is_null() || length <= 0 {
        return Vec::new();
    }
    // SAFETY: by the contract.
    unsafe { std::slice::from_raw_parts(pointer, length as usize) }.to_vec()
}

/// A value of SQLite's, copied.
///
/// # Safety
/// The value is one that SQLite passed to a callback that runs.
pub(crate) unsafe fn value(raw: *mut sys::sqlite3_value) -> Value {
    // SAFETY: by the contract; the text is asked for before its length, as SQLite wants.
    unsafe {
        match sys::sqlite3_value_type(raw) {
            sys::SQLITE_INTEGER => Value::Int(sys::sqlite3_value_int64(raw)),
            sys::SQLITE_FLOAT => Value::Real(sys::sqlite3_value_double(raw)),
            sys::SQLITE_TEXT => {
                let text = sys::sqlite3_value_text(raw);
                Value::Text(bytes(text, sys::sqlite3_value_bytes(raw)))
            }
            sys::SQLITE_BLOB => {
                let blob = sys::sqlite3_value_blob(raw);
                Value::Blob(bytes(blob.cast(), sys::sqlite3_value_bytes(raw)))
            }
            _ => Value::Null,
        }
    }
}

impl Statement {
    fn raw(&self) -> *mut sys::sqlite3_stmt {
        self.raw.as_ptr()
    }

    pub fn connection(&self) -> &Rc<Connection> {
        &self.connection
    }

    /// Goes to the next row; false: there is none.
    pub fn step(&self) -> Result<bool, Failure> {
        if self.runs.replace(true) {
            return Err(Failure { code: sys::SQLITE_MISUSE, message: "bad parameter or other API misuse".to_owned() });
        }
        // SAFETY: the statement is open and does not run already.
        let code = unsafe { sys::sqlite3_step(self.raw()) };
        self.runs.set(false);
        callbacks::resume();
        match code {
            sys::SQLITE_ROW => Ok(true),
            sys::SQLITE_DONE => Ok(false),
            code => Err(self.connection.failure(code)),
        }
    }

    pub fn reset(&self) -> Result<(), Failure> {
        if self.runs.get() {
            return Ok(());
        }
        // SAFETY: the statement is open and does not run.
        self.connection.check(unsafe { sys::sqlite3_reset(self.raw()) })
    }

    pub fn clear_bindings(&self) -> Result<(), Failure> {
        // SAFETY: the statement is open.
        self.connection.check(unsafe { sys::sqlite3_clear_bindings(self.raw()) })
    }

    pub fn parameter_count(&self) -> i32 {
        // SAFETY: the statement is open.
        unsafe { sys::sqlite3_bind_parameter_count(self.raw()) }
    }

    /// The number of a named parameter, from 1; 0: there is none.
    pub fn parameter_index(&self, name: &[u8]) -> i32 {
        let name = c_text(name);
        // SAFETY: the text ends with NUL.
        unsafe { sys::sqlite3_bind_parameter_index(self.raw(), name.as_ptr()) }
    }

    pub fn bind(&self, index: i32, value: &Value) -> Result<(), Failure> {
        let raw = self.raw();
        // SAFETY: the statement is open; SQLite copies texts (TRANSIENT). A slice's pointer is never null.
        let code = unsafe {
            match value {
                Value::Null => sys::sqlite3_bind_null(raw, index),
                Value::Int(number) => sys::sqlite3_bind_int64(raw, index, *number),
                Value::Real(number) => sys::sqlite3_bind_double(raw, index, *number),
                Value::Text(text) => sys::sqlite3_bind_text64(
                    raw,
                    index,
                    text.as_ptr().cast(),
                    text.len() as u64,
                    sys::SQLITE_TRANSIENT(),
                    sys::SQLITE_UTF8 as u8,
                ),
                Value::Blob(blob) => sys::sqlite3_bind_blob64(
                    raw,
                    index,
                    blob.as_ptr().cast(),
                    blob.len() as u64,
                    sys::SQLITE_TRANSIENT(),
                ),
            }
        };
        self.connection.check(code)
    }

    pub fn column_count(&self) -> usize {
        // SAFETY: the statement is open.
        unsafe { sys::sqlite3_column_count(self.raw()) as usize }
    }

    /// Columns of the row that is there now; 0: none is.
    pub fn data_count(&self) -> usize {
        // SAFETY: the statement is open.
        unsafe { sys::sqlite3_data_count(self.raw()) as usize }
    }

    pub fn column_name(&self, column: usize) -> Vec<u8> {
        // SAFETY: null for columns that are not there; the text is copied at once.
        unsafe {
            let name = sys::sqlite3_column_name(self.raw(), column as c_int);
            if name.is_null() { Vec::new() } else { CStr::from_ptr(name).to_bytes().to_vec() }
        }
    }

    /// The type that the column was declared with.
    pub fn declared_type(&self, column: usize) -> Option<String> {
        // SAFETY: null for columns without one; the text is copied at once.
        unsafe {
            let name = sys::sqlite3_column_decltype(self.raw(), column as c_int);
            (!name.is_null()).then(|| text(name))
        }
    }

    pub fn table_name(&self, column: usize) -> Option<String> {
        // SAFETY: null for columns without one; the text is copied at once.
        unsafe {
            let name = sys::sqlite3_column_table_name(self.raw(), column as c_int);
            (!name.is_null()).then(|| text(name))
        }
    }

    /// A value of the row.
    pub fn column(&self, column: usize) -> Value {
        if column >= self.data_count() {
            // SAFETY: the statement is open. Of a column that is not there SQLite gives the type of nothing and notes the
            // error, which PHP scripts can ask for afterwards.
            unsafe { sys::sqlite3_column_type(self.raw(), column as c_int) };
            return Value::Null;
        }
        let (raw, index) = (self.raw(), column as c_int);
        // SAFETY: there is a row with this column; texts are asked for before their lengths and copied at once.
        unsafe {
            match sys::sqlite3_column_type(raw, index) {
                sys::SQLITE_INTEGER => Value::Int(sys::sqlite3_column_int64(raw, index)),
                sys::SQLITE_FLOAT => Value::Real(sys::sqlite3_column_double(raw, index)),
                sys::SQLITE_TEXT => {
                    let text = sys::sqlite3_column_text(raw, index);
                    Value::Text(bytes(text, sys::sqlite3_column_bytes(raw, index)))
                }
                sys::SQLITE_BLOB => {
                    let blob = sys::sqlite3_column_blob(raw, index);
                    Value::Blob(bytes(blob.cast(), sys::sqlite3_column_bytes(raw, index)))
                }
                _ => Value::Null,
            }
        }
    }

    pub fn is_read_only(&self) -> bool {
        // SAFETY: the statement is open.
        unsafe { sys::sqlite3_stmt_readonly(self.raw()) != 0 }
    }

    pub fn sql(&self) -> Vec<u8> {
        // SAFETY: the statement is open; the text is copied at once.
        unsafe {
            let sql = sys::sqlite3_sql(self.raw());
            if sql.is_null() { Vec::new() } else { CStr::from_ptr(sql).to_bytes().to_vec() }
        }
    }

    /// The text with the values that are bound.
    pub fn expanded_sql(&self) -> Vec<u8> {
        // SAFETY: the text is ours to free, once.
        unsafe {
            let sql = sys::sqlite3_expanded_sql(self.raw());
            if sql.is_null() {
                return Vec::new();
            }
            let copy = CStr::from_ptr(sql).to_bytes().to_vec();
            sys::sqlite3_free(sql.cast());
            copy
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: the only finalize.
        unsafe { sys::sqlite3_finalize(self.raw()) };
    }
}

/// A field of a row that is read and written in place.
pub struct Blob {
    raw: NonNull<sys::sqlite3_blob>,
    connection: Rc<Connection>,
}

impl Blob {
    pub fn open(
        connection: &Rc<Connection>,
        database: &[u8],
        table: &[u8],
        column: &[u8],
        row: i64,
        writes: bool,
    ) -> Result<Blob, Failure> {
        let (database, table, column) = (c_text(database), c_text(table), c_text(column));
        let mut raw = ptr::null_mut();
        // SAFETY: the texts end with NUL.
        let code = unsafe {
            sys::sqlite3_blob_open(
                connection.db(),
                database.as_ptr(),
                table.as_ptr(),
                column.as_ptr(),
                row,
                writes as c_int,
                &mut raw,
            )
        };
        connection.check(code)?;
        let raw = NonNull::new(raw).ok_or_else(|| connection.failure(code))?;
        Ok(Blob { raw, connection: connection.clone() })
    }

    pub fn len(&self) -> usize {
        // SAFETY: the blob is open.
        unsafe { sys::sqlite3_blob_bytes(self.raw.as_ptr()) as usize }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn read(&self, at: usize, count: usize) -> Result<Vec<u8>, Failure> {
        let mut out = vec![0; count];
        // SAFETY: the buffer has `count` bytes; SQLite checks the range.
        let code =
            unsafe { sys::sqlite3_blob_read(self.raw.as_ptr(), out.as_mut_ptr().cast(), count as c_int, at as c_int) };
        self.connection.check(code).map(|()| out)
    }

    pub fn write(&self, at: usize, data: &[u8]) -> Result<(), Failure> {
        // SAFETY: the data goes with its length; SQLite checks the range.
        let code = unsafe {
            sys::sqlite3_blob_write(self.raw.as_ptr(), data.as_ptr().cast(), data.len() as c_int, at as c_int)
        };
        if code == OK { Ok(()) } else { self.connection.check(code) }
    }
}

impl Drop for Blob {
    fn drop(&mut self) {
        // SAFETY: the only close.
        unsafe { sys::sqlite3_blob_close(self.raw.as_ptr()) };
    }
}
