//! The compiler of hot code: translation of oplines to HHIR, of HHIR to Cranelift's IR, and the memory that machine code lies
//! in.
//!
//! Compiled code works on a frame of the interpreter. It keeps values in registers; where a guard fails it takes a side exit,
//! which writes the values back and says with which opline the interpreter goes on. SAFETY.md says why that is sound.
//!
//! When something is compiled is decided by the interpreter's tier (`crates/interp/src/tier`). Passes over HHIR are in
//! `phlox-hhir`.
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
    Callee, CellAddress, Compiled, CompilerHost, Context as CallContext, FastPath, GeneratorMethod, InlineCache,
    LayoutId, MagicMethod, PropertyName, Specialization, Switch,
};
pub use input::{CompileInput, Start, This, loop_end, loop_headers};
pub use layout::{Context, Entry, FrameShape, HeaderShape, Signature};
pub use profile::{
    INT_KEY, ITERATED_LIST, ITERATED_TABLE, LITERAL_ARRAY, ObservedType, READ_LIST, READ_TABLE, REFUSED, STRING_KEY,
};
pub use translate::by_ref_args::call_of;
pub use translate::translator::{build, fingerprint, size};
