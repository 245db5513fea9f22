//! The class `PDOStatement`.

use crate::connection::{self, Connection, Outcome, key, report};
use crate::driver::{Bound, DbError, Fail, Place, Prepared};
use crate::fetch::{self, Mode, Row};
use crate::iterate::get_iterator;
use crate::row;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    ArrKey, Call, Edges, Key, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpRef, PhpResult, PhpStr, Thrown, Val,
    View, Vm, convert, props,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The class `PDOStatement`.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "PDOStatement",
    decl: include_str!("../stubs/PDOStatement.stub.php"),
    methods: &[
        ("bindColumn", bind_column),
        ("bindParam", bind_param),
        ("bindValue", bind_value),
        ("closeCursor", close_cursor),
        ("columnCount", column_count),
        ("debugDumpParams", debug_dump_params),
        ("errorCode", error_code),
        ("errorInfo", error_info),
        ("execute", execute),
        ("fetch", fetch),
        ("fetchAll", fetch_all),
        ("fetchColumn", fetch_column),
        ("fetchObject", fetch_object),
        ("getIterator", get_iterator),
        ("getAttribute", get_attribute),
        ("getColumnMeta", get_column_meta),
        ("nextRowset", next_rowset),
        ("rowCount", row_count),
        ("setAttribute", set_attribute),
        ("setFetchMode", set_fetch_mode),
    ],
    hooks: NativeHooks {
        create: Some(create),
        no_clone: true,
        no_serialize: true,
        check_write: Some(check_write),
        ..NativeHooks::NONE
    },
}];

const PARAM_NULL: i64 = 0;
const PARAM_INT: i64 = 1;
const PARAM_STR: i64 = 2;
const PARAM_LOB: i64 = 3;
const PARAM_BOOL: i64 = 5;
const PARAM_FLAGS: i64 = 0xFFFF_0000;

struct Parameter {
    place: Place,
    value: Val,
    kind: i64,
    /// Whether the number of the name is known, because the statement ran with it.
    is_numbered: Cell<bool>,
}

impl Parameter {
    fn new(place: Place, value: Val, kind: i64) -> Parameter {
        Parameter { place, value, kind, is_numbered: Cell::new(false) }
    }
}

#[derive(Clone)]
struct BoundColumn {
    column: ArrKey,
    variable: PhpRef,
    kind: i64,
}

/// The native part of a statement.
#[derive(Default)]
struct Statement {
    /// The connection's object and the driver's statement; none before `init`.
    open: RefCell<Option<(PhpObj, Rc<dyn Prepared>)>>,
    parameters: RefCell<Vec<Parameter>>,
    columns: RefCell<Vec<BoundColumn>>,
    mode: RefCell<Option<Mode>>,
    executed: Cell<bool>,
    /// Whether the statement ran once, since when its columns are known.
    was_executed: Cell<bool>,
    outcome: Outcome,
    /// The `PDORow` of the statement.
    lazy: RefCell<Option<PhpObj>>,
}

impl NativeData for Statement {
    fn trace(&self, edges: &mut Edges) {
        if let Ok(parameters) = self.parameters.try_borrow() {
            parameters.iter().for_each(|parameter| edges.value(&parameter.value));
        }
    }

    fn clear(&self) {
        drop(self.parameters.take());
    }
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Statement::default()));
}

/// Gives a statement object its connection, the driver's statement and its text.
pub fn init(object: &PhpObj, connection: &PhpObj, prepared: Rc<dyn Prepared>, sql: &PhpStr) {
    drop(data(object).open.replace(Some((connection.clone(), prepared))));
    if let Some(slot) = object.slots().first() {
        slot.set(sql.into());
    }
}

fn check_write(vm: &Vm, _: &PhpObj, name: &PhpStr) -> PhpResult<()> {
    match name.as_bytes() {
        b"queryString" => Err(vm.throw_error(b"Property queryString is read only")),
        _ => Ok(()),
    }
}

/// Sets the fetch mode of a statement.
pub fn set_mode(object: &PhpObj, mode: Mode) {
    drop(data(object).mode.replace(Some(mode)));
}

