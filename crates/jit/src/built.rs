//! What the translation of a region gives.

use crate::profile::ObservedType;
use phlox_hhir::types::Bits;
use phlox_hhir::{Unit, ValueId};
use std::collections::HashMap;

/// The unit of a region, and the type of a function's results.
pub struct Built {
    pub unit: Unit,
    pub result: Option<Bits>,
    pub sample: Option<ObservedType>,
    /// A function that does so little that entering it from the interpreter takes longer.
    pub is_short: bool,
    /// Its frame may be looked at while it runs; it calls itself.
    pub needs_frame: bool,
    pub calls_itself: bool,
    /// It may free things and does not look for destructors that wait: it must not run once there are some.
    pub may_free: bool,
    /// For who inlines it: oplines, the cells before its temporaries, and what there is in `Translator`.
    pub(crate) before_tmps: u32,
    pub(crate) oplines: usize,
    pub(crate) collects_feedback: bool,
    pub(crate) seen: HashMap<ValueId, ObservedType>,
    pub(crate) classes: HashMap<ValueId, u64>,
}

/// A function that may be inlined.
pub struct Inlined {
    pub built: Built,
    /// The address of its first opline.
    pub oplines: u64,
}
