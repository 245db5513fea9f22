//! The result of translating a region to HHIR.

use crate::profile::ObservedType;
use phlox_hhir::types::Bits;
use phlox_hhir::{ClassId, Unit, ValueId};
use std::collections::HashMap;

/// The unit of a region, with the facts about it that the tier and inlining callers need.
pub struct Built {
    pub unit: Unit,
    /// The type of a function's results; `None` for loops and generator bodies, and for functions whose results are unknown.
    pub result: Option<Bits>,
    /// A sample of the function's results, if one is known.
    pub sample: Option<ObservedType>,
    /// The function does so little that entering its code from the interpreter would take longer than interpreting it.
    pub is_short: bool,
    /// Other code may look at the function's frame while it runs, so its header and variables must be in memory at calls.
    pub needs_frame: bool,
    /// The function calls itself.
    pub calls_itself: bool,
    /// The code may free values and does not check for destructors that wait: it must not be entered once a class with a
    /// destructor exists.
    pub may_free: bool,
    /// The number of cells before the temporaries: locals and iterators. This field and the next four serve a caller that
    /// inlines the unit.
    pub(crate) before_tmps: u32,
    /// How many oplines were translated, counting each block version.
    pub(crate) oplines: usize,
    /// Side exits of the code collect type feedback, so that compiling again can improve it.
    pub(crate) collects_feedback: bool,
    /// Samples of SSA values.
    pub(crate) seen: HashMap<ValueId, ObservedType>,
    /// The classes that SSA values which are objects are known or likely to be of.
    pub(crate) classes: HashMap<ValueId, ClassId>,
}

/// The translation of a function that a call may inline.
pub struct Inlined {
    pub built: Built,
    /// The address of its first opline.
    pub oplines: u64,
}
