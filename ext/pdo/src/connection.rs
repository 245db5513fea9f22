//! The class `PDO`.

use crate::driver::{DbError, DbResult, Driver, Fail, NO_ERROR, drivers};
use crate::{fetch, statement};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    ArrKey, Call, ClassExt, ClassRef, Edges, Key, NativeClass, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr,
    Throw, Val, View, Vm, convert, props,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The class `PDO`.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "PDO",
    decl: include_str!("../stubs/PDO.stub.php"),
    methods: &[
        ("__construct", construct),
        ("connect", connect),
        ("beginTransaction", begin_transaction),
        ("commit", commit),
        ("errorCode", error_code),
        ("errorInfo", error_info),
        ("exec", exec),
        ("getAttribute", get_attribute),
        ("getAvailableDrivers", get_available_drivers),
        ("inTransaction", in_transaction),
        ("lastInsertId", last_insert_id),
        ("prepare", prepare),
        ("query", query),
        ("quote", quote),
        ("rollBack", roll_back),
        ("setAttribute", set_attribute),
        ("sqliteCreateFunction", driver_method),
        ("sqliteCreateAggregate", driver_method),
        ("sqliteCreateCollation", driver_method),
    ],
    hooks: NativeHooks { create: Some(create), no_clone: true, no_serialize: true, ..NativeHooks::NONE },
}];

const ATTR_ERRMODE: i64 = 3;
const ATTR_CASE: i64 = 8;
const ATTR_CURSOR: i64 = 10;
const ATTR_ORACLE_NULLS: i64 = 11;
const ATTR_PERSISTENT: i64 = 12;
const ATTR_STATEMENT_CLASS: i64 = 13;
const ATTR_DRIVER_NAME: i64 = 16;
const ATTR_STRINGIFY_FETCHES: i64 = 17;
const ATTR_DEFAULT_FETCH_MODE: i64 = 19;
const CURSOR_FWDONLY: i64 = 0;
const ERRMODE_WARNING: i64 = 1;
const ERRMODE_EXCEPTION: i64 = 2;

/// The outcome of the last operation: none yet, success, or an error.
#[derive(Default)]
pub struct Outcome(RefCell<Option<Option<DbError>>>);

impl Outcome {
    /// Records a success.
    pub fn clear(&self) {
        drop(self.0.replace(Some(None)));
    }

    /// `PDO::code()`: The SQLSTATE of the outcome; null if there was no operation.
    pub fn code(&self) -> Val {
        match &*self.0.borrow() {
            None => Val::NULL,
            Some(None) => NO_ERROR.into(),
            Some(Some(error)) => error.state.into(),
        }
    }

    /// The value of `errorInfo()`. An error of PDO itself comes with the driver's last message.
    pub fn info(&self, connection: &Connection) -> Val {
        let parts = match &*self.0.borrow() {
            None => ["".into(), Val::NULL, Val::NULL],
            Some(None) => [NO_ERROR.into(), Val::NULL, Val::NULL],
            Some(Some(error)) => {
                info(&DbError { native: connection.complaint.borrow().clone(), ..DbError::own(error.state, None) })
            }
        };
        parts.into_iter().collect::<PhpArr>().into()
    }
}

fn info(error: &DbError) -> [Val; 3] {
    match &error.native {
        Some((code, message)) => {
            let message = Val::str(&phlox_runtime::raw_bytes(message.as_bytes()));
            [error.state.into(), Val::int(*code), message]
        }
        None => [error.state.into(), Val::NULL, Val::NULL],
    }
}

