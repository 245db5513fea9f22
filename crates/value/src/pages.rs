//! Memory straight from the system, for blocks so large that moving them costs more than remapping their pages.

use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, munmap};

/// Blocks of at least this size are mapped.
pub const MAPPED_MIN: usize = 512 << 10;
/// Sizes of mapped blocks are multiples of this.
pub const STEP: usize = 256 << 10;

/// From this size on a block is better off in large pages: what walks through it misses fewer translations, and it is there
/// after fewer page faults.
pub const LARGE: usize = 2 << 20;

/// What large pages begin at a multiple of.
const ALIGNMENT: usize = 2 << 20;

/// Asks for large pages; without them everything is the same, only slower. Miri has no such call.
fn prefer_large_pages(block: *mut u8, bytes: usize) {
    if cfg!(all(target_os = "linux", not(miri))) && bytes >= LARGE {
        // SAFETY: advice about pages of a mapping that stays what it is.
        let _ = unsafe { madvise(block.cast(), bytes, Advice::LinuxHugepage) };
    }
}

/// A fresh mapping, zeroed; null if there is no memory. If it is large, it begins where large pages do.
pub fn map(bytes: usize) -> *mut u8 {
    if bytes < LARGE || cfg!(miri) {
        return map_anywhere(bytes);
    }
    let first = map_anywhere(bytes + ALIGNMENT);
    if first.is_null() {
        return first;
    }
    let before = first.align_offset(ALIGNMENT);
    // SAFETY: both ends of the mapping, which nobody uses; what is left is so large.
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
    // SAFETY: a fresh mapping at an address that the system chooses.
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
    // SAFETY: by the caller.
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

/// Gives a mapping back.
///
/// # Safety
/// `block` is a mapping of `bytes` bytes that is not used again.
pub unsafe fn unmap(block: *mut u8, bytes: usize) {
    // SAFETY: by the caller.
    let unmapped = unsafe { munmap(block.cast(), bytes) };
    debug_assert!(unmapped.is_ok());
}
