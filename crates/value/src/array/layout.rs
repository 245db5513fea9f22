//! The layout of an array's memory: a header, and a block of packed cells or of buckets followed by hash slots.

use super::Key;
use super::pointer::ClosingHoles;
use crate::header::{FLAG_STATIC, Header, KIND_ARR};
use crate::heap;
use crate::string::PhpStr;
use crate::val::{COUNTED, Kind, TI_STR, Val};
use std::cell::Cell;
use std::ptr::NonNull;

/// How the elements are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum ArrKind {
    /// Position = key; holes are Undef.
    Packed,
    /// Buckets in insertion order, deleted ones are Undef; then hash slots (chain heads).
    Hash,
    /// The position is the key. There are no holes, and all elements are booleans (integers, floats): an unboxed list, see
    /// `unboxed`.
    PackedBool,
    PackedInt,
    PackedDbl,
}

/// The end of a chain: there is no next bucket.
pub(super) const CHAIN_END: u32 = u32::MAX;

/// An entry of a hash table. `value.aux` is the position of the next bucket of the chain.
#[repr(C)]
pub(super) struct Bucket {
    pub value: Val,
    /// The integer key, or the hash of the string key.
    pub hash: u64,
    /// The string key; `None` for an integer key.
    pub key: Option<PhpStr>,
}

const _: () = assert!(size_of::<Bucket>() == 32);

/// Fixed part of an array.
#[repr(C)]
pub(crate) struct ArrHeader {
    pub(super) header: Header,
    /// Number of elements.
    pub(super) count: u32,
    /// Positions in use, holes included.
    pub(super) used: u32,
    pub(super) data: *mut u8,
    /// Number of positions that the block has room for; a power of two for hash tables.
    pub(super) capacity: u32,
    pub(super) internal_position: Cell<u32>,
    /// The key of the next `[]`; `i64::MIN` before any integer key was used.
    pub(super) next_free: i64,
    pub(super) kind: ArrKind,
    /// True once the largest integer is a key: the next `[]` fails.
    pub(super) exhausted: bool,
    /// Number of `foreach` by reference loops registered at this table; a hint that never decreases.
    pub(super) iterators: Cell<u8>,
    /// Whether some key may be a counted string. If not, keys need no look when the array is copied or freed.
    pub(super) counted_keys: bool,
    /// The size that Zend's table would have, where the capacity does not tell it: see [`ArrHeader::zend_size`].
    pub(super) size_before: u32,
}

const _: () = assert!(size_of::<ArrHeader>() == 48);

thread_local! {
    static EMPTY: NonNull<ArrHeader> = {
        let header = allocate_header();
        // SAFETY: the header was made on the line before and is never freed.
        unsafe { header.as_ref() }.header.set(FLAG_STATIC);
        header
    };
}

/// The static empty array.
#[inline]
pub(super) fn empty() -> NonNull<ArrHeader> {
    EMPTY.with(|empty| *empty)
}

/// Allocates the header of an empty array without storage.
pub(super) fn allocate_header() -> NonNull<ArrHeader> {
    let block = heap::allocate(size_of::<ArrHeader>()).cast::<ArrHeader>();
    // SAFETY: a fresh block of the right size.
    unsafe {
        block.write(ArrHeader {
            header: Header::new(KIND_ARR | crate::stress::header_flags()),
            count: 0,
            used: 0,
            data: std::ptr::null_mut(),
            capacity: 0,
            internal_position: Cell::new(0),
            next_free: i64::MIN,
            kind: ArrKind::Packed,
            exhausted: false,
            iterators: Cell::new(0),
            counted_keys: false,
            size_before: 0,
        });
        NonNull::new_unchecked(block)
    }
}

/// # Safety
/// The header's storage was taken, and the header is not used again.
#[inline]
pub(super) unsafe fn release_header(header: NonNull<ArrHeader>) {
    // SAFETY: the header is not used again, and was allocated with this size.
    unsafe { heap::release(header.as_ptr().cast(), size_of::<ArrHeader>()) }
}

/// A data block on its own; dropping it drops its elements in order.
pub(super) struct Storage {
    data: *mut u8,
    used: u32,
    capacity: u32,
    kind: ArrKind,
    counted_keys: bool,
}

