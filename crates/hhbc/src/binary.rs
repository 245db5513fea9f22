//! The binary form of a unit (`.phbc`): [`encode`] and [`decode`].
//!
//! `docs/phbc.md` describes the form; its tables are compared with this code.

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
