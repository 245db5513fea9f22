//! The interface between `PDO` and its drivers, and their errors.

use phlox_runtime::{Call, PhpArr, PhpResult, PhpStr, Throw, Val, Vm};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// The SQLSTATE of success.
pub const NO_ERROR: &str = "00000";

/// An error of a database or of PDO.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DbError {
    /// The SQLSTATE, five characters.
    pub state: &'static str,
    /// The driver's own code and message.
    pub native: Option<(i64, String)>,
    /// Details of an error that PDO itself found.
    pub hint: Option<String>,
}

impl DbError {
    /// An error that PDO itself found.
    pub fn own(state: &'static str, hint: Option<&str>) -> DbError {
        DbError { state, native: None, hint: hint.map(str::to_owned) }
    }

    /// Whether PDO itself refused an operation, without a failure of the database.
    pub fn is_refusal(&self) -> bool {
        self.native.is_none() && (self.hint.is_some() || self.state != "HY000")
    }

    /// The text of the error: its SQLSTATE, the general description and the details.
    pub fn message(&self) -> String {
        let (state, text) = (self.state, description(self.state));
        match (&self.native, &self.hint) {
            (Some((code, message)), _) => format!("SQLSTATE[{state}]: {text}: {code} {message}"),
            (None, Some(hint)) => format!("SQLSTATE[{state}]: {text}: {hint}"),
            (None, None) => format!("SQLSTATE[{state}]: {text}"),
        }
    }
}

fn description(state: &str) -> &'static str {
    match state {
        NO_ERROR => "No error",
        "01002" => "Disconnect error",
        "22001" => "String data, right truncated",
        "22003" => "Numeric value out of range",
        "23000" => "Integrity constraint violation",
        "42000" => "Syntax error or access violation",
        "42S02" => "Base table or view not found",
        "HY000" => "General error",
        "HY093" => "Invalid parameter number",
        "HY105" => "Invalid parameter type",
        "HYC00" => "Optional feature not implemented",
        "IM001" => "Driver does not support this function",
        _ => "<<Unknown error>>",
    }
}

/// The reason why an operation of a driver failed.
pub enum Fail {
    Db(DbError),
    Thrown(Throw),
}

impl From<Throw> for Fail {
    fn from(thrown: Throw) -> Fail {
        Fail::Thrown(thrown)
    }
}

/// The result of an operation of a driver.
pub type DbResult<T> = Result<T, Fail>;

/// A connection to a database.
pub trait Driver {
    /// The name of the driver.
    fn name(&self) -> &'static str;
    /// Runs a statement, and gives the number of changed rows.
    fn run(&self, vm: &Vm, sql: &PhpStr) -> DbResult<i64>;
    /// Prepares a statement.
    fn prepare(&self, vm: &Vm, sql: &PhpStr, options: &PhpArr) -> DbResult<Rc<dyn Prepared>>;
    /// Whether rows can be fetched in any order.
    fn has_scrollable_cursors(&self) -> bool;
    /// Whether a transaction is open.
    fn is_in_transaction(&self) -> bool;
    /// The id of the row that was inserted last.
    fn last_id(&self) -> String;
    /// A text as a literal of SQL. `None`: the driver cannot quote it.
    fn quote(&self, vm: &Vm, text: &[u8]) -> DbResult<Option<Vec<u8>>>;
    /// The value of an attribute. `None`: the driver has no such attribute.
    fn attribute(&self, attribute: i64) -> Option<Val>;
    /// Sets an attribute. False: the driver has no such attribute.
    fn set_attribute(&self, vm: &Vm, attribute: i64, value: &Val) -> PhpResult<bool>;
    /// Calls a method that only some drivers have. `None`: this driver does not have it.
    fn method(&self, name: &[u8], call: &Call<'_>) -> PhpResult<Option<Val>>;
    /// The driver itself, for the methods of its own class.
    fn as_any(&self) -> &dyn Any;
}

/// A parameter of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A named parameter, with its sign.
    Named(PhpStr),
    /// A parameter by number, from 0.
    At(usize),
}

/// A value in the type of its parameter.
pub enum Bound {
    Null,
    Int(i64),
    Text(PhpStr),
    Blob(PhpStr),
}

/// A prepared statement.
pub trait Prepared {
    /// The number of a parameter, from 0; -1 if there is none of that name.
    fn parameter_number(&self, place: &Place) -> i64;
    /// Binds a value to a parameter.
    fn bind(&self, place: &Place, value: &Bound) -> DbResult<()>;
    /// Removes all bindings.
    fn clear(&self);
    /// Runs the statement.
    fn execute(&self, vm: &Vm) -> DbResult<()>;
    /// Goes to the next row; false if there is none.
    fn fetch(&self, vm: &Vm) -> DbResult<bool>;
    /// The number of columns of the result.
    fn column_count(&self) -> usize;
    /// The name of a column.
    fn column_name(&self, column: usize) -> Vec<u8>;
    /// The value of a column of the current row.
    fn column(&self, column: usize) -> Val;
    /// What is known about a column. `None`: nothing is, and no error occurred.
    fn column_meta(&self, column: usize) -> DbResult<Option<PhpArr>>;
    /// The number of changed rows.
    fn row_count(&self) -> i64;
    /// Drops the rest of the result.
    fn close_cursor(&self);
    /// The value of an attribute. `None`: the statement has no such attribute.
    fn attribute(&self, attribute: i64) -> Option<Val>;
}

/// Opens a database by the part of the data source name behind the driver's name.
pub type Open = fn(&Vm, &[u8], &PhpArr) -> DbResult<Rc<dyn Driver>>;

/// The drivers: the prefix of their data source names, the class of their connections, and the function that opens one.
#[derive(Default)]
pub struct Drivers(pub RefCell<Vec<(&'static str, &'static str, Open)>>);

/// The drivers that extensions have registered.
pub fn drivers(vm: &Vm) -> Rc<Drivers> {
    vm.data::<Drivers>("pdo drivers")
}
