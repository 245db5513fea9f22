//! Objects whose class was not known when they were unserialised: nothing can be done with them but serialise them again.

use super::INCOMPLETE_NAME;
use phlox_runtime::class::{Member, MemberHooks, MemberUse};
use phlox_runtime::{PhpObj, PhpResult, PhpStr, Throw, Val, Vm};

pub(super) static MEMBERS: MemberHooks = MemberHooks {
    read: |vm, object, _, usage| match usage {
        MemberUse::Value | MemberUse::Quiet => refuse_reading(vm, object).map(|()| Val::NULL),
        MemberUse::Changed | MemberUse::Inside | MemberUse::Unset => {
            Err(vm.throw_error(&message(object, "modify a property")))
        }
    },
    write: |vm, object, _: Member<'_>, _| Err(vm.throw_error(&message(object, "modify a property"))),
    exists: |vm, object, _, _| refuse_reading(vm, object).map(|()| false),
    unset: |vm, object, _| Err(vm.throw_error(&message(object, "modify a property"))),
};

/// The error about a call of a method.
pub(super) fn missing_method(vm: &Vm, object: &PhpObj) -> Throw {
    vm.throw_error(&message(object, "call a method"))
}

fn message(object: &PhpObj, what: &str) -> Vec<u8> {
    let named = object.dynamic().and_then(|table| table.get_bytes(INCOMPLETE_NAME).cloned());
    // The name is not taken from a reference.
    let class = named.filter(|name| !name.is_ref()).and_then(Val::into_str).unwrap_or_else(|| PhpStr::from("unknown"));
    let text = format!(
        "The script tried to {what} on an incomplete object. Please ensure that the class definition \"{class}\" of the \
         object you are trying to operate on was loaded _before_ unserialize() gets called or provide an autoloader to \
         load the class definition"
    );
    text.into_bytes()
}

fn refuse_reading(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    vm.warning(&[&vm.innermost_function()[..], b"(): ", &message(object, "access a property")].concat())
}
