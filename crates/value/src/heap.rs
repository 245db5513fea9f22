//! The request heap: size classes with free lists over 256 KiB chunks, and the counters of memory_limit.
//!
//! The limit is checked when a chunk or a large block is taken, as in Zend's allocator. An allocation over the limit unwinds with
//! [`MemoryLimitExceeded`], which the engine catches at the top of the request.

use crate::kept::Kept;
use crate::pages::{self, MAPPED_MIN};
use crate::stress;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
use std::cell::Cell;

const CHUNK_BYTES: usize = 256 << 10;
/// Whether every block comes from the system's allocator and is returned at once, with exactly the requested size, so that
/// AddressSanitizer detects uses after free and beyond the end. What memory_limit counts does not change.
const SYSTEM: bool = cfg!(feature = "system-heap");
/// The least that Zend's allocator reserves, and the unit that reported sizes are rounded to.
const REPORTED_BYTES: usize = 2 << 20;
const PAGE_BYTES: usize = 4096;
/// Cached mappings above this size are remapped for blocks of other sizes.
const KEPT_MAX: usize = 2 << 20;
/// Growing blocks up to this size are copied to a cached mapping, whose pages exist, instead of being remapped.
const COPIED_MAX: usize = 8 << 20;
/// The bytes of each size class; the steps are Zend's, so that memory figures are comparable.
const CLASS_BYTES: [usize; 30] = [
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280,
    1536, 1792, 2048, 2560, 3072,
];
/// The size of the largest size class; larger blocks are large blocks.
pub(crate) const SMALL_MAX: usize = 3072;
/// The class of a size, by eighths: `CLASS_OF[(size + 7) / 8]`.
const CLASS_OF: [u8; SMALL_MAX / 8 + 1] = class_table();

#[inline]
const fn class_table() -> [u8; SMALL_MAX / 8 + 1] {
    let mut table = [0; SMALL_MAX / 8 + 1];
    let mut class = 0;
    let mut eighth = 0;
    while eighth < table.len() {
        while CLASS_BYTES[class] < eighth * 8 {
            class += 1;
        }
        table[eighth] = class as u8;
        eighth += 1;
    }
    table
}

/// The unwinding payload of an allocation that goes over memory_limit.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimitExceeded {
    pub limit: usize,
    /// The number of bytes that the failed allocation requested.
    pub tried: usize,
}

struct Heap {
    free: [Cell<*mut u8>; 30],
    chunk_next: Cell<*mut u8>,
    chunk_end: Cell<*mut u8>,
    used: Cell<usize>,
    peak_used: Cell<usize>,
    reserved: Cell<usize>,
    peak_reserved: Cell<usize>,
    /// With [`SYSTEM`]: bytes of small blocks, and bytes of the chunks that they would have taken.
    small_used: Cell<usize>,
    small_reserved: Cell<usize>,
    limit: Cell<usize>,
    /// What earlier requests of the process left in `used` and in `reserved`: it is not the present request's.
    earlier: Cell<(usize, usize)>,
    /// `used` and `reserved` where the first request began; `None` before that.
    initial: Cell<Option<(usize, usize)>>,
    kept: Kept,
    /// A stress mode is on: free lists stay empty, so that every block is allocated and released on the slow path.
    stressed: Cell<bool>,
    /// Set while [`unless_exhausted`] runs.
    may_refuse: Cell<bool>,
}

thread_local! {
    static HEAP: Heap = const {
        Heap {
            free: [const { Cell::new(std::ptr::null_mut()) }; 30],
            chunk_next: Cell::new(std::ptr::null_mut()),
            chunk_end: Cell::new(std::ptr::null_mut()),
            used: Cell::new(0),
            peak_used: Cell::new(0),
            reserved: Cell::new(0),
            peak_reserved: Cell::new(0),
            small_used: Cell::new(0),
            small_reserved: Cell::new(0),
            limit: Cell::new(usize::MAX),
            earlier: Cell::new((0, 0)),
            initial: Cell::new(None),
            kept: Kept::new(),
            stressed: Cell::new(false),
            may_refuse: Cell::new(false),
        }
    };
}

thread_local! {
    static EXHAUSTED: Cell<Option<fn()>> = const { Cell::new(None) };
}

/// Sets the function that is called when memory_limit is hit, before the script is unwound.
#[inline]
pub fn on_exhaustion(note: fn()) {
    EXHAUSTED.set(Some(note));
}

