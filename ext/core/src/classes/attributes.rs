//! `Attribute` and the attributes that the engine obeys.

use super::nothing;
use phlox_runtime::class::{NativeHooks, Purpose};
use phlox_runtime::{Call, NativeClass, PhpArr, PhpObj, PhpResult, Val, Vm};

const STRICT: NativeHooks = NativeHooks { no_dynamic: true, ..NativeHooks::NONE };

/// Dumps do not show a sensitive value.
const SENSITIVE: NativeHooks = NativeHooks {
    no_dynamic: true,
    no_serialize: true,
    debug_info: Some(show_nothing),
    properties: Some(no_properties),
    ..NativeHooks::NONE
};

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Attribute",
        decl: include_str!("../../stubs/Attribute.stub.php"),
        methods: &[("__construct", construct_attribute)],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "ReturnTypeWillChange",
        decl: include_str!("../../stubs/ReturnTypeWillChange.stub.php"),
        methods: &[("__construct", nothing)],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "AllowDynamicProperties",
        decl: include_str!("../../stubs/AllowDynamicProperties.stub.php"),
        methods: &[("__construct", nothing)],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "SensitiveParameter",
        decl: include_str!("../../stubs/SensitiveParameter.stub.php"),
        methods: &[("__construct", nothing)],
        hooks: STRICT,
    },
    NativeClass {
        name: "SensitiveParameterValue",
        decl: include_str!("../../stubs/SensitiveParameterValue.stub.php"),
        methods: &[
            ("__construct", construct_sensitive),
            ("getValue", sensitive_value),
            ("__debugInfo", |_| Ok(PhpArr::new().into())),
        ],
        hooks: SENSITIVE,
    },
    NativeClass {
        name: "Override",
        decl: include_str!("../../stubs/Override.stub.php"),
        methods: &[("__construct", nothing)],
        hooks: STRICT,
    },
    NativeClass {
        name: "Deprecated",
        decl: include_str!("../../stubs/Deprecated.stub.php"),
        methods: &[("__construct", construct_deprecated)],
        hooks: STRICT,
    },
];

/// Sets a declared property that the constructor initialises.
fn set(call: &Call<'_>, slot: usize, value: Val) {
    if let Some(place) = call.this().slots().get(slot) {
        place.set(value);
    }
}

fn construct_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, 0, call.arg(0));
    Ok(Val::NULL)
}

fn construct_deprecated(call: &mut Call<'_>) -> PhpResult<Val> {
    let is_set = call.this().slots().iter().any(|slot| !slot.is_undef());
    if is_set {
        return Err(call.vm.throw_error(b"Cannot modify readonly property Deprecated::$message"));
    }
    set(call, 0, call.arg(0));
    set(call, 1, call.arg(1));
    Ok(Val::NULL)
}

fn construct_sensitive(call: &mut Call<'_>) -> PhpResult<Val> {
    set(call, 0, call.arg(0));
    Ok(Val::NULL)
}

fn sensitive_value(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.this().slots().first().map_or(Val::NULL, |slot| slot.get_deref().or_null()))
}

fn show_nothing(_: &Vm, _: &PhpObj) -> PhpResult<PhpArr> {
    Ok(PhpArr::new())
}

fn no_properties(_: &Vm, _: &PhpObj, purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    Ok((purpose != Purpose::ObjectVars).then(PhpArr::new))
}