/// Drops a cell of an array. Most cells hold numbers or strings, whose release is inlined here.
///
/// # Safety
/// `cell` points to an initialised cell that is not used or dropped again.
#[inline(always)]
unsafe fn drop_cell(cell: *mut Val) {
    // SAFETY: the cell is initialised and dropped once; the tag `TI_STR` says that the payload is a counted string.
    unsafe {
        match (*cell).ti {
            ti if ti & COUNTED == 0 => {}
            TI_STR => drop(std::mem::transmute::<*mut u8, PhpStr>((*cell).val.pointer())),
            _ => std::ptr::drop_in_place(cell),
        }
    }
}

/// Calls `show` with the counted values of buckets, in order. Four buckets without a counted value are passed at once, for tables
/// of numbers.
///
/// # Safety
/// The first `used` buckets are initialised.
#[inline(always)]
unsafe fn each_counted(buckets: *mut Bucket, used: usize, mut show: impl FnMut(*mut Val)) {
    let mut at = 0;
    while at < used {
        // SAFETY: `at + more` is below `used`, because a group of four is looked at only if it ends before `used`.
        let value = |more: usize| unsafe { &raw mut (*buckets.add(at + more)).value };
        // SAFETY: `value` gives the address of an initialised bucket's value.
        let tag = |more: usize| unsafe { (*value(more)).ti };
        if at + 4 <= used && (tag(0) | tag(1) | tag(2) | tag(3)) & COUNTED == 0 {
            at += 4;
            continue;
        }
        if tag(0) & COUNTED != 0 {
            show(value(0));
        }
        at += 1;
    }
}

impl Drop for Storage {
    #[inline]
    fn drop(&mut self) {
        if self.data.is_null() {
            return;
        }
        // SAFETY: the storage owns its block, which has this size; positions below `used` are initialised.
        unsafe {
            // Each kind releases its block itself, so that the block's size needs no second branch on the kind.
            match self.kind {
                ArrKind::Packed => {
                    self.drop_cells();
                    heap::release(self.data, data_bytes(ArrKind::Packed, self.capacity));
                }
                ArrKind::Hash => {
                    self.drop_buckets();
                    heap::release(self.data, data_bytes(ArrKind::Hash, self.capacity));
                }
                kind => {
                    heap::release(self.data, data_bytes(kind, self.capacity));
                    heap::disown(kind.saved(self.capacity));
                }
            }
        }
    }
}

impl Storage {
    /// The number of positions that the block has room for.
    pub(super) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// # Safety
    /// The block is that of a packed array, whose positions below `used` are initialised and are not used again.
    #[inline(always)]
    unsafe fn drop_cells(&self) {
        let cells = self.data.cast::<Val>();
        let (mut at, used) = (0, self.used as usize);
        while at < used {
            // SAFETY: positions below `used` are initialised and dropped once.
            unsafe {
                // Four cells without a counted value are passed at once, for lists of numbers.
                if at + 4 <= used && (0..4).all(|more| (*cells.add(at + more)).ti & COUNTED == 0) {
                    at += 4;
                    continue;
                }
                drop_cell(cells.add(at));
            }
            at += 1;
        }
    }

    /// # Safety
    /// The block is that of a hash table, whose positions below `used` are initialised and are not used again.
    #[inline(always)]
    unsafe fn drop_buckets(&self) {
        let buckets = self.data.cast::<Bucket>();
        // SAFETY: buckets below `used` are initialised, and each is dropped once.
        unsafe {
            if !self.counted_keys {
                return each_counted(buckets, self.used as usize, |value| drop_cell(value));
            }
            for at in 0..self.used as usize {
                let bucket = buckets.add(at);
                drop_cell(&raw mut (*bucket).value);
                std::ptr::drop_in_place(&raw mut (*bucket).key);
            }
        }
    }