/// The native part of a connection.
pub struct Connection {
    driver: RefCell<Option<Rc<dyn Driver>>>,
    error_mode: Cell<i64>,
    /// `PDO::ATTR_CASE`: 0 natural, 1 upper, 2 lower.
    pub case: Cell<i64>,
    /// `PDO::ATTR_ORACLE_NULLS`: 0 natural, 1 empty strings become null, 2 null becomes an empty string.
    pub nulls: Cell<i64>,
    /// `PDO::ATTR_STRINGIFY_FETCHES`.
    pub stringifies: Cell<bool>,
    persistent: Cell<bool>,
    /// `PDO::ATTR_DEFAULT_FETCH_MODE`.
    pub default_fetch: Cell<i64>,
    statement_class: RefCell<Option<(ClassRef, Option<PhpArr>)>>,
    /// The outcome of the last operation.
    pub outcome: Outcome,
    /// The driver's code and message of its last failure.
    complaint: RefCell<Option<(i64, String)>>,
}

impl NativeData for Connection {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Connection {
        driver: RefCell::new(None),
        error_mode: Cell::new(ERRMODE_EXCEPTION),
        case: Cell::new(0),
        nulls: Cell::new(0),
        stringifies: Cell::new(false),
        persistent: Cell::new(false),
        default_fetch: Cell::new(fetch::BOTH),
        statement_class: RefCell::new(None),
        outcome: Outcome::default(),
        complaint: RefCell::new(None),
    }));
}

/// The native part of a `PDO` object.
pub fn data(object: &PhpObj) -> &Connection {
    object.native::<Connection>().unwrap_or_else(|| unreachable!("every PDO object has its data"))
}

/// The driver's connection of an object. Throws if it is not open.
pub fn driver(vm: &Vm, object: &PhpObj) -> PhpResult<Rc<dyn Driver>> {
    let driver = data(object).driver.borrow().clone();
    driver.ok_or_else(|| vm.throw_error(format!("{} object is uninitialized", object.class_name()).as_bytes()))
}

/// A `PDOException`, whose code may be a string.
pub fn exception(vm: &Vm, message: &str, code: Val, error: Option<&DbError>) -> Throw {
    let throw = vm.throw_class(b"PDOException", message.as_bytes(), 0);
    let Throw::Exception(object) = &throw else { return throw };
    let class = object.class().handle();
    let access = props::Access { scope: Some(&class), strict: false };
    let set = |name: &str, value: Val| props::write(vm, object, &name.into(), value, access);
    if let Err(throw) = set("code", code) {
        return throw;
    }
    if let Some(error) = error {
        let mut parts = info(error);
        if error.native.is_none() {
            parts[1] = Val::int(0);
        }
        let count = if error.native.is_none() { 2 } else { 3 };
        let list: PhpArr = parts.into_iter().take(count).collect();
        if let Err(throw) = set("errorInfo", list.into()) {
            return throw;
        }
    }
    throw
}

/// Reports an error as the error mode says, and keeps it for `errorInfo()`.
pub fn report(call: &Call<'_>, connection: &Connection, outcome: &Outcome, fail: Fail) -> PhpResult<()> {
    let error = match fail {
        Fail::Thrown(thrown) => return Err(thrown),
        // A failure without an error is not reported.
        Fail::Db(error) if error.state == NO_ERROR => return Ok(()),
        Fail::Db(error) => error,
    };
    *outcome.0.borrow_mut() = Some(Some(error.clone()));
    if error.native.is_some() {
        *connection.complaint.borrow_mut() = error.native.clone();
    }
    match connection.error_mode.get() {
        ERRMODE_EXCEPTION => Err(exception(call.vm, &error.message(), error.state.into(), Some(&error))),
        // Refusals by PDO itself are reported even in the silent mode.
        mode if mode == ERRMODE_WARNING || error.is_refusal() => {
            // An iteration has no frame of its own, so the warning names the function that iterates.
            let text = [&running(call)[..], b"(): ", error.message().as_bytes()].concat();
            call.vm.warning(&call.vm.builtin_message(&text))
        }
        _ => Ok(()),
    }
}

/// The name of the innermost function that has a frame.
fn running(call: &Call<'_>) -> Vec<u8> {
    match call.vm.frame() {
        Some(frame) if frame.is_native() => frame.func.display_name(),
        _ => call.vm.active_function(),
    }
}

