//! Configuration: `ini_get`, `ini_set` and friends.

use phlox_runtime::extension::{IniAccess, IniDef};
use phlox_runtime::quantity::quantity;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, View, convert, heap, ini};

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

const fn all(name: &'static str, default: Option<&'static str>) -> IniDef {
    IniDef { name, default, access: IniAccess::All }
}

/// Settings of `standard` that the functions here read.
pub const INI: [IniDef; 4] = [
    all("user_agent", None),
    all("default_socket_timeout", Some("60")),
    all("from", None),
    all("auto_detect_line_endings", Some("0")),
];

fn text_or_empty(value: Option<PhpStr>) -> Val {
    value.unwrap_or_else(PhpStr::empty).into()
}

fn ini_get(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.ini.entry(&call.str(0)).map_or(Val::FALSE, |entry| text_or_empty(entry.local)))
}

/// The number of a setting, with a warning if it is none.
fn number(vm: &phlox_runtime::Vm, name: &[u8], value: &[u8]) -> PhpResult<i64> {
    let (number, problem) = quantity(value);
    if let Some(problem) = problem {
        vm.warning(&[b"Invalid \"", name, b"\" setting. ", problem.as_bytes()].concat())?;
    }
    Ok(number)
}

/// What a text begins with, as C reads numbers.
fn leading_number(value: &PhpStr) -> i64 {
    let text = value.trim_ascii_start();
    let digits =
        text.iter().skip(usize::from(matches!(text.first(), Some(b'+' | b'-')))).take_while(|b| b.is_ascii_digit());
    let length = digits.count() + usize::from(matches!(text.first(), Some(b'+' | b'-')));
    std::str::from_utf8(&text[..length]).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// What a change of a setting does at once. False: the value is refused.
fn apply(call: &Call<'_>, name: &[u8], value: &PhpStr) -> PhpResult<bool> {
    let vm = call.vm;
    match name {
        b"error_reporting" => {
            let level = if value.is_empty() { 0 } else { ini::parse_quantity(value) };
            vm.errors.reporting.set(level);
        }
        b"memory_limit" => {
            let limit = number(vm, name, value)?;
            let used = heap::bytes_used();
            if limit >= 0 && (limit as usize) < used {
                let text =
                    format!("Failed to set memory limit to {limit} bytes (Current memory usage is {used} bytes)");
                vm.warning(text.as_bytes())?;
                return Ok(false);
            }
            heap::set_memory_limit(usize::try_from(limit).ok().filter(|&bytes| bytes > 0).unwrap_or(usize::MAX));
        }
        b"max_execution_time" => vm.limit_time(ini::parse_quantity(value)),
        b"default_socket_timeout"
        | b"error_log_mode"
        | b"mbstring.regex_retry_limit"
        | b"mbstring.regex_stack_limit"
        | b"pcre.backtrack_limit"
        | b"pcre.recursion_limit"
        | b"unserialize_max_depth"
        | b"xmlrpc_error_number"
        | b"zlib.output_compression_level" => {
            number(vm, name, value)?;
        }
        b"zlib.output_compression" if !matches!(&value.to_ascii_lowercase()[..], b"on" | b"off") => {
            number(vm, name, value)?;
        }
        b"precision" | b"serialize_precision" => return Ok(leading_number(value) >= -1),
        b"zend.exception_string_param_max_len" => return Ok((0..=1_000_000).contains(&leading_number(value))),
        b"default_charset" | b"default_mimetype" => return Ok(!value.iter().any(|byte| b"\0\r\n".contains(byte))),
        b"syslog.filter" => return Ok(matches!(&value[..], b"all" | b"no-ctrl" | b"ascii" | b"raw")),
        b"auto_detect_line_endings" if ini::parse_quantity(value) != 0 || value.eq_ignore_ascii_case(b"on") => {
            vm.deprecated(b"auto_detect_line_endings is deprecated")?;
        }
        b"include_path" | b"arg_separator.output" if value.is_empty() => return Ok(false),
        b"open_basedir" => return Ok(phlox_runtime::basedir::change(vm, value)),
        b"error_log" | b"mail.log" => {
            return Ok(value.is_empty() || &value[..] == b"syslog" || phlox_runtime::basedir::allows(vm, value)?);
        }
        b"implicit_flush" => vm.output.implicit_flush.set(ini::parse_quantity(value) != 0),
        b"zend.assertions" => {
            let (old, new) = (vm.ini.int("zend.assertions"), ini::parse_quantity(value));
            if old != new && (old < 0 || new < 0) {
                vm.warning(b"zend.assertions may be completely enabled or disabled only in php.ini")?;
                return Ok(false);
            }
        }
        _ => {}
    }
    let prefix = format!("{}(): ", phlox_runtime::shown(&call.func.display_name()));
    vm.ini.permits(vm, &prefix, name, value)
}

fn ini_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    let Some(entry) = call.vm.ini.entry(&name) else { return Ok(Val::FALSE) };
    let value = call.arg(1);
    let value = match value.view() {
        View::Str(text) => text.clone(),
        _ => convert::to_str(call.vm, &value)?,
    };
    if !matches!(entry.access, IniAccess::All | IniAccess::User) || !apply(call, &name, &value)? {
        return Ok(Val::FALSE);
    }
    call.vm.ini.set(&name, Some(value));
    Ok(text_or_empty(entry.local))
}

fn ini_restore(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if let Some(entry) = call.vm.ini.entry(&name) {
        if apply(call, &name, &entry.global.clone().unwrap_or_else(PhpStr::empty))? {
            call.vm.ini.set(&name, entry.global);
        }
    }
    Ok(Val::NULL)
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
    for (name, entry) in call.vm.ini.all() {
        if extension.as_ref().is_some_and(|wanted| !entry.extension.as_bytes().eq_ignore_ascii_case(wanted)) {
            continue;
        }
        let value = if details {
            let access = match entry.access {
                IniAccess::All => 7,
                IniAccess::PerDir => 6,
                IniAccess::System => 4,
                IniAccess::PerDirOnly => 2,
                IniAccess::User => 1,
            };
            let mut row = PhpArr::new();
            row.set_bytes(b"global_value", entry.global.into());
            row.set_bytes(b"local_value", entry.local.into());
            row.set_bytes(b"access", Val::int(access));
            row.into()
        } else {
            entry.local.into()
        };
        all.set_bytes(name.as_bytes(), value);
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
    call.vm.limit_time(call.int(0));
    Ok(Val::TRUE)
}

/// What the configuration says of itself: the folder that is looked into last for a php.ini.
pub const CONFIG_PATH: &str = "phlox.config_path";
/// The php.ini that was read.
pub const LOADED_FILE: &str = "cfg_file_path";
/// Folders of further files.
pub const SCAN_PATH: &str = "phlox.scan_path";
/// Files that were read from there, as `php_ini_scanned_files` gives them.
pub const SCANNED_FILES: &str = "phlox.scanned_files";

fn php_ini_loaded_file(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.ini.configured(LOADED_FILE).map_or(Val::FALSE, Val::from))
}

/// False if nothing says where to look.
fn php_ini_scanned_files(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.vm.ini.configured(SCAN_PATH).is_none() {
        return Ok(Val::FALSE);
    }
    Ok(call.vm.ini.configured(SCANNED_FILES).unwrap_or_else(PhpStr::empty).into())
}
