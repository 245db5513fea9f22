//! The translation of each opline, by opcode.
//!
//! Functions here return `None` if the opline cannot be translated: nothing has been written to memory by then, and the
//! translator makes a single step or a side exit in its place.

use crate::host::{CellAddress, Switch};
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Loc, Translator};
use phlox_hhbc::{SetOp, TypeTest};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{Op, SnapId, ValueId};
use phlox_lower::{Comparison, Literal, OpCode, Operand, Opline, Unary};

/// The number of cases up to which a switch is translated.
const MAX_CASES: usize = 40;

impl Translator<'_> {
    pub(crate) fn translate(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if let Some(flow) = self.call_by_method(at, op, state) {
            return Some(flow);
        }
        let words = self.input.host.words_by_name(at);
        if !words.is_empty() {
            let exit = self.snap(at, state);
            self.check_words(&words, exit);
        }
        match op.op {
            OpCode::Nop => {}
            OpCode::Copy | OpCode::Dup => {
                let value = match op.op {
                    OpCode::Dup => self.peek(op.a, state)?,
                    _ => self.source(op.a, state)?,
                };
                return self.put(op.c, value, state);
            }
            OpCode::CopyQuiet => {
                let value = match self.peek(op.a, state) {
                    Some(value) if self.kind(value) == hhir::UNINIT && op.n == 0 => self.b.unit.constant(Const::Null),
                    _ => self.source(op.a, state)?,
                };
                return self.put(op.c, value, state);
            }
            OpCode::Assign => {
                let value = self.source(op.a, state)?;
                return self.put(op.c, value, state);
            }
            OpCode::AssignResult => {
                let value = self.source(op.a, state)?;
                if !self.can_hold(op.b, value, state) || !self.store(op.c, value, state) {
                    return None;
                }
                return self.put(op.b, value, state);
            }
            OpCode::Free => drop(self.source(op.a, state)?),
            OpCode::Deref => drop(self.peek(op.a, state).filter(|&value| !self.b.ty(value).maybe(hhir::UNINIT))?),
            OpCode::Binary | OpCode::AssignOp => return self.binary(at, op, state),
            OpCode::IncDec => return self.step(at, op, state),
            OpCode::Unary => return self.unary(at, op, state),
            OpCode::Compare => {
                let exit = self.snap(at, state);
                let answer = self.comparison(op, state, exit)?;
                return self.put(op.c, answer, state);
            }
            OpCode::IsType | OpCode::IssetLocal | OpCode::EmptyLocal => return self.test(at, op, state),
            OpCode::Jmp => {
                self.go(op.target, state.clone());
                return Some(Flow::Done);
            }
            OpCode::JmpZ | OpCode::JmpNZ => {
                let exit = self.snap(at, state);
                let value = self.source(op.a, state)?;
                let truth = self.truth(value, exit)?;
                return self.jump(truth, op.op == OpCode::JmpNZ, at, op, state);
            }
            OpCode::JmpIf | OpCode::JmpIfNot => {
                let exit = self.snap(at, state);
                let answer = self.comparison(op, state, exit)?;
                return self.jump(answer, op.op == OpCode::JmpIf, at, op, state);
            }
            OpCode::JmpNull | OpCode::JmpNotNull => {
                let value = self.peek(op.a, state)?;
                let is_null = match self.kind(value) {
                    hhir::UNINIT | hhir::INIT_NULL => true,
                    kind if kind & hhir::NULL == 0 => false,
                    _ => return None,
                };
                let taken = is_null == (op.op == OpCode::JmpNull);
                self.go(if taken { op.target } else { at + 1 }, state.clone());
                return Some(Flow::Done);
            }
            OpCode::Switch => return self.switch(op, at, state),
            OpCode::GetElem | OpCode::GetElemQuiet | OpCode::GetElemList => return self.get_elem(at, op, state),
            OpCode::SetElem | OpCode::Append => return self.set_elem(at, op, state),
            OpCode::ConcatN => return self.concat_many(at, op, state),
            OpCode::IssetElem => return self.isset_element(at, op, state),
            OpCode::NewTuple => return self.tuple(at, op, state),
            OpCode::AddNewElem | OpCode::AddElem => return self.add_element(at, op, state),
            OpCode::InstanceOf => return self.instance_of(at, op, state),
            OpCode::UnsetPath => return self.unset_path(at, op, state),
            OpCode::UnsetLocal => {
                let nothing = self.b.unit.constant(Const::Uninit);
                return self.put(op.a, nothing, state);
            }
            OpCode::RefGlobal => return self.global_reference(at, op, state),
            OpCode::BindLocal => return self.bind_local(op, state),
            OpCode::StaticLocal => return self.static_local(at, op, state),
            OpCode::IterFree => return self.end_iteration(op, state),
            OpCode::IterInit => return self.iterate_from(at, op, state),
            OpCode::IterNext if self.walks_generator(op.n) => return self.next_element(at, op, state),
            OpCode::IterNext => return self.iterate(at, op, state),
            OpCode::Yield => return self.suspend(at, op, state),
            OpCode::InitFunc if self.references.boxes.prepares(at) => return self.open_boxing(at, op, state),
            OpCode::SendLocal if self.references.boxes.passes(at) => return self.send_boxed(at, op, state),
            OpCode::InitFunc => match self.input.host.builtin_callee(at) {
                Some((address, name, fast_path)) => {
                    let callee = self.b.unit.constant(Const::Func(address));
                    self.known.callees.insert(callee, name);
                    self.known.fast_paths.extend(fast_path.map(|fast_path| (callee, fast_path)));
                    state.cells[self.input.cell(op.a)? as usize] = Loc::Value(callee);
                }
                None => return self.init_call(at, op, state),
            },
            OpCode::InitNew => return self.init_new(at, op, state),
            OpCode::InitDynamic => return self.init_dynamic(at, op, state),
            OpCode::InitMethod if self.input.host.resumes_generator(at) => return self.init_step(at, op, state),
            OpCode::InitStatic | OpCode::InitMethod => return self.init_call(at, op, state),
            OpCode::GetProp | OpCode::GetPropQuiet => return self.get_prop(at, op, state),
            OpCode::GetStatic => return self.get_static(at, op, state),
            OpCode::IssetProp if op.n == 0 => return self.isset_prop(at, op, state),
            OpCode::SetProp => return self.set_prop(at, op, state),
            OpCode::SetPath | OpCode::SetOpPath | OpCode::IncDecPath => return self.change_path(at, op, state),
            OpCode::ClassConst | OpCode::Const => return self.class_constant(at, op, state),
            OpCode::This => {
                let own = self.own_context().filter(|&own| self.b.ty(own).is(hhir::OBJ))?;
                return self.put(op.c, own, state);
            }
            OpCode::VerifyParam => return self.verify_param(at, op, state),
            OpCode::VerifyReturn => return self.verify_return(at, op, state),
            // The interpreter looks for the handler of the exception, or returns; no guard has failed.
            OpCode::Throw | OpCode::Ret if op.op == OpCode::Throw || !self.is_function() => {
                let exit = self.snap(at, state);
                self.b.exit(exit);
                return Some(Flow::Done);
            }
            OpCode::Ret if self.is_function() => return self.leave(at, op, state),
            OpCode::JmpByValue if self.passes_reference(at, op) => return self.pass_path(at, op, state),
            OpCode::SendValue | OpCode::SendSlow if self.passes_reference(at, op) => return None,
            OpCode::SendLocal if self.passes_reference(at, op) => return self.send_reference(at, op, state),
            OpCode::JmpByValue => {
                // The callee is known, and takes this argument by value.
                self.known_callee(op.a, state)?;
                self.go(op.target, state.clone());
                return Some(Flow::Done);
            }
            OpCode::SendValue => self.known_callee(op.a, state)?,
            OpCode::SendSlow => {
                // The callee is known, and takes this argument by value.
                self.known_callee(op.a, state)?;
                let value = self.peek(op.b, state)?;
                if self.kind(value) & (hhir::UNINIT | hhir::BOXED) != 0 {
                    return None;
                }
            }
            OpCode::SendLocal => {
                self.known_callee(op.a, state)?;
                let value = self.source(op.b, state)?;
                let is_inside =
                    matches!(op.b, Operand::Local(local) if self.references.contents.contains_key(&local.index()));
                if is_inside {
                    // The reference may lose the value during the call, so the argument takes a reference of its own.
                    return self.put(op.c, value, state);
                }
                // The variable keeps holding the value, so the argument can borrow it.
                return self.lend(op.c, value, state).then_some(Flow::Next);
            }
            OpCode::Call | OpCode::CallRef => return self.call(at, op, state),
            _ => return None,
        }
        Some(Flow::Next)
    }

    /// Guards that names mean what they meant when the code was compiled, by words of inline caches.
    pub(crate) fn check_words(&mut self, words: &[(CellAddress, u64)], exit: SnapId) {
        for &(address, word) in words {
            let (address, word) = (self.b.unit.int(address.0 as i64), self.b.unit.int(word as i64));
            self.b.emit(Op::CheckCacheWord, Type::TOP, [0; 3], &[address, word], Edge::Exit(exit));
        }
    }

    fn put(&mut self, to: Operand, value: ValueId, state: &mut FrameState) -> Option<Flow> {
        self.store(to, value, state).then_some(Flow::Next)
    }

    fn jump(&mut self, truth: ValueId, when: bool, at: u32, op: &Opline, state: &FrameState) -> Option<Flow> {
        let (yes, no) = if when { (op.target, at + 1) } else { (at + 1, op.target) };
        self.branch(truth, yes, no, state.clone());
        Some(Flow::Done)
    }

    /// The truth of a value, as a boolean.
    fn truth(&mut self, value: ValueId, exit: SnapId) -> Option<ValueId> {
        Some(match self.kind(value) {
            hhir::BOOL => value,
            hhir::INT => self.b.op(Op::ConvIntToBool, &[value]),
            hhir::DBL => self.b.op(Op::ConvDblToBool, &[value]),
            hhir::INIT_NULL => self.b.unit.bool(false),
            // Objects of some builtin classes are false.
            hhir::OBJ
                if self
                    .known
                    .classes
                    .get(&value)
                    .copied()
                    .is_some_and(|value| self.input.host.is_plain_class(value)) =>
            {
                self.b.unit.bool(true)
            }
            hhir::COUNTED_ARR | hhir::STATIC_ARR => {
                let count = self.b.op(Op::CountArray, &[value]);
                self.b.op(Op::ConvIntToBool, &[count])
            }
            hhir::COUNTED_STR | hhir::STATIC_STR | hhir::OBJ => {
                let helper = self.input.shape.helpers.truth;
                let pointer = self.helper(helper, 0, &[value], Operand::None, exit)?;
                self.b.emit(Op::TakeMem, Type::of(hhir::BOOL), [0; 3], &[pointer], Edge::None)?
            }
            _ => return None,
        })
    }

    /// Translates a class constant or global constant.
    fn class_constant(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if let Some(seen) = self.input.host.constant(at) {
            let value = self.constant(seen)?;
            return self.put(op.c, value, state);
        }
        let late = self.input.host.late_bound_constants(at);
        if late.is_empty() || !self.can_store(op.c, state) {
            return None;
        }
        let own = self.own_context()?;
        let class = if self.b.ty(own).is(hhir::OBJ) { self.b.op(Op::LdObjClass, &[own]) } else { own };
        self.settle();
        for (of, seen) in late {
            let wanted = self.b.unit.constant(Const::Cls(of));
            let same = self.b.op(Op::EqCls, &[class, wanted]);
            let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
            self.b.branch(same, yes, no);
            self.b.switch_to(yes);
            let value = self.constant(seen)?;
            let mut inner = state.clone();
            if !self.store(op.c, value, &mut inner) {
                return None;
            }
            self.go(at + 1, inner);
            self.b.switch_to(no);
        }
        // The interpreter looks the constant up for other classes.
        self.go_by_interpreter(at, op, state)
    }

    fn binary(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let operator = SetOp::ALL.get(op.n as usize).copied()?;
        let assigns = op.op == OpCode::AssignOp;
        // The local of a compound assignment is not consumed. The interpreter warns of undefined operands.
        let b = self.source(op.b, state)?;
        let a = if assigns { self.peek(op.a, state)? } else { self.source(op.a, state)? };
        let target = if assigns { op.a } else { op.c };
        let result = if assigns { op.c } else { Operand::None };
        if operator == SetOp::Concat {
            if result != Operand::None {
                return None;
            }
            return self.concat(at, [a, b], target, exit, state);
        }
        let ints = (self.kind(a), self.kind(b)) == (hhir::INT, hhir::INT);
        if operator == SetOp::Div && ints {
            return self.divide(at, a, b, target, result, state, exit);
        }
        let value = self.arithmetic(operator, a, b, exit)?;
        if !self.can_hold(result, value, state) {
            return None;
        }
        self.put(target, value, state)?;
        self.put(result, value, state)
    }

    /// Division of integers: an integer if there is no remainder, otherwise a float.
    #[allow(clippy::too_many_arguments)]
    fn divide(
        &mut self,
        at: u32,
        a: ValueId,
        b: ValueId,
        target: Operand,
        result: Operand,
        state: &mut FrameState,
        exit: SnapId,
    ) -> Option<Flow> {
        let rest = self.b.op_or(Op::ModO, &[a, b], exit);
        let zero = self.b.unit.int(0);
        let exact = self.b.op(Op::EqInt, &[rest, zero]);
        let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
        if !self.can_store(target, state) || !self.can_store(result, state) {
            return None;
        }
        self.b.branch(exact, yes, no);
        for (block, is_exact) in [(yes, true), (no, false)] {
            if self.b.ty(exact).as_bool() == Some(!is_exact) {
                continue;
            }
            self.b.switch_to(block);
            let value = if is_exact {
                self.b.op_or(Op::DivIntO, &[a, b], exit)
            } else {
                let (a, b) = (self.as_dbl(a), self.as_dbl(b));
                self.b.op(Op::DivDbl, &[a, b])
            };
            let mut after = state.clone();
            if !self.can_hold(target, value, &after) || !self.can_hold(result, value, &after) {
                // The target is a reference that holds a value of the other type.
                self.b.retranslate(exit);
                continue;
            }
            let _ = self.store(target, value, &mut after);
            let _ = self.store(result, value, &mut after);
            self.go(at + 1, after);
        }
        Some(Flow::Done)
    }

    pub(crate) fn arithmetic(&mut self, operator: SetOp, a: ValueId, b: ValueId, exit: SnapId) -> Option<ValueId> {
        let kinds = (self.kind(a), self.kind(b));
        if kinds == (hhir::INT, hhir::INT) {
            return Some(match operator {
                SetOp::Add => self.b.op_or(Op::AddIntO, &[a, b], exit),
                SetOp::Sub => self.b.op_or(Op::SubIntO, &[a, b], exit),
                SetOp::Mul => self.b.op_or(Op::MulIntO, &[a, b], exit),
                SetOp::Mod => self.b.op_or(Op::ModO, &[a, b], exit),
                SetOp::BitAnd => self.b.op(Op::AndInt, &[a, b]),
                SetOp::BitOr => self.b.op(Op::OrInt, &[a, b]),
                SetOp::BitXor => self.b.op(Op::XorInt, &[a, b]),
                SetOp::Shl => self.b.op_or(Op::ShlO, &[a, b], exit),
                SetOp::Shr => self.b.op_or(Op::ShrO, &[a, b], exit),
                SetOp::Div | SetOp::Concat | SetOp::Pow => return None,
            });
        }
        if (kinds.0 | kinds.1) & !hhir::NUM != 0 {
            return None;
        }
        let op = match operator {
            SetOp::Add => Op::AddDbl,
            SetOp::Sub => Op::SubDbl,
            SetOp::Mul => Op::MulDbl,
            SetOp::Div => Op::DivDbl,
            _ => return None,
        };
        let (a, b) = (self.as_dbl(a), self.as_dbl(b));
        if op == Op::DivDbl {
            let zero = self.b.unit.dbl(0.0);
            let fine = self.b.op(Op::NeqDbl, &[b, zero]);
            self.b.exit_unless(fine, exit);
        }
        Some(self.b.op(op, &[a, b]))
    }

    /// Translates `++` and `--` of a local.
    fn step(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let old = self.peek(op.a, state)?;
        let up = op.n & 1 == 0;
        let new = match self.kind(old) {
            hhir::INT => {
                let one = self.b.unit.int(1);
                self.b.op_or(if up { Op::AddIntO } else { Op::SubIntO }, &[old, one], exit)
            }
            hhir::DBL => {
                let one = self.b.unit.dbl(1.0);
                self.b.op(if up { Op::AddDbl } else { Op::SubDbl }, &[old, one])
            }
            _ => return None,
        };
        let result = if op.n >= 2 { old } else { new };
        if !self.can_hold(op.c, result, state) {
            return None;
        }
        self.put(op.a, new, state)?;
        self.put(op.c, result, state)
    }

    fn unary(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let value = self.source(op.a, state)?;
        let kind = self.kind(value);
        let made = match Unary::ALL.get(op.n as usize)? {
            Unary::Not => {
                let truth = self.truth(value, exit)?;
                let yes = self.b.unit.bool(true);
                self.b.op(Op::XorBool, &[truth, yes])
            }
            Unary::CastBool => self.truth(value, exit)?,
            Unary::CastInt => match kind {
                hhir::INT => value,
                hhir::DBL => self.b.op(Op::ConvDblToInt, &[value]),
                hhir::BOOL => self.b.op(Op::ConvBoolToInt, &[value]),
                _ => return None,
            },
            Unary::CastDouble => match kind {
                hhir::INT | hhir::DBL => self.as_dbl(value),
                hhir::BOOL => self.b.op(Op::ConvBoolToDbl, &[value]),
                _ => return None,
            },
            Unary::BitNot if kind == hhir::INT => {
                let all = self.b.unit.int(-1);
                self.b.op(Op::XorInt, &[value, all])
            }
            Unary::CastString => return self.make_text(at, value, op, state),
            Unary::BitNot => return None,
        };
        self.put(op.c, made, state)
    }

    /// Translates type tests of values whose types are known.
    fn test(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let value = match op.op {
            OpCode::IsType => self.source(op.a, state)?,
            _ => self.peek(op.a, state)?,
        };
        let kind = self.kind(value);
        let answer = match op.op {
            OpCode::IssetLocal => self.b.unit.bool(kind & hhir::NULL == 0),
            OpCode::EmptyLocal => {
                let truth = if kind == hhir::UNINIT { self.b.unit.bool(false) } else { self.truth(value, exit)? };
                let yes = self.b.unit.bool(true);
                self.b.op(Op::XorBool, &[truth, yes])
            }
            _ => {
                let kinds: Bits = match TypeTest::ALL.get(op.n as usize)? {
                    TypeTest::Null => hhir::INIT_NULL,
                    TypeTest::Bool => hhir::BOOL,
                    TypeTest::Int => hhir::INT,
                    TypeTest::Dbl => hhir::DBL,
                    TypeTest::Str => hhir::STR,
                    TypeTest::Arr => hhir::ARR,
                    TypeTest::Obj => hhir::OBJ,
                    TypeTest::Scalar => hhir::BOOL | hhir::INT | hhir::DBL | hhir::STR,
                    TypeTest::Res | TypeTest::Numeric => return None,
                };
                self.b.unit.bool(kind & !kinds == 0)
            }
        };
        self.put(op.c, answer, state)
    }

    fn comparison(&mut self, op: &Opline, state: &mut FrameState, exit: SnapId) -> Option<ValueId> {
        let comparison = *Comparison::ALL.get(op.n as usize)?;
        if let Some(answer) = self.byte_comparison(comparison, op, state) {
            return Some(answer);
        }
        if let Some(answer) = self.is_empty_array(comparison, op, state) {
            return Some(answer);
        }
        let b = self.source(op.b, state)?;
        let a = self.source(op.a, state)?;
        match self.compare(comparison, a, b) {
            Some(answer) => Some(answer),
            None => self.compare_scalars(comparison, a, b, exit),
        }
    }

    fn compare(&mut self, comparison: Comparison, a: ValueId, b: ValueId) -> Option<ValueId> {
        let kinds = (self.kind(a), self.kind(b));
        let identity = matches!(comparison, Comparison::Same | Comparison::NSame);
        let equality = matches!(comparison, Comparison::Eq | Comparison::Neq) || identity;
        let wanted = matches!(comparison, Comparison::Same | Comparison::Eq);
        let numbers = (kinds.0 | kinds.1) & !hhir::NUM == 0;
        let strings = (kinds.0 | kinds.1) & !hhir::STR == 0;
        if strings && equality {
            let op = if identity { Op::SameStr } else { Op::EqStr };
            let same = self.b.op(op, &[a, b]);
            let yes = self.b.unit.bool(true);
            return Some(if wanted { same } else { self.b.op(Op::XorBool, &[same, yes]) });
        }
        if identity && kinds.0 != kinds.1 {
            // Counted and uncounted strings may be identical, as may be counted and uncounted arrays.
            let alike = |of: Bits| (kinds.0 | kinds.1) & !of == 0;
            let known = !alike(hhir::STR) && !alike(hhir::ARR);
            return known.then(|| self.b.unit.bool(!wanted));
        }
        if identity && kinds == (hhir::OBJ, hhir::OBJ) {
            return Some(self.b.op(if wanted { Op::SameObj } else { Op::NSameObj }, &[a, b]));
        }
        if identity && kinds.0 == hhir::INIT_NULL {
            return Some(self.b.unit.bool(wanted));
        }
        if kinds == (hhir::BOOL, hhir::BOOL) && equality {
            return Some(self.b.op(if wanted { Op::EqBool } else { Op::NeqBool }, &[a, b]));
        }
        if !numbers {
            return None;
        }
        let ints = kinds == (hhir::INT, hhir::INT);
        let pick = |int: Op, dbl: Op| if ints { int } else { dbl };
        let compared = match comparison {
            Comparison::Same | Comparison::Eq => pick(Op::EqInt, Op::EqDbl),
            Comparison::NSame | Comparison::Neq => pick(Op::NeqInt, Op::NeqDbl),
            Comparison::Lt => pick(Op::LtInt, Op::LtDbl),
            Comparison::Lte => pick(Op::LteInt, Op::LteDbl),
            Comparison::Gt => pick(Op::GtInt, Op::GtDbl),
            Comparison::Gte => pick(Op::GteInt, Op::GteDbl),
            Comparison::Cmp => pick(Op::CmpInt, Op::CmpDbl),
        };
        if ints {
            return Some(self.b.op(compared, &[a, b]));
        }
        let (a, b) = (self.as_dbl(a), self.as_dbl(b));
        Some(self.b.op(compared, &[a, b]))
    }

    /// Translates a comparison of an array with an empty array literal, like `$a === []`.
    fn is_empty_array(&mut self, comparison: Comparison, op: &Opline, state: &mut FrameState) -> Option<ValueId> {
        let compared = match comparison {
            Comparison::Same | Comparison::Eq => Op::EqInt,
            Comparison::NSame | Comparison::Neq => Op::NeqInt,
            _ => return None,
        };
        let literals = &self.input.lowered.literals;
        let is_empty =
            |operand: Operand| matches!(operand, Operand::Lit(at) if literals[at as usize] == Literal::EmptyArray);
        let array = match (is_empty(op.a), is_empty(op.b)) {
            (false, true) => op.a,
            (true, false) => op.b,
            _ => return None,
        };
        let value = self.peek(array, state)?;
        if self.kind(value) & !hhir::ARR != 0 {
            return None;
        }
        let value = self.source(array, state)?;
        let (count, none) = (self.b.op(Op::CountArray, &[value]), self.b.unit.int(0));
        Some(self.b.op(compared, &[count, none]))
    }

    /// The byte, as an integer, that a one-byte string was made from.
    fn byte_of(&self, value: ValueId) -> Option<ValueId> {
        let inst = self.b.unit.def_inst(value)?;
        (inst.op == Op::ChrInt).then(|| self.b.unit.src(inst, 0))
    }

    /// Translates a comparison of a byte of a string with another one, or with a literal of one byte, to one of integers.
    /// One-byte strings are ordered by their bytes, digits included.
    fn byte_comparison(&mut self, comparison: Comparison, op: &Opline, state: &mut FrameState) -> Option<ValueId> {
        let compared = match comparison {
            Comparison::Same | Comparison::Eq => Op::EqInt,
            Comparison::NSame | Comparison::Neq => Op::NeqInt,
            Comparison::Lt => Op::LtInt,
            Comparison::Lte => Op::LteInt,
            Comparison::Gt => Op::GtInt,
            Comparison::Gte => Op::GteInt,
            Comparison::Cmp => return None,
        };
        let mut byte = |operand: Operand| match operand {
            Operand::Lit(literal) => {
                let byte = self.input.byte_literal(literal)?;
                Some(self.b.unit.int(i64::from(byte)))
            }
            operand => self.byte_of(self.peek(operand, state)?),
        };
        let (a, b) = (byte(op.a)?, byte(op.b)?);
        for operand in [op.b, op.a] {
            if !matches!(operand, Operand::Lit(_)) {
                let _ = self.source(operand, state);
            }
        }
        Some(self.b.op(compared, &[a, b]))
    }

    /// Translates a switch to comparisons.
    fn switch(&mut self, op: &Opline, at: u32, state: &mut FrameState) -> Option<Flow> {
        let table = self.input.host.switch_table(at)?;
        let value = self.source(op.a, state)?;
        match table {
            Switch::Int(cases, default) if self.kind(value) == hhir::INT && cases.len() <= MAX_CASES => {
                self.search(value, &cases, default, state);
            }
            Switch::Str(cases, default) if self.kind(value) & !hhir::STR == 0 && cases.len() <= MAX_CASES => {
                let byte = self.byte_of(value);
                self.settle();
                for (bytes, payload, target) in cases {
                    let same = match (byte, &bytes[..]) {
                        (Some(byte), [case]) => {
                            let case = self.b.unit.int(i64::from(*case));
                            self.b.op(Op::EqInt, &[byte, case])
                        }
                        (Some(_), _) => continue,
                        (None, _) => {
                            let text = self.string(bytes, payload);
                            self.b.op(Op::SameStr, &[value, text])
                        }
                    };
                    let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
                    let known = self.b.ty(same).as_bool();
                    self.b.branch(same, yes, no);
                    if known != Some(false) {
                        self.b.switch_to(yes);
                        self.go(target, state.clone());
                    }
                    self.b.switch_to(no);
                    if known == Some(true) {
                        return Some(Flow::Done);
                    }
                }
                self.go(default, state.clone());
            }
            _ => return None,
        }
        Some(Flow::Done)
    }

    /// Finds a value among sorted cases by binary search.
    fn search(&mut self, value: ValueId, cases: &[(i64, u32)], default: u32, state: &FrameState) {
        if cases.is_empty() {
            return self.go(default, state.clone());
        }
        let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
        if let [(case, target)] = *cases {
            let case = self.b.unit.int(case);
            let equal = self.b.op(Op::EqInt, &[value, case]);
            self.b.branch(equal, yes, no);
            self.b.switch_to(yes);
            self.go(target, state.clone());
            self.b.switch_to(no);
            return self.go(default, state.clone());
        }
        let (low, high) = cases.split_at(cases.len() / 2);
        let middle = self.b.unit.int(high[0].0);
        let less = self.b.op(Op::LtInt, &[value, middle]);
        self.b.branch(less, yes, no);
        self.b.switch_to(yes);
        self.search(value, low, default, state);
        self.b.switch_to(no);
        self.search(value, high, default, state);
    }

    /// Loads element `index` of a packed array; guards that it exists and is of the expected type.
    pub(crate) fn element(&mut self, array: ValueId, index: ValueId, expected: ObservedType, exit: SnapId) -> ValueId {
        self.b.emit(Op::CheckPackedArrayDataBounds, Type::TOP, [0; 3], &[array, index], Edge::Exit(exit));
        let ty = Type::of(expected.bits);
        let value = self.b.emit(Op::CheckPackedElem, ty, [0; 3], &[array, index], Edge::Exit(exit));
        let value = value.unwrap_or_else(|| self.b.unit.constant(Const::Null));
        if expected.bits & (hhir::ARR | hhir::STR | hhir::OBJ) != 0 {
            self.known.samples.insert(value, expected);
        }
        value
    }
}