/// Runs an operation of the driver. `None`: it failed, which was reported.
fn attempt<T>(call: &Call<'_>, work: impl FnOnce(&Rc<dyn Driver>) -> DbResult<T>) -> PhpResult<Option<T>> {
    let this = call.this();
    let (driver, connection) = (driver(call.vm, this)?, data(this));
    connection.outcome.clear();
    match work(&driver) {
        Ok(value) => Ok(Some(value)),
        Err(fail) => report(call, connection, &connection.outcome, fail).map(|()| None),
    }
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    open(call, &this, "__construct")?;
    Ok(Val::NULL)
}

/// Opens the database that the arguments name, for an object.
fn open(call: &Call<'_>, this: &PhpObj, function: &str) -> PhpResult<()> {
    let mut source = call.str(0);
    let mut colon = source.iter().position(|&byte| byte == b':');
    if colon.is_none() {
        let configured = call.vm.ini.configured(&format!("pdo.dsn.{source}"));
        if let Some(configured) = configured {
            source = configured;
            colon = source.iter().position(|&byte| byte == b':');
        }
    }
    let Some(colon) = colon else {
        let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
        let text = format!("{name}(): Argument #1 ($dsn) must be a valid data source name");
        return Err(exception(call.vm, &text, Val::int(0), None));
    };
    let found = drivers(call.vm).0.borrow().iter().find(|row| row.0.as_bytes() == &source[..colon]).copied();
    let Some((name, class, open)) = found else {
        return Err(exception(call.vm, "could not find driver", Val::int(0), None));
    };
    let wanted = call.vm.require_class(class.as_bytes())?;
    if let Some(other) = other_driver_class(call.vm, this, &wanted) {
        let given = this.class_name();
        let text = format!(
            "{given}::{function}() cannot be used for connecting to the \"{name}\" driver, either call \
             {class}::{function}() or PDO::{function}() instead"
        );
        drop(other);
        return Err(exception(call.vm, &text, Val::int(0), None));
    }
    let options = call.opt_arr(3).unwrap_or_default();
    let driver = match open(call.vm, &source[colon + 1..], &options) {
        Ok(driver) => driver,
        Err(Fail::Thrown(thrown)) => return Err(thrown),
        Err(Fail::Db(error)) => {
            let (code, message) = error.native.clone().unwrap_or_default();
            let text = format!("SQLSTATE[{}] [{code}] {message}", error.state);
            return Err(exception(call.vm, &text, Val::int(code), Some(&error)));
        }
    };
    let connection = data(this);
    drop(connection.driver.replace(Some(driver)));
    connection.outcome.0.borrow_mut().take();
    for (key, value) in options.iter() {
        if let Key::Int(attribute) = key {
            change_attribute(call, this, attribute, &value.deref())?;
        }
    }
    Ok(())
}

/// The class of a driver other than `wanted` to which the object belongs.
fn other_driver_class(vm: &Vm, object: &PhpObj, wanted: &ClassRef) -> Option<ClassRef> {
    let mut classes: Vec<&str> = drivers(vm).0.borrow().iter().map(|row| row.1).collect();
    classes.extend(["Pdo\\Pgsql", "Pdo\\Mysql", "Pdo\\Odbc", "Pdo\\Firebird", "Pdo\\DbLib"]);
    let found = classes.iter().filter_map(|name| vm.find_class_no_autoload(name.as_bytes()));
    found.filter(|class| class.id() != wanted.id()).find(|class| object.class().is_a(class))
}

fn connect(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(class) = call.static_class.cloned() else { return Ok(Val::NULL) };
    let source = call.str(0);
    let name = source.split(|&byte| byte == b':').next().unwrap_or_default();
    let driver = drivers(call.vm).0.borrow().iter().find(|row| row.0.as_bytes() == name).copied();
    let class = match driver {
        Some((_, special, _)) if class.class().name.as_bytes() == b"PDO" => {
            call.vm.require_class(special.as_bytes())?
        }
        _ => class,
    };
    let object = call.vm.instantiate(&class)?;
    open(call, &object, "connect")?;
    Ok(object.into())
}

