//! Lists of nothing but truth values, integers or floats, stored without tags: a byte or eight for each element instead of the
//! sixteen of a cell.
//!
//! Only what is done most in loops knows of them: reading and writing an element of a local, `foreach`, counting. All else sees
//! what it always sees: [`PhpArr::inner`] gives the elements cells first, once and for good. That changes an array behind a shared handle, which is no change that anyone can tell: an unboxed list has no
//! cells that anybody could hold a borrow of.

use super::layout::{ArrHeader, ArrKind, data_bytes};
use super::{PhpArr, layout, table};
use crate::header::FLAG_STATIC;
use crate::heap;
use crate::val::{Kind, Val};
use crate::word::Word;

/// Elements from which on a list is made without tags: of truth values, a sixteenth of the memory then, and of numbers, half of
/// it. What is shorter fits into caches anyway.
const BOOLS_MIN: usize = 1 << 10;
const NUMBERS_MIN: usize = 1 << 15;

/// A truth value, integer or float, as the bits that are stored.
type Bits = u64;

impl ArrKind {
    #[inline(always)]
    pub(super) const fn is_unboxed(self) -> bool {
        matches!(self, ArrKind::PackedBool | ArrKind::PackedInt | ArrKind::PackedDbl)
    }

    /// Bytes of an element of a list.
    #[inline(always)]
    pub(super) const fn width(self) -> usize {
        match self {
            ArrKind::PackedBool => 1,
            ArrKind::PackedInt | ArrKind::PackedDbl => 8,
            ArrKind::Packed | ArrKind::Hash => size_of::<Val>(),
        }
    }

    /// Bytes that a list does without, of those that it had with cells.
    pub(super) const fn saved(self, capacity: u32) -> usize {
        capacity as usize * (size_of::<Val>() - self.width())
    }

    /// How a list of values with this tag is stored without tags.
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

    /// What is stored of a value.
    #[inline(always)]
    const fn stored(self, payload: u64, tag: u32) -> Bits {
        if matches!(self, ArrKind::PackedBool) { (tag == Kind::True as u32) as Bits } else { payload }
    }

    /// The payload and the tag of what is stored.
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
    /// # Safety
    /// The array is an unboxed list with such a position.
    #[inline(always)]
    unsafe fn bits_at(&self, at: usize) -> Bits {
        // SAFETY: by the caller; the block holds so many elements of this width.
        unsafe {
            match self.kind {
                ArrKind::PackedBool => self.data.add(at).read().into(),
                _ => self.data.cast::<Bits>().add(at).read(),
            }
        }
    }

    /// # Safety
    /// The array is an unboxed list with room for such a position.
    #[inline(always)]
    unsafe fn set_bits(&mut self, at: usize, bits: Bits) {
        // SAFETY: by the caller.
        unsafe {
            match self.kind {
                ArrKind::PackedBool => self.data.add(at).write(bits as u8),
                _ => self.data.cast::<Bits>().add(at).write(bits),
            }
        }
    }

    /// The element at a position: its payload and its tag. `None`: it is no unboxed list, or shorter.
    #[inline(always)]
    pub(super) fn unboxed_at(&self, index: u64) -> Option<(u64, u32)> {
        if !self.kind.is_unboxed() || index >= self.used.into() {
            return None;
        }
        // SAFETY: just checked.
        Some(self.kind.words(unsafe { self.bits_at(index as usize) }))
    }

    /// Stores an element at a position that is there. False: the list is stored otherwise, or shorter, or takes no such value.
    #[inline(always)]
    pub(super) fn set_unboxed(&mut self, index: u64, payload: u64, tag: u32) -> bool {
        if index >= self.used.into() || !self.kind.is_unboxed() || ArrKind::of(tag) != Some(self.kind) {
            return false;
        }
        // SAFETY: just checked.
        unsafe { self.set_bits(index as usize, self.kind.stored(payload, tag)) };
        true
    }

    /// Fills an array without storage with copies of a value.
    fn fill_unboxed(&mut self, kind: ArrKind, bits: Bits, count: usize) {
        self.allocate(kind, table::list_capacity(count));
        // SAFETY: there is room for so many elements of the kind's width.
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

    /// Stores a list without holes without tags, if all of its values are of one kind that can be.
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
            // SAFETY: there is room for as many elements as there were cells.
            unsafe { self.set_bits(at as usize, kind.stored(value.val.bits(), value.ti)) };
            self.used = at + 1;
        });
        self.count = self.used;
    }

    /// Gives each element a cell.
    fn box_elements(&mut self) {
        let (kind, used) = (self.kind, self.used as usize);
        // Whoever looks at an array does not expect that this may end the script, and the cells have been counted all the time.
        heap::disown(kind.saved(self.capacity));
        let block = heap::allocate_regardless(data_bytes(ArrKind::Packed, self.capacity));
        for at in 0..used {
            // SAFETY: the new block has room for as many cells as the old one has elements.
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
    /// A list of so many copies of a value. There must be room for their cells, even if it does without them at first.
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

    /// Is it stored without tags?
    #[inline(always)]
    pub fn is_unboxed(&self) -> bool {
        self.head().kind.is_unboxed()
    }

    /// An element of a list that is stored without tags. `None`: it is not stored so, or has no such element.
    #[inline]
    pub fn unboxed_at(&self, key: i64) -> Option<Val> {
        let (payload, tag) = self.head().unboxed_at(key as u64)?;
        Some(Val::of_word(Word::of_bits(payload), tag))
    }

    /// Stores an element under a key that is there in a list that is stored without tags and takes such values. False: nothing
    /// happened.
    pub fn set_unboxed(&mut self, key: i64, value: &Val) -> bool {
        let head = self.head();
        if key as u64 >= head.used.into() || !head.kind.is_unboxed() || ArrKind::of(value.ti) != Some(head.kind) {
            return false;
        }
        self.separate();
        // SAFETY: the only handle now, borrowed mutably.
        unsafe { self.0.as_mut() }.set_unboxed(key as u64, value.val.bits(), value.ti)
    }

    /// For a stress mode: stores a list that nobody shares without tags, if it can be.
    pub(crate) fn unbox(&mut self) {
        if self.is_unique() && self.head().kind == ArrKind::Packed {
            self.table_mut().unbox_elements();
        }
    }

    /// Gives the elements cells, which everybody sees from then on.
    #[cold]
    #[inline(never)]
    pub(super) fn box_elements(&self) {
        debug_assert!(!self.header().has(FLAG_STATIC));
        // SAFETY: nobody holds a borrow of the table or of anything in it: such are given out of tables with cells only.
        unsafe { (*self.0.as_ptr()).box_elements() }
    }
}
