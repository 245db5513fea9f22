//! The state of a translation: where the values of a frame's cells are at an opline, and what is known about them.

use crate::host::{Callee, FastPath};
use crate::input::CompileInput;
use crate::profile::ObservedType;
use crate::translate::liveness::Liveness;
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::{BlockId, Builder, ClassId, FLUSHED, FuncId, ValueId};
use std::collections::{HashMap, HashSet};

/// Block versions of one opline that a region may have.
pub(crate) const MAX_VERSIONS: usize = 6;
/// Block versions of an opline behind a call, where results of each type go on separately until they are used.
pub(crate) const MAX_BEHIND_CALLS: usize = 16;
/// Oplines that a region may have, counting each block version.
pub(crate) const MAX_OPLINES: usize = 500;
/// Cells that the frame of a region may have.
pub(crate) const MAX_CELLS: u32 = 200;
/// Functions with fewer oplines take the interpreter no longer than entering compiled code does.
pub(crate) const SHORT: usize = 30;
/// Oplines that a region should have for each call that the interpreter makes for it.
pub(crate) const OPLINES_FOR_CALL: usize = 8;
/// Oplines that a region should have for each such call of a callee that a value names; the interpreter needs no run of its own
/// for those.
pub(crate) const OPLINES_FOR_OPENED: usize = 16;

/// In the key of a block version: a variable is in the frame ([`Loc::Flushed`]).
pub(crate) const FLUSHED_KEY: u64 = 1 << 37;
/// In the key of a block version: [`Loc::Idle`].
pub(crate) const IDLE_KEY: u64 = 1 << 39;

/// Where the value of a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loc {
    /// In memory; nothing is known about the value.
    Memory,
    /// In memory, where other code may have changed it since; it was of these types.
    Flushed(Bits),
    /// In memory, dead, and not counted; no other code writes it.
    Idle,
    /// The first cell of the header of a pending call, all of which is in memory.
    Pending,
    /// A temporary that holds nothing.
    Empty,
    /// In SSA; memory is stale. A counted value is borrowed: its reference is held from outside as long as the region runs, or
    /// another cell of the state owns the value.
    Value(ValueId),
    /// In SSA, with a reference of its own; memory is stale.
    Owned(ValueId),
    /// In memory and in SSA: the region never writes the cell.
    Fixed(ValueId),
}

/// The locations of all cells of the frame. The first cell of a pending call's header holds the function that is to be called; a
/// side exit writes the whole header.
#[derive(Clone, Debug)]
pub(crate) struct FrameState {
    pub cells: Vec<Loc>,
}

/// A block version: the block for one combination of the cells' types.
pub(crate) struct BlockVersion {
    /// The types and locations of the cells, as [`Translator::key`] encodes them.
    pub key: Vec<u64>,
    /// The block.
    pub block: BlockId,
}

/// A path that is still to be translated.
pub(crate) struct PendingPath {
    /// The block in which the path goes on.
    pub block: BlockId,
    /// The opline with which the path goes on.
    pub opline: u32,
    /// The state there.
    pub state: FrameState,
}

/// What is known of a region's oplines before any of them is translated.
pub(crate) struct Outline {
    /// The cells that the region writes.
    pub written: Vec<bool>,
    /// The oplines at which paths meet.
    pub is_join: Vec<bool>,
    /// The oplines at which nothing meets but the block versions of one call's results.
    pub is_meeting: Vec<bool>,
    /// The headers of loops.
    pub is_header: Vec<bool>,
    /// The oplines at which a path that comes back has closed the region's own loop: its header, or its condition if the loop is
    /// entered there.
    pub closing: Vec<bool>,
    /// The first opline of the region.
    pub first: u32,
    /// The last opline of the region.
    pub end: u32,
    /// The variables that `global` and `static` bind, with samples of what their references held when compilation began.
    pub bound: HashMap<usize, ObservedType>,
    /// Which variables are live where.
    pub liveness: Liveness,
    /// The region may forget variables that are not read any more.
    pub drops_dead: bool,
}

/// What is known of values beyond their types.
pub(crate) struct Knowledge {
    /// Observed types of values.
    pub samples: HashMap<ValueId, ObservedType>,
    /// Arrays that have just been created empty, and have become packed arrays by the elements appended since.
    pub lists: HashSet<ValueId>,
    /// Classes of objects that were created in the region or have been guarded.
    pub classes: HashMap<ValueId, ClassId>,
    /// Likely classes of the objects in variables, from before the variables were spilled to the frame.
    pub variable_classes: HashMap<usize, ClassId>,
    /// The names of the functions that are called.
    pub callees: HashMap<ValueId, Vec<u8>>,
    /// Methods of Generator that resume one, with whether they send a value.
    pub steppers: HashMap<ValueId, bool>,
    /// The addresses of builtin functions' fast paths.
    pub fast_paths: HashMap<ValueId, FastPath>,
    /// The PHP functions of pending calls, by their constants.
    pub targets: HashMap<ValueId, Callee>,
}

