//! The payload of a value: eight bytes that are an integer, a float or a pointer, depending on the tag.

/// A payload. Copies keep the provenance of a pointer, which an integer of equal bits does not have. Compiled code has only the
/// integer; [`Word::of_exposed`] makes the pointer of it if it was [exposed](Word::exposed).
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) union Word {
    bits: u64,
    pointer: *mut u8,
}

const _: () = assert!(size_of::<Word>() == 8 && size_of::<*mut u8>() == 8);

impl Word {
    /// A word with these bits, which are no pointer to be followed.
    #[inline(always)]
    pub(crate) const fn of_bits(bits: u64) -> Word {
        Word { bits }
    }

    /// A word with this pointer and its provenance.
    #[inline(always)]
    pub(crate) const fn of_pointer(pointer: *const u8) -> Word {
        Word { pointer: pointer.cast_mut() }
    }

    /// The word with these bits. If they are an address, its provenance was exposed.
    #[inline(always)]
    pub(crate) fn of_exposed(bits: u64) -> Word {
        Word { pointer: std::ptr::with_exposed_provenance_mut(bits as usize) }
    }

    /// The integer, the bits of the float, or the address.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        // SAFETY: all eight bytes are initialised, whichever field was written, and any bytes are an integer.
        unsafe { self.bits }
    }

    /// The bits, of which [`Word::of_exposed`] can make the pointer again.
    #[inline(always)]
    pub(crate) fn exposed(self) -> u64 {
        self.pointer().expose_provenance() as u64
    }

    /// The pointer, which must not be dereferenced if the word is an integer.
    #[inline(always)]
    pub(crate) const fn pointer(self) -> *mut u8 {
        // SAFETY: all eight bytes are initialised, whichever field was written, and any bytes are a raw pointer.
        unsafe { self.pointer }
    }
}
