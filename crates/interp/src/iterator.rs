//! Iterators in frames, of two cells each. The first cell holds the array that is iterated over, or owns an iteration of another
//! kind; the second holds the position.

use phlox_oracle::iterators::Iter;
use phlox_runtime::{PhpArr, PhpObj, Val};
use phlox_value::{Edges, ReservedHandle, raw};

/// The tag of a cell that owns an [`Iter`].
const TI_ITER: u32 = 14;

/// The tag of a cell that owns a Generator object, over which a loop iterates by value. The second cell holds the object id that
/// Zend's iterator would have.
pub const TI_GENERATOR: u32 = 15;

/// The tag of a cell that owns an iterator object of a builtin class which nobody else holds, and which iterates over an array of
/// its own; the array is read without calling the object. The cell's auxiliary word is the object id that Zend's iterator would
/// have; the second cell has the array's address and the position.
pub const TI_WALKED: u32 = 16;

/// Starts an iteration over the array that is part of an iterator object.
///
/// # Safety
/// `iter` is the first cell of an iterator that iterates over nothing; the array lives as long as the object.
pub unsafe fn set_walked(iter: *mut Val, iterator: PhpObj, array: &PhpArr) {
    // SAFETY: the caller says that this is an iterator that holds nothing.
    unsafe {
        raw::write(iter.add(1), array.address() as u64, raw::TI_INT);
        raw::set_aux(iter.add(1), 0);
        raw::put(iter, iterator.into());
        raw::write_tag(iter, TI_WALKED);
        raw::set_aux(iter, ReservedHandle::new().into_number());
    }
}

/// The object that an iterator owns a reference of, if it does.
unsafe fn held<'a>(iter: *const Val) -> Option<&'a PhpObj> {
    // SAFETY: the tag says that the cell owns an object; a handle has the layout of its payload.
    unsafe { matches!(raw::tag(iter), TI_GENERATOR | TI_WALKED).then(|| &*iter.cast::<PhpObj>()) }
}

/// Starts an iteration over a generator.
///
/// # Safety
/// `iter` is the first cell of an iterator that iterates over nothing.
pub unsafe fn set_generator(iter: *mut Val, generator: PhpObj) {
    // SAFETY: the caller says that this is an iterator that holds nothing.
    unsafe {
        raw::write(iter.add(1), ReservedHandle::new().into_number().into(), raw::TI_INT);
        raw::put(iter, generator.into());
        raw::write_tag(iter, TI_GENERATOR);
    }
}

/// The generator that is iterated over; the iterator keeps its reference.
///
/// # Safety
/// `iter` is the first cell of an iterator.
#[inline(always)]
pub unsafe fn generator<'a>(iter: *const Val) -> Option<&'a PhpObj> {
    // SAFETY: the tag says that the cell owns an object; a handle has the layout of its payload.
    unsafe { (raw::tag(iter) == TI_GENERATOR).then(|| &*iter.cast::<PhpObj>()) }
}

/// Whether an iterator iterates over a generator.
///
/// # Safety
/// `iter` is the first cell of an iterator.
#[inline(always)]
pub unsafe fn walks_generator(iter: *const Val) -> bool {
    // SAFETY: the caller says that this is an iterator, so its tag is initialised.
    unsafe { raw::tag(iter) == TI_GENERATOR }
}

/// Makes an iterator empty without releasing anything.
///
/// # Safety
/// `iter` is the first cell of an iterator.
pub unsafe fn clear(iter: *mut Val) {
    // SAFETY: the caller says that this is an iterator's cell.
    unsafe { raw::write_tag(iter, raw::TI_UNDEF) }
}

/// Starts an iteration over an array by value.
///
/// # Safety
/// `iter` is the first cell of an iterator that iterates over nothing.
pub unsafe fn set_array(iter: *mut Val, array: Val) {
    // SAFETY: the caller says that this is an iterator that holds nothing.
    unsafe {
        raw::put(iter, array);
        raw::write(iter.add(1), 0, raw::TI_INT);
    }
}

/// Starts an iteration of any other kind.
///
/// # Safety
/// `iter` is the first cell of an iterator that iterates over nothing.
pub unsafe fn set_boxed(iter: *mut Val, iteration: Box<Iter>) {
    // SAFETY: the caller says that this is an iterator that holds nothing.
    unsafe { raw::write(iter, Box::into_raw(iteration) as u64, TI_ITER) }
}

/// Takes an iteration that is none over an array, a generator or a builtin iterator. The iterator is empty until it is put back.
///
/// # Safety
/// `iter` is the first cell of an iterator.
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

/// Ends an iteration, and releases what the iterator holds.
///
/// # Safety
/// `iter` is the first cell of an iterator.
pub unsafe fn free(iter: *mut Val) {
    // SAFETY: the caller says that this is an iterator; its tag says what the cells own.
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
    // SAFETY: `free` passes an iterator.
    drop(unsafe { take_boxed(iter) });
}

/// Shows what an iterator holds to the cycle collector.
///
/// # Safety
/// `iter` is the first cell of an iterator.
pub unsafe fn trace(iter: *const Val, edges: &mut Edges) {
    // SAFETY: the caller says that this is an iterator; its tag says what the cells own.
    unsafe {
        if raw::tag(iter) & raw::COUNTED != 0 {
            edges.value(&*iter);
        } else if let Some(object) = held(iter) {
            edges.object(object);
        }
    }
}