    /// Moves the cells of a packed block out; `each` gets their positions and values.
    pub(super) fn into_cells(self, mut each: impl FnMut(u32, Val)) {
        let this = std::mem::ManuallyDrop::new(self);
        debug_assert!(this.kind == ArrKind::Packed);
        for at in 0..this.used {
            // SAFETY: positions below `used` are initialised; each is read once, and none is dropped.
            each(at, unsafe { this.data.cast::<Val>().add(at as usize).read() });
        }
        // SAFETY: all cells were moved out above.
        unsafe { this.free() }
    }

    /// Moves the buckets of a hash table out; `each` gets their positions. Buckets without an element are left out.
    pub(super) fn into_buckets(self, mut each: impl FnMut(u32, Bucket)) {
        let this = std::mem::ManuallyDrop::new(self);
        debug_assert!(this.kind == ArrKind::Hash);
        for at in 0..this.used {
            // SAFETY: buckets below `used` start the block and are initialised; each is read once, and none is dropped in place.
            let bucket = unsafe { this.data.cast::<Bucket>().add(at as usize).read() };
            if !bucket.value.is_undef() {
                each(at, bucket);
            }
        }
        // SAFETY: all buckets were moved out above.
        unsafe { this.free() }
    }

    /// Moves one element out, if there is one at the position that was not moved out before.
    pub(super) fn take_at(&mut self, at: u32) -> Option<Bucket> {
        if at >= self.used {
            return None;
        }
        // SAFETY: positions below `used` are initialised, and stay so.
        unsafe {
            match self.kind {
                ArrKind::Packed => {
                    let value = (*self.data.cast::<Val>().add(at as usize)).take();
                    (!value.is_undef()).then_some(Bucket { value, hash: at as u64, key: None })
                }
                ArrKind::Hash => {
                    let bucket = &mut *self.data.cast::<Bucket>().add(at as usize);
                    let value = bucket.value.take();
                    (!value.is_undef()).then(|| Bucket { value, hash: bucket.hash, key: bucket.key.take() })
                }
                kind => unreachable!("{kind:?} was not boxed"),
            }
        }
    }

    /// # Safety
    /// All elements were moved out.
    unsafe fn free(&self) {
        if !self.data.is_null() {
            // SAFETY: no element is left, and the block was allocated with this size.
            unsafe { heap::release(self.data, data_bytes(self.kind, self.capacity)) };
        }
    }
}

/// Where the slots of a hash table are: behind all its buckets, so that the buckets keep their addresses when the block grows.
///
/// # Safety
/// `data` is the block of a hash table with this capacity.
#[inline(always)]
pub(super) unsafe fn slots_of(data: *mut u8, capacity: u32) -> *mut u32 {
    // SAFETY: the block holds `capacity` buckets, so the address behind them is within it.
    unsafe { data.add(capacity as usize * size_of::<Bucket>()).cast() }
}

/// Bytes of a block for `capacity` positions of this kind.
#[inline]
pub(super) fn data_bytes(kind: ArrKind, capacity: u32) -> usize {
    match kind {
        ArrKind::Hash => capacity as usize * (size_of::<Bucket>() + size_of::<u32>()),
        list => capacity as usize * list.width(),
    }
}

/// Up to this many cells are copied one by one: a call of `memcpy` takes longer.
const FEW: usize = 8;

/// Blocks of at least this many bytes are reallocated as a whole, which only changes page tables; of smaller blocks the buckets
/// are copied.
const MOVED_WHOLE: usize = 2 << 20;

/// Copies the first `buckets` buckets bitwise, and all slots of a hash table.
///
/// # Safety
/// `from` is a hash table with at least `buckets` buckets, and `to` is another block, for a hash table of equal capacity.
unsafe fn copy_table(from: &ArrHeader, to: *mut u8, buckets: usize) {
    // SAFETY: both blocks have room for `capacity` buckets and slots; the slots of a full table follow its buckets immediately.
    unsafe {
        if buckets == from.capacity as usize {
            return std::ptr::copy_nonoverlapping(from.data, to, data_bytes(ArrKind::Hash, from.capacity));
        }
        std::ptr::copy_nonoverlapping(from.data.cast::<Bucket>(), to.cast::<Bucket>(), buckets);
        let (slots, capacity) = (slots_of(from.data, from.capacity), from.capacity as usize);
        std::ptr::copy_nonoverlapping(slots, slots_of(to, from.capacity), capacity);
    }
}

