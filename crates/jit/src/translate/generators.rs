//! Generators: the code of their bodies, and loops over them.
//!
//! The code of a body starts behind a `yield` and ends at one. Nothing that looks at frames may run in between, because the
//! body's frame is where it is kept while the body is suspended, and not on the stack; see [decision 35] and
//! [`BodyCode`](crate::backend::assembler::BodyCode).
//!
//! [decision 35]: ../../../docs/decisions/0035-bodies-of-generators.md

use crate::codegen::exits::tables::{Base, Stored};
use crate::codegen::{Refusal, Translation};
use crate::input::Start;
use crate::layout::{Context, HAS_KEY, HAS_YIELDED, NOT_CALLED, YIELDED};
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Kinds, Loc, Translator};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types as clif};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint, Inst, Slot};
use phlox_hhir::{Op, ValueId};
use phlox_lower::{HEADER_CELLS, OpCode, Operand, Opline};
use phlox_value::raw::offsets;
use std::mem::offset_of;

/// The flag of a ContNext that says that the key is wanted.
const WANTS_KEY: u32 = 1;

impl Translator<'_> {
    pub(crate) fn is_body(&self) -> bool {
        matches!(self.input.start, Start::Body)
    }

    /// Enters a body: the value of the `yield` expression before it is in the frame.
    pub(crate) fn enter_sent(&mut self, cells: &mut [Loc], strings: &mut Vec<usize>, restart: phlox_hhir::SnapId) {
        let suspended = self.input.op(self.input.header - 1);
        let (Operand::Tmp(_), Some(cell)) = (suspended.c, self.cell(suspended.c)) else { return };
        let Some(seen) = self.input.sent else { return };
        if seen.bits & hhir::STR != 0 {
            // The string is moved out of the frame only after all guards, because a guard that fails must find it there.
            self.b.check_loc(self.fp, cell as u32, Type::of(hhir::STR), restart);
            return strings.push(cell);
        }
        if let Some(place) = self.enter_cell(cell, seen, restart) {
            cells[cell] = place;
        }
    }

    /// Translates `yield`: the value goes to the context, from which the code that resumed the body takes it.
    pub(crate) fn suspend(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let point = self.input.host.resume_point(at).filter(|_| self.is_body())?;
        let value = self.yielded(op.a, state)?;
        let key = match op.b {
            Operand::None => self.b.unit.constant(Const::Nullptr),
            key => self.yielded(key, state)?,
        };
        for given in [key, value] {
            if self.is_counted(given) {
                self.retain_later(given);
            }
        }
        self.settle();
        if state.cells[self.input.before_tmps() as usize..].iter().any(|place| *place != Loc::Empty) {
            return None;
        }
        self.outcome.returns = true;
        let behind = self.snap(at + 1, state);
        let (fp, words) = (self.fp, [point as u32, (point >> 32) as u32, 0]);
        self.b.emit(Op::Yield, Type::TOP, words, &[fp, key, value], Edge::Exit(behind));
        Some(Flow::Done)
    }

    fn yielded(&mut self, operand: Operand, state: &mut FrameState) -> Option<ValueId> {
        let value = self.source(operand, state)?;
        let is_plain = self.b.ty(value).is(hhir::CELL) && !self.b.ty(value).maybe(hhir::UNINIT);
        is_plain.then_some(value)
    }

    /// Whether an iterator iterates over a generator at the region's entry, and the region does not start another iteration with
    /// it.
    pub(crate) fn walks_generator(&self, iterator: u32) -> bool {
        let (first, last) = self.input.range();
        let starts = |at: u32| {
            let op = self.input.op(at);
            matches!(op.op, OpCode::IterInit | OpCode::IterInitRef) && op.n == iterator
        };
        self.input.host.iterates_generator(iterator) && (self.is_body() || !(first..=last).any(starts))
    }

    /// Translates a `foreach` step over a generator.
    pub(crate) fn next_element(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if !self.walks_generator(op.n) || !self.can_store(op.b, state) || !self.can_store(op.c, state) || op.b == op.c {
            return None;
        }
        let iterator = self.input.iter_cell(op.n);
        if state.cells[iterator as usize] != Loc::Memory {
            return None;
        }
        let (mut seen, keys) = (self.elements_before(op.b), self.elements_before(op.c));
        seen.extend(
            crate::translate::calls::kinds_of_tags(self.feedback(at))
                .into_iter()
                .map(|bits| ObservedType { bits, payload: 0 }),
        );
        let first = seen.first().copied()?;
        seen.retain(|other| *other == first || other.bits != first.bits);
        seen.truncate(2);
        self.note_release();
        self.outcome.collects_feedback = true;
        let (fp, flag) = (self.fp, if op.c == Operand::None { 0 } else { WANTS_KEY });
        let here = self.snap(at, state);
        let words = [iterator, self.input.cell_count(), flag];
        let value = self.b.emit(Op::ContNext, Type::TOP, words, &[fp], Edge::Exit(here))?;
        let key = self.b.emit(Op::LdContKeyAddr, Type::TOP, [0; 3], &[value], Edge::None)?;
        let key_kind = keys.first().map_or(hhir::INT, |seen| seen.bits);
        for sample in seen {
            let (fits, other) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
            self.check_place(value, sample.bits, fits, other);
            self.b.switch_to(fits);
            let mut inner = state.clone();
            if flag != 0 {
                let (fits, unfit) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
                self.check_place(key, key_kind, fits, unfit);
                self.b.switch_to(unfit);
                self.deliver_any(op, (value, key), state.clone());
                self.b.switch_to(fits);
                let key = self.taken(key, key_kind, None)?;
                self.store(op.c, key, &mut inner).then_some(())?;
            }
            let value = self.taken(value, sample.bits, Some(sample).filter(|sample| sample.payload != 0))?;
            self.store(op.b, value, &mut inner).then_some(())?;
            self.go(op.target, inner);
            self.b.switch_to(other);
        }
        self.deliver_any(op, (value, key), state.clone());
        Some(Flow::Done)
    }

    /// The observed type that a loop's variable holds from the last iteration.
    fn elements_before(&self, variable: Operand) -> Vec<ObservedType> {
        let Operand::Local(local) = variable else { return Vec::new() };
        let seen = self
            .input
            .seen(local.0)
            .map(|seen| ObservedType { bits: crate::profile::counted_strings(seen.bits), ..seen });
        seen.filter(|seen| seen.bits & (hhir::UNINIT | hhir::BOXED) == 0).into_iter().collect()
    }

    fn check_place(&mut self, place: ValueId, bits: Bits, fits: phlox_hhir::BlockId, other: phlox_hhir::BlockId) {
        let checked = if bits == hhir::COUNTED_STR { hhir::STR } else { bits };
        self.b.emit(Op::CheckTypeMem, Type::of(checked), [0; 3], &[place], Edge::Block(other));
        let block = self.b.block();
        self.b.unit.blocks[block.at()].next = Some(fits);
    }

    /// Stores an element of an unexpected type to its variables in the frame, and takes a side exit to the loop's body.
    fn deliver_any(&mut self, op: &Opline, (value, key): (ValueId, ValueId), mut state: FrameState) {
        for (to, place) in [(op.b, value), (op.c, key)] {
            let Some(cell) = self.cell(to) else { continue };
            self.give_back(cell, &mut state);
            let fp = self.fp;
            self.b.emit(Op::AssignLocMem, Type::TOP, [cell as u32, 0, 0], &[fp, place], Edge::None);
            state.cells[cell] = Loc::Memory;
        }
        let behind = self.snap(op.target, &state);
        self.b.retranslate(behind);
    }

    /// Prepares a call of `Generator::send` or `next`.
    pub(crate) fn init_step(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let (exit, header) = (self.snap(at, state), self.input.cell(op.a)? as usize);
        let place = self.input.cell(op.b).map(|cell| state.cells[cell as usize]);
        let generator = self.source(op.b, state).filter(|&generator| self.b.ty(generator).is(hhir::OBJ))?;
        let seen = self.known.samples.get(&generator).filter(|seen| seen.bits == hhir::OBJ && seen.payload != 0)?;
        let step = self.input.host.generator_method(at, seen.payload)?;
        self.check_class(generator, step.class, exit)?;
        let func = self.b.unit.constant(Const::Func(step.func));
        self.known.callees.insert(func, Vec::new());
        self.known.steppers.insert(func, step.sends);
        state.cells[header] = Loc::Value(func);
        state.cells[header + 1] = Loc::Value(generator);
        self.hand_over(place, generator, header, state);
        Some(Flow::Next)
    }

    /// Calls `Generator::send` or `next`: the generator runs to its next `yield`.
    pub(crate) fn step_generator(
        &mut self,
        at: u32,
        op: &Opline,
        func: ValueId,
        sends: bool,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let header = self.input.cell(op.a)? as usize;
        let first = header + HEADER_CELLS as usize;
        let (Loc::Value(generator) | Loc::Owned(generator)) = state.cells[header + 1] else { return None };
        let sent = match (sends, op.n) {
            (false, 0) => self.b.unit.constant(Const::Nullptr),
            (true, 1) => match state.cells[first] {
                Loc::Value(sent) | Loc::Owned(sent) if self.b.ty(sent).is(hhir::CELL) => sent,
                _ => return None,
            },
            _ => return None,
        };
        // A result of an unexpected type is left where it is: in the cell of the header.
        let is_elsewhere = matches!(op.c, Operand::Tmp(_)) && op.c != op.a;
        if !self.can_store(op.c, state) || is_elsewhere || self.b.ty(sent).maybe(hhir::UNINIT) {
            return None;
        }
        let kinds = if sends { self.likely_results(at, func) } else { vec![hhir::INIT_NULL] };
        self.note_release();
        self.outcome.collects_feedback = true;
        let (fp, here) = (self.fp, self.snap(at, state));
        let words = [header as u32, (first + sends as usize) as u32, 0];
        let pointer = self.b.emit(Op::ContSend, Type::TOP, words, &[fp, func, generator, sent], Edge::Exit(here))?;
        for cell in header..first + op.n as usize {
            let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
            self.release_place(place, state);
        }
        self.take_result(at, op.c, pointer, &Kinds { kinds: &kinds, are_all: !sends, sample: None }, state)
    }

    /// Prepares a call of a closure that needs nothing but its function, which is then called like any function.
    pub(crate) fn init_closure(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        // The call has taken a side exit because of another closure.
        if self.input.host.exit_feedback(at) != 0 {
            return None;
        }
        let place = self.input.cell(op.b).map(|cell| state.cells[cell as usize]);
        let closure = self.peek(op.b, state)?;
        let seen =
            self.known.samples.get(&closure).copied().filter(|seen| seen.bits == hhir::OBJ && seen.payload != 0)?;
        let func = self.input.host.closure_function(seen.payload)?;
        let exit = self.snap(at, state);
        self.check_class(closure, seen.class()?, exit)?;
        let helper = self.input.shape.helpers.is_closure_of;
        let frees = (self.outcome.may_free, self.has_released);
        self.helper(helper, func.0, &[closure], Operand::None, exit)?;
        (self.outcome.may_free, self.has_released) = frees;
        let header = self.input.cell(op.a)? as usize;
        // A closure that a temporary owned belongs to the call from here on.
        let is_owned = matches!(op.b, Operand::Tmp(_)) && place == Some(Loc::Owned(closure));
        if matches!(op.b, Operand::Tmp(_)) {
            state.cells[self.input.cell(op.b)? as usize] = Loc::Empty;
        }
        self.pend_closure(header, func, state);
        state.cells[header + 3] = if is_owned { Loc::Owned(closure) } else { Loc::Value(closure) };
        Some(Flow::Next)
    }
}

