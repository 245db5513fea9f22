//! The payload of a value: eight bytes that are an integer, a float or a pointer, as the tag says.

/// Copies keep what the language knows of a pointer (its provenance), which an integer of the same bits does not have. Who has only
/// the integer, as compiled code does, gets the pointer back by [`Word::of_exposed`], if it was [exposed](Word::exposed).
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) union Word {
    bits: u64,
    pointer: *mut u8,
}

const _: () = assert!(size_of::<Word>() == 8 && size_of::<*mut u8>() == 8);

impl Word {
    #[inline(always)]
    pub(crate) const fn of_bits(bits: u64) -> Word {
        Word { bits }
    }

    #[inline(always)]
    pub(crate) const fn of_pointer(pointer: *const u8) -> Word {
        Word { pointer: pointer.cast_mut() }
    }

    /// The word with these bits: if they are an address, one that was exposed.
    #[inline(always)]
    pub(crate) fn of_exposed(bits: u64) -> Word {
        Word { pointer: std::ptr::with_exposed_provenance_mut(bits as usize) }
    }

    /// The integer, the bits of the float, or the address.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        // SAFETY: whatever was written, all eight bytes were, and any of them are an integer.
        unsafe { self.bits }
    }

    /// As [`Word::bits`], from which [`Word::of_exposed`] makes the pointer again.
    #[inline(always)]
    pub(crate) fn exposed(self) -> u64 {
        self.pointer().expose_provenance() as u64
    }

    /// The pointer; one that must not be followed if it was an integer.
    #[inline(always)]
    pub(crate) const fn pointer(self) -> *mut u8 {
        // SAFETY: as in `bits`; any address is a pointer.
        unsafe { self.pointer }
    }
}
