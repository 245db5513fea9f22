//! Arrays as machine words, for `crate::raw`.

use super::layout::{ArrHeader, ArrKind, Bucket, slots_bytes};
use crate::val::Val;

const _: () = assert!(std::mem::offset_of!(Bucket, value) == 0 && std::mem::offset_of!(Bucket, hash) == 16);
const _: () = assert!(std::mem::offset_of!(Bucket, key) == 24);

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
pub(crate) unsafe fn positions(payload: u64) -> (*mut u8, usize, u32) {
    // SAFETY: by the caller; buckets follow the slots.
    unsafe {
        let header = &*(payload as *const ArrHeader);
        match header.kind {
            ArrKind::Packed => (header.data, size_of::<Val>(), header.used),
            ArrKind::Hash if header.data.is_null() => (header.data, size_of::<Bucket>(), 0),
            ArrKind::Hash => (header.data.add(slots_bytes(header.capacity)), size_of::<Bucket>(), header.used),
        }
    }
}
