//! Machine code for hot loops: regions of oplines to HHIR, HHIR to Cranelift, and the memory that code lies in.
//!
//! Compiled code works on an interpreter's frame: it takes what it needs into registers, and whenever something happens
//! that it is not made for, writes its values back and says with which opline the interpreter goes on. See SAFETY.md.
//!
//! Not here: when to compile, which is the interpreter's business; passes over HHIR, which are in `phlox-hhir`.
#![deny(unsafe_op_in_unsafe_fn)]

mod backend;
mod built;
mod call_flags;
mod codegen;
mod host;
mod input;
pub mod layout;
mod profile;
mod tagged_types;
mod translate;

pub use backend::assembler::{Assembler, Code};
pub use backend::{assembler as code, limits, perf_map, show, worker};
pub use built::{Built, Inlined};
pub use codegen::exits::tables::settle;
pub use host::{
    Callee, Compiled, CompilerHost, Context as CallContext, GeneratorMethod, InlineCache, MagicMethod, PropertyName,
    Specialization, Switch,
};
pub use input::{CompileInput, Start, This, loop_end, loop_headers};
pub use layout::{Context, Entry, FrameShape, HeaderShape, Signature};
pub use profile::{
    INT_KEY, ITERATED_LIST, ITERATED_TABLE, LITERAL_ARRAY, ObservedType, READ_LIST, READ_TABLE, REFUSED, STRING_KEY,
};
pub use translate::by_ref_args::call_of;
pub use translate::translator::{build, fingerprint, size};