fn data(object: &PhpObj) -> &Statement {
    object.native::<Statement>().unwrap_or_else(|| unreachable!("every statement has its data"))
}

/// The connection's object and the driver's statement. Throws before `init`.
fn opened(vm: &Vm, object: &PhpObj) -> PhpResult<(PhpObj, Rc<dyn Prepared>)> {
    let open = data(object).open.borrow().clone();
    open.ok_or_else(|| vm.throw_error(format!("{} object is uninitialized", object.class_name()).as_bytes()))
}

fn fail(call: &Call<'_>, connection: &Connection, statement: &Statement, fail: Fail) -> PhpResult<Val> {
    report(call, connection, &statement.outcome, fail)?;
    Ok(Val::FALSE)
}

fn own(
    call: &Call<'_>,
    connection: &Connection,
    statement: &Statement,
    state: &'static str,
    hint: &str,
) -> PhpResult<Val> {
    fail(call, connection, statement, Fail::Db(DbError::own(state, (!hint.is_empty()).then_some(hint))))
}

/// The parameter that the first argument names.
fn place(call: &Call<'_>) -> PhpResult<Place> {
    let param = call.arg(0);
    match param.view() {
        View::Int(number) if number < 1 => Err(call.value_error(0, "must be greater than or equal to 1")),
        View::Int(number) => Ok(Place::At(number as usize - 1)),
        _ => {
            let name = call.str(0);
            if name.is_empty() {
                return Err(call.value_error(0, "must not be empty"));
            }
            Ok(named(&name))
        }
    }
}

fn named(name: &PhpStr) -> Place {
    Place::Named(if name.starts_with(b":") { name.clone() } else { PhpStr::new(&[b":", name.as_bytes()].concat()) })
}

fn add_parameter(statement: &Statement, parameter: Parameter) {
    let place = |parameters: &[Parameter]| parameters.iter().position(|other| other.place == parameter.place);
    let mut parameters = statement.parameters.borrow_mut();
    // The former value is dropped without a borrow, because its destructor may bind parameters itself.
    let before = place(&parameters).map(|at| parameters[at].value.take());
    drop(parameters);
    drop(before);
    let mut parameters = statement.parameters.borrow_mut();
    match place(&parameters) {
        Some(at) => {
            let before = std::mem::replace(&mut parameters[at], parameter);
            drop(parameters);
            drop(before);
        }
        None => parameters.push(parameter),
    }
}

/// Converts a value when it is bound: to a string, or to the boolean or integer of its type.
fn as_bound(vm: &Vm, value: Val, kind: i64, is_output: bool) -> PhpResult<Val> {
    Ok(match (kind & !PARAM_FLAGS, value.view()) {
        (_, View::Null) => value,
        (PARAM_STR, _) if !is_output => convert::to_str(vm, &value)?.into(),
        (PARAM_INT, View::Bool(is)) => Val::int(is.into()),
        (PARAM_BOOL, View::Int(number)) => Val::bool(number != 0),
        _ => value,
    })
}

fn bind_value(call: &mut Call<'_>) -> PhpResult<Val> {
    opened(call.vm, call.this())?;
    let place = place(call)?;
    let value = as_bound(call.vm, call.arg(1).deref(), call.int(2), false)?;
    add_parameter(data(call.this()), Parameter::new(place, value, call.int(2)));
    Ok(Val::TRUE)
}

fn bind_param(call: &mut Call<'_>) -> PhpResult<Val> {
    opened(call.vm, call.this())?;
    let (place, variable) = (place(call)?, call.reference(1));
    // A variable with a maximum length is an output parameter.
    variable.set(as_bound(call.vm, variable.get(), call.int(2), call.int(3) > 0)?);
    add_parameter(data(call.this()), Parameter::new(place, variable.into(), call.int(2)));
    Ok(Val::TRUE)
}

