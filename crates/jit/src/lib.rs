//! Machine code for hot loops: regions of oplines to HHIR, HHIR to Cranelift, and the memory that code lies in.
//!
//! Compiled code works on an interpreter's frame: it takes what it needs into registers, and whenever something happens
//! that it is not made for, writes its values back and says with which opline the interpreter goes on. See SAFETY.md.
//!
//! Not here: when to compile, which is the interpreter's business; passes over HHIR, which are in `phlox-hhir`.
#![deny(unsafe_op_in_unsafe_fn)]

mod above;
mod arithmetic;
mod bodies;
mod bound;
mod boxes;
mod branches;
mod build;
mod calls;
mod calls_native;
mod cells;
pub mod code;
mod dead;
mod declared;
mod entry;
mod exit_maps;
mod exits;
mod follow;
mod headers;
mod helper_calls;
mod inlining;
mod iterate;
mod keeping;
pub mod layout;
mod leaving;
mod leaving_inlined;
pub mod limits;
mod lists;
mod liveness;
mod loops;
mod members;
mod memory;
mod mixed;
mod native;
mod nesting;
mod operands;
pub mod perf_map;
mod places;
mod references;
mod region;
mod runtime;
pub mod show;
mod splitting;
mod static_places;
mod steps;
pub mod worker;

pub use boxes::{REFUSED, call_of};
pub use build::{Built, build, fingerprint, size};
pub use calls::LITERAL_ARRAY;
pub use code::{Assembler, Code};
pub use exit_maps::settle;
pub use inlining::Inlined;
pub use iterate::{INT_KEY, ITERATED_LIST, ITERATED_TABLE, READ_LIST, READ_TABLE, STRING_KEY};
pub use layout::{Context, Entry, FrameShape, HeaderShape, Signature};
pub use region::{
    Cache, Callee, Compiled, Context as CallContext, PropertyName, Region, Seen, Special, Start, Step, Switch, This,
    Wanted, loop_end, loop_headers,
};
