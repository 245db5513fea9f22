//! The `sqlite3` extension. Extensions of SQLite cannot be loaded.
#![forbid(unsafe_code)]

mod database;
mod statement;

use phlox_runtime::ConstValue::Int;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Extension, NativeClass};

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SQLite3Exception",
    decl: "class SQLite3Exception extends \\Exception {}",
    methods: &[],
    hooks: NativeHooks::NONE,
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "sqlite3",
    functions: &[],
    classes: &[CLASSES, database::CLASSES, statement::CLASSES],
    constants: &[&[
        ("SQLITE3_ASSOC", Int(1)),
        ("SQLITE3_NUM", Int(2)),
        ("SQLITE3_BOTH", Int(3)),
        ("SQLITE3_INTEGER", Int(1)),
        ("SQLITE3_FLOAT", Int(2)),
        ("SQLITE3_TEXT", Int(3)),
        ("SQLITE3_BLOB", Int(4)),
        ("SQLITE3_NULL", Int(5)),
        ("SQLITE3_OPEN_READONLY", Int(1)),
        ("SQLITE3_OPEN_READWRITE", Int(2)),
        ("SQLITE3_OPEN_CREATE", Int(4)),
        ("SQLITE3_DETERMINISTIC", Int(2048)),
    ]],
    ini: &[&database::EXTENSION_DIR.def, &database::DEFENSIVE.def],
    startup: None,
    shutdown: None,
};