fn bind_column(call: &mut Call<'_>) -> PhpResult<Val> {
    let (connection, prepared) = opened(call.vm, call.this())?;
    let column = match call.arg(0).view() {
        View::Int(number) if number < 1 => {
            return Err(call.value_error(0, "must be greater than or equal to 1"));
        }
        View::Int(number) => ArrKey::Int(number - 1),
        _ => ArrKey::Str(call.str(0)),
    };
    let statement = data(call.this());
    if let (ArrKey::Str(name), true) = (&column, statement.was_executed.get()) {
        let is_known = (0..prepared.column_count()).any(|column| prepared.column_name(column) == name.as_bytes());
        if !is_known {
            let hint = format!("Did not find column name '{name}' in the defined columns; it will not be bound");
            return own(call, connection::data(&connection), statement, "HY000", &hint);
        }
    }
    let variable = call.reference(1);
    variable.set(as_bound(call.vm, variable.get(), call.int(2), call.int(3) > 0)?);
    statement.columns.borrow_mut().push(BoundColumn { column, variable, kind: call.int(2) });
    Ok(Val::TRUE)
}

/// The value of a parameter in its type.
fn bound(vm: &Vm, parameter: &Parameter) -> PhpResult<Bound> {
    let value = parameter.value.deref();
    if value.is_null() {
        return Ok(Bound::Null);
    }
    Ok(match parameter.kind & !PARAM_FLAGS {
        PARAM_NULL => Bound::Null,
        PARAM_INT | PARAM_BOOL => Bound::Int(convert::to_int(vm, &value)?),
        PARAM_LOB => match value.view() {
            View::Res(_) => {
                let text = vm.call_value(&"stream_get_contents".into(), vec![value.clone()])?;
                Bound::Blob(text.into_str().unwrap_or_else(PhpStr::empty))
            }
            _ => Bound::Blob(convert::to_str(vm, &value)?),
        },
        _ => Bound::Text(convert::to_str(vm, &value)?),
    })
}

fn execute(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    opened(call.vm, &this)?;
    let statement = data(&this);
    if let Some(params) = call.opt_arr(0) {
        let mut parameters = Vec::new();
        for (key, value) in params.iter() {
            let place = match key {
                Key::Int(number @ 0..) => Place::At(number as usize),
                Key::Int(_) => {
                    let (connection, _) = opened(call.vm, &this)?;
                    return own(call, connection::data(&connection), statement, "HY093", "");
                }
                Key::Str(name) => named(name),
            };
            parameters.push(Parameter::new(place, value.deref(), PARAM_STR));
        }
        if let (Some((_, prepared)), false) = (&*statement.open.borrow(), parameters.is_empty()) {
            prepared.clear();
        }
        drop(statement.parameters.replace(parameters));
    }
    execute_in(call, &this, &statement.outcome).map(Val::bool)
}

/// Runs a statement. Errors are kept in `outcome`.
pub fn execute_in(call: &Call<'_>, object: &PhpObj, outcome: &Outcome) -> PhpResult<bool> {
    let (connection, prepared) = opened(call.vm, object)?;
    let statement = data(object);
    statement.outcome.clear();
    statement.executed.set(false);
    prepared.close_cursor();
    let values: Vec<(Place, Bound)> = {
        let parameters = std::mem::take(&mut *statement.parameters.borrow_mut());
        let values = parameters
            .iter()
            .map(|parameter| Ok((parameter.place.clone(), bound(call.vm, parameter)?)))
            .collect::<PhpResult<_>>();
        drop(statement.parameters.replace(parameters));
        values?
    };
    statement.parameters.borrow().iter().for_each(|parameter| parameter.is_numbered.set(true));
    let result = values
        .iter()
        .try_for_each(|(place, value)| prepared.bind(place, value))
        .and_then(|()| prepared.execute(call.vm));
    if let Err(fail) = result {
        report(call, connection::data(&connection), outcome, fail)?;
        return Ok(false);
    }
    statement.executed.set(true);
    statement.was_executed.set(true);
    Ok(true)
}

