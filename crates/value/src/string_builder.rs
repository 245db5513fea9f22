//! Strings that are written piece by piece without a known length: short ones in place, long ones in the memory that becomes the
//! string's.

use crate::string::{PhpStr, copy_short};
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

/// Number of bytes that fit into the builder itself, without memory of the heap.
const INLINE: usize = 248;

/// A growing sequence of bytes that becomes a string.
pub struct StrBuilder {
    len: usize,
    capacity: usize,
    /// The bytes, once there are more than fit into `inline`: a string of `capacity` bytes.
    block: Option<PhpStr>,
    inline: [MaybeUninit<u8>; INLINE],
}

impl Default for StrBuilder {
    #[inline]
    fn default() -> StrBuilder {
        StrBuilder::new()
    }
}

impl StrBuilder {
    /// A builder without bytes.
    #[inline]
    pub const fn new() -> StrBuilder {
        StrBuilder { len: 0, capacity: INLINE, block: None, inline: [MaybeUninit::uninit(); INLINE] }
    }

    /// A builder with room for `capacity` bytes.
    #[inline]
    pub fn with_capacity(capacity: usize) -> StrBuilder {
        let mut builder = StrBuilder::new();
        if capacity > INLINE {
            builder.block = Some(PhpStr::with_room(capacity));
            builder.capacity = capacity;
        }
        builder
    }

    #[inline(always)]
    fn start(&mut self) -> *mut u8 {
        match &self.block {
            Some(block) => block.start(),
            None => self.inline.as_mut_ptr().cast(),
        }
    }

    /// Makes room for `more` bytes.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize) {
        if self.capacity - self.len < more {
            self.grow(more);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let needed = self.len.checked_add(more).unwrap_or(usize::MAX >> 1);
        let capacity = needed.max(self.capacity.saturating_mul(2).min(isize::MAX as usize)).max(INLINE * 4);
        match &mut self.block {
            Some(block) => block.resize(self.len, capacity),
            None => {
                let block = PhpStr::with_room(capacity);
                // SAFETY: the new block has room for more than the bytes written so far.
                unsafe { std::ptr::copy_nonoverlapping(self.inline.as_ptr().cast(), block.start(), self.len) };
                self.block = Some(block);
            }
        }
        self.capacity = capacity;
    }

    /// Appends a byte.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.reserve(1);
        // SAFETY: `reserve` made room for one more byte.
        unsafe { self.start().add(self.len).write(byte) };
        self.len += 1;
    }

    /// Appends bytes.
    #[inline(always)]
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        // SAFETY: `reserve` made room; the source cannot overlap the builder, which is borrowed mutably.
        unsafe { copy_short(bytes.as_ptr(), self.start().add(self.len), bytes.len()) };
        self.len += bytes.len();
    }

    /// Appends a byte `count` times.
    #[inline]
    pub fn push_times(&mut self, byte: u8, count: usize) {
        self.reserve(count);
        // SAFETY: `reserve` made room for `count` bytes.
        unsafe { std::ptr::write_bytes(self.start().add(self.len), byte, count) };
        self.len += count;
    }

    /// Cuts the bytes off behind the first `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Removes all bytes.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The string of the bytes.
    #[inline]
    pub fn finish(mut self) -> PhpStr {
        match self.block.take() {
            Some(mut block) if self.len > 1 => {
                block.resize(self.len, self.len);
                // SAFETY: a string's block has a place for a NUL behind its bytes.
                unsafe { block.start().add(self.len).write(0) };
                block
            }
            Some(block) => {
                self.block = Some(block);
                PhpStr::new(&self)
            }
            None => PhpStr::new(&self),
        }
    }
}

impl Deref for StrBuilder {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        let start = match &self.block {
            Some(block) => block.start().cast_const(),
            None => self.inline.as_ptr().cast(),
        };
        // SAFETY: the first `len` bytes are initialised.
        unsafe { std::slice::from_raw_parts(start, self.len) }
    }
}

impl DerefMut for StrBuilder {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the first `len` bytes are initialised, and `self`, which owns them, is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.start(), self.len) }
    }
}

impl AsRef<[u8]> for StrBuilder {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Extend<u8> for StrBuilder {
    #[inline]
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        bytes.into_iter().for_each(|byte| self.push(byte));
    }
}

impl std::fmt::Write for StrBuilder {
    #[inline]
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl From<StrBuilder> for PhpStr {
    #[inline]
    fn from(builder: StrBuilder) -> PhpStr {
        builder.finish()
    }
}

impl From<StrBuilder> for crate::Val {
    #[inline]
    fn from(builder: StrBuilder) -> crate::Val {
        builder.finish().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_every_length() {
        // Miri takes a second for what takes a microsecond otherwise.
        let (step, longest) =
            if cfg!(miri) { (97, vec![2000]) } else { (1, vec![1000, 4000, 5000, 70_000, 3_000_000]) };
        for len in (0..600).step_by(step).chain(longest) {
            let expected: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
            let mut by_bytes = StrBuilder::new();
            expected.iter().for_each(|&byte| by_bytes.push(byte));
            assert_eq!(&*by_bytes, expected.as_slice());
            assert_eq!(by_bytes.finish().as_bytes(), expected);
            let mut by_pieces = StrBuilder::with_capacity(len / 2);
            expected.chunks(7).for_each(|piece| by_pieces.extend_from_slice(piece));
            by_pieces.push_times(b'x', 300);
            by_pieces.truncate(len);
            let mut string = by_pieces.finish();
            assert_eq!(string.as_bytes(), expected);
            string.append(b"tail");
            assert_eq!(&string[len..], b"tail");
        }
    }

    #[test]
    fn a_mapping_grows_where_it_can() {
        let piece = [b'p'; 50_000];
        let mut builder = StrBuilder::new();
        (0..40).for_each(|_| builder.extend_from_slice(&piece));
        let string = builder.finish();
        assert_eq!(string.len(), 2_000_000);
        assert!(string.as_bytes().ends_with(&piece));
    }

    #[test]
    fn what_is_not_finished_is_given_back() {
        let mut builder = StrBuilder::with_capacity(10_000);
        builder.push(b'a');
        drop(builder);
        let mut one = StrBuilder::with_capacity(10_000);
        one.push(b'a');
        assert!(one.finish().ptr_eq(&PhpStr::new(b"a")));
    }
}
