//! How the C library's allocator takes memory from the system.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A large page.
const PAGE: usize = 2 << 20;
/// A heap that has grown so far is likely to grow on.
const MUCH: usize = 1 << 20;
/// What the allocator takes from the system at once then.
const GROWTH: usize = 8 << 20;
/// Blocks of at least this size are mapped by themselves.
const MAPPED_MIN: usize = 4 << 20;

/// Before that: what is kept of what was freed at the heap's end, and from which size on blocks are mapped by themselves (the request
/// heap maps those of half a megabyte). As the C library comes, a script that frees and takes lists of some kilobytes gives their
/// pages back, and gets them again, zeroed, each time.
const KEPT: usize = 16 << 20;
const MAPPED_FROM: usize = 512 << 10;

/// Where the heap began, and how far it was looked at.
static BEGIN: AtomicUsize = AtomicUsize::new(0);
static SEEN: AtomicUsize = AtomicUsize::new(0);

/// Lets all threads that are started from here on take memory of the allocator's first arena. It grows by large steps, where
/// those that the C library makes for further threads ask the system for each page.
pub fn share_allocator() {
    #[cfg(target_env = "gnu")]
    // SAFETY: rule 6 of SAFETY.md.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT as i32);
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_FROM as i32);
    }
    BEGIN.store(end_of_heap(), Ordering::Relaxed);
}

/// 0: it is not known.
fn end_of_heap() -> usize {
    #[cfg(target_env = "gnu")]
    // SAFETY: the end of the heap is only asked for, of the C library, which knows it.
    return unsafe { libc::sbrk(0) } as usize;
    #[cfg(not(target_env = "gnu"))]
    0
}

/// Has the allocator grow by large steps from now on, once at once; gives the end of the heap.
#[cfg(target_env = "gnu")]
fn grow_by_large_steps() -> usize {
    // SAFETY: rule 6 of SAFETY.md; the block is given back.
    unsafe {
        libc::mallopt(libc::M_TOP_PAD, GROWTH as i32);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 4 * GROWTH as i32);
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_MIN as i32);
        // Looked at, so that the pair is not taken for nothing.
        libc::free(std::hint::black_box(libc::malloc(MUCH)));
    }
    end_of_heap()
}

/// To be called now and then by what takes much memory: if the heap has grown, what comes next is taken in large pages. Twelve
/// megabytes of small ones are there after as many milliseconds on a virtual machine; of large ones, after one.
pub fn note_growth() {
    #[cfg(target_env = "gnu")]
    {
        let begin = BEGIN.load(Ordering::Relaxed);
        let end = end_of_heap();
        let seen = SEEN.load(Ordering::Relaxed);
        if begin == 0 || end < begin + MUCH || end <= seen {
            return;
        }
        let end = if seen == 0 { grow_by_large_steps() } else { end };
        SEEN.store(end, Ordering::Relaxed);
        // What the allocator has had so far is there in small pages.
        let (first, last) = (seen.max(begin).next_multiple_of(PAGE), end & !(PAGE - 1));
        if first < last {
            // SAFETY: advice about pages of the heap, which stay what they are; rule 6 of SAFETY.md.
            unsafe {
                libc::madvise(first as *mut libc::c_void, last - first, libc::MADV_HUGEPAGE);
            }
        }
    }
}
