//! Calls of PHP functions, their parameters and results.
//!
//! Compiled code calls compiled code directly, with arguments in registers, if the callee can be compiled for the arguments'
//! types. Otherwise the interpreter makes the call, or there is a side exit before the call is prepared.

use crate::call_flags::{CALLS_CLOSURE, CLOSURE, CONSTRUCTS, DISCARDS, GUARD_CELL, NAME_CELL, NEEDS_FRAME};
use crate::host::{Callee, Compiled, Context, Specialization};
use crate::input::Start;
use crate::profile::{LITERAL_ARRAY, ObservedType, READ_LAYOUTS, READ_LIST, counted_strings};
use crate::translate::state::{Flow, FrameState, Kinds, Loc, Reentry, Translator};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{ClassId, FrameId, FuncId, Op, READY, TO_LOCAL, ValueId};
use phlox_lower::{ClassBy, HEADER_CELLS, OpCode, Operand, Opline};
use phlox_value::raw;

/// The number of classes whose methods one call site may call directly.
const MAX_TARGETS: usize = 4;
/// The number of arguments that have a flag each in a call's flags; their bits are below [`CLOSURE`].
const MAX_FLAGGED: usize = 27;

/// How a call of compiled code is made.
pub(crate) struct Planned {
    /// The callee's code.
    pub compiled: Compiled,
    /// The types of results that are expected.
    pub several: Vec<Bits>,
    /// The callee is the specialisation that is being compiled.
    pub is_own: bool,
    /// The callee needs its frame, and so may look at its callers' frames.
    pub needs_frame: bool,
}

/// Whether and how compiled code can make a call.
pub(crate) enum Plan {
    /// The callee has code, or will have.
    Direct(Planned),
    /// The callee has no code, and will have none soon.
    NoCode,
    /// The function calls itself, and the type of its results must be known first.
    Wait,
    /// The results may be of too many types.
    Refused,
}

/// A call of compiled code, ready to be emitted.
pub(crate) struct Direct {
    /// The cell at which the header of the callee's frame would start.
    pub header: usize,
    /// The function.
    pub func: ValueId,
    /// The object, class or null pointer that the function is called with.
    pub this: ValueId,
    /// The arguments.
    pub args: Vec<ValueId>,
    /// How the call is made.
    pub plan: Planned,
    /// How PHP code that the callee runs sees the caller's variables; `None` if it cannot see them.
    pub reentry: Option<Reentry>,
    /// Flags of an implicit call; see [`crate::translate::implicit_calls`].
    pub how: u32,
    /// The callee is a constructor.
    pub constructs: bool,
}