/// Goes to the next row, and assigns bound variables. `None`: an error was reported.
fn next(call: &Call<'_>, statement: &Statement, row: &Row<'_>) -> PhpResult<Option<bool>> {
    if !statement.executed.get() {
        return Ok(Some(false));
    }
    let fetched = row.prepared.fetch(call.vm);
    if let Some(shown) = statement.lazy.borrow().clone() {
        row::renew(&shown, if matches!(fetched, Ok(true)) { row.columns(0)? } else { Vec::new() });
    }
    match fetched {
        Ok(false) => return Ok(Some(false)),
        Ok(true) => {}
        Err(error) => return report(call, row.connection, &statement.outcome, error).map(|()| None),
    }
    // The list is cloned, because an assignment may run a destructor that binds more columns.
    let columns = statement.columns.borrow().clone();
    for bound in &columns {
        let column = match &bound.column {
            ArrKey::Int(number) => Some(*number as usize).filter(|column| *column < row.count()),
            ArrKey::Str(name) => (0..row.count()).find(|&column| row.name(column) == *name),
        };
        let Some(column) = column else { continue };
        let value = row.value(column)?;
        let value = match bound.kind & !PARAM_FLAGS {
            _ if value.is_null() => value,
            PARAM_INT => Val::int(convert::to_int(call.vm, &value)?),
            PARAM_BOOL => Val::bool(convert::to_bool(&value)),
            PARAM_NULL => Val::NULL,
            PARAM_LOB => value,
            _ => convert::to_str(call.vm, &value)?.into(),
        };
        bound.variable.set(value);
    }
    Ok(Some(true))
}

fn query_string(vm: &Vm, object: &PhpObj) -> PhpResult<PhpStr> {
    let class = vm.require_class(b"PDOStatement")?;
    let access = props::Access { scope: Some(&class), strict: false };
    convert::to_str(vm, &props::read(vm, object, &"queryString".into(), access, props::ReadMode::Quiet)?)
}

/// Runs `work` on the rows of `$this`.
fn with_row<T>(call: &Call<'_>, work: impl FnOnce(&Statement, &Row<'_>) -> PhpResult<T>) -> PhpResult<T> {
    with_row_of(call, &call.this().clone(), work)
}