impl ArrHeader {
    /// Whether the array is a hash table; if not, it has cells: callers box the elements of unboxed lists first.
    #[inline(always)]
    pub(super) fn is_hash(&self) -> bool {
        debug_assert!(!self.kind.is_unboxed());
        self.kind == ArrKind::Hash
    }

    /// A second owner of the array's storage, which the array keeps as well.
    ///
    /// # Safety
    /// Only one of the two drops the storage.
    #[inline]
    pub(super) unsafe fn storage(&self) -> Storage {
        Storage {
            data: self.data,
            used: self.used,
            capacity: self.capacity,
            kind: self.kind,
            counted_keys: self.counted_keys,
        }
    }

    /// Empties the array and returns its storage.
    #[inline]
    pub(super) fn take_storage(&mut self) -> Storage {
        // SAFETY: the array forgets its storage below, so that only the returned one drops it.
        let storage = unsafe { self.storage() };
        self.counted_keys = false;
        self.data = std::ptr::null_mut();
        self.used = 0;
        self.count = 0;
        self.capacity = 0;
        self.size_before = 0;
        storage
    }

    /// The cells of a packed array, holes included; empty for other kinds.
    #[inline]
    pub(super) fn cells(&self) -> &[Val] {
        if self.data.is_null() || self.kind != ArrKind::Packed {
            return &[];
        }
        // SAFETY: positions below `used` are initialised.
        unsafe { std::slice::from_raw_parts(self.data.cast::<Val>(), self.used as usize) }
    }

    /// The cells of a packed array, holes included, for changing; empty for other kinds.
    #[inline]
    pub(super) fn cells_mut(&mut self) -> &mut [Val] {
        if self.data.is_null() || self.kind != ArrKind::Packed {
            return &mut [];
        }
        // SAFETY: positions below `used` are initialised, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.data.cast::<Val>(), self.used as usize) }
    }

    /// The buckets of a hash table, deleted ones included; empty for other kinds.
    #[inline]
    pub(super) fn buckets(&self) -> &[Bucket] {
        if self.data.is_null() || self.kind != ArrKind::Hash {
            return &[];
        }
        // SAFETY: buckets below `used` are initialised and start the block.
        unsafe { std::slice::from_raw_parts(self.data.cast(), self.used as usize) }
    }

    /// The buckets of a hash table, deleted ones included, for changing; empty for other kinds.
    #[inline]
    pub(super) fn buckets_mut(&mut self) -> &mut [Bucket] {
        if self.data.is_null() || self.kind != ArrKind::Hash {
            return &mut [];
        }
        // SAFETY: buckets below `used` are initialised and start the block, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.data.cast(), self.used as usize) }
    }

    /// The hash slots, which are heads of chains; empty for other kinds.
    #[inline]
    pub(super) fn slots(&self) -> &[u32] {
        if self.data.is_null() || self.kind != ArrKind::Hash {
            return &[];
        }
        // SAFETY: `capacity` slots follow the room for `capacity` buckets.
        unsafe { std::slice::from_raw_parts(slots_of(self.data, self.capacity), self.capacity as usize) }
    }

    /// The hash slots for changing; empty for other kinds.
    #[inline]
    pub(super) fn slots_mut(&mut self) -> &mut [u32] {
        if self.data.is_null() || self.kind != ArrKind::Hash {
            return &mut [];
        }
        // SAFETY: `capacity` slots follow the room for `capacity` buckets, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(slots_of(self.data, self.capacity), self.capacity as usize) }
    }

    /// Gives an array without storage a block with empty slots.
    #[inline]
    pub(super) fn allocate(&mut self, kind: ArrKind, capacity: u32) {
        self.allocate_unfilled(kind, capacity);
        // Filling zero slots would still call `memset` with a dangling address, which costs some processors hundreds of cycles.
        if kind == ArrKind::Hash {
            self.slots_mut().fill(CHAIN_END);
        }
    }

