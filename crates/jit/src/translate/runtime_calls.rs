//! Oplines that runtime functions execute: strings, hash tables, builtin functions with a fast path.
//!
//! A runtime function gets values as cells and writes a cell. It refuses what it cannot do without running PHP code; then there
//! is a side exit before the opline.

use crate::host::FastPath;
use crate::input::{Start, loop_end};
use crate::layout::Helper;
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Kinds, Loc, Translator};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{FuncId, Op, SnapId, ValueId};
use phlox_lower::facts::Heap;
use phlox_lower::{Comparison, OpCode, Operand, Opline};

/// The number of strings that are concatenated at once.
const MAX_PARTS: u32 = 16;

const STRINGS: Kinds<'_> = Kinds { kinds: &[hhir::COUNTED_STR], are_all: true, sample: None };
const ARRAYS: Kinds<'_> = Kinds { kinds: &[hhir::COUNTED_ARR, hhir::STATIC_ARR], are_all: true, sample: None };

impl Translator<'_> {
    /// Calls a runtime function, with a side exit if it refuses; gives the address of its result.
    pub(crate) fn helper(
        &mut self,
        function: Helper,
        data: u64,
        args: &[ValueId],
        to: Operand,
        exit: SnapId,
    ) -> Option<ValueId> {
        self.helper_op(Op::CallHelper, function, data, args, to, exit)
    }

    pub(crate) fn helper_op(
        &mut self,
        op: Op,
        function: Helper,
        data: u64,
        args: &[ValueId],
        to: Operand,
        exit: SnapId,
    ) -> Option<ValueId> {
        self.emit_helper(op, (function, data), args, to, Edge::Exit(exit))
    }

    /// Calls a runtime function, with a given edge for the case that it refuses.
    fn helper_at_edge(
        &mut self,
        function: Helper,
        data: u64,
        args: &[ValueId],
        to: Operand,
        refused: Edge,
    ) -> Option<ValueId> {
        let pointer = self.emit_helper(Op::CallHelper, (function, data), args, to, refused)?;
        if let Edge::Block(_) = refused {
            let (block, answered) = (self.b.block(), self.b.new_block(Hint::Likely));
            self.b.unit.blocks[block.at()].next = Some(answered);
            self.b.switch_to(answered);
        }
        Some(pointer)
    }

    fn emit_helper(
        &mut self,
        op: Op,
        (function, data): (Helper, u64),
        args: &[ValueId],
        to: Operand,
        refused: Edge,
    ) -> Option<ValueId> {
        let to = match to {
            Operand::Tmp(_) => self.input.cell(to).map_or(0, |cell| cell + 1),
            _ => 0,
        };
        let mut srcs =
            vec![self.b.unit.constant(Const::Func(FuncId(function as usize as u64))), self.b.unit.int(data as i64)];
        srcs.extend(args);
        // A function whose arguments hold no objects, directly or in arrays, frees none, so destructors need not be checked for
        // behind it.
        match args.iter().all(|&arg| self.b.ty(arg).is(hhir::UNCOUNTED | hhir::STR)) {
            true => self.outcome.may_free = true,
            false => self.note_release(),
        }
        self.b.emit(op, Type::TOP, [to, 0, 0], &srcs, refused)
    }

    /// Stores a result that is in memory, with a path for each type that it may have.
    pub(crate) fn take_result(
        &mut self,
        at: u32,
        to: Operand,
        pointer: ValueId,
        result: &Kinds<'_>,
        state: &mut FrameState,
    ) -> Option<Flow> {
        if !self.can_store(to, state) {
            return None;
        }
        if to == Operand::None {
            self.b.emit(Op::DropMem, Type::TOP, [0; 3], &[pointer], Edge::None);
            self.note_release();
            return Some(Flow::Next);
        }
        if self.gives_on(at, to) {
            return self.give_memory(pointer, result.kinds, state);
        }
        if let Some(ty) = self.together(at, to, result.kinds) {
            return self.take_together(at, to, pointer, ty, result, state);
        }
        self.settle();
        let (last, others) = match (result.kinds.split_last(), result.are_all) {
            (Some((&last, others)), true) => (Some(last), others),
            _ => (None, result.kinds),
        };
        for &bits in others {
            let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
            self.b.emit(Op::CheckTypeMem, Type::of(bits), [0; 3], &[pointer], Edge::Block(no));
            let block = self.b.block();
            self.b.unit.blocks[block.at()].next = Some(yes);
            self.b.switch_to(yes);
            let mut inner = state.clone();
            self.take(pointer, bits, to, result.sample, &mut inner)?;
            self.go(at + 1, inner);
            self.b.switch_to(no);
        }
        if let Some(last) = last {
            self.take(pointer, last, to, result.sample, state)?;
            return Some(Flow::Next);
        }
        self.leave_in_memory(at, to, pointer, state);
        Some(Flow::Done)
    }

    /// Takes a side exit behind an opline whose result has an unexpected type; the interpreter finds the result in its cell.
    fn leave_in_memory(&mut self, at: u32, to: Operand, pointer: ValueId, state: &mut FrameState) {
        if let Some(cell) = self.input.cell(to) {
            if matches!(to, Operand::Local(_)) {
                self.give_back(cell as usize, state);
                let fp = self.fp;
                self.b.emit(Op::AssignLocMem, Type::TOP, [cell, 0, 0], &[fp, pointer], Edge::None);
            }
            state.cells[cell as usize] = Loc::Memory;
        }
        let other = self.snap(at + 1, state);
        self.b.retranslate(other);
    }

    /// Stores a result that is in memory as a tagged value.
    fn take_together(
        &mut self,
        at: u32,
        to: Operand,
        pointer: ValueId,
        ty: Type,
        result: &Kinds<'_>,
        state: &mut FrameState,
    ) -> Option<Flow> {
        if result.are_all {
            self.take(pointer, ty.bits(), to, result.sample, state)?;
            return Some(Flow::Next);
        }
        self.settle();
        let (yes, no) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
        self.b.emit(Op::CheckTypeMem, ty, [0; 3], &[pointer], Edge::Block(no));
        let block = self.b.block();
        self.b.unit.blocks[block.at()].next = Some(yes);
        self.b.switch_to(yes);
        let mut inner = state.clone();
        self.take(pointer, ty.bits(), to, result.sample, &mut inner)?;
        self.go(at + 1, inner);
        self.b.switch_to(no);
        self.leave_in_memory(at, to, pointer, state);
        Some(Flow::Done)
    }

    /// Stores a result of a known type.
    fn take(
        &mut self,
        pointer: ValueId,
        bits: Bits,
        to: Operand,
        sample: Option<ObservedType>,
        state: &mut FrameState,
    ) -> Option<()> {
        let value = self.taken(pointer, bits, sample)?;
        self.store(to, value, state).then_some(())
    }

    /// Takes a result of a known type out of memory; its reference is released at the end of the opline unless it moves.
    pub(crate) fn taken(&mut self, pointer: ValueId, bits: Bits, sample: Option<ObservedType>) -> Option<ValueId> {
        let ty = Type::of(bits);
        if let Some(constant) = phlox_hhir::Unit::const_of_type(ty) {
            return Some(self.b.unit.constant(constant));
        }
        let value = self.b.emit(Op::TakeMem, ty, [0; 3], &[pointer], Edge::None)?;
        if let Some(sample) = sample.filter(|sample| sample.bits & bits != 0) {
            self.known.samples.insert(value, sample);
        }
        if self.is_counted(value) {
            self.dying.push(value);
        }
        Some(value)
    }

    /// Translates `a . b` and `a .= b`.
    pub(crate) fn concat(
        &mut self,
        at: u32,
        [a, b]: [ValueId; 2],
        target: Operand,
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        if !self.is_int_or_string(a) || !self.is_int_or_string(b) || !self.can_store(target, state) {
            return None;
        }
        let helpers = self.input.shape.helpers;
        let assigned = self.input.cell(target).map(|cell| cell as usize);
        let own = assigned.filter(|&cell| {
            let is_lent = state.cells.contains(&Loc::Value(a));
            state.cells[cell] == Loc::Owned(a) && matches!(target, Operand::Local(_)) && !is_lent
        });
        if self.kind(a) == hhir::COUNTED_STR && a != b && (own.is_some() || self.dying.contains(&a)) {
            // The string grows in place if it has no other holder.
            match own {
                Some(cell) => {
                    let nothing = self.b.unit.constant(Const::Null);
                    state.cells[cell] = Loc::Value(nothing);
                }
                None => {
                    let place = self.dying.iter().position(|&value| value == a)?;
                    self.dying.remove(place);
                }
            }
            let pointer = self.helper_op(Op::CallHelperTake, helpers.append_text, 0, &[a, b], target, exit)?;
            let grown = Kinds { kinds: &[hhir::COUNTED_STR], are_all: true, sample: None };
            return self.take_result(at, target, pointer, &grown, state);
        }
        let pointer = self.helper(helpers.concat, 0, &[a, b], target, exit)?;
        self.take_result(at, target, pointer, &STRINGS, state)
    }

    /// Assigns a byte of a string that a variable owns. The string stays where it is if it has no other holder.
    pub(crate) fn set_byte(
        &mut self,
        at: u32,
        op: &Opline,
        [text, index, byte]: [ValueId; 3],
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let cell = self.input.cell(op.a)? as usize;
        let fits = self.kind(index) == hhir::INT && self.kind(byte) & !hhir::STR == 0 && byte != text;
        if !fits || !matches!(op.a, Operand::Local(_)) || state.cells.contains(&Loc::Value(text)) {
            return None;
        }
        let nothing = self.b.unit.constant(Const::Null);
        state.cells[cell] = Loc::Value(nothing);
        let helper = self.input.shape.helpers.set_byte;
        let pointer = self.helper_op(Op::CallHelperTake, helper, 0, &[text, index, byte], op.a, exit)?;
        let changed = Kinds { kinds: &[hhir::COUNTED_STR], are_all: true, sample: None };
        self.take_result(at, op.a, pointer, &changed, state)
    }

    /// Concatenates the strings in consecutive temporaries.
    pub(crate) fn concat_many(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let Operand::Tmp(first) = op.a else { return None };
        if op.n > MAX_PARTS {
            return None;
        }
        let parts =
            (0..op.n).map(|index| self.source(Operand::Tmp(first + index), state)).collect::<Option<Vec<_>>>()?;
        if !parts.iter().all(|&part| self.is_int_or_string(part)) || !self.can_store(op.c, state) {
            return None;
        }
        let pointer = self.helper(self.input.shape.helpers.concat, 0, &parts, op.c, exit)?;
        self.take_result(at, op.c, pointer, &STRINGS, state)
    }

    /// Translates `(string) a`.
    pub(crate) fn make_text(&mut self, at: u32, value: ValueId, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if self.kind(value) & !hhir::STR == 0 {
            return self.store(op.c, value, state).then_some(Flow::Next);
        }
        if self.kind(value) != hhir::INT || !self.can_store(op.c, state) {
            return None;
        }
        let exit = self.snap(at, state);
        let pointer = self.helper(self.input.shape.helpers.concat, 0, &[value], op.c, exit)?;
        self.take_result(at, op.c, pointer, &STRINGS, state)
    }

    /// Compares scalars that are not both numbers.
    pub(crate) fn compare_scalars(
        &mut self,
        comparison: Comparison,
        a: ValueId,
        b: ValueId,
        exit: SnapId,
    ) -> Option<ValueId> {
        let scalars = hhir::NULL | hhir::BOOL | hhir::NUM | hhir::STR;
        if (self.kind(a) | self.kind(b)) & !scalars != 0 || (self.kind(a) | self.kind(b)) & hhir::UNINIT != 0 {
            return None;
        }
        let helper = self.input.shape.helpers.compare;
        let pointer = self.helper(helper, comparison as u64, &[a, b], Operand::None, exit)?;
        let kind = if comparison == Comparison::Cmp { hhir::INT } else { hhir::BOOL };
        self.b.emit(Op::TakeMem, Type::of(kind), [0; 3], &[pointer], Edge::None)
    }

    /// Whether a value is an integer or a string: it is a key without conversion, and has a text without running PHP code.
    pub(crate) fn is_int_or_string(&self, value: ValueId) -> bool {
        let kind = self.kind(value);
        kind == hhir::INT || kind & !hhir::STR == 0
    }

    /// Reads an element of any array.
    pub(crate) fn any_element(
        &mut self,
        at: u32,
        op: &Opline,
        [array, key]: [ValueId; 2],
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        if !self.b.ty(array).is(hhir::ARR) || !self.is_int_or_string(key) || !self.can_store(op.c, state) {
            return None;
        }
        let sample = self.known.samples.get(&array).and_then(|seen| seen.element());
        let sample = sample.filter(|sample| sample.bits & (hhir::UNINIT | hhir::BOXED) == 0);
        let is_quiet = op.op == OpCode::GetElemQuiet;
        let mut kinds: Vec<Bits> = sample.iter().map(|sample| sample.bits).collect();
        let met = crate::translate::calls::kinds_of_tags(self.feedback(at));
        if !met.is_empty() {
            kinds.retain(|kind| met.contains(kind));
        }
        let none = (is_quiet && met.is_empty()).then_some(hhir::INIT_NULL);
        kinds.extend(met.into_iter().chain(none));
        let mut different = Vec::new();
        kinds.retain(|bits| {
            !different.contains(bits) && {
                different.push(*bits);
                true
            }
        });
        let pointer = self.helper(self.input.shape.helpers.element, u64::from(is_quiet), &[array, key], op.c, exit)?;
        self.outcome.collects_feedback = true;
        self.take_result(at, op.c, pointer, &Kinds { kinds: &kinds, are_all: false, sample }, state)
    }

    /// Translates `isset($a[$k])` and `empty($a[$k])`.
    pub(crate) fn isset_element(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let key = self.source(op.b, state)?;
        let array = self.source(op.a, state)?;
        if self.b.ty(array).is(hhir::STR) && self.kind(key) == hhir::INT && op.n == 0 {
            // The interpreter handles negative positions.
            let zero = self.b.unit.int(0);
            let is_position = self.b.op(Op::GteInt, &[key, zero]);
            self.b.exit_unless(is_position, exit);
            let length = self.b.op(Op::LdStrLen, &[array]);
            let answer = self.b.op(Op::LtInt, &[key, length]);
            return self.store(op.c, answer, state).then_some(Flow::Next);
        }
        if !self.b.ty(array).is(hhir::ARR) || !self.is_int_or_string(key) || !self.can_store(op.c, state) {
            return None;
        }
        let helper = self.input.shape.helpers.has_element;
        let pointer = self.helper(helper, u64::from(op.n), &[array, key], Operand::None, exit)?;
        let answer = self.b.emit(Op::TakeMem, Type::of(hhir::BOOL), [0; 3], &[pointer], Edge::None)?;
        self.store(op.c, answer, state).then_some(Flow::Next)
    }

    /// Translates `$a[$k] = $v` and `$a[] = $v` for any array.
    pub(crate) fn set_any_element(
        &mut self,
        at: u32,
        op: &Opline,
        key: Option<ValueId>,
        value: ValueId,
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let cell = self.input.cell(op.a)? as usize;
        let helpers = self.input.shape.helpers;
        if key.is_some_and(|key| !self.is_int_or_string(key)) || self.kind(value) & hhir::UNINIT != 0 {
            return None;
        }
        let is_inside = self.reference_in(cell, state).is_some();
        let array = match state.cells[cell] {
            _ if is_inside => *self.references.contents.get(&cell).filter(|&&array| self.b.ty(array).is(hhir::ARR))?,
            Loc::Value(array) | Loc::Fixed(array) | Loc::Owned(array) if self.b.ty(array).is(hhir::ARR) => array,
            _ => return None,
        };
        if array == value {
            return None;
        }
        let mut args = vec![array];
        args.extend(key);
        args.push(value);
        // A literal array is not counted, so it can be copied, unless it may be in a reference. An array that an inner loop
        // fills is left to the region of that loop, whose samples show what it holds.
        let is_literal = self.b.ty(array).bits() == hhir::STATIC_ARR
            && !self.is_reference(cell)
            && (self.is_body() || self.input.host.exit_feedback(at) != 0 || self.is_in_own_loop(at));
        let is_list = is_literal
            && key.is_none_or(|key| self.kind(key) == hhir::INT)
            && !self.known.samples.get(&array).is_some_and(|seen| seen.is_table());
        if is_inside || matches!(state.cells[cell], Loc::Fixed(_)) && !is_literal {
            if self.b.ty(array).bits() != hhir::COUNTED_ARR {
                return None;
            }
            let helper = if key.is_some() { helpers.set_in_place } else { helpers.push_in_place };
            self.helper(helper, 0, &args, Operand::None, exit)?;
            return Some(Flow::Next);
        }
        // In a loop other variables may hold the array without references of their own.
        let is_variable = cell < self.input.before_tmps() as usize && !is_literal;
        if is_variable && !self.is_function() && !matches!(state.cells[cell], Loc::Owned(_)) {
            return None;
        }
        let helper = if key.is_some() { helpers.set_element } else { helpers.push_element };
        let is_own = matches!(state.cells[cell], Loc::Owned(_));
        let pointer = match is_own {
            true => self.helper_op(Op::CallHelperTake, helper, 0, &args, Operand::None, exit)?,
            // The array is borrowed, so the function copies it.
            false => self.helper(helper, 1, &args, Operand::None, exit)?,
        };
        let nothing = self.b.unit.constant(Const::Null);
        state.cells[cell] = Loc::Value(nothing);
        let sample = self.known.samples.get(&array).copied().filter(|sample| sample.bits == hhir::COUNTED_ARR);
        let changed = Kinds { kinds: &[hhir::COUNTED_ARR], are_all: true, sample };
        let flow = self.take_result(at, op.a, pointer, &changed, state);
        if let (true, Loc::Owned(made)) = (is_list, state.cells[cell]) {
            self.known.lists.insert(made);
        }
        flow
    }

    /// Whether the value of a variable may be in a reference.
    fn is_reference(&self, cell: usize) -> bool {
        let was_one = || self.input.seen(cell as u32).is_some_and(|seen| seen.bits == hhir::BOXED);
        cell < self.input.locals as usize
            && (self.references.boxes.has(cell)
                || self.references.passed.contains(&(cell as u32))
                || !self.is_function() && was_one())
    }

    /// Whether an opline is in the region's own loop, and in no loop inside of it.
    fn is_in_own_loop(&self, at: u32) -> bool {
        let inner = (self.input.header + 1..=at).filter(|&head| self.outline.is_header[head as usize]);
        matches!(self.input.start, Start::Loop) && inner.into_iter().all(|head| loop_end(self.input.lowered, head) < at)
    }

    /// Gives references of their own to arrays that temporaries borrow, before an opline that changes arrays in place.
    pub(crate) fn hold_lent(&mut self, op: OpCode, state: &mut FrameState) {
        if op.facts().heap != Heap::ChangesArrays {
            return;
        }
        for cell in self.input.before_tmps() as usize..state.cells.len() {
            let Loc::Value(value) = state.cells[cell] else { continue };
            if self.b.ty(value).is(hhir::GEN) && self.b.ty(value).maybe(hhir::COUNTED_ARR) {
                self.retain(value);
                state.cells[cell] = Loc::Owned(value);
            }
        }
    }

    /// Translates an array literal of consecutive temporaries.
    pub(crate) fn tuple(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let Operand::Tmp(first) = op.a else { return None };
        let parts =
            (0..op.n).map(|index| self.source(Operand::Tmp(first + index), state)).collect::<Option<Vec<_>>>()?;
        if !self.can_store(op.c, state) {
            return None;
        }
        let pointer = self.helper(self.input.shape.helpers.list, 0, &parts, op.c, exit)?;
        self.take_result(at, op.c, pointer, &ARRAYS, state)
    }

    /// Adds an element to an array literal that is being built.
    pub(crate) fn add_element(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let (key, value) = match op.op {
            OpCode::AddElem => (Some(self.source(op.b, state)?), self.source(op.c, state)?),
            _ => (None, self.source(op.b, state)?),
        };
        self.set_any_element(at, op, key, value, exit, state)
    }

    /// Calls a builtin function's fast path; where that refuses, the interpreter makes the call.
    pub(crate) fn call_fast_path_or_interpreted(
        &mut self,
        at: u32,
        op: &Opline,
        (callee, function): (ValueId, FastPath),
        (args, (before, pending)): (&[ValueId], (FrameState, [Vec<ValueId>; 2])),
        state: &mut FrameState,
    ) -> Option<Flow> {
        self.meet_behind(at);
        let refused = self.b.new_block(Hint::Unlikely);
        if let Flow::Next = self.call_fast_path(at, op, (callee, function), args, Edge::Block(refused), state)? {
            self.go(at + 1, state.clone());
        }
        self.b.switch_to(refused);
        *state = before;
        self.set_pending(pending);
        let kinds = self.likely_results(at, callee);
        self.outcome.interpreter_calls.push(at);
        self.call_interpreted(at, op, callee, kinds, state)
    }

    /// Calls a builtin function's fast path.
    pub(crate) fn call_fast_path(
        &mut self,
        at: u32,
        op: &Opline,
        (callee, function): (ValueId, FastPath),
        args: &[ValueId],
        refused: Edge,
        state: &mut FrameState,
    ) -> Option<Flow> {
        if !self.can_store(op.c, state) || args.iter().any(|&arg| self.kind(arg) & hhir::UNINIT != 0) {
            return None;
        }
        let kinds = self.likely_results(at, callee);
        let pointer = self.helper_at_edge(self.input.shape.helpers.fast_path, function.0, args, op.c, refused)?;
        self.outcome.collects_feedback = true;
        self.take_result(at, op.c, pointer, &Kinds { kinds: &kinds, are_all: false, sample: None }, state)
    }
}
