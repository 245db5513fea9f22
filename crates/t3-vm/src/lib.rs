//! The T3 virtual machine: loads an image, runs it, and talks to its user through the [`io::Io`] trait.
//!
//! `vm.rs` holds the machine's parts together, `interp.rs` is the instruction loop, `code` what it runs,
//! `heap.rs`/`shape.rs`/`gc.rs` the objects, `meta` the intrinsic classes and `bif` the intrinsic functions.
#![forbid(unsafe_code)]

mod arith;
mod bif;
mod bignum;
mod call;
mod code;
mod compare;
mod compile;
mod console;
mod convert;
mod create;
mod debug;
pub mod error;
mod exception;
mod fast;
mod frames;
mod gc;
mod heap;
mod interp;
pub mod io;
mod load;
mod meta;
mod objects;
mod props;
mod random;
mod regex;
pub mod save;
mod save_hash;
mod shape;
mod steps;
mod text;
mod undo;
pub mod value;
mod vm;

pub use error::{Halt, Throw};
pub use vm::{Options, Outcome, Vm};
