//! The driver of PDO for SQLite.

use crate::bridge::{self, check_thrown, to_php};
use crate::nothing::Nothing;
use phlox_ext_pdo::driver::{Bound, DbError, DbResult, Driver, Fail, Place, Prepared};
use phlox_runtime::basedir;
use phlox_runtime::basedir::OPEN_BASEDIR;
use phlox_runtime::errors::chain_previous;
use phlox_runtime::{Call, PhpArr, PhpResult, PhpStr, Throw, Val, Vm, convert};
use phlox_sqlite::{Connection, Failure, Statement, Value};
use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;

const ATTR_TIMEOUT: i64 = 2;
const ATTR_SERVER_VERSION: i64 = 4;
const ATTR_CLIENT_VERSION: i64 = 5;
const ATTR_OPEN_FLAGS: i64 = 1000;
const ATTR_READONLY_STATEMENT: i64 = 1001;
const ATTR_EXTENDED_RESULT_CODES: i64 = 1002;
const DEFAULT_TIMEOUT: i64 = 60;

/// An open database.
pub struct Database {
    pub connection: Rc<Connection>,
}

fn db_error(failure: Failure) -> DbError {
    let state = match failure.code & 0xFF {
        9 => "01002",
        12 => "42S02",
        18 => "22001",
        19 => "23000",
        22 => "HYC00",
        _ => "HY000",
    };
    DbError { state, native: Some((failure.code as i64, failure.message)), hint: None }
}

fn fail(failure: Failure) -> Fail {
    Fail::Db(db_error(failure))
}

/// The result of SQLite, unless a PHP function threw an exception meanwhile.
fn checked<T>(vm: &Vm, result: Result<T, Failure>) -> DbResult<T> {
    check_thrown(vm)?;
    result.map_err(fail)
}

fn is_uri(name: &[u8]) -> bool {
    name.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file:"))
}

/// Throws if `open_basedir` forbids the file. URIs are not parsed, so `open_basedir` forbids all of them.
fn check_basedir(vm: &Vm, name: &[u8]) -> DbResult<()> {
    let is_uri = is_uri(name) && !vm.ini.get(&OPEN_BASEDIR).is_empty();
    if !is_uri && (name.is_empty() || name == b":memory:" || basedir::allows_quietly(vm, name)) {
        return Ok(());
    }
    let refused = vm.throw_class(b"PDOException", &[b"open_basedir prohibits opening ", name].concat(), 0);
    // For plain names the general message of `open_basedir` is the previous exception.
    if let Throw::Exception(exception) = &refused
        && !is_uri
        && let Throw::Exception(first) = vm.throw_class(b"PDOException", &basedir::complaint(vm, name), 0)
    {
        chain_previous(exception, first);
    }
    Err(refused.into())
}

/// Opens the database of a file, or one in memory.
pub fn open(vm: &Vm, name: &[u8], options: &PhpArr) -> DbResult<Rc<dyn Driver>> {
    let number =
        |attribute: i64| options.get_int(attribute).map(|value| convert::to_int(vm, &value.deref())).transpose();
    let default = phlox_sqlite::OPEN_READWRITE | phlox_sqlite::OPEN_CREATE;
    let mut flags = number(ATTR_OPEN_FLAGS)?.map_or(default, |flags| flags as i32);
    let restricted = !vm.ini.get(&OPEN_BASEDIR).is_empty();
    if !restricted {
        flags |= phlox_sqlite::OPEN_URI;
    }
    check_basedir(vm, name)?;
    let expands = !name.is_empty() && name != b":memory:" && !is_uri(name);
    let path = if expands { basedir::absolute(name, None) } else { name.to_vec() };
    let connection = Connection::open(&path, flags).map_err(fail)?;
    let seconds = number(ATTR_TIMEOUT)?.unwrap_or(DEFAULT_TIMEOUT);
    connection.set_busy_timeout((seconds * 1000) as i32).map_err(fail)?;
    // The authorizer is always set, because a script may set `open_basedir` later.
    bridge::guard(&connection).map_err(fail)?;
    Ok(Rc::new(Database { connection }))
}

impl Driver for Database {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn run(&self, vm: &Vm, sql: &PhpStr) -> DbResult<i64> {
        checked(vm, self.connection.execute(sql))?;
        Ok(self.connection.changes())
    }

    fn prepare(&self, vm: &Vm, sql: &PhpStr, _: &PhpArr) -> DbResult<Rc<dyn Prepared>> {
        match checked(vm, self.connection.prepare(sql))? {
            Some((statement, _)) => Ok(Rc::new(Query {
                statement,
                has_row: Cell::new(false),
                done: Cell::new(true),
                changes: Cell::new(0),
            })),
            None => Ok(Rc::new(Nothing)),
        }
    }

    fn has_scrollable_cursors(&self) -> bool {
        false
    }

    fn is_in_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    fn last_id(&self) -> String {
        self.connection.last_insert_id().to_string()
    }

    fn quote(&self, _: &Vm, text: &[u8]) -> DbResult<Option<Vec<u8>>> {
        let mut quoted = vec![b'\''];
        // SQLite's quoting ends at the first NUL.
        for &byte in text.iter().take_while(|&&byte| byte != 0) {
            quoted.push(byte);
            if byte == b'\'' {
                quoted.push(byte);
            }
        }
        quoted.push(b'\'');
        Ok(Some(quoted))
    }