/// The usable bytes of a block that was allocated with `size`.
#[inline]
pub(crate) fn usable_bytes(size: usize) -> usize {
    if size > SMALL_MAX {
        return large_bytes(size);
    }
    if SYSTEM { size } else { CLASS_BYTES[CLASS_OF[size.div_ceil(8)] as usize] }
}

/// Whether a large block of this size is a mapping of its own.
fn is_mapped(bytes: usize) -> bool {
    bytes >= MAPPED_MIN && !SYSTEM
}

/// The bytes of a block beyond the size classes, rounded up by an eighth, so that a block that grows in steps moves rarely.
fn large_bytes(size: usize) -> usize {
    if size >= MAPPED_MIN {
        return size.next_multiple_of(pages::STEP);
    }
    let step = (1usize << (usize::BITS - 1 - size.leading_zeros())) / 8;
    size.next_multiple_of(step.max(PAGE_BYTES))
}

/// Allocates at least `size` bytes, aligned to 8.
#[inline]
pub(crate) fn allocate(size: usize) -> *mut u8 {
    HEAP.with(|heap| {
        if size > SMALL_MAX {
            return heap.allocate_large(size);
        }
        let class = CLASS_OF[size.div_ceil(8)] as usize;
        heap.note_used(CLASS_BYTES[class]);
        if SYSTEM {
            return heap.allocate_from_system(class, size);
        }
        let head = heap.free[class].get();
        if head.is_null() {
            return heap.refill(class);
        }
        // SAFETY: a block on a free list holds the address of the next block in its first word.
        heap.free[class].set(unsafe { head.cast::<*mut u8>().read() });
        head
    })
}

/// Allocates like [`allocate`], but beyond memory_limit if necessary: for callers that can neither do without the block nor
/// unwind. The next allocation that reserves memory then fails.
#[cold]
pub(crate) fn allocate_regardless(size: usize) -> *mut u8 {
    HEAP.with(|heap| {
        let (limit, stressed) = (heap.limit.replace(usize::MAX), heap.stressed.replace(false));
        let block = allocate(size);
        heap.limit.set(limit);
        heap.stressed.set(stressed);
        block
    })
}

/// Runs code that may allocate where a script cannot be unwound, because frames are in an intermediate state. `None` if
/// memory_limit refuses an allocation, of which nothing is reported: the caller repeats the work where the script can be unwound.
/// `run` must not run PHP code.
pub fn unless_exhausted<R>(run: impl FnOnce() -> R) -> std::thread::Result<Option<R>> {
    let before = HEAP.with(|heap| heap.may_refuse.replace(true));
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    HEAP.with(|heap| heap.may_refuse.set(before));
    match done {
        Ok(made) => Ok(Some(made)),
        Err(payload) if payload.is::<MemoryLimitExceeded>() => {
            stress::allocation_was_refused();
            Ok(None)
        }
        Err(payload) => Err(payload),
    }
}

/// Whether memory_limit leaves room for a block of this size.
pub(crate) fn has_room_for(size: usize) -> bool {
    HEAP.with(|heap| heap.request_reserved().saturating_add(size) <= heap.limit.get())
}

/// Returns a block of [`allocate`] with its `size`.
///
/// # Safety
/// `block` came from `allocate(size)` (or `reallocate` to `size`) on this thread and is not used again.
#[inline]
pub(crate) unsafe fn release(block: *mut u8, size: usize) {
    HEAP.with(|heap| {
        if size > SMALL_MAX || heap.stressed.get() || SYSTEM {
            // SAFETY: `block` was allocated with `size` and is not used again.
            return unsafe { heap.release_slowly(block, size) };
        }
        let class = CLASS_OF[size.div_ceil(8)] as usize;
        heap.used.set(heap.used.get() - CLASS_BYTES[class]);
        // SAFETY: the block belongs to the heap again and is at least 8 bytes long.
        unsafe { block.cast::<*mut u8>().write(heap.free[class].get()) };
        heap.free[class].set(block);
    })
}

