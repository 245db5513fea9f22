//! Access to arrays by payload words, for `crate::raw`.

use super::PhpArr;
use super::layout::{ArrHeader, ArrKind, Bucket, CHAIN_END, slots_of};
use crate::string::PhpStr;
use crate::val::Val;
use std::ptr::NonNull;

const _: () = assert!(std::mem::offset_of!(Bucket, value) == 0 && std::mem::offset_of!(Bucket, hash) == 16);
const _: () = assert!(std::mem::offset_of!(Bucket, key) == 24);

/// Bytes of a bucket.
pub(crate) const BUCKET: usize = size_of::<Bucket>();

/// Whether the array is packed (an unboxed list is not).
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn is_packed(payload: u64) -> bool {
    // SAFETY: the payload points to a live array header, whose kind is read.
    unsafe { (*(payload as *const ArrHeader)).kind == ArrKind::Packed }
}

/// Whether the array is a hash table.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn is_table(payload: u64) -> bool {
    // SAFETY: the payload points to a live array header, of which only the kind is read.
    unsafe { (*(payload as *const ArrHeader)).kind == ArrKind::Hash }
}

/// The kind of an unboxed list, as `offsets` numbers it; `None` for other arrays.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn unboxed(payload: u64) -> Option<u8> {
    // SAFETY: the payload points to a live array header; its kind is copied out.
    let kind = unsafe { (*(payload as *const ArrHeader)).kind };
    kind.is_unboxed().then_some(kind as u8)
}

/// Payload and tag of an element of an unboxed list; `None` for other arrays and beyond the end.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn unboxed_at(payload: u64, index: u64) -> Option<(u64, u32)> {
    // SAFETY: the payload points to a live array header; `unboxed_at` checks kind and length.
    unsafe { (*(payload as *const ArrHeader)).unboxed_at(index) }
}

/// Stores an element of an unboxed list. False, and nothing happened, if the array is none, is shorter, or has another element
/// type.
///
/// # Safety
/// The payload is an array that nobody shares.
#[inline(always)]
pub(crate) unsafe fn set_unboxed(payload: u64, index: u64, value: u64, tag: u32) -> bool {
    // SAFETY: the payload is the address of an array that nobody shares.
    unsafe { (*(payload as *mut ArrHeader)).set_unboxed(index, value, tag) }
}

/// The cells of a packed array and their number; null and 0 for other arrays.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn packed(payload: u64) -> (*mut Val, u32) {
    // SAFETY: the payload points to a live array header, which is borrowed within this function only.
    let header = unsafe { &*(payload as *const ArrHeader) };
    if header.kind == ArrKind::Packed { (header.data.cast(), header.used) } else { (std::ptr::null_mut(), 0) }
}

/// The cell at an index of a packed array; `None` for other arrays and beyond the end.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn packed_at(payload: u64, index: u64) -> Option<NonNull<Val>> {
    // SAFETY: the payload is an array's address; a packed array with elements has a block of at least `used` cells.
    unsafe {
        let header = &*(payload as *const ArrHeader);
        if header.kind != ArrKind::Packed || index >= u64::from(header.used) {
            return None;
        }
        Some(NonNull::new_unchecked(header.data.cast::<Val>().add(index as usize)))
    }
}

/// The first value of an array, the distance of two values in bytes, and the number of positions. An unboxed list is boxed first.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn positions(payload: u64) -> (*mut u8, usize, u32) {
    // SAFETY: the payload points to a live array header; fields are read one by one, because `give_cells` changes it in between.
    unsafe {
        let header = payload as *const ArrHeader;
        match (*header).kind {
            ArrKind::Packed => ((*header).data, size_of::<Val>(), (*header).used),
            ArrKind::Hash => ((*header).data, size_of::<Bucket>(), (*header).used),
            ArrKind::PackedBool | ArrKind::PackedInt | ArrKind::PackedDbl => {
                give_cells(payload);
                ((*header).data, size_of::<Val>(), (*header).used)
            }
        }
    }
}

/// The buckets of a hash table and their number.
///
/// # Safety
/// The payload is a hash table.
#[inline(always)]
pub(crate) unsafe fn buckets(payload: u64) -> (*mut u8, u32) {
    // SAFETY: the payload is a hash table's address.
    unsafe {
        let header = payload as *const ArrHeader;
        debug_assert!((*header).kind == ArrKind::Hash);
        ((*header).data, (*header).used)
    }
}

/// Boxes the elements of an unboxed list.
///
/// # Safety
/// The payload is an array.
#[cold]
#[inline(never)]
unsafe fn give_cells(payload: u64) {
    // SAFETY: the payload is an array's address; the handle made of it owns no count and is not dropped.
    let array = unsafe { std::mem::ManuallyDrop::new(PhpArr(NonNull::new_unchecked(payload as *mut ArrHeader))) };
    array.box_elements();
}

/// Compares two strings in a function of its own: handlers, into which its callers are inlined, make no calls through registers.
#[inline(never)]
fn same_text(a: &PhpStr, b: &PhpStr) -> bool {
    a == b
}

