//! The translation of a region's oplines to an HHIR unit.
//!
//! Each path through the oplines is translated with a state, which says which cells of the frame have their values in SSA, and
//! of what types. Where paths meet, there is a block version for each combination of types. So a variable that starts as an
//! integer and becomes a float has one version of the loop for each type. What cannot be translated becomes a side exit.

use crate::built::Built;
use crate::call_flags::GUARD_CELL;
use crate::input::{CompileInput, Start};
use crate::translate::bound_variables::bound_variables;
use crate::translate::liveness::{Liveness, reads_by_operands};
use crate::translate::refcounts::{OWNS, can_become};
use crate::translate::state::{
    BlockVersion, Boxes, FLUSHED_KEY, Flow, FrameState, IDLE_KEY, Knowledge, Loc, MAX_BEHIND_CALLS, MAX_CELLS,
    MAX_OPLINES, MAX_VERSIONS, OPLINES_FOR_CALL, OPLINES_FOR_OPENED, Outcome, Outline, PendingPath, Progress,
    References, SHORT, Translator, kinds_of,
};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Def, Hint, Hold, Literal, Slot, SnapEntry, Unit};
use phlox_hhir::{Builder, FrameId, FuncId, Op, SnapId, ValueId};
use phlox_lower::{NO_TARGET, OpCode, Operand, Opline};
use phlox_value::raw;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A hash of a unit, equal for equal units.
pub fn fingerprint(unit: &Unit) -> u64 {
    let mut hasher = DefaultHasher::new();
    (unit.speculates, unit.no_hoisted_guards).hash(&mut hasher);
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

/// The size of a unit as an estimate of the time that compiling it takes: its instructions, without checks for destructors.
pub fn size(unit: &Unit) -> usize {
    unit.insts.iter().filter(|inst| inst.op != Op::CheckDestructors).count()
}

/// Translates a region to a unit.
///
/// # Errors
/// Why nothing is gained by compiling the region.
pub fn build(region: &CompileInput) -> Result<Built, String> {
    if region.cell_count() > MAX_CELLS {
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
    // Loops that are entered at their condition have a second header there.
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
    b.unit.speculates = !region.is_lazy && !matches!(region.start, Start::Function(_));
    let fp = b.frame_ptr();
    let mut build = Translator {
        input: region,
        b,
        fp,
        has_released: false,
        entered: Vec::new(),
        retained: Vec::new(),
        dying: Vec::new(),
        outline: Outline {
            written: vec![false; region.cell_count() as usize],
            is_join,
            is_meeting: vec![false; count],
            is_header,
            closing,
            first: region.range().0,
            end: region.range().1,
            bound: bound_variables(region),
            liveness: Liveness::of(region),
            drops_dead: matches!(region.start, Start::Function(_)) && reads_by_operands(region),
        },
        known: Knowledge {
            samples: HashMap::new(),
            lists: HashSet::new(),
            classes: HashMap::new(),
            variable_classes: HashMap::new(),
            callees: HashMap::new(),
            steppers: HashMap::new(),
            fast_paths: HashMap::new(),
            targets: HashMap::new(),
        },
        references: References {
            has_references: false,
            passed: Vec::new(),
            held_before: HashMap::new(),
            passes_own: false,
            boxes: Boxes::default(),
            fetched: HashSet::new(),
            contents: HashMap::new(),
        },
        progress: Progress {
            versions: HashMap::new(),
            work: Vec::new(),
            deferred: Vec::new(),
            oplines: 0,
            inlined_oplines: 0,
            translated: vec![false; count],
            unsupported: Vec::new(),
            closes_own_loop: false,
            closes_some_loop: false,
            no_result: false,
        },
        outcome: Outcome {
            has_calls: false,
            needs_frame: false,
            calls_itself: false,
            interpreter_calls: Vec::new(),
            compiled_calls: Vec::new(),
            interpreter_steps: 0,
            collects_feedback: false,
            may_free: false,
            result: None,
            returns: false,
            result_sample: None,
        },
    };
    build.note_writes();
    build.note_boxes();
    build.references.has_references = build.passes_references();
    if build.references.has_references && matches!(region.start, Start::Function(_)) {
        build.references.passes_own = !build.passes_references_on();
        build.references.has_references = false;
    }
    build.note_sent();
    let state = match region.start {
        Start::Loop | Start::Body => build.enter(),
        Start::Function(wanted) => build.enter_function(wanted),
    };
    build.entered.clone_from(&state.cells);
    build.go(region.header, state);
    loop {
        let ready = build.outcome.result.is_some();
        let path = build.next_path().or_else(|| if ready { build.progress.deferred.pop() } else { None });
        let path = match path {
            Some(path) => path,
            None if !build.progress.no_result && !build.progress.deferred.is_empty() => {
                build.progress.no_result = true;
                build.outcome.result = Some(0);
                continue;
            }
            None => break,
        };
        build.b.switch_to(path.block);
        build.translate_path(path.opline, path.state);
    }
    let at = |(opline, callee): &(u32, Option<String>)| {
        let name = region.op(*opline).op.name();
        format!("{name} at {opline}{}", callee.as_deref().map_or_else(String::new, |callee| format!(" ({callee})")))
    };
    let places: Vec<String> = build.progress.unsupported.iter().map(at).collect();
    // A loop that takes a side exit in each iteration is slower than the interpreter.
    let is_unsupported = |at: u32| build.progress.unsupported.iter().any(|(other, _)| *other == at);
    let backs = (build.outline.first..=build.outline.end).filter(|&at| region.op(at).target == region.header);
    let never_closes =
        !build.progress.closes_own_loop && backs.clone().count() > 0 && backs.clone().all(is_unsupported);
    match region.start {
        Start::Loop if never_closes => Err(format!("no way round can be followed: {}", places.join(", "))),
        Start::Loop if !build.progress.closes_own_loop && !build.outcome.collects_feedback => {
            Err(format!("no way round is followed: {}", places.join(", ")))
        }
        Start::Function(_) | Start::Body if !build.outcome.returns && !build.outcome.collects_feedback => {
            Err(format!("no way to a result is followed: {}", places.join(", ")))
        }
        // Entering the interpreter and coming back takes longer than a call that the interpreter makes itself.
        _ if build.progress.translated.iter().filter(|is| **is).count() < build.weight_of_calls() => {
            let calls: Vec<String> = build.slow_calls().iter().map(|&opline| at(&(opline, None))).collect();
            Err(format!("calls of what is not compiled: {}", calls.join(", ")))
        }
        _ => Ok(Built {
            result: build.outcome.result.filter(|&result| result != 0),
            sample: build.outcome.result_sample,
            is_short: !build.progress.closes_some_loop && !build.outcome.has_calls && build.progress.oplines < SHORT,
            // A unit with checks for destructors stays valid when a class with a destructor comes up.
            may_free: build.outcome.may_free && !region.shape.has_destructors,
            needs_frame: build.outcome.needs_frame,
            calls_itself: build.outcome.calls_itself,
            before_tmps: region.before_tmps(),
            oplines: build.progress.oplines,
            collects_feedback: build.outcome.collects_feedback,
            seen: build.known.samples,
            classes: build.known.classes,
            unit: build.b.finish(),
        }),
    }
}

/// The address whose halves are the first two numbers of an instruction.
pub(crate) fn address(inst: &phlox_hhir::unit::Inst) -> u64 {
    u64::from(inst.imm[1]) << 32 | u64::from(inst.imm[0])
}

impl Translator<'_> {
    /// The index of the cell of an operand that is a local or temporary.
    pub fn cell(&self, operand: Operand) -> Option<usize> {
        self.input.cell(operand).map(|cell| cell as usize)
    }

    /// The number of oplines that the region should have for the calls that have no compiled callee.
    fn weight_of_calls(&self) -> usize {
        let weight = |at: &u32| if self.is_dynamic_call(*at) { OPLINES_FOR_OPENED } else { OPLINES_FOR_CALL };
        self.slow_calls().iter().map(weight).sum()
    }

    /// The oplines of calls that have no compiled callee in any block version.
    fn slow_calls(&self) -> Vec<u32> {
        let mut slow = self.outcome.interpreter_calls.clone();
        slow.sort_unstable();
        slow.dedup();
        slow.retain(|at| !self.outcome.compiled_calls.contains(at));
        slow
    }

    /// Whether the result of a call is in memory, and the next opline returns it unchanged.
    pub fn gives_on(&self, at: u32, to: Operand) -> bool {
        let Some(next) = self.input.lowered.ops.get(at as usize + 1) else { return false };
        let is_value = self.input.op(at).op != OpCode::CallRef;
        let returns = next.op == OpCode::Ret && next.a == to && matches!(to, Operand::Tmp(_)) && is_value;
        let any = u32::MAX >> (31 - (raw::TI_OBJ & 0xff)) & !1;
        let fits = next.n != 1 || self.input.host.declared_kinds(at + 1) & any == any;
        matches!(self.input.start, Start::Function(_)) && self.input.inlined.is_none() && returns && fits
    }

    /// Returns a value that is in memory.
    pub fn give_memory(&mut self, pointer: ValueId, kinds: &[Bits], state: &mut FrameState) -> Option<Flow> {
        self.outcome.returns = true;
        if !kinds.is_empty() {
            self.outcome.result = Some(kinds.iter().fold(self.outcome.result.unwrap_or(0), |all, bits| all | bits));
        }
        self.end_variables(state);
        let fp = self.fp;
        self.b.emit(Op::RetMem, Type::TOP, [0; 3], &[fp, pointer], phlox_hhir::unit::Edge::None);
        Some(Flow::Done)
    }

    /// Returns a value in SSA.
    pub fn give(&mut self, value: ValueId, state: &mut FrameState) -> Option<Flow> {
        let literal = self.kind(value) == hhir::STATIC_STR;
        let value = if literal { self.count_string(value) } else { value };
        let kind = self.kind(value);
        self.outcome.result = Some(self.outcome.result.unwrap_or(0) | kind);
        self.outcome.returns = true;
        if let Some(&seen) = self.known.samples.get(&value) {
            self.outcome.result_sample = Some(seen);
        }
        if self.is_counted(value) && !literal {
            self.retained.push(value);
        }
        self.end_variables(state);
        let fp = self.fp;
        self.b.emit(Op::RetUnit, Type::TOP, [0; 3], &[fp, value], phlox_hhir::unit::Edge::None);
        Some(Flow::Done)
    }

    /// Releases all that the cells own, and what variables hold in the frame, because the function returns.
    fn end_variables(&mut self, state: &mut FrameState) {
        let places: Vec<Loc> = state.cells.iter_mut().map(|cell| std::mem::replace(cell, Loc::Empty)).collect();
        for place in &places {
            if let Loc::Owned(owned) = *place {
                self.dying.push(owned);
            }
        }
        self.settle();
        for (cell, place) in places.iter().enumerate().take(self.input.locals as usize) {
            if matches!(place, Loc::Flushed(_) | Loc::Fixed(_)) {
                self.drop_in_frame(cell);
            }
        }
    }

    /// The snapshot for a side exit before an opline.
    pub fn snap(&mut self, opline: u32, state: &FrameState) -> SnapId {
        let mut entries = Vec::new();
        for (cell, place) in state.cells.iter().enumerate() {
            let (value, hold) = match *place {
                Loc::Value(value) if self.b.ty(value).is(hhir::CLS) && self.is_guard(cell, state) => continue,
                Loc::Value(value) if self.b.ty(value).maybe_counted() => (value, Hold::Copy),
                Loc::Value(value) | Loc::Owned(value) => (value, Hold::Move),
                _ => continue,
            };
            entries.push(SnapEntry { slot: Slot::Local(cell as u32), value, hold });
        }
        self.b.snap(FrameId(0), opline, entries, None)
    }

    /// Whether a cell holds the class that a guard has established for a pending call's object, which is no part of the frame.
    fn is_guard(&self, cell: usize, state: &FrameState) -> bool {
        let header = cell.checked_sub(GUARD_CELL).map(|header| state.cells[header]);
        matches!(header, Some(Loc::Value(callee)) if self.b.ty(callee).is(hhir::FUNC))
    }

    /// The type of a value as bits, without what is known beyond them; the two booleans are one type.
    pub fn kind(&self, value: ValueId) -> Bits {
        kinds_of(self.b.ty(value))
    }

    /// Encodes the location and type of each cell, which tells block versions apart.
    pub(crate) fn key(&self, state: &FrameState) -> Vec<u64> {
        let code = |place: &Loc| match *place {
            Loc::Memory => 1 << 36,
            Loc::Flushed(bits) => FLUSHED_KEY | u64::from(bits),
            Loc::Pending => 1 << 38,
            Loc::Idle => IDLE_KEY,
            Loc::Empty => 1 << 32,
            Loc::Fixed(_) => 1 << 33,
            Loc::Value(value) if self.b.ty(value).is(hhir::FUNC | hhir::CLS | hhir::NULLPTR) => {
                u64::from(value.0) | 1 << 34
            }
            Loc::Value(value) => u64::from(self.kind(value)),
            Loc::Owned(value) => u64::from(self.kind(value)) | OWNS,
        };
        state.cells.iter().map(code).collect()
    }

    /// Continues with an opline at the end of the current block.
    pub fn go(&mut self, opline: u32, state: FrameState) {
        self.settle();
        if self.has_released {
            self.check_destructors(opline, &state);
        }
        self.go_to(opline, state);
    }

    /// Continues with an opline at the end of the current block, when no references are left to be taken or released.
    fn go_to(&mut self, opline: u32, mut state: FrameState) {
        if opline < self.outline.first || opline > self.outline.end {
            let snap = self.snap(opline, &state);
            return self.b.exit(snap);
        }
        if !self.outline.is_join[opline as usize] {
            let block = self.b.block();
            return self.progress.work.push(PendingPath { block, opline, state });
        }
        self.forget_dead(opline, &mut state);
        self.hold_at_join(opline, &mut state);
        self.forget_fetched(&mut state);
        self.shed_dead(opline, &mut state);
        let key = self.key(&state);
        let versions = self.progress.versions.entry(opline).or_default();
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
            let versions = &self.progress.versions[&opline];
            let near = versions.iter().find(|version| self.fits_but_dead(opline, &key, &version.key));
            if let Some(wanted) = near.map(|near| near.key.clone()) {
                self.give_back_dead(&key, &wanted, &mut state);
                self.become_owners(&self.key(&state), &wanted, &mut state);
                self.settle();
                return self.enter_version(opline, &wanted, state);
            }
        }
        let versions = &self.progress.versions[&opline];
        let wider = versions
            .iter()
            .find(|version| self.can_widen(opline, &key, &version.key))
            .map(|version| version.key.clone());
        if let (None, Some(wanted)) = (known, wider.or_else(|| self.common_key(opline, &key))) {
            self.widen(&key, &wanted, &mut state);
            self.settle();
            return self.enter_version(opline, &wanted, state);
        }
        let most = match self.outline.is_meeting[opline as usize] {
            true => MAX_BEHIND_CALLS,
            // Small regions may have twice as many block versions.
            false if self.progress.oplines < MAX_OPLINES / 2 => 2 * MAX_VERSIONS,
            false => MAX_VERSIONS,
        };
        if known.is_none() && count >= most {
            let snap = self.snap(opline, &state);
            return self.b.retranslate(snap);
        }
        self.enter_version(opline, &key, state);
    }

    /// The next path to translate: the last one of those that are at the earliest opline. When the limit of oplines is reached,
    /// that cuts off the end of the function on all paths, and not the middle of it on some.
    fn next_path(&mut self) -> Option<PendingPath> {
        let first = self.progress.work.iter().map(|path| path.opline).min()?;
        let at = self.progress.work.iter().rposition(|path| path.opline == first)?;
        Some(self.progress.work.remove(at))
    }

    /// Jumps to a block version of an opline, which is created if it does not exist.
    fn enter_version(&mut self, opline: u32, key: &[u64], state: FrameState) {
        let versions = self.progress.versions.entry(opline).or_default();
        let known = versions.iter().find(|version| version.key == key).map(|version| version.block);
        let is_back = known.is_some() && self.outline.is_header[opline as usize];
        self.progress.closes_own_loop |= is_back && self.outline.closing[opline as usize];
        self.progress.closes_some_loop |= is_back;
        if self.outline.is_header[opline as usize] && !is_back {
            let snap = self.snap(opline, &state);
            self.b.exit_placeholder(snap);
        }
        let mut args = Vec::new();
        let mut inner = state.clone();
        let block = known.unwrap_or_else(|| self.b.new_block(Hint::Neutral));
        for (cell, place) in state.cells.iter().enumerate() {
            let (Loc::Value(value) | Loc::Owned(value)) = *place else { continue };
            if self.b.ty(value).is(hhir::FUNC | hhir::CLS | hhir::NULLPTR) {
                continue;
            }
            let ty = Type::of(key[cell] as Bits);
            if let Some(constant) = Unit::const_of_type(ty) {
                inner.cells[cell] = Loc::Value(self.b.unit.constant(constant));
                continue;
            }
            args.push(value);
            if known.is_none() {
                let param = self.b.unit.add_param(block, ty);
                if let Some(&seen) = self.known.samples.get(&value) {
                    self.known.samples.insert(param, seen);
                }
                if self.known.lists.contains(&value) {
                    self.known.lists.insert(param);
                }
                if let Some(&class) = self.known.classes.get(&value) {
                    self.known.classes.insert(param, class);
                }
                inner.cells[cell] = match place {
                    Loc::Owned(_) => Loc::Owned(param),
                    _ => Loc::Value(param),
                };
            }
        }
        self.b.jmp(block, &args);
        if known.is_none() {
            self.progress.versions.entry(opline).or_default().push(BlockVersion { key: key.to_vec(), block });
            self.progress.work.push(PendingPath { block, opline, state: inner });
        }
    }

    /// A two-way branch: to `taken` if the condition holds, otherwise to `other`.
    pub fn branch(&mut self, condition: ValueId, taken: u32, other: u32, state: FrameState) {
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

    fn translate_path(&mut self, mut opline: u32, mut state: FrameState) {
        loop {
            self.progress.oplines += 1;
            self.progress.translated[opline as usize] = true;
            self.has_released = false;
            self.b.at(FrameId(0), opline);
            let op = *self.input.op(opline);
            if self.progress.oplines > MAX_OPLINES {
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
                // References that a side exit would have taken or released do not concern the next path.
                Flow::Done => return self.forget_pending(),
                Flow::Stop => {
                    self.forget_pending();
                    return self.stop(opline, &before);
                }
                Flow::Wait => {
                    self.forget_pending();
                    let block = self.b.block();
                    return self.progress.deferred.push(PendingPath { block, opline, state: before });
                }
                Flow::Next => self.settle(),
            }
            opline += 1;
            let joins = self.outline.is_join.get(opline as usize).copied().unwrap_or(false);
            if opline > self.outline.end || joins {
                return self.go(opline, state);
            }
            if self.has_released {
                self.check_destructors(opline, &state);
            }
        }
    }

    /// Remembers that the current opline may free something.
    pub(crate) fn note_release(&mut self) {
        self.outcome.may_free = true;
        self.has_released = true;
    }

    /// Remembers that a callee of the current opline may free something, so that destructors may wait behind the call.
    pub(crate) fn frees_in_callee(&mut self, frees: bool) {
        self.outcome.may_free |= frees;
        self.has_released = true;
    }

    /// Takes a side exit behind an opline that has freed something if destructors wait: the interpreter runs them before the
    /// next opline.
    fn check_destructors(&mut self, next: u32, state: &FrameState) {
        if self.input.shape.has_destructors {
            let snap = self.snap(next, state);
            self.b.emit(Op::CheckDestructors, Type::TOP, [0; 3], &[], phlox_hhir::unit::Edge::Exit(snap));
        }
    }

    fn stop(&mut self, opline: u32, state: &FrameState) {
        let header = self.input.op(opline).a;
        let callee = self.callee(header, state).and_then(|callee| self.known.callees.get(&callee));
        let callee = callee.map(|name| String::from_utf8_lossy(name).into_owned());
        self.progress.unsupported.push((opline, callee));
        let snap = self.snap(opline, state);
        self.b.retranslate(snap);
    }

    fn opline(&mut self, at: u32, op: &Opline, state: &mut FrameState, before: &FrameState) -> Flow {
        if let Some(flow) = self.take_apart(at, op, state) {
            return flow;
        }
        let block = self.b.block();
        let done = self.b.unit.block(block).insts.len();
        if let Some(flow) = self.translate(at, op, state) {
            return flow;
        }
        // An opline that could not be translated has changed nothing in memory that matters: at most it has written values where
        // they belong. Its instructions are dropped, unless it has begun a new block.
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
