//! An allocator for a thread that makes and drops a great many small objects: lists of free blocks by size, without a lock.
//!
//! The compiler's thread is such a thread. With the C library's allocator, which it would share with the script's thread, it takes
//! a fourteenth longer (`docs/decisions/0050-a-compiler-that-does-less.md`).

use phlox_value::outside;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The program's allocator: the C library's, except for the thread that has called [`Arena::begin`].
pub struct Arena;

/// Bytes of addresses that are reserved for arenas; pages are allocated when they are touched.
const ADDRESSES: usize = 4 * SHARE;
/// Bytes of [`ADDRESSES`] that the arena of one process takes; a forked process has its own part. Miri fills the whole mapping when
/// it is reserved.
const SHARE: usize = if cfg!(miri) { 1 << 20 } else { 64 << 20 };
/// Blocks of up to so many bytes have sizes in steps of [`STEP`]; larger ones have powers of two.
const SMALL: usize = 1 << 10;
const STEP: usize = 16;
const SMALL_CLASSES: usize = SMALL / STEP + 1;
const MOST: usize = 4 << 20;
const CLASSES: usize = SMALL_CLASSES + (MOST / SMALL).ilog2() as usize;

/// Where the addresses begin; 0: none are reserved yet.
static BEGIN: AtomicUsize = AtomicUsize::new(0);
/// How many bytes of the addresses belong to some process.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// The id of the process whose arena has an owner.
static OWNED_BY: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// Whether this thread owns the arena.
    static IS_OWNER: Cell<bool> = const { Cell::new(false) };
}

/// The free memory: a list for each size, linked by the blocks' first words, and the part that no block has been made of.
struct Free {
    lists: [*mut u8; CLASSES],
    next: usize,
    end: usize,
}

struct OfOwner(UnsafeCell<Free>);

// SAFETY: only the thread with `IS_OWNER` reads or writes the lists, and a process has one such thread.
unsafe impl Sync for OfOwner {}

static FREE: OfOwner = OfOwner(UnsafeCell::new(Free { lists: [std::ptr::null_mut(); CLASSES], next: 0, end: 0 }));

impl Arena {
    /// Makes this thread the owner of the process's arena, unless there is an owner: its small blocks come from the arena from now
    /// on. Blocks that other threads free are lost, so only few may be handed over.
    pub fn begin() {
        if OWNED_BY.swap(std::process::id(), Ordering::Relaxed) == std::process::id() {
            return;
        }
        let begin = match BEGIN.load(Ordering::Relaxed) {
            0 => reserve(),
            known => known,
        };
        let at = TAKEN.fetch_add(SHARE, Ordering::Relaxed);
        if begin == 0 || at >= ADDRESSES {
            return;
        }
        BEGIN.store(begin, Ordering::Relaxed);
        // SAFETY: this is the first thread of the process to be the owner; the owner of the process that this one was forked from
        // does not exist here.
        unsafe {
            *FREE.0.get() = Free { lists: [std::ptr::null_mut(); CLASSES], next: begin + at, end: begin + at + SHARE };
        }
        IS_OWNER.set(true);
    }
}

/// Reserves addresses without memory; 0: there are none.
fn reserve() -> usize {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // Miri does not know MAP_NORESERVE.
    let lazily = if cfg!(miri) { 0 } else { libc::MAP_NORESERVE };
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | lazily;
    // SAFETY: the system chooses the address, so the mapping overlaps no other.
    let block = unsafe { libc::mmap(std::ptr::null_mut(), ADDRESSES, access, kind, -1, 0) };
    if block == libc::MAP_FAILED { 0 } else { block as usize }
}

#[inline]
fn is_in_arena(block: *mut u8) -> bool {
    let begin = BEGIN.load(Ordering::Relaxed);
    (block as usize).wrapping_sub(begin) < ADDRESSES && begin != 0
}

#[inline]
fn class_of(bytes: usize) -> usize {
    match bytes {
        0..=SMALL => bytes.div_ceil(STEP),
        _ => SMALL_CLASSES + ((bytes - 1) / SMALL).ilog2() as usize,
    }
}

#[inline]
fn bytes_of(class: usize) -> usize {
    if class < SMALL_CLASSES { class * STEP } else { (2 * SMALL) << (class - SMALL_CLASSES) }
}

impl Free {
    /// A block for so many bytes; `None`: there is no room.
    #[inline]
    fn take(&mut self, bytes: usize) -> Option<*mut u8> {
        let class = class_of(bytes);
        let block = self.lists[class];
        if !block.is_null() {
            // SAFETY: nobody uses a free block, and its first word points to the next one.
            self.lists[class] = unsafe { block.cast::<*mut u8>().read() };
            return Some(block);
        }
        let (block, end) = (self.next, self.next + bytes_of(class));
        (end <= self.end).then(|| {
            self.next = end;
            block as *mut u8
        })
    }

    /// Puts a block back into its list.
    ///
    /// # Safety
    /// [`Free::take`] gave the block for so many bytes, and nobody uses it any more.
    #[inline]
    unsafe fn give_back(&mut self, block: *mut u8, bytes: usize) {
        let class = class_of(bytes);
        // SAFETY: the caller says that nobody uses the block; blocks have room for a word and are aligned for one.
        unsafe { block.cast::<*mut u8>().write(self.lists[class]) };
        self.lists[class] = block;
    }
}

// SAFETY: blocks of the arena have the size and the alignment that was asked for, and one user at a time (rule 5 of SAFETY.md); all
// others are the system's.
unsafe impl GlobalAlloc for Arena {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IS_OWNER.get() && layout.size() <= MOST && layout.align() <= STEP && layout.size() > 0 {
            // SAFETY: this thread is the owner, so no other looks at the lists.
            if let Some(block) = unsafe { (*FREE.0.get()).take(layout.size()) } {
                return block;
            }
        }
        outside::note(layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is the system allocator's, too.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !IS_OWNER.get() {
            outside::note(layout.size().cast_signed());
            // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc_zeroed`, which is the system allocator's, too.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc_zeroed`; the block has `layout.size()` bytes.
        unsafe {
            let block = self.alloc(layout);
            if !block.is_null() {
                block.write_bytes(0, layout.size());
            }
            block
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !is_in_arena(block) {
            outside::note(-layout.size().cast_signed());
            // SAFETY: the block is not in the arena's addresses, so the system allocator gave it, with this layout.
            return unsafe { System.dealloc(block, layout) };
        }
        if IS_OWNER.get() {
            // SAFETY: this thread is the owner; the caller says that the block has this layout and is no longer used.
            unsafe { (*FREE.0.get()).give_back(block, layout.size()) };
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        let is_here = is_in_arena(block);
        if !is_here && !IS_OWNER.get() {
            outside::note(bytes.cast_signed() - layout.size().cast_signed());
            // SAFETY: the block is not in the arena's addresses, so the system allocator gave it, with this layout.
            return unsafe { System.realloc(block, layout, bytes) };
        }
        if is_here && class_of(bytes) == class_of(layout.size()) {
            return block;
        }
        // SAFETY: the caller says that the block has this layout; the new block is another one, with room for the copied bytes.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(bytes, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(bytes));
                self.dealloc(block, layout);
            }
            new
        }
    }
}
