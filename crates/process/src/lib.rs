//! Processes and signals of the system behind a safe interface: fork, wait, and handlers that record a signal and set an interrupt
//! bit for the running code. What a script may do with them is in `ext/pcntl`.

mod allocator;
mod arena;
mod clock;
mod environment;
pub mod ipc;
mod listening;
mod shared;
mod signals;
mod sized_blocks;
mod title;
mod wait;

pub use allocator::{note_growth, share_allocator};
pub use arena::Arena;
pub use clock::format_time;
pub use environment::{clear_environment, set_variable};
pub use listening::{QuitSocket, inherited_listener, listening_queue};
pub use shared::shared_words;
pub use signals::{
    Action, SignalInfo, block_all, hear_wish, listen, pending, restore_actions, set_action, set_attention, set_mask,
    take, take_wish, wait_for_signal,
};
pub use sized_blocks::{allocate_sized, free_sized};
pub use title::set_title;
pub use wait::{Usage, get_priority, processor_time, set_priority, usage, wait, wait_id};

use std::sync::atomic::{AtomicBool, Ordering};

static CHILD: AtomicBool = AtomicBool::new(false);

/// The number of the last system error.
pub(crate) fn last_error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The version of the C library that this program runs with.
pub fn library_version() -> &'static str {
    // SAFETY: the library's function gives a constant text that ends with a zero.
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

/// Closes a standard descriptor of the process. The next file that is opened gets its number: this is how daemons replace them.
pub fn close_standard(which: Standard) {
    // SAFETY: nobody owns a standard descriptor: the standard library's handles use its number, and fail as long as it is closed.
    // Closing one twice is an error without an effect, because only this function closes descriptors of these numbers.
    unsafe { libc::close(which as i32) };
}

/// The ids of the threads of this process, the main thread's among them.
pub fn threads() -> Vec<u32> {
    let Ok(folder) = std::fs::read_dir("/proc/self/task") else { return vec![std::process::id()] };
    folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Forks the process: gives the child's id; `None` in the child, whose only thread is the caller's.
pub fn fork() -> Result<Option<i32>, i32> {
    // SAFETY: the child goes on with the caller's thread alone, and no other thread holds a lock that it takes (rule 1 of
    // SAFETY.md).
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

/// Forks a server's worker from the main thread of a process without any other: gives the child's id; `None` in the child, which is no
/// [`is_child`], because it has its main thread.
pub fn fork_worker() -> Result<Option<i32>, i32> {
    // SAFETY: the child goes on with the only thread that there is (rule 1 of SAFETY.md).
    match unsafe { libc::fork() } {
        -1 => Err(last_error()),
        0 => {
            signals::forget();
            Ok(None)
        }
        child => Ok(Some(child)),
    }
}

/// Whether this process was made by [`fork`]: its main thread does not exist then, and it has to end through `exit`.
pub fn is_child() -> bool {
    CHILD.load(Ordering::Relaxed)
}
