//! Memory mapped from the system, for blocks so large that moving them costs more than remapping their pages.

use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, munmap};

/// Blocks of at least this size are mappings of their own.
pub const MAPPED_MIN: usize = 512 << 10;
/// Sizes of mapped blocks are multiples of this number.
pub const STEP: usize = 256 << 10;

/// Blocks of at least this size are better in large pages: traversals miss the translation cache less often, and the first
/// accesses cause fewer page faults.
pub const LARGE: usize = 2 << 20;

/// The alignment of large pages.
const ALIGNMENT: usize = 2 << 20;

/// Asks the system for large pages, without which a program is only slower. Miri does not support the call.
fn prefer_large_pages(block: *mut u8, bytes: usize) {
    if cfg!(all(target_os = "linux", not(miri))) && bytes >= LARGE {
        // SAFETY: the advice is about pages of a live mapping and does not change its contents.
        let _ = unsafe { madvise(block.cast(), bytes, Advice::LinuxHugepage) };
    }
}

/// A fresh mapping, zeroed; null if there is no memory. A large one is aligned for large pages.
pub fn map(bytes: usize) -> *mut u8 {
    if bytes < LARGE || cfg!(miri) {
        return map_anywhere(bytes);
    }
    let first = map_anywhere(bytes + ALIGNMENT);
    if first.is_null() {
        return first;
    }
    let before = first.align_offset(ALIGNMENT);
    // SAFETY: both ends of the fresh mapping are unmapped, which nothing uses; `bytes` aligned bytes remain.
    let block = unsafe {
        let block = first.add(before);
        if before > 0 {
            unmap(first, before);
        }
        if before < ALIGNMENT {
            unmap(block.add(bytes), ALIGNMENT - before);
        }
        block
    };
    prefer_large_pages(block, bytes);
    block
}

fn map_anywhere(bytes: usize) -> *mut u8 {
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: the mapping is a new one at an address that the system chooses.
    match unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, protection, MapFlags::PRIVATE) } {
        Ok(block) => block.cast(),
        Err(_) => std::ptr::null_mut(),
    }
}

/// Changes the size of a mapping, which may move; null if there is no memory.
///
/// # Safety
/// `block` is a mapping of `old` bytes that is not used again at its old address.
pub unsafe fn remap(block: *mut u8, old: usize, new: usize) -> *mut u8 {
    // SAFETY: `block` is a mapping of `old` bytes.
    match unsafe { mremap(block.cast(), old, new, MremapFlags::MAYMOVE) } {
        Ok(block) => {
            if old < LARGE {
                prefer_large_pages(block.cast(), new);
            }
            block.cast()
        }
        Err(_) => std::ptr::null_mut(),
    }
}

/// Unmaps a mapping.
///
/// # Safety
/// `block` is a mapping of `bytes` bytes that is not used again.
pub unsafe fn unmap(block: *mut u8, bytes: usize) {
    // SAFETY: `block` is a mapping of `bytes` bytes that is not used again.
    let unmapped = unsafe { munmap(block.cast(), bytes) };
    debug_assert!(unmapped.is_ok());
}