/// The value under a string key that stands for no integer; null if there is none.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn find_string(payload: u64, key: &PhpStr) -> *mut Val {
    // SAFETY: the payload is an array's address; chains hold only positions of initialised buckets with elements.
    unsafe {
        let header = &*(payload as *const ArrHeader);
        if header.kind != ArrKind::Hash || header.data.is_null() {
            return std::ptr::null_mut();
        }
        let hash = key.hash();
        let buckets = header.data.cast::<Bucket>();
        let mut at = *slots_of(header.data, header.capacity).add((hash as u32 & (header.capacity - 1)) as usize);
        while at != CHAIN_END {
            let bucket = buckets.add(at as usize);
            if (*bucket).hash == hash
                && let Some(own) = &(*bucket).key
                && (own.ptr_eq(key) || same_text(own, key))
            {
                return &raw mut (*bucket).value;
            }
            at = (*bucket).value.aux;
        }
        std::ptr::null_mut()
    }
}

/// The value under an interned key; null if there is none. `None` if `key` is not interned, or if a string that is not interned
/// has an equal hash.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn find_literal(payload: u64, key: &PhpStr) -> Option<*mut Val> {
    // SAFETY: the payload is an array's address; chains hold only positions of initialised buckets with elements.
    unsafe {
        let header = &*(payload as *const ArrHeader);
        if !key.is_interned() {
            return None;
        }
        if header.kind != ArrKind::Hash || header.data.is_null() {
            return Some(std::ptr::null_mut());
        }
        let hash = key.known_hash();
        let buckets = header.data.cast::<Bucket>();
        let mut at = *slots_of(header.data, header.capacity).add((hash as u32 & (header.capacity - 1)) as usize);
        while at != CHAIN_END {
            let bucket = buckets.add(at as usize);
            if (*bucket).hash == hash
                && let Some(own) = &(*bucket).key
            {
                if own.ptr_eq(key) {
                    return Some(&raw mut (*bucket).value);
                }
                if !own.is_interned() {
                    return None;
                }
            }
            at = (*bucket).value.aux;
        }
        Some(std::ptr::null_mut())
    }
}

/// Appends a value, whose reference is consumed, to a packed array that has room and whose next index is its length. False, and
/// nothing happened, for others.
///
/// # Safety
/// The payload is an array that nobody shares; payload and tag of the value belong together.
#[inline(always)]
pub(crate) unsafe fn append(payload: u64, value: u64, tag: u32) -> bool {
    // SAFETY: nobody shares the array, which has room for a cell at position `used`.
    unsafe {
        let header = &mut *(payload as *mut ArrHeader);
        let used = header.used;
        if header.kind != ArrKind::Packed || used >= header.capacity || header.next_free != used as i64 {
            return false;
        }
        let place = header.data.cast::<Val>().add(used as usize);
        crate::raw::write(place, value, tag);
        crate::raw::set_aux(place, 0);
        header.used = used + 1;
        header.count += 1;
        header.next_free = used as i64 + 1;
        true
    }
}

/// Whether the array is empty and never had an element.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn is_blank(payload: u64) -> bool {
    // SAFETY: the payload points to a live array header, which is borrowed within this function only.
    let header = unsafe { &*(payload as *const ArrHeader) };
    header.data.is_null() && header.used == 0 && header.next_free == i64::MIN && !header.exhausted
}

/// Adds an element, whose reference is consumed, to a hash table that has room, under a string that is not yet a key of it.
/// False, and nothing happened, for others.
///
/// # Safety
/// The payload is an array that nobody shares; payload and tag of the value belong together.
#[inline(always)]
pub(crate) unsafe fn push_name(payload: u64, key: &PhpStr, value: u64, tag: u32) -> bool {
    // SAFETY: nobody shares the array, which has room for a bucket at position `used`.
    unsafe {
        let header = &mut *(payload as *mut ArrHeader);
        if header.kind != ArrKind::Hash || header.data.is_null() || header.used == header.capacity {
            return false;
        }
        header.push_bucket(Bucket { value: Val::from_words(value, tag), hash: key.hash(), key: Some(key.clone()) });
        header.count += 1;
        true
    }
}

/// The position of the key whose string is at this address in a hash table; equal strings at other addresses do not count.
///
/// # Safety
/// The payload is an array.
pub(crate) unsafe fn position_of(payload: u64, key: u64) -> Option<u32> {
    // SAFETY: the payload is an array's address; a string handle's bits are its payload.
    unsafe {
        let header = &*(payload as *const ArrHeader);
        if header.kind != ArrKind::Hash || header.data.is_null() {
            return None;
        }
        let buckets = header.data.cast::<Bucket>();
        (0..header.used).find(|&at| (&raw const (*buckets.add(at as usize)).key).cast::<u64>().read() == key)
    }
}

/// Offsets for compiled code; see `crate::raw::offsets`.
pub(crate) mod offsets {
    use super::{ArrHeader, ArrKind, Bucket};
    use std::mem::offset_of;

    pub const COUNT: usize = offset_of!(ArrHeader, count);
    pub const USED: usize = offset_of!(ArrHeader, used);
    pub const DATA: usize = offset_of!(ArrHeader, data);
    pub const CAPACITY: usize = offset_of!(ArrHeader, capacity);
    pub const NEXT_FREE: usize = offset_of!(ArrHeader, next_free);
    pub const KIND: usize = offset_of!(ArrHeader, kind);
    pub const PACKED: u8 = ArrKind::Packed as u8;
    pub const HASH: u8 = ArrKind::Hash as u8;
    pub const PACKED_BOOL: u8 = ArrKind::PackedBool as u8;
    pub const PACKED_INT: u8 = ArrKind::PackedInt as u8;
    pub const PACKED_DBL: u8 = ArrKind::PackedDbl as u8;
    pub const BUCKET_KEY: usize = offset_of!(Bucket, key);
    pub const BUCKET_HASH: usize = offset_of!(Bucket, hash);
    pub const BUCKET_BYTES: usize = 32;
}
