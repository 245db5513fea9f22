//! The state of a translation: the frame as it is at an opline, and what has been found out on the way there.

use crate::host::Callee;
use crate::input::CompileInput;
use crate::profile::ObservedType;
use crate::translate::liveness::Liveness;
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::{BlockId, Builder, FLUSHED, ValueId};
use std::collections::{HashMap, HashSet};

/// Versions of one opline, and oplines in all, that a region may have.
pub(crate) const MAX_VERSIONS: usize = 6;
/// The same behind a call, where results of each kind go on until they are used.
pub(crate) const MAX_BEHIND_CALLS: usize = 16;
pub(crate) const MAX_OPLINES: usize = 500;
pub(crate) const MAX_CELLS: u32 = 200;
/// Oplines that take the interpreter no longer than entering compiled code does.
pub(crate) const SHORT: usize = 30;
/// Oplines that there should be for each call that the interpreter makes.
pub(crate) const OPLINES_FOR_CALL: usize = 8;
/// The same for calls of what values name: the interpreter makes those without a run of its own.
pub(crate) const OPLINES_FOR_OPENED: usize = 16;

/// In the key of a version: a variable is in the frame.
pub(crate) const FLUSHED_KEY: u64 = 1 << 37;
/// The key of [`Loc::Idle`].
pub(crate) const IDLE_KEY: u64 = 1 << 39;

/// Where the value of a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loc {
    /// In memory, and nothing is known about it.
    Memory,
    /// In memory, where something else may have changed it; it was of these kinds.
    Flushed(Bits),
    /// In memory, where it is nothing that is counted and nobody else writes it. It is dead.
    Idle,
    /// The start of the header of a pending call, all of which is in memory.
    Pending,
    /// A temporary that holds nothing.
    Empty,
    /// In SSA; memory is stale. Counted values are borrowed: somebody else holds them as long as the region runs, or another
    /// place of the state owns the same value.
    Value(ValueId),
    /// In SSA, with a reference of its own; memory is stale.
    Owned(ValueId),
    /// In memory and in SSA: the region never writes it.
    Fixed(ValueId),
}

/// The cells of the frame. The first cell of a pending call's header holds the function that is to be called; exits write
/// the whole header.
#[derive(Clone, Debug)]
pub(crate) struct FrameState {
    pub cells: Vec<Loc>,
}

pub(crate) struct BlockVersion {
    pub key: Vec<u64>,
    pub block: BlockId,
}

/// Where a path goes on.
pub(crate) struct PendingPath {
    pub block: BlockId,
    pub opline: u32,
    pub state: FrameState,
}

/// What is known of the oplines of a region before any is translated.
pub(crate) struct Outline {
    /// Cells that the region writes.
    pub written: Vec<bool>,
    /// Where paths meet.
    pub is_join: Vec<bool>,
    /// Ways to a call meet there, and nothing else.
    pub is_meeting: Vec<bool>,
    /// Heads of loops.
    pub is_header: Vec<bool>,
    /// Where the region's own loop is gone round.
    pub closing: Vec<bool>,
    /// The first opline of the region.
    pub first: u32,
    /// The last opline of the region.
    pub end: u32,
    /// Variables that `global` and `static` bind, with what their references held when the region was made.
    pub bound: HashMap<usize, ObservedType>,
    /// Which variables are live.
    pub liveness: Liveness,
    /// Variables that nobody reads any more may be forgotten.
    pub drops_dead: bool,
}

/// What is known of values beyond their types.
pub(crate) struct Knowledge {
    /// Samples of values.
    pub samples: HashMap<ValueId, ObservedType>,
    /// Arrays that were empty a moment ago, and have got elements that make lists of them.
    pub lists: HashSet<ValueId>,
    /// Classes of objects that have been made here, or that an opline has looked at.
    pub classes: HashMap<ValueId, u64>,
    /// Classes that objects in variables were likely to be of when those went to the frame.
    pub variable_classes: HashMap<usize, u64>,
    /// The names of functions that are called.
    pub callees: HashMap<ValueId, Vec<u8>>,
    /// Methods of Generator that resume one, and whether they send something.
    pub steppers: HashMap<ValueId, bool>,
    /// The short ways of builtin functions.
    pub fast_paths: HashMap<ValueId, u64>,
    /// The PHP functions of pending calls, by their constants.
    pub targets: HashMap<ValueId, Callee>,
}

