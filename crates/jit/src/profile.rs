//! Observed types: live values as samples of the values that are to be expected, each with a type and what the value tells
//! beyond that.

use crate::layout::Tags;
use phlox_hhir::ClassId;
use phlox_hhir::types::{self as hhir, ArrKind, Bits};
use phlox_value::raw::{self, offsets};
use phlox_value::{Key, Val};

/// Bit number in type feedback, beside those of tags: an iterator has iterated over a packed array.
pub const ITERATED_LIST: u32 = 25;
/// Bit number in type feedback: an iterator has iterated over a hash table.
pub const ITERATED_TABLE: u32 = 26;
/// Bit number in type feedback: the keys of a hash table were integers.
pub const INT_KEY: u32 = 27;
/// Bit number in type feedback: the keys of a hash table were strings.
pub const STRING_KEY: u32 = 28;
/// Bit number in type feedback: an element was read from a packed array.
pub const READ_LIST: u32 = 29;
/// Bit number in type feedback: an element was read from a hash table.
pub const READ_TABLE: u32 = 30;
/// The bits in type feedback for the layouts that elements were read from.
pub(crate) const READ_LAYOUTS: u32 = 1 << READ_LIST | 1 << READ_TABLE;
/// Bit number in the exit feedback of a call: the fast path of the builtin function has refused so often that it is not to be
/// used.
pub const REFUSED: u32 = 25;
/// The bit in type feedback for a literal array, which has no counted tag.
pub const LITERAL_ARRAY: u32 = 1 << 24;

/// A type with a live value as a sample of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedType {
    /// The type.
    pub bits: hhir::Bits,
    /// The payload of the sample; 0 where only the type is known.
    pub payload: u64,
}

impl ObservedType {
    /// The observed type of a cell; `None` if the tag word is no type of HHIR's.
    ///
    /// # Safety
    /// `cell` is a live cell.
    pub unsafe fn of(cell: *const Val) -> Option<ObservedType> {
        // SAFETY: the caller passes a live cell.
        let (tag, payload) = unsafe { (raw::tag(cell), raw::payload(cell)) };
        let bits = match tag {
            raw::TI_FALSE | raw::TI_TRUE => hhir::BOOL,
            tag => Tags::type_of(tag)?,
        };
        Some(ObservedType { bits, payload })
    }

    /// The observed type of a cell, where literal strings count as counted ones.
    ///
    /// # Safety
    /// `cell` is a live cell.
    pub unsafe fn loosely(cell: *const Val) -> Option<ObservedType> {
        // SAFETY: the caller passes a live cell.
        let seen = unsafe { ObservedType::of(cell)? };
        Some(ObservedType { bits: counted_strings(seen.bits), ..seen })
    }

    /// The observed type of the value that a reference holds.
    pub fn inner(self) -> Option<ObservedType> {
        if self.bits != hhir::BOXED {
            return None;
        }
        // SAFETY: the payload is a live reference: samples are looked at between two oplines, while nothing else runs
        // (SAFETY.md, 12).
        unsafe { ObservedType::loosely(raw::ref_place(self.payload)) }
    }

    /// Whether the value is a reference with one holder.
    pub fn is_alone(self) -> bool {
        // SAFETY: the payload is a live reference: samples are looked at between two oplines (SAFETY.md, 12).
        self.bits == hhir::BOXED && unsafe { raw::count(self.payload) == 1 }
    }

