//! Values, strings, arrays, objects' memory, references, the request heap and the cycle collector.
//!
//! This is one of the crates with `unsafe` code (see SAFETY.md; `ARCHITECTURE.md` lists them). Everything is single-threaded: a
//! request owns its heap, and nothing here is `Send`. The crate knows nothing of classes' contents, functions or PHP's conversion
//! rules, which are in `phlox-runtime`.
#![deny(unsafe_op_in_unsafe_fn)]

mod array;
mod borrowed_slots;
mod gc;
mod handles;
mod header;
pub mod heap;
pub mod interrupt;
mod kept;
mod mapped_file;
mod native_cell;
mod object;
pub mod outside;
mod pages;
pub mod raw;
mod reference;
mod request;
mod search;
mod slot;
pub mod stress;
mod string;
mod string_builder;
mod val;
mod var_slot;
mod word;

pub use array::{
    ArrKey, ArrayIter, HashIterator, Key, KeyRef, NextIndexError, PhpArr, PointerStep, Values, keep_positions,
    move_all_positions, move_positions, settle_positions,
};
pub use borrowed_slots::BorrowedSlots;
pub use gc::{
    Edges, Ephemeron, GcStatus, collect_cycles, collect_when_due, forget_roots, gc_enabled, gc_should_run, gc_status,
    set_gc_enabled,
};
pub use handles::{ReservedHandle, set_handle_reuse};
pub use heap::MemoryLimitExceeded;
pub use mapped_file::MappedFile;
pub use object::{
    ClassHeader, ClassRef, Hooks, NativeData, PENDING_SLOT, PhpObj, defer_destructors, defers_destructors,
    object_by_handle, objects_with_destructors, run_deferred_destructors, set_hooks, set_shutdown,
};
pub use reference::{PhpRef, PhpRes, TypeSource, live_resources};
pub use request::{begin_request, end_request};
pub use search::{Found, find_byte, find_text};
pub use slot::Slot;
pub use string::{Filler, PhpStr, hash_bytes};
pub use string_builder::StrBuilder;
pub use val::{Kind, Val, View};
pub use var_slot::VarSlot;