fn begin_transaction(call: &mut Call<'_>) -> PhpResult<Val> {
    transact(call, false, "There is already an active transaction", "BEGIN")
}

fn commit(call: &mut Call<'_>) -> PhpResult<Val> {
    transact(call, true, "There is no active transaction", "COMMIT")
}

fn roll_back(call: &mut Call<'_>) -> PhpResult<Val> {
    transact(call, true, "There is no active transaction", "ROLLBACK")
}

fn transact(call: &Call<'_>, inside: bool, refusal: &str, sql: &str) -> PhpResult<Val> {
    if driver(call.vm, call.this())?.is_in_transaction() != inside {
        return Err(exception(call.vm, refusal, Val::int(0), None));
    }
    let done = attempt(call, |driver| driver.run(call.vm, &sql.into()))?;
    Ok(Val::bool(done.is_some()))
}

fn in_transaction(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(driver(call.vm, call.this())?.is_in_transaction()))
}

fn error_code(call: &mut Call<'_>) -> PhpResult<Val> {
    driver(call.vm, call.this())?;
    Ok(data(call.this()).outcome.code())
}

fn error_info(call: &mut Call<'_>) -> PhpResult<Val> {
    driver(call.vm, call.this())?;
    let connection = data(call.this());
    Ok(connection.outcome.info(connection))
}

fn exec(call: &mut Call<'_>) -> PhpResult<Val> {
    let sql = call.str(0);
    if sql.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    Ok(attempt(call, |driver| driver.run(call.vm, &sql))?.map_or(Val::FALSE, Val::int))
}

fn get_available_drivers(call: &mut Call<'_>) -> PhpResult<Val> {
    crate::pdo_drivers(call)
}

fn last_insert_id(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(attempt(call, |driver| Ok(driver.last_id()))?.map_or(Val::FALSE, Val::from))
}

fn quote(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let quoted = attempt(call, |driver| driver.quote(call.vm, &text))?;
    Ok(quoted.flatten().map_or(Val::FALSE, |text| Val::str(&text)))
}

fn get_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    let (driver, connection) = (driver(call.vm, this)?, data(this));
    connection.outcome.clear();
    let value = match call.int(0) {
        ATTR_ERRMODE => Val::int(connection.error_mode.get()),
        ATTR_CASE => Val::int(connection.case.get()),
        ATTR_ORACLE_NULLS => Val::int(connection.nulls.get()),
        ATTR_PERSISTENT => Val::bool(connection.persistent.get()),
        ATTR_STRINGIFY_FETCHES => Val::bool(connection.stringifies.get()),
        ATTR_DEFAULT_FETCH_MODE => Val::int(connection.default_fetch.get()),
        ATTR_DRIVER_NAME => driver.name().into(),
        ATTR_STATEMENT_CLASS => {
            let mut list = PhpArr::new();
            let class = connection.statement_class.borrow();
            let name = class.as_ref().map_or_else(|| "PDOStatement".into(), |(class, _)| Val::str(&class.class().name));
            list.insert(Key::Int(0), name);
            if let Some(args) = class.as_ref().and_then(|(_, args)| args.clone()) {
                list.insert(Key::Int(1), args.into());
            }
            list.into()
        }
        other => match driver.attribute(other) {
            Some(value) => value,
            None => {
                let error = DbError::own("IM001", Some("driver does not support that attribute"));
                report(call, connection, &connection.outcome, Fail::Db(error))?;
                return Ok(Val::FALSE);
            }
        },
    };
    Ok(value)
}

fn set_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    driver(call.vm, this)?;
    data(this).outcome.clear();
    change_attribute(call, this, call.int(0), &call.arg(1)).map(Val::bool)
}