    /// Gives an array without storage a block; the slots of a hash table are uninitialised, and the caller writes them.
    #[inline]
    pub(super) fn allocate_unfilled(&mut self, kind: ArrKind, capacity: u32) {
        debug_assert!(self.data.is_null());
        // The memory that an unboxed list saves counts as used, too: memory_limit must leave room for its cells, should it be
        // boxed.
        if kind.is_unboxed() {
            heap::adopt(kind.saved(capacity), data_bytes(ArrKind::Packed, capacity));
        }
        self.data = heap::allocate(data_bytes(kind, capacity));
        self.kind = kind;
        self.capacity = capacity;
    }

    /// Grows the block of a packed array to `capacity` cells.
    #[inline]
    pub(super) fn grow_packed(&mut self, capacity: u32) {
        if self.data.is_null() {
            return self.allocate(ArrKind::Packed, capacity);
        }
        // SAFETY: the block belongs to this array and holds `self.capacity` cells; elements may move bitwise.
        self.data = unsafe {
            heap::reallocate(
                self.data,
                data_bytes(ArrKind::Packed, self.capacity),
                data_bytes(ArrKind::Packed, capacity),
            )
        };
        self.capacity = capacity;
    }

    /// Writes a cell at position `used`, for which there is room.
    #[inline]
    pub(super) fn push_cell(&mut self, value: Val) {
        debug_assert!(self.used < self.capacity && self.kind == ArrKind::Packed);
        // SAFETY: there is room, and position `used` is uninitialised.
        unsafe { self.data.cast::<Val>().add(self.used as usize).write(value) };
        self.used += 1;
    }

    /// Appends an element to a packed array that has room and whose next index is `used`.
    #[inline]
    pub(super) fn push_last(&mut self, value: Val) {
        self.push_cell(value);
        self.count += 1;
        self.next_free = self.used.into();
    }

    /// Appends an element to a list without holes whose next index is its length; the block grows if it is full.
    #[inline(always)]
    pub(super) fn push_growing(&mut self, value: Val) {
        if self.used == self.capacity {
            self.grow_packed(super::table::capacity_for(self.used as usize + 1));
        }
        self.push_last(value);
    }

    /// Writes a bucket at position `used`, for which there is room, and links it into its chain.
    #[inline]
    pub(super) fn push_bucket(&mut self, mut bucket: Bucket) {
        debug_assert!(self.used < self.capacity && self.kind == ArrKind::Hash);
        self.counted_keys |= bucket.key.as_ref().is_some_and(PhpStr::is_counted);
        let at = self.used;
        // SAFETY: a hash with room has a block with as many slots as buckets; the position is uninitialised.
        unsafe {
            let slot = slots_of(self.data, self.capacity).add((bucket.hash as u32 & (self.capacity - 1)) as usize);
            bucket.value.aux = slot.replace(at);
            self.data.cast::<Bucket>().add(at as usize).write(bucket);
        }
        self.used += 1;
    }

    /// Moves the buckets of a hash table without holes into a larger block. Positions stay.
    pub(super) fn grow_hash(&mut self, capacity: u32) {
        let (old_bytes, bytes) = (data_bytes(ArrKind::Hash, self.capacity), data_bytes(ArrKind::Hash, capacity));
        let used = self.used as usize;
        // Allocating the block may end the script by an unwind, so the array is left intact until the block is there.
        // SAFETY: the old block has `old_bytes` bytes; `used` buckets start it, and move bitwise.
        unsafe {
            self.data = if bytes >= MOVED_WHOLE {
                heap::reallocate(self.data, old_bytes, bytes)
            } else {
                let block = heap::allocate(bytes);
                std::ptr::copy_nonoverlapping(self.data.cast::<Bucket>(), block.cast::<Bucket>(), used);
                heap::release(self.data, old_bytes);
                block
            };
        }
        self.capacity = capacity;
        self.slots_mut().fill(CHAIN_END);
        // SAFETY: `capacity` slots follow the room for `capacity` buckets.
        unsafe {
            let (slots, buckets) = (slots_of(self.data, capacity), self.data.cast::<Bucket>());
            for at in 0..used {
                let bucket = &mut *buckets.add(at);
                let slot = slots.add((bucket.hash as u32 & (capacity - 1)) as usize);
                bucket.value.aux = slot.replace(at as u32);
            }
        }
    }

