//! Settings of the C library's allocator, which say how it takes memory from the system.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a large page.
const PAGE: usize = 2 << 20;
/// A heap that has grown by so much is likely to grow on.
const MUCH: usize = 1 << 20;
/// Bytes that the allocator takes from the system at once from then on.
const GROWTH: usize = 8 << 20;
/// Blocks of at least this size are mapped by themselves from then on.
const MAPPED_MIN: usize = 4 << 20;

/// Before the heap has grown: bytes that are kept at the heap's end when they are freed, and the size from which blocks are mapped
/// by themselves (the request heap maps blocks of half a megabyte). With the C library's defaults, a script that frees and takes
/// lists of some kilobytes gives their pages back to the system, and gets zeroed ones again each time.
const KEPT: usize = 16 << 20;
const MAPPED_FROM: usize = 512 << 10;

/// Where the heap began, and up to where it was looked at.
static BEGIN: AtomicUsize = AtomicUsize::new(0);
static SEEN: AtomicUsize = AtomicUsize::new(0);

/// Lets all threads that are started from now on take memory from the allocator's first arena, which grows by large steps. The
/// arenas that the C library makes for further threads ask the system for each page.
pub fn share_allocator() {
    #[cfg(target_env = "gnu")]
    // SAFETY: the parameters and values are those that glibc documents, and there is no second thread yet (rule 6 of SAFETY.md).
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT as i32);
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_FROM as i32);
    }
    BEGIN.store(end_of_heap(), Ordering::Relaxed);
}

/// The end of the heap; 0: it is not known.
fn end_of_heap() -> usize {
    #[cfg(target_env = "gnu")]
    // SAFETY: `sbrk(0)` changes nothing; it only asks for the end of the heap.
    return unsafe { libc::sbrk(0) } as usize;
    #[cfg(not(target_env = "gnu"))]
    0
}

/// Makes the allocator grow by large steps from now on, and once at once; gives the end of the heap.
#[cfg(target_env = "gnu")]
fn grow_by_large_steps() -> usize {
    // SAFETY: the parameters and values are those that glibc documents (rule 6 of SAFETY.md); the block is freed.
    unsafe {
        libc::mallopt(libc::M_TOP_PAD, GROWTH as i32);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 4 * GROWTH as i32);
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_MIN as i32);
        // `black_box` keeps the compiler from removing the pair of calls.
        libc::free(std::hint::black_box(libc::malloc(MUCH)));
    }
    end_of_heap()
}

/// To be called now and then by code that takes much memory: if the heap has grown, further memory is taken in large pages. Twelve
/// megabytes of small pages take as many milliseconds on a virtual machine; of large ones, one.
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
        // The memory that the allocator has had so far is in small pages.
        let (first, last) = (seen.max(begin).next_multiple_of(PAGE), end & !(PAGE - 1));
        if first < last {
            // SAFETY: the advice is about pages of the heap, whose contents it does not change (rule 6 of SAFETY.md).
            unsafe {
                libc::madvise(first as *mut libc::c_void, last - first, libc::MADV_HUGEPAGE);
            }
        }
    }
}
