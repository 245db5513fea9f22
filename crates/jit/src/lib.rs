//! Machine code for hot loops: regions of oplines to HHIR, HHIR to Cranelift, and the memory that code lies in.
//!
//! Compiled code works on an interpreter's frame: it takes what it needs into registers, and whenever something happens
//! that it is not made for, writes its values back and says with which opline the interpreter goes on. See SAFETY.md.
//!
//! Not here: when to compile, which is the interpreter's business; passes over HHIR, which are in `phlox-hhir`.
#![deny(unsafe_op_in_unsafe_fn)]

mod backend;
mod codegen;
mod input;
pub mod layout;
mod translate;

pub use backend::{assembler as code, limits, perf_map, show, worker};
pub use backend::assembler::{Assembler, Code};
pub use codegen::exits::tables::settle;
pub use input::{
    Cache, Callee, Compiled, Context as CallContext, PropertyName, Region, Seen, Special, Start, Step, Switch, This,
    Wanted, loop_end, loop_headers,
};
pub use layout::{Context, Entry, FrameShape, HeaderShape, Signature};
pub use translate::by_ref_args::{REFUSED, call_of};
pub use translate::calls::LITERAL_ARRAY;
pub use translate::foreach::{INT_KEY, ITERATED_LIST, ITERATED_TABLE, READ_LIST, READ_TABLE, STRING_KEY};
pub use translate::inlining::Inlined;
pub use translate::translator::{Built, build, fingerprint, size};