impl Translator<'_> {
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.input.start, Start::Function(_))
    }

    /// Prepares a call of a PHP function: the function goes into the first cell of the header, the object or class into the
    /// second.
    pub(crate) fn init_call(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let mut targets = self.input.host.callees(at);
        let exit = self.snap(at, state);
        let (before, pending) = (state.clone(), self.pending());
        let this = match targets.first()?.this {
            Context::None => self.b.unit.constant(Const::Nullptr),
            Context::Class(class) => self.b.unit.constant(Const::Cls(class)),
            Context::Own => self.own_context()?,
            Context::Operand if op.b == Operand::This => self.own_context()?,
            Context::Operand => {
                let place = self.input.cell(op.b).map(|cell| state.cells[cell as usize]);
                let this = self.source(op.b, state).filter(|&this| self.b.ty(this).is(hhir::OBJ))?;
                self.hand_over(place, this, self.input.cell(op.a)? as usize, state);
                this
            }
        };
        let header = self.input.cell(op.a)? as usize;
        if targets.len() > 1 {
            // Objects of several classes are likely: each class has a path of its own until the call is over.
            let guards: Vec<ClassId> = targets.iter().map(|target| target.guard).collect::<Option<_>>()?;
            self.meet_behind_call(at, op);
            targets.truncate(MAX_TARGETS);
            let guards = &guards[..targets.len()];
            self.settle();
            let class = self.b.op(Op::LdObjClass, &[this]);
            for (target, &guard) in targets.iter().zip(guards) {
                let wanted = self.b.unit.constant(Const::Cls(guard));
                let same = self.b.op(Op::EqCls, &[class, wanted]);
                let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
                self.b.branch(same, yes, no);
                self.b.switch_to(yes);
                let mut state = state.clone();
                self.pend(header, target, this, &mut state);
                self.go(at + 1, state);
                self.b.switch_to(no);
            }
            // The interpreter finds the methods of other classes.
            *state = before;
            self.set_pending(pending);
            return match self.step_in_interpreter(at, op, state) {
                Some(_) => Some(Flow::Next),
                None => {
                    self.b.retranslate(exit);
                    Some(Flow::Done)
                }
            };
        }
        let target = targets.into_iter().next()?;
        if let Some(guard) = target.guard {
            let class = match target.this {
                Context::Operand => this,
                _ => self.own_context()?,
            };
            self.check_class(class, guard, exit)?;
        }
        self.pend(header, &target, this, state);
        Some(Flow::Next)
    }

    /// Makes the block versions of the call that an opline prepares meet behind that call.
    fn meet_behind_call(&mut self, at: u32, init: &Opline) {
        let ops = &self.input.lowered.ops;
        let calls = |op: &&Opline| matches!(op.op, OpCode::Call | OpCode::CallRef) && op.a == init.a;
        if let Some(distance) = ops.iter().skip(at as usize).position(|op| calls(&op)) {
            self.meet_behind(at + distance as u32);
        }
    }

    /// Makes the paths of an opline meet behind it.
    pub(crate) fn meet_behind(&mut self, at: u32) {
        let behind = at as usize + 1;
        if let Some(join) = self.outline.is_join.get_mut(behind) {
            self.outline.is_meeting[behind] |= !*join;
            *join = true;
        }
    }

    fn pend(&mut self, header: usize, target: &Callee, this: ValueId, state: &mut FrameState) {
        let func = self.b.unit.constant(Const::Func(target.func));
        self.known.targets.insert(func, target.clone());
        state.cells[header] = Loc::Value(func);
        if state.cells[header + 1] != Loc::Owned(this) {
            state.cells[header + 1] = Loc::Value(this);
        }
        let is_about_object = matches!(target.this, Context::Operand | Context::Own) && self.b.ty(this).is(hhir::OBJ);
        if let Some(class) = target.guard.filter(|_| is_about_object) {
            state.cells[header + GUARD_CELL] = Loc::Value(self.b.unit.constant(Const::Cls(class)));
        }
    }

    /// The class that a guard has established for the object of a pending call.
    pub(crate) fn guarded_class(&self, header: usize, state: &FrameState) -> Option<ClassId> {
        let Loc::Value(class) = state.cells[header + GUARD_CELL] else { return None };
        match self.b.unit.as_const(class) {
            Some(Const::Cls(class)) => Some(class),
            _ => None,
        }
    }

    /// Moves the ownership of an object from a temporary that has just been consumed to the header of a pending call.
    pub(crate) fn hand_over(&mut self, from: Option<Loc>, object: ValueId, header: usize, state: &mut FrameState) {
        if from == Some(Loc::Owned(object)) && self.dying.last() == Some(&object) {
            self.dying.pop();
            state.cells[header + 1] = Loc::Owned(object);
        }
    }

    /// Prepares a call of a closure's function; the caller puts the closure into the fourth cell of the header.
    pub(crate) fn pend_closure(&mut self, header: usize, func: FuncId, state: &mut FrameState) {
        let nothing = self.b.unit.constant(Const::Nullptr);
        self.pend(header, &Callee { func, this: Context::None, guard: None }, nothing, state);
    }

    /// The closure of a pending call if it has one, and the cell of the header that holds the closure or the object.
    pub(crate) fn pending_closure(&self, header: usize, state: &FrameState) -> (Option<ValueId>, usize) {
        match state.cells[header + 3] {
            Loc::Value(closure) | Loc::Owned(closure) => (Some(closure), header + 3),
            _ => (None, header + 1),
        }
    }

    /// Translates `new`: creates the object, and prepares the call of its constructor.
    pub(crate) fn init_new(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let (class, constructor) = match ClassBy::of(op.n) {
            ClassBy::Static => {
                let own = self.own_context()?;
                let class = self.class_hint(own)?;
                self.check_class(own, class, exit)?;
                (class, self.input.host.constructor_of(class)?)
            }
            _ => self.input.host.constructed_class(at)?,
        };
        let header = self.input.cell(op.a)? as usize;
        let result = self.input.cell(op.c)? as usize;
        let class_value = self.b.unit.constant(Const::Cls(class));
        let object = self.b.emit(Op::NewObj, Type::TOP, [0; 3], &[class_value], Edge::Exit(exit))?;
        self.known.classes.insert(object, class);
        state.cells[result] = Loc::Owned(object);
        let nothing = self.b.unit.constant(Const::Nullptr);
        match constructor {
            Some(func) => {
                let value = self.b.unit.constant(Const::Func(func));
                self.known.targets.insert(value, Callee { func, this: Context::Operand, guard: None });
                self.b.emit(Op::IncRef, Type::TOP, [0; 3], &[object], Edge::None);
                state.cells[header] = Loc::Value(value);
                state.cells[header + 1] = Loc::Owned(object);
                state.cells[header + 2] = Loc::Value(nothing);
            }
            // Without a constructor the arguments are dropped.
            None => {
                let none = self.b.unit.constant(Const::Func(FuncId(0)));
                self.known.callees.insert(none, Vec::new());
                state.cells[header] = Loc::Value(none);
            }
        }
        Some(Flow::Next)
    }

    /// Guards that an object is of a class, or that a class is this one.
    pub(crate) fn check_class(&mut self, value: ValueId, class: ClassId, exit: phlox_hhir::SnapId) -> Option<()> {
        let wanted = self.b.unit.constant(Const::Cls(class));
        let ty = self.b.ty(value);
        let own = if ty.is(hhir::OBJ) {
            self.b.op(Op::LdObjClass, &[value])
        } else if ty.is(hhir::CLS) {
            value
        } else {
            return None;
        };
        let same = self.b.op(Op::EqCls, &[own, wanted]);
        self.b.exit_unless(same, exit);
        Some(())
    }

    /// The type of the function's results, if its declaration leaves just one.
    fn declared_result(&self) -> Option<Bits> {
        let ops = &self.input.lowered.ops;
        let typed = ops.iter().position(|op| op.op == OpCode::Ret && op.n == 1)?;
        let accepted = self.input.host.declared_kinds(typed as u32);
        single_kind(accepted)
    }

    pub(crate) fn call_function(
        &mut self,
        at: u32,
        op: &Opline,
        func: ValueId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let target = self.known.targets.get(&func)?.clone();
        let header = self.input.cell(op.a)? as usize;
        if let (Loc::Value(name), None) = (state.cells[header + NAME_CELL], self.guarded_class(header, state)) {
            return self.call_stand_in(at, op, target.func, name, state);
        }
        let (Loc::Value(this) | Loc::Owned(this)) = state.cells[header + 1] else { return None };
        let (closure, _) = self.pending_closure(header, state);
        let first = header + HEADER_CELLS as usize;
        let mut args = Vec::new();
        for index in 0..op.n as usize {
            match state.cells[first + index] {
                Loc::Value(value) | Loc::Fixed(value) | Loc::Owned(value) => args.push(value),
                Loc::Memory | Loc::Flushed(_) | Loc::Idle | Loc::Pending | Loc::Empty => return None,
            }
        }
        if !self.can_store(op.c, state) {
            return None;
        }
        let wanted = self.wanted(target.func, this, &args);
        if let Some(flow) = self.inline_call(at, op, &wanted, this, &args, state) {
            return Some(flow);
        }
        let plan = match self.plan_call(at, func, &wanted, closure.is_some()) {
            Plan::Direct(plan) => plan,
            Plan::NoCode => {
                let kinds = self.likely_results(at, func);
                self.outcome.interpreter_calls.push(at);
                return self.call_interpreted(at, op, func, kinds, state);
            }
            Plan::Wait => return Some(Flow::Wait),
            Plan::Refused => return None,
        };
        if args.len() + 2 > MAX_FLAGGED || args.iter().any(|&arg| self.kind(arg) & hhir::UNINIT != 0) {
            return None;
        }
        // A callee that gets references may change what they hold.
        let takes_references = args.iter().any(|&arg| self.kind(arg) == hhir::BOXED);
        let is_loop = !self.is_function();
        // Code that took a side exit because the callee had no code lets the interpreter make the call when it is compiled
        // again.
        let was_missing = self.input.host.exit_feedback(at) >> raw::TI_UNDEF & 1 != 0;
        let reentry = match plan.needs_frame || (takes_references && is_loop) {
            true => Some(self.reentry()?),
            false if was_missing => self.reentry(),
            false => None,
        };
        self.outcome.has_calls = true;
        self.outcome.compiled_calls.push(at);
        self.prepare_reentry(reentry.unwrap_or(Reentry::Shown), state);
        let before = self.snap(at, state);
        let constructs = matches!(state.cells[header + 2], Loc::Value(_));
        let (fp, entry) = (self.fp, self.b.unit.constant(Const::Func(FuncId(plan.compiled.entry))));
        let room = [header as u32, plan.compiled.frame_bytes, 0];
        if reentry.is_some() {
            // The interpreter makes the call while the callee has no code.
            self.meet_behind(at);
            let (yes, no) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Unlikely));
            self.b.emit(Op::CheckRoom, Type::TOP, room, &[fp, entry], Edge::Block(no));
            let block = self.b.block();
            self.b.unit.blocks[block.at()].next = Some(yes);
            self.b.switch_to(no);
            let (mut inner, kept) = (state.clone(), self.pending());
            if let Flow::Next = self.call_interpreted(at, op, func, plan.several.clone(), &mut inner)? {
                self.go(at + 1, inner);
            }
            self.set_pending(kept);
            self.b.switch_to(yes);
        } else {
            self.b.emit(Op::CheckRoom, Type::TOP, room, &[fp, entry], Edge::Exit(before));
        }
        let direct = Direct { header, func, this, args, plan, reentry, how: 0, constructs };
        self.emit_call(at, op.c, direct, state)
    }

    /// The specialisation that a call needs.
    pub(crate) fn wanted(&self, func: FuncId, this: ValueId, args: &[ValueId]) -> Specialization {
        let sample = |value: ValueId| {
            let is_seen = |seen: &ObservedType| self.b.ty(value).maybe(seen.bits);
            self.known.samples.get(&value).copied().filter(is_seen)
        };
        let class = match self.b.unit.as_const(this) {
            Some(Const::Cls(class)) => Some(ObservedType { bits: hhir::CLS, payload: class.0 }),
            _ => None,
        };
        Specialization {
            func,
            this: (!self.b.ty(this).is(hhir::NULLPTR)).then(|| self.kind(this)),
            this_sample: class.or_else(|| sample(this)),
            args: args.iter().map(|&arg| counted_strings(self.kind(arg))).collect(),
            samples: args.iter().map(|&arg| sample(arg)).collect(),
        }
    }

    /// Decides how a call of compiled code is made.
    pub(crate) fn plan_call(&mut self, at: u32, func: ValueId, wanted: &Specialization, is_closure: bool) -> Plan {
        // A function that is inlined into another one makes its recursive calls like any other calls.
        let is_own = !is_closure && self.is_own(wanted) && (self.input.inlined.is_none() || self.input.is_recursive);
        let Some(compiled) = self.input.host.compiled_callee(wanted) else { return Plan::NoCode };
        let result = match compiled.result {
            Some(result) => result,
            None if is_own && !self.progress.no_result => {
                match self.outcome.result.or_else(|| self.declared_result()) {
                    Some(result) => result,
                    None => return Plan::Wait,
                }
            }
            // The callee is still being compiled; type feedback will show its results.
            None => {
                self.outcome.collects_feedback = true;
                0
            }
        };
        // A function that calls itself learns the type of its own results only at the end of the translation.
        let met = kinds_of_tags(self.feedback(at));
        let noted = if result == 0 { self.likely_results(at, func) } else { met.clone() };
        // The types that the call has given so far are likely to be all that it gives.
        let given = if met.is_empty() { result } else { 0 };
        let several = kinds_of_result(given | noted.iter().fold(0, |all, bits| all | bits));
        if several.len() > MAX_RESULTS {
            return Plan::Refused;
        }
        let needs_frame = if is_own { self.input.needs_frame } else { compiled.needs_frame };
        Plan::Direct(Planned { compiled, several, is_own, needs_frame })
    }

    /// Whether a call is one of the very specialisation that is compiled.
    pub(crate) fn is_own(&self, wanted: &Specialization) -> bool {
        let Start::Function(own) = self.input.start else { return false };
        (own.func, own.this, &own.args) == (wanted.func, wanted.this, &wanted.args)
    }

    /// Emits a call of compiled code. The state holds the object and the arguments in the cells of the callee's header and
    /// locals.
    pub(crate) fn emit_call(&mut self, at: u32, to: Operand, call: Direct, state: &mut FrameState) -> Option<Flow> {
        let Direct { header, func, this, args, plan, reentry, how, constructs } = call;
        let Planned { compiled, several, is_own, .. } = plan;
        let first = header + HEADER_CELLS as usize;
        let (closure, owner) = self.pending_closure(header, state);
        let variable = matches!(to, Operand::Local(_)) && reentry == Some(Reentry::Flushed);
        let in_memory = several.len() != 1 || variable;
        self.frees_in_callee(compiled.may_free && !is_own);
        self.outcome.needs_frame |= reentry.is_some();
        self.outcome.calls_itself |= is_own;
        let mut flags = if constructs { CONSTRUCTS } else { 0 };
        flags |= reentry.map_or(0, |reentry| NEEDS_FRAME | reentry.flag()) | closure.map_or(0, |_| CLOSURE);
        if to == Operand::None {
            flags |= DISCARDS;
        }
        let mut owned = Vec::new();
        for (number, cell) in [owner].into_iter().chain(first..first + args.len()).enumerate() {
            if let Loc::Owned(value) = state.cells[cell] {
                // A temporary that borrows the argument owns it behind the call.
                state.cells[cell] = Loc::Empty;
                let tmps = self.input.before_tmps() as usize;
                let mut others = state.cells[tmps..].iter_mut();
                match others.find(|other| **other == Loc::Value(value)).filter(|_| number > 0) {
                    Some(other) => *other = Loc::Owned(value),
                    None if number >= MAX_FLAGGED => return None,
                    None => {
                        flags |= 1 << number;
                        owned.push(value);
                    }
                }
            }
        }
        for cell in &mut state.cells[header..first + args.len()] {
            *cell = Loc::Empty;
        }
        state.cells.truncate(self.input.cell_count() as usize);
        let after = self.snap(at, state);
        let (fp, header) = (self.fp, header as u32);
        let entry = self.b.unit.constant(Const::Func(FuncId(compiled.entry)));
        let mut srcs = vec![fp, func, entry, closure.unwrap_or(this)];
        srcs.extend(args);
        if in_memory {
            let cell = self.input.cell(to).unwrap_or(header) + 1;
            let words = [header | how, cell, flags];
            let pointer = self.b.emit(Op::CallUnitMem, Type::TOP, words, &srcs, Edge::Exit(after))?;
            self.b.at(FrameId(0), at);
            self.dying.extend(owned);
            if variable {
                let cell = cell - 1;
                self.b.emit(Op::AssignLocMem, Type::TOP, [cell, 0, 0], &[fp, pointer], Edge::None);
                self.settle();
                return self.landed(at, cell, &several, compiled.sample, state);
            }
            let kinds = Kinds { kinds: &several, are_all: false, sample: compiled.sample };
            return self.take_result(at, to, pointer, &kinds, state);
        }
        let words = [header | how, self.input.cell(to).map_or(0, |cell| cell + 1), flags];
        let value = self.b.emit(Op::CallUnit, Type::of(several[0]), words, &srcs, Edge::Exit(after))?;
        // A type with just one value gives a constant.
        let value = match phlox_hhir::Unit::const_of_type(Type::of(several[0])) {
            Some(constant) => self.b.unit.constant(constant),
            None => value,
        };
        if let (Some(sample), true) = (compiled.sample, self.b.ty(value).maybe(hhir::STR | hhir::ARR | hhir::OBJ)) {
            self.known.samples.insert(value, sample);
        }
        self.b.at(FrameId(0), at);
        self.dying.extend(owned);
        if self.is_counted(value) {
            self.dying.push(value);
        }
        if to == Operand::None {
            return Some(Flow::Next);
        }
        self.store(to, value, state).then_some(Flow::Next)
    }

    /// The types that an opline has given or read, from type feedback, as bits of tags.
    pub(crate) fn feedback(&self, at: u32) -> u32 {
        (self.input.host.exit_feedback(at) | self.input.host.type_feedback(at)) & !(1 << raw::TI_UNDEF | READ_LAYOUTS)
    }

    /// Whether an opline has read elements of packed arrays only.
    pub(crate) fn reads_lists(&self, at: u32) -> bool {
        self.input.host.type_feedback(at) & READ_LAYOUTS == 1 << READ_LIST
    }

    /// The types that a call is likely to give, by type feedback and by declaration.
    pub(crate) fn likely_results(&self, at: u32, func: ValueId) -> Vec<Bits> {
        let declared = match self.b.unit.as_const(func) {
            Some(Const::Func(func)) if func.0 != 0 => self.input.host.result_kinds(func),
            _ => 0,
        };
        // Declarations with more tags say too little; strings have two tags.
        let declared = if declared.count_ones() <= 3 { declared } else { 0 };
        let met = self.feedback(at);
        let mut kinds = kinds_of_tags(if met == 0 { declared } else { met });
        // The variable that gets the result holds the result of the last iteration.
        if let (true, Some(seen)) = (kinds.is_empty(), self.assigned_before(at)) {
            kinds.push(seen);
        }
        kinds.truncate(MAX_RESULTS);
        kinds
    }

    /// The type that the variable which gets an opline's result has at the entry of a loop.
    fn assigned_before(&self, at: u32) -> Option<Bits> {
        let (op, next) = (self.input.op(at), self.input.lowered.ops.get(at as usize + 1)?);
        let to = if next.op == OpCode::Assign && next.a == op.c { next.c } else { op.c };
        let Operand::Local(local) = to else { return None };
        if self.is_function() {
            return None;
        }
        let kind = counted_strings(self.input.seen(local.0)?.bits);
        (kind & (hhir::UNINIT | hhir::BOXED) == 0).then_some(kind)
    }

    /// Emits a call that the interpreter makes.
    pub(crate) fn call_interpreted(
        &mut self,
        at: u32,
        op: &Opline,
        func: ValueId,
        kinds: Vec<Bits>,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let reentry = self.reentry()?;
        if !self.can_store(op.c, state) {
            return None;
        }
        let header = self.input.cell(op.a)? as usize;
        let ready = if state.cells[header] == Loc::Pending { READY } else { 0 };
        let first = header + HEADER_CELLS as usize;
        let this = match state.cells[header + 1] {
            Loc::Value(this) | Loc::Owned(this) => this,
            _ => self.b.unit.constant(Const::Nullptr),
        };
        let (closure, owner) = self.pending_closure(header, state);
        let this = closure.unwrap_or(this);
        let is_constructor = matches!(state.cells[header + 2], Loc::Value(_));
        let cells = first..first + op.n as usize;
        let in_frame = ready != 0 && state.cells[cells.clone()].contains(&Loc::Memory);
        let (this, cells) = match in_frame {
            true => (self.arguments_in_frame(cells, state)?, first..first),
            false => (this, cells),
        };
        let mut args = Vec::new();
        for cell in cells {
            match state.cells[cell] {
                Loc::Value(value) | Loc::Fixed(value) | Loc::Owned(value) => args.push(value),
                Loc::Memory | Loc::Flushed(_) | Loc::Idle | Loc::Pending | Loc::Empty => return None,
            }
        }
        let is_passed = |build: &Self, value: ValueId| build.b.ty(value).bits() & hhir::UNINIT == 0;
        if !args.iter().all(|&arg| is_passed(self, arg)) {
            return None;
        }
        self.outcome.needs_frame = true;
        self.note_release();
        // The interpreter consumes the object and the arguments, so each needs a reference of its own.
        for cell in [owner].into_iter().chain(first..first + args.len()) {
            let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
            if let Loc::Value(value) | Loc::Fixed(value) = place
                && self.is_counted(value)
            {
                self.retain(value);
            }
        }
        for cell in &mut state.cells[header..first + op.n as usize] {
            *cell = Loc::Empty;
        }
        self.prepare_reentry(reentry, state);
        let variable = matches!(op.c, Operand::Local(_)).then(|| self.input.cell(op.c)).flatten();
        if let Some(cell) = variable {
            self.give_back(cell as usize, state);
        }
        let after = self.snap(at, state);
        let to = if variable.is_some() { None } else { self.input.cell(op.c) }.unwrap_or(header as u32);
        let mut srcs = vec![self.fp, func, this];
        srcs.extend(args);
        let words = [
            header as u32,
            to + 1,
            u32::from(is_constructor)
                | closure.map_or(0, |_| CALLS_CLOSURE)
                | ready
                | reentry.flag()
                | variable.map_or(0, |_| TO_LOCAL),
        ];
        let pointer = self.b.emit(Op::CallInterp, Type::TOP, words, &srcs, Edge::Exit(after))?;
        self.outcome.collects_feedback = true;
        if let Some(cell) = variable {
            self.settle();
            return self.landed(at, cell, &kinds, None, state);
        }
        self.take_result(at, op.c, pointer, &Kinds { kinds: &kinds, are_all: false, sample: None }, state)
    }

    /// Stores the arguments of a call to the frame, where some of them lie already, and gives their number.
    fn arguments_in_frame(&mut self, cells: std::ops::Range<usize>, state: &mut FrameState) -> Option<ValueId> {
        let count = cells.len() as i64;
        let is_there = |build: &Self, place: Loc| match place {
            Loc::Memory => true,
            Loc::Value(value) | Loc::Fixed(value) | Loc::Owned(value) => build.b.ty(value).bits() & hhir::UNINIT == 0,
            Loc::Flushed(_) | Loc::Idle | Loc::Pending | Loc::Empty => false,
        };
        if !state.cells[cells.clone()].iter().all(|&place| is_there(self, place)) {
            return None;
        }
        for cell in cells {
            let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
            let (Loc::Value(value) | Loc::Fixed(value) | Loc::Owned(value)) = place else { continue };
            if self.is_counted(value) && !matches!(place, Loc::Owned(_)) {
                self.retain(value);
            }
            let fp = self.fp;
            self.b.emit(Op::StLoc, Type::TOP, [cell as u32, 0, 0], &[fp, value], Edge::None);
        }
        Some(self.b.unit.int(count))
    }

    /// Translates the return from the function.
    pub(crate) fn leave(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = (op.n == 1).then(|| self.snap(at, state));
        let accepted = self.input.host.declared_kinds(at);
        let value = match op.a {
            Operand::Lit(index) if self.input.lowered.literals[index as usize] == phlox_lower::Literal::Undef => {
                // A function that ends without a value violates any declared type but `void`, even a nullable one. The
                // interpreter throws the error.
                if op.n == 1 && accepted != 1 << raw::TI_UNDEF {
                    return None;
                }
                let nothing = self.b.unit.constant(Const::Null);
                return self.give(nothing, state);
            }
            operand => self.source(operand, state)?,
        };
        if op.n != 1 {
            return self.give(value, state);
        }
        if tags_of(self.kind(value))? & !accepted == 0 {
            return self.give(value, state);
        }
        if self.kind(value) == hhir::INT && accepted >> raw::TI_DOUBLE & 1 != 0 {
            let float = self.as_dbl(value);
            return self.give(float, state);
        }
        self.check_object(at, op, value, exit?)?;
        self.give(value, state)
    }
}

