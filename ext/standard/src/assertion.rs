//! `assert`, which the compiler leaves out when `zend.assertions` is -1.

use phlox_runtime::class::NativeHooks;
use phlox_runtime::ini::{IniAccess, IniBool, IniChange, IniStage, IniString};
use phlox_runtime::settings::ASSERTIONS;
use phlox_runtime::{Call, ConstValue, FnDef, Level, NativeClass, PhpResult, Throw, Val, convert};
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

pub static ACTIVE: IniBool =
    IniBool::new("assert.active", "1", IniAccess::All).on_change(|change| note(change, !change.truth()));
pub static BAIL: IniBool =
    IniBool::new("assert.bail", "0", IniAccess::All).on_change(|change| note(change, change.truth()));
pub static WARNING: IniBool =
    IniBool::new("assert.warning", "1", IniAccess::All).on_change(|change| note(change, !change.truth()));
pub static EXCEPTION: IniBool =
    IniBool::new("assert.exception", "1", IniAccess::All).on_change(|change| note(change, !change.truth()));
pub static CALLBACK: IniString = IniString::unset("assert.callback", IniAccess::All).on_change(|change| {
    let noted = note(change, !change.text().is_empty())?;
    // A change while a script runs takes the place of the callback of `assert_options`.
    drop(change.vm.data::<Callback>("standard.assert").0.take());
    Ok(noted)
});

/// Raises the deprecation of the setting if its value is not the default.
fn note(change: &IniChange<'_>, deprecated: bool) -> PhpResult<bool> {
    if deprecated && change.stage != IniStage::End {
        change.deprecated(&format!("{} INI setting is deprecated", change.setting.name))?;
    }
    Ok(true)
}

/// The callback of `assert_options`, which need not be a function's name.
#[derive(Default)]
struct Callback(RefCell<Option<Val>>);

fn callback(call: &Call<'_>) -> Option<Val> {
    let set = call.vm.data::<Callback>("standard.assert").0.borrow().clone();
    set.or_else(|| {
        let name = call.vm.ini.get(&CALLBACK);
        (!name.is_empty()).then(|| name.into())
    })
}

fn warn(call: &Call<'_>, description: &Val) -> PhpResult<()> {
    if !call.vm.ini.get(&WARNING) {
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
    // The compiler skips calls by name where assertions are off; other calls are decided here.
    let is_on = vm.ini.get(&ACTIVE) && vm.ini.get(&ASSERTIONS) > 0;
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
        // The warning is raised even if the callback throws.
        if called.is_err() && !vm.ini.get(&EXCEPTION) {
            warn(call, &description)?;
        }
        called?;
    }
    if vm.ini.get(&EXCEPTION) {
        return Err(match description.as_obj() {
            Some(object) => Throw::Exception(object.clone()),
            None => {
                let text = convert::to_str(vm, &description)?;
                vm.throw_class(b"AssertionError", &text, 1)
            }
        });
    }
    warn(call, &description)?;
    if vm.ini.get(&BAIL) {
        return Err(Throw::Exit);
    }
    Ok(Val::FALSE)
}

fn assert_options(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    let setting = match call.int(0) {
        1 => &ACTIVE,
        3 => &BAIL,
        4 => &WARNING,
        5 => &EXCEPTION,
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
    let before = Val::int(vm.ini.get(setting).into());
    if call.was_passed(1) {
        let value = convert::to_str(vm, &call.arg(1))?;
        // The deprecation of the function has been raised; that of the setting is not.
        vm.ini.put(setting, value);
    }
    Ok(before)
}
