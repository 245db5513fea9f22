//! What a driver does for `PDO`, and how it says that it could not.

use phlox_runtime::{Call, PhpArr, PhpResult, PhpStr, Throw, Val, Vm};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// The SQLSTATE of what is none of the errors.
pub const NO_ERROR: &str = "00000";

/// An error as databases report them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DbError {
    /// SQLSTATE: five characters.
    pub state: &'static str,
    /// The driver's own code and message.
    pub native: Option<(i64, String)>,
    /// More about an error that no database reported.
    pub hint: Option<String>,
}

impl DbError {
    /// An error of PDO's own.
    pub fn own(state: &'static str, hint: Option<&str>) -> DbError {
        DbError { state, native: None, hint: hint.map(str::to_owned) }
    }

    /// Did PDO refuse something, without a database that failed?
    pub fn is_refusal(&self) -> bool {
        self.native.is_none() && (self.hint.is_some() || self.state != "HY000")
    }

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

/// Why a driver could not.
pub enum Fail {
    Db(DbError),
    Thrown(Throw),
}

impl From<Throw> for Fail {
    fn from(thrown: Throw) -> Fail {
        Fail::Thrown(thrown)
    }
}

pub type DbResult<T> = Result<T, Fail>;

/// A connection to a database.
pub trait Driver {
    fn name(&self) -> &'static str;
    /// Runs a statement; gives the count of rows that changed.
    fn run(&self, vm: &Vm, sql: &PhpStr) -> DbResult<i64>;
    fn prepare(&self, vm: &Vm, sql: &PhpStr, options: &PhpArr) -> DbResult<Rc<dyn Prepared>>;
    /// Can rows be fetched in another order than one after the other?
    fn has_scrollable_cursors(&self) -> bool;
    fn is_in_transaction(&self) -> bool;
    fn last_id(&self) -> String;
    fn quote(&self, vm: &Vm, text: &[u8]) -> DbResult<Option<Vec<u8>>>;
    fn attribute(&self, attribute: i64) -> Option<Val>;
    /// False: the driver has no such attribute.
    fn set_attribute(&self, vm: &Vm, attribute: i64, value: &Val) -> PhpResult<bool>;
    /// A method of `PDO` that only some drivers have; `None`: not this one.
    fn method(&self, name: &[u8], call: &Call<'_>) -> PhpResult<Option<Val>>;
    fn as_any(&self) -> &dyn Any;
}

/// Which parameter of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// With its sign.
    Named(PhpStr),
    /// From 0.
    At(usize),
}

/// A value as a parameter's type asks.
pub enum Bound {
    Null,
    Int(i64),
    Text(PhpStr),
    Blob(PhpStr),
}

/// A prepared statement.
pub trait Prepared {
    /// The number of a parameter, from 0; -1: there is none of that name.
    fn parameter_number(&self, place: &Place) -> i64;
    fn bind(&self, place: &Place, value: &Bound) -> DbResult<()>;
    /// Forgets what was bound.
    fn clear(&self);
    fn execute(&self, vm: &Vm) -> DbResult<()>;
    /// Goes to the next row; false: there is none.
    fn fetch(&self, vm: &Vm) -> DbResult<bool>;
    fn column_count(&self) -> usize;
    fn column_name(&self, column: usize) -> Vec<u8>;
    fn column(&self, column: usize) -> Val;
    /// `None`: nothing is known, and nothing went wrong.
    fn column_meta(&self, column: usize) -> DbResult<Option<PhpArr>>;
    fn row_count(&self) -> i64;
    fn close_cursor(&self);
    fn attribute(&self, attribute: i64) -> Option<Val>;
}

/// Opens a database by what follows the driver's name in the data source name.
pub type Open = fn(&Vm, &[u8], &PhpArr) -> DbResult<Rc<dyn Driver>>;

/// The drivers: the prefix of their data source names, the class of their connections, and how they open.
#[derive(Default)]
pub struct Drivers(pub RefCell<Vec<(&'static str, &'static str, Open)>>);

pub fn drivers(vm: &Vm) -> Rc<Drivers> {
    vm.data::<Drivers>("pdo drivers")
}