/// The types that have tags, each with its tag.
const TAGS: [(Bits, u32); 9] = [
    (hhir::UNINIT, raw::TI_UNDEF),
    (hhir::INIT_NULL, raw::TI_NULL),
    (hhir::FALSE, raw::TI_FALSE),
    (hhir::TRUE, raw::TI_TRUE),
    (hhir::INT, raw::TI_INT),
    (hhir::DBL, raw::TI_DOUBLE),
    (hhir::STR, raw::TI_STR_STATIC),
    (hhir::ARR, raw::TI_ARR_STATIC),
    (hhir::OBJ, raw::TI_OBJ & 0xff),
];

/// The bits of the tags that values of a type may have; `None` if the type includes values without a tag in [`TAGS`].
pub(crate) fn tags_of(kinds: Bits) -> Option<u32> {
    let known = TAGS.iter().fold(0, |bits, row| bits | row.0);
    if kinds & !known != 0 {
        return None;
    }
    Some(TAGS.iter().filter(|row| kinds & row.0 != 0).fold(0, |tags, row| tags | 1 << row.1))
}

/// The union of the types of some tags.
pub(crate) fn kinds_in(tags: u32) -> Bits {
    TAGS.iter().filter(|row| tags >> row.1 & 1 != 0).fold(0, |kinds, row| kinds | row.0)
}

