//! `foreach` over packed arrays and hash tables.

use crate::profile::{INT_KEY, ITERATED_LIST, ITERATED_TABLE, ObservedType, STRING_KEY};
use crate::translate::state::{Flow, FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, ArrKind, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{BlockId, Op, SnapId, ValueId};
use phlox_lower::{OpCode, Operand, Opline};
use phlox_value::raw;

const INT_KEYS: u32 = 1 << INT_KEY;
const STRING_KEYS: u32 = 1 << STRING_KEY;

/// The number of combinations of element types and key types for which a loop has paths. With more (the fields of a record, say)
/// compiling would take longer than the code saves.
const MAX_KINDS: usize = 4;

/// Where a step of a `foreach` continues.
struct Walk {
    at: u32,
    /// The snapshot before the opline.
    exit: SnapId,
    /// The opline with which the loop continues if there is an element.
    found: u32,
    /// The opline with which the loop continues if there is none.
    ended: u32,
    /// The state if there is none.
    end: FrameState,
    /// The references that are taken and released if there is none.
    end_pending: [Vec<ValueId>; 2],
}

/// What is known of the elements.
struct Elements {
    sample: Option<ObservedType>,
    kinds: Vec<Bits>,
    /// Some elements were references, whose values are iterated over.
    has_references: bool,
    /// Some packed arrays had holes.
    has_holes: bool,
}

impl Translator<'_> {
    /// Translates the start of a loop: the iterator gets the array and steps to the first element.
    pub(crate) fn iterate_from(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let array = self.source(op.a, state)?;
        let cell = self.input.iter_cell(op.n) as usize;
        // Iterators of loops that run when the region is entered lie in memory.
        let is_free = matches!(state.cells[cell], Loc::Value(value) if !self.is_counted(value));
        if !self.b.ty(array).is(hhir::ARR) || !is_free {
            return None;
        }
        let none = state.clone();
        let pending = self.pending();
        state.cells[cell] = match self.is_counted(array) {
            true => {
                self.retain_later(array);
                Loc::Owned(array)
            }
            false => Loc::Value(array),
        };
        let first = self.b.unit.int(0);
        let walk = Walk { at, exit, found: at + 1, ended: op.target, end: none, end_pending: pending };
        self.step_over(op, (array, first), &walk, state)
    }

    /// Translates a step to the next element.
    pub(crate) fn iterate(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let cell = self.input.iter_cell(op.n) as usize;
        let iter = |cell: usize| match state.cells[cell] {
            Loc::Value(value) | Loc::Fixed(value) | Loc::Owned(value) => Some(value),
            _ => None,
        };
        let (array, position) = (iter(cell)?, iter(cell + 1)?);
        if self.kind(position) != hhir::INT || !self.b.ty(array).is(hhir::ARR) {
            return None;
        }
        let mut end = state.clone();
        let mut pending = self.pending();
        // The interpreter releases what an iterator in memory holds.
        let is_memory = matches!(state.cells[cell], Loc::Fixed(_));
        if !is_memory {
            let nothing = self.b.unit.constant(Const::Uninit);
            if let Loc::Owned(array) = std::mem::replace(&mut end.cells[cell], Loc::Value(nothing)) {
                pending[1].push(array);
            }
            end.cells[cell + 1] = Loc::Value(nothing);
        }
        let behind = if is_memory { at } else { at + 1 };
        let walk = Walk { at, exit, found: op.target, ended: behind, end, end_pending: pending };
        self.step_over(op, (array, position), &walk, state)
    }

    /// Translates the end of a loop before its last element.
    pub(crate) fn end_iteration(&mut self, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let cell = self.input.iter_cell(op.n) as usize;
        if matches!(state.cells[cell], Loc::Fixed(_) | Loc::Memory | Loc::Flushed(_) | Loc::Empty) {
            return None;
        }
        let nothing = self.b.unit.constant(Const::Uninit);
        let before = std::mem::replace(&mut state.cells[cell], Loc::Value(nothing));
        self.release_place(before, state);
        state.cells[cell + 1] = Loc::Value(nothing);
        Some(Flow::Next)
    }

    /// Has the interpreter execute a step of a loop, over an object, for example. The iterator lies in the frame.
    pub(crate) fn iterate_in_interpreter(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let path = self.input.host.single_step(op.op)?;
        let reentry = self.reentry()?;
        let variables = [op.b, op.c].into_iter().filter(|&variable| variable != Operand::None);
        let variables: Vec<usize> = match op.op {
            OpCode::IterFree => Vec::new(),
            _ if op.b == op.c || variables.clone().any(|variable| !matches!(variable, Operand::Local(_))) => {
                return None;
            }
            _ => variables.filter_map(|variable| self.cell(variable)).collect(),
        };
        if variables.iter().any(|&cell| state.cells[cell] == Loc::Empty) {
            return None;
        }
        let iter = self.input.iter_cell(op.n) as usize;
        let starts = op.op == OpCode::IterInit;
        if starts {
            self.hand_to_iterator(op.a, iter, state)?;
        } else {
            self.iterator_to_frame(iter, op.op == OpCode::IterFree, state)?;
        }
        self.prepare_reentry(reentry, state);
        for &cell in &variables {
            self.give_back(cell, state);
        }
        self.outcome.needs_frame = true;
        self.note_release();
        self.outcome.interpreter_steps += 1;
        let (fp, after) = (self.fp, self.snap(at, state));
        let path = self.b.unit.constant(Const::Func(phlox_hhir::FuncId(path)));
        self.b.emit(Op::CallOpline, Type::TOP, [at, 0, reentry.flag()], &[fp, path], Edge::Exit(after))?;
        let nothing = Loc::Value(self.b.unit.constant(Const::Uninit));
        if op.op == OpCode::IterFree {
            state.cells[iter..iter + 2].fill(nothing);
            return Some(Flow::Next);
        }
        self.settle();
        let (ended, found) = (self.b.new_block(Hint::Unlikely), self.b.new_block(Hint::Likely));
        let words = [iter as u32, 0, 0];
        self.b.emit(Op::CheckLoc, Type::of(hhir::UNINIT), words, &[fp], Edge::Block(found));
        let block = self.b.block();
        self.b.unit.blocks[block.at()].next = Some(ended);
        let (behind, body) = if starts { (op.target, at + 1) } else { (at + 1, op.target) };
        let pending = self.pending();
        self.b.switch_to(ended);
        let mut end = state.clone();
        end.cells[iter..iter + 2].fill(nothing);
        self.go(behind, end);
        self.set_pending(pending);
        self.b.switch_to(found);
        self.outcome.collects_feedback = true;
        let kinds = crate::translate::calls::kinds_of_tags(self.met_by_iterator(op.n));
        match variables[..] {
            [value, ..] if kinds.len() <= MAX_KINDS => self.landed_before(body, value as u32, &kinds, None, state),
            _ => {
                self.go(body, state.clone());
                Some(Flow::Done)
            }
        }
    }

    /// Stores what a loop iterates over to the frame, and prepares the cells of the iterator there.
    fn hand_to_iterator(&mut self, subject: Operand, iter: usize, state: &mut FrameState) -> Option<()> {
        let fp = self.fp;
        let is_free = matches!(state.cells[iter], Loc::Value(value) if self.kind(value) == hhir::UNINIT);
        if !is_free {
            return None;
        }
        if let (Operand::Tmp(_), Some(cell)) = (subject, self.cell(subject)) {
            let place = state.cells[cell];
            match place {
                Loc::Value(value) | Loc::Owned(value) if self.b.ty(value).is(hhir::GEN) => {
                    if matches!(place, Loc::Value(_)) && self.is_counted(value) {
                        self.retain(value);
                    }
                    self.b.emit(Op::StLoc, Type::TOP, [cell as u32, 0, 0], &[fp, value], Edge::None);
                }
                Loc::Memory => {}
                _ => return None,
            }
            state.cells[cell] = Loc::Empty;
        }
        let nothing = self.b.unit.constant(Const::Uninit);
        self.b.emit(Op::StLoc, Type::TOP, [iter as u32, 0, 0], &[fp, nothing], Edge::None);
        state.cells[iter..iter + 2].fill(Loc::Memory);
        Some(())
    }

    /// Stores an iterator to the frame. `ends`: its position does not matter any more.
    fn iterator_to_frame(&mut self, iter: usize, ends: bool, state: &mut FrameState) -> Option<()> {
        let fp = self.fp;
        match (state.cells[iter], state.cells[iter + 1]) {
            // The iterator is in the frame already, and so is its position.
            (Loc::Memory, _) => {}
            (Loc::Fixed(_), _) if ends => {}
            (array @ (Loc::Value(value) | Loc::Owned(value)), Loc::Value(position))
                if self.b.ty(value).is(hhir::ARR) && self.kind(position) == hhir::INT =>
            {
                if matches!(array, Loc::Value(_)) && self.is_counted(value) {
                    self.retain(value);
                }
                self.b.emit(Op::StLoc, Type::TOP, [iter as u32, 0, 0], &[fp, value], Edge::None);
                self.b.emit(Op::StLoc, Type::TOP, [iter as u32 + 1, 0, 0], &[fp, position], Edge::None);
            }
            _ => return None,
        }
        state.cells[iter..iter + 2].fill(Loc::Memory);
        Some(())
    }

    /// Continues with the element at a position, or behind the loop if there is none. There is a path for each array layout in
    /// the iterator's type feedback.
    fn step_over(
        &mut self,
        op: &Opline,
        (array, position): (ValueId, ValueId),
        walk: &Walk,
        state: &FrameState,
    ) -> Option<Flow> {
        if !self.can_store(op.b, state) || !self.can_store(op.c, state) || op.b == op.c {
            return None;
        }
        let seen = self.known.samples.get(&array).or_else(|| self.known.samples.get(&self.checked(array))).copied();
        let mut met = self.met_by_iterator(op.n);
        if let Some(seen) = seen {
            met |= 1 << if seen.is_table() { ITERATED_TABLE } else { ITERATED_LIST };
            met |= seen.first_key().map_or(0, |key| if key == hhir::INT { INT_KEYS } else { STRING_KEYS });
        }
        let sample = seen.and_then(|seen| seen.element()).filter(|sample| sample.bits & hhir::BOXED == 0);
        let mut kinds: Vec<Bits> = sample.iter().map(|sample| sample.bits).collect();
        let others = crate::translate::calls::kinds_of_tags(met).into_iter();
        kinds.extend(others.filter(|&bits| sample.is_none_or(|sample| bits != sample.bits)));
        if let Some(ty) = self.together(walk.at, op.b, &kinds) {
            kinds = vec![ty.bits()];
        }
        let keys = (met & (INT_KEYS | STRING_KEYS)).count_ones().max(1) as usize;
        if kinds.len() * if op.c == Operand::None { 1 } else { keys } > MAX_KINDS {
            return None;
        }
        let is_unboxed =
            seen.is_some_and(|seen| seen.unboxed().is_some()) && self.input.host.exit_feedback(walk.at) == 0;
        if is_unboxed {
            return self.step_unboxed(op, (array, position), walk, state);
        }
        let has_references = met >> (raw::TI_REF & 0x1f) & 1 != 0;
        let has_holes = seen.is_some_and(|seen| seen.has_holes()) || self.met_holes(op.n);
        let elements = Elements { sample, kinds, has_references, has_holes };
        let has = |layout: u32| met >> layout & 1 != 0;
        let (is_list, is_table) = match self.b.ty(array).arr_kind() {
            Some(kind) => (kind == ArrKind::Packed, kind == ArrKind::Hash),
            None => (has(ITERATED_LIST), has(ITERATED_TABLE)),
        };
        // An empty array says nothing about the elements of others.
        self.outcome.collects_feedback |= elements.kinds.is_empty();
        match (is_list, is_table) {
            (true, true) => {
                let (list, table) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
                let words = [ArrKind::Packed as u32, 0, 0];
                let is_packed = self.b.emit(Op::IsArrKind, Type::TOP, words, &[array], Edge::None)?;
                let pending = self.pending();
                self.b.branch(is_packed, list, table);
                self.b.switch_to(list);
                self.step_list(op, (array, position), &elements, walk, state)?;
                self.set_pending(pending);
                self.b.switch_to(table);
                let table = self.b.check_arr_kind(array, ArrKind::Hash, walk.exit);
                self.step_table(op, (table, position), met, &elements, walk, state)
            }
            (true, false) => {
                let packed = self.b.check_arr_kind(array, ArrKind::Packed, walk.exit);
                self.step_list(op, (packed, position), &elements, walk, state)
            }
            (false, true) => {
                let table = self.b.check_arr_kind(array, ArrKind::Hash, walk.exit);
                self.step_table(op, (table, position), met, &elements, walk, state)
            }
            (false, false) => None,
        }
    }

    fn step_list(
        &mut self,
        op: &Opline,
        (array, position): (ValueId, ValueId),
        elements: &Elements,
        walk: &Walk,
        state: &FrameState,
    ) -> Option<Flow> {
        let (yes, no) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
        let pending = self.pending();
        let position = if elements.has_holes {
            let position = self.b.emit(Op::NextListElem, Type::TOP, [0; 3], &[array, position], Edge::Block(no))?;
            let block = self.b.block();
            self.b.unit.blocks[block.at()].next = Some(yes);
            position
        } else {
            let size = self.b.op(Op::LdPackedSize, &[array]);
            let inside = self.b.op(Op::CheckRange, &[position, size]);
            self.b.branch(inside, yes, no);
            position
        };
        self.end_walk(no, walk);
        self.b.switch_to(yes);
        let mut inner = state.clone();
        self.advance(op, position, walk, &mut inner)?;
        let place =
            self.b.emit(Op::LdPackedArrayDataElemAddr, Type::of(hhir::GEN), [0; 3], &[array, position], Edge::None)?;
        self.set_pending(pending);
        self.take_element(op, place, Some(position), elements, walk, &inner)
    }

    /// Steps to the next element of an unboxed list.
    fn step_unboxed(
        &mut self,
        op: &Opline,
        (array, position): (ValueId, ValueId),
        walk: &Walk,
        state: &FrameState,
    ) -> Option<Flow> {
        let (list, kind) = self.unboxed(array, walk.exit)?;
        let (yes, no) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
        let pending = self.pending();
        let size = self.b.op(Op::LdPackedSize, &[list]);
        let inside = self.b.op(Op::CheckRange, &[position, size]);
        self.b.branch(inside, yes, no);
        self.end_walk(no, walk);
        self.b.switch_to(yes);
        self.set_pending(pending);
        let mut inner = state.clone();
        self.advance(op, position, walk, &mut inner)?;
        let value = self.load_unboxed(list, kind, position);
        if !self.store(op.b, value, &mut inner) || (op.c != Operand::None && !self.store(op.c, position, &mut inner)) {
            return None;
        }
        self.go(walk.found, inner);
        Some(Flow::Done)
    }

    fn step_table(
        &mut self,
        op: &Opline,
        (table, position): (ValueId, ValueId),
        met: u32,
        elements: &Elements,
        walk: &Walk,
        state: &FrameState,
    ) -> Option<Flow> {
        let (yes, no) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
        let pending = self.pending();
        let position = self.b.emit(Op::NextTableElem, Type::TOP, [0; 3], &[table, position], Edge::Block(no))?;
        let block = self.b.block();
        self.b.unit.blocks[block.at()].next = Some(yes);
        self.end_walk(no, walk);
        self.b.switch_to(yes);
        let mut inner = state.clone();
        self.advance(op, position, walk, &mut inner)?;
        let ty = Type::of(hhir::GEN);
        let place = self.b.emit(Op::LdTableElemAddr, ty, [0; 3], &[table, position], Edge::None)?;
        if op.c == Operand::None {
            self.set_pending(pending);
            return self.take_element(op, place, None, elements, walk, &inner);
        }
        let mut keys = Vec::new();
        keys.extend((met & STRING_KEYS != 0).then_some(hhir::COUNTED_STR));
        keys.extend((met & INT_KEYS != 0 || keys.is_empty()).then_some(hhir::INT));
        for (number, &bits) in keys.iter().enumerate() {
            let (fits, other) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Neutral));
            let is_last = number + 1 == keys.len();
            let edge = if is_last { Edge::Exit(walk.exit) } else { Edge::Block(other) };
            self.b.emit(Op::CheckTableKey, Type::of(bits), [0; 3], &[table, position], edge);
            if !is_last {
                let block = self.b.block();
                self.b.unit.blocks[block.at()].next = Some(fits);
                self.b.switch_to(fits);
            }
            let key = self.b.emit(Op::LdTableKey, Type::of(bits), [0; 3], &[table, position], Edge::None)?;
            self.set_pending(pending.clone());
            self.take_element(op, place, Some(key), elements, walk, &inner)?;
            self.b.switch_to(other);
        }
        Some(Flow::Done)
    }

    /// Continues behind the last element.
    fn end_walk(&mut self, block: BlockId, walk: &Walk) {
        self.b.switch_to(block);
        if walk.ended == walk.at {
            return self.b.exit(walk.exit);
        }
        self.set_pending(walk.end_pending.clone());
        self.go(walk.ended, walk.end.clone());
    }

    /// Moves the iterator behind a position.
    fn advance(&mut self, op: &Opline, position: ValueId, walk: &Walk, state: &mut FrameState) -> Option<()> {
        let one = self.b.unit.int(1);
        let next = self.b.op_or(Op::AddIntO, &[position, one], walk.exit);
        let cell = self.input.iter_cell(op.n) as usize;
        state.cells[cell + 1] = Loc::Value(next);
        Some(())
    }

    /// Stores an element and its key to the loop's variables, with a path for each type that the element may have.
    fn take_element(
        &mut self,
        op: &Opline,
        place: ValueId,
        key: Option<ValueId>,
        elements: &Elements,
        walk: &Walk,
        state: &FrameState,
    ) -> Option<Flow> {
        let pending = self.pending();
        let place = if elements.has_references { self.b.op(Op::UnboxPtr, &[place]) } else { place };
        for (number, &bits) in elements.kinds.iter().enumerate() {
            let (fits, other) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Neutral));
            let is_last = number + 1 == elements.kinds.len();
            if is_last {
                self.b.emit(Op::CheckTypeMem, Type::of(bits), [0; 3], &[place], Edge::Exit(walk.exit));
            } else {
                self.b.emit(Op::CheckTypeMem, Type::of(bits), [0; 3], &[place], Edge::Block(other));
                let block = self.b.block();
                self.b.unit.blocks[block.at()].next = Some(fits);
                self.b.switch_to(fits);
            }
            self.set_pending(pending.clone());
            let mut inner = state.clone();
            let value = match phlox_hhir::Unit::const_of_type(Type::of(bits)) {
                Some(constant) => self.b.unit.constant(constant),
                None => self.b.emit(Op::LdMem, Type::of(bits), [0; 3], &[place], Edge::None)?,
            };
            if let Some(sample) = elements.sample.filter(|sample| sample.bits & bits != 0) {
                self.known.samples.insert(value, sample);
            }
            if !self.store(op.b, value, &mut inner) {
                return None;
            }
            if let (Some(key), true) = (key, op.c != Operand::None)
                && !self.store(op.c, key, &mut inner)
            {
                return None;
            }
            self.go(walk.found, inner);
            self.b.switch_to(other);
        }
        if elements.kinds.is_empty() {
            self.b.retranslate(walk.exit);
        }
        Some(Flow::Done)
    }

    /// The type feedback of an iterator: layouts, and types of elements and keys.
    fn met_by_iterator(&self, iterator: u32) -> u32 {
        self.steps_of(iterator).fold(0, |met, at| met | self.feedback(at))
    }

    /// Whether type feedback says that an iterator has iterated over packed arrays with holes.
    fn met_holes(&self, iterator: u32) -> bool {
        self.steps_of(iterator)
            .any(|at| (self.input.host.exit_feedback(at) | self.input.host.type_feedback(at)) >> raw::TI_UNDEF & 1 != 0)
    }

    fn steps_of(&self, iterator: u32) -> impl Iterator<Item = u32> + '_ {
        let (first, last) = self.input.range();
        // The opline that started the loop may lie right before the region.
        (first.saturating_sub(1)..=last).filter(move |&at| {
            let op = &self.input.lowered.ops[at as usize];
            matches!(op.op, OpCode::IterInit | OpCode::IterNext) && op.n == iterator
        })
    }

    /// The array that a layout guard has been applied to.
    fn checked(&self, array: ValueId) -> ValueId {
        match self.b.unit.def_inst(array) {
            Some(inst) if inst.op == Op::CheckArrKind => self.b.unit.src(inst, 0),
            _ => array,
        }
    }
}
