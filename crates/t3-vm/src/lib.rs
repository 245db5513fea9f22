//! The T3 virtual machine: loads an image, runs it, and talks to its user through the [`io::Io`] trait. It is given its
//! native classes and functions as tables ([`vm::Natives`]).
//!
//! `vm.rs` holds the machine's parts together, `interp.rs` is the instruction loop, `code` what it runs,
//! `heap.rs`/`shape.rs`/`gc.rs` the objects, `objects` and `contents` what is in them.
#![forbid(unsafe_code)]

pub mod arith;
pub mod builtin;
pub mod call;
pub mod code;
pub mod compare;
pub mod console;
pub mod contents;
pub mod convert;
pub mod create;
pub mod debug;
pub mod error;
pub mod exception;
pub mod fast;
pub mod frames;
pub mod gc;
pub mod heap;
pub mod interp;
pub mod io;
pub mod load;
pub mod meta;
pub mod natives;
pub mod objects;
pub mod output;
pub mod props;
pub mod rare;
pub mod run;
pub mod save;
pub mod save_hash;
pub mod savepoints;
pub mod shape;
pub mod state;
pub mod steps;
pub mod text;
pub mod undo;
pub mod value;
pub mod vm;

pub use error::{Halt, Throw};
pub use vm::{Options, Outcome, Vm};
