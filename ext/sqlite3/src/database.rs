//! The class `SQLite3`.

use crate::statement;
use phlox_ext_pdo_sqlite::{blob, bridge};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::ini::{IniAccess, IniBool, IniString};
use phlox_runtime::{Call, Edges, Level, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Throw, Val, View, Vm};
use phlox_sqlite::{Connection, Failure, Statement};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// `sqlite3.extension_dir`: the folder of extensions of SQLite, which cannot be loaded.
pub static EXTENSION_DIR: IniString = IniString::unset("sqlite3.extension_dir", IniAccess::System);

/// `sqlite3.defensive`: whether SQL is kept from damaging the file of the database.
pub static DEFENSIVE: IniBool = IniBool::new("sqlite3.defensive", "1", IniAccess::User);

/// The class `SQLite3`.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SQLite3",
    decl: include_str!("../stubs/SQLite3.stub.php"),
    methods: &[
        ("__construct", open),
        ("open", open),
        ("close", close),
        ("version", version),
        ("lastInsertRowID", last_insert_row_id),
        ("lastErrorCode", last_error_code),
        ("lastExtendedErrorCode", last_extended_error_code),
        ("lastErrorMsg", last_error_msg),
        ("changes", changes),
        ("busyTimeout", busy_timeout),
        ("loadExtension", load_extension),
        ("backup", backup),
        ("escapeString", escape_string),
        ("prepare", prepare),
        ("exec", exec),
        ("query", query),
        ("querySingle", query_single),
        ("createFunction", create_function),
        ("createAggregate", create_aggregate),
        ("createCollation", create_collation),
        ("openBlob", open_blob),
        ("enableExceptions", enable_exceptions),
        ("enableExtendedResultCodes", enable_extended_result_codes),
        ("setAuthorizer", set_authorizer),
    ],
    hooks: NativeHooks { create: Some(create), no_clone: true, no_serialize: true, ..NativeHooks::NONE },
}];

/// A statement, which is taken away when its database is closed.
pub type Held = RefCell<Option<Rc<Statement>>>;

/// The native part of a database.
#[derive(Default)]
pub struct Database {
    connection: RefCell<Option<Rc<Connection>>>,
    throws: Rc<Cell<bool>>,
    statements: RefCell<Vec<Weak<Held>>>,
}

impl NativeData for Database {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Database::default()));
}

/// The native part of an `SQLite3` object.
pub fn data(object: &PhpObj) -> &Database {
    object.native::<Database>().unwrap_or_else(|| unreachable!("every SQLite3 object has its data"))
}

/// The error for an object of a class that is not open.
pub fn uninitialised(vm: &Vm, class: &str) -> Throw {
    vm.throw_error(format!("The {class} object has not been correctly initialised or is already closed").as_bytes())
}

/// The open connection of an object. Throws if it is closed.
pub fn connection(vm: &Vm, object: &PhpObj) -> PhpResult<Rc<Connection>> {
    let connection = data(object).connection.borrow().clone();
    connection.ok_or_else(|| uninitialised(vm, "SQLite3"))
}

/// The prefix of messages about execution. If a function threw an exception during it, only that is thrown.
pub const EXECUTE_FAILED: &str = "Unable to execute statement: ";

/// Reports a failure as an exception, or as a warning where exceptions are off. An exception of a PHP function becomes
/// the previous one, or is thrown after the warning.
pub fn report(call: &Call<'_>, database: &PhpObj, prefix: &str, failure: &Failure) -> PhpResult<Val> {
    if prefix == EXECUTE_FAILED {
        bridge::check_thrown(call.vm)?;
    }
    let thrown = bridge::take_thrown(call.vm);
    let message = format!("{prefix}{}", failure.message);
    complain(call.vm, &data(database).throws, &message, failure.code, thrown).map(|()| Val::FALSE)
}

fn complain(vm: &Vm, throws: &Cell<bool>, message: &str, code: i32, thrown: Option<Throw>) -> PhpResult<()> {
    if !throws.get() {
        let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
        vm.warning(&[&name[..], b"(): ", message.as_bytes()].concat())?;
        return thrown.map_or(Ok(()), Err);
    }
    let exception = vm.throw_class(b"SQLite3Exception", message.as_bytes(), code as i64);
    if let (Throw::Exception(exception), Some(Throw::Exception(first))) = (&exception, thrown) {
        phlox_runtime::errors::chain_previous(exception, first);
    }
    Err(exception)
}