/// Variables that are references, or become references.
pub(crate) struct References {
    /// The region has variables that are references.
    pub has_references: bool,
    /// Variables that the region passes by reference.
    pub passed: Vec<u32>,
    /// The types that such variables of a function had before the call, where they are known.
    pub held_before: HashMap<usize, Bits>,
    /// The region is a function that passes variables of its own by reference. From then on these variables lie in the frame.
    pub passes_own: bool,
    /// Variables that are boxed for calls of builtin functions.
    pub boxes: Boxes,
    /// Values that were loaded from the references in variables.
    pub fetched: HashSet<ValueId>,
    /// The values in the references that parameters and bound variables are, loaded for the current opline.
    pub contents: HashMap<usize, ValueId>,
}

/// How far the translation has got.
pub(crate) struct Progress {
    /// The block versions of the oplines where paths meet.
    pub versions: HashMap<u32, Vec<BlockVersion>>,
    /// Paths that are still to be translated.
    pub work: Vec<PendingPath>,
    /// Paths that wait until the type of the function's results is known.
    pub deferred: Vec<PendingPath>,
    /// How many oplines have been translated, counting each block version.
    pub oplines: usize,
    /// How many oplines of inlined functions have been translated.
    pub inlined_oplines: usize,
    /// Which oplines have been translated.
    pub translated: Vec<bool>,
    /// Oplines that could not be translated; calls have the name of their function.
    pub unsupported: Vec<(u32, Option<String>)>,
    /// Some path goes round the region's own loop.
    pub closes_own_loop: bool,
    /// Some path goes round a loop.
    pub closes_some_loop: bool,
    /// No path reaches a result without a call of the function itself; its results are taken to be unknown.
    pub no_result: bool,
}

/// What the translation has found out about the unit.
pub(crate) struct Outcome {
    /// The unit calls compiled functions.
    pub has_calls: bool,
    /// Other code may look at the frame while functions run that the unit calls.
    pub needs_frame: bool,
    /// The unit calls its own function.
    pub calls_itself: bool,
    /// The oplines at which the interpreter makes calls for the unit.
    pub interpreter_calls: Vec<u32>,
    /// The oplines at which compiled code makes calls.
    pub compiled_calls: Vec<u32>,
    /// How many oplines the interpreter executes as single steps.
    pub interpreter_steps: usize,
    /// The unit collects type feedback at side exits that stand for paths not translated yet, so compiling it again can
    /// translate them.
    pub collects_feedback: bool,
    /// The unit may free something, or calls a function that may.
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
    /// What is compiled.
    pub input: &'a CompileInput<'a>,
    /// Builds the unit.
    pub b: Builder,
    /// The frame pointer.
    pub fp: ValueId,
    /// The current opline may have freed something.
    pub has_released: bool,
    /// The locations of the cells at the region's entry.
    pub entered: Vec<Loc>,
    /// References that the current opline takes, which [`Translator::settle`] emits at its end.
    pub retained: Vec<ValueId>,
    /// References that the current opline releases, which [`Translator::settle`] emits at its end.
    pub dying: Vec<ValueId>,
    pub outline: Outline,
    pub known: Knowledge,
    pub references: References,
    pub progress: Progress,
    pub outcome: Outcome,
}

/// How the translation of an opline ends.
pub(crate) enum Flow {
    /// With the next opline.
    Next,
    /// With a side exit before the opline.
    Stop,
    /// With a complete block.
    Done,
    /// With a wait until the type of the function's results is known.
    Wait,
}

/// Variables that the region boxes for calls of builtin functions.
#[derive(Default)]
pub(crate) struct Boxes {
    /// The functions of the calls, by the oplines that prepare them: word for the header, name, and address of the fast path.
    pub calls: HashMap<u32, (FuncId, Vec<u8>, FastPath)>,
    /// The oplines that pass a variable by reference.
    pub sends: HashSet<u32>,
    /// The variables that are boxed.
    pub variables: HashSet<usize>,
    /// The types of the variables before they are boxed, with samples.
    pub before: HashMap<usize, (Bits, Option<ObservedType>)>,
}

/// The types that a result may have.
pub(crate) struct Kinds<'a> {
    /// The types.
    pub kinds: &'a [Bits],
    /// The result has no other type.
    pub are_all: bool,
    /// A sample of the result.
    pub sample: Option<ObservedType>,
}

/// How variables are seen by PHP code that the interpreter runs above the compiled code (re-entry).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reentry {
    /// The variables stay in SSA, and are shown in the frame.
    Shown,
    /// The variables are spilled to the frame.
    Flushed,
}

impl Reentry {
    /// The flag in the numbers of a call.
    pub(crate) fn flag(self) -> u32 {
        if self == Reentry::Flushed { FLUSHED } else { 0 }
    }
}

/// The types of a type as bits, without what is known beyond them; the two booleans are one type.
pub(crate) fn kinds_of(ty: Type) -> Bits {
    let bits = ty.bits();
    if bits & !hhir::BOOL == 0 { hhir::BOOL } else { bits }
}
