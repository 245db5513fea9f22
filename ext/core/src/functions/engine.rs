//! The engine itself: version, extensions, the cycle collector, resources.

use crate::ini::ENABLE_GC;
use phlox_runtime::{Call, Extension, FnDef, Key, PhpArr, PhpResult, Val};
use phlox_value::{collect_cycles, gc_enabled, gc_status, set_gc_enabled};
use std::time::SystemTime;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("zend_version(): string", zend_version),
    FnDef::new("get_loaded_extensions(bool $zend_extensions = false): array", get_loaded_extensions),
    FnDef::new("extension_loaded(string $extension): bool", extension_loaded),
    FnDef::new("get_extension_funcs(string $extension): array|false", get_extension_funcs),
    FnDef::new("exit(string|int $status = 0): never", exit),
    FnDef::new("die(string|int $status = 0): never", exit),
    FnDef::new("gc_mem_caches(): int", gc_mem_caches),
    FnDef::new("gc_collect_cycles(): int", gc_collect_cycles),
    FnDef::new("gc_enabled(): bool", is_gc_enabled),
    FnDef::new("gc_enable(): void", gc_enable),
    FnDef::new("gc_disable(): void", gc_disable),
    FnDef::new("gc_status(): array", get_gc_status),
    FnDef::new("get_resource_type($resource): string", get_resource_type),
    FnDef::new("get_resource_id($resource): int", get_resource_id),
    FnDef::new("get_resources(?string $type = null): array", get_resources),
];

fn exit(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(phlox_runtime::objects::exit(call.vm, &call.arg(0))?)
}

fn zend_version(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok("4.4.24".into())
}

fn get_loaded_extensions(call: &mut Call<'_>) -> PhpResult<Val> {
    // Of PHP's extensions that change the engine itself only this one is ever there.
    let changes_engine = |extension: &Extension| extension.name == "Zend OPcache";
    let listed = call.vm.extensions.iter().filter(|extension| !call.bool(0) || changes_engine(extension));
    let names: PhpArr = listed.map(|extension| Val::from(extension.name)).collect();
    Ok(names.into())
}

fn extension_loaded(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    Ok(call.vm.extensions.iter().any(|extension| name.eq_ignore_ascii_case(extension.name.as_bytes())).into())
}

fn get_extension_funcs(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    // "zend" is the old name of Core.
    let wanted: &[u8] = if name.eq_ignore_ascii_case(b"zend") { b"core" } else { &name };
    let mut found = call.vm.extensions.iter().filter(|e| wanted.eq_ignore_ascii_case(e.name.as_bytes()));
    let Some(extension) = found.next() else { return Ok(Val::FALSE) };
    let names: PhpArr = extension.functions.iter().copied().flatten().map(|def| Val::from(def.name())).collect();
    Ok(if names.is_empty() { Val::FALSE } else { names.into() })
}

/// Freed memory is not cached apart from the heap.
fn gc_mem_caches(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(0))
}

fn gc_collect_cycles(call: &mut Call<'_>) -> PhpResult<Val> {
    let collected = collect_cycles();
    call.vm.check_pending()?;
    Ok(Val::int(collected as i64))
}

fn is_gc_enabled(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(gc_enabled().into())
}

fn gc_enable(call: &mut Call<'_>) -> PhpResult<Val> {
    set_gc_enabled(true);
    call.vm.ini.put(&ENABLE_GC, "1".into());
    Ok(Val::NULL)
}

fn gc_disable(call: &mut Call<'_>) -> PhpResult<Val> {
    set_gc_enabled(false);
    call.vm.ini.put(&ENABLE_GC, "0".into());
    Ok(Val::NULL)
}

fn get_gc_status(call: &mut Call<'_>) -> PhpResult<Val> {
    let status = gc_status();
    let elapsed = SystemTime::now().duration_since(call.vm.started.get()).map_or(0.0, |time| time.as_secs_f64());
    let mut result = PhpArr::new();
    let rows: [(&[u8], Val); 12] = [
        (b"running", status.running.into()),
        (b"protected", Val::FALSE),
        (b"full", Val::FALSE),
        (b"runs", Val::int(status.runs as i64)),
        (b"collected", Val::int(status.collected as i64)),
        (b"threshold", Val::int(status.threshold as i64)),
        (b"buffer_size", Val::int(16384.max(status.roots as i64))),
        (b"roots", Val::int(status.roots as i64)),
        (b"application_time", Val::double(elapsed)),
        (b"collector_time", Val::double(0.0)),
        (b"destructor_time", Val::double(0.0)),
        (b"free_time", Val::double(0.0)),
    ];
    for (name, value) in rows {
        result.set_bytes(name, value);
    }
    Ok(result.into())
}

fn get_resource_type(call: &mut Call<'_>) -> PhpResult<Val> {
    match call.opt_res(0) {
        Some(resource) => Ok(resource.kind().into()),
        None => Err(not_a_resource(call)),
    }
}

/// The types of resources, except that of closed ones.
const RESOURCE_TYPES: [&str; 7] = [
    "stream",
    "persistent stream",
    "stream-context",
    "stream filter",
    "userfilter.bucket brigade",
    "userfilter.bucket",
    "process",
];

fn get_resources(call: &mut Call<'_>) -> PhpResult<Val> {
    let wanted = call.opt_str(0);
    if let Some(wanted) = &wanted
        && &wanted[..] != b"Unknown"
        && !RESOURCE_TYPES.iter().any(|kind| kind.as_bytes() == &wanted[..])
    {
        return Err(call.value_error(0, "must be a valid resource type"));
    }
    let mut found = PhpArr::new();
    for resource in phlox_runtime::live_resources() {
        if wanted.as_ref().is_none_or(|wanted| resource.kind().as_bytes() == &wanted[..]) {
            found.insert(Key::Int(resource.id()), resource.into());
        }
    }
    Ok(found.into())
}

fn get_resource_id(call: &mut Call<'_>) -> PhpResult<Val> {
    match call.opt_res(0) {
        Some(resource) => Ok(Val::int(resource.id())),
        None => Err(not_a_resource(call)),
    }
}

fn not_a_resource(call: &Call<'_>) -> phlox_runtime::Throw {
    let given = phlox_runtime::convert::value_name(&call.arg(0));
    call.type_error(0, &format!("must be of type resource, {given} given"))
}