    /// The observed type of an element of an array, as a guess for all of its elements.
    pub fn element(self) -> Option<ObservedType> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        if let Some(kind) = self.unboxed() {
            return Some(ObservedType { bits: kind.elem(), payload: 0 });
        }
        // SAFETY: the payload is a live array (SAFETY.md, 12); cells below `used` are initialised.
        unsafe {
            let (cells, used) = raw::packed(self.payload);
            if cells.is_null() {
                let first = raw::array_at((&raw const self.payload).cast()).iter().next()?.1;
                return ObservedType::loosely(first).filter(|seen| seen.bits != hhir::UNINIT);
            }
            if used == 0 {
                return None;
            }
            // The first element may be a sentinel, and the last one may just be under construction.
            let at = if used > 2 { used / 2 } else { 0 };
            ObservedType::loosely(cells.add(at as usize)).filter(|seen| seen.bits != hhir::UNINIT)
        }
    }

    /// The type of an array's first key, if the array is a hash table.
    pub fn first_key(self) -> Option<hhir::Bits> {
        if !self.is_table() {
            return None;
        }
        // SAFETY: the payload is a live array (SAFETY.md, 12), and a pointer to it is a handle of the array.
        let (key, _) = unsafe { raw::array_at((&raw const self.payload).cast()) }.iter().next()?;
        Some(if matches!(key, Key::Int(_)) { hhir::INT } else { hhir::COUNTED_STR })
    }

    /// The element of a hash table under a string key, and its position.
    pub fn keyed(self, key: u64) -> Option<(u32, ObservedType)> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array and the key a live string (SAFETY.md, 12).
        unsafe {
            let (at, cell) = raw::position_of(self.payload, key)?;
            Some((at, ObservedType::loosely(cell)?))
        }
    }

    /// The number of an array's elements.
    pub fn count(self) -> u32 {
        // SAFETY: the payload is a live array (SAFETY.md, 12), and a pointer to it is a handle of the array.
        unsafe { raw::array_at((&raw const self.payload).cast()).len() as u32 }
    }

    /// The bytes of a string.
    pub fn bytes(self) -> Box<[u8]> {
        // SAFETY: the payload is a live string (SAFETY.md, 12), and a pointer to it is a handle of the string.
        unsafe { raw::string_at((&raw const self.payload).cast()).as_bytes().into() }
    }

    /// The identity of an object's class, or of a value that is a class.
    pub fn class(self) -> Option<ClassId> {
        match self.bits {
            // SAFETY: the payload is a live object (SAFETY.md, 12).
            hhir::OBJ => Some(ClassId(unsafe { raw::class_of(self.payload) } as u64)),
            hhir::CLS => Some(ClassId(self.payload)),
            _ => None,
        }
    }

    /// The observed type of a declared property, by its slot.
    pub fn property(self, slot: usize) -> Option<ObservedType> {
        if self.bits != hhir::OBJ {
            return None;
        }
        // SAFETY: the payload is a live object (SAFETY.md, 12), and the slot is one of its class.
        unsafe { ObservedType::loosely(raw::property(self.payload, slot)) }
    }

    /// Whether the value is an array that is laid out as a hash table.
    pub fn is_table(self) -> bool {
        // SAFETY: the payload is a live array (SAFETY.md, 12).
        self.bits & hhir::ARR != 0 && unsafe { raw::is_table(self.payload) }
    }

    /// The layout of an unboxed list; `None` for other values.
    pub fn unboxed(self) -> Option<ArrKind> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array (SAFETY.md, 12).
        unsafe { raw::unboxed(self.payload) }.map(|kind| match kind {
            offsets::ARRAY_PACKED_BOOL => ArrKind::PackedBool,
            offsets::ARRAY_PACKED_DBL => ArrKind::PackedDbl,
            _ => ArrKind::PackedInt,
        })
    }

    /// Whether the value is a packed array of cells.
    pub fn is_packed(self) -> bool {
        self.length().is_some()
    }

    /// Whether a packed array of cells has holes.
    pub fn has_holes(self) -> bool {
        // SAFETY: the payload is a live array (SAFETY.md, 12), and a pointer to it is a handle of the array.
        self.length()
            .is_some_and(|used| unsafe { raw::array_at((&raw const self.payload).cast()) }.len() as u64 != used)
    }

    /// The number of a packed array's cells, holes included.
    pub fn length(self) -> Option<u64> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array (SAFETY.md, 12).
        let (cells, used) = unsafe { raw::packed(self.payload) };
        (!cells.is_null()).then_some(used.into())
    }
}

/// The types with uncounted (literal) strings replaced by counted ones.
pub(crate) fn counted_strings(kinds: Bits) -> Bits {
    if kinds & hhir::STATIC_STR == 0 { kinds } else { kinds & !hhir::STATIC_STR | hhir::COUNTED_STR }
}
