//! Extensions.

use super::{classes, functions, put, values};
use phlox_runtime::ini::IniAccess;
use phlox_runtime::{Extension, PhpResult, PhpStr, Vm};

/// All that an extension declares.
pub fn extension(
    vm: &Vm,
    text: &mut Vec<u8>,
    extension: &'static Extension,
    number: usize,
    version: &PhpStr,
) -> PhpResult<()> {
    let number = number.to_string();
    put!(text, "Extension [ <persistent> extension #", &number, " ", extension.name, " version ", version, " ] {\n");
    settings(vm, text, extension);
    constants(vm, text, extension)?;
    let mut first = true;
    for def in extension.functions.iter().copied().flatten() {
        if let Some(func) = vm.find_function(def.name().as_bytes()) {
            put!(text, if first { "\n  - Functions {\n" } else { "" });
            first = false;
            let listed = functions::Listed { name: &func.name, scope: None, of_closure: false };
            functions::function(vm, text, &func, listed, "    ")?;
        }
    }
    put!(text, if first { "" } else { "  }\n" });
    let all = extension.classes.iter().copied().flatten();
    let all: Vec<_> = all.filter_map(|class| vm.find_class_no_autoload(class.name.as_bytes())).collect();
    if !all.is_empty() {
        let count = all.len().to_string();
        put!(text, "\n  - Classes [", &count, "] {");
        for class in &all {
            put!(text, "\n");
            classes::class(vm, text, class, None, "    ")?;
        }
        put!(text, "  }\n");
    }
    put!(text, "}\n");
    Ok(())
}

fn settings(vm: &Vm, text: &mut Vec<u8>, extension: &Extension) {
    if extension.ini.is_empty() {
        return;
    }
    put!(text, "\n  - INI {\n");
    for def in extension.ini {
        let access = match def.access {
            IniAccess::All => "ALL",
            IniAccess::PerDir => "PERDIR,SYSTEM",
            IniAccess::System => "SYSTEM",
            IniAccess::PerDirOnly => "PERDIR",
            IniAccess::User => "USER",
        };
        put!(text, "    Entry [ ", def.name, " <", access, "> ]\n");
        put!(text, "      Current = '", &vm.ini.text(def), "'\n");
        if let Some(state) = vm.ini.state(def).filter(|state| state.is_changed()) {
            put!(text, "      Default = '", &state.original().unwrap_or_else(PhpStr::empty), "'\n");
        }
        put!(text, "    }\n");
    }
    put!(text, "  }\n");
}

fn constants(vm: &Vm, text: &mut Vec<u8>, extension: &Extension) -> PhpResult<()> {
    let all: Vec<&str> = extension.constants.iter().copied().flatten().map(|(name, _)| *name).collect();
    if all.is_empty() {
        return Ok(());
    }
    let count = all.len().to_string();
    put!(text, "\n  - Constants [", &count, "] {\n");
    for name in all {
        let name = PhpStr::intern(name.as_bytes());
        if let Some(value) = vm.find_constant(&name) {
            values::constant(vm, text, &name, &value, true, "    ")?;
        }
    }
    put!(text, "  }\n");
    Ok(())
}