/// Moves a block to a new size; the bytes that both sizes have are kept.
///
/// # Safety
/// `block` came from `allocate(old)` (or `reallocate` to `old`) on this thread and is not used again.
pub(crate) unsafe fn reallocate(block: *mut u8, old: usize, new: usize) -> *mut u8 {
    let may_stay = HEAP.with(|heap| !heap.stressed.get()) || !stress::always_moves();
    if may_stay && usable_bytes(old) == usable_bytes(new) {
        return block;
    }
    let mapped = |size| size > SMALL_MAX && is_mapped(large_bytes(size));
    // A block is copied, not remapped, if it goes to a cached mapping, or if it becomes large enough for large pages.
    let copies = || {
        let (old, new) = (large_bytes(old), large_bytes(new));
        let gets_large = old < pages::LARGE && new >= pages::LARGE;
        new <= COPIED_MAX && (gets_large || HEAP.with(|heap| heap.kept.has(new)))
    };
    if may_stay && old > SMALL_MAX && new > SMALL_MAX && mapped(old) == mapped(new) && !(mapped(new) && copies()) {
        return HEAP.with(|heap| {
            let remaps = mapped(old);
            let (old, new) = (large_bytes(old), large_bytes(new));
            heap.check_limit(new.saturating_sub(old), new);
            heap.used.set(heap.used.get() - old);
            heap.reserved.set(heap.reserved.get() - old);
            heap.note_reserved(new);
            heap.note_used(new);
            heap.trim_kept();
            // SAFETY: `block` has `old` bytes, and is a mapping or a block of the global allocator with that layout.
            let moved = unsafe {
                match remaps {
                    true => pages::remap(block, old, new),
                    false => realloc(block, large_layout(old), new),
                }
            };
            if moved.is_null() {
                handle_alloc_error(large_layout(new));
            }
            moved
        });
    }
    let moved = allocate(new);
    // SAFETY: both blocks hold at least the smaller size and do not overlap; the old block is not used again.
    unsafe {
        std::ptr::copy_nonoverlapping(block, moved, old.min(new));
        release(block, old);
    }
    moved
}

#[inline]
fn large_layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, 16).unwrap_or_else(|_| panic!("allocation of {bytes} bytes"))
}

/// With [`SYSTEM`]: the layout of a small block of the system's allocator.
fn small_layout(size: usize) -> Layout {
    Layout::from_size_align(size.max(1), 8).unwrap_or_else(|_| panic!("allocation of {size} bytes"))
}

impl Heap {
    /// The bytes in use that the present request accounts for.
    fn request_used(&self) -> usize {
        self.used.get().saturating_sub(self.earlier.get().0)
    }

    /// The bytes taken from the system that the present request accounts for.
    fn request_reserved(&self) -> usize {
        self.reserved.get().saturating_sub(self.earlier.get().1)
    }

    /// A cached mapping of this size, or a fresh one.
    fn kept_or_mapped(&self, bytes: usize) -> *mut u8 {
        if let Some(block) = self.kept.take(bytes) {
            return block;
        }
        if bytes > KEPT_MAX
            && let Some((block, size)) = self.kept.take_near(bytes)
        {
            // SAFETY: a cached mapping of `size` bytes, which nothing uses.
            return unsafe { pages::remap(block, size, bytes) };
        }
        self.trim_kept();
        pages::map(bytes)
    }

    /// Shrinks the cache of mappings, so that cached and used memory together do not exceed the peak of used memory; a little
    /// more is kept once the cache has been of use.
    fn trim_kept(&self) {
        let more = if self.kept.has_been_of_use() { KEPT_MAX } else { 0 };
        self.kept.shrink(self.peak_reserved.get() - self.reserved.get() + more);
    }

    #[inline]
    fn note_used(&self, bytes: usize) {
        let used = self.used.get() + bytes;
        self.used.set(used);
        if used > self.peak_used.get() {
            self.peak_used.set(used);
        }
    }

    #[inline]
    fn note_reserved(&self, bytes: usize) {
        let reserved = self.reserved.get() + bytes;
        self.reserved.set(reserved);
        self.peak_reserved.set(self.peak_reserved.get().max(reserved));
    }

    #[inline]
    fn check_limit(&self, more: usize, tried: usize) {
        let limit = self.limit.get();
        if self.request_reserved().saturating_add(more) > limit {
            self.exhausted(tried);
        }
    }

