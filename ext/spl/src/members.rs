//! An object's ordinary properties as tables, for dumps and serialisation of classes with native contents.

use phlox_runtime::{ArrKey, ClassExt, Key, NativeFn, ObjExt, PhpArr, PhpObj, PhpStr, Throw, Val, Vm, convert};

/// The bodies of a class's methods.
pub type Methods = &'static [(&'static str, NativeFn)];

/// All properties by mangled name; numeric names are integers.
pub fn table(object: &PhpObj) -> PhpArr {
    // The table of dynamic properties has such keys and can be shared. This matters because an iteration takes it at
    // each step.
    if object.slots().is_empty() {
        object.class().native.refresh(object);
        return object.dynamic().unwrap_or_default();
    }
    let mut table = PhpArr::new();
    for (key, value) in convert::object_properties(object).iter() {
        let key = match key {
            Key::Str(name) => ArrKey::from_str(name.clone()),
            Key::Int(index) => ArrKey::Int(index),
        };
        table.insert(key.as_key(), value.clone());
    }
    table
}

/// Restores properties from a table of mangled names.
pub fn load(object: &PhpObj, table: &PhpArr) {
    let class = object.class();
    for (key, value) in table.iter() {
        let name = convert::property_name(key);
        let declared = class.slots.iter().find(|info| {
            let (owner, plain) = convert::unmangle_name(&name);
            plain == info.name.as_bytes()
                && match owner {
                    None => true,
                    Some(b"*") => !info.is_private(),
                    Some(owner) => owner == ClassExt::class(&**info.declarer()).name.as_bytes(),
                }
        });
        match declared.and_then(|info| object.slots().get(info.slot)) {
            Some(slot) => slot.set(value.clone()),
            None => {
                let old = object.update_dynamic(|table| table.insert(Key::from_str(&name), value.clone()));
                drop(old);
            }
        }
    }
}

/// The properties and one more that looks like a private one of `class`, as `__debugInfo` shows native contents.
pub fn with_private(object: &PhpObj, rows: &[(&str, &str, Val)]) -> PhpArr {
    let mut shown = table(object);
    for (class, name, value) in rows {
        let key = PhpStr::concat(&[b"\0", class.as_bytes(), b"\0", name.as_bytes()]);
        shown.insert(Key::Str(&key), value.clone());
    }
    shown
}

/// The exception about serialised data of the wrong types.
pub fn ill_typed(vm: &Vm) -> Throw {
    vm.throw_class(b"UnexpectedValueException", b"Incomplete or ill-typed serialization data", 0)
}
