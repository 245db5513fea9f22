//! `disable_classes`: builtin classes of which only the names and constants are left.

use crate::class::{NativeHooks, ObjExt};
use crate::extension::NativeClass;
use crate::vm::Vm;
use phlox_value::{PhpObj, Val};

/// What stands in for the row of every disabled class.
pub(crate) static DISABLED: NativeClass =
    NativeClass { name: "", decl: "", methods: &[], hooks: NativeHooks { create: Some(warn), ..NativeHooks::NONE } };

/// The lower-case names in a setting that disables functions or classes.
pub(crate) fn names(setting: &[u8]) -> Vec<Vec<u8>> {
    let names = setting.split(|&b| b == b',' || b == b' ').filter(|name| !name.is_empty());
    names.map(<[u8]>::to_ascii_lowercase).collect()
}

/// Is this row one of a disabled class?
pub(crate) fn is_disabled(native: &NativeClass) -> bool {
    std::ptr::eq(native, &raw const DISABLED)
}

/// An object of a disabled class, or of one that extends it, has not even the defaults of its properties.
fn warn(vm: &Vm, object: &PhpObj) {
    for slot in object.slots() {
        slot.set(Val::UNDEF);
    }
    let text = [object.class_name().as_bytes(), b"() has been disabled for security reasons"].concat();
    if let Err(thrown) = vm.warning(&text) {
        vm.set_pending(thrown);
    }
}