fn whole(call: &Call<'_>, value: &Val) -> PhpResult<i64> {
    match value.view() {
        View::Int(number) => Ok(number),
        View::Bool(truth) => Ok(truth as i64),
        View::Str(text) => match std::str::from_utf8(text).ok().and_then(|text| text.trim().parse::<i64>().ok()) {
            Some(number) => Ok(number),
            None => Err(wrong_type(call, "int", value)),
        },
        _ => Err(wrong_type(call, "int", value)),
    }
}

fn wrong_type(call: &Call<'_>, wanted: &str, value: &Val) -> Throw {
    let given = convert::value_name(value);
    let text = format!("Attribute value must be of type {wanted} for selected attribute, {given} given");
    call.vm.throw_type_error(text.as_bytes())
}

fn truth(call: &Call<'_>, value: &Val) -> PhpResult<bool> {
    match value.view() {
        View::Bool(truth) => Ok(truth),
        View::Int(number) => Ok(number != 0),
        _ => Err(wrong_type(call, "bool", value)),
    }
}

fn change_attribute(call: &Call<'_>, this: &PhpObj, attribute: i64, value: &Val) -> PhpResult<bool> {
    let connection = data(this);
    let refuse = |text: &str| Err(call.vm.throw_value_error(text.as_bytes()));
    match attribute {
        ATTR_ERRMODE => match whole(call, value)? {
            mode @ 0..=2 => connection.error_mode.set(mode),
            _ => return refuse("Error mode must be one of the PDO::ERRMODE_* constants"),
        },
        ATTR_CASE => match whole(call, value)? {
            case @ 0..=2 => connection.case.set(case),
            _ => return refuse("Case folding mode must be one of the PDO::CASE_* constants"),
        },
        ATTR_ORACLE_NULLS => connection.nulls.set(whole(call, value)?),
        ATTR_PERSISTENT => connection.persistent.set(convert::to_bool(value)),
        ATTR_STRINGIFY_FETCHES => connection.stringifies.set(truth(call, value)?),
        ATTR_DEFAULT_FETCH_MODE => {
            let mode = whole(call, value)?;
            connection.default_fetch.set(mode);
        }
        ATTR_STATEMENT_CLASS => return set_statement_class(call, connection, value),
        other => {
            let known = driver(call.vm, this)?.set_attribute(call.vm, other, value)?;
            if !known && other >= 1000 {
                return Ok(false);
            }
            return Ok(known);
        }
    }
    Ok(true)
}

fn set_statement_class(call: &Call<'_>, connection: &Connection, value: &Val) -> PhpResult<bool> {
    let error = |text: String| Err(call.vm.throw_type_error(text.as_bytes()));
    let Some(list) = value.as_arr() else {
        let given = convert::value_name(value);
        return error(format!("PDO::ATTR_STATEMENT_CLASS value must be of type array, {given} given"));
    };
    let Some(name) = list.get_int(0).map(Val::deref) else {
        let text =
            "PDO::ATTR_STATEMENT_CLASS value must be an array with the format array(classname, constructor_args)";
        return Err(call.vm.throw_value_error(text.as_bytes()));
    };
    let class = match name.as_str() {
        Some(name) => call.vm.find_class(name)?,
        None => None,
    };
    let Some(class) = class else {
        return error("PDO::ATTR_STATEMENT_CLASS class must be a valid class".to_owned());
    };
    let base = call.vm.require_class(b"PDOStatement")?;
    if !class.class().is_a(&base) {
        return error("PDO::ATTR_STATEMENT_CLASS class must be derived from PDOStatement".to_owned());
    }
    if class.class().magic.construct.as_ref().is_some_and(|constructor| constructor.is_public()) {
        return error("User-supplied statement class cannot have a public constructor".to_owned());
    }
    let args = match list.get_int(1).map(Val::deref) {
        None => None,
        Some(args) => match args.as_arr() {
            Some(args) => Some(args.clone()),
            None => {
                let given = convert::value_name(&args);
                return error(format!(
                    "PDO::ATTR_STATEMENT_CLASS constructor_args must be of type ?array, {given} given"
                ));
            }
        },
    };
    drop(connection.statement_class.replace(Some((class, args))));
    Ok(true)
}