    #[cold]
    fn exhausted(&self, tried: usize) -> ! {
        if self.may_refuse.get() {
            std::panic::resume_unwind(Box::new(MemoryLimitExceeded { limit: self.limit.get(), tried }));
        }
        // The report itself needs memory, so the limit is lifted.
        let limit = self.limit.replace(usize::MAX);
        if let Some(note) = EXHAUSTED.get() {
            note();
        }
        std::panic::resume_unwind(Box::new(MemoryLimitExceeded { limit, tried }));
    }

    #[cold]
    fn allocate_large(&self, size: usize) -> *mut u8 {
        if size > isize::MAX as usize - PAGE_BYTES {
            self.exhausted(size);
        }
        if self.stressed.get() && stress::allocation_fails() {
            self.exhausted(size);
        }
        let bytes = large_bytes(size);
        self.check_limit(bytes, size);
        self.note_reserved(bytes);
        self.note_used(bytes);
        let block = match is_mapped(bytes) {
            true => self.kept_or_mapped(bytes),
            // SAFETY: the layout has a non-zero size.
            false => unsafe { alloc(large_layout(bytes)) },
        };
        if block.is_null() {
            handle_alloc_error(large_layout(bytes));
        }
        block
    }

    /// # Safety
    /// `block` was allocated with `size` on this thread and is not used again.
    #[cold]
    unsafe fn release_slowly(&self, block: *mut u8, size: usize) {
        if size <= SMALL_MAX {
            let class = CLASS_OF[size.div_ceil(8)] as usize;
            self.used.set(self.used.get() - CLASS_BYTES[class]);
            if SYSTEM {
                self.small_used.set(self.small_used.get() - CLASS_BYTES[class]);
                // SAFETY: `allocate_from_system` allocated the block with this layout, and it is not used again.
                return unsafe { dealloc(block, small_layout(size)) };
            }
            // SAFETY: the block has the size of its class and is not used again by the caller.
            return unsafe { stress::retire(block, class, CLASS_BYTES[class]) };
        }
        let bytes = large_bytes(size);
        if self.stressed.get() {
            // SAFETY: the block has `bytes` bytes and is not used again by the caller.
            unsafe { stress::retire_large(block, bytes) };
        }
        self.used.set(self.used.get() - bytes);
        self.reserved.set(self.reserved.get() - bytes);
        // SAFETY: a large block is a mapping of `bytes` bytes, or comes from the global allocator with this very layout.
        unsafe {
            match is_mapped(bytes) {
                true => self.kept.add(block, bytes),
                false => dealloc(block, large_layout(bytes)),
            }
        }
        self.trim_kept();
    }

    /// Takes a block from the system's allocator in place of one of a size class. A chunk is counted when the small blocks in use
    /// would not fit into the chunks counted so far.
    #[cold]
    fn allocate_from_system(&self, class: usize, size: usize) -> *mut u8 {
        let bytes = CLASS_BYTES[class];
        if self.stressed.get() && stress::allocation_fails() {
            self.used.set(self.used.get() - bytes);
            self.exhausted(bytes);
        }
        if self.small_used.get() + bytes > self.small_reserved.get() {
            self.check_limit(CHUNK_BYTES, bytes);
            self.note_reserved(CHUNK_BYTES);
            self.small_reserved.set(self.small_reserved.get() + CHUNK_BYTES);
        }
        self.small_used.set(self.small_used.get() + bytes);
        // SAFETY: the layout has a non-zero size.
        let block = unsafe { alloc(small_layout(size)) };
        if block.is_null() {
            handle_alloc_error(small_layout(size));
        }
        block
    }

    /// Carves a run of blocks for a size class out of a chunk; returns one, the others go on the free list.
    #[cold]
    fn refill(&self, class: usize) -> *mut u8 {
        let bytes = CLASS_BYTES[class];
        let mut run = (bytes * 8).next_multiple_of(PAGE_BYTES);
        if self.stressed.get() {
            if stress::allocation_fails() {
                self.used.set(self.used.get() - bytes);
                self.exhausted(bytes);
            }
            if let Some(block) = stress::reuse(class, bytes) {
                return block;
            }
            run = bytes;
        }
        if (self.chunk_end.get() as usize) - (self.chunk_next.get() as usize) < run {
            self.check_limit(CHUNK_BYTES, bytes);
            self.note_reserved(CHUNK_BYTES);
            self.trim_kept();
            let chunk = pages::map(CHUNK_BYTES);
            if chunk.is_null() {
                handle_alloc_error(large_layout(CHUNK_BYTES));
            }
            self.chunk_next.set(chunk);
            // SAFETY: the address is one past the end of the chunk.
            self.chunk_end.set(unsafe { chunk.add(CHUNK_BYTES) });
        }
        let start = self.chunk_next.get();
        // SAFETY: `run` bytes are left in the chunk.
        self.chunk_next.set(unsafe { start.add(run) });
        let count = run / bytes;
        let mut next = std::ptr::null_mut();
        for index in (1..count).rev() {
            // SAFETY: block `index` lies inside the run.
            unsafe {
                let block = start.add(index * bytes);
                block.cast::<*mut u8>().write(next);
                next = block;
            }
        }
        self.free[class].set(next);
        start
    }
}

