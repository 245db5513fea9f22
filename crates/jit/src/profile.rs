//! Values that were seen, as samples of what there will be: a type, and what a live value of it tells beyond that.

use crate::layout::Tags;
use phlox_hhir::types::{self as hhir, ArrKind, Bits};
use phlox_value::raw::{self, offsets};
use phlox_value::{Key, Val};

/// Beside kinds, as if they were tags: that an iterator has met a list, or a hash table; keys of a table.
pub const ITERATED_LIST: u32 = 25;
pub const ITERATED_TABLE: u32 = 26;
pub const INT_KEY: u32 = 27;
pub const STRING_KEY: u32 = 28;
/// What an element was read from: a list, or a hash table.
pub const READ_LIST: u32 = 29;
pub const READ_TABLE: u32 = 30;
/// Layouts that elements were read from.
pub(crate) const READ_LAYOUTS: u32 = 1 << READ_LIST | 1 << READ_TABLE;
/// Noted of a call, beside the tags of what it gives: the function's short way has refused so often that code was left too often.
pub const REFUSED: u32 = 25;
/// Beside the bits of tags: a literal array.
pub const LITERAL_ARRAY: u32 = 1 << 24;

/// What was seen in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedType {
    pub bits: hhir::Bits,
    pub payload: u64,
}

impl ObservedType {
    /// # Safety
    /// `cell` is a live cell.
    pub unsafe fn of(cell: *const Val) -> Option<ObservedType> {
        // SAFETY: by the caller.
        let (tag, payload) = unsafe { (raw::tag(cell), raw::payload(cell)) };
        let bits = match tag {
            raw::TI_FALSE | raw::TI_TRUE => hhir::BOOL,
            tag => Tags::type_of(tag)?,
        };
        Some(ObservedType { bits, payload })
    }

    /// As [`ObservedType::of`], where literal strings are as good as counted ones.
    ///
    /// # Safety
    /// As [`ObservedType::of`].
    pub unsafe fn loosely(cell: *const Val) -> Option<ObservedType> {
        // SAFETY: by the caller.
        let seen = unsafe { ObservedType::of(cell)? };
        Some(ObservedType { bits: counted_strings(seen.bits), ..seen })
    }

    /// What a reference holds.
    pub fn inner(self) -> Option<ObservedType> {
        if self.bits != hhir::BOXED {
            return None;
        }
        // SAFETY: the payload is a live reference.
        unsafe { ObservedType::loosely(raw::ref_place(self.payload)) }
    }

    /// Is it a reference with one holder?
    pub fn is_alone(self) -> bool {
        // SAFETY: the payload is a live reference.
        self.bits == hhir::BOXED && unsafe { raw::count(self.payload) == 1 }
    }

    /// An element of an array: what the others are likely to be.
    pub fn element(self) -> Option<ObservedType> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        if let Some(kind) = self.unboxed() {
            return Some(ObservedType { bits: kind.elem(), payload: 0 });
        }
        // SAFETY: the payload is a live array; cells below `used` are initialised.
        unsafe {
            let (cells, used) = raw::packed(self.payload);
            if cells.is_null() {
                let first = raw::array_at((&raw const self.payload).cast()).iter().next()?.1;
                return ObservedType::loosely(first).filter(|seen| seen.bits != hhir::UNINIT);
            }
            if used == 0 {
                return None;
            }
            // The first element may be a marker, the last one may be the one that is being made.
            let at = if used > 2 { used / 2 } else { 0 };
            ObservedType::loosely(cells.add(at as usize)).filter(|seen| seen.bits != hhir::UNINIT)
        }
    }

    /// The kind of an array's first key, if it is a hash table.
    pub fn first_key(self) -> Option<hhir::Bits> {
        if !self.is_table() {
            return None;
        }
        // SAFETY: the payload is a live array, whose handle it is.
        let (key, _) = unsafe { raw::array_at((&raw const self.payload).cast()) }.iter().next()?;
        Some(if matches!(key, Key::Int(_)) { hhir::INT } else { hhir::COUNTED_STR })
    }

    /// The element of a hash table under a string that it has as a key, and its position.
    pub fn keyed(self, key: u64) -> Option<(u32, ObservedType)> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array, the key a live string.
        unsafe {
            let (at, cell) = raw::position_of(self.payload, key)?;
            Some((at, ObservedType::loosely(cell)?))
        }
    }

    /// How many elements an array has.
    pub fn count(self) -> u32 {
        // SAFETY: the payload is a live array, whose handle it is.
        unsafe { raw::array_at((&raw const self.payload).cast()).len() as u32 }
    }

    /// The bytes of a string.
    pub fn bytes(self) -> Box<[u8]> {
        // SAFETY: the payload is a live string, whose handle it is.
        unsafe { raw::string_at((&raw const self.payload).cast()).as_bytes().into() }
    }

    /// The identity of an object's class, or that of a class.
    pub fn class(self) -> Option<u64> {
        match self.bits {
            // SAFETY: the payload is a live object.
            hhir::OBJ => Some(unsafe { raw::class_of(self.payload) } as u64),
            hhir::CLS => Some(self.payload),
            _ => None,
        }
    }

    /// A declared property.
    pub fn property(self, slot: usize) -> Option<ObservedType> {
        if self.bits != hhir::OBJ {
            return None;
        }
        // SAFETY: the payload is a live object, the slot one of its class.
        unsafe { ObservedType::loosely(raw::property(self.payload, slot)) }
    }

    /// Is it an array that is laid out as a hash table?
    pub fn is_table(self) -> bool {
        // SAFETY: the payload is a live array.
        self.bits & hhir::ARR != 0 && unsafe { raw::is_table(self.payload) }
    }

    /// How a list is laid out that has no cells.
    pub fn unboxed(self) -> Option<ArrKind> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array.
        unsafe { raw::unboxed(self.payload) }.map(|kind| match kind {
            offsets::ARRAY_PACKED_BOOL => ArrKind::PackedBool,
            offsets::ARRAY_PACKED_DBL => ArrKind::PackedDbl,
            _ => ArrKind::PackedInt,
        })
    }

    /// Is it an array that is laid out as a list?
    pub fn is_packed(self) -> bool {
        self.length().is_some()
    }

    /// Whether places of a list are empty.
    pub fn has_holes(self) -> bool {
        // SAFETY: the payload is a live array, whose handle it is.
        self.length()
            .is_some_and(|used| unsafe { raw::array_at((&raw const self.payload).cast()) }.len() as u64 != used)
    }

    /// Places of a list.
    pub fn length(self) -> Option<u64> {
        if self.bits & hhir::ARR == 0 {
            return None;
        }
        // SAFETY: the payload is a live array.
        let (cells, used) = unsafe { raw::packed(self.payload) };
        (!cells.is_null()).then_some(used.into())
    }
}

/// Literal strings are as good as counted ones.
pub(crate) fn counted_strings(kinds: Bits) -> Bits {
    if kinds & hhir::STATIC_STR == 0 { kinds } else { kinds & !hhir::STATIC_STR | hhir::COUNTED_STR }
}
