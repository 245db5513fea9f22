//! From the oplines of a loop to HHIR.
//!
//! A path through the oplines is followed with a state: which cells of the frame have their values in SSA, and of what
//! types. Where paths meet, a block is made for each combination of types that gets there, so a variable that starts as
//! an integer and goes on as a float has a version of the loop for each. What cannot be followed leaves the region.

use crate::translate::bound_variables::bound_variables;
use crate::translate::by_ref_args::Boxes;
use crate::translate::calls::GUARD_CELL;
use crate::translate::liveness::{Liveness, reads_by_operands};
use crate::translate::refcounts::{OWNS, can_become};
use crate::input::{Callee, Region, Seen, Start};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Def, Hint, Hold, Literal, Slot, SnapEntry, Unit};
use phlox_hhir::{BlockId, Builder, FrameId, FuncId, Op, SnapId, ValueId};
use phlox_lower::{NO_TARGET, OpCode, Operand, Opline};
use phlox_value::raw;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Versions of one opline, and oplines in all, that a region may have.
pub(crate) const MOST_VERSIONS: usize = 6;
/// The same behind a call, where results of each kind go on until they are used.
const MOST_BEHIND_CALLS: usize = 16;
pub(crate) const MOST_OPLINES: usize = 500;
const MOST_CELLS: u32 = 200;
/// Oplines that take the interpreter no longer than entering compiled code does.
const SHORT: usize = 30;
/// Oplines that there should be for each call that the interpreter makes.
const OPLINES_FOR_CALL: usize = 8;
/// The same for calls of what values name: the interpreter makes those without a run of its own.
const OPLINES_FOR_OPENED: usize = 16;

/// In the key of a version: a variable is in the frame.
pub(crate) const FLUSHED_KEY: u64 = 1 << 37;
/// The key of [`Place::Idle`].
pub(crate) const IDLE_KEY: u64 = 1 << 39;

/// Where the value of a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
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
pub(crate) struct State {
    pub cells: Vec<Place>,
}

pub(crate) struct Version {
    pub key: Vec<u64>,
    block: BlockId,
}

/// Where a path goes on.
pub(crate) struct Path {
    pub block: BlockId,
    pub opline: u32,
    pub state: State,
}

pub(crate) struct Build<'a> {
    pub region: &'a Region<'a>,
    pub b: Builder,
    pub fp: ValueId,
    /// Cells that the region writes.
    pub written: Vec<bool>,
    pub is_join: Vec<bool>,
    /// Ways to a call meet there, and nothing else.
    pub is_meeting: Vec<bool>,
    pub is_header: Vec<bool>,
    /// Where the region's own loop is gone round.
    closing: Vec<bool>,
    pub first: u32,
    pub end: u32,
    pub versions: HashMap<u32, Vec<Version>>,
    pub work: Vec<Path>,
    /// Samples of arrays.
    pub seen: HashMap<ValueId, Seen>,
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
    pub quick: HashMap<ValueId, u64>,
    pub oplines: usize,
    /// How many of them are of inlined functions.
    pub inlined: usize,
    /// Which of them are followed.
    followed: Vec<bool>,
    /// Oplines that are not followed, calls with the name of the function.
    unsupported: Vec<(u32, Option<String>)>,
    /// Some path goes round the loop; round any loop.
    closes: bool,
    goes_round: bool,
    /// Calls of compiled functions.
    pub has_calls: bool,
    /// The frame may be looked at while other functions run; calls of itself; calls that the interpreter makes.
    pub framed: bool,
    pub calls_itself: bool,
    /// Where the interpreter makes calls, and where compiled code does.
    pub nested: Vec<u32>,
    pub direct: Vec<u32>,
    /// Oplines that the interpreter does.
    pub steps: usize,
    /// Variables that are references.
    pub has_references: bool,
    /// Variables that are passed by reference here.
    pub sent: Vec<u32>,
    /// What such variables of functions held before, where that is known.
    pub held_before: HashMap<usize, Bits>,
    /// It is a function that passes variables of its own by reference: from then on those lie in the frame.
    pub sends: bool,
    /// Variables that are passed by reference to builtin functions.
    pub boxes: Boxes,
    /// What has been fetched from references in variables of such a function.
    pub fetched: HashSet<ValueId>,
    /// Variables that `global` and `static` bind, with what their references held when the region was made.
    pub bound: HashMap<usize, Seen>,
    /// What the references that parameters and such variables are hold, for the opline that is followed.
    pub inner: HashMap<usize, ValueId>,
    /// What is left for is noted, so that the next version goes on there.
    pub learns: bool,
    /// No way to a result has been found that does not need one.
    pub no_result: bool,
    /// Something may be freed, here or in a function that is called.
    pub frees: bool,
    /// The same of the opline that is followed.
    pub has_freed: bool,
    /// The PHP functions of pending calls, by their constants.
    pub targets: HashMap<ValueId, Callee>,
    /// The type of the function's results, once it is known.
    pub result: Option<Bits>,
    pub returns: bool,
    result_sample: Option<Seen>,
    /// Paths that wait for it.
    deferred: Vec<Path>,
    /// What variables were when the region was entered.
    pub entered: Vec<Place>,
    pub liveness: Liveness,
    /// Variables that nobody reads any more may be forgotten.
    pub drops_dead: bool,
    /// References that the opline takes, and those that it gives up, at its end.
    pub retained: Vec<ValueId>,
    pub dying: Vec<ValueId>,
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

