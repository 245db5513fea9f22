//! Messages about a wrong configuration, which are printed before a script runs.

use crate::EXTENSIONS;
use phlox_runtime::settings::{self, EXTENSION_DIR, MEMORY_LIMIT};
use phlox_runtime::{Level, PhpStr, Vm};

/// OPcache is accepted without a message: Phlox keeps compiled files by itself.
const BUILT_IN: &[u8] = b"opcache";

fn warn(vm: &Vm, text: &[u8]) {
    vm.report(Level::Warning, text, &PhpStr::empty(), 0);
}

/// Applies `memory_limit`.
pub fn apply_memory_limit(vm: &Vm) {
    phlox_runtime::outside::begin();
    settings::limit_memory(vm.ini.get(&MEMORY_LIMIT));
}

/// The name of an extension in a setting: a file's name without its folder and its end.
fn extension_name(value: &[u8]) -> &[u8] {
    let file = value.rsplit(|&byte| byte == b'/').next().unwrap_or(value);
    let name = file.strip_suffix(b".so").unwrap_or(file);
    name.strip_prefix(b"php_").unwrap_or(name)
}

/// Warns about extensions named by `extension` and `zend_extension` that are not built in. Nothing is ever loaded.
pub fn report_extensions(vm: &Vm, settings: &[(String, Vec<u8>)]) {
    for (setting, value) in settings {
        let zend = setting == "zend_extension";
        if !zend && setting != "extension" {
            continue;
        }
        let name = extension_name(value);
        let known = EXTENSIONS.iter().any(|extension| extension.name.as_bytes().eq_ignore_ascii_case(name));
        if value.is_empty() || known || name == BUILT_IN {
            continue;
        }
        let folder = vm.ini.get(&EXTENSION_DIR);
        let first = if value.contains(&b'/') { value.clone() } else { [&folder, &b"/"[..], value].concat() };
        let second = [&folder, &b"/"[..], value, b".so"].concat();
        let tried = |file: &[u8]| {
            let missing = b": cannot open shared object file: No such file or directory)";
            [file, b" (", file, missing].concat()
        };
        let begin = match zend {
            true => [b"Failed loading Zend extension '", &value[..], b"'"].concat(),
            false => [b"PHP Startup: Unable to load dynamic library '", &value[..], b"'"].concat(),
        };
        let text = [&begin[..], b" (tried: ", &tried(&first), b", ", &tried(&second), b")"].concat();
        warn(vm, &text);
    }
}
