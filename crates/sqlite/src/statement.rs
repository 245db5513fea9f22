//! Prepared statements, and fields of rows that are read and written in place.

use crate::{Connection, Failure, OK, Value, c_text, callbacks, sys, text};
use std::cell::Cell;
use std::ffi::{CStr, c_int};
use std::ptr::{self, NonNull};
use std::rc::Rc;

/// A prepared statement of a database, which it keeps open.
pub struct Statement {
    raw: NonNull<sys::sqlite3_stmt>,
    connection: Rc<Connection>,
    runs: Cell<bool>,
}

impl Connection {
    /// Prepares the first statement of a text. Gives it with the offset at which the rest begins; `None` if the text
    /// has no statement.
    pub fn prepare(self: &Rc<Self>, sql: &[u8]) -> Result<Option<(Statement, usize)>, Failure> {
        let mut raw = ptr::null_mut();
        let mut tail = ptr::null();
        let length = c_int::try_from(sql.len()).unwrap_or(c_int::MAX);
        // SAFETY: the handle is open; the length is that of the text, which SQLite copies.
        let code = unsafe { sys::sqlite3_prepare_v2(self.db(), sql.as_ptr().cast(), length, &mut raw, &mut tail) };
        self.check(code)?;
        let rest = if tail.is_null() { sql.len() } else { tail as usize - sql.as_ptr() as usize };
        Ok(NonNull::new(raw).map(|raw| (Statement { raw, connection: self.clone(), runs: Cell::new(false) }, rest)))
    }
}

/// Copies bytes of SQLite.
///
/// # Safety
/// The pointer is null, or `length` bytes can be read there.
unsafe fn bytes(pointer: *const u8, length: c_int) -> Vec<u8> {
    if pointer.is_null() || length <= 0 {
        return Vec::new();
    }
    // SAFETY: the pointer is not null here, so the contract says that the bytes can be read.
    unsafe { std::slice::from_raw_parts(pointer, length as usize) }.to_vec()
}

