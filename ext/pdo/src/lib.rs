//! The `PDO` extension: one interface for all databases. Drivers register in [`driver::Drivers`].
//!
//! A row of `PDO::FETCH_LAZY` has all its columns when it is fetched.
#![forbid(unsafe_code)]

pub mod connection;
pub mod driver;
mod fetch;
mod iterate;
mod row;
mod statement;

use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Extension, FnDef, NativeClass, PhpArr, PhpResult, Val};

const FUNCTIONS: &[FnDef] = &[FnDef::new("pdo_drivers(): array", pdo_drivers)];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "PDOException",
    decl: include_str!("../stubs/PDOException.stub.php"),
    methods: &[],
    hooks: NativeHooks::NONE,
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "PDO",
    functions: &[FUNCTIONS],
    classes: &[CLASSES, row::CLASSES, connection::CLASSES, statement::CLASSES],
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};

fn pdo_drivers(call: &mut Call<'_>) -> PhpResult<Val> {
    let drivers = driver::drivers(call.vm);
    let names = drivers.0.borrow().iter().map(|row| Val::from(row.0)).collect::<PhpArr>();
    Ok(names.into())
}