fn with_row_of<T>(
    call: &Call<'_>,
    object: &PhpObj,
    work: impl FnOnce(&Statement, &Row<'_>) -> PhpResult<T>,
) -> PhpResult<T> {
    let (connection, prepared) = opened(call.vm, object)?;
    let (sql, statement) = (query_string(call.vm, object)?, data(object));
    let connection = connection::data(&connection);
    let row = Row { vm: call.vm, connection, prepared: &*prepared, sql, lazy: &statement.lazy };
    statement.outcome.clear();
    work(statement, &row)
}

fn default_mode(statement: &Statement, row: &Row<'_>) -> Mode {
    statement.mode.borrow().clone().unwrap_or_else(|| Mode::simple(row.connection.default_fetch.get()))
}

/// The mode that an argument asks for. Its own arguments come from `setFetchMode()`.
fn chosen_mode(statement: &Statement, row: &Row<'_>, number: i64) -> Mode {
    let default = default_mode(statement, row);
    if number == 0 {
        return default;
    }
    let mut mode = Mode::simple(number);
    match mode.kind {
        // Flags without a mode stand for `PDO::FETCH_BOTH`, not for the mode of `setFetchMode()`.
        0 => mode.kind = fetch::BOTH,
        fetch::COLUMN => mode.column = default.column.or(Some(0)),
        fetch::CLASS => (mode.class, mode.args) = (default.class, default.args),
        fetch::INTO => mode.into = default.into,
        _ => {}
    }
    mode
}

fn fetch(call: &mut Call<'_>) -> PhpResult<Val> {
    let number = call.int(0);
    if !(0..=fetch::KEY_PAIR).contains(&(number & !fetch::FLAGS)) || number < 0 {
        return Err(call.value_error(0, "must be a bitmask of PDO::FETCH_* constants"));
    }
    Ok(fetch_from(call, &call.this().clone(), number)?.unwrap_or(Val::FALSE))
}

/// The next row in the statement's own mode.
pub fn fetch_next(call: &Call<'_>, object: &PhpObj) -> PhpResult<Option<Val>> {
    fetch_from(call, object, 0)
}

/// The next row in a mode. `None`: there is no row, or an error was reported.
fn fetch_from(call: &Call<'_>, object: &PhpObj, number: i64) -> PhpResult<Option<Val>> {
    with_row_of(call, object, |statement, row| {
        let mode = chosen_mode(statement, row, number);
        if mode.kind == fetch::FUNC {
            return Err(call.vm.throw_value_error(b"Can only use PDO::FETCH_FUNC in PDOStatement::fetchAll()"));
        }
        // PHP reports the error of the mode, and then that the driver has none.
        let refuse = |hint: &str| {
            own(call, row.connection, statement, "HY000", hint)?;
            own(call, row.connection, statement, "HY000", "")?;
            Ok(None)
        };
        if mode.kind == fetch::KEY_PAIR && row.count() != 2 {
            return refuse("PDO::FETCH_KEY_PAIR fetch mode requires the result set to contain exactly 2 columns.");
        }
        if next(call, statement, row)? != Some(true) {
            return Ok(None);
        }
        if mode.kind == fetch::CLASS && mode.class.is_none() && mode.flags & fetch::CLASSTYPE == 0 {
            return refuse("No fetch class specified");
        }
        if mode.kind == fetch::INTO && mode.into.is_none() {
            return refuse("No fetch-into object specified.");
        }
        row.shape(&mode, 0).map(Some)
    })
}

fn fetch_column(call: &mut Call<'_>) -> PhpResult<Val> {
    let column = call.int(0);
    with_row(call, |statement, row| match next(call, statement, row)? {
        Some(true) if column < 0 => Err(call.vm.throw_value_error(b"Column index must be greater than or equal to 0")),
        Some(true) => row.shape(&Mode { column: Some(column), ..Mode::simple(fetch::COLUMN) }, 0),
        _ => Ok(Val::FALSE),
    })
}

fn fetch_object(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.opt_str(0).unwrap_or_else(|| "stdClass".into());
    let class = fetch::class_argument(call, &name.into(), 0)?;
    let args = fetch::arguments(&call.arr(1));
    with_row(call, |statement, row| match next(call, statement, row)? {
        Some(true) => row.shape(&Mode { class: Some(class), args, ..Mode::simple(fetch::CLASS) }, 0),
        _ => Ok(Val::FALSE),
    })
}

/// The mode that the arguments of `fetchAll()` ask for.
fn all_mode(call: &Call<'_>, statement: &Statement, row: &Row<'_>) -> PhpResult<Mode> {
    let (number, rest) = (call.int(0), call.rest(1));
    let plain = Mode::simple(number);
    if !(0..=fetch::KEY_PAIR).contains(&plain.kind) || number < 0 {
        return Err(call.value_error(0, "must be a bitmask of PDO::FETCH_* constants"));
    }
    let count_error = |bound: &str, what: &str| {
        let text = format!("PDOStatement::fetchAll() expects {bound} argument for {what}, {} given", rest.len() + 1);
        Err(call.vm.throw(Thrown::ArgumentCountError, text.as_bytes()))
    };
    match plain.kind {
        fetch::COLUMN if rest.len() > 1 => return count_error("at most 2", "the fetch mode provided"),
        fetch::FUNC if rest.len() != 1 => return count_error("exactly 2", "PDO::FETCH_FUNC"),
        fetch::COLUMN | fetch::FUNC | fetch::CLASS | fetch::LAZY => {}
        _ if !rest.is_empty() => return count_error("exactly 1", "the fetch mode provided"),
        _ => {}
    }
    match plain.kind {
        0 => {
            let default = default_mode(statement, row);
            Ok(Mode { flags: default.flags | plain.flags, ..default })
        }
        fetch::LAZY => Err(call.value_error(0, "cannot be PDO::FETCH_LAZY in PDOStatement::fetchAll()")),
        fetch::INTO => Ok(Mode { into: default_mode(statement, row).into, ..plain }),
        fetch::CLASS if rest.is_empty() => Ok(Mode { class: Some(call.vm.require_class(b"stdClass")?), ..plain }),
        fetch::COLUMN if rest.is_empty() => {
            Ok(Mode { column: if plain.flags & fetch::GROUP == 0 { Some(0) } else { None }, ..plain })
        }
        fetch::FUNC if rest[0].deref().is_null() => Err(call.type_error(1, "must be a callable, null given")),
        fetch::FUNC => match call.vm.resolve_callable(&rest[0])? {
            Ok(_) => Ok(Mode { function: rest[0].deref(), ..plain }),
            Err(reason) => Err(call.vm.throw_type_error(reason.as_bytes())),
        },
        _ => Mode::parse(call, number, 0, true),
    }
}

/// The value that a row is grouped by, and the rest of the row.
fn grouped_row(row: &Row<'_>, mode: &Mode) -> PhpResult<(Val, Val)> {
    match (mode.kind, mode.column) {
        // Rows are grouped by the column that the arguments name, and the first column is the value.
        (fetch::COLUMN, Some(column @ 1..)) if mode.flags == fetch::GROUP && (column as usize) < row.count() => {
            Ok((row.value(column as usize)?, row.value(0)?))
        }
        // The first column names the class, so rows are grouped by the second one.
        (fetch::CLASS, _) if mode.flags & fetch::CLASSTYPE != 0 && row.count() > 1 => {
            Ok((row.value(1)?, row.shape(mode, 1)?))
        }
        _ => Ok((row.value(0)?, row.shape(mode, 1)?)),
    }
}

fn fetch_all(call: &mut Call<'_>) -> PhpResult<Val> {
    with_row(call, |statement, row| {
        let mode = all_mode(call, statement, row)?;
        if mode.flags & fetch::SERIALIZE != 0 && mode.kind == fetch::CLASS {
            call.raise(phlox_runtime::Level::Deprecated, b"The PDO::FETCH_SERIALIZE mode is deprecated")?;
            let serializable = call.vm.require_class(b"Serializable")?;
            if !mode.class.as_ref().is_some_and(|class| phlox_runtime::ClassExt::class(&**class).is_a(&serializable)) {
                own(call, row.connection, statement, "HY000", "cannot unserialize class")?;
                own(call, row.connection, statement, "HY000", "")?;
                return Ok(PhpArr::new().into());
            }
        }
        if mode.kind == fetch::FUNC && mode.function.is_null() {
            own(call, row.connection, statement, "HY000", "No fetch function specified")?;
            own(call, row.connection, statement, "HY000", "")?;
            return Ok(PhpArr::new().into());
        }
        if mode.kind == fetch::INTO && mode.into.is_none() {
            own(call, row.connection, statement, "HY000", "No fetch-into object specified.")?;
            return Ok(PhpArr::new().into());
        }
        if mode.kind == fetch::CLASS && mode.class.is_none() && mode.flags & fetch::CLASSTYPE == 0 {
            own(call, row.connection, statement, "HY000", "No fetch class specified")?;
            own(call, row.connection, statement, "HY000", "")?;
            return Ok(PhpArr::new().into());
        }
        let mut all = PhpArr::new();
        let grouped = mode.flags & fetch::GROUP != 0;
        while next(call, statement, row)? == Some(true) {
            if mode.kind == fetch::KEY_PAIR {
                if row.count() != 2 {
                    let hint = "PDO::FETCH_KEY_PAIR fetch mode requires the result set to contain exactly 2 columns.";
                    own(call, row.connection, statement, "HY000", hint)?;
                    break;
                }
                let name = key(&row.value(0)?);
                all.insert(name.as_key(), row.value(1)?);
                continue;
            }
            if !grouped {
                let _ = all.push(row.shape(&mode, 0)?);
                continue;
            }
            let (name, value) = grouped_row(row, &mode)?;
            let name = key(&convert::to_str(call.vm, &name)?.into());
            if mode.flags & fetch::UNIQUE == fetch::UNIQUE {
                all.insert(name.as_key(), value);
                continue;
            }
            let mut group = match all.get(name.as_key()).and_then(|group| group.as_arr().cloned()) {
                Some(group) => group,
                None => PhpArr::new(),
            };
            let _ = group.push(value);
            all.insert(name.as_key(), group.into());
        }
        Ok(all.into())
    })
}

fn set_fetch_mode(call: &mut Call<'_>) -> PhpResult<Val> {
    opened(call.vm, call.this())?;
    let mode = Mode::parse(call, call.int(0), 0, false)?;
    drop(data(call.this()).mode.replace(Some(mode).filter(|_| call.int(0) != 0)));
    Ok(Val::TRUE)
}

fn close_cursor(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, prepared) = opened(call.vm, call.this())?;
    prepared.close_cursor();
    data(call.this()).executed.set(false);
    if let Some(shown) = data(call.this()).lazy.borrow().clone() {
        row::renew(&shown, Vec::new());
    }
    Ok(Val::TRUE)
}

