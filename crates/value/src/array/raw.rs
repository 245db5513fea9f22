//! Arrays as machine words, for `crate::raw`.

use super::PhpArr;
use super::layout::{ArrHeader, ArrKind, Bucket, CHAIN_END, slots_of};
use crate::string::PhpStr;
use crate::val::Val;
use std::ptr::NonNull;

const _: () = assert!(std::mem::offset_of!(Bucket, value) == 0 && std::mem::offset_of!(Bucket, hash) == 16);
const _: () = assert!(std::mem::offset_of!(Bucket, key) == 24);

/// Bytes of a bucket.
pub(crate) const BUCKET: usize = size_of::<Bucket>();

/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn is_packed(payload: u64) -> bool {
    // SAFETY: by the caller.
    unsafe { (*(payload as *const ArrHeader)).kind == ArrKind::Packed }
}

/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn is_table(payload: u64) -> bool {
    // SAFETY: by the caller.
    unsafe { (*(payload as *const ArrHeader)).kind == ArrKind::Hash }
}

/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn unboxed(payload: u64) -> Option<u8> {
    // SAFETY: by the caller.
    let kind = unsafe { (*(payload as *const ArrHeader)).kind };
    kind.is_unboxed().then_some(kind as u8)
}

/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn unboxed_at(payload: u64, index: u64) -> Option<(u64, u32)> {
    // SAFETY: by the caller.
    unsafe { (*(payload as *const ArrHeader)).unboxed_at(index) }
}

/// # Safety
/// The payload is an array that nobody shares.
#[inline(always)]
pub(crate) unsafe fn set_unboxed(payload: u64, index: u64, value: u64, tag: u32) -> bool {
    // SAFETY: by the caller.
    unsafe { (*(payload as *mut ArrHeader)).set_unboxed(index, value, tag) }
}

/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn packed(payload: u64) -> (*mut Val, u32) {
    // SAFETY: by the caller.
    let header = unsafe { &*(payload as *const ArrHeader) };
    if header.kind == ArrKind::Packed { (header.data.cast(), header.used) } else { (std::ptr::null_mut(), 0) }
}

/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn packed_at(payload: u64, index: u64) -> Option<NonNull<Val>> {
    // SAFETY: by the caller; a packed array with elements has a block.
    unsafe {
        let header = &*(payload as *const ArrHeader);
        if header.kind != ArrKind::Packed || index >= u64::from(header.used) {
            return None;
        }
        Some(NonNull::new_unchecked(header.data.cast::<Val>().add(index as usize)))
    }
}

/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn positions(payload: u64) -> (*mut u8, usize, u32) {
    // SAFETY: by the caller.
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

/// # Safety
/// The payload is a hash table.
#[inline(always)]
pub(crate) unsafe fn buckets(payload: u64) -> (*mut u8, u32) {
    // SAFETY: by the caller.
    unsafe {
        let header = payload as *const ArrHeader;
        debug_assert!((*header).kind == ArrKind::Hash);
        ((*header).data, (*header).used)
    }
}

/// # Safety
/// The payload is an array.
#[cold]
#[inline(never)]
unsafe fn give_cells(payload: u64) {
    // SAFETY: by the caller; the handle is not counted.
    let array = unsafe { std::mem::ManuallyDrop::new(PhpArr(NonNull::new_unchecked(payload as *mut ArrHeader))) };
    array.box_elements();
}

/// A function of its own: handlers, which this is part of, call nothing by an address in a register.
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
    // SAFETY: by the caller; chains only hold buckets with elements.
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

/// As [`find_string`] for an interned key. `None`: a string that is not interned has the same hash.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn find_literal(payload: u64, key: &PhpStr) -> Option<*mut Val> {
    // SAFETY: by the caller; chains only hold buckets with elements.
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

/// Appends a value, whose words are given away, to a list that nobody shares and that has room. False: nothing happened.
///
/// # Safety
/// The payload is an array that nobody shares; payload and tag of the value belong together.
#[inline(always)]
pub(crate) unsafe fn append(payload: u64, value: u64, tag: u32) -> bool {
    // SAFETY: by the caller; there is room for a cell at position `used`.
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

/// Is it an array that was always empty?
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub(crate) unsafe fn is_blank(payload: u64) -> bool {
    // SAFETY: by the caller.
    let header = unsafe { &*(payload as *const ArrHeader) };
    header.data.is_null() && header.used == 0 && header.next_free == i64::MIN && !header.exhausted
}

/// Adds an element, whose words are given away, under a string that is no key yet to a table that has room. False: nothing
/// happened.
///
/// # Safety
/// The payload is an array that nobody shares; payload and tag of the value belong together.
#[inline(always)]
pub(crate) unsafe fn push_name(payload: u64, key: &PhpStr, value: u64, tag: u32) -> bool {
    // SAFETY: by the caller; there is room for a bucket at position `used`.
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

/// The position of a string key in a hash table, if the table has this very string.
///
/// # Safety
/// The payload is an array.
pub(crate) unsafe fn position_of(payload: u64, key: u64) -> Option<u32> {
    // SAFETY: by the caller; a handle is its payload.
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
