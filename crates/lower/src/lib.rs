//! From verified HHBC to oplines: the three-address code of the interpreter.
//!
//! A temporary's number is the stack depth of the value that it holds, plus [`HEADER_CELLS`] for each call that is pending below
//! it: the header and the arguments of a call are built where the callee's frame will be. Pushes of locals and literals emit no
//! oplines, since their consumers take them as operands; results go to a local directly, and comparisons into branches. The crate
//! knows no PHP semantics beyond what HHBC says.
#![forbid(unsafe_code)]

mod calls;
pub mod facts;
pub mod heights;
mod hints;
mod live;
mod lower;
mod members;
mod open_regions;
mod opline;
pub mod ops;
pub mod pairs;
mod pending;
mod print;
mod stack;
mod statics;
pub mod uses;
mod values;

pub use hints::{ByRef, Hints, NoHints, returned_at_once};
pub use live::{Live, LiveSets};
pub use lower::lower;
pub use opline::{
    ANY_PARAMETER, ClassBy, Comparison, FALLS_THROUGH, FORWARDS, HEADER_CELLS, ITER_CELLS, Literal, Lowered, NO_SITE,
    NO_TARGET, NamedCall, Operand, Opline, Path, PathStep, QUIET, Unary,
};
pub use ops::OpCode;
pub use pairs::{Pair, pair};
pub use print::{print, print_unit};