    fn attribute(&self, attribute: i64) -> Option<Val> {
        match attribute {
            ATTR_SERVER_VERSION | ATTR_CLIENT_VERSION => Some(phlox_sqlite::version().0.into()),
            _ => None,
        }
    }

    fn set_attribute(&self, vm: &Vm, attribute: i64, value: &Val) -> PhpResult<bool> {
        match attribute {
            ATTR_TIMEOUT => {
                let milliseconds = convert::to_int(vm, value)?.saturating_mul(1000);
                Ok(self.connection.set_busy_timeout(milliseconds as i32).is_ok())
            }
            ATTR_EXTENDED_RESULT_CODES => Ok(self.connection.use_extended_codes(convert::to_bool(value)).is_ok()),
            _ => Ok(false),
        }
    }

    fn method(&self, name: &[u8], call: &Call<'_>) -> PhpResult<Option<Val>> {
        let (sql_name, connection) = (call.str(0), &self.connection);
        let done = match name {
            b"sqliteCreateFunction" => {
                bridge::create_function(connection, &sql_name, call.arg(1), call.int(2), call.int(3))
            }
            b"sqliteCreateAggregate" => {
                bridge::create_aggregate(connection, &sql_name, call.arg(1), call.arg(2), call.int(3))
            }
            b"sqliteCreateCollation" => bridge::create_collation(connection, &sql_name, call.arg(1)),
            _ => return Ok(None),
        };
        Ok(Some(Val::bool(done.is_ok())))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A prepared statement. Executing it fetches the first row already.
struct Query {
    statement: Statement,
    /// Whether the first row was read but not fetched.
    has_row: Cell<bool>,
    done: Cell<bool>,
    changes: Cell<i64>,
}

impl Prepared for Query {
    fn parameter_number(&self, place: &Place) -> i64 {
        match place {
            Place::At(index) => *index as i64,
            Place::Named(name) => i64::from(self.statement.parameter_index(name)) - 1,
        }
    }

    fn bind(&self, place: &Place, value: &Bound) -> DbResult<()> {
        let index = match place {
            Place::At(index) => *index as i32 + 1,
            Place::Named(name) => self.statement.parameter_index(name),
        };
        let value = match value {
            Bound::Null => Value::Null,
            Bound::Int(number) => Value::Int(*number),
            Bound::Text(text) => Value::Text(text.to_vec()),
            Bound::Blob(blob) => Value::Blob(blob.to_vec()),
        };
        self.statement.bind(index, &value).map_err(fail)
    }

    fn clear(&self) {
        let _ = self.statement.clear_bindings();
    }

    fn execute(&self, vm: &Vm) -> DbResult<()> {
        let _ = self.statement.reset();
        self.done.set(false);
        let stepped = self.statement.step();
        let stepped = checked(vm, stepped);
        match stepped {
            Ok(row) => {
                self.has_row.set(row);
                self.done.set(!row);
                if !row {
                    self.changes.set(self.statement.connection().changes());
                    let _ = self.statement.reset();
                }
                Ok(())
            }
            Err(error) => {
                let _ = self.statement.reset();
                self.done.set(true);
                Err(error)
            }
        }
    }

    fn fetch(&self, vm: &Vm) -> DbResult<bool> {
        if self.has_row.replace(false) {
            return Ok(true);
        }
        if self.done.get() {
            return Ok(false);
        }
        let stepped = checked(vm, self.statement.step());
        if !matches!(stepped, Ok(true)) {
            self.done.set(true);
            let _ = self.statement.reset();
        }
        stepped
    }

    fn column_count(&self) -> usize {
        self.statement.column_count()
    }

    fn column_name(&self, column: usize) -> Vec<u8> {
        self.statement.column_name(column)
    }

    fn column(&self, column: usize) -> Val {
        to_php(self.statement.column(column))
    }

    fn column_meta(&self, column: usize) -> DbResult<Option<PhpArr>> {
        if column >= self.statement.column_count() {
            // PHP reports SQLite's last error here, or nothing if there is none.
            let connection = self.statement.connection();
            let (code, message) = (connection.error_code(), connection.error_message());
            return if code == 0 { Ok(None) } else { Err(fail(Failure { code, message })) };
        }
        let value = self.statement.column(column);
        let mut flags = PhpArr::new();
        let native = match &value {
            Value::Null => "null",
            Value::Int(_) => "integer",
            Value::Real(_) => "double",
            Value::Text(_) => "string",
            Value::Blob(_) => {
                let _ = flags.push("blob".into());
                "string"
            }
        };
        let kind = match value {
            Value::Null => 0,
            Value::Int(_) => 1,
            Value::Blob(_) => 3,
            _ => 2,
        };
        let mut meta = PhpArr::new();
        meta.set_bytes(b"native_type", native.into());
        meta.set_bytes(b"pdo_type", Val::int(kind));
        if let Some(declared) = self.statement.declared_type(column) {
            meta.set_bytes(b"sqlite:decl_type", declared.into());
        }
        if let Some(table) = self.statement.table_name(column) {
            meta.set_bytes(b"table", table.into());
        }
        meta.set_bytes(b"flags", flags.into());
        Ok(Some(meta))
    }

    fn row_count(&self) -> i64 {
        self.changes.get()
    }

    fn close_cursor(&self) {
        self.has_row.set(false);
        self.done.set(true);
        let _ = self.statement.reset();
    }

    fn attribute(&self, attribute: i64) -> Option<Val> {
        (attribute == ATTR_READONLY_STATEMENT).then(|| Val::bool(self.statement.is_read_only()))
    }
}
