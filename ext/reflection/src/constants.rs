//! ReflectionConstant: a global constant.

use crate::subject::*;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, NativeData, PhpResult, PhpStr, Slot, Val};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionConstant",
    decl: include_str!("../stubs/ReflectionConstant.stub.php"),
    methods: &[
        ("__construct", construct),
        ("getName", |call| Ok((&global(call)?.name).into())),
        ("getNamespaceName", |call| Ok(Val::str(namespace_of(&global(call)?.name)))),
        ("getShortName", |call| Ok(Val::str(short_name(&global(call)?.name)))),
        ("getValue", |call| Ok(global(call)?.value.get())),
        ("isDeprecated", |call| Ok((global(call)?.name.as_bytes() == b"E_STRICT").into())),
        ("__toString", to_string),
    ],
    hooks: NativeHooks { needs_constructor: true, no_clone: true, no_serialize: true, ..NativeHooks::NONE },
}];

struct GlobalSubject {
    name: PhpStr,
    value: Slot,
}
native_data!(GlobalSubject, value);

fn global<'a>(call: &'a Call<'_>) -> PhpResult<&'a GlobalSubject> {
    subject(call)
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    let Some(value) = call.vm.find_constant(&name) else {
        return Err(failure(call.vm, &text!(b"Constant \"", &name, b"\" does not exist")));
    };
    set_property(call.this(), NAME, (&name).into());
    let name = call.vm.constant_as_declared(&name);
    call.this().set_native(Rc::new(GlobalSubject { name, value: Slot::new(value) }));
    Ok(Val::NULL)
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = global(call)?;
    let mut text = Vec::new();
    let is_builtin = call.vm.native_constant(&subject.name).is_some();
    let persistent = is_builtin || matches!(&subject.name[..], b"TRUE" | b"FALSE" | b"NULL");
    crate::render::values::constant(call.vm, &mut text, &subject.name, &subject.value.get(), persistent, "")?;
    Ok(Val::str(&text))
}
