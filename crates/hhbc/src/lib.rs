//! HHBC: the instruction table and the compilation unit.
//!
//! Knows no PHP source and no runtime values. Start at [`ops`] and [`unit`].
#![forbid(unsafe_code)]

#[macro_use]
pub mod ops;
pub mod binary;
pub mod caller_access;
pub mod frameless;
pub mod ids;
pub mod imm;
pub mod info;
pub mod instr;
pub mod r17;
mod records;
pub mod strings;
pub mod text;
pub mod unit;
pub mod verify;

pub use binary::{decode, encode};
pub use ids::*;
pub use info::{OpInfo, OpKind, Opcode, Slot};
pub use instr::*;
pub use strings::Strings;
pub use text::{assemble, disassemble};
pub use unit::*;