    /// Moves the buckets with elements together and links their chains again. No `foreach` by reference loop may be registered.
    pub(super) fn compact_hash(&mut self) {
        debug_assert!(self.iterators.get() == 0 && self.kind == ArrKind::Hash);
        self.slots_mut().fill(CHAIN_END);
        let mut pointer = ClosingHoles::new(self.internal_position.get());
        let mut to = 0;
        // SAFETY: `used` buckets start the block; each moves bitwise, towards the start, to a position that is free or its own. A
        // bucket without a value may still have a key, which is dropped and not used again.
        unsafe {
            let (slots, buckets) = (slots_of(self.data, self.capacity), self.data.cast::<Bucket>());
            for at in 0..self.used {
                let from = buckets.add(at as usize);
                if (*from).value.is_undef() {
                    std::ptr::drop_in_place(&raw mut (*from).key);
                    continue;
                }
                pointer.moves(at, to);
                let bucket = buckets.add(to as usize);
                if at != to {
                    std::ptr::copy_nonoverlapping(from, bucket, 1);
                }
                let slot = slots.add(((*bucket).hash as u32 & (self.capacity - 1)) as usize);
                (*bucket).value.aux = slot.replace(to);
                to += 1;
            }
        }
        self.used = to;
        self.internal_position.set(pointer.pointer(to == 0));
    }

    /// Fills a fresh block of the other array's kind with its elements at equal positions, or with the elements of a list behind
    /// its first `skipped` cells. Bytes are copied; strings get a count, and other counted values are replaced by what `map`
    /// gives.
    #[inline]
    pub(super) fn copy_block(&mut self, other: &ArrHeader, skipped: u32, map: impl Fn(&Val) -> Val) {
        debug_assert!(
            skipped == 0 || other.count == other.used && skipped <= other.used && other.kind != ArrKind::Hash
        );
        let used = (other.used - skipped) as usize;
        // Only payload and tag are replaced: `aux` holds the link of the bucket's chain.
        let replace = |place: &mut Val| match place.ti {
            // SAFETY: by the tag `TI_STR`, the payload is the header of a counted string.
            TI_STR => unsafe { (*place.val.pointer().cast::<Header>()).incref() },
            ti if ti & COUNTED != 0 => {
                let value = std::mem::ManuallyDrop::new(map(place));
                (place.val, place.ti) = (value.val, value.ti);
            }
            _ => {}
        };
        // SAFETY: the block has room for `used` positions (and a hash table's for equally many slots); counted values and keys
        // get counts of their own before anything else looks at them.
        unsafe {
            match other.kind {
                ArrKind::Packed => {
                    let (from, cells) = (other.data.cast::<Val>().add(skipped as usize), self.data.cast::<Val>());
                    if used <= FEW {
                        for at in 0..used {
                            let (cell, place) = (&*from.add(at), cells.add(at));
                            place.write(Val { val: cell.val, ti: cell.ti, aux: 0 });
                            if cell.ti & COUNTED != 0 {
                                replace(&mut *place);
                            }
                        }
                    } else {
                        std::ptr::copy_nonoverlapping(from, cells, used);
                        let mut at = 0;
                        while at < used {
                            let tag = |more: usize| (*cells.add(at + more)).ti;
                            if at + 4 <= used && (tag(0) | tag(1) | tag(2) | tag(3)) & COUNTED == 0 {
                                at += 4;
                                continue;
                            }
                            replace(&mut *cells.add(at));
                            at += 1;
                        }
                    }
                }
                ArrKind::Hash => {
                    let buckets = self.data.cast::<Bucket>();
                    copy_table(other, self.data, used);
                    if other.counted_keys {
                        for at in 0..used {
                            std::mem::forget((*buckets.add(at)).key.clone());
                        }
                    }
                    each_counted(buckets, used, |value| replace(&mut *value));
                    self.counted_keys = other.counted_keys;
                }
                kind => {
                    let from = other.data.add(skipped as usize * kind.width());
                    std::ptr::copy_nonoverlapping(from, self.data, used * kind.width());
                }
            }
        }
        self.used = used as u32;
        self.count = other.count - skipped;
    }

