//! PHP's array functions, part of the `standard` extension, which lists [`FUNCTIONS`] and [`CONSTANTS`].
//!
//! One rule holds everywhere: a body never borrows into a container while PHP code (a callback, a destructor,
//! `__toString`) can run. It clones the array's handle and walks that, or takes the value out of its place.
#![forbid(unsafe_code)]

mod aggregate;
mod build;
mod callbacks;
mod cursor;
pub mod hybrid_sort;
mod lookup;
mod loops;
mod merge;
mod multisort;
pub mod natural;
pub mod order;
mod random_order;
mod range;
mod set_operations;
mod slice;
pub mod sort;
mod variables;
mod walk;

use phlox_runtime::{ConstValue, FnDef};

pub static FUNCTIONS: &[&[FnDef]] = &[
    aggregate::FUNCTIONS,
    build::FUNCTIONS,
    callbacks::FUNCTIONS,
    cursor::FUNCTIONS,
    lookup::FUNCTIONS,
    merge::FUNCTIONS,
    multisort::FUNCTIONS,
    random_order::FUNCTIONS,
    range::FUNCTIONS,
    set_operations::FUNCTIONS,
    slice::FUNCTIONS,
    sort::FUNCTIONS,
    variables::FUNCTIONS,
    walk::FUNCTIONS,
];

pub static CONSTANTS: &[(&str, ConstValue)] = &[
    ("EXTR_OVERWRITE", ConstValue::Int(0)),
    ("EXTR_SKIP", ConstValue::Int(1)),
    ("EXTR_PREFIX_SAME", ConstValue::Int(2)),
    ("EXTR_PREFIX_ALL", ConstValue::Int(3)),
    ("EXTR_PREFIX_INVALID", ConstValue::Int(4)),
    ("EXTR_PREFIX_IF_EXISTS", ConstValue::Int(5)),
    ("EXTR_IF_EXISTS", ConstValue::Int(6)),
    ("EXTR_REFS", ConstValue::Int(256)),
    ("SORT_ASC", ConstValue::Int(4)),
    ("SORT_DESC", ConstValue::Int(3)),
    ("SORT_REGULAR", ConstValue::Int(0)),
    ("SORT_NUMERIC", ConstValue::Int(1)),
    ("SORT_STRING", ConstValue::Int(2)),
    ("SORT_LOCALE_STRING", ConstValue::Int(5)),
    ("SORT_NATURAL", ConstValue::Int(6)),
    ("SORT_FLAG_CASE", ConstValue::Int(8)),
    ("CASE_LOWER", ConstValue::Int(0)),
    ("CASE_UPPER", ConstValue::Int(1)),
    ("COUNT_NORMAL", ConstValue::Int(0)),
    ("COUNT_RECURSIVE", ConstValue::Int(1)),
    ("ARRAY_FILTER_USE_BOTH", ConstValue::Int(1)),
    ("ARRAY_FILTER_USE_KEY", ConstValue::Int(2)),
];
