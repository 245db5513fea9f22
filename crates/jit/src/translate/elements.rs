//! Elements of arrays, bytes of strings, and calls of builtin functions that become an instruction or two.

use crate::input::Start;
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Kinds, Loc, Translator};
use phlox_hhbc::caller_access;
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{Op, SnapId, ValueId};
use phlox_lower::{OpCode, Operand, Opline};
use phlox_value::raw;

impl Translator<'_> {
    /// Translates `$a[$k][$l] = $v` where `$a[$k]` is an array.
    pub(crate) fn set_in_element(
        &mut self,
        at: u32,
        op: &Opline,
        (base, outer, inner): (Operand, Operand, Operand),
        value: ValueId,
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let cell = self.input.cell(base)? as usize;
        // An array as value could be the inner array itself, held without a reference of its own.
        let is_free = op.c == Operand::None && !self.b.ty(value).maybe(hhir::ARR | hhir::UNINIT);
        let Loc::Owned(array) = state.cells[cell] else { return None };
        let keys = [self.source(outer, state)?, self.source(inner, state)?];
        let are_keys = keys.iter().all(|&key| self.is_int_or_string(key));
        if !is_free || !are_keys || self.b.ty(array).bits() != hhir::COUNTED_ARR || self.shows_arrays(state) {
            return None;
        }
        let helper = self.input.shape.helpers.set_in_element;
        let args = [array, keys[0], keys[1], value];
        let pointer = self.helper_op(Op::CallHelperTake, helper, 0, &args, Operand::None, exit)?;
        let nothing = self.b.unit.constant(Const::Null);
        state.cells[cell] = Loc::Value(nothing);
        let sample = self.known.samples.get(&array).copied();
        let changed = Kinds { kinds: &[hhir::COUNTED_ARR], are_all: true, sample };
        self.take_result(at, base, pointer, &changed, state)
    }

    pub(crate) fn get_elem(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let key = self.source(op.b, state)?;
        let base = match op.op == OpCode::GetElemList && op.n == 1 {
            true => self.peek(op.a, state)?,
            false => self.source(op.a, state)?,
        };
        let ty = self.b.ty(base);
        let noted = self.feedback(at);
        let is_one_kind = self.input.host.exit_feedback(at) == 0 && noted.count_ones() <= 1;
        if is_one_kind
            && ty.is(hhir::ARR)
            && self.kind(key) == hhir::INT
            && let Some((list, kind)) = self.unboxed(base, exit)
        {
            self.b.emit(Op::CheckPackedArrayDataBounds, Type::TOP, [0; 3], &[list, key], Edge::Exit(exit));
            let value = self.load_unboxed(list, kind, key);
            return self.store(op.c, value, state).then_some(Flow::Next);
        }
        if ty.is(hhir::ARR) && self.kind(key) == hhir::STATIC_STR && is_one_kind {
            if let Some(value) = self.keyed(base, key, exit) {
                return self.store(op.c, value, state).then_some(Flow::Next);
            }
        }
        let sample = self.known.samples.get(&base).filter(|seen| seen.is_packed()).and_then(|seen| seen.element());
        let sample = sample.or_else(|| self.element_read(at));
        let is_plain = sample.is_some_and(|element| {
            let noted = crate::translate::calls::kinds_of_tags(noted);
            noted.iter().all(|&bits| bits == element.bits) && element.bits & (hhir::BOXED | hhir::UNINIT) == 0
        });
        if ty.is(hhir::ARR) && (self.kind(key) != hhir::INT || !is_plain) {
            let (before, pending) = (state.clone(), self.pending());
            if let Some(flow) = self.get_from_list(at, op, [base, key], exit, state) {
                return Some(flow);
            }
            *state = before;
            self.set_pending(pending);
            return self.any_element(at, op, [base, key], exit, state);
        }
        if self.kind(key) != hhir::INT {
            return None;
        }
        let value = if ty.is(hhir::ARR) {
            let element = sample?;
            let array = self.packed(base, exit);
            self.element(array, key, element, exit)
        } else if ty.is(hhir::STR) && op.op != OpCode::GetElemList {
            self.byte(base, key, exit)
        } else {
            return None;
        };
        self.store(op.c, value, state).then_some(Flow::Next)
    }

    /// The observed type of a packed array's elements without a sample of the array, if the opline has read just one unboxed
    /// type from packed arrays.
    fn element_read(&self, at: u32) -> Option<ObservedType> {
        let [bits] = crate::translate::calls::kinds_of_tags(self.feedback(at))[..] else { return None };
        let is_unboxed = matches!(bits, hhir::INT | hhir::DBL | hhir::BOOL);
        let fits = is_unboxed && self.input.host.exit_feedback(at) == 0 && self.reads_lists(at);
        fits.then_some(ObservedType { bits, payload: 0 })
    }

    /// The one-byte string at a position in a string, which is guarded to be inside.
    fn byte(&mut self, string: ValueId, index: ValueId, exit: SnapId) -> ValueId {
        let length = self.b.op(Op::LdStrLen, &[string]);
        let inside = self.b.op(Op::CheckRange, &[index, length]);
        self.b.exit_unless(inside, exit);
        let byte = self.b.op(Op::LdStrByte, &[string, index]);
        self.b.op(Op::ChrInt, &[byte])
    }

    /// Translates `$a[$i] = $v` where the element exists or is the next one, and `$a[] = $v`.
    pub(crate) fn set_elem(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let value = self.source(op.c, state)?;
        let appends = op.op == OpCode::Append;
        let key = if appends { None } else { Some(self.source(op.b, state)?) };
        let cell = self.input.cell(op.a)? as usize;
        if let (Some(key), Loc::Owned(text)) = (key, state.cells[cell])
            && self.kind(text) == hhir::COUNTED_STR
        {
            return self.set_byte(at, op, [text, key, value], exit, state);
        }
        let array = match state.cells[cell] {
            _ if self.reference_in(cell, state).is_some() => *self.references.contents.get(&cell)?,
            Loc::Fixed(array) | Loc::Owned(array) => array,
            _ => return self.set_any_element(at, op, key, value, exit, state),
        };
        let is_new = self.known.lists.contains(&array);
        let is_list = is_new || self.known.samples.get(&array).is_some_and(|seen| seen.is_packed());
        // A side exit may have been taken because the array was full, so it should grow here.
        let noted = self.input.host.exit_feedback(at);
        let is_filled = appends || self.is_behind(op.b, array);
        let grows = is_new || is_filled || noted != 0 || !matches!(self.input.start, Start::Loop);
        let is_plain = is_list
            && noted & !(1 << raw::TI_UNDEF) == 0
            && !self.is_counted(value)
            && self.b.ty(array).bits() == hhir::COUNTED_ARR
            && key.is_none_or(|key| self.kind(key) == hhir::INT);
        let takes = self
            .known
            .samples
            .get(&array)
            .and_then(|seen| seen.unboxed())
            .is_some_and(|kind| self.kind(value) & !kind.elem() == 0);
        let is_unboxed = takes
            && noted == 0
            && self.b.ty(array).bits() == hhir::COUNTED_ARR
            && key.is_some_and(|key| self.kind(key) == hhir::INT);
        if !is_plain && !is_unboxed {
            return self.set_any_element(at, op, key, value, exit, state);
        }
        let is_shown = match state.cells[cell] {
            Loc::Owned(_) => self.shows_own(array, state),
            _ => self.shows_arrays(state),
        };
        if is_shown {
            return None;
        }
        if let (true, Some(key)) = (is_unboxed, key) {
            let (list, kind) = self.unboxed(array, exit)?;
            self.b.emit(Op::CheckArrayCOW, Type::TOP, [0; 3], &[list], Edge::Exit(exit));
            self.b.emit(Op::CheckPackedArrayDataBounds, Type::TOP, [0; 3], &[list, key], Edge::Exit(exit));
            self.store_unboxed(list, kind, key, value);
            return Some(Flow::Next);
        }
        let array = self.packed(array, exit);
        self.b.emit(Op::CheckArrayCOW, Type::TOP, [0; 3], &[array], Edge::Exit(exit));
        let Some(key) = key else {
            self.append(array, value, grows, exit);
            return Some(Flow::Next);
        };
        let size = self.b.op(Op::LdPackedSize, &[array]);
        let inside = self.b.op(Op::CheckRange, &[key, size]);
        let (there, behind) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
        let joined = self.b.new_block(Hint::Neutral);
        self.b.branch(inside, there, behind);
        self.b.switch_to(there);
        // The element that is overwritten must be neither counted nor a hole.
        let old = Type::of(hhir::UNCOUNTED).without(hhir::UNINIT);
        self.b.emit(Op::CheckPackedElem, old, [0; 3], &[array, key], Edge::Exit(exit));
        self.b.emit(Op::StPackedElem, Type::TOP, [0; 3], &[array, key, value], Edge::None);
        self.b.jmp(joined, &[]);
        self.b.switch_to(behind);
        let next = self.b.op(Op::EqInt, &[key, size]);
        self.b.exit_unless(next, exit);
        self.append(array, value, grows, exit);
        self.b.jmp(joined, &[]);
        self.b.switch_to(joined);
        Some(Flow::Next)
    }

    /// Whether a variable is the position behind a packed array's last element when the region is compiled.
    fn is_behind(&self, key: Operand, array: ValueId) -> bool {
        let Operand::Local(local) = key else { return false };
        let position = self.input.seen(local.index() as u32).filter(|seen| seen.bits == hhir::INT);
        let length = self.known.samples.get(&array).and_then(|seen| seen.length());
        position.is_some() && position.map(|seen| seen.payload) == length
    }

    /// Appends to a packed array; if it is full, it grows, or there is a side exit.
    fn append(&mut self, array: ValueId, value: ValueId, grows: bool, exit: SnapId) {
        let reserve = Op::ReservePackedArrayDataNewElem;
        let words = [u32::from(grows), 0, 0];
        if let Some(place) = self.b.emit(reserve, Type::TOP, words, &[array], Edge::Exit(exit)) {
            self.b.emit(Op::StPackedElem, Type::TOP, [0; 3], &[array, place, value], Edge::None);
        }
    }

    /// The function that a pending call goes to, if the translation knows it.
    pub(crate) fn callee(&self, header: Operand, state: &FrameState) -> Option<ValueId> {
        let callee = self.peek(header, state)?;
        let is_known = self.known.callees.contains_key(&callee) || self.known.targets.contains_key(&callee);
        is_known.then_some(callee)
    }

    /// Whether a pending call goes to a function that the translation knows, or to any that takes no references.
    pub(crate) fn known_callee(&self, header: Operand, state: &FrameState) -> Option<()> {
        (self.is_pending(header, state) || self.callee(header, state).is_some()).then_some(())
    }

    /// Translates a call whose callee is prepared.
    pub(crate) fn call(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if self.is_pending(op.a, state) {
            let unknown = self.b.unit.constant(Const::Func(phlox_hhir::FuncId(0)));
            let kinds = self.likely_results(at, unknown);
            self.outcome.interpreter_calls.push(at);
            return self.call_interpreted(at, op, unknown, kinds, state);
        }
        let callee = self.callee(op.a, state)?;
        if let Some(&sends) = self.known.steppers.get(&callee) {
            return self.step_generator(at, op, callee, sends, state);
        }
        if self.known.targets.contains_key(&callee) {
            return self.call_function(at, op, callee, state);
        }
        let header = self.input.cell(op.a)?;
        let name = self.known.callees.get(&callee)?.clone();
        let exit = self.snap(at, state);
        let (before, pending) = (state.clone(), self.pending());
        let mut args = Vec::new();
        for index in 0..op.n {
            let cell = (header + phlox_lower::HEADER_CELLS + index) as usize;
            let (Loc::Value(value) | Loc::Owned(value)) = state.cells[cell] else { return None };
            let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
            self.release_place(place, state);
            args.push(value);
        }
        // After a side exit at this call (a division by zero, say) an instruction would only take it again.
        let was_left = self.input.host.exit_feedback(at) >> raw::TI_UNDEF & 1 != 0 && self.reentry().is_some();
        let as_instructions = |this: &mut Self| if was_left { None } else { this.builtin(&name, &args, exit) };
        let result = match name[..] {
            // The callee is the missing constructor of a class in `new`.
            [] => self.b.unit.constant(Const::Null),
            _ => match as_instructions(self) {
                Some(result) => result,
                None if !self.known.fast_paths.contains_key(&callee) => {
                    *state = before;
                    self.set_pending(pending);
                    if caller_access::of(&name).needs_frame() {
                        return None;
                    }
                    let kinds = self.likely_results(at, callee);
                    self.outcome.interpreter_calls.push(at);
                    return self.call_interpreted(at, op, callee, kinds, state);
                }
                None => {
                    let function = *self.known.fast_paths.get(&callee)?;
                    state.cells[header as usize] = Loc::Empty;
                    let may_refuse = was_left
                        && !caller_access::of(&name).needs_frame()
                        && !args.iter().any(|&arg| self.kind(arg) == hhir::BOXED);
                    if may_refuse {
                        let before = (before, pending);
                        return self.call_fast_path_or_interpreted(at, op, (callee, function), (&args, before), state);
                    }
                    return self.call_fast_path(at, op, (callee, function), &args, Edge::Exit(exit), state);
                }
            },
        };
        state.cells[header as usize] = Loc::Empty;
        if op.c == Operand::None {
            return Some(Flow::Next);
        }
        self.store(op.c, result, state).then_some(Flow::Next)
    }

    fn builtin(&mut self, name: &[u8], args: &[ValueId], exit: SnapId) -> Option<ValueId> {
        let kinds: Vec<_> = args.iter().map(|&arg| self.kind(arg)).collect();
        let is = |at: usize, kind: hhir::Bits| kinds.get(at).is_some_and(|own| own & !kind == 0);
        let number = is(0, hhir::NUM);
        if name == b"func_num_args" && args.is_empty() && self.is_function() {
            // The code of such a function is entered only with as many arguments as it has parameters.
            return Some(self.b.unit.int(self.input.params.into()));
        }
        if let (Some(kinds), &[value]) = (tested_by(name), args) {
            return self.is_of(value, kinds);
        }
        if args.iter().any(|&arg| self.is_tagged(arg)) {
            return None;
        }
        match (name, args) {
            (b"ord", &[text]) => {
                let inst = self.b.unit.def_inst(text)?;
                (inst.op == Op::ChrInt).then(|| self.b.unit.src(inst, 0))
            }
            (b"chr", &[code]) if is(0, hhir::INT) => Some(self.b.op(Op::ChrInt, &[code])),
            (b"strlen", &[text]) if is(0, hhir::STR) => Some(self.b.op(Op::LdStrLen, &[text])),
            (b"count" | b"sizeof", &[array]) if is(0, hhir::ARR) => Some(self.b.op(Op::CountArray, &[array])),
            (b"sqrt" | b"floor" | b"ceil", &[value]) if number => {
                let value = self.as_dbl(value);
                let op = match name {
                    b"sqrt" => Op::Sqrt,
                    b"floor" => Op::Floor,
                    _ => Op::Ceil,
                };
                Some(self.b.op(op, &[value]))
            }
            (b"abs", &[value]) if is(0, hhir::DBL) => Some(self.b.op(Op::AbsDbl, &[value])),
            (b"abs", &[value]) if is(0, hhir::INT) => {
                let zero = self.b.unit.int(0);
                let negated = self.b.op_or(Op::SubIntO, &[zero, value], exit);
                Some(self.b.op(Op::MaxInt, &[value, negated]))
            }
            (b"min" | b"max", &[a, b]) if is(0, hhir::INT) && is(1, hhir::INT) => {
                Some(self.b.op(if name == b"min" { Op::MinInt } else { Op::MaxInt }, &[a, b]))
            }
            (b"intdiv", &[a, b]) if is(0, hhir::INT) && is(1, hhir::INT) => {
                let rest = self.b.op_or(Op::ModO, &[a, b], exit);
                let whole = self.b.op_or(Op::SubIntO, &[a, rest], exit);
                Some(self.b.op_or(Op::DivIntO, &[whole, b], exit))
            }
            _ => None,
        }
    }

    /// Whether a value is of one of some types, as a boolean.
    pub(crate) fn is_of(&mut self, value: ValueId, kinds: hhir::Bits) -> Option<ValueId> {
        let own = self.kind(value);
        Some(if own & !kinds == 0 {
            self.b.unit.bool(true)
        } else if own & kinds == 0 {
            self.b.unit.bool(false)
        } else if self.is_tagged(value) {
            self.b.emit(Op::IsType, Type::of(own & kinds), [0; 3], &[value], Edge::None)?
        } else {
            return None;
        })
    }
}

/// The types for which a builtin function of one argument is true, if all that it does is to test the type.
fn tested_by(function: &[u8]) -> Option<hhir::Bits> {
    Some(match function {
        b"is_array" => hhir::ARR,
        b"is_string" => hhir::STR,
        b"is_int" | b"is_integer" | b"is_long" => hhir::INT,
        b"is_float" | b"is_double" => hhir::DBL,
        b"is_bool" => hhir::BOOL,
        b"is_null" => hhir::INIT_NULL,
        b"is_object" => hhir::OBJ,
        b"is_scalar" => hhir::BOOL | hhir::NUM | hhir::STR,
        _ => return None,
    })
}
