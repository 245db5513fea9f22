//! Unboxed lists: lists of nothing but booleans, integers or floats, stored without tags in one or eight bytes an element instead
//! of the sixteen of a cell.
//!
//! Only the operations that are frequent in loops know of them: reading and writing an element of a local, `foreach`, counting.
//! All other code sees cells: [`PhpArr::inner`] boxes the elements first, once and for good. Boxing changes an array behind a
//! shared handle, which cannot be observed: an unboxed list has no cells that could be borrowed.

use super::layout::{ArrHeader, ArrKind, data_bytes};
use super::{PhpArr, layout, table};
use crate::header::FLAG_STATIC;
use crate::heap;
use crate::val::{Kind, Val};
use crate::word::Word;

/// Number of elements from which on a list of booleans is made unboxed. It then takes a sixteenth of the memory; shorter lists
/// fit into caches anyway.
const BOOLS_MIN: usize = 1 << 10;
/// Number of elements from which on a list of integers or floats is made unboxed. It then takes half of the memory.
const NUMBERS_MIN: usize = 1 << 15;

/// A boolean, integer or float, as the bits that an unboxed list stores.
type Bits = u64;

impl ArrKind {
    /// Whether this is the kind of an unboxed list.
    #[inline(always)]
    pub(super) const fn is_unboxed(self) -> bool {
        matches!(self, ArrKind::PackedBool | ArrKind::PackedInt | ArrKind::PackedDbl)
    }

    /// Bytes of an element of a list of this kind.
    #[inline(always)]
    pub(super) const fn width(self) -> usize {
        match self {
            ArrKind::PackedBool => 1,
            ArrKind::PackedInt | ArrKind::PackedDbl => 8,
            ArrKind::Packed | ArrKind::Hash => size_of::<Val>(),
        }
    }

    /// Bytes that a list of this kind saves against a list of cells.
    pub(super) const fn saved(self, capacity: u32) -> usize {
        capacity as usize * (size_of::<Val>() - self.width())
    }

    /// The kind of unboxed list that stores values with this tag.
    #[inline(always)]
    const fn of(tag: u32) -> Option<ArrKind> {
        const FALSE: u32 = Kind::False as u32;
        const TRUE: u32 = Kind::True as u32;
        const INT: u32 = Kind::Int as u32;
        const DOUBLE: u32 = Kind::Double as u32;
        match tag {
            FALSE | TRUE => Some(ArrKind::PackedBool),
            INT => Some(ArrKind::PackedInt),
            DOUBLE => Some(ArrKind::PackedDbl),
            _ => None,
        }
    }

    /// The bits that are stored for a value.
    #[inline(always)]
    const fn stored(self, payload: u64, tag: u32) -> Bits {
        if matches!(self, ArrKind::PackedBool) { (tag == Kind::True as u32) as Bits } else { payload }
    }

    /// The payload and the tag of a value that is stored as these bits.
    #[inline(always)]
    const fn words(self, bits: Bits) -> (u64, u32) {
        match self {
            ArrKind::PackedBool => (0, Kind::False as u32 + bits as u32),
            ArrKind::PackedDbl => (bits, Kind::Double as u32),
            _ => (bits, Kind::Int as u32),
        }
    }
}

impl ArrHeader {
    /// The stored bits of an element.
    ///
    /// # Safety
    /// The array is an unboxed list with such a position.
    #[inline(always)]
    unsafe fn bits_at(&self, at: usize) -> Bits {
        // SAFETY: the position is below `used`, and the block holds `used` elements of this width.
        unsafe {
            match self.kind {
                ArrKind::PackedBool => self.data.add(at).read().into(),
                _ => self.data.cast::<Bits>().add(at).read(),
            }
        }
    }

    /// Stores the bits of an element.
    ///
    /// # Safety
    /// The array is an unboxed list with room for such a position.
    #[inline(always)]
    unsafe fn set_bits(&mut self, at: usize, bits: Bits) {
        // SAFETY: the block has room for an element of this width at the position.
        unsafe {
            match self.kind {
                ArrKind::PackedBool => self.data.add(at).write(bits as u8),
                _ => self.data.cast::<Bits>().add(at).write(bits),
            }
        }
    }

    /// Payload and tag of the element at a position. `None` if this is no unboxed list, or a shorter one.
    #[inline(always)]
    pub(super) fn unboxed_at(&self, index: u64) -> Option<(u64, u32)> {
        if !self.kind.is_unboxed() || index >= self.used.into() {
            return None;
        }
        // SAFETY: the array is an unboxed list, and `index` is below `used`.
        Some(self.kind.words(unsafe { self.bits_at(index as usize) }))
    }

    /// Stores an element at a position that exists. False, and nothing happened, if this is no unboxed list, a shorter one, or
    /// one of other values.
    #[inline(always)]
    pub(super) fn set_unboxed(&mut self, index: u64, payload: u64, tag: u32) -> bool {
        if index >= self.used.into() || !self.kind.is_unboxed() || ArrKind::of(tag) != Some(self.kind) {
            return false;
        }
        // SAFETY: the array is an unboxed list, and `index` is below `used`.
        unsafe { self.set_bits(index as usize, self.kind.stored(payload, tag)) };
        true
    }

