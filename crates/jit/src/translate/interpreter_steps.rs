//! Single steps: oplines that the interpreter executes for compiled code. Their sources are stored to the frame, and their
//! results are read from memory.

use crate::input::Start;
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Kinds, Loc, Reentry, Translator};
use phlox_hhbc::caller_access;
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{FuncId, Op, TO_LOCAL};
use phlox_lower::facts::{self, Number, OperandAccess};
use phlox_lower::{HEADER_CELLS, OpCode, Operand, Opline};

impl Translator<'_> {
    /// Has the interpreter execute an opline as a single step.
    pub(crate) fn step_in_interpreter(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if op.op.facts().n == Number::Iterator && op.op.is_single_step() {
            return self.iterate_in_interpreter(at, op, state);
        }
        let path = self.input.host.single_step(op.op)?;
        let reentry = self.reentry().filter(|_| !self.input.host.resumes_generator(at))?;
        if self.needs_frame(op) {
            return None;
        }
        let by_reference = op.op.opens_call() && self.input.host.takes_references(at);
        let may_refer = reentry == Reentry::Flushed || self.references.passes_own;
        if by_reference && !(may_refer && self.knows_references(at)) || op.op == OpCode::SendLocal {
            return None;
        }
        let (used_up, changed) = self.touched(op)?;
        let cells: Vec<usize> =
            used_up.iter().filter_map(|&tmp| self.input.cell(tmp)).map(|cell| cell as usize).collect();
        let is_source = |place: Loc| match place {
            Loc::Value(value) | Loc::Owned(value) => self.b.ty(value).is(hhir::GEN),
            Loc::Memory => true,
            _ => false,
        };
        let result = op.result();
        let local = match result {
            Operand::Local(local) => Some(local.index()),
            _ => None,
        };
        let changed: Vec<usize> = changed.into_iter().chain(local).collect();
        let may_change = |cell: &usize| state.cells[*cell] != Loc::Empty;
        if !cells.iter().all(|&cell| is_source(state.cells[cell])) || !changed.iter().all(may_change) {
            return None;
        }
        if by_reference && op.op == OpCode::InitMethod {
            // Which parameters take references is known only for the methods of the cached class.
            let object = match op.b {
                Operand::This => self.own_context()?,
                operand => self.peek(operand, state)?,
            };
            let (exit, class) = (self.snap(at, state), self.input.host.inline_caches(op.site)[0].key_class());
            self.check_class(object, class, exit)?;
        }
        let fp = self.fp;
        for cell in cells {
            let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
            let (Loc::Value(value) | Loc::Owned(value)) = place else { continue };
            if matches!(place, Loc::Value(_)) && self.is_counted(value) {
                self.retain(value);
            }
            self.b.emit(Op::StLoc, Type::TOP, [cell as u32, 0, 0], &[fp, value], Edge::None);
        }
        self.prepare_reentry(reentry, state);
        for &cell in &changed {
            self.give_back(cell, state);
            if op.op == OpCode::SilenceBegin {
                // The old error level is kept in the variable until the silence ends.
                state.cells[cell] = Loc::Flushed(hhir::INT);
            }
        }
        self.outcome.needs_frame = true;
        self.note_release();
        self.outcome.interpreter_steps += 1;
        let sample = self.sample_of_result(op, state);
        let after = self.snap(at, state);
        let to = self.input.cell(result).map_or(0, |cell| cell + 1);
        let flags = reentry.flag() | local.map_or(0, |_| TO_LOCAL);
        let path = self.b.unit.constant(Const::Func(FuncId(path)));
        let pointer = self.b.emit(Op::CallOpline, Type::TOP, [at, to, flags], &[fp, path], Edge::Exit(after))?;
        if op.op.opens_call() {
            let header = self.input.cell(op.a)?;
            let made = match op.op {
                OpCode::InitNew => self.b.emit(Op::TakeMem, Type::of(hhir::OBJ), [0; 3], &[pointer], Edge::None),
                _ => None,
            };
            if let (Some(cell), Some(made)) = (self.input.cell(op.c), made) {
                state.cells[cell as usize] = Loc::Owned(made);
            }
            state.cells[header as usize] = Loc::Pending;
            if by_reference {
                return Some(Flow::Next);
            }
            let behind = self.snap(at + 1, state);
            self.b.emit(Op::CheckPending, Type::TOP, [header, 0, 0], &[fp], Edge::Exit(behind));
            return Some(Flow::Next);
        }
        if result == Operand::None {
            return Some(Flow::Next);
        }
        self.outcome.collects_feedback = true;
        let kinds = self.likely_kinds(at, op);
        if op.op == OpCode::RefPath {
            // The result is an argument of a pending call, which looks for it in memory.
            state.cells[self.input.cell(result)? as usize] = Loc::Memory;
            return Some(Flow::Next);
        }
        if let Some(cell) = local {
            self.settle();
            return self.landed(at, cell as u32, &kinds, sample, state);
        }
        self.take_result(at, result, pointer, &Kinds { kinds: &kinds, are_all: false, sample }, state)
    }

    /// Whether an opline prepares a call of a builtin function that looks at its caller's frame.
    fn needs_frame(&self, op: &Opline) -> bool {
        let (OpCode::InitFunc, Operand::Lit(name)) = (op.op, op.b) else { return false };
        caller_access::of_written(&self.input.string_literal(name).0).needs_frame()
    }

    /// Marks the cells that the header of a call is about to occupy as empty. They may still hold uncounted values, such as
    /// names in paths, that nothing says have been consumed; a side exit must not write these over the header.
    pub(crate) fn clear_header(&mut self, op: &Opline, state: &mut FrameState) {
        let Some(header) = self.input.cell(op.a).filter(|_| op.op.opens_call()) else { return };
        let operand = self.input.cell(op.b).filter(|_| matches!(op.b, Operand::Tmp(_)));
        let is_used = |cell: u32| operand.is_some_and(|first| cell == first || cell == first + 1);
        for cell in (header..header + HEADER_CELLS).filter(|&cell| !is_used(cell)) {
            let Some(place) = state.cells.get_mut(cell as usize) else { return };
            if matches!(*place, Loc::Value(value) if !self.b.ty(value).maybe_counted()) {
                *place = Loc::Empty;
            }
        }
    }

    /// Has the interpreter execute an opline as a single step, on one of several paths of the opline.
    pub(crate) fn go_by_interpreter(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        match self.step_in_interpreter(at, op, state)? {
            Flow::Next => {
                self.go(at + 1, state.clone());
                Some(Flow::Done)
            }
            other => Some(other),
        }
    }

    /// Prepares a call of a callee that a value names. The interpreter handles values that are neither a closure nor a
    /// function's name.
    pub(crate) fn init_dynamic(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if let Some(flow) = self.init_closure(at, op, state) {
            return Some(flow);
        }
        self.reentry()?;
        let header = self.input.cell(op.a)?;
        let (before, pending) = (state.clone(), self.pending());
        let callee = self.source(op.b, state)?;
        if !self.b.ty(callee).is(hhir::OBJ | hhir::STR) {
            return None;
        }
        self.meet_behind(at);
        let fp = self.fp;
        let place = self.b.emit(Op::LdLocAddr, Type::TOP, [header, 0, 0], &[fp], Edge::None)?;
        let (opened, other) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
        let helper = self.input.shape.helpers.open_call as usize as u64;
        let cache = self.b.unit.int(self.input.host.inline_cache_address(op.site) as i64);
        let srcs = [self.b.unit.constant(Const::Func(FuncId(helper))), cache, place, callee];
        self.b.emit(Op::CallHelperMem, Type::TOP, [0; 3], &srcs, Edge::Block(other));
        let block = self.b.block();
        self.b.unit.blocks[block.at()].next = Some(opened);
        self.b.switch_to(opened);
        self.outcome.needs_frame = true;
        self.note_release();
        state.cells[header as usize] = Loc::Pending;
        self.go(at + 1, state.clone());
        self.b.switch_to(other);
        *state = before;
        self.set_pending(pending);
        self.go_by_interpreter(at, op, state)
    }

    /// Whether a call is one of a callee that a value names.
    pub(crate) fn is_dynamic_call(&self, at: u32) -> bool {
        let ops = &self.input.lowered.ops[..at as usize];
        let init = ops.iter().rfind(|init| init.op.opens_call() && init.a == self.input.op(at).a);
        init.is_some_and(|init| matches!(init.op, OpCode::InitDynamic | OpCode::InitSlow))
    }

    /// Whether the region calls functions that take references, so that its variables must be in the frame during such calls.
    pub(crate) fn passes_references(&self) -> bool {
        let (first, last) = self.input.range();
        (first..=last).any(|at| self.knows_references(at) && !self.references.boxes.prepares(at))
    }

    /// Whether an opline prepares a call of a function that takes references, and it is known which arguments are references.
    fn knows_references(&self, at: u32) -> bool {
        let takes = || self.input.host.takes_references(at);
        match self.input.op(at).op {
            OpCode::InitFunc => takes(),
            OpCode::InitStatic | OpCode::InitMethod => {
                let call = crate::translate::by_ref_args::call_of(&self.input.lowered.ops, at);
                let is_known = |n: u32| self.input.host.passes_reference(at, n);
                takes() && call.is_some_and(|call| (0..call.n).any(is_known))
            }
            _ => false,
        }
    }

    /// Whether all references that a function passes are ones that it got as arguments, and go to functions of the script.
    pub(crate) fn passes_references_on(&self) -> bool {
        let Start::Function(wanted) = self.input.start else { return false };
        let is_reference = |local: usize| wanted.args.get(local) == Some(&hhir::BOXED);
        let (first, last) = self.input.range();
        (first..=last).all(|at| {
            let op = self.input.op(at);
            match (op.op, op.b) {
                _ if self.references.boxes.prepares(at) || self.references.boxes.passes(at) => true,
                _ if self.knows_references(at) => !self.input.host.callees(at).is_empty(),
                (OpCode::SendLocal, Operand::Local(local)) if self.passes_reference(at, op) => {
                    is_reference(local.index())
                }
                _ => true,
            }
        })
    }

    /// Whether an opline is about an argument of a pending call that is passed by reference.
    pub(crate) fn passes_reference(&self, at: u32, op: &Opline) -> bool {
        let ops = &self.input.lowered.ops[..at as usize];
        let init = ops.iter().rposition(|init| init.op.opens_call() && init.a == op.a);
        init.is_some_and(|init| self.input.host.passes_reference(init as u32, op.n))
    }

    /// Translates a by-reference argument that is an element or property. The interpreter makes the reference, for a call whose
    /// header is in the frame.
    pub(crate) fn pass_path(&mut self, at: u32, op: &Opline, state: &FrameState) -> Option<Flow> {
        let next = self.input.lowered.ops.get(at as usize + 1)?;
        let refers = next.op == OpCode::RefPath && matches!(next.c, Operand::Tmp(_));
        if !refers || !self.is_pending(op.a, state) {
            return None;
        }
        self.go(at + 1, state.clone());
        Some(Flow::Done)
    }

    /// Finds the variables that the region passes by reference.
    pub(crate) fn note_sent(&mut self) {
        let (first, last) = self.input.range();
        for at in first..=last {
            let op = *self.input.op(at);
            if let (OpCode::SendLocal, Operand::Local(local), true) =
                (op.op, op.b, self.references.has_references || self.references.passes_own)
                && self.passes_reference(at, &op)
                && !self.references.boxes.passes(at)
                && !self.outline.bound.contains_key(&local.index())
            {
                self.references.passed.push(local.0);
            }
        }
    }

    /// Makes a variable a reference and passes it; both the variable and the argument are in the frame.
    pub(crate) fn send_reference(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if let Operand::Local(local) = op.b
            && let Some(reference) = self.reference_in(local.index(), state)
        {
            return self.lend(op.c, reference, state).then_some(Flow::Next);
        }
        let path = self.input.host.single_step(OpCode::SendLocal)?;
        let reentry = self.reentry().filter(|reentry| *reentry == Reentry::Flushed || self.references.passes_own)?;
        let (Operand::Local(local), Some(to)) = (op.b, self.input.cell(op.c)) else { return None };
        self.prepare_reentry(reentry, state);
        if self.references.passes_own {
            if let Loc::Value(value) | Loc::Owned(value) = state.cells[local.index()] {
                let kind = crate::profile::counted_strings(self.kind(value));
                if kind == hhir::INT || kind == hhir::COUNTED_STR {
                    self.references.held_before.insert(local.index(), kind);
                }
            }
            self.give_back(local.index(), state);
        }
        self.outcome.needs_frame = true;
        self.outcome.interpreter_steps += 1;
        let after = self.snap(at, state);
        let (fp, path) = (self.fp, self.b.unit.constant(Const::Func(FuncId(path))));
        let words = [at, to + 1, reentry.flag()];
        let pointer = self.b.emit(Op::CallOpline, Type::TOP, words, &[fp, path], Edge::Exit(after))?;
        if self.references.passes_own {
            state.cells[local.index()] = Loc::Flushed(hhir::BOXED);
        }
        state.cells[to as usize] = match self.is_pending(op.a, state) {
            true => Loc::Memory,
            false if self.references.passes_own => {
                let boxed = Type::of(hhir::BOXED);
                Loc::Owned(self.b.emit(Op::TakeMem, boxed, [0; 3], &[pointer], Edge::None)?)
            }
            false => {
                let reference = self.b.ld_loc(fp, to, Type::of(hhir::BOXED));
                let seen = self.input.seen(local.0).filter(|seen| seen.bits == hhir::BOXED);
                self.known.samples.extend(seen.map(|seen| (reference, seen)));
                Loc::Owned(reference)
            }
        };
        Some(Flow::Next)
    }

    /// A sample for the result of an opline: a clone is like its original.
    fn sample_of_result(&self, op: &Opline, state: &FrameState) -> Option<ObservedType> {
        match (op.op, op.a) {
            (OpCode::Clone, Operand::This) => self.input.this_sample,
            (OpCode::Clone, operand) => self.known.samples.get(&self.peek(operand, state)?).copied(),
            _ => None,
        }
    }

    /// Whether the header of a pending call is in the frame.
    pub(crate) fn is_pending(&self, header: Operand, state: &FrameState) -> bool {
        self.input.cell(header).is_some_and(|cell| state.cells[cell as usize] == Loc::Pending)
    }

    /// The temporaries that an opline consumes, and the variables that it changes beside its result. `None` if the opline
    /// changes a temporary in place or keeps it, which a single step cannot do.
    fn touched(&self, op: &Opline) -> Option<(Vec<Operand>, Vec<usize>)> {
        // Only a method with its object, or a class with its method, is resolved in a single step.
        if op.op == OpCode::InitSlow && op.n != 2 {
            return None;
        }
        let (mut consumed, mut changed, mut is_fit) = (Vec::new(), Vec::new(), true);
        let result = op.result();
        op.each_operand(self.input.lowered, |used| match used.operand {
            Operand::Tmp(_) => match used.access {
                OperandAccess::Read | OperandAccess::ReadRow | OperandAccess::Exchange | OperandAccess::Mutate => {
                    consumed.push(used.operand)
                }
                OperandAccess::ReadUnlessN if op.n == 0 => consumed.push(used.operand),
                OperandAccess::Write => {}
                _ => is_fit = false,
            },
            Operand::Local(local) if used.access.changes() && used.operand != result => changed.push(local.index()),
            _ => {}
        });
        consumed.dedup();
        is_fit.then_some((consumed, changed))
    }

    /// The types that an opline's result is likely to have.
    fn likely_kinds(&self, at: u32, op: &Opline) -> Vec<Bits> {
        let mut kinds: Vec<Bits> = match op.op.facts().result {
            facts::OBJECT => vec![hhir::OBJ],
            facts::STRING => vec![hhir::COUNTED_STR],
            facts::ARRAY => vec![hhir::COUNTED_ARR],
            facts::BOOL => vec![hhir::BOOL],
            _ => Vec::new(),
        };
        for bits in crate::translate::calls::kinds_of_tags(self.feedback(at)) {
            if !kinds.contains(&bits) {
                kinds.push(bits);
            }
        }
        kinds
    }
}
