//! Implicit calls: methods that oplines call without being calls, for missing properties, ArrayAccess and Countable; and calls
//! of `__call` and `__callStatic`, which stand in for other methods.
//!
//! Such a method is called like any other, but its frame lies above that of the opline. When its code takes a side exit, flags
//! in that frame say what becomes of the result, and the interpreter goes on as if it had made the call.

use crate::call_flags::{DISCARDED, GUARDED, NAME_CELL, TO_BOOL};
use crate::host::{Callee, Context, MagicMethod, PropertyName};
use crate::input::{Start, This};
use crate::translate::calls::{Direct, Plan};
use crate::translate::state::{Flow, FrameState, Loc, Reentry, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge};
use phlox_hhir::{ClassId, FuncId, Op, SnapId, ValueId};
use phlox_lower::{HEADER_CELLS, NO_SITE, OpCode, Operand, Opline, PathStep};
use phlox_value::raw;

/// The number of the guard against recursion that a magic method for properties has.
fn guard_of(special: MagicMethod) -> Option<i64> {
    match special {
        MagicMethod::Get => Some(0),
        MagicMethod::Set => Some(1),
        MagicMethod::Isset => Some(2),
        MagicMethod::Unset => Some(3),
        _ => None,
    }
}

/// An argument of an implicit call, or its object.
#[derive(Clone, Copy)]
enum Given {
    /// The value is borrowed.
    Lent(ValueId),
    /// The value is in a temporary, which the opline consumes.
    Used(usize),
    /// An array of the values in cells, which the opline consumes: the first cell and the number of cells.
    List(usize, usize),
}

/// An implicit call.
struct ImplicitCall {
    pub special: MagicMethod,
    /// The class that the object must be of.
    pub class: Option<ClassId>,
    pub func: FuncId,
    pub object: Given,
    pub args: Vec<Given>,
    /// Flags for the first number of the call.
    pub how: u32,
    /// The header of a pending call that the implicit call replaces.
    pub closes: Option<usize>,
}

