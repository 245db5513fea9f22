//! The T3 virtual machine: loads an image, runs it, and talks to its user through the [`io::Io`] trait. It is given its
//! native classes and functions as tables ([`vm::Natives`]).
//!
//! `vm.rs` holds the machine's parts together, `interp.rs` is the instruction loop, `code` what it runs,
//! `heap.rs`/`shape.rs`/`gc.rs` the objects, `objects` and `contents` what is in them.
#![forbid(unsafe_code)]

mod arith;
pub mod builtin;
pub mod call;
pub mod code;
mod compare;
pub mod console;
pub mod contents;
mod convert;
mod create;
pub mod entities;
pub mod error;
mod exception;
mod fast;
pub mod frames;
mod gc;
pub mod heap;
mod interp;
pub mod io;
pub mod load;
pub mod logs;
pub mod meta;
pub mod natives;
pub mod objects;
mod output;
mod props;
mod rare;
mod run;
pub mod save;
mod save_hash;
mod savepoints;
mod shape;
pub mod state;
mod steps;
pub mod text;
pub mod undo;
pub mod value;
pub mod vm;

pub use error::{Halt, Throw};
pub use vm::{Options, Outcome, Vm};
