//! Settings of OPcache. Those of what decides about keeping a file stand in `phlox-runtime`'s `unit_store`, those of the log in
//! `log`, and those of PHP's compiler of machine code in `jit`.
//!
//! Phlox's store is a process's own: there is no shared memory, no second store in files and no optimizer with levels. Settings of
//! these are there to be read and checked, and say that they have no effect.

use crate::log;
use phlox_runtime::PhpResult;
use phlox_runtime::ini::{
    IniAccess::{All, System},
    IniBool, IniChange, IniInt, IniQuantity, IniString, not_empty, parse_quantity, text,
};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Has no effect: on the command line there is no OPcache, and a process that keeps units has it.
pub static ENABLE_CLI: IniBool = IniBool::new("opcache.enable_cli", "0", System);
/// Has no effect: files are known by their resolved paths.
pub static USE_CWD: IniBool = IniBool::new("opcache.use_cwd", "1", System);
/// Has no effect: a process runs as one user.
pub static VALIDATE_PERMISSION: IniBool = IniBool::new("opcache.validate_permission", "0", System);
/// Has no effect: a process has one root.
pub static VALIDATE_ROOT: IniBool = IniBool::new("opcache.validate_root", "0", System);
/// Has no effect, as in PHP 8.
pub static DUPS_FIX: IniBool = IniBool::new("opcache.dups_fix", "0", All);
/// Has no effect: paths are always resolved, by way of the cache of paths.
pub static REVALIDATE_PATH: IniBool = IniBool::new("opcache.revalidate_path", "0", All);
/// Megabytes. Has an effect on the figures only: kept units are limited in number.
pub static MEMORY_CONSUMPTION: IniInt =
    IniInt::new("opcache.memory_consumption", "128", System).on_change(memory_consumption);
/// Megabytes. Has an effect on the figures only: interned strings are limited by nothing.
pub static INTERNED_STRINGS_BUFFER: IniQuantity =
    IniQuantity::new("opcache.interned_strings_buffer", "8", System).on_change(interned_strings_buffer);
pub static MAX_ACCELERATED_FILES: IniInt =
    IniInt::new("opcache.max_accelerated_files", "10000", System).on_change(max_accelerated_files);
/// Has no effect: the memory of a discarded unit is freed.
pub static MAX_WASTED_PERCENTAGE: IniInt =
    IniInt::new("opcache.max_wasted_percentage", "5", System).on_change(max_wasted_percentage);
/// Has no effect: a restart waits for nobody.
pub static FORCE_RESTART_TIMEOUT: IniQuantity = IniQuantity::new("opcache.force_restart_timeout", "180", System);
/// Has no effect: there is no shared memory.
pub static PREFERRED_MEMORY_MODEL: IniString =
    IniString::new("opcache.preferred_memory_model", "", System).guard(not_empty);
