//! `serialize` and `unserialize`.

mod incomplete;
mod read;
mod write;

use phlox_runtime::class::NativeHooks;
use phlox_runtime::ini::{IniAccess, IniQuantity, IniString};
use phlox_runtime::{Call, FnDef, NativeClass, PhpResult, Val, Vm};
pub use read::{Sequence, unserialize_value};
pub use write::{serialize_each, serialize_value};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("serialize(mixed $value): string", serialize)
        .fast_path(|args| write::serialize_plain(Vm::current()?, args.first()?).map(Val::from)),
    FnDef::new("unserialize(string $data, array $options = []): mixed", unserialize),
];

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "__PHP_Incomplete_Class",
    decl: "#[AllowDynamicProperties] final class __PHP_Incomplete_Class {}",
    methods: &[],
    hooks: NativeHooks {
        own_properties: Some(&incomplete::MEMBERS),
        missing_method: Some(incomplete::missing_method),
        ..NativeHooks::NONE
    },
}];

/// How deep arrays and objects may nest in a text for `unserialize`; 0 is no limit.
pub static UNSERIALIZE_MAX_DEPTH: IniQuantity = IniQuantity::new("unserialize_max_depth", "4096", IniAccess::All);

/// The function that is called for a class that does not exist.
pub static UNSERIALIZE_CALLBACK_FUNC: IniString = IniString::unset("unserialize_callback_func", IniAccess::All);

/// Class of objects whose class is not known; this property of theirs holds its name.
const INCOMPLETE_CLASS: &[u8] = b"__PHP_Incomplete_Class";
const INCOMPLETE_NAME: &[u8] = b"__PHP_Incomplete_Class_Name";

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(serialize_value(call.vm, &call.arg(0))?.into())
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, options) = (call.str(0), call.arr(1));
    unserialize_value(call.vm, &text, &options, "unserialize")
}