    /// Fills an array without storage with `count` copies of a value.
    fn fill_unboxed(&mut self, kind: ArrKind, bits: Bits, count: usize) {
        self.allocate(kind, table::list_capacity(count));
        // SAFETY: the block has room for `count` elements of the kind's width.
        unsafe {
            match kind {
                ArrKind::PackedBool => self.data.write_bytes(bits as u8, count),
                _ => (0..count).for_each(|at| self.data.cast::<Bits>().add(at).write(bits)),
            }
        }
        self.used = count as u32;
        self.count = self.used;
        self.next_free = count as i64;
    }

    /// Makes an unboxed list of a list without holes, if all its values are of one kind that can be stored without tags.
    fn unbox_elements(&mut self) {
        let cells = self.cells();
        let is_plain = self.count == self.used && self.next_free == self.used.into() && self.iterators.get() == 0;
        let Some(kind) = cells.first().and_then(|first| ArrKind::of(first.ti)).filter(|_| is_plain) else { return };
        if cells.iter().any(|cell| ArrKind::of(cell.ti) != Some(kind)) {
            return;
        }
        heap::adopt(kind.saved(self.capacity), data_bytes(ArrKind::Packed, self.capacity));
        let block = heap::allocate(data_bytes(kind, self.capacity));
        let old = self.take_storage();
        (self.data, self.kind, self.capacity) = (block, kind, old.capacity());
        old.into_cells(|at, value| {
            // SAFETY: the new block has room for as many elements as there were cells.
            unsafe { self.set_bits(at as usize, kind.stored(value.val.bits(), value.ti)) };
            self.used = at + 1;
        });
        self.count = self.used;
    }

    /// Boxes the list: gives each element a cell.
    fn box_elements(&mut self) {
        let (kind, used) = (self.kind, self.used as usize);
        // Code that only looks at an array does not expect that this may end the script, and the cells were counted against
        // memory_limit all along.
        heap::disown(kind.saved(self.capacity));
        let block = heap::allocate_regardless(data_bytes(ArrKind::Packed, self.capacity));
        for at in 0..used {
            // SAFETY: the old block has `used` elements, and the new one room for as many cells.
            unsafe {
                let (payload, tag) = kind.words(self.bits_at(at));
                block.cast::<Val>().add(at).write(Val::of_word(Word::of_bits(payload), tag));
            }
        }
        let old = std::mem::replace(&mut self.data, block);
        self.kind = ArrKind::Packed;
        // SAFETY: the block was allocated with this size, and its elements own nothing.
        unsafe { heap::release(old, data_bytes(kind, self.capacity)) };
    }
}

impl PhpArr {
    /// A list of `count` copies of a value, unboxed if it is long enough. memory_limit must leave room for its cells even so.
    pub fn filled(value: &Val, count: usize) -> PhpArr {
        let is_long = |kind: &ArrKind| {
            let usual = if *kind == ArrKind::PackedBool { BOOLS_MIN } else { NUMBERS_MIN };
            count >= crate::stress::unboxed_min().unwrap_or(usual)
        };
        let kind = ArrKind::of(value.ti).filter(is_long);
        let fits = |_: &ArrKind| heap::has_room_for(count.saturating_mul(size_of::<Val>()));
        let Some(kind) = kind.filter(fits) else { return PhpArr::list(count, (0..count).map(|_| value.clone())) };
        let mut array = PhpArr(layout::allocate_header());
        array.table_mut().fill_unboxed(kind, kind.stored(value.val.bits(), value.ti), count);
        array
    }

    /// Whether the elements are stored without tags.
    #[inline(always)]
    pub fn is_unboxed(&self) -> bool {
        self.head().kind.is_unboxed()
    }

    /// An element of an unboxed list. `None` if this is none, or has no such element.
    #[inline]
    pub fn unboxed_at(&self, key: i64) -> Option<Val> {
        let (payload, tag) = self.head().unboxed_at(key as u64)?;
        Some(Val::of_word(Word::of_bits(payload), tag))
    }

    /// Stores an element under an existing key of an unboxed list. False, and nothing happened, if this is none, is shorter, or
    /// is a list of other values.
    pub fn set_unboxed(&mut self, key: i64, value: &Val) -> bool {
        let head = self.head();
        if key as u64 >= head.used.into() || !head.kind.is_unboxed() || ArrKind::of(value.ti) != Some(head.kind) {
            return false;
        }
        self.separate();
        // SAFETY: this is the only handle after the separation, and it is borrowed mutably.
        unsafe { self.0.as_mut() }.set_unboxed(key as u64, value.val.bits(), value.ti)
    }

    /// Makes an unboxed list of a list that nobody shares, if possible; for a stress mode.
    pub(crate) fn unbox(&mut self) {
        if self.is_unique() && self.head().kind == ArrKind::Packed {
            self.table_mut().unbox_elements();
        }
    }

    /// Boxes the elements; all handles of the table see cells from then on.
    #[cold]
    #[inline(never)]
    pub(super) fn box_elements(&self) {
        debug_assert!(!self.header().has(FLAG_STATIC));
        // SAFETY: nobody holds a borrow of the table or its elements: `inner` and `table_mut` give out borrows of boxed tables
        // only.
        unsafe { (*self.0.as_ptr()).box_elements() }
    }
}
