//! `disable_classes`: disabled builtin classes keep only their names and constants.

use crate::class::{NativeHooks, ObjExt};
use crate::extension::NativeClass;
use crate::vm::Vm;
use phlox_value::{PhpObj, Val};

/// The row that replaces the row of every disabled class.
pub(crate) static DISABLED: NativeClass =
    NativeClass { name: "", decl: "", methods: &[], hooks: NativeHooks { create: Some(warn), ..NativeHooks::NONE } };

/// The lower-case names in a setting that disables functions or classes.
pub(crate) fn names(setting: &[u8]) -> Vec<Vec<u8>> {
    let names = setting.split(|&b| b == b',' || b == b' ').filter(|name| !name.is_empty());
    names.map(<[u8]>::to_ascii_lowercase).collect()
}

/// Whether this row is that of a disabled class.
pub(crate) fn is_disabled(native: &NativeClass) -> bool {
    std::ptr::eq(native, &raw const DISABLED)
}

/// Warns that a class is disabled. An object of it, or of a subclass, does not even have the defaults of its properties.
fn warn(vm: &Vm, object: &PhpObj) {
    for slot in object.slots() {
        slot.set(Val::UNDEF);
    }
    let text = [object.class_name().as_bytes(), b"() has been disabled for security reasons"].concat();
    if let Err(thrown) = vm.warning(&text) {
        vm.set_pending(thrown);
    }
}
