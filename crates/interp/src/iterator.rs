//! Iterators in frames: two cells. The first holds the array that is walked, or owns an iteration of another
//! kind; the second the position.

use phlox_oracle::iterators::Iter;
use phlox_runtime::{PhpArr, PhpObj, Val};
use phlox_value::{Edges, ReservedHandle, raw};

/// The tag of a cell that owns an [`Iter`].
const TI_ITER: u32 = 14;

/// The tag of a cell that owns a Generator object, over which a loop by value goes. The cell behind it holds the
/// object id that Zend's iterators take.
pub const TI_GENERATOR: u32 = 15;

/// The tag of a cell that owns an iterator of a builtin class that nobody else has, over an array of its own, which is walked
/// without asking it. The cell's mark is the object id that Zend's iterators take; the cell behind it has the array's address
/// and the position.
pub const TI_WALKED: u32 = 16;

/// Starts walking the array that is part of an iterator.
///
/// # Safety
/// As [`set_array`]; the array lives as long as the iterator.
pub unsafe fn set_walked(iter: *mut Val, iterator: PhpObj, array: &PhpArr) {
    // SAFETY: by the caller.
    unsafe {
        raw::write(iter.add(1), array.address() as u64, raw::TI_INT);
        raw::set_aux(iter.add(1), 0);
        raw::put(iter, iterator.into());
        raw::write_tag(iter, TI_WALKED);
        raw::set_aux(iter, ReservedHandle::new().into_number());
    }
}

/// The object whose count an iterator keeps, whatever it gives.
unsafe fn held<'a>(iter: *const Val) -> Option<&'a PhpObj> {
    // SAFETY: the tag says what the cell holds; a handle is its payload.
    unsafe { matches!(raw::tag(iter), TI_GENERATOR | TI_WALKED).then(|| &*iter.cast::<PhpObj>()) }
}

/// Starts an iteration over a generator.
///
/// # Safety
/// As [`set_array`].
pub unsafe fn set_generator(iter: *mut Val, generator: PhpObj) {
    // SAFETY: by the caller.
    unsafe {
        raw::write(iter.add(1), ReservedHandle::new().into_number().into(), raw::TI_INT);
        raw::put(iter, generator.into());
        raw::write_tag(iter, TI_GENERATOR);
    }
}

/// The generator that is iterated; the iterator keeps its count.
///
/// # Safety
/// As [`clear`].
#[inline(always)]
pub unsafe fn generator<'a>(iter: *const Val) -> Option<&'a PhpObj> {
    // SAFETY: the tag says what the cell holds; a handle is its payload.
    unsafe { (raw::tag(iter) == TI_GENERATOR).then(|| &*iter.cast::<PhpObj>()) }
}

/// Whether it goes over a generator.
///
/// # Safety
/// As [`clear`].
#[inline(always)]
pub unsafe fn walks_generator(iter: *const Val) -> bool {
    // SAFETY: by the caller.
    unsafe { raw::tag(iter) == TI_GENERATOR }
}

/// No iteration.
///
/// # Safety
/// `iter` is the first cell of an iterator.
pub unsafe fn clear(iter: *mut Val) {
    // SAFETY: by the caller.
    unsafe { raw::write_tag(iter, raw::TI_UNDEF) }
}

/// Starts walking an array by value.
///
/// # Safety
/// As [`clear`]; nothing is iterated.
pub unsafe fn set_array(iter: *mut Val, array: Val) {
    // SAFETY: by the caller.
    unsafe {
        raw::put(iter, array);
        raw::write(iter.add(1), 0, raw::TI_INT);
    }
}

/// Starts any other iteration.
///
/// # Safety
/// As [`set_array`].
pub unsafe fn set_boxed(iter: *mut Val, iteration: Box<Iter>) {
    // SAFETY: by the caller.
    unsafe { raw::write(iter, Box::into_raw(iteration) as u64, TI_ITER) }
}

/// The iteration that is not simply one over an array.
///
/// # Safety
/// As [`clear`]. While the iteration is taken the iterator is empty.
pub unsafe fn take_boxed(iter: *mut Val) -> Option<Box<Iter>> {
    // SAFETY: the tag says that the cell owns a box.
    unsafe {
        if raw::tag(iter) != TI_ITER {
            return None;
        }
        raw::write_tag(iter, raw::TI_UNDEF);
        Some(Box::from_raw(raw::payload(iter) as *mut Iter))
    }
}

/// Ends an iteration.
///
/// # Safety
/// As [`clear`].
pub unsafe fn free(iter: *mut Val) {
    // SAFETY: by the caller.
    unsafe {
        if raw::tag(iter) == TI_ITER {
            free_boxed(iter);
        } else if raw::tag(iter) == TI_GENERATOR {
            let generator = raw::value(raw::payload(iter), raw::TI_OBJ);
            let id = ReservedHandle::from_number(raw::payload(iter.add(1)) as u32);
            raw::write_tag(iter, raw::TI_UNDEF);
            drop(generator);
            drop(id);
        } else if raw::tag(iter) == TI_WALKED {
            let iterator = raw::value(raw::payload(iter), raw::TI_OBJ);
            let id = ReservedHandle::from_number(raw::aux(iter));
            raw::write_tag(iter, raw::TI_UNDEF);
            drop(iterator);
            drop(id);
        } else if raw::tag(iter) != raw::TI_UNDEF {
            let array = raw::take(iter);
            raw::write_tag(iter, raw::TI_UNDEF);
            drop(array);
        }
    }
}

#[inline(never)]
unsafe fn free_boxed(iter: *mut Val) {
    // SAFETY: as `free`.
    drop(unsafe { take_boxed(iter) });
}

/// For the collector: what an iterator holds.
///
/// # Safety
/// As [`clear`].
pub unsafe fn trace(iter: *const Val, edges: &mut Edges) {
    // SAFETY: by the caller.
    unsafe {
        if raw::tag(iter) & raw::COUNTED != 0 {
            edges.value(&*iter);
        } else if let Some(object) = held(iter) {
            edges.object(object);
        }
    }
}
