//! `assert`, which the compiler leaves out when `zend.assertions` is -1.

use phlox_runtime::class::NativeHooks;
use phlox_runtime::extension::IniAccess;
use phlox_runtime::ini::Watcher;
use phlox_runtime::{Call, ConstValue, FnDef, IniDef, Level, NativeClass, PhpResult, PhpStr, Throw, Val, Vm, convert};
use std::cell::RefCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("assert(mixed $assertion, Throwable|string|null $description = null): bool", assert),
    FnDef::new(
        "#[\\Deprecated(since: '8.3')] assert_options(int $option, mixed $value = UNKNOWN): mixed",
        assert_options,
    ),
];

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "AssertionError",
    decl: "class AssertionError extends Error {}",
    methods: &[],
    hooks: NativeHooks::NONE,
}];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("ASSERT_ACTIVE", ConstValue::Int(1)),
    ("ASSERT_CALLBACK", ConstValue::Int(2)),
    ("ASSERT_BAIL", ConstValue::Int(3)),
    ("ASSERT_WARNING", ConstValue::Int(4)),
    ("ASSERT_EXCEPTION", ConstValue::Int(5)),
];

pub const INI: [IniDef; 5] = [
    IniDef { name: "assert.active", default: Some("1"), access: IniAccess::All },
    IniDef { name: "assert.bail", default: Some("0"), access: IniAccess::All },
    IniDef { name: "assert.warning", default: Some("1"), access: IniAccess::All },
    IniDef { name: "assert.callback", default: None, access: IniAccess::All },
    IniDef { name: "assert.exception", default: Some("1"), access: IniAccess::All },
];

/// Settings that are deprecated unless they have their defaults.
pub fn startup(vm: &Vm) {
    let watchers: [(&'static str, Watcher); 5] = [
        ("assert.active", |vm, prefix, value| note(vm, prefix, "assert.active", !truth(value))),
        ("assert.bail", |vm, prefix, value| note(vm, prefix, "assert.bail", truth(value))),
        ("assert.warning", |vm, prefix, value| note(vm, prefix, "assert.warning", !truth(value))),
        ("assert.callback", |vm, prefix, value| {
            let noted = note(vm, prefix, "assert.callback", !value.is_empty())?;
            // A change while a script runs takes the place of the callback of `assert_options`.
            drop(vm.data::<Callback>("standard.assert").0.take());
            Ok(noted)
        }),
        ("assert.exception", |vm, prefix, value| note(vm, prefix, "assert.exception", !truth(value))),
    ];
    for (name, watcher) in watchers {
        vm.ini.watch(name, watcher);
        if vm.ini.configured(name).is_some() {
            // A message at start-up throws nothing.
            let _ = watcher(vm, "PHP Startup: ", &vm.ini.string(name));
        }
    }
}

fn truth(value: &PhpStr) -> bool {
    let is = |text: &str| value.eq_ignore_ascii_case(text.as_bytes());
    is("true") || is("yes") || is("on") || phlox_runtime::ini::parse_quantity(value) != 0
}

fn note(vm: &Vm, prefix: &str, name: &str, deprecated: bool) -> PhpResult<bool> {
    if deprecated {
        let text = format!("{prefix}{name} INI setting is deprecated");
        match prefix.starts_with("PHP") {
            true => vm.raise_at(Level::Deprecated, text.as_bytes(), &PhpStr::intern(b"Unknown"), 0)?,
            false => vm.deprecated(text.as_bytes())?,
        }
    }
    Ok(true)
}

/// The callback of `assert_options`, which need not be a function's name.
#[derive(Default)]
struct Callback(RefCell<Option<Val>>);

fn callback(call: &Call<'_>) -> Option<Val> {
    let set = call.vm.data::<Callback>("standard.assert").0.borrow().clone();
    set.or_else(|| {
        let name = call.vm.ini.string("assert.callback");
        (!name.is_empty()).then(|| name.into())
    })
}

fn warn(call: &Call<'_>, description: &Val) -> PhpResult<()> {
    if !call.vm.ini.bool("assert.warning") {
        return Ok(());
    }
    if description.is_null() {
        return call.warning("Assertion failed");
    }
    let text = convert::to_str(call.vm, description)?;
    call.raise(Level::Warning, &[&text[..], b" failed"].concat())
}

fn assert(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    // Calls that the compiler knows are not made where assertions are off.
    let is_on = vm.ini.bool("assert.active") && vm.ini.int("zend.assertions") > 0;
    if !is_on || convert::to_bool(&call.arg(0)) {
        return Ok(Val::TRUE);
    }
    let description = call.arg(1);
    if let Some(callback) = callback(call).filter(|callback| !callback.is_null()) {
        let (file, line) = vm.position();
        let mut args = vec![file.into(), Val::int(line.into()), Val::NULL];
        if !description.is_null() {
            args.push(description.clone());
        }
        let called = match vm.resolve_callable(&callback)? {
            Ok(callee) => vm.call(&callee, args),
            Err(reason) => {
                let name = convert::to_str(vm, &callback)?;
                Err(vm.throw_error(format!("Invalid callback {name}, {reason}").as_bytes()))
            }
        };
        // The warning comes whatever the callback throws.
        if called.is_err() && !vm.ini.bool("assert.exception") {
            warn(call, &description)?;
        }
        called?;
    }
    if vm.ini.bool("assert.exception") {
        return Err(match description.as_obj() {
            Some(object) => Throw::Exception(object.clone()),
            None => {
                let text = convert::to_str(vm, &description)?;
                vm.throw_class(b"AssertionError", &text, 1)
            }
        });
    }
    warn(call, &description)?;
    if vm.ini.bool("assert.bail") {
        return Err(Throw::Exit);
    }
    Ok(Val::FALSE)
}

fn assert_options(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    let setting = match call.int(0) {
        1 => "assert.active",
        3 => "assert.bail",
        4 => "assert.warning",
        5 => "assert.exception",
        2 => {
            let before = callback(call).unwrap_or(Val::NULL);
            if call.was_passed(1) {
                let callback = Some(call.arg(1)).filter(|callback| !callback.is_null());
                drop(vm.data::<Callback>("standard.assert").0.replace(callback));
            }
            return Ok(before);
        }
        _ => return Err(call.value_error(0, "must be an ASSERT_* constant")),
    };
    let before = Val::int(vm.ini.bool(setting).into());
    if call.was_passed(1) {
        let value = convert::to_str(vm, &call.arg(1))?;
        vm.ini.set(setting.as_bytes(), Some(value));
    }
    Ok(before)
}
