//! The classes `SQLite3Stmt` and `SQLite3Result`.

use crate::database::{self, EXECUTE_FAILED, Held, report, uninitialised};
use phlox_ext_pdo_sqlite::bridge;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, Edges, Key, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, PhpStr, Val, View, Vm, convert,
};
use phlox_sqlite::{Failure, Statement, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The classes `SQLite3Stmt` and `SQLite3Result`.
pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "SQLite3Stmt",
        decl: include_str!("../stubs/SQLite3Stmt.stub.php"),
        methods: &[
            ("__construct", nothing),
            ("bindParam", bind_param),
            ("bindValue", bind_value),
            ("clear", clear),
            ("close", close),
            ("execute", execute),
            ("getSQL", get_sql),
            ("paramCount", param_count),
            ("readOnly", read_only),
            ("reset", reset),
        ],
        hooks: NativeHooks { no_clone: true, no_serialize: true, ..NativeHooks::NONE },
    },
    NativeClass {
        name: "SQLite3Result",
        decl: include_str!("../stubs/SQLite3Result.stub.php"),
        methods: &[
            ("__construct", nothing),
            ("numColumns", num_columns),
            ("columnName", column_name),
            ("columnType", column_type),
            ("fetchArray", fetch_array),
            ("reset", result_reset),
            ("finalize", finalize),
        ],
        hooks: NativeHooks { no_clone: true, no_serialize: true, ..NativeHooks::NONE },
    },
];

/// `SQLITE3_ASSOC`: rows have the names of columns as keys.
pub const ASSOC: i64 = 1;
const NUM: i64 = 2;

struct Parameter {
    index: i32,
    value: Val,
    kind: i64,
}

/// The native part of a statement.
struct Prepared {
    database: PhpObj,
    held: Rc<Held>,
    parameters: RefCell<Vec<Parameter>>,
}

impl NativeData for Prepared {
    fn trace(&self, edges: &mut Edges) {
        if let Ok(parameters) = self.parameters.try_borrow() {
            parameters.iter().for_each(|parameter| edges.value(&parameter.value));
        }
    }

    fn clear(&self) {
        drop(self.parameters.take());
    }
}

/// The native part of a result.
struct Rows {
    statement: PhpObj,
    /// Whether only the result has the statement.
    owns: bool,
    open: Cell<bool>,
}

impl NativeData for Rows {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

fn nothing(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}

/// Makes the object of a statement.
pub fn make(vm: &Vm, database: &PhpObj, held: Rc<Held>) -> PhpResult<PhpObj> {
    let object = vm.instantiate(&vm.require_class(b"SQLite3Stmt")?)?;
    object.set_native(Rc::new(Prepared { database: database.clone(), held, parameters: RefCell::default() }));
    Ok(object)
}

/// Makes the result of a statement. `owns`: only the result has the statement.
pub fn make_result(vm: &Vm, statement: &PhpObj, owns: bool) -> PhpResult<Val> {
    let object = vm.instantiate(&vm.require_class(b"SQLite3Result")?)?;
    object.set_native(Rc::new(Rows { statement: statement.clone(), owns, open: Cell::new(true) }));
    Ok(object.into())
}

/// The native part of a statement's object and its open statement. Throws if it is closed.
fn opened<'a>(vm: &Vm, object: &'a PhpObj) -> PhpResult<(&'a Prepared, Rc<Statement>)> {
    let prepared = object.native::<Prepared>().ok_or_else(|| uninitialised(vm, "SQLite3"))?;
    database::connection(vm, &prepared.database)?;
    let statement = prepared.held.borrow().clone().ok_or_else(|| uninitialised(vm, "SQLite3"))?;
    Ok((prepared, statement))
}

/// The native part of a result and its open statement. Throws if it is closed.
fn rows<'a>(vm: &Vm, object: &'a PhpObj) -> PhpResult<(&'a Rows, Rc<Statement>)> {
    let rows = object.native::<Rows>().filter(|rows| rows.open.get());
    let rows = rows.ok_or_else(|| uninitialised(vm, "SQLite3Result"))?;
    let statement = rows.statement.native::<Prepared>().and_then(|prepared| prepared.held.borrow().clone());
    Ok((rows, statement.ok_or_else(|| uninitialised(vm, "SQLite3Result"))?))
}

/// Keeps a parameter until the statement is executed.
fn keep(call: &Call<'_>, value: Val) -> PhpResult<Val> {
    let (prepared, statement) = opened(call.vm, call.this())?;
    let index = match call.arg(0).view() {
        View::Int(index) => index as i32,
        _ => {
            let name = call.str(0);
            let signed = name.first().is_some_and(|byte| matches!(byte, b':' | b'@' | b'$'));
            let name = if signed { name } else { PhpStr::new(&[b":", name.as_bytes()].concat()) };
            statement.parameter_index(&name)
        }
    };
    if index < 1 {
        return Ok(Val::FALSE);
    }
    let kind = match (call.passed > 2, value.deref().view()) {
        (true, _) => call.int(2),
        (false, View::Int(_) | View::Bool(_)) => 1,
        (false, View::Double(_)) => 2,
        (false, View::Null) => 5,
        (false, _) => 3,
    };
    let mut parameters = prepared.parameters.borrow_mut();
    let before: Vec<Parameter> = parameters.extract_if(.., |parameter| parameter.index == index).collect();
    parameters.push(Parameter { index, value, kind });
    drop(parameters);
    drop(before);
    Ok(Val::TRUE)
}

fn bind_param(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.reference(1).into();
    keep(call, value)
}

fn bind_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(1).deref();
    keep(call, value)
}