/// Copies a value of SQLite.
///
/// # Safety
/// SQLite passed the value to a callback that is running.
pub(crate) unsafe fn value(raw: *mut sys::sqlite3_value) -> Value {
    // SAFETY: the contract keeps the value alive; the text is asked for before its length, as SQLite requires.
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

    /// The database that the statement belongs to.
    pub fn connection(&self) -> &Rc<Connection> {
        &self.connection
    }

    /// Goes to the next row; false if there is none. Fails if the statement is running already, which a callback of
    /// it could try.
    pub fn step(&self) -> Result<bool, Failure> {
        if self.runs.replace(true) {
            return Err(Failure { code: sys::SQLITE_MISUSE, message: "bad parameter or other API misuse".to_owned() });
        }
        // SAFETY: `raw` is open until `drop`, and `runs` says that it is not running.
        let code = unsafe { sys::sqlite3_step(self.raw()) };
        self.runs.set(false);
        callbacks::resume();
        match code {
            sys::SQLITE_ROW => Ok(true),
            sys::SQLITE_DONE => Ok(false),
            code => Err(self.connection.failure(code)),
        }
    }

    /// Goes back to before the first row. Does nothing while the statement is running.
    pub fn reset(&self) -> Result<(), Failure> {
        if self.runs.get() {
            return Ok(());
        }
        // SAFETY: `raw` is open until `drop`, and `runs` says that it is not running.
        self.connection.check(unsafe { sys::sqlite3_reset(self.raw()) })
    }

    /// Makes all parameters null.
    pub fn clear_bindings(&self) -> Result<(), Failure> {
        // SAFETY: `raw` is a statement that stays open until `drop`.
        self.connection.check(unsafe { sys::sqlite3_clear_bindings(self.raw()) })
    }

    /// The number of parameters.
    pub fn parameter_count(&self) -> i32 {
        // SAFETY: `raw` stays open until `drop`; SQLite only reads the count.
        unsafe { sys::sqlite3_bind_parameter_count(self.raw()) }
    }

    /// The number of a named parameter, counted from 1; 0 if there is none.
    pub fn parameter_index(&self, name: &[u8]) -> i32 {
        let name = c_text(name);
        // SAFETY: `raw` stays open until `drop`; SQLite only reads the name, which ends with NUL.
        unsafe { sys::sqlite3_bind_parameter_index(self.raw(), name.as_ptr()) }
    }

    /// Binds a value to a parameter, counted from 1.
    pub fn bind(&self, index: i32, value: &Value) -> Result<(), Failure> {
        let raw = self.raw();
        // SAFETY: `raw` stays open until `drop`; SQLite copies texts and blobs (`SQLITE_TRANSIENT`), and a slice's
        // pointer is never null.
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

    /// The number of columns of a row.
    pub fn column_count(&self) -> usize {
        // SAFETY: `raw` stays open until `drop`; SQLite only reads the number of columns.
        unsafe { sys::sqlite3_column_count(self.raw()) as usize }
    }

    /// The number of columns of the current row; 0 if there is none.
    pub fn data_count(&self) -> usize {
        // SAFETY: `raw` stays open until `drop`; SQLite only reads the current row's size.
        unsafe { sys::sqlite3_data_count(self.raw()) as usize }
    }

    /// The name of a column; empty if there is no such column.
    pub fn column_name(&self, column: usize) -> Vec<u8> {
        // SAFETY: SQLite gives null if there is no such column; otherwise the text is copied at once.
        unsafe {
            let name = sys::sqlite3_column_name(self.raw(), column as c_int);
            if name.is_null() { Vec::new() } else { CStr::from_ptr(name).to_bytes().to_vec() }
        }
    }

    /// The type with which the column was declared, if it comes from a table.
    pub fn declared_type(&self, column: usize) -> Option<String> {
        // SAFETY: SQLite gives null if there is no declaration; otherwise the text is copied at once.
        unsafe {
            let name = sys::sqlite3_column_decltype(self.raw(), column as c_int);
            (!name.is_null()).then(|| text(name))
        }
    }

    /// The table from which a column comes, if it comes from one.
    pub fn table_name(&self, column: usize) -> Option<String> {
        // SAFETY: SQLite gives null if there is no table; otherwise the text is copied at once.
        unsafe {
            let name = sys::sqlite3_column_table_name(self.raw(), column as c_int);
            (!name.is_null()).then(|| text(name))
        }
    }

    /// The value of a column of the current row; null if there is no such column.
    pub fn column(&self, column: usize) -> Value {
        if column >= self.data_count() {
            // SAFETY: `raw` stays open until `drop`. For a column that does not exist SQLite gives the type of null
            // and records the error, which PHP scripts can ask for afterwards.
            unsafe { sys::sqlite3_column_type(self.raw(), column as c_int) };
            return Value::Null;
        }
        let (raw, index) = (self.raw(), column as c_int);
        // SAFETY: the current row has this column; texts are asked for before their lengths and copied at once.
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

    /// Whether the statement does not change the database directly.
    pub fn is_read_only(&self) -> bool {
        // SAFETY: `raw` stays open until `drop`; SQLite only reads a flag of it.
        unsafe { sys::sqlite3_stmt_readonly(self.raw()) != 0 }
    }

    /// The text of the statement.
    pub fn sql(&self) -> Vec<u8> {
        // SAFETY: `raw` stays open until `drop`; the text is copied at once.
        unsafe {
            let sql = sys::sqlite3_sql(self.raw());
            if sql.is_null() { Vec::new() } else { CStr::from_ptr(sql).to_bytes().to_vec() }
        }
    }

    /// The text of the statement with its bound values. Empty if it is too long.
    pub fn expanded_sql(&self) -> Vec<u8> {
        // SAFETY: SQLite allocated the text for the caller, and it is freed once.
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
        // SAFETY: the statement is finalized only here, before its connection is dropped.
        unsafe { sys::sqlite3_finalize(self.raw()) };
    }
}

/// A field of a row that is read and written in place, without loading it as a whole.
pub struct Blob {
    raw: NonNull<sys::sqlite3_blob>,
    connection: Rc<Connection>,
}

impl Blob {
    /// Opens the field of a column in the row with an id. `writes`: it can be written, too.
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
        // SAFETY: the handle is open, and SQLite only reads the texts, which end with NUL.
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

    /// The size of the field in bytes, which cannot change.
    pub fn len(&self) -> usize {
        // SAFETY: `raw` is a blob that stays open until `drop`.
        unsafe { sys::sqlite3_blob_bytes(self.raw.as_ptr()) as usize }
    }

    /// Whether the field has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads `count` bytes from an offset. Fails outside of the field.
    pub fn read(&self, at: usize, count: usize) -> Result<Vec<u8>, Failure> {
        let mut out = vec![0; count];
        // SAFETY: the buffer has `count` bytes; SQLite checks the range of the field.
        let code =
            unsafe { sys::sqlite3_blob_read(self.raw.as_ptr(), out.as_mut_ptr().cast(), count as c_int, at as c_int) };
        self.connection.check(code).map(|()| out)
    }

    /// Writes bytes at an offset. Fails outside of the field.
    pub fn write(&self, at: usize, data: &[u8]) -> Result<(), Failure> {
        // SAFETY: the length is that of the data; SQLite checks the range of the field.
        let code = unsafe {
            sys::sqlite3_blob_write(self.raw.as_ptr(), data.as_ptr().cast(), data.len() as c_int, at as c_int)
        };
        if code == OK { Ok(()) } else { self.connection.check(code) }
    }
}

impl Drop for Blob {
    fn drop(&mut self) {
        // SAFETY: the blob is closed only here, before its connection is dropped.
        unsafe { sys::sqlite3_blob_close(self.raw.as_ptr()) };
    }
}
