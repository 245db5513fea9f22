//! Iteration over elements. The location of the elements is looked up once, so that a step is a load and a comparison.

use super::Key;
use super::layout::{ArrHeader, ArrKind, Bucket};
use crate::val::Val;
use std::marker::PhantomData;

/// The elements of an array in order, with their keys.
pub struct ArrayIter<'a> {
    /// The cells of a list, or the buckets of a hash table.
    data: *const u8,
    front: u32,
    back: u32,
    packed: bool,
    table: PhantomData<&'a ArrHeader>,
}

impl<'a> ArrayIter<'a> {
    /// Iterates over a table, whose elements are boxed.
    #[inline]
    pub(super) fn new(table: &'a ArrHeader) -> ArrayIter<'a> {
        let packed = table.kind == ArrKind::Packed;
        ArrayIter { data: table.data, front: 0, back: table.used, packed, table: PhantomData }
    }

    /// The element at a position below `used`.
    #[inline]
    fn at(&self, at: u32) -> Option<(Key<'a>, &'a Val)> {
        // SAFETY: positions below `used` are initialised, and the table is borrowed for as long as the elements are.
        unsafe {
            if self.packed {
                let value = &*self.data.cast::<Val>().add(at as usize);
                return if value.is_undef() { None } else { Some((Key::Int(at.into()), value)) };
            }
            let bucket = &*self.data.cast::<Bucket>().add(at as usize);
            if bucket.value.is_undef() {
                return None;
            }
            Some((bucket.key.as_ref().map_or(Key::Int(bucket.hash as i64), Key::Str), &bucket.value))
        }
    }
}

impl<'a> Iterator for ArrayIter<'a> {
    type Item = (Key<'a>, &'a Val);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.front < self.back {
            let at = self.front;
            self.front += 1;
            if let Some(element) = self.at(at) {
                return Some(element);
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some((self.back - self.front) as usize))
    }
}

impl DoubleEndedIterator for ArrayIter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        while self.front < self.back {
            self.back -= 1;
            if let Some(element) = self.at(self.back) {
                return Some(element);
            }
        }
        None
    }
}

/// The values of an array in order. A bucket starts with its value, so that cells and buckets differ in the step only.
pub struct Values<'a> {
    front: *const u8,
    back: *const u8,
    step: usize,
    table: PhantomData<&'a ArrHeader>,
}

const _: () = assert!(std::mem::offset_of!(Bucket, value) == 0);

impl<'a> Values<'a> {
    /// Iterates over a table, whose elements are boxed.
    #[inline]
    pub(super) fn new(table: &'a ArrHeader) -> Values<'a> {
        let front = table.data.cast_const();
        let step = if table.kind == ArrKind::Packed { size_of::<Val>() } else { size_of::<Bucket>() };
        // SAFETY: the result is one past the last position in use of the table's block.
        let back = unsafe { front.add(step * table.used as usize) };
        Values { front, back, step, table: PhantomData }
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = &'a Val;

    #[inline]
    fn next(&mut self) -> Option<&'a Val> {
        while self.front != self.back {
            // SAFETY: `front` is a position below `used`, which is initialised; the step leads to the next position or to the
            // end.
            let value = unsafe {
                let value = &*self.front.cast::<Val>();
                self.front = self.front.add(self.step);
                value
            };
            if !value.is_undef() {
                return Some(value);
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some((self.back as usize - self.front as usize) / self.step))
    }
}

impl<'a> DoubleEndedIterator for Values<'a> {
    #[inline]
    fn next_back(&mut self) -> Option<&'a Val> {
        while self.front != self.back {
            // SAFETY: `back` is behind an initialised position, to which the step leads back.
            let value = unsafe {
                self.back = self.back.sub(self.step);
                &*self.back.cast::<Val>()
            };
            if !value.is_undef() {
                return Some(value);
            }
        }
        None
    }
}
