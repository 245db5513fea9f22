//! Memory that a process and the processes that it forks see together.

use crate::last_error;
use std::sync::atomic::AtomicU64;

/// So many words of memory, all zero, that this process and those which it forks from now on share. They stay for as long as one of
/// these processes lives. The error is the system's number.
pub fn shared_words(count: usize) -> Result<&'static [AtomicU64], i32> {
    let bytes = count.max(1).checked_mul(size_of::<AtomicU64>()).ok_or(libc::ENOMEM)?;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
    // SAFETY: a new anonymous mapping touches no memory of this program; it is full of zeros, aligned to a page and never unmapped, and
    // every process reaches it through atomics only (rule 9 of SAFETY.md).
    unsafe {
        let start = libc::mmap(std::ptr::null_mut(), bytes, protection, kind, -1, 0);
        if start == libc::MAP_FAILED {
            return Err(last_error());
        }
        Ok(std::slice::from_raw_parts(start.cast::<AtomicU64>(), count))
    }
}