fn column_count(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, prepared) = opened(call.vm, call.this())?;
    let executed = data(call.this()).executed.get();
    Ok(Val::int(if executed { prepared.column_count() as i64 } else { 0 }))
}

fn row_count(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(opened(call.vm, call.this())?.1.row_count()))
}

fn next_rowset(call: &mut Call<'_>) -> PhpResult<Val> {
    with_row(call, |statement, row| {
        own(call, row.connection, statement, "IM001", "driver does not support multiple rowsets")
    })
}

fn error_code(call: &mut Call<'_>) -> PhpResult<Val> {
    opened(call.vm, call.this())?;
    Ok(data(call.this()).outcome.code())
}

fn error_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let (connection, _) = opened(call.vm, call.this())?;
    Ok(data(call.this()).outcome.info(connection::data(&connection)))
}

fn get_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let attribute = call.int(0);
    with_row(call, |statement, row| match row.prepared.attribute(attribute) {
        Some(value) => Ok(value),
        None => own(call, row.connection, statement, "IM001", "driver doesn't support getting that attribute"),
    })
}

fn set_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    with_row(call, |statement, row| {
        own(call, row.connection, statement, "IM001", "This driver doesn't support setting attributes")
    })
}

fn get_column_meta(call: &mut Call<'_>) -> PhpResult<Val> {
    let column = call.int(0);
    if column < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    with_row(call, |statement, row| {
        if !statement.executed.get() {
            return Ok(Val::FALSE);
        }
        let mut meta = match row.prepared.column_meta(column as usize) {
            Ok(Some(meta)) => meta,
            Ok(None) => return Ok(Val::FALSE),
            Err(error) => return fail(call, row.connection, statement, error),
        };
        meta.set_bytes(b"name", row.name(column as usize).into());
        meta.set_bytes(b"len", Val::int(-1));
        meta.set_bytes(b"precision", Val::int(0));
        Ok(meta.into())
    })
}

fn debug_dump_params(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, prepared) = opened(call.vm, call.this())?;
    let sql = query_string(call.vm, call.this())?;
    let mut out = format!("SQL: [{}] ", sql.len()).into_bytes();
    out.extend_from_slice(&sql);
    let statement = data(call.this());
    let parameters = statement.parameters.borrow();
    out.extend(format!("\nParams:  {}\n", parameters.len()).into_bytes());
    for parameter in parameters.iter() {
        match &parameter.place {
            Place::Named(name) => {
                let is_numbered = parameter.is_numbered.get() && statement.was_executed.get();
                let number = if is_numbered { prepared.parameter_number(&parameter.place) } else { -1 };
                let length = name.len();
                out.extend(
                    format!("Key: Name: [{length}] {name}\nparamno={number}\nname=[{length}] \"{name}\"\n")
                        .into_bytes(),
                );
            }
            Place::At(index) => {
                out.extend(format!("Key: Position #{index}:\nparamno={index}\nname=[0] \"\"\n").into_bytes());
            }
        }
        out.extend(format!("is_param=1\nparam_type={}\n", parameter.kind as i32).into_bytes());
    }
    drop(parameters);
    phlox_runtime::ob::write(call.vm, &out);
    Ok(Val::NULL)
}
