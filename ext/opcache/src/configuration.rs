//! `opcache_get_configuration`.

use crate::access::{self, RESTRICT_API};
use crate::jit;
use crate::log::{ERROR_LOG, LOG_VERBOSITY_LEVEL};
use crate::settings::{self, *};
use phlox_runtime::ini::IniDef;
use phlox_runtime::unit_store::{ENABLE, FILE_UPDATE_PROTECTION, MAX_FILE_SIZE, REVALIDATE_FREQ, VALIDATE_TIMESTAMPS};
use phlox_runtime::version::PHP_VERSION;
use phlox_runtime::{Call, PhpArr, PhpResult, Val, Vm};

/// How the value of a setting is shown.
#[derive(Clone, Copy)]
enum Form {
    Switch,
    Number,
    /// A setting in megabytes, in bytes.
    Megabytes,
    /// A percentage, as a part of 1.
    Percent,
    Float,
    Text,
    /// A folder, which is empty if it cannot be used.
    Folder,
}
use Form::*;

/// All settings, in the order in which they are shown.
const DIRECTIVES: &[(&IniDef, Form)] = &[
    (&ENABLE.def, Switch),
    (&ENABLE_CLI.def, Switch),
    (&USE_CWD.def, Switch),
    (&VALIDATE_TIMESTAMPS.def, Switch),
    (&VALIDATE_PERMISSION.def, Switch),
    (&VALIDATE_ROOT.def, Switch),
    (&DUPS_FIX.def, Switch),
    (&REVALIDATE_PATH.def, Switch),
    (&LOG_VERBOSITY_LEVEL.def, Number),
    (&MEMORY_CONSUMPTION.def, Megabytes),
    (&INTERNED_STRINGS_BUFFER.def, Number),
    (&MAX_ACCELERATED_FILES.def, Number),
    (&MAX_WASTED_PERCENTAGE.def, Percent),
    (&FORCE_RESTART_TIMEOUT.def, Number),
    (&REVALIDATE_FREQ.def, Number),
    (&PREFERRED_MEMORY_MODEL.def, Text),
    (&BLACKLIST_FILENAME.def, Text),
    (&MAX_FILE_SIZE.def, Number),
    (&ERROR_LOG.def, Text),
    (&PROTECT_MEMORY.def, Switch),
    (&SAVE_COMMENTS.def, Switch),
    (&RECORD_WARNINGS.def, Switch),
    (&ENABLE_FILE_OVERRIDE.def, Switch),
    (&OPTIMIZATION_LEVEL.def, Number),
    (&LOCKFILE_PATH.def, Text),
    (&FILE_CACHE.def, Folder),
    (&FILE_CACHE_ONLY.def, Switch),
    (&FILE_CACHE_CONSISTENCY_CHECKS.def, Switch),
    (&FILE_UPDATE_PROTECTION.def, Number),
    (&OPT_DEBUG_LEVEL.def, Number),
    (&RESTRICT_API.def, Text),
    (&HUGE_CODE_PAGES.def, Switch),
    (&PRELOAD.def, Text),
    (&PRELOAD_USER.def, Text),
    (&jit::JIT.def, Text),
    (&jit::BUFFER_SIZE.def, Number),
    (&jit::DEBUG.def, Number),
    (&jit::BISECT_LIMIT.def, Number),
    (&jit::BLACKLIST_ROOT_TRACE.def, Number),
    (&jit::BLACKLIST_SIDE_TRACE.def, Number),
    (&jit::HOT_FUNC.def, Number),
    (&jit::HOT_LOOP.def, Number),
    (&jit::HOT_RETURN.def, Number),
    (&jit::HOT_SIDE_EXIT.def, Number),
    (&jit::MAX_EXIT_COUNTERS.def, Number),
    (&jit::MAX_LOOP_UNROLLS.def, Number),
    (&jit::MAX_POLYMORPHIC_CALLS.def, Number),
    (&jit::MAX_RECURSIVE_CALLS.def, Number),
    (&jit::MAX_RECURSIVE_RETURNS.def, Number),
    (&jit::MAX_ROOT_TRACES.def, Number),
    (&jit::MAX_SIDE_TRACES.def, Number),
    (&jit::PROF_THRESHOLD.def, Float),
    (&jit::MAX_TRACE_LENGTH.def, Number),
];

fn value(vm: &Vm, def: &IniDef, form: Form) -> Val {
    let bits = vm.ini.state(def).map_or(0, |state| state.bits());
    match form {
        Switch => (bits != 0).into(),
        Number => Val::int(bits as i64),
        Megabytes => Val::int((bits as i64).saturating_mul(1 << 20)),
        Percent => Val::double(bits as i64 as f64 / 100.0),
        Float => Val::double(f64::from_bits(bits)),
        Text => vm.ini.text(def).into(),
        Folder => {
            let folder = vm.ini.text(def);
            if settings::is_file_cache(&folder) { folder.into() } else { "".into() }
        }
    }
}

pub fn opcache_get_configuration(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    if !access::is_permitted(vm)? {
        return Ok(Val::FALSE);
    }
    let mut directives = PhpArr::new();
    for (def, form) in DIRECTIVES {
        directives.set_bytes(def.name.as_bytes(), value(vm, def, *form));
    }
    let mut version = PhpArr::new();
    version.set_bytes(b"version", PHP_VERSION.into());
    version.set_bytes(b"opcache_product_name", access::NAME.into());
    let blacklist: PhpArr = vm.unit_store.blacklist.patterns().into_iter().map(Val::from).collect();
    let mut configuration = PhpArr::new();
    configuration.set_bytes(b"directives", directives.into());
    configuration.set_bytes(b"version", version.into());
    configuration.set_bytes(b"blacklist", blacklist.into());
    Ok(configuration.into())
}
