//! The header of two words that every counted block starts with.

use std::cell::Cell;

/// `rc` is the number of references to the block. `gc` is `kind:4 | color:2 | flags:6 | root_index:20`; during trial deletion its
/// last 20 bits are the number of references from other nodes of the trial instead (see `gc/trial.rs`).
#[repr(C)]
pub(crate) struct Header {
    pub rc: Cell<u32>,
    pub gc: Cell<u32>,
}

pub(crate) const KIND_STR: u32 = 1;
pub(crate) const KIND_ARR: u32 = 2;
pub(crate) const KIND_OBJ: u32 = 3;
pub(crate) const KIND_REF: u32 = 4;
pub(crate) const KIND_RES: u32 = 5;
const KIND_MASK: u32 = 0xf;

pub(crate) const COLOR_BLACK: u32 = 0;
pub(crate) const COLOR_GREY: u32 = 1 << 4;
pub(crate) const COLOR_WHITE: u32 = 2 << 4;
pub(crate) const COLOR_PURPLE: u32 = 3 << 4;
const COLOR_MASK: u32 = 3 << 4;

/// The block is never counted and never freed: literals, the empty array.
pub(crate) const FLAG_STATIC: u32 = 1 << 6;
/// The string is in the intern table: equal bytes mean equal pointers.
pub(crate) const FLAG_INTERNED: u32 = 1 << 7;
/// For objects: a slot's value is made on first use; see [`crate::PENDING_SLOT`].
pub(crate) const FLAG_PENDING: u32 = FLAG_INTERNED;
/// The destructor ran or must not run.
pub(crate) const FLAG_DESTRUCTED: u32 = 1 << 8;
/// For arrays and strings: treated as shared, so that every change copies (see `stress`).
pub(crate) const FLAG_COPY_ALWAYS: u32 = FLAG_DESTRUCTED;
/// There are weak references to the object.
pub(crate) const FLAG_WEAK: u32 = 1 << 9;
/// A traversal (dump, comparison, conversion) is inside the block.
pub(crate) const FLAG_PROTECTED: u32 = 1 << 10;
/// The contents are being released.
pub(crate) const FLAG_FREED: u32 = 1 << 11;

const ROOT_SHIFT: u32 = 12;
/// Some of these bits are set if the block is in the root buffer, static, or being freed: then the collector need not hear of a
/// release.
pub(crate) const KNOWN_TO_COLLECTOR: u32 = !((1 << ROOT_SHIFT) - 1) | FLAG_STATIC | FLAG_FREED;
const _: () = assert!(std::mem::offset_of!(Header, rc) == 0 && std::mem::offset_of!(Header, gc) == 4);
/// The number of root indices. They are stored plus one in 20 bits; zero means "not buffered".
pub(crate) const MAX_ROOTS: usize = (1 << 20) - 2;

/// The largest count of internal references that fits into a header.
pub(crate) const MOST_INTERNAL: u32 = (1 << (32 - ROOT_SHIFT)) - 1;

impl Header {
    /// A header with one reference, of this kind (and flags).
    pub const fn new(kind: u32) -> Header {
        Header { rc: Cell::new(1), gc: Cell::new(kind) }
    }

    /// One of the `KIND_` constants.
    #[inline]
    pub fn kind(&self) -> u32 {
        self.gc.get() & KIND_MASK
    }

    /// Whether one of these flags is set.
    #[inline]
    pub fn has(&self, flag: u32) -> bool {
        self.gc.get() & flag != 0
    }

    /// Sets flags.
    #[inline]
    pub fn set(&self, flag: u32) {
        self.gc.set(self.gc.get() | flag);
    }

    /// Clears flags.
    pub fn clear(&self, flag: u32) {
        self.gc.set(self.gc.get() & !flag);
    }

    /// The collector's colour, one of the `COLOR_` constants.
    #[inline]
    pub fn color(&self) -> u32 {
        self.gc.get() & COLOR_MASK
    }

    /// Sets the collector's colour.
    #[inline]
    pub fn set_color(&self, color: u32) {
        self.gc.set(self.gc.get() & !COLOR_MASK | color);
    }

    /// The position in the root buffer, if the block is there.
    #[inline]
    pub fn root_index(&self) -> Option<usize> {
        (self.gc.get() >> ROOT_SHIFT).checked_sub(1).map(|i| i as usize)
    }

    /// Sets the position in the root buffer.
    #[inline]
    pub fn set_root_index(&self, index: Option<usize>) {
        let low = self.gc.get() & ((1 << ROOT_SHIFT) - 1);
        self.gc.set(low | index.map_or(0, |i| (i as u32 + 1) << ROOT_SHIFT));
    }

    /// The number of references from nodes of a trial deletion, up to [`MOST_INTERNAL`].
    #[inline]
    pub fn internal(&self) -> u32 {
        self.gc.get() >> ROOT_SHIFT
    }

    /// Sets the number of references from nodes of a trial deletion.
    #[inline]
    pub fn set_internal(&self, count: u32) {
        let low = self.gc.get() & ((1 << ROOT_SHIFT) - 1);
        self.gc.set(low | count << ROOT_SHIFT);
    }

    /// Whether the collector need not hear of a release: see [`KNOWN_TO_COLLECTOR`].
    #[inline(always)]
    pub fn is_known_to_collector(&self) -> bool {
        self.gc.get() & KNOWN_TO_COLLECTOR != 0
    }

    /// Counts one more reference.
    #[inline]
    pub fn incref(&self) {
        self.rc.set(self.rc.get().wrapping_add(1));
    }
}
