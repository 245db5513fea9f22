//! The `pdo_sqlite` extension: SQLite for `PDO`, and the class `Pdo\Sqlite`. Extensions of SQLite cannot be loaded.
#![forbid(unsafe_code)]

pub mod blob;
pub mod bridge;
mod driver;
mod nothing;

use driver::Database;
use phlox_ext_pdo::connection;
use phlox_ext_pdo::driver::drivers;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Extension, NativeClass, PhpResult, Val, Vm};
use phlox_sqlite::Failure;
use std::rc::Rc;

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Pdo\\Sqlite",
    decl: include_str!("../stubs/Pdo/Sqlite.stub.php"),
    methods: &[
        ("createAggregate", create_aggregate),
        ("createCollation", create_collation),
        ("createFunction", create_function),
        ("loadExtension", load_extension),
        ("openBlob", open_blob),
    ],
    hooks: NativeHooks::NONE,
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "pdo_sqlite",
    functions: &[],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    drivers(vm).0.borrow_mut().push(("sqlite", "Pdo\\Sqlite", driver::open));
}

fn with_database(call: &Call<'_>, work: impl FnOnce(&Database) -> Result<(), Failure>) -> PhpResult<Val> {
    let driver = connection::driver(call.vm, call.this())?;
    let done = driver.as_any().downcast_ref::<Database>().is_some_and(|database| work(database).is_ok());
    Ok(Val::bool(done))
}

fn create_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    with_database(call, |database| {
        bridge::create_function(&database.connection, &name, call.arg(1), call.int(2), call.int(3))
    })
}

fn create_aggregate(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    with_database(call, |database| {
        bridge::create_aggregate(&database.connection, &name, call.arg(1), call.arg(2), call.int(3))
    })
}

fn create_collation(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    with_database(call, |database| bridge::create_collation(&database.connection, &name, call.arg(1)))
}

fn load_extension(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = format!("Unable to load extension \"{}\"", call.str(0));
    Err(connection::exception(call.vm, &text, Val::int(0), None))
}

fn open_blob(call: &mut Call<'_>) -> PhpResult<Val> {
    let driver = connection::driver(call.vm, call.this())?;
    let Some(database) = driver.as_any().downcast_ref::<Database>() else { return Ok(Val::FALSE) };
    let writes = call.int(4) & phlox_sqlite::OPEN_READWRITE as i64 != 0;
    let name = call.opt_str(3).unwrap_or_else(|| "main".into());
    let connection = Rc::clone(&database.connection);
    match blob::open(call, &connection, &name, writes) {
        Ok(stream) => Ok(stream),
        Err(failure) => {
            call.warning(&format!("Unable to open blob: {}", failure.message))?;
            Ok(Val::FALSE)
        }
    }
}
