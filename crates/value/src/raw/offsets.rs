//! Where things lie, in bytes, for the compiler of machine code.

use crate::array::raw::offsets as array;
use crate::val::Val;
use std::mem::offset_of;

pub const CELL_PAYLOAD: usize = offset_of!(Val, val);
pub const CELL_TAG: usize = offset_of!(Val, ti);
/// The container's own word: 32 bits.
pub const CELL_OWN: usize = offset_of!(Val, aux);
/// How many hold a counted thing: 32 bits.
pub const HOLDERS: usize = 0;
/// From one static string of one byte to that of the next byte.
pub const BYTE_STRING: usize = crate::string::SHORT_BYTES;
/// 32 bits; some of these are set if the collector of cycles need not hear that a holder is gone.
pub const COLLECTOR: usize = 4;
pub const KNOWN_TO_COLLECTOR: u32 = crate::header::KNOWN_TO_COLLECTOR;
/// Elements of an array, and positions in use: 32 bits.
pub const ARRAY_COUNT: usize = array::COUNT;
pub const ARRAY_USED: usize = array::USED;
pub const ARRAY_CAPACITY: usize = array::CAPACITY;
/// The address of a packed array's cells.
pub const ARRAY_DATA: usize = array::DATA;
/// The key of the next `[]`: 64 bits; the smallest integer before any was used.
pub const ARRAY_NEXT_FREE: usize = array::NEXT_FREE;
/// One byte, one of those below.
pub const ARRAY_KIND: usize = array::KIND;
pub const ARRAY_PACKED: u8 = array::PACKED;
pub const ARRAY_HASH: u8 = array::HASH;
pub const ARRAY_PACKED_BOOL: u8 = array::PACKED_BOOL;
pub const ARRAY_PACKED_INT: u8 = array::PACKED_INT;
pub const ARRAY_PACKED_DBL: u8 = array::PACKED_DBL;
/// A hash table's data begin with the buckets, which begin with the value.
pub const BUCKET_BYTES: usize = array::BUCKET_BYTES;
pub const BUCKET_KEY: usize = array::BUCKET_KEY;
/// The integer key, where there is no string.
pub const BUCKET_HASH: usize = array::BUCKET_HASH;
/// The length of a string: 64 bits. The bytes follow.
pub const STRING_LENGTH: usize = 16;
pub const STRING_BYTES: usize = 24;
/// The class of an object, and its declared properties.
pub const OBJECT_CLASS: usize = crate::object::CLASS_OFFSET;
pub const OBJECT_SLOTS: usize = crate::object::SLOTS_OFFSET;
/// The cell in a reference.
pub const REFERENCE_CELL: usize = crate::reference::CELL_OFFSET;
