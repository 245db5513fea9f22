//! The extension "Zend OPcache": what scripts see of the units that a process keeps.
//!
//! The store itself is `phlox-runtime`'s `unit_store`. Only processes that keep units have the extension, so that the command line
//! is a PHP without OPcache.
#![forbid(unsafe_code)]

mod access;
mod blacklist_file;
mod configuration;
mod functions;
mod jit;
mod log;
mod settings;
mod status;

use phlox_ext_standard::about;
use phlox_runtime::unit_store as store;
use phlox_runtime::{Extension, Vm};
pub use settings::PRELOAD;
use settings::*;

/// The extension, which the engine registers in processes that keep units.
pub static EXTENSION: Extension = Extension {
    name: access::NAME,
    functions: &[functions::FUNCTIONS],
    classes: &[],
    constants: &[],
    ini: &[
        &store::ENABLE.def,
        &USE_CWD.def,
        &store::VALIDATE_TIMESTAMPS.def,
        &VALIDATE_PERMISSION.def,
        &VALIDATE_ROOT.def,
        &DUPS_FIX.def,
        &REVALIDATE_PATH.def,
        &log::LOG_VERBOSITY_LEVEL.def,
        &MEMORY_CONSUMPTION.def,
        &INTERNED_STRINGS_BUFFER.def,
        &MAX_ACCELERATED_FILES.def,
        &MAX_WASTED_PERCENTAGE.def,
        &FORCE_RESTART_TIMEOUT.def,
        &store::REVALIDATE_FREQ.def,
        &store::FILE_UPDATE_PROTECTION.def,
        &PREFERRED_MEMORY_MODEL.def,
        &BLACKLIST_FILENAME.def,
        &store::MAX_FILE_SIZE.def,
        &PROTECT_MEMORY.def,
        &SAVE_COMMENTS.def,
        &RECORD_WARNINGS.def,
        &OPTIMIZATION_LEVEL.def,
        &OPT_DEBUG_LEVEL.def,
        &ENABLE_FILE_OVERRIDE.def,
        &ENABLE_CLI.def,
        &log::ERROR_LOG.def,
        &access::RESTRICT_API.def,
        &LOCKFILE_PATH.def,
        &FILE_CACHE.def,
        &FILE_CACHE_ONLY.def,
        &FILE_CACHE_CONSISTENCY_CHECKS.def,
        &HUGE_CODE_PAGES.def,
        &PRELOAD.def,
        &PRELOAD_USER.def,
        &jit::JIT.def,
        &jit::BUFFER_SIZE.def,
        &jit::DEBUG.def,
        &jit::BISECT_LIMIT.def,
        &jit::PROF_THRESHOLD.def,
        &jit::MAX_ROOT_TRACES.def,
        &jit::MAX_SIDE_TRACES.def,
        &jit::MAX_EXIT_COUNTERS.def,
        &jit::HOT_LOOP.def,
        &jit::HOT_FUNC.def,
        &jit::HOT_RETURN.def,
        &jit::HOT_SIDE_EXIT.def,
        &jit::BLACKLIST_ROOT_TRACE.def,
        &jit::BLACKLIST_SIDE_TRACE.def,
        &jit::MAX_LOOP_UNROLLS.def,
        &jit::MAX_RECURSIVE_CALLS.def,
        &jit::MAX_RECURSIVE_RETURNS.def,
        &jit::MAX_POLYMORPHIC_CALLS.def,
        &jit::MAX_TRACE_LENGTH.def,
    ],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    if vm.request_number.get() == 1 {
        vm.unit_store.places.set(Some(places(vm.ini.get(&MAX_ACCELERATED_FILES))));
        if vm.ini.get(&store::ENABLE) {
            blacklist_file::load(vm);
        }
    }
    vm.restart_store_if_due();
    about::describe(vm, access::NAME, status::info);
}