fn open(call: &mut Call<'_>) -> PhpResult<Val> {
    let database = data(call.this());
    let path = call.path(0)?;
    if database.connection.borrow().is_some() {
        return Err(call.vm.throw_class(b"Exception", b"Already initialised DB Object", 0));
    }
    let in_memory = path.is_empty() || &path[..] == b":memory:";
    // The path is made absolute so that SQLite never takes it for a URI, whose parts `open_basedir` would not see.
    let path = if in_memory { path.to_vec() } else { phlox_runtime::basedir::absolute(&path, None) };
    if !in_memory && !phlox_runtime::basedir::allows(call.vm, &path)? {
        let text = [b"open_basedir prohibits opening ", &path[..]].concat();
        return Err(call.vm.throw_class(b"Exception", &text, 0));
    }
    match Connection::open(&path, call.int(1) as i32) {
        Ok(connection) => {
            if call.vm.ini.get(&DEFENSIVE) {
                let _ = connection.set_defensive();
            }
            let _ = bridge::guard(&connection);
            drop(database.connection.replace(Some(connection)));
            Ok(Val::NULL)
        }
        Err(failure) => {
            let text = format!("Unable to open database: {}", failure.message);
            Err(call.vm.throw_class(b"Exception", text.as_bytes(), 0))
        }
    }
}

fn close(call: &mut Call<'_>) -> PhpResult<Val> {
    let database = data(call.this());
    for held in database.statements.borrow_mut().drain(..).filter_map(|held| held.upgrade()) {
        held.borrow_mut().take();
    }
    let closed = database.connection.borrow_mut().take();
    drop(closed);
    Ok(Val::TRUE)
}

fn version(_call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, number) = phlox_sqlite::version();
    let mut version = PhpArr::new();
    version.set_bytes(b"versionString", text.into());
    version.set_bytes(b"versionNumber", Val::int(number));
    Ok(version.into())
}

fn last_insert_row_id(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(connection(call.vm, call.this())?.last_insert_id()))
}

fn last_error_code(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = data(call.this()).connection.borrow().clone();
    Ok(Val::int(connection.map_or(0, |connection| connection.error_code() as i64)))
}

fn last_extended_error_code(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = data(call.this()).connection.borrow().clone();
    Ok(Val::int(connection.map_or(0, |connection| connection.extended_error_code() as i64)))
}

fn last_error_msg(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = data(call.this()).connection.borrow().clone();
    let message = connection.map_or_else(String::new, |connection| connection.error_message());
    Ok(Val::str(&phlox_runtime::raw_bytes(message.as_bytes())))
}

fn changes(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(connection(call.vm, call.this())?.changes()))
}

fn busy_timeout(call: &mut Call<'_>) -> PhpResult<Val> {
    let milliseconds = call.int(0) as i32;
    match connection(call.vm, call.this())?.set_busy_timeout(milliseconds) {
        Ok(()) => Ok(Val::TRUE),
        Err(failure) => report(call, call.this(), "Unable to set busy timeout: ", &failure),
    }
}

fn load_extension(call: &mut Call<'_>) -> PhpResult<Val> {
    connection(call.vm, call.this())?;
    if !call.vm.ini.get(&EXTENSION_DIR).is_empty() && call.str(0).is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let failure = Failure { code: phlox_sqlite::ERROR, message: "SQLite Extensions are disabled".to_owned() };
    report(call, call.this(), "", &failure)
}

fn backup(call: &mut Call<'_>) -> PhpResult<Val> {
    let source = connection(call.vm, call.this())?;
    let Some(target) = call.opt_obj(0) else { return Ok(Val::FALSE) };
    let target = connection(call.vm, &target)?;
    match source.backup(&call.str(1), &target, &call.str(2)) {
        Ok(()) => Ok(Val::TRUE),
        Err(failure) => report(call, call.this(), "Backup failed: ", &failure),
    }
}

fn escape_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut escaped = Vec::new();
    for &byte in call.str(0).iter() {
        escaped.push(byte);
        if byte == b'\'' {
            escaped.push(byte);
        }
    }
    Ok(Val::str(&escaped))
}

fn exec(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = connection(call.vm, call.this())?;
    match connection.execute(&call.str(0)) {
        Ok(()) => bridge::check_thrown(call.vm).map(|()| Val::TRUE),
        Err(failure) => report(call, call.this(), "", &failure),
    }
}

/// The statement of a text. `None`: it has none, or an error was reported. The message has no prefix for a `query()`
/// whose result is dropped, because PHP executes its text without a statement.
fn compile(call: &Call<'_>) -> PhpResult<Option<Rc<Statement>>> {
    let connection = connection(call.vm, call.this())?;
    match connection.prepare(&call.str(0)) {
        Ok(prepared) => Ok(prepared.map(|(statement, _)| Rc::new(statement))),
        Err(failure) => {
            let is_plain = call.func.name.as_bytes() == b"query" && call.result_is_dropped();
            let prefix = if is_plain { "" } else { "Unable to prepare statement: " };
            report(call, call.this(), prefix, &failure).map(|_| None)
        }
    }
}

/// Makes the object of a statement, which loses it when the database is closed.
fn hold(call: &Call<'_>, statement: Rc<Statement>) -> PhpResult<PhpObj> {
    let held = Rc::new(RefCell::new(Some(statement)));
    let mut statements = data(call.this()).statements.borrow_mut();
    statements.retain(|held| held.strong_count() > 0);
    statements.push(Rc::downgrade(&held));
    drop(statements);
    statement::make(call.vm, call.this(), held)
}