pub static BLACKLIST_FILENAME: IniString = IniString::new("opcache.blacklist_filename", "", System);
/// Has no effect: there is no shared memory.
pub static PROTECT_MEMORY: IniBool = IniBool::new("opcache.protect_memory", "0", System);
/// Has no effect: comments are always kept.
pub static SAVE_COMMENTS: IniBool = IniBool::new("opcache.save_comments", "1", System);
/// Has no effect: what the compiler complains about is always said again when a kept unit is loaded.
pub static RECORD_WARNINGS: IniBool = IniBool::new("opcache.record_warnings", "0", System);
/// Has no effect on the code; `phpinfo` says whether it is 0.
pub static OPTIMIZATION_LEVEL: IniQuantity = IniQuantity::new("opcache.optimization_level", "0x7FFEBFFF", System);
/// Has no effect: `phlox dump` shows the code.
pub static OPT_DEBUG_LEVEL: IniQuantity = IniQuantity::new("opcache.opt_debug_level", "0", System);
/// Has no effect: `file_exists` and its like always ask the system.
pub static ENABLE_FILE_OVERRIDE: IniBool = IniBool::new("opcache.enable_file_override", "0", System);
/// Has no effect: there is no shared memory to lock.
pub static LOCKFILE_PATH: IniString = IniString::new("opcache.lockfile_path", "/tmp", System);
/// Has no effect: Phlox's own cache of compiled files has a place of its own.
pub static FILE_CACHE: IniString = IniString::unset("opcache.file_cache", System).on_change(file_cache);
/// Has no effect, as `opcache.file_cache` has none.
pub static FILE_CACHE_ONLY: IniBool = IniBool::new("opcache.file_cache_only", "0", System);
/// Has no effect, as `opcache.file_cache` has none.
pub static FILE_CACHE_CONSISTENCY_CHECKS: IniBool = IniBool::new("opcache.file_cache_consistency_checks", "1", System);
/// Has no effect: the system decides about the pages of Phlox's code.
pub static HUGE_CODE_PAGES: IniBool = IniBool::new("opcache.huge_code_pages", "0", System);
/// The script that is run before the first request, whose functions and classes all requests have.
pub static PRELOAD: IniString = IniString::new("opcache.preload", "", System).guard(not_empty);
/// Has no effect: each process of a pool preloads as the pool's user.
pub static PRELOAD_USER: IniString = IniString::new("opcache.preload_user", "", System).guard(not_empty);

/// The most megabytes that PHP's table of interned strings can have.
const MOST_STRINGS: i64 = 32767;
/// Sizes of PHP's table of files, the smallest of which that has place for the configured number is taken.
const TABLE_SIZES: [usize; 18] =
    [5, 11, 19, 53, 107, 223, 463, 983, 1979, 3907, 7963, 16229, 32531, 65407, 130987, 262237, 524521, 1048793];

/// For how many files there is place, when so many are configured.
pub fn places(files: i64) -> usize {
    let wanted = usize::try_from(files).unwrap_or(0);
    TABLE_SIZES.into_iter().find(|&size| size >= wanted).unwrap_or(wanted)
}

/// Whether the text names a folder that PHP would take for its cache in files.
pub fn is_file_cache(folder: &[u8]) -> bool {
    let path = Path::new(std::ffi::OsStr::from_bytes(folder));
    path.is_absolute() && path.is_dir()
}

fn refuse(change: &IniChange<'_>, complaint: &str) -> PhpResult<bool> {
    log::warn(change.vm, &format!("{}{complaint}\n", change.setting.name));
    Ok(false)
}

fn memory_consumption(change: &IniChange<'_>) -> PhpResult<bool> {
    if text::int(change.text()) < 8 { refuse(change, " is set below the required 8MB.") } else { Ok(true) }
}

fn interned_strings_buffer(change: &IniChange<'_>) -> PhpResult<bool> {
    match parse_quantity(change.text()) {
        size if size < 0 => refuse(change, &format!(" must be greater than or equal to 0, {size} given.")),
        size if size > MOST_STRINGS => {
            refuse(change, &format!(" must be less than or equal to {MOST_STRINGS}, {size} given."))
        }
        _ => Ok(true),
    }
}

fn max_accelerated_files(change: &IniChange<'_>) -> PhpResult<bool> {
    const FEWEST: i64 = 200;
    const MOST: i64 = 1_000_000;
    match text::int(change.text()) {
        files if files < FEWEST => refuse(change, &format!(" is set below the required minimum ({FEWEST}).")),
        files if files > MOST => refuse(change, &format!(" is set above the limit ({MOST}).")),
        _ => Ok(true),
    }
}

fn max_wasted_percentage(change: &IniChange<'_>) -> PhpResult<bool> {
    if (1..=50).contains(&text::int(change.text())) {
        return Ok(true);
    }
    refuse(change, " must be set between 1 and 50.")
}

/// A folder that cannot be used is complained about, and the setting has its text nevertheless.
fn file_cache(change: &IniChange<'_>) -> PhpResult<bool> {
    if !change.text().is_empty() && !is_file_cache(change.text()) {
        refuse(change, " must be a full path of accessible directory.")?;
    }
    Ok(true)
}
