//! The functions that change the store or ask for one file.

use crate::access::{has_started, is_permitted};
use crate::configuration::opcache_get_configuration;
use crate::jit::opcache_jit_blacklist;
use crate::status::opcache_get_status;
use phlox_runtime::{Call, FnDef, Level, PhpResult, Throw, Val, files};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("opcache_reset(): bool", opcache_reset),
    FnDef::new("opcache_get_status(bool $include_scripts = true): array|false", opcache_get_status),
    FnDef::new("opcache_compile_file(string $filename): bool", opcache_compile_file),
    FnDef::new("opcache_invalidate(string $filename, bool $force = false): bool", opcache_invalidate),
    FnDef::new("opcache_jit_blacklist(Closure $closure): void", opcache_jit_blacklist),
    FnDef::new("opcache_get_configuration(): array|false", opcache_get_configuration),
    FnDef::new("opcache_is_script_cached(string $filename): bool", opcache_is_script_cached),
];

fn opcache_reset(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok((is_permitted(call.vm)? && call.vm.uses_store() && call.vm.schedule_restart()).into())
}

fn opcache_compile_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, path) = (call.vm, call.str(0));
    if !has_started(vm) {
        vm.raise(Level::Notice, b"Zend OPcache has not been properly started, can't compile file")?;
        return Ok(Val::FALSE);
    }
    match phlox_oracle::load_only(vm, &path, "opcache_compile_file") {
        // What is wrong with the file has been reported; the script goes on.
        Err(Throw::Fatal) => {
            vm.raise(Level::Warning, &[b"Zend OPcache could not compile file ", &path[..]].concat())?;
            Ok(Val::FALSE)
        }
        loaded => Ok(loaded?.into()),
    }
}

fn opcache_invalidate(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, path, force) = (call.vm, call.str(0), call.bool(1));
    if !is_permitted(vm)? || !vm.uses_store() {
        return Ok(Val::FALSE);
    }
    let found = files::resolve_include(vm, &path);
    // A file that has been deleted may still have a unit.
    let was_kept = vm.forget_unit(found.as_ref().unwrap_or(&path.to_vec()), !force);
    Ok((was_kept || found.is_some()).into())
}

fn opcache_is_script_cached(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, path) = (call.vm, call.str(0));
    if !is_permitted(vm)? || !vm.uses_store() {
        return Ok(Val::FALSE);
    }
    let path = files::resolve_include(vm, &path).unwrap_or_else(|| path.to_vec());
    Ok(vm.has_stored_unit(&path).into())
}
