//! The binary form of a unit (`.phbc`): [`encode`] and [`decode`].
//!
//! ```text
//! magic "PHBC", version u16, checksum u64 of everything after it      all fixed-width numbers are little-endian
//! sections, each: tag byte, length u32, contents                      in this order: unit, strings, arrays, types,
//!                                                                     functions, classes
//! ```
//!
//! Counts, ids and lines are LEB128, signed for PHP integers; doubles are eight bytes; a list is its length and its
//! items; an optional item is a byte 0, or 1 and the item. A function's code and the tables beside it follow its other
//! fields, after their length in bytes, so that they can be read when it is first called. An instruction is its opcode byte and its immediates; a
//! branch target is an i32 offset in bytes from the start of the branching instruction. Tables beside the code name
//! instructions by index.

mod decode;
mod encode;
mod fields;
mod lazy;

pub use decode::{DecodeError, decode, decode_lazily};
pub use encode::{EncodeError, encode};
pub use lazy::{Bytes, LazyBody};

/// The first bytes of a file in binary form.
pub const MAGIC: [u8; 4] = *b"PHBC";

/// Changes whenever the form or the instruction table does.
const VERSION: u16 = 7;

/// Magic, version and checksum.
pub const HEADER_LEN: usize = 14;

/// Sections in file order; a section's tag is its position.
const SECTIONS: [&str; 6] = ["unit", "strings", "arrays", "types", "functions", "classes"];

/// FNV-1a: catches damage, not malice; the verifier is for that.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