/// A number that tells units apart: equal units have equal ones.
pub fn fingerprint(unit: &Unit) -> u64 {
    let mut hasher = DefaultHasher::new();
    (unit.bets, unit.careful).hash(&mut hasher);
    for inst in &unit.insts {
        (inst.op, inst.edge, inst.ty.bits(), inst.imm).hash(&mut hasher);
        unit.srcs(inst).hash(&mut hasher);
    }
    for value in &unit.values {
        if let Def::Const(constant) = value.def {
            constant.hash(&mut hasher);
        }
    }
    for literal in &unit.literals {
        let (Literal::Str { handle, .. } | Literal::Arr { handle, .. }) = literal;
        handle.hash(&mut hasher);
    }
    hasher.finish()
}

/// How much there is to compile, so that it can be told what is large: instructions, but for those that are there because of
/// destructors.
pub fn size(unit: &Unit) -> usize {
    unit.insts.iter().filter(|inst| inst.op != Op::CheckDestructors).count()
}

/// Makes the unit of a region.
///
/// # Errors
/// Why there is nothing to gain.
pub fn build(region: &Region) -> Result<Built, String> {
    if region.cell_count() > MOST_CELLS {
        return Err("the frame is too large".to_owned());
    }
    let count = region.lowered.ops.len();
    let (mut is_join, mut is_header) = (vec![false; count], vec![false; count]);
    for (at, op) in region.lowered.ops.iter().enumerate() {
        if op.target != NO_TARGET {
            is_join[op.target as usize] = true;
            is_header[op.target as usize] |= op.target as usize <= at;
        }
    }
    // Loops that are entered at their condition.
    let mut closing = vec![false; count];
    closing[region.header as usize] = true;
    let jumps = || region.lowered.ops.iter().enumerate().filter(|(_, op)| op.target != NO_TARGET);
    for (last, back) in jumps().filter(|(at, op)| op.target as usize <= *at) {
        let head = back.target as usize;
        for (_, enters) in jumps().filter(|(at, _)| *at < head) {
            let to = enters.target as usize;
            let enters = head < to && to <= last;
            is_header[to] |= enters;
            closing[to] |= enters && back.target == region.header;
        }
    }
    let mut b = Builder::new(FuncId(0), region.header);
    b.unit.bets = !region.is_lazy && !matches!(region.start, Start::Function(_));
    let fp = b.frame_ptr();
    let mut build = Build {
        region,
        b,
        fp,
        written: vec![false; region.cell_count() as usize],
        is_join,
        is_meeting: vec![false; count],
        is_header,
        closing,
        first: region.range().0,
        end: region.range().1,
        versions: HashMap::new(),
        work: Vec::new(),
        seen: HashMap::new(),
        lists: HashSet::new(),
        classes: HashMap::new(),
        variable_classes: HashMap::new(),
        callees: HashMap::new(),
        steppers: HashMap::new(),
        quick: HashMap::new(),
        oplines: 0,
        inlined: 0,
        followed: vec![false; count],
        unsupported: Vec::new(),
        closes: false,
        goes_round: false,
        has_calls: false,
        frees: false,
        has_freed: false,
        framed: false,
        calls_itself: false,
        nested: Vec::new(),
        direct: Vec::new(),
        steps: 0,
        bound: bound_variables(region),
        has_references: false,
        sent: Vec::new(),
        held_before: HashMap::new(),
        sends: false,
        boxes: Boxes::default(),
        fetched: HashSet::new(),
        inner: HashMap::new(),
        learns: false,
        no_result: false,
        targets: HashMap::new(),
        result: None,
        returns: false,
        result_sample: None,
        deferred: Vec::new(),
        entered: Vec::new(),
        liveness: Liveness::of(region),
        drops_dead: matches!(region.start, Start::Function(_)) && reads_by_operands(region),
        retained: Vec::new(),
        dying: Vec::new(),
    };
    build.note_writes();
    build.note_boxes();
    build.has_references = build.passes_references();
    if build.has_references && matches!(region.start, Start::Function(_)) {
        build.sends = !build.passes_references_on();
        build.has_references = false;
    }
    build.note_sent();
    let state = match region.start {
        Start::Loop | Start::Body => build.enter(),
        Start::Function(wanted) => build.enter_function(wanted),
    };
    build.entered.clone_from(&state.cells);
    build.go(region.header, state);
    loop {
        let ready = build.result.is_some();
        let path = build.next_path().or_else(|| if ready { build.deferred.pop() } else { None });
        let path = match path {
            Some(path) => path,
            None if !build.no_result && !build.deferred.is_empty() => {
                build.no_result = true;
                build.result = Some(0);
                continue;
            }
            None => break,
        };
        build.b.switch_to(path.block);
        build.follow(path.opline, path.state);
    }
    let at = |(opline, callee): &(u32, Option<String>)| {
        let name = region.op(*opline).op.name();
        format!("{name} at {opline}{}", callee.as_deref().map_or_else(String::new, |callee| format!(" ({callee})")))
    };
    let places: Vec<String> = build.unsupported.iter().map(at).collect();
    // What leaves on each trip is slower than the interpreter.
    let is_unsupported = |at: u32| build.unsupported.iter().any(|(other, _)| *other == at);
    let backs = (build.first..=build.end).filter(|&at| region.op(at).target == region.header);
    let never_closes = !build.closes && backs.clone().count() > 0 && backs.clone().all(is_unsupported);
    match region.start {
        Start::Loop if never_closes => Err(format!("no way round can be followed: {}", places.join(", "))),
        Start::Loop if !build.closes && !build.learns => {
            Err(format!("no way round is followed: {}", places.join(", ")))
        }
        Start::Function(_) | Start::Body if !build.returns && !build.learns => {
            Err(format!("no way to a result is followed: {}", places.join(", ")))
        }
        // Entering the interpreter and coming back takes longer than a call there.
        _ if build.followed.iter().filter(|is| **is).count() < build.weight_of_calls() => {
            let calls: Vec<String> = build.slow_calls().iter().map(|&opline| at(&(opline, None))).collect();
            Err(format!("calls of what is not compiled: {}", calls.join(", ")))
        }
        _ => Ok(Built {
            result: build.result.filter(|&result| result != 0),
            sample: build.result_sample,
            is_short: !build.goes_round && !build.has_calls && build.oplines < SHORT,
            // What destructors there are is looked at where it matters.
            frees: build.frees && !region.shape.has_destructors,
            framed: build.framed,
            calls_itself: build.calls_itself,
            before_tmps: region.before_tmps(),
            oplines: build.oplines,
            learns: build.learns,
            seen: build.seen,
            classes: build.classes,
            unit: build.b.finish(),
        }),
    }
}