/// Variables that are references, or are about to be.
pub(crate) struct References {
    /// Variables that are references.
    pub has_references: bool,
    /// Variables that are passed by reference here.
    pub passed: Vec<u32>,
    /// What such variables of functions held before, where that is known.
    pub held_before: HashMap<usize, Bits>,
    /// It is a function that passes variables of its own by reference: from then on those lie in the frame.
    pub passes_own: bool,
    /// Variables that are passed by reference to builtin functions.
    pub boxes: Boxes,
    /// Values that were fetched from references in variables.
    pub fetched: HashSet<ValueId>,
    /// What the references that parameters and such variables are hold, for the opline that is followed.
    pub contents: HashMap<usize, ValueId>,
}

/// How far the translation is.
pub(crate) struct Progress {
    /// The block versions of oplines where paths meet.
    pub versions: HashMap<u32, Vec<BlockVersion>>,
    /// Paths that are still to be followed.
    pub work: Vec<PendingPath>,
    /// Paths that wait until the type of the function's results is known.
    pub deferred: Vec<PendingPath>,
    /// How many oplines have been translated, in all versions.
    pub oplines: usize,
    /// How many oplines of inlined functions.
    pub inlined_oplines: usize,
    /// Which oplines are translated.
    pub followed: Vec<bool>,
    /// Oplines that are not translated, calls with the name of the function.
    pub unsupported: Vec<(u32, Option<String>)>,
    /// Some path goes round the region's own loop.
    pub closes: bool,
    /// Some path goes round a loop.
    pub goes_round: bool,
    /// No way to a result has been found that does not need one.
    pub no_result: bool,
}

/// What the unit turns out to be.
pub(crate) struct Outcome {
    /// It calls compiled functions.
    pub has_calls: bool,
    /// The frame may be looked at while other functions run.
    pub needs_frame: bool,
    /// It calls itself.
    pub calls_itself: bool,
    /// Where the interpreter makes calls.
    pub nested: Vec<u32>,
    /// Where compiled code makes calls.
    pub direct: Vec<u32>,
    /// How many oplines the interpreter executes.
    pub interpreter_steps: usize,
    /// What is left for is noted, so that the next version goes on there.
    pub collects_feedback: bool,
    /// Something may be freed, here or in a function that is called.
    pub may_free: bool,
    /// The type of the function's results, once it is known.
    pub result: Option<Bits>,
    /// Some path returns.
    pub returns: bool,
    /// A sample of the results.
    pub result_sample: Option<ObservedType>,
}

/// The translation of one region.
pub(crate) struct Translator<'a> {
    pub input: &'a CompileInput<'a>,
    pub b: Builder,
    pub fp: ValueId,
    /// The opline that is translated may have freed something.
    pub has_released: bool,
    /// What variables were when the region was entered.
    pub entered: Vec<Loc>,
    /// References that the opline takes, and those that it gives up, at its end.
    pub retained: Vec<ValueId>,
    pub dying: Vec<ValueId>,
    pub outline: Outline,
    pub known: Knowledge,
    pub references: References,
    pub progress: Progress,
    pub outcome: Outcome,
}

/// How an opline ends.
pub(crate) enum Flow {
    Next,
    /// Leaves the region before the opline.
    Stop,
    /// The block is complete.
    Done,
    /// Waits until the type of the function's results is known.
    Wait,
}

/// What a region boxes.
#[derive(Default)]
pub(crate) struct Boxes {
    /// The functions of calls, by the oplines that prepare them: address, name, short way.
    pub calls: HashMap<u32, (u64, Vec<u8>, u64)>,
    /// Oplines that pass a variable.
    pub sends: HashSet<u32>,
    pub variables: HashSet<usize>,
    /// What variables were before they were boxed.
    pub before: HashMap<usize, (Bits, Option<ObservedType>)>,
}

/// What a result may be.
pub(crate) struct Kinds<'a> {
    pub kinds: &'a [Bits],
    /// It is nothing else.
    pub are_all: bool,
    pub sample: Option<ObservedType>,
}

/// How the interpreter may run something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// The variables are shown in the frame.
    Shown,
    /// The frame gets its variables back.
    Flushed,
}

impl Nesting {
    /// In the flags of a call.
    pub(crate) fn flag(self) -> u32 {
        if self == Nesting::Flushed { FLUSHED } else { 0 }
    }
}

/// The kinds of a type, without what is known beyond them.
pub(crate) fn kinds_of(ty: Type) -> Bits {
    let bits = ty.bits();
    if bits & !hhir::BOOL == 0 { hhir::BOOL } else { bits }
}