    /// Fills an array without storage with the keys of a hash table without holes, and a value for each key.
    pub(super) fn fill_like<const N: usize>(&mut self, keys: &ArrHeader, values: [Val; N]) {
        let data = heap::allocate(data_bytes(ArrKind::Hash, keys.capacity));
        // SAFETY: both blocks hold `capacity` slots and at least `N` buckets; keys get counts of their own, and each copied value
        // is overwritten without a release, except for `aux`, the link of its chain.
        unsafe {
            let buckets = data.cast::<Bucket>();
            copy_table(keys, data, N);
            for (at, value) in values.into_iter().enumerate() {
                let bucket = &mut *buckets.add(at);
                if keys.counted_keys {
                    std::mem::forget(bucket.key.clone());
                }
                crate::raw::put(&raw mut bucket.value, value);
            }
        }
        self.data = data;
        self.kind = ArrKind::Hash;
        self.capacity = keys.capacity;
        self.counted_keys = keys.counted_keys;
        self.used = keys.used;
        self.count = keys.count;
        self.next_free = keys.next_free;
    }

    /// Fills an array without storage with a list of values, which are moved.
    ///
    /// # Safety
    /// `count` values from `first` on are live, and not used again.
    pub(super) unsafe fn fill_packed(&mut self, first: *const Val, count: u32, capacity: u32) {
        self.allocate(ArrKind::Packed, capacity);
        let cells = self.data.cast::<Val>();
        for at in 0..count as usize {
            // SAFETY: `count` values from `first` on are live and moved once; the block has room for them.
            unsafe {
                crate::raw::put(cells.add(at), first.add(at).read());
                crate::raw::set_aux(cells.add(at), 0);
            }
        }
        self.used = count;
        self.count = count;
        self.next_free = count as i64;
    }

    /// Appends copies to a list without holes; a value that is neither plain nor a string is copied by `copy`.
    pub(super) fn append_copies(&mut self, values: &[Val], copy: impl Fn(&Val) -> Val) {
        let needed = self.used + values.len() as u32;
        if needed > self.capacity {
            let amortised = if self.used == 0 { needed } else { needed.next_power_of_two() };
            self.grow_packed(amortised.max(8));
        }
        // SAFETY: there is room for all of them, and the positions are uninitialised.
        let first = unsafe { self.data.cast::<Val>().add(self.used as usize) };
        let (source, count) = (values.as_ptr(), values.len());
        let mut at = 0;
        while at < count {
            // SAFETY: `at` is below the length of the slice; the payload of a value with the tag `TI_STR` is the header of a
            // counted string (static strings have another tag); the cell written is one of the uninitialised cells from `first`
            // on.
            unsafe {
                let value = source.add(at);
                // Four values that own nothing are copied without a look at each, for lists of numbers.
                let is_plain = |more: usize| (*value.add(more)).ti.wrapping_sub(1) < COUNTED - 1;
                if at + 4 <= count && is_plain(0) && is_plain(1) && is_plain(2) && is_plain(3) {
                    for more in 0..4 {
                        let value = value.add(more);
                        first.add(at + more).write(Val::of_word((*value).val, (*value).ti));
                    }
                    at += 4;
                    continue;
                }
                let (payload, ti) = ((*value).val, (*value).ti);
                if ti == TI_STR {
                    (*payload.pointer().cast::<Header>()).incref();
                    first.add(at).write(Val::of_word(payload, TI_STR));
                } else if ti & COUNTED == 0 && ti != Kind::Undef as u32 {
                    first.add(at).write(Val::of_word(payload, ti));
                } else {
                    first.add(at).write(copy(&*value));
                }
            }
            at += 1;
        }
        self.used = needed;
        self.count = self.used;
        self.next_free = self.used as i64;
    }

    /// Takes the last cell of a list without holes out, if its key is the last index that was used and no `foreach` by reference
    /// loop is registered.
    #[inline]
    pub(super) fn pop_packed(&mut self) -> Option<Val> {
        let plain = self.kind == ArrKind::Packed
            && self.used > 0
            && self.count == self.used
            && self.next_free == self.used.into()
            && self.iterators.get() == 0;
        if !plain || self.exhausted {
            return None;
        }
        self.used -= 1;
        self.count = self.used;
        self.next_free = self.used.into();
        self.internal_position.set(0);
        // SAFETY: the position was initialised, and is not in use from here on.
        Some(unsafe { self.data.cast::<Val>().add(self.used as usize).read() })
    }

