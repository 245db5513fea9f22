//! Lists of what is defined: functions, classes, variables, files.

use phlox_hhbc::FuncFlags;
use phlox_runtime::class::ClassKind;
use phlox_runtime::convert::unless_shared;
use phlox_runtime::settings::DISABLE_FUNCTIONS;
use phlox_runtime::strmap::lower;
use phlox_runtime::{Call, ClassExt, DataKey, FnDef, Key, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::cell::OnceCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("function_exists(string $function): bool", function_exists),
    FnDef::new("get_included_files(): array", get_included_files),
    FnDef::new("get_required_files(): array", get_included_files),
    FnDef::new("get_declared_classes(): array", get_declared_classes),
    FnDef::new("get_declared_traits(): array", get_declared_traits),
    FnDef::new("get_declared_interfaces(): array", get_declared_interfaces),
    FnDef::new("get_defined_functions(bool $exclude_disabled = true): array", get_defined_functions),
    FnDef::new("get_defined_vars(): array", get_defined_vars),
];

fn function_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    let name = lower(name.strip_prefix(b"\\").unwrap_or(&name));
    Ok(call.vm.function_exists(&name).into())
}

fn get_included_files(call: &mut Call<'_>) -> PhpResult<Val> {
    let files: PhpArr = call.vm.included.borrow().keys().map(Val::from).collect();
    Ok(files.into())
}

/// Names of builtin classes and functions, made once for a request: in the extensions' order.
#[derive(Default)]
struct Names {
    /// Names of classes in three lists: classes and enums, interfaces, traits.
    classes: OnceCell<[Vec<Val>; 3]>,
    /// Names of functions, without those that `disable_functions` removes.
    functions: OnceCell<Vec<Val>>,
}

static NAMES: DataKey<Names> = DataKey::new();

/// The place of a kind of classes in [`Names::classes`].
fn list_of(kind: ClassKind) -> usize {
    match kind {
        ClassKind::Class | ClassKind::Enum => 0,
        ClassKind::Interface => 1,
        ClassKind::Trait => 2,
    }
}

fn builtin_classes(vm: &Vm) -> [Vec<Val>; 3] {
    let mut lists = [const { Vec::new() }; 3];
    for class in vm.extensions.iter().flat_map(|extension| extension.classes.iter().copied().flatten()) {
        if let Some(kind) = vm.native_class_kind(class) {
            lists[list_of(kind)].push(PhpStr::intern(class.name.as_bytes()).into());
        }
    }
    lists
}

/// Names of declared classes: builtin ones, then those of the script.
fn declared(call: &Call<'_>, list: usize) -> Val {
    let names = call.vm.keyed(&NAMES);
    let builtin = &names.classes.get_or_init(|| builtin_classes(call.vm))[list];
    let mut names = PhpArr::list(builtin.len(), builtin.iter().cloned());
    for (key, class) in call.vm.classes.borrow().iter() {
        let class = class.class();
        if class.is_internal() || list_of(class.kind) != list {
            continue;
        }
        // An alias is listed by its own, lower-case name.
        let name = if *key == class.lower_name { &class.name } else { key };
        let _ = names.push(name.into());
    }
    names.into()
}

fn get_declared_classes(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(declared(call, list_of(ClassKind::Class)))
}

fn get_declared_traits(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(declared(call, list_of(ClassKind::Trait)))
}

fn get_declared_interfaces(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(declared(call, list_of(ClassKind::Interface)))
}

fn builtin_functions(vm: &Vm) -> Vec<Val> {
    let disabled = vm.ini.get(&DISABLE_FUNCTIONS);
    let is_disabled =
        |name: &[u8]| disabled.split(|byte| b", ".contains(byte)).any(|disabled| disabled.eq_ignore_ascii_case(name));
    let rows = vm.extensions.iter().flat_map(|extension| extension.functions.iter().copied().flatten());
    let names = rows.map(|def| def.name().as_bytes()).filter(|name| !is_disabled(name));
    names.map(|name| PhpStr::intern(name).into()).collect()
}

fn get_defined_functions(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.arg(0).as_bool() == Some(false) {
        call.raise(phlox_runtime::Level::Deprecated, b"Setting $exclude_disabled to false has no effect")?;
    }
    let names = call.vm.keyed(&NAMES);
    let builtin = names.functions.get_or_init(|| builtin_functions(call.vm));
    let internal = PhpArr::list(builtin.len(), builtin.iter().cloned());
    let functions = call.vm.functions.borrow();
    let user: PhpArr =
        functions.iter().filter(|(_, func)| !func.is_native()).map(|(name, _)| Val::from(name)).collect();
    let mut result = PhpArr::new();
    result.set_bytes(b"internal", internal.into());
    result.set_bytes(b"user", user.into());
    Ok(result.into())
}

fn get_defined_vars(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut vars = PhpArr::new();
    let Some(frame) = call.vm.user_frame() else { return Ok(vars.into()) };
    let func = &frame.func;
    let shared = frame.symbols.get();
    if !func.has(FuncFlags::PSEUDO_MAIN) || shared.is_none() {
        for (index, name) in func.code().locals.iter().enumerate().take(frame.local_count()) {
            let value = frame.local(index).get();
            if let Some(name) = name.filter(|_| !value.is_undef()) {
                vars.insert(Key::Str(func.unit.str(name)), unless_shared(&value));
            }
        }
    }
    for (name, slot) in shared.into_iter().flat_map(|symbols| symbols.defined()) {
        if name.as_bytes() != b"this" && !vars.contains(Key::Str(&name)) {
            vars.insert(Key::Str(&name), unless_shared(&slot.get()));
        }
    }
    Ok(vars.into())
}