/// Makes a statement object. `None`: that failed, which was reported.
fn make_statement(call: &Call<'_>, sql: &PhpStr, options: &PhpArr) -> PhpResult<Option<(PhpObj, Option<PhpArr>)>> {
    let connection = data(call.this());
    let given = options.get_int(ATTR_STATEMENT_CLASS).map(Val::deref);
    let old = connection.statement_class.borrow().clone();
    if let Some(given) = given {
        set_statement_class(call, connection, &given)?;
    }
    let chosen = connection.statement_class.replace(old);
    let chosen = if options.get_int(ATTR_STATEMENT_CLASS).is_some() {
        chosen
    } else {
        connection.statement_class.borrow().clone()
    };
    let Some(prepared) = attempt(call, |driver| driver.prepare(call.vm, sql, options))? else { return Ok(None) };
    let class = match &chosen {
        Some((class, _)) => class.clone(),
        None => call.vm.require_class(b"PDOStatement")?,
    };
    let object = call.vm.instantiate(&class)?;
    statement::init(&object, call.this(), prepared, sql);
    Ok(Some((object, chosen.and_then(|(_, args)| args))))
}

/// Runs the constructor of a user's statement class.
fn construct_statement(call: &Call<'_>, object: &PhpObj, args: Option<PhpArr>) -> PhpResult<()> {
    if object.class().magic.construct.is_none() {
        if args.is_some() {
            return Err(call.vm.throw_error(b"User-supplied statement does not accept constructor arguments"));
        }
        return Ok(());
    }
    let args = args.map(|args| args.iter().map(|(_, value)| value.clone()).collect()).unwrap_or_default();
    call.vm.call_method(object, b"__construct", args).map(drop)
}

fn prepare(call: &mut Call<'_>) -> PhpResult<Val> {
    let (sql, options) = (call.str(0), call.arr(1));
    if sql.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let cursor = options.get_int(ATTR_CURSOR).map(|kind| convert::to_int(call.vm, &kind.deref())).transpose()?;
    if cursor.is_some_and(|kind| kind != CURSOR_FWDONLY) && !driver(call.vm, call.this())?.has_scrollable_cursors() {
        return Ok(Val::FALSE);
    }
    let Some((object, args)) = make_statement(call, &sql, &options)? else { return Ok(Val::FALSE) };
    construct_statement(call, &object, args)?;
    Ok(object.into())
}

fn query(call: &mut Call<'_>) -> PhpResult<Val> {
    let sql = call.str(0);
    if sql.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let Some((object, args)) = make_statement(call, &sql, &PhpArr::new())? else { return Ok(Val::FALSE) };
    if let Some(mode) = call.opt_int(1) {
        let mode = fetch::Mode::parse(call, mode, 1, false)?;
        statement::set_mode(&object, mode);
    }
    if !statement::execute_in(call, &object, &data(call.this()).outcome)? {
        return Ok(Val::FALSE);
    }
    construct_statement(call, &object, args)?;
    Ok(object.into())
}

/// Calls a method that only the driver has.
fn driver_method(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = &call.func.name;
    match driver(call.vm, call.this())?.method(name, call)? {
        Some(value) => Ok(value),
        None => {
            let text = format!("Call to undefined method {}::{name}()", call.this().class_name());
            Err(call.vm.throw_error(text.as_bytes()))
        }
    }
}

/// The key under which a value is put into an array of rows.
pub fn key(value: &Val) -> ArrKey {
    match value.view() {
        View::Int(number) => ArrKey::Int(number),
        View::Str(text) => ArrKey::from_bytes(text),
        _ => ArrKey::from_bytes(b""),
    }
}