    /// Takes the first cell of a list without holes out; the others move down by one position.
    pub(super) fn shift_packed(&mut self) -> Val {
        debug_assert!(self.kind == ArrKind::Packed && self.used > 0 && self.count == self.used);
        let cells = self.data.cast::<Val>();
        self.used -= 1;
        self.count = self.used;
        self.next_free = self.used as i64;
        // SAFETY: `used` + 1 cells are initialised; the others move bitwise over the first, which was read and is returned.
        unsafe {
            let first = cells.read();
            std::ptr::copy(cells.add(1), cells, self.used as usize);
            first
        }
    }

    /// Takes `count` cells from `start` on out of a list without holes into `removed`, an empty array, and puts copies of
    /// `values` in their place.
    pub(super) fn splice_packed(&mut self, start: u32, count: u32, removed: &mut ArrHeader, values: &[Val]) {
        debug_assert!(self.kind == ArrKind::Packed && self.count == self.used && start + count <= self.used);
        let (used, added) = (self.used - count + values.len() as u32, values.len() as u32);
        if used > self.capacity {
            self.grow_packed(used.next_power_of_two().max(8));
        }
        if count > 0 {
            removed.grow_packed(count.max(8));
        }
        let (start, count) = (start as usize, count as usize);
        // SAFETY: the cells taken move bitwise to a block that has room for them, and the cells behind them to their new
        // positions, for which there is room; copies are written into the gap, whose cells were moved. Nothing here unwinds.
        unsafe {
            let cells = self.data.cast::<Val>().add(start);
            if count > 0 {
                std::ptr::copy_nonoverlapping(cells, removed.data.cast::<Val>(), count);
            }
            let behind = self.used as usize - start - count;
            if added as usize != count && behind > 0 {
                std::ptr::copy(cells.add(count), cells.add(added as usize), behind);
            }
            for (at, value) in values.iter().enumerate() {
                cells.add(at).write(value.clone());
            }
        }
        (removed.used, removed.count, removed.next_free) = (count as u32, count as u32, count as i64);
        (self.used, self.count, self.next_free) = (used, used, used as i64);
    }

    /// Forgets the last position, whose value was taken out.
    #[inline]
    pub(super) fn pop_position(&mut self) {
        self.used -= 1;
        // SAFETY: the position was initialised, and is not used again; dropping an emptied cell or bucket drops at most its key.
        unsafe {
            match self.is_hash() {
                false => std::ptr::drop_in_place(self.data.cast::<Val>().add(self.used as usize)),
                true => std::ptr::drop_in_place(self.data.cast::<Bucket>().add(self.used as usize)),
            }
        }
    }

    /// The key at a position that holds an element.
    #[inline]
    pub(super) fn key_at(&self, at: u32) -> Option<Key<'_>> {
        match self.is_hash() {
            false => (!self.cells().get(at as usize)?.is_undef()).then_some(Key::Int(at as i64)),
            true => {
                let bucket = self.buckets().get(at as usize)?;
                if bucket.value.is_undef() {
                    return None;
                }
                Some(bucket.key.as_ref().map_or(Key::Int(bucket.hash as i64), Key::Str))
            }
        }
    }

    /// The value at a position that holds an element.
    #[inline]
    pub(super) fn value_at(&self, at: u32) -> Option<&Val> {
        let value = match self.is_hash() {
            false => self.cells().get(at as usize)?,
            true => &self.buckets().get(at as usize)?.value,
        };
        (!value.is_undef()).then_some(value)
    }

    /// The place of the element at a position that holds one.
    #[inline]
    pub(super) fn place_at(&mut self, at: u32) -> Option<&mut Val> {
        let value = match self.is_hash() {
            false => self.cells_mut().get_mut(at as usize)?,
            true => &mut self.buckets_mut().get_mut(at as usize)?.value,
        };
        (!value.is_undef()).then_some(value)
    }
}
