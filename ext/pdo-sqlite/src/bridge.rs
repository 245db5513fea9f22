//! Conversions of values, and PHP functions that SQLite calls.

use phlox_runtime::basedir::OPEN_BASEDIR;
use phlox_runtime::{PhpRef, PhpResult, Throw, Val, View, Vm, basedir, convert};
use phlox_sqlite::{Aggregate, Connection, Failure, Value};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

/// Converts a value of a row or an argument to PHP.
pub fn to_php(value: Value) -> Val {
    match value {
        Value::Null => Val::NULL,
        Value::Int(number) => Val::int(number),
        Value::Real(number) => Val::double(number),
        Value::Text(bytes) | Value::Blob(bytes) => Val::str(&bytes),
    }
}

/// Converts the result of a PHP function to SQL.
pub fn to_sql(vm: &Vm, value: &Val) -> PhpResult<Value> {
    Ok(match value.view() {
        View::Null => Value::Null,
        View::Int(number) => Value::Int(number),
        View::Bool(truth) => Value::Int(truth as i64),
        View::Double(number) => Value::Real(number),
        _ => Value::Text(convert::to_str(vm, value)?.to_vec()),
    })
}

/// The exception that a PHP function threw while SQLite ran, kept until SQLite's call returns.
#[derive(Default)]
struct Thrown(RefCell<Option<Throw>>);

fn thrown(vm: &Vm) -> Rc<Thrown> {
    vm.data::<Thrown>("sqlite thrown")
}

/// Takes the exception that a function threw, if any.
pub fn take_thrown(vm: &Vm) -> Option<Throw> {
    thrown(vm).0.borrow_mut().take()
}

/// Keeps an exception until SQLite's call returns.
pub fn keep_thrown(vm: &Vm, throw: Throw) {
    *thrown(vm).0.borrow_mut() = Some(throw);
}

/// Throws the exception that a function threw, if any.
pub fn check_thrown(vm: &Vm) -> PhpResult<()> {
    take_thrown(vm).map_or(Ok(()), Err)
}

const FAILED: &str = "An error occurred while invoking the callback";

/// Calls a PHP function for SQLite. An exception is kept until SQLite's call returns.
pub fn call<T>(function: &Val, args: Vec<Val>, make: impl FnOnce(&Vm, Val) -> PhpResult<T>) -> Result<T, String> {
    let failed = || FAILED.to_owned();
    let vm = Vm::current().ok_or_else(failed)?;
    let thrown = thrown(vm);
    if thrown.0.borrow().is_some() {
        return Err(failed());
    }
    vm.call_value(function, args).and_then(|value| make(vm, value.into_deref())).map_err(|throw| {
        *thrown.0.borrow_mut() = Some(throw);
        failed()
    })
}

/// Whether `open_basedir` allows an action. Only `ATTACH` opens files; a file name that is computed is not known here,
/// so it is refused.
pub fn allows_action(action: i32, first: Option<&str>) -> bool {
    let Some(vm) = Vm::current().filter(|_| action == phlox_sqlite::ATTACH) else { return true };
    if vm.ini.get(&OPEN_BASEDIR).is_empty() {
        return true;
    }
    match first {
        None => false,
        Some("" | ":memory:") => true,
        Some(name) if name.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) => false,
        Some(name) => basedir::allows(vm, name.as_bytes()).unwrap_or_else(|throw| {
            *thrown(vm).0.borrow_mut() = Some(throw);
            false
        }),
    }
}

/// Lets SQL attach only the files that `open_basedir` allows.
pub fn guard(connection: &Connection) -> Result<(), Failure> {
    connection.set_authorizer(Some(Box::new(|action, texts| match allows_action(action, texts[0].as_deref()) {
        true => phlox_sqlite::OK,
        false => phlox_sqlite::DENY,
    })))
}

/// `Pdo\Sqlite::createFunction()`: Defines a function of SQL by a PHP function.
pub fn create_function(
    connection: &Connection,
    name: &[u8],
    function: Val,
    arity: i64,
    flags: i64,
) -> Result<(), Failure> {
    let body = move |args: &[Value]| {
        call(&function, args.iter().cloned().map(to_php).collect(), |vm, value| to_sql(vm, &value))
    };
    connection.create_function(name, arity as i32, flags as i32, Box::new(body))
}

struct Group {
    step: Val,
    finish: Val,
    context: Val,
    rows: i64,
}

impl Group {
    /// The first arguments of both functions: the group's context and the number of the row, as references.
    fn start(&self) -> Vec<Val> {
        [self.context.clone(), Val::int(self.rows)].map(|value| PhpRef::new(value).into()).into()
    }
}

impl Aggregate for Group {
    fn step(&mut self, args: &[Value]) -> Result<(), String> {
        self.rows += 1;
        let mut all = self.start();
        all.extend(args.iter().cloned().map(to_php));
        self.context = call(&self.step, all, |_, value| Ok(value))?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Value, String> {
        self.rows += 1;
        call(&self.finish, self.start(), |vm, value| to_sql(vm, &value))
    }
}

/// `Pdo\Sqlite::createAggregate()`: Defines an aggregate function of SQL by two PHP functions.
pub fn create_aggregate(
    connection: &Connection,
    name: &[u8],
    step: Val,
    finish: Val,
    arity: i64,
) -> Result<(), Failure> {
    let groups = move || -> Box<dyn Aggregate> {
        Box::new(Group { step: step.clone(), finish: finish.clone(), context: Val::NULL, rows: 0 })
    };
    connection.create_aggregate(name, arity as i32, Box::new(groups))
}

/// Defines a collation by a PHP function. Its result must be an integer.
pub fn create_collation(connection: &Connection, name: &[u8], function: Val) -> Result<(), Failure> {
    let compare = move |left: &[u8], right: &[u8]| {
        let result = call(&function, vec![Val::str(left), Val::str(right)], |vm, value| match value.view() {
            View::Int(number) => Ok(number.cmp(&0)),
            _ => {
                let given = convert::value_name(&value);
                let place = vm.frames.from_top().next().map(|frame| frame.func.display_name()).unwrap_or_default();
                let place = phlox_runtime::shown(&place).into_owned();
                let text = format!("{place}(): Return value of the callback must be of type int, {given} returned");
                Err(vm.throw_type_error(text.as_bytes()))
            }
        });
        result.unwrap_or(Ordering::Equal)
    };
    connection.create_collation(name, Box::new(compare))
}
