//! Offsets in bytes of what compiled code reads and writes.

use crate::array::raw::offsets as array;
use crate::val::Val;
use std::mem::offset_of;

/// The payload of a cell: 64 bits.
pub const CELL_PAYLOAD: usize = offset_of!(Val, val);
/// The tag of a cell: 32 bits.
pub const CELL_TAG: usize = offset_of!(Val, ti);
/// The container's own word in a cell: 32 bits.
pub const CELL_OWN: usize = offset_of!(Val, aux);
/// The reference count of a counted block: 32 bits.
pub const HOLDERS: usize = 0;
/// Bytes from the static string of one byte value to that of the next.
pub const BYTE_STRING: usize = crate::string::SHORT_BYTES;
/// The collector's word of a counted block: 32 bits.
pub const COLLECTOR: usize = 4;
/// If some of these bits of the collector's word are set, the collector need not hear of a release.
pub const KNOWN_TO_COLLECTOR: u32 = crate::header::KNOWN_TO_COLLECTOR;
/// The number of elements of an array: 32 bits.
pub const ARRAY_COUNT: usize = array::COUNT;
/// The number of positions of an array that are in use: 32 bits.
pub const ARRAY_USED: usize = array::USED;
/// The number of positions of an array that there is room for: 32 bits.
pub const ARRAY_CAPACITY: usize = array::CAPACITY;
/// The address of an array's cells or buckets.
pub const ARRAY_DATA: usize = array::DATA;
/// The key of the next `[]`: 64 bits; `i64::MIN` before an integer key was used.
pub const ARRAY_NEXT_FREE: usize = array::NEXT_FREE;
/// The kind of an array: one byte, `ARRAY_PACKED` or another of the constants that follow it.
pub const ARRAY_KIND: usize = array::KIND;
pub const ARRAY_PACKED: u8 = array::PACKED;
pub const ARRAY_HASH: u8 = array::HASH;
pub const ARRAY_PACKED_BOOL: u8 = array::PACKED_BOOL;
pub const ARRAY_PACKED_INT: u8 = array::PACKED_INT;
pub const ARRAY_PACKED_DBL: u8 = array::PACKED_DBL;
/// The size of a bucket. A hash table's block begins with its buckets, and a bucket with its value.
pub const BUCKET_BYTES: usize = array::BUCKET_BYTES;
/// The string key of a bucket; 0 for an integer key.
pub const BUCKET_KEY: usize = array::BUCKET_KEY;
/// The integer key of a bucket, or the hash of its string key.
pub const BUCKET_HASH: usize = array::BUCKET_HASH;
/// The length of a string: 64 bits.
pub const STRING_LENGTH: usize = 16;
/// The first byte of a string.
pub const STRING_BYTES: usize = 24;
/// The class word of an object.
pub const OBJECT_CLASS: usize = crate::object::CLASS_OFFSET;
/// The first cell of an object's declared properties.
pub const OBJECT_SLOTS: usize = crate::object::SLOTS_OFFSET;
/// The cell in a reference.
pub const REFERENCE_CELL: usize = crate::reference::CELL_OFFSET;