/// Turns the hooks of `stress` on or off.
pub(crate) fn set_stressed(on: bool) {
    HEAP.with(|heap| {
        heap.stressed.set(on);
        if on {
            // The blocks on the free lists are abandoned, so that every block goes through the hooks from here on.
            heap.free.iter().for_each(|list| list.set(std::ptr::null_mut()));
        }
    });
}

/// Returns cached mappings to the system at the end of a request.
pub fn give_back() {
    HEAP.with(|heap| heap.kept.shrink(0));
}

/// Sets memory_limit in bytes; `usize::MAX` is no limit.
#[inline]
pub fn set_memory_limit(bytes: usize) {
    HEAP.with(|heap| heap.limit.set(bytes));
    crate::outside::set_limit(bytes);
}

/// Ends the script as if memory_limit were hit: it has `bytes` of memory outside of the heap.
#[cold]
pub(crate) fn end(bytes: usize) -> ! {
    HEAP.with(|heap| heap.exhausted(bytes))
}

/// The bytes of blocks in use (`memory_get_usage()`).
#[inline]
pub fn bytes_used() -> usize {
    HEAP.with(Heap::request_used)
}

/// The bytes taken from the system (`memory_get_usage(true)`).
#[inline]
pub fn bytes_reserved() -> usize {
    HEAP.with(Heap::request_reserved).max(1).next_multiple_of(REPORTED_BYTES)
}

/// The peaks of [`bytes_used`] and [`bytes_reserved`].
#[inline]
pub fn bytes_peak() -> (usize, usize) {
    HEAP.with(|heap| {
        let (used, reserved) = heap.earlier.get();
        let peak_reserved = heap.peak_reserved.get().saturating_sub(reserved);
        (heap.peak_used.get().saturating_sub(used), peak_reserved.max(1).next_multiple_of(REPORTED_BYTES))
    })
}

/// Resets the peaks to the current figures (`memory_reset_peak_usage()`).
#[inline]
pub fn reset_peak() {
    HEAP.with(|heap| {
        heap.peak_used.set(heap.used.get());
        heap.peak_reserved.set(heap.reserved.get());
    });
}

/// Begins a request: what is in use already does not count as its memory, but for as much as the first request of the process
/// found. So memory figures are equal in all requests.
pub(crate) fn begin_request() {
    HEAP.with(|heap| {
        let now = (heap.used.get(), heap.reserved.get());
        let initial = heap.initial.get().unwrap_or(now);
        heap.initial.set(Some(initial));
        heap.earlier.set((now.0.saturating_sub(initial.0), now.1.saturating_sub(initial.1)));
    });
    reset_peak();
}

/// Counts memory that is not on this heap (call frames) against memory_limit.
#[inline]
pub fn charge(bytes: usize) {
    HEAP.with(|heap| {
        heap.check_limit(bytes, bytes);
        heap.note_reserved(bytes);
    });
}

/// Counts a block of other memory, which grew by `more` to `size` bytes, as memory of this heap.
#[inline]
pub fn adopt(more: usize, size: usize) {
    HEAP.with(|heap| {
        heap.check_limit(more, size);
        heap.note_reserved(more);
        heap.note_used(more);
    });
}

/// Ends the counting of memory that [`adopt`] counted.
#[inline]
pub fn disown(bytes: usize) {
    HEAP.with(|heap| {
        heap.reserved.set(heap.reserved.get() - bytes);
        heap.used.set(heap.used.get() - bytes);
    });
}

/// Ends the counting of memory that [`charge`] counted.
#[inline]
pub fn discharge(bytes: usize) {
    HEAP.with(|heap| heap.reserved.set(heap.reserved.get() - bytes));
}
