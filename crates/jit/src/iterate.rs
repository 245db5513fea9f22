//! `foreach` over lists.

use crate::build::{Build, Flow, Place, State};
use phlox_hhir::types::{self as hhir, ArrKind, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{Op, SnapId, ValueId};
use phlox_lower::{OpCode, Operand, Opline};
use phlox_value::raw;

impl Build<'_> {
    /// The first element: the iterator gets the array.
    pub(crate) fn iterate_from(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let exit = self.snap(at, state);
        let array = self.source(op.a, state)?;
        let cell = self.region.iter_cell(op.n) as usize;
        // Iterators of loops that are entered lie in memory.
        let is_free = matches!(state.cells[cell], Place::Value(value) if !self.is_counted(value));
        // Tables have been met there.
        let is_table = self.met(at) >> raw::TI_FALSE & 1 != 0;
        if !self.b.ty(array).is(hhir::ARR) || !self.is_list(array, op.n) || is_table || !is_free {
            return None;
        }
        let packed = self.b.check_arr_kind(array, ArrKind::Packed, exit);
        let none = state.clone();
        let pending = self.pending();
        state.cells[cell] = match self.is_counted(array) {
            true => {
                self.retain_later(array);
                Place::Owned(array)
            }
            false => Place::Value(array),
        };
        let first = self.b.unit.int(0);
        self.step_list(at, op, (packed, first), (at + 1, op.target), exit, state, none, pending)
    }

    /// The next element.
    pub(crate) fn iterate(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let exit = self.snap(at, state);
        let cell = self.region.iter_cell(op.n) as usize;
        let iter = |cell: usize| match state.cells[cell] {
            Place::Value(value) | Place::Fixed(value) | Place::Owned(value) => Some(value),
            _ => None,
        };
        let (array, position) = (iter(cell)?, iter(cell + 1)?);
        if self.kind(position) != hhir::INT || !self.b.ty(array).is(hhir::ARR) || !self.is_list(array, op.n) {
            return None;
        }
        let packed = self.b.check_arr_kind(array, ArrKind::Packed, exit);
        let mut end = state.clone();
        let mut pending = self.pending();
        // What an iterator in memory holds is freed by the interpreter.
        let is_memory = matches!(state.cells[cell], Place::Fixed(_));
        if !is_memory {
            let nothing = self.b.unit.constant(Const::Uninit);
            if let Place::Owned(array) = std::mem::replace(&mut end.cells[cell], Place::Value(nothing)) {
                pending[1].push(array);
            }
            end.cells[cell + 1] = Place::Value(nothing);
        }
        let behind = if is_memory { at } else { at + 1 };
        self.step_list(at, op, (packed, position), (op.target, behind), exit, state, end, pending)
    }

    /// A loop is left before its end.
    pub(crate) fn end_iteration(&mut self, op: &Opline, state: &mut State) -> Option<Flow> {
        let cell = self.region.iter_cell(op.n) as usize;
        if matches!(state.cells[cell], Place::Fixed(_) | Place::Memory | Place::Flushed(_) | Place::Empty) {
            return None;
        }
        let nothing = self.b.unit.constant(Const::Uninit);
        let before = std::mem::replace(&mut state.cells[cell], Place::Value(nothing));
        self.give_up(before, state);
        state.cells[cell + 1] = Place::Value(nothing);
        Some(Flow::Next)
    }

    /// Goes on with the element at a position, or elsewhere if there is none.
    #[allow(clippy::too_many_arguments)]
    fn step_list(
        &mut self,
        at: u32,
        op: &Opline,
        (array, position): (ValueId, ValueId),
        (found, ended): (u32, u32),
        exit: SnapId,
        state: &mut State,
        end: State,
        end_pending: [Vec<ValueId>; 2],
    ) -> Option<Flow> {
        if !self.can_store(op.b, state) || !self.can_store(op.c, state) || op.b == op.c {
            return None;
        }
        let seen = self.seen.get(&array).or_else(|| self.seen.get(&self.checked(array))).copied();
        let sample = seen.and_then(|seen| seen.element()).filter(|sample| sample.bits & hhir::BOXED == 0);
        let met = self.elements_met(op.n);
        let mut kinds: Vec<Bits> = sample.iter().map(|sample| sample.bits).collect();
        kinds.extend(met.into_iter().filter(|&bits| sample.is_none_or(|sample| bits != sample.bits)).take(4));
        if kinds.is_empty() {
            return None;
        }
        let size = self.b.op(Op::LdPackedSize, &[array]);
        let inside = self.b.op(Op::CheckRange, &[position, size]);
        let (yes, no) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
        let pending = self.pending();
        self.b.branch(inside, yes, no);
        self.b.switch_to(no);
        if ended == at {
            self.b.exit(exit);
        } else {
            self.set_pending(end_pending);
            self.go(ended, end);
        }
        self.b.switch_to(yes);
        let one = self.b.unit.int(1);
        let next = self.b.op_or(Op::AddIntO, &[position, one], exit);
        let cell = self.region.iter_cell(op.n) as usize;
        let place =
            self.b.emit(Op::LdPackedArrayDataElemAddr, Type::of(hhir::GEN), [0; 3], &[array, position], Edge::None)?;
        for (number, &bits) in kinds.iter().enumerate() {
            let (fits, other) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Neutral));
            let is_last = number + 1 == kinds.len();
            if is_last {
                self.b.emit(Op::CheckTypeMem, Type::of(bits), [0; 3], &[place], Edge::Exit(exit));
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
            if let Some(sample) = sample.filter(|sample| sample.bits == bits) {
                self.seen.insert(value, sample);
            }
            inner.cells[cell + 1] = Place::Value(next);
            if !self.store(op.b, value, &mut inner) || op.c != Operand::None && !self.store(op.c, position, &mut inner)
            {
                return None;
            }
            self.go(found, inner);
            self.b.switch_to(other);
        }
        Some(Flow::Done)
    }

    /// Whether an array that an iterator gets is likely to be a list: this one is, or others were.
    fn is_list(&self, array: ValueId, iterator: u32) -> bool {
        match self.seen.get(&array) {
            Some(seen) => seen.is_packed(),
            None => !self.elements_met(iterator).is_empty(),
        }
    }

    /// The kinds of elements of lists that an iterator has met.
    fn elements_met(&self, iterator: u32) -> Vec<Bits> {
        let (first, last) = self.region.range();
        let steps = (first..=last).filter(|&at| {
            let op = self.region.op(at);
            op.op == OpCode::IterNext && op.n == iterator
        });
        let met = steps.fold(0, |met, at| met | self.met(at));
        crate::calls::kinds_of_tags(met)
    }

    /// What a check of an array's layout has looked at.
    fn checked(&self, array: ValueId) -> ValueId {
        match self.b.unit.def_inst(array) {
            Some(inst) if inst.op == Op::CheckArrKind => self.b.unit.src(inst, 0),
            _ => array,
        }
    }
}