impl Translator<'_> {
    /// What an operand is as an argument of an implicit call.
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

    /// The magic method for objects like this one, and the class to guard for.
    fn method_of(
        &self,
        at: u32,
        object: ValueId,
        special: MagicMethod,
        name: Option<PropertyName>,
    ) -> Option<(Option<ClassId>, FuncId)> {
        if !self.b.ty(object).is(hhir::OBJ) {
            return None;
        }
        let class = self.class_hint(object).or_else(|| self.input.host.exit_classes(at).first().copied())?;
        Some((Some(class), self.input.host.magic_method(class, special, name)?))
    }

    /// Emits an implicit call; `None` if the method has no code.
    fn call_implicitly(&mut self, at: u32, to: Operand, call: &ImplicitCall, state: &mut FrameState) -> Option<Flow> {
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
        let func = self.b.unit.constant(Const::Func(call.func));
        let plan = match self.plan_call(at, func, &wanted, false) {
            Plan::Direct(plan) => plan,
            Plan::Wait => return Some(Flow::Wait),
            Plan::NoCode | Plan::Refused => return None,
        };
        let reentry = if plan.needs_frame { Some(self.reentry()?) } else { None };
        let exit = self.snap(at, state);
        if let Some(class) = call.class {
            self.check_class(object, class, exit)?;
            // Later oplines about the object may rely on the guard's class.
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
        self.outcome.compiled_calls.push(at);
        self.prepare_reentry(reentry.unwrap_or(Reentry::Shown), state);
        let how = call.how | guard.map_or(0, |_| GUARDED);
        let direct = Direct { header, func, this: object, args, plan, reentry, how, constructs: false };
        self.emit_call(at, to, direct, state)
    }

    /// Creates an array of the values in cells, which it consumes. The side exit is safe, because the opline has done nothing
    /// before that would have to be undone.
    fn list_of_cells(&mut self, first: usize, count: usize, exit: SnapId, state: &mut FrameState) -> Option<ValueId> {
        let cells = first..first + count;
        let parts: Vec<ValueId> =
            cells.clone().map(|cell| self.value_of(Given::Used(cell), state)).collect::<Option<_>>()?;
        let pointer = self.helper(self.input.shape.helpers.list, 0, &parts, Operand::None, exit)?;
        let list = self.b.emit(Op::TakeMem, Type::of(hhir::COUNTED_ARR), [0; 3], &[pointer], Edge::None)?;
        for cell in cells {
            let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
            self.release_place(place, state);
        }
        self.settle();
        Some(list)
    }

    /// Translates an opline by an implicit call, if its object has the method for it.
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
        // The frame of a generator's body is not on the stack, so nothing can be called above it.
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

    /// Whether a function is declared to give a boolean; any other result would have to be converted.
    fn gives_bool(&self, func: FuncId) -> Option<()> {
        const BOOLS: u32 = 1 << raw::TI_FALSE | 1 << raw::TI_TRUE;
        (self.input.host.result_kinds(func) == BOOLS).then_some(())
    }

    /// Translates `$a->b` with `__get`.
    fn get_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if op.op != OpCode::GetProp {
            return None;
        }
        let Operand::Lit(index) = op.b else { return None };
        let object = self.given(op.a, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Get, Some(PropertyName::Literal(index)))?;
        let name = self.given(op.b, state)?;
        let call =
            ImplicitCall { special: MagicMethod::Get, class, func, object, args: vec![name], how: 0, closes: None };
        self.call_implicitly(at, op.c, &call, state)
    }

    /// Translates `$a->b = $c` with `__set`.
    fn set_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let (Operand::Lit(index), Operand::This | Operand::Local(_)) = (op.b, op.a) else { return None };
        let object = self.given(op.a, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Set, Some(PropertyName::Literal(index)))?;
        let args = vec![self.given(op.b, state)?, self.given(op.c, state)?];
        let call = ImplicitCall { special: MagicMethod::Set, class, func, object, args, how: DISCARDED, closes: None };
        self.call_implicitly(at, Operand::None, &call, state)
    }

    /// Translates `isset($a->b)` with `__isset`.
    fn isset_by_method(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let Operand::Lit(index) = op.b else { return None };
        let object = self.given(op.a, state)?;
        let value = self.value_of(object, state)?;
        let (class, func) = self.method_of(at, value, MagicMethod::Isset, Some(PropertyName::Literal(index)))?;
        self.gives_bool(func)?;
        let name = self.given(op.b, state)?;
        let call = ImplicitCall {
            special: MagicMethod::Isset,
            class,
            func,
            object,
            args: vec![name],
            how: TO_BOOL,
            closes: None,
        };
        self.call_implicitly(at, op.c, &call, state)
    }

    /// Translates `$a[$b]`, `isset($a[$b])`, `$a[$b] = $c` and `$a[] = $c` with the methods of ArrayAccess.
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
        self.call_implicitly(at, to, &ImplicitCall { special, class, func, object, args, how, closes: None }, state)
    }

    /// Translates `unset($a->b)` with `__unset`, and `unset($a[$b])` with `offsetUnset`.
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
        let call = ImplicitCall { special, class, func, object, args: vec![arg], how: DISCARDED, closes: None };
        self.call_implicitly(at, Operand::None, &call, state)
    }

    /// Translates `count($a)` with the method `count` of a Countable, which replaces the pending call of the function.
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
        let call = ImplicitCall {
            special: MagicMethod::Count,
            class,
            func,
            object,
            args: Vec::new(),
            how: 0,
            closes: Some(header),
        };
        self.call_implicitly(at, op.c, &call, state)
    }

    /// Prepares a call of `__call` or `__callStatic`, if the inline cache of the opline holds that.
    fn open_stand_in(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let Operand::Lit(name) = op.c else { return None };
        let calls = |call: &&Opline| call.a == op.a && call.op.makes_call();
        let call = self.input.lowered.ops.iter().skip(at as usize).find(calls)?;
        // Without arguments the method would get the empty array, which is a literal; that is not supported here.
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
                (Some(ClassId(cache.key & !1)), value, place)
            }
            OpCode::InitStatic if cache.key == STATIC_STAND_IN && self.input.this != This::Object => {
                let class = self.b.unit.constant(Const::Cls(ClassId(cache.class)));
                (None, class, Loc::Value(class))
            }
            _ => return None,
        };
        let context = if class.is_some() { Context::Operand } else { Context::Class(ClassId(cache.class)) };
        if !self.input.host.can_call(cache.found_function(), context)
            || self.b.ty(this).is(hhir::OBJ) != class.is_some()
        {
            return None;
        }
        let name = self.literal(name)?;
        let mut wanted = self.wanted(cache.found_function(), this, &[name]);
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
        self.known.targets.insert(func, Callee { func: cache.found_function(), this: context, guard: class });
        state.cells[header] = Loc::Value(func);
        state.cells[header + 1] = place;
        state.cells[header + NAME_CELL] = Loc::Value(name);
        Some(Flow::Next)
    }

    /// Calls `__call` or `__callStatic` with the name of the method and an array of the arguments.
    pub(crate) fn call_stand_in(
        &mut self,
        at: u32,
        op: &Opline,
        func: FuncId,
        name: ValueId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let header = self.input.cell(op.a)? as usize;
        let args = vec![Given::Lent(name), Given::List(header + HEADER_CELLS as usize, op.n as usize)];
        let object = Given::Used(header + 1);
        let call =
            ImplicitCall { special: MagicMethod::Call, class: None, func, object, args, how: 0, closes: Some(header) };
        self.call_implicitly(at, op.c, &call, state)
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
        let target = self.b.unit.constant(Const::Func(func));
        self.known.targets.insert(target, Callee { func, this: Context::Operand, guard: class });
        state.cells[header] = Loc::Value(target);
        state.cells[header + 1] = place;
        Some(Flow::Next)
    }
}

/// The key of a static call's inline cache that says that `__callStatic` of the class is called.
const STATIC_STAND_IN: u64 = 3;