/// The types that some tags stand for: one for each tag word, but one for both booleans.
pub(crate) fn kinds_of_tags(tags: u32) -> Vec<Bits> {
    const KINDS: [(u32, Bits); 8] = [
        (1 << raw::TI_INT, hhir::INT),
        (1 << raw::TI_DOUBLE, hhir::DBL),
        (1 << (raw::TI_OBJ & 0xff), hhir::OBJ),
        (1 << raw::TI_FALSE | 1 << raw::TI_TRUE, hhir::BOOL),
        (1 << raw::TI_NULL, hhir::INIT_NULL),
        (1 << raw::TI_STR_STATIC, hhir::COUNTED_STR),
        (1 << raw::TI_ARR_STATIC, hhir::COUNTED_ARR),
        (LITERAL_ARRAY, hhir::STATIC_ARR),
    ];
    KINDS.iter().filter(|row| tags & row.0 != 0).map(|row| row.1).collect()
}

/// The number of types of a call's result up to which there is a path for each.
const MAX_RESULTS: usize = 8;

/// The types that a union consists of: one for each tag word, but one for both booleans.
fn kinds_of_result(result: Bits) -> Vec<Bits> {
    const KINDS: [Bits; 8] = [
        hhir::OBJ,
        hhir::INT,
        hhir::INIT_NULL,
        hhir::BOOL,
        hhir::DBL,
        hhir::COUNTED_STR,
        hhir::COUNTED_ARR,
        hhir::STATIC_ARR,
    ];
    KINDS.iter().copied().filter(|kind| kind & counted_strings(result) != 0).collect()
}

/// The type of a value with one of these tags, if the tags leave just one.
fn single_kind(accepted: u32) -> Option<Bits> {
    const KINDS: [(u32, Bits); 4] = [
        (1 << raw::TI_INT, hhir::INT),
        (1 << raw::TI_DOUBLE, hhir::DBL),
        (1 << raw::TI_FALSE | 1 << raw::TI_TRUE, hhir::BOOL),
        (1 << raw::TI_UNDEF, hhir::INIT_NULL),
    ];
    KINDS.iter().find(|row| row.0 == accepted).map(|row| row.1)
}