/// The unit of a region, and the type of a function's results.
pub struct Built {
    pub unit: Unit,
    pub result: Option<Bits>,
    pub sample: Option<Seen>,
    /// A function that does so little that entering it from the interpreter takes longer.
    pub is_short: bool,
    /// Its frame may be looked at while it runs; it calls itself.
    pub framed: bool,
    pub calls_itself: bool,
    /// It may free things and does not look for destructors that wait: it must not run once there are some.
    pub frees: bool,
    /// For who inlines it: oplines, the cells before its temporaries, and what there is in `Build`.
    pub(crate) before_tmps: u32,
    pub(crate) oplines: usize,
    pub(crate) learns: bool,
    pub(crate) seen: HashMap<ValueId, Seen>,
    pub(crate) classes: HashMap<ValueId, u64>,
}

/// The address whose halves are an instruction's first numbers.
pub(crate) fn address(inst: &phlox_hhir::unit::Inst) -> u64 {
    u64::from(inst.imm[1]) << 32 | u64::from(inst.imm[0])
}

/// The kinds of a type, without what is known beyond them.
pub(crate) fn kinds_of(ty: Type) -> Bits {
    let bits = ty.bits();
    if bits & !hhir::BOOL == 0 { hhir::BOOL } else { bits }
}

impl Build<'_> {
    pub fn cell(&self, operand: Operand) -> Option<usize> {
        self.region.cell(operand).map(|cell| cell as usize)
    }

    /// How many oplines there should be for the calls for which there is no compiled callee at all.
    fn weight_of_calls(&self) -> usize {
        let weight = |at: &u32| if self.is_dynamic_call(*at) { OPLINES_FOR_OPENED } else { OPLINES_FOR_CALL };
        self.slow_calls().iter().map(weight).sum()
    }

    /// Those calls.
    fn slow_calls(&self) -> Vec<u32> {
        let mut slow = self.nested.clone();
        slow.sort_unstable();
        slow.dedup();
        slow.retain(|at| !self.direct.contains(at));
        slow
    }

    /// A result is in memory, and the next opline returns it as it is.
    pub fn gives_on(&self, at: u32, to: Operand) -> bool {
        let Some(next) = self.region.lowered.ops.get(at as usize + 1) else { return false };
        let is_value = self.region.op(at).op != OpCode::CallRef;
        let returns = next.op == OpCode::Ret && next.a == to && matches!(to, Operand::Tmp(_)) && is_value;
        let any = u32::MAX >> (31 - (raw::TI_OBJ & 0xff)) & !1;
        let fits = next.n != 1 || (self.region.taken_kinds)(at + 1) & any == any;
        matches!(self.region.start, Start::Function(_)) && self.region.inlined.is_none() && returns && fits
    }

    /// Returns what is in memory.
    pub fn give_memory(&mut self, pointer: ValueId, kinds: &[Bits], state: &mut State) -> Option<Flow> {
        self.returns = true;
        if !kinds.is_empty() {
            self.result = Some(kinds.iter().fold(self.result.unwrap_or(0), |all, bits| all | bits));
        }
        self.end_variables(state);
        let fp = self.fp;
        self.b.emit(Op::RetMem, Type::TOP, [0; 3], &[fp, pointer], phlox_hhir::unit::Edge::None);
        Some(Flow::Done)
    }

    /// A function's result.
    pub fn give(&mut self, value: ValueId, state: &mut State) -> Option<Flow> {
        let literal = self.kind(value) == hhir::STATIC_STR;
        let value = if literal { self.count_string(value) } else { value };
        let kind = self.kind(value);
        self.result = Some(self.result.unwrap_or(0) | kind);
        self.returns = true;
        if let Some(&seen) = self.seen.get(&value) {
            self.result_sample = Some(seen);
        }
        if self.is_counted(value) && !literal {
            self.retained.push(value);
        }
        self.end_variables(state);
        let fp = self.fp;
        self.b.emit(Op::RetUnit, Type::TOP, [0; 3], &[fp, value], phlox_hhir::unit::Edge::None);
        Some(Flow::Done)
    }

    /// The function returns: what its places own is given up, as is what its variables hold in the frame.
    fn end_variables(&mut self, state: &mut State) {
        let places: Vec<Place> = state.cells.iter_mut().map(|cell| std::mem::replace(cell, Place::Empty)).collect();
        for place in &places {
            if let Place::Owned(owned) = *place {
                self.dying.push(owned);
            }
        }
        self.settle();
        for (cell, place) in places.iter().enumerate().take(self.region.locals as usize) {
            if matches!(place, Place::Flushed(_) | Place::Fixed(_)) {
                self.drop_in_frame(cell);
            }
        }
    }

    /// What the interpreter needs at an opline.
    pub fn snap(&mut self, opline: u32, state: &State) -> SnapId {
        let mut entries = Vec::new();
        for (cell, place) in state.cells.iter().enumerate() {
            let (value, hold) = match *place {
                Place::Value(value) if self.b.ty(value).is(hhir::CLS) && self.is_guard(cell, state) => continue,
                Place::Value(value) if self.b.ty(value).maybe_counted() => (value, Hold::Copy),
                Place::Value(value) | Place::Owned(value) => (value, Hold::Move),
                _ => continue,
            };
            entries.push(SnapEntry { slot: Slot::Local(cell as u32), value, hold });
        }
        self.b.snap(FrameId(0), opline, entries, None)
    }

    /// Whether a cell has the class that a pending call is guarded with.
    fn is_guard(&self, cell: usize, state: &State) -> bool {
        let header = cell.checked_sub(GUARD_CELL).map(|header| state.cells[header]);
        matches!(header, Some(Place::Value(callee)) if self.b.ty(callee).is(hhir::FUNC))
    }

    /// The kinds of a value, without what is known beyond them.
    pub fn kind(&self, value: ValueId) -> Bits {
        kinds_of(self.b.ty(value))
    }

    pub(crate) fn key(&self, state: &State) -> Vec<u64> {
        let code = |place: &Place| match *place {
            Place::Memory => 1 << 36,
            Place::Flushed(bits) => FLUSHED_KEY | u64::from(bits),
            Place::Pending => 1 << 38,
            Place::Idle => IDLE_KEY,
            Place::Empty => 1 << 32,
            Place::Fixed(_) => 1 << 33,
            Place::Value(value) if self.b.ty(value).is(hhir::FUNC | hhir::CLS | hhir::NULLPTR) => {
                u64::from(value.0) | 1 << 34
            }
            Place::Value(value) => u64::from(self.kind(value)),
            Place::Owned(value) => u64::from(self.kind(value)) | OWNS,
        };
        state.cells.iter().map(code).collect()
    }

    /// Goes to an opline at the end of the current block.
    pub fn go(&mut self, opline: u32, state: State) {
        self.settle();
        if self.has_freed {
            self.check_destructors(opline, &state);
        }
        self.go_to(opline, state);
    }

    /// As [`go`](Self::go), where nothing is left to be settled.
    fn go_to(&mut self, opline: u32, mut state: State) {
        if opline < self.first || opline > self.end {
            let snap = self.snap(opline, &state);
            return self.b.exit(snap);
        }
        if !self.is_join[opline as usize] {
            let block = self.b.block();
            return self.work.push(Path { block, opline, state });
        }
        self.forget_dead(opline, &mut state);
        self.hold_at_join(opline, &mut state);
        self.forget_fetched(&mut state);
        self.shed_dead(opline, &mut state);
        let key = self.key(&state);
        let versions = self.versions.entry(opline).or_default();
        let known = versions.iter().find(|version| version.key == key).map(|version| version.block);
        let near = versions.iter().find(|version| can_become(&key, &version.key));
        if let (None, Some(near)) = (known, near) {
            let wanted = near.key.clone();
            self.become_owners(&key, &wanted, &mut state);
            self.settle();
            return self.go_to(opline, state);
        }
        let count = versions.len();
        if known.is_none() && count > 1 && !self.is_function() {
            let versions = &self.versions[&opline];
            let near = versions.iter().find(|version| self.fits_but_dead(opline, &key, &version.key));
            if let Some(wanted) = near.map(|near| near.key.clone()) {
                self.give_back_dead(&key, &wanted, &mut state);
                self.become_owners(&self.key(&state), &wanted, &mut state);
                self.settle();
                return self.enter_version(opline, &wanted, state);
            }
        }
        let versions = &self.versions[&opline];
        let wider = versions
            .iter()
            .find(|version| self.can_widen(opline, &key, &version.key))
            .map(|version| version.key.clone());
        if let (None, Some(wanted)) = (known, wider.or_else(|| self.common_key(opline, &key))) {
            self.widen(&key, &wanted, &mut state);
            self.settle();
            return self.enter_version(opline, &wanted, state);
        }
        let most = match self.is_meeting[opline as usize] {
            true => MOST_BEHIND_CALLS,
            // As long as there is room for more.
            false if self.oplines < MOST_OPLINES / 2 => 2 * MOST_VERSIONS,
            false => MOST_VERSIONS,
        };
        if known.is_none() && count >= most {
            let snap = self.snap(opline, &state);
            return self.b.retranslate(snap);
        }
        self.enter_version(opline, &key, state);
    }

    /// The path that is followed next: of those that are furthest back the last one. What is followed later may find that the
    /// oplines a unit may have are used up; that is then the end of the function on all ways, and not all of it on some.
    fn next_path(&mut self) -> Option<Path> {
        let first = self.work.iter().map(|path| path.opline).min()?;
        let at = self.work.iter().rposition(|path| path.opline == first)?;
        Some(self.work.remove(at))
    }

    /// Goes to a version of an opline, which is made if it is not there.
    fn enter_version(&mut self, opline: u32, key: &[u64], state: State) {
        let versions = self.versions.entry(opline).or_default();
        let known = versions.iter().find(|version| version.key == key).map(|version| version.block);
        let is_back = known.is_some() && self.is_header[opline as usize];
        self.closes |= is_back && self.closing[opline as usize];
        self.goes_round |= is_back;
        if self.is_header[opline as usize] && !is_back {
            let snap = self.snap(opline, &state);
            self.b.exit_placeholder(snap);
        }
        let mut args = Vec::new();
        let mut inner = state.clone();
        let block = known.unwrap_or_else(|| self.b.new_block(Hint::Neutral));
        for (cell, place) in state.cells.iter().enumerate() {
            let (Place::Value(value) | Place::Owned(value)) = *place else { continue };
            if self.b.ty(value).is(hhir::FUNC | hhir::CLS | hhir::NULLPTR) {
                continue;
            }
            let ty = Type::of(key[cell] as Bits);
            if let Some(constant) = Unit::const_of_type(ty) {
                inner.cells[cell] = Place::Value(self.b.unit.constant(constant));
                continue;
            }
            args.push(value);
            if known.is_none() {
                let param = self.b.unit.add_param(block, ty);
                if let Some(&seen) = self.seen.get(&value) {
                    self.seen.insert(param, seen);
                }
                if self.lists.contains(&value) {
                    self.lists.insert(param);
                }
                if let Some(&class) = self.classes.get(&value) {
                    self.classes.insert(param, class);
                }
                inner.cells[cell] = match place {
                    Place::Owned(_) => Place::Owned(param),
                    _ => Place::Value(param),
                };
            }
        }
        self.b.jmp(block, &args);
        if known.is_none() {
            self.versions.entry(opline).or_default().push(Version { key: key.to_vec(), block });
            self.work.push(Path { block, opline, state: inner });
        }
    }

    /// A two-way branch: to `taken` if the condition holds, else to `other`.
    pub fn branch(&mut self, condition: ValueId, taken: u32, other: u32, state: State) {
        self.settle();
        let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
        self.b.branch(condition, yes, no);
        let known = self.b.ty(condition).as_bool();
        if known != Some(false) {
            self.b.switch_to(yes);
            let mut state = state.clone();
            self.learn_from(condition, true, &mut state);
            self.go(taken, state);
        }
        if known != Some(true) {
            self.b.switch_to(no);
            let mut state = state;
            self.learn_from(condition, false, &mut state);
            self.go(other, state);
        }
    }

    fn follow(&mut self, mut opline: u32, mut state: State) {
        loop {
            self.oplines += 1;
            self.followed[opline as usize] = true;
            self.has_freed = false;
            self.b.at(FrameId(0), opline);
            let op = *self.region.op(opline);
            if self.oplines > MOST_OPLINES {
                return self.stop(opline, &state);
            }
            if op.target != NO_TARGET && op.target <= opline {
                let snap = self.snap(opline, &state);
                let fp = self.fp;
                let edge = phlox_hhir::unit::Edge::Exit(snap);
                self.b.emit(Op::CheckSurpriseFlags, Type::TOP, [0; 3], &[fp], edge);
            }
            self.reload(opline, &op, &mut state);
            self.hold_lent(op.op, &mut state);
            self.clear_header(&op, &mut state);
            let before = state.clone();
            match self.opline(opline, &op, &mut state, &before) {
                // What a way that was left would have taken is nothing to the next one.
                Flow::Done => return self.forget_pending(),
                Flow::Stop => {
                    self.forget_pending();
                    return self.stop(opline, &before);
                }
                Flow::Wait => {
                    self.forget_pending();
                    let block = self.b.block();
                    return self.deferred.push(Path { block, opline, state: before });
                }
                Flow::Next => self.settle(),
            }
            opline += 1;
            let joins = self.is_join.get(opline as usize).copied().unwrap_or(false);
            if opline > self.end || joins {
                return self.go(opline, state);
            }
            if self.has_freed {
                self.check_destructors(opline, &state);
            }
        }
    }

    /// The opline may free something.
    pub(crate) fn may_free(&mut self) {
        self.frees = true;
        self.has_freed = true;
    }

    /// A function that is called may free things: what destructors it leaves, this opline has to look at.
    pub(crate) fn frees_in_callee(&mut self, frees: bool) {
        self.frees |= frees;
        self.has_freed = true;
    }

    /// Behind an opline that has freed something, before the next one: destructors run there, in the interpreter.
    fn check_destructors(&mut self, next: u32, state: &State) {
        if self.region.shape.has_destructors {
            let snap = self.snap(next, state);
            self.b.emit(Op::CheckDestructors, Type::TOP, [0; 3], &[], phlox_hhir::unit::Edge::Exit(snap));
        }
    }

    fn stop(&mut self, opline: u32, state: &State) {
        let header = self.region.op(opline).a;
        let callee = self.callee(header, state).and_then(|callee| self.callees.get(&callee));
        let callee = callee.map(|name| String::from_utf8_lossy(name).into_owned());
        self.unsupported.push((opline, callee));
        let snap = self.snap(opline, state);
        self.b.retranslate(snap);
    }

    fn opline(&mut self, at: u32, op: &Opline, state: &mut State, before: &State) -> Flow {
        if let Some(flow) = self.take_apart(at, op, state) {
            return flow;
        }
        let block = self.b.block();
        let done = self.b.unit.block(block).insts.len();
        if let Some(flow) = self.translate(at, op, state) {
            return flow;
        }
        // An opline that gives up has not changed what is in memory, but for what it has put there that was there.
        if self.b.block() == block {
            self.b.unit.blocks[block.at()].insts.truncate(done);
        }
        state.cells.clone_from(&before.cells);
        self.forget_pending();
        if let Some(flow) = self.take_moved_apart(at, op, state) {
            return flow;
        }
        self.step_in_interpreter(at, op, state).unwrap_or(Flow::Stop)
    }
}
