//! PHP's run-time system: classes, functions, conversions, operators, errors, output, configuration, and the interface that
//! builtin functions use.
//!
//! The crate knows HHBC units but does not execute them: the interpreter registers itself as the [`Executor`]. All state is in
//! [`Vm`], which is shared (`&Vm`) and changes through cells, because PHP code can re-enter the engine anywhere: in a destructor,
//! an error handler, a magic method.
#![forbid(unsafe_code)]

pub mod arith;
pub mod attributes;
pub mod basedir;
pub mod call;
pub mod callables;
pub mod callback;
pub mod class;
pub mod closure;
pub mod coerce;
pub mod compare;
pub mod convert;
pub mod destruct;
pub mod dims;
mod disabled;
pub mod dump;
pub mod dynamic_call;
pub mod enums;
pub mod error;
pub mod errors;
pub mod extension;
pub mod files;
pub mod frame;
pub mod frame_stack;
pub mod func;
pub mod ini;
pub mod iteration;
pub mod lazy;
pub mod link;
pub mod lookup;
mod made;
pub mod magic;
pub mod members;
pub mod number;
pub mod ob;
pub mod objects;
pub mod output;
mod pending_trace;
pub mod preload;
mod process_changes;
pub mod props;
pub mod quantity;
pub mod request;
mod request_cycle;
pub mod room;
pub mod settings;
pub mod source_encoding;
pub mod statics;
pub mod strmap;
pub mod symbols;
pub mod throwable;
pub mod time_limit;
pub mod trace;
pub mod types;
pub mod unit;
pub mod unit_store;
pub mod unpack;
pub mod variables;
pub mod version;
pub mod vm;

pub use call::{Call, Unusual};
pub use callback::Callback;
pub use class::{Class, ClassConst, ClassExt, ObjExt, PropInfo, StaticProp};
pub use error::{Level, PhpResult, Throw, Thrown};
pub use extension::{ConstValue, Extension, FnDef, NativeClass};
pub use frame::{Frame, Locals};
pub use frame_stack::{FrameStack, Place, Segment, Visit};
pub use func::{Func, FuncBody, NativeFn, Param};
pub use lookup::KnownClass;
pub use phlox_text::{raw_bytes, shown, until_nul};
pub use phlox_value::raw::note_destructors;
pub use phlox_value::{
    ArrKey, ClassHeader, ClassRef, Edges, HashIterator, Key, Kind, NativeData, PhpArr, PhpObj, PhpRef, PhpRes, PhpStr,
    PointerStep, ReservedHandle, Slot, StrBuilder, Val, VarSlot, View,
};
pub use phlox_value::{Found, find_byte, find_text};
pub use phlox_value::{
    collect_cycles, collect_when_due, gc_should_run, heap, interrupt, keep_positions, live_resources,
    move_all_positions, move_positions, outside, settle_positions,
};
pub use props::Access;
pub use request::Request;
pub use strmap::{ByBytes, StrMap};
pub use symbols::SymbolTable;
pub use types::TypeSpec;
pub use unit::LinkedUnit;
pub use vm::{Args, Callee, CalleeRef, Compiler, DataKey, Executor, Vm};
