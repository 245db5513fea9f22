//! HHIR: typed SSA between oplines and machine code.
//!
//! A [`Unit`] is a region of a function with the functions that are inlined into it: blocks of instructions over typed values.
//! The table of instructions ([`Op`]) is the only description of each instruction, and `docs/hhir.md` is generated from it.
//! [`Builder`] makes units, [`verify`] checks them, the passes improve them; [`Unit`]'s `Display` and [`parse`] are the text
//! form.
//!
//! Oplines and type feedback, from which units are made, and machine code, which is made from units, belong to `phlox-jit`.
#![forbid(unsafe_code)]

pub mod builder;
pub mod cfg;
pub mod effects;
pub mod eval;
mod fold;
mod hash;
pub mod ids;
pub mod ops;
mod parse;
pub mod passes;
pub mod print;
pub mod simplify;
pub mod spec;
mod table;
mod type_text;
pub mod types;
pub mod typing;
pub mod unit;
mod verify;
mod verify_counts;

pub use builder::Builder;
pub use effects::{FLUSHED, READY, TO_LOCAL};
pub use fold::dbl_to_int;
pub use ids::*;
pub use ops::Op;
pub use parse::parse;
pub use types::Type;
pub use unit::Unit;
pub use verify::verify;
