//! Methods that oplines call by themselves: those for properties that are not there, of ArrayAccess and of Countable;
//! and methods that stand in for others, `__call` and `__callStatic`.
//!
//! Such a method is called as any other one is, but its frame lies above that of the opline. When its code is left, that frame says
//! what becomes of the result, and the interpreter goes on as if it had made the call.

use crate::call_flags::{DISCARDED, GUARDED, NAME_CELL, TO_BOOL};
use crate::host::{Callee, Context, MagicMethod, PropertyName};
use crate::input::{Start, This};
use crate::translate::calls::{Direct, Plan};
use crate::translate::state::{Flow, FrameState, Loc, Nesting, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge};
use phlox_hhir::{ClassId, FuncId, Op, SnapId, ValueId};
use phlox_lower::{HEADER_CELLS, NO_SITE, OpCode, Operand, Opline, PathStep};
use phlox_value::raw;

/// Which guard keeps a method from being called again for the property, as a number.
fn guard_of(special: MagicMethod) -> Option<i64> {
    match special {
        MagicMethod::Get => Some(0),
        MagicMethod::Set => Some(1),
        MagicMethod::Isset => Some(2),
        MagicMethod::Unset => Some(3),
        _ => None,
    }
}

/// An argument of such a call, or the object.
#[derive(Clone, Copy)]
enum Given {
    /// It stays where it is.
    Lent(ValueId),
    /// It is in a temporary, which the opline uses up.
    Used(usize),
    /// A list of what so many cells hold, which the opline uses up.
    List(usize, usize),
}

/// A call that an opline makes.
struct Above {
    pub special: MagicMethod,
    /// The class that the object must be of.
    pub class: Option<u64>,
    pub func: u64,
    pub object: Given,
    pub args: Vec<Given>,
    /// Flags for the first number of the call.
    pub how: u32,
    /// The header of a pending call that the call takes the place of.
    pub closes: Option<usize>,
}