fn bound(vm: &Vm, parameter: &Parameter) -> PhpResult<Value> {
    let value = parameter.value.deref();
    if value.is_null() {
        return Ok(Value::Null);
    }
    Ok(match parameter.kind {
        1 => Value::Int(convert::to_int(vm, &value)?),
        2 => Value::Real(convert::to_double(vm, &value)?),
        4 => match value.view() {
            View::Res(_) => {
                let text = vm.call_value(&"stream_get_contents".into(), vec![value.clone()])?;
                Value::Blob(text.into_str().unwrap_or_else(PhpStr::empty).to_vec())
            }
            _ => Value::Blob(convert::to_str(vm, &value)?.to_vec()),
        },
        5 => Value::Null,
        _ => Value::Text(convert::to_str(vm, &value)?.to_vec()),
    })
}

fn bind_all(call: &Call<'_>, prepared: &Prepared, statement: &Statement) -> PhpResult<()> {
    let parameters = std::mem::take(&mut *prepared.parameters.borrow_mut());
    let values: PhpResult<Vec<_>> =
        parameters.iter().map(|parameter| Ok((parameter.index, bound(call.vm, parameter)?))).collect();
    drop(prepared.parameters.replace(parameters));
    for (index, value) in values? {
        if let Err(failure) = statement.bind(index, &value) {
            // PHP leaves SQLite's own message out here.
            let message = format!("Unable to bind parameter number {index}");
            report(call, &prepared.database, "", &Failure { message, ..failure })?;
        }
    }
    Ok(())
}

fn execute(call: &mut Call<'_>) -> PhpResult<Val> {
    let (prepared, statement) = opened(call.vm, call.this())?;
    let _ = statement.reset();
    bind_all(call, prepared, &statement)?;
    match statement.step() {
        Ok(_) => {
            bridge::check_thrown(call.vm)?;
            let _ = statement.reset();
            make_result(call.vm, call.this(), false)
        }
        Err(failure) => {
            let _ = statement.reset();
            report(call, &prepared.database, EXECUTE_FAILED, &failure)
        }
    }
}

fn clear(call: &mut Call<'_>) -> PhpResult<Val> {
    let (prepared, statement) = opened(call.vm, call.this())?;
    drop(prepared.parameters.take());
    Ok(Val::bool(statement.clear_bindings().is_ok()))
}

fn reset(call: &mut Call<'_>) -> PhpResult<Val> {
    let (prepared, statement) = opened(call.vm, call.this())?;
    match statement.reset() {
        Ok(()) => Ok(Val::TRUE),
        Err(failure) => report(call, &prepared.database, "Unable to reset statement: ", &failure),
    }
}

fn close(call: &mut Call<'_>) -> PhpResult<Val> {
    let (prepared, _) = opened(call.vm, call.this())?;
    prepared.held.borrow_mut().take();
    Ok(Val::TRUE)
}

fn get_sql(call: &mut Call<'_>) -> PhpResult<Val> {
    let (prepared, statement) = opened(call.vm, call.this())?;
    bind_all(call, prepared, &statement)?;
    Ok(Val::str(&if call.bool(0) { statement.expanded_sql() } else { statement.sql() }))
}

fn param_count(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(opened(call.vm, call.this())?.1.parameter_count() as i64))
}

fn read_only(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(opened(call.vm, call.this())?.1.is_read_only()))
}

/// The row as an array.
pub fn row(statement: &Statement, mode: i64) -> PhpArr {
    let mut row = PhpArr::new();
    for column in 0..statement.data_count() {
        let value = bridge::to_php(statement.column(column));
        if mode & NUM != 0 {
            row.insert(Key::Int(column as i64), value.clone());
        }
        if mode & ASSOC != 0 {
            row.set_bytes(&statement.column_name(column), value);
        }
    }
    row
}

fn num_columns(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(rows(call.vm, call.this())?.1.column_count() as i64))
}

fn column_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, statement) = rows(call.vm, call.this())?;
    let column = usize::try_from(call.int(0)).ok().filter(|column| *column < statement.column_count());
    Ok(column.map_or(Val::FALSE, |column| Val::str(&statement.column_name(column))))
}

fn column_type(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, statement) = rows(call.vm, call.this())?;
    let column = usize::try_from(call.int(0)).ok().filter(|column| *column < statement.data_count());
    Ok(column.map_or(Val::FALSE, |column| {
        Val::int(match statement.column(column) {
            Value::Int(_) => 1,
            Value::Real(_) => 2,
            Value::Text(_) => 3,
            Value::Blob(_) => 4,
            Value::Null => 5,
        })
    }))
}

fn fetch_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let (rows, statement) = rows(call.vm, call.this())?;
    let stepped = statement.step();
    bridge::check_thrown(call.vm)?;
    match stepped {
        Ok(true) => Ok(row(&statement, call.int(0)).into()),
        Ok(false) => Ok(Val::FALSE),
        Err(failure) => match rows.statement.native::<Prepared>() {
            Some(prepared) => report(call, &prepared.database, EXECUTE_FAILED, &failure),
            None => Ok(Val::FALSE),
        },
    }
}

fn result_reset(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(rows(call.vm, call.this())?.1.reset().is_ok()))
}

fn finalize(call: &mut Call<'_>) -> PhpResult<Val> {
    let (rows, statement) = rows(call.vm, call.this())?;
    match rows.statement.native::<Prepared>().filter(|_| rows.owns) {
        Some(prepared) => drop(prepared.held.borrow_mut().take()),
        None => drop(statement.reset()),
    }
    rows.open.set(false);
    Ok(Val::TRUE)
}
