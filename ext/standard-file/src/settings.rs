//! Configuration: `ini_get`, `ini_set` and friends.

use phlox_runtime::ini::{IniAccess, IniState};
use phlox_runtime::quantity::quantity;
use phlox_runtime::time_limit::MAX_EXECUTION_TIME;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("ini_get(string $option): string|false", ini_get),
    FnDef::new("ini_set(string $option, string|int|float|bool|null $value): string|false", ini_set),
    FnDef::new("ini_alter(string $option, string|int|float|bool|null $value): string|false", ini_set),
    FnDef::new("ini_restore(string $option): void", ini_restore),
    FnDef::new("ini_get_all(?string $extension = null, bool $details = true): array|false", ini_get_all),
    FnDef::new("ini_parse_quantity(string $shorthand): int", ini_parse_quantity),
    FnDef::new("get_cfg_var(string $option): string|array|false", get_cfg_var),
    FnDef::new("set_time_limit(int $seconds): bool", set_time_limit),
    FnDef::new("php_ini_loaded_file(): string|false", php_ini_loaded_file),
    FnDef::new("php_ini_scanned_files(): string|false", php_ini_scanned_files),
];

fn ini_get(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.ini.find(&call.str(0)).map_or(Val::FALSE, |state| state.text().into()))
}

/// What messages about a setting begin with.
fn prefix(call: &Call<'_>) -> String {
    format!("{}(): ", phlox_runtime::shown(&call.func.display_name()))
}

/// May scripts change a setting?
fn is_open(state: &IniState) -> bool {
    matches!(state.def.access, IniAccess::All | IniAccess::User) && !state.is_locked.get()
}

fn ini_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let found = call.vm.ini.find(&call.str(0)).map(|state| (state, state.text()));
    let value = call.arg(1);
    let value = match value.view() {
        View::Str(text) => text.clone(),
        _ => convert::to_str(call.vm, &value)?,
    };
    match found {
        Some((state, old)) if is_open(state) && call.vm.ini.change(call.vm, state.def, &prefix(call), value)? => {
            Ok(old.into())
        }
        _ => Ok(Val::FALSE),
    }
}

fn ini_restore(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(state) = call.vm.ini.find(&call.str(0)).filter(|state| is_open(state)) {
        call.vm.ini.restore(call.vm, state, &prefix(call))?;
    }
    Ok(Val::NULL)
}

/// The number of an access, as PHP's constants have it.
fn access_bits(access: IniAccess) -> i64 {
    match access {
        IniAccess::All => 7,
        IniAccess::PerDir => 6,
        IniAccess::System => 4,
        IniAccess::PerDirOnly => 2,
        IniAccess::User => 1,
    }
}

fn ini_get_all(call: &mut Call<'_>) -> PhpResult<Val> {
    let (extension, details) = (call.opt_str(0), call.bool(1));
    if let Some(extension) = &extension {
        let known = call.vm.extensions.iter().any(|e| e.name.to_ascii_lowercase().as_bytes() == extension.as_bytes());
        if !known {
            let extension = phlox_runtime::shown(phlox_runtime::until_nul(extension));
            call.warning(&format!("Extension \"{extension}\" cannot be found"))?;
            return Ok(Val::FALSE);
        }
    }
    let mut all = PhpArr::with_capacity(0);
    for state in call.vm.ini.all() {
        if extension.as_ref().is_some_and(|wanted| !state.extension.as_bytes().eq_ignore_ascii_case(wanted)) {
            continue;
        }
        let value = if details {
            let mut row = PhpArr::new();
            // PHP shows the present value as the global one if the configuration had none.
            row.set_bytes(b"global_value", state.original().or_else(|| state.value()).into());
            row.set_bytes(b"local_value", state.value().into());
            row.set_bytes(b"access", Val::int(access_bits(state.def.access)));
            row.into()
        } else {
            state.value().into()
        };
        all.set_bytes(state.def.name.as_bytes(), value);
    }
    Ok(all.into())
}

fn ini_parse_quantity(call: &mut Call<'_>) -> PhpResult<Val> {
    let (value, problem) = quantity(&call.str(0));
    if let Some(problem) = problem {
        call.vm.warning(problem.as_bytes())?;
    }
    Ok(Val::int(value))
}

fn get_cfg_var(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    let name = phlox_runtime::shown(&name);
    if let Some(value) = call.vm.ini.configured(&name) {
        return Ok(value.into());
    }
    // `name[key] = value` makes an array.
    let mut array = PhpArr::new();
    for (key, value) in call.vm.ini.configured_elements(&name) {
        match &key[..] {
            b"" => drop(array.push(value.into())),
            key => array.set_bytes(key, value.into()),
        }
    }
    Ok(if array.is_empty() { Val::FALSE } else { array.into() })
}

fn set_time_limit(call: &mut Call<'_>) -> PhpResult<Val> {
    let seconds = PhpStr::from(call.int(0).to_string().as_str());
    Ok(call.vm.ini.change(call.vm, &MAX_EXECUTION_TIME, "", seconds)?.into())
}

/// Setting with the folder that is searched last for a php.ini.
pub const CONFIG_PATH: &str = "phlox.config_path";
/// Setting with the path of the php.ini that was read.
pub const LOADED_FILE: &str = "cfg_file_path";
/// Setting with the folders of further files.
pub const SCAN_PATH: &str = "phlox.scan_path";
/// Setting with the further files that were read, as `php_ini_scanned_files` gives them.
pub const SCANNED_FILES: &str = "phlox.scanned_files";

fn php_ini_loaded_file(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.ini.configured(LOADED_FILE).map_or(Val::FALSE, Val::from))
}

/// `php_ini_scanned_files()`: false if no folder for further files is configured.
fn php_ini_scanned_files(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.vm.ini.configured(SCAN_PATH).is_none() {
        return Ok(Val::FALSE);
    }
    Ok(call.vm.ini.configured(SCANNED_FILES).unwrap_or_else(PhpStr::empty).into())
}