impl Translator<'_> {
    /// What an operand is to such a call.
    fn given(&mut self, operand: Operand, state: &FrameState) -> Option<Given> {
        let value = match operand {
            Operand::This => return self.own_context().map(Given::Lent),
            Operand::Lit(index) => return self.literal(index).map(Given::Lent),
            operand => self.peek(operand, state)?,
        };
        if self.b.ty(value).maybe(hhir::UNINIT | hhir::FUNC) || self.kind(value) == hhir::BOXED {
            return None;
        }
        match operand {
            Operand::Tmp(_) => Some(Given::Used(self.cell(operand)?)),
            _ => Some(Given::Lent(value)),
        }
    }

    fn value_of(&self, given: Given, state: &FrameState) -> Option<ValueId> {
        match given {
            Given::Lent(value) => Some(value),
            Given::Used(cell) => match state.cells[cell] {
                Loc::Value(value) | Loc::Owned(value) => Some(value),
                _ => None,
            },
            Given::List(..) => None,
        }
    }

    /// The method that objects like this one have for something, and their class.
    fn method_of(
        &self,
        at: u32,
        object: ValueId,
        special: MagicMethod,
        name: Option<PropertyName>,
    ) -> Option<(Option<u64>, u64)> {
        if !self.b.ty(object).is(hhir::OBJ) {
            return None;
        }
        let class = self.class_hint(object).or_else(|| self.input.host.exit_classes(at).first().copied())?;
        Some((Some(class), self.input.host.magic_method(class, special, name)?))
    }

    /// Calls the method that an opline comes to; none if there is none, or it has no code.
    fn call_above(&mut self, at: u32, to: Operand, call: &Above, state: &mut FrameState) -> Option<Flow> {
        let object = self.value_of(call.object, state)?;
        if !self.can_store(to, state) {
            return None;
        }
        let known: Vec<Option<ValueId>> = call.args.iter().map(|&arg| self.value_of(arg, state)).collect();
        let is_passed = |value: &Option<ValueId>| value.is_none_or(|value| self.kind(value) & hhir::UNINIT == 0);
        let are_there =
            known.iter().zip(&call.args).all(|(value, arg)| value.is_some() || matches!(arg, Given::List(..)));
        if !known.iter().all(is_passed) || !are_there {
            return None;
        }
        let values: Vec<ValueId> = known.iter().copied().flatten().collect();
        let mut wanted = self.wanted(call.func, object, &values);
        if values.len() < known.len() {
            wanted.args.push(hhir::COUNTED_ARR);
            wanted.samples.push(None);
        }
        let func = self.b.unit.constant(Const::Func(FuncId(call.func)));
        let plan = match self.plan_call(at, func, &wanted, false) {
            Plan::Direct(plan) => plan,
            Plan::Wait => return Some(Flow::Wait),
            Plan::NoCode | Plan::Refused => return None,
        };
        let nesting = if plan.needs_frame { Some(self.nesting()?) } else { None };
        let exit = self.snap(at, state);
        if let Some(class) = call.class {
            self.check_class(object, class, exit)?;
            // Others that are about the object expect the same.
            self.known.classes.entry(object).or_insert(class);
        }
        let header = self.input.cell_count();
        let (fp, entry) = (self.fp, self.b.unit.constant(Const::Func(FuncId(plan.compiled.entry))));
        let room = [header, plan.compiled.frame_bytes, 0];
        self.b.emit(Op::CheckRoom, Type::TOP, room, &[fp, entry], Edge::Exit(exit));
        let guard = guard_of(call.special);
        if let (Some(guard), Some(&name)) = (guard, values.first()) {
            let begin = self.input.shape.helpers.begin_guard as usize as u64;
            let srcs = [self.b.unit.constant(Const::Func(FuncId(begin))), self.b.unit.int(guard), object, name];
            self.b.emit(Op::CallHelper, Type::TOP, [0; 3], &srcs, Edge::Exit(exit));
        }
        let mut args = values;
        let mut list = None;
        if let Some(&Given::List(first, count)) = call.args.last() {
            list = Some(self.list_of_cells(first, count, exit, state)?);
            args.extend(list);
        }
        if let Some(pending) = call.closes {
            let cells = &mut state.cells[pending..pending + HEADER_CELLS as usize];
            let kept = cells[1];
            cells.fill(Loc::Empty);
            cells[1] = kept;
        }
        let header = header as usize;
        let first = header + HEADER_CELLS as usize;
        state.cells.resize(first + args.len(), Loc::Empty);
        let places = [(header + 1, call.object)].into_iter().chain((first..).zip(call.args.iter().copied()));
        for (cell, given) in places {
            state.cells[cell] = match given {
                Given::Lent(value) => Loc::Value(value),
                Given::Used(from) => std::mem::replace(&mut state.cells[from], Loc::Empty),
                Given::List(..) => list.map_or(Loc::Empty, Loc::Owned),
            };
        }
        self.outcome.has_calls = true;
        self.outcome.direct.push(at);
        self.prepare_nesting(nesting.unwrap_or(Nesting::Shown), state);
        let how = call.how | guard.map_or(0, |_| GUARDED);
        let direct = Direct { header, func, this: object, args, plan, nesting, how, constructs: false };
        self.emit_call(at, to, direct, state)
    }

    /// A list of what cells hold, which they give up. Nothing has been done by then that leaving would have to undo.
    fn list_of_cells(&mut self, first: usize, count: usize, exit: SnapId, state: &mut FrameState) -> Option<ValueId> {
        let cells = first..first + count;
        let parts: Vec<ValueId> =
            cells.clone().map(|cell| self.value_of(Given::Used(cell), state)).collect::<Option<_>>()?;
        let pointer = self.helper(self.input.shape.helpers.list, 0, &parts, Operand::None, exit)?;
        let list = self.b.emit(Op::TakeMem, Type::of(hhir::COUNTED_ARR), [0; 3], &[pointer], Edge::None)?;
        for cell in cells {
            let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
            self.give_up(place, state);
        }
        self.settle();
        Some(list)
    }

    /// The oplines that may call a method by themselves: does so, if what they are about has one.
    pub(crate) fn call_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let call = match op.op {
            OpCode::GetProp => Translator::get_by_method,
            OpCode::SetProp => Translator::set_by_method,
            OpCode::IssetProp if op.n == 0 => Translator::isset_by_method,
            OpCode::GetElem | OpCode::SetElem | OpCode::Append | OpCode::IssetElem => Translator::element_by_method,
            OpCode::UnsetPath => Translator::unset_by_method,
            OpCode::Call => Translator::count_by_method,
            OpCode::InitMethod | OpCode::InitStatic => Translator::open_stand_in,
            OpCode::InitDynamic => Translator::open_invoke,
            _ => return None,
        };
        // The frame of a generator's body lies elsewhere.
        if matches!(self.input.start, Start::Body) {
            return None;
        }
        let (before, pending) = (state.clone(), self.pending());
        let flow = call(self, at, op, state);
        if flow.is_none() {
            *state = before;
            self.set_pending(pending);
        }
        flow
    }

    /// Whether a function is declared to give a truth value: another one would have to be converted.
    fn gives_bool(&self, func: u64) -> Option<()> {
        const BOOLS: u32 = 1 << raw::TI_FALSE | 1 << raw::TI_TRUE;
        (self.input.host.result_kinds(func) == BOOLS).then_some(())
    }

    /// `$a->b` by `__get`.
    fn get_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if op.op != OpCode::GetProp {
            return None;
        }
        let Operand::Lit(index) = op.b else { return None };
        let object = self.given(op.a, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Get, Some(PropertyName::Literal(index)))?;
        let name = self.given(op.b, state)?;
        let call = Above { special: MagicMethod::Get, class, func, object, args: vec![name], how: 0, closes: None };
        self.call_above(at, op.c, &call, state)
    }

    /// `$a->b = $c` by `__set`.
    fn set_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let (Operand::Lit(index), Operand::This | Operand::Local(_)) = (op.b, op.a) else { return None };
        let object = self.given(op.a, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Set, Some(PropertyName::Literal(index)))?;
        let args = vec![self.given(op.b, state)?, self.given(op.c, state)?];
        let call = Above { special: MagicMethod::Set, class, func, object, args, how: DISCARDED, closes: None };
        self.call_above(at, Operand::None, &call, state)
    }

    /// `isset($a->b)` by `__isset`.
    fn isset_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let Operand::Lit(index) = op.b else { return None };
        let object = self.given(op.a, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Isset, Some(PropertyName::Literal(index)))?;
        self.gives_bool(func)?;
        let name = self.given(op.b, state)?;
        let call =
            Above { special: MagicMethod::Isset, class, func, object, args: vec![name], how: TO_BOOL, closes: None };
        self.call_above(at, op.c, &call, state)
    }

    /// `$a[$b]`, `isset($a[$b])`, `$a[$b] = $c` and `$a[] = $c` by the methods of ArrayAccess.
    fn element_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let special = match op.op {
            OpCode::GetElem => MagicMethod::OffsetGet,
            OpCode::IssetElem if op.n == 0 => MagicMethod::OffsetExists,
            OpCode::SetElem | OpCode::Append => MagicMethod::OffsetSet,
            _ => return None,
        };
        let is_write = special == MagicMethod::OffsetSet;
        let is_variable = matches!(op.a, Operand::This | Operand::Local(_));
        if is_write && !is_variable {
            return None;
        }
        let object = self.given(op.a, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, special, None)?;
        if op.op == OpCode::IssetElem {
            self.gives_bool(func)?;
        }
        let (args, to, how) = match op.op {
            OpCode::Append => {
                let null = self.b.unit.constant(Const::Null);
                (vec![Given::Lent(null), self.given(op.b, state)?], op.c, DISCARDED)
            }
            OpCode::SetElem => (vec![self.given(op.b, state)?, self.given(op.c, state)?], Operand::None, DISCARDED),
            OpCode::GetElem => (vec![self.given(op.b, state)?], op.c, 0),
            _ => (vec![self.given(op.b, state)?], op.c, TO_BOOL),
        };
        if op.op == OpCode::Append && to != Operand::None {
            return None;
        }
        self.call_above(at, to, &Above { special, class, func, object, args, how, closes: None }, state)
    }

    /// `unset($a->b)`, `unset($a[$b])` by `__unset` and `offsetUnset`.
    fn unset_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let path = self.input.lowered.paths.get(op.n as usize)?;
        let ([step], Operand::This | Operand::Local(_)) = (&path.steps[..], path.base) else { return None };
        let step = *step;
        let object = self.given(path.base, state)?;
        let value = self.value_of(object, state)?;
        let (special, name, arg) = match step {
            PathStep::Prop(name, _) => {
                let (bytes, handle) = self.input.host.unit_string(name);
                (MagicMethod::Unset, Some(PropertyName::String(name)), Given::Lent(self.string(bytes, handle)))
            }
            PathStep::Elem(key) => (MagicMethod::OffsetUnset, None, self.given(key, state)?),
            PathStep::New | PathStep::Static { .. } => return None,
        };
        let (class, func) = self.method_of(at, value, special, name)?;
        let call = Above { special, class, func, object, args: vec![arg], how: DISCARDED, closes: None };
        self.call_above(at, Operand::None, &call, state)
    }

    /// `count($a)` by the `count` of a Countable. The function's own pending call is given up.
    fn count_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let header = self.input.cell(op.a)? as usize;
        let callee = self.callee(op.a, state)?;
        let counts = self.known.callees.get(&callee).is_some_and(|name| matches!(&name[..], b"count" | b"sizeof"));
        if !counts || op.site == NO_SITE || op.n != 1 {
            return None;
        }
        let object = Given::Used(header + HEADER_CELLS as usize);
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Count, None)?;
        let call =
            Above { special: MagicMethod::Count, class, func, object, args: Vec::new(), how: 0, closes: Some(header) };
        self.call_above(at, op.c, &call, state)
    }

    /// Prepares a call of `__call` or `__callStatic`, which the inline cache of the opline knows.
    fn open_stand_in(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let Operand::Lit(name) = op.c else { return None };
        let calls = |call: &&Opline| call.a == op.a && call.op.makes_call();
        let call = self.input.lowered.ops.iter().skip(at as usize).find(calls)?;
        // An empty list is a literal.
        if call.op != OpCode::Call || call.n == 0 {
            return None;
        }
        let [cache, _] = self.input.host.inline_caches(op.site);
        let header = self.input.cell(op.a)? as usize;
        let exit = self.snap(at, state);
        let (class, this, place) = match op.op {
            OpCode::InitMethod if cache.key & 1 != 0 => {
                let object = self.given(op.b, state)?;
                let value = self.value_of(object, state)?;
                let place = match object {
                    Given::Used(cell) => state.cells[cell],
                    _ => Loc::Value(value),
                };
                (Some(cache.key & !1), value, place)
            }
            OpCode::InitStatic if cache.key == STATIC_STAND_IN && self.input.this != This::Object => {
                let class = self.b.unit.constant(Const::Cls(ClassId(cache.class)));
                (None, class, Loc::Value(class))
            }
            _ => return None,
        };
        let context = if class.is_some() { Context::Operand } else { Context::Class(cache.class) };
        if !self.input.host.can_call(cache.value, context) || self.b.ty(this).is(hhir::OBJ) != class.is_some() {
            return None;
        }
        let name = self.literal(name)?;
        let mut wanted = self.wanted(cache.value, this, &[name]);
        wanted.args.push(hhir::COUNTED_ARR);
        wanted.samples.push(None);
        let func = self.b.unit.constant(Const::Func(FuncId(cache.value)));
        if let Plan::NoCode | Plan::Refused = self.plan_call(at, func, &wanted, false) {
            return None;
        }
        if let Some(class) = class {
            self.check_class(this, class, exit)?;
        }
        if let Operand::Tmp(_) = op.b {
            state.cells[self.input.cell(op.b)? as usize] = Loc::Empty;
        }
        self.known.targets.insert(func, Callee { func: cache.value, this: context, guard: class });
        state.cells[header] = Loc::Value(func);
        state.cells[header + 1] = place;
        state.cells[header + NAME_CELL] = Loc::Value(name);
        Some(Flow::Next)
    }

    /// Calls a method that stands in for another one: with the name, and a list of the arguments.
    pub(crate) fn call_stand_in(
        &mut self,
        at: u32,
        op: &Opline,
        func: u64,
        name: ValueId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let header = self.input.cell(op.a)? as usize;
        let args = vec![Given::Lent(name), Given::List(header + HEADER_CELLS as usize, op.n as usize)];
        let object = Given::Used(header + 1);
        let call = Above { special: MagicMethod::Call, class: None, func, object, args, how: 0, closes: Some(header) };
        self.call_above(at, op.c, &call, state)
    }

    /// Prepares a call of an object's `__invoke`.
    fn open_invoke(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let object = self.given(op.b, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Invoke, None)?;
        let header = self.input.cell(op.a)? as usize;
        let exit = self.snap(at, state);
        self.check_class(value, class?, exit)?;
        let place = match object {
            Given::Used(cell) => std::mem::replace(&mut state.cells[cell], Loc::Empty),
            _ => Loc::Value(value),
        };
        let target = self.b.unit.constant(Const::Func(FuncId(func)));
        self.known.targets.insert(target, Callee { func, this: Context::Operand, guard: class });
        state.cells[header] = Loc::Value(target);
        state.cells[header + 1] = place;
        Some(Flow::Next)
    }
}

/// In the key of a static call's inline cache: the function is `__callStatic` of the class.
const STATIC_STAND_IN: u64 = 3;
