//! Processes and signals as the system has them, behind a safe face: fork, wait, handlers that note a signal and ask
//! the running code for attention. What a script may do with them is `ext/pcntl`'s.

mod allocator;
mod arena;
mod signals;
mod wait;

pub use allocator::{note_growth, share_allocator};
pub use arena::Arena;
pub use signals::{
    Action, SignalInfo, block_all, listen, pending, set_action, set_attention, set_mask, take, wait_for_signal,
};
pub use wait::{Usage, get_priority, set_priority, usage, wait, wait_id};

use std::sync::atomic::{AtomicBool, Ordering};

static CHILD: AtomicBool = AtomicBool::new(false);

/// The number of the last system error.
pub(crate) fn last_error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The version of the C library that this program runs with.
pub fn library_version() -> &'static str {
    // SAFETY: a constant text of the library's, which ends with a zero.
    let text = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
    text.to_str().unwrap_or_default()
}

/// A descriptor that every process has from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    Input = 0,
    Output = 1,
    Error = 2,
}

/// Closes a standard descriptor of the process. What is opened next gets its number: so do daemons give themselves others.
pub fn close_standard(which: Standard) {
    // SAFETY: nobody owns a standard descriptor: the standard library's handles name it by its number, and fail as long as there is
    // none. Closing one twice is an error that does nothing, for nothing but this closes what has its number.
    unsafe { libc::close(which as i32) };
}

/// The numbers of the threads of this process, the main one's among them.
pub fn threads() -> Vec<u32> {
    let Ok(folder) = std::fs::read_dir("/proc/self/task") else { return vec![std::process::id()] };
    folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Splits the process in two; `None` in the child, whose only thread is the caller's.
pub fn fork() -> Result<Option<i32>, i32> {
    // SAFETY: rule 1 of SAFETY.md.
    match unsafe { libc::fork() } {
        -1 => Err(last_error()),
        0 => {
            CHILD.store(true, Ordering::Relaxed);
            signals::forget();
            Ok(None)
        }
        child => Ok(Some(child)),
    }
}

/// Was this process made by [`fork`]? Then its main thread is not there, and it has to end through `exit`.
pub fn is_child() -> bool {
    CHILD.load(Ordering::Relaxed)
}