impl Translation<'_> {
    /// Stores what a body yields to the context, and returns from the body's code.
    pub(crate) fn yield_to(&mut self, inst: &Inst) -> Result<(), Refusal> {
        let unit = self.unit;
        let ([_, key, value], Edge::Exit(behind)) = (unit.srcs(inst), inst.edge) else {
            return Err("a yield of nothing".to_owned());
        };
        let context = self.context();
        let mut word = u64::from(inst.imm[1]) << 32 | u64::from(inst.imm[0]) | HAS_YIELDED;
        if !unit.ty(*key).is(hhir::NULLPTR) {
            self.store_cell(*key, context, offset_of!(Context, key))?;
            word |= HAS_KEY;
        }
        self.store_cell(*value, context, offset_of!(Context, scratch))?;
        self.write_back(&unit.snap(behind).entries)?;
        let word = self.int(word as i64);
        self.give_position(word);
        Ok(())
    }

    /// Resumes a generator for one of its methods; gives the address of the method's result.
    pub(crate) fn send_to_generator(&mut self, inst: &Inst) -> Result<Value, Refusal> {
        let (unit, shape) = (self.unit, self.shape);
        let [_, _, generator, sent] = *unit.srcs(inst) else { return Err("a call of nothing".to_owned()) };
        let (stack, context) = (self.stack, self.context());
        let (header, end) = (shape.offset(Slot::Local(inst.imm[0])), shape.offset(Slot::Local(inst.imm[1])));
        let sent = match unit.ty(sent).is(hhir::NULLPTR) {
            true => self.int(0),
            false => self.cells(&[sent])?,
        };
        let generator = self.value(generator)?;
        let place = self.builder.ins().iadd_imm_s(stack, header as i64);
        let end = self.builder.ins().iadd_imm_s(stack, end as i64);
        let function = shape.helpers.send as *const ();
        let status = self.call_helper(function, &[context, generator, sent, place, end], true).unwrap_or(context);
        let called = Some((header, (inst.imm[1] - inst.imm[0] - HEADER_CELLS) as usize));
        let given = self.after_body(inst, status, called)?;
        for word in [0, offsets::CELL_TAG] {
            let value = self.load(clif::I64, given, word);
            self.store(value, place, word);
        }
        Ok(place)
    }

    /// Resumes the generator of an iterator; gives the address of what it yields.
    pub(crate) fn next_of_generator(&mut self, inst: &Inst) -> Result<Value, Refusal> {
        let shape = self.shape;
        let (fp, stack, context) = (self.fp, self.stack, self.context());
        let iterator = shape.offset(Slot::Local(inst.imm[0]));
        let iterator = self.builder.ins().iadd_imm_s(fp, iterator as i64);
        let end = self.builder.ins().iadd_imm_s(stack, shape.offset(Slot::Local(inst.imm[1])) as i64);
        let wants_key = self.int(i64::from(inst.imm[2]));
        let function = shape.helpers.next_element as *const ();
        let args = [context, iterator, stack, end, wants_key];
        let status = self.call_helper(function, &args, true).unwrap_or(context);
        self.after_body(inst, status, None)
    }

    /// Continues after a generator's body has run, or takes a side exit if it did not yield. `called`: the header and number of
    /// arguments of the builtin method that resumed it.
    fn after_body(&mut self, inst: &Inst, status: Value, called: Option<(usize, usize)>) -> Result<Value, Refusal> {
        let Edge::Exit(snap) = inst.edge else { return Err("a generator without an exit".to_owned()) };
        let (snap, context) = (self.unit.snap(snap), self.context());
        let (other, next) = (self.builder.create_block(), self.builder.create_block());
        let (again, left) = (self.builder.create_block(), self.builder.create_block());
        for block in [other, again, left] {
            self.builder.set_cold_block(block);
        }
        let has_yielded = self.builder.ins().icmp_imm_s(IntCC::Equal, status, YIELDED as i64);
        self.branch_out(has_yielded, false, other, next);
        self.builder.switch_to_block(other);
        let mut noted = self.noting(|code| code.write_back(&snap.entries))?;
        let refused = self.builder.ins().icmp_imm_s(IntCC::Equal, status, NOT_CALLED as i64);
        self.builder.ins().brif(refused, again, &[], left, &[]);
        self.builder.switch_to_block(again);
        self.leave_with(snap.opline, true, noted.clone());
        // The generator's body goes on in the interpreter, above this frame or that of the builtin method.
        self.builder.switch_to_block(left);
        noted.extend(self.noting(|code| {
            if let Some((header, argc)) = called {
                code.put(Base::Stack, header + code.shape.header.ip as usize, Stored::Word(0));
                code.stand_below(0, header, argc);
            }
            code.stand_at(snap.opline);
            Ok(())
        })?);
        self.leave_above(false, noted, status);
        self.builder.switch_to_block(next);
        Ok(self.builder.ins().iadd_imm_s(context, offset_of!(Context, scratch) as i64))
    }
}