/// `SQLite3::prepare()`.
pub fn prepare(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.str(0).is_empty() {
        return Ok(Val::FALSE);
    }
    match compile(call)? {
        Some(statement) => Ok(hold(call, statement)?.into()),
        None => Ok(Val::FALSE),
    }
}

/// The statement of a text that is executed at once, which texts without a statement cannot be. `None`: an error was
/// reported.
fn compile_to_run(call: &Call<'_>) -> PhpResult<Option<Rc<Statement>>> {
    if call.str(0).is_empty() {
        return Ok(None);
    }
    let connection = connection(call.vm, call.this())?;
    let statement = compile(call)?;
    if statement.is_none() && connection.error_code() == 0 {
        let failure = Failure { code: 0, message: connection.error_message() };
        report(call, call.this(), EXECUTE_FAILED, &failure)?;
    }
    Ok(statement)
}

fn query(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(statement) = compile_to_run(call)? else { return Ok(Val::FALSE) };
    match statement.step() {
        Ok(_) => {
            bridge::check_thrown(call.vm)?;
            let _ = statement.reset();
            let object = hold(call, statement)?;
            statement::make_result(call.vm, &object, true)
        }
        Err(failure) => report(call, call.this(), EXECUTE_FAILED, &failure),
    }
}

fn query_single(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(statement) = compile_to_run(call)? else { return Ok(Val::FALSE) };
    match statement.step() {
        Ok(row) => {
            bridge::check_thrown(call.vm)?;
            let entire = call.bool(1);
            Ok(match (row, entire) {
                (true, false) => bridge::to_php(statement.column(0)),
                (true, true) => statement::row(&statement, statement::ASSOC).into(),
                (false, false) => Val::NULL,
                (false, true) => PhpArr::new().into(),
            })
        }
        Err(failure) => report(call, call.this(), EXECUTE_FAILED, &failure),
    }
}

fn create_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = connection(call.vm, call.this())?;
    let name = call.str(0);
    if name.is_empty() {
        return Ok(Val::FALSE);
    }
    let done = bridge::create_function(&connection, &name, call.arg(1), call.int(2), call.int(3));
    Ok(Val::bool(done.is_ok()))
}

fn create_aggregate(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = connection(call.vm, call.this())?;
    let name = call.str(0);
    if name.is_empty() {
        return Ok(Val::FALSE);
    }
    let done = bridge::create_aggregate(&connection, &name, call.arg(1), call.arg(2), call.int(3));
    Ok(Val::bool(done.is_ok()))
}

fn create_collation(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = connection(call.vm, call.this())?;
    let name = call.str(0);
    Ok(Val::bool(!name.is_empty() && bridge::create_collation(&connection, &name, call.arg(1)).is_ok()))
}

fn open_blob(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = connection(call.vm, call.this())?;
    let writes = call.int(4) & phlox_sqlite::OPEN_READWRITE as i64 != 0;
    match blob::open(call, &connection, &call.str(3), writes) {
        Ok(stream) => Ok(stream),
        Err(failure) => report(call, call.this(), "Unable to open blob: ", &failure),
    }
}

fn enable_exceptions(call: &mut Call<'_>) -> PhpResult<Val> {
    let enable = call.bool(0);
    if !enable {
        call.raise(Level::Deprecated, b"Use of warnings for SQLite3 is deprecated")?;
    }
    Ok(Val::bool(data(call.this()).throws.replace(enable)))
}

fn enable_extended_result_codes(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(connection(call.vm, call.this())?.use_extended_codes(call.bool(0)).is_ok()))
}

fn set_authorizer(call: &mut Call<'_>) -> PhpResult<Val> {
    let connection = connection(call.vm, call.this())?;
    let function = call.arg(0);
    if function.is_null() {
        return Ok(Val::bool(bridge::guard(&connection).is_ok()));
    }
    let throws = data(call.this()).throws.clone();
    let authorizer = move |action: i32, texts: [Option<String>; 4]| {
        if !bridge::allows_action(action, texts[0].as_deref()) {
            return phlox_sqlite::DENY;
        }
        let mut args = vec![Val::int(action as i64)];
        args.extend(texts.into_iter().map(|text| text.map_or(Val::NULL, Val::from)));
        let problem = match bridge::call(&function, args, |_, value| Ok(value)) {
            Ok(value) => match value.view() {
                View::Int(answer @ 0..=2) => return answer as i32,
                View::Int(other) => format!("The authorizer callback returned an invalid value: {other}"),
                _ => "The authorizer callback returned an invalid type: expected int".to_owned(),
            },
            Err(_) => "An error occurred while invoking the authorizer callback".to_owned(),
        };
        if let Some(vm) = Vm::current()
            && let Err(throw) = complain(vm, &throws, &problem, 0, bridge::take_thrown(vm))
        {
            bridge::keep_thrown(vm, throw);
        }
        phlox_sqlite::DENY
    };
    Ok(Val::bool(connection.set_authorizer(Some(Box::new(authorizer))).is_ok()))
}
