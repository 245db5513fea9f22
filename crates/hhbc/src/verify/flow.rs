//! Control flow: evaluation stack, pending calls, iterators and silence, each the same on every path.
//!
//! Every reachable instruction is visited once with the state of the first path that reaches it; every other path
//! must bring the same state. A state is a handful of numbers because stacks and resource sets are interned.

use super::layout::{self, Layout, NONE};
use super::resources::{Held, Resource, ResourceSets};
use super::stack::{Flavour, Stack, Stacks};
use super::{Depth, Fault, FuncFacts, Rule};
use crate::ids::*;
use crate::info::{OpKind, Opcode, Slot};
use crate::instr::{Instr, SilenceOp};
use crate::unit::*;
use std::collections::HashSet;

/// What is known before an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    stack: Stack,
    call: Call,
    held: Held,
    /// The generator has been created.
    started: bool,
}

/// The innermost pending call.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Call {
    /// Its FPI region, or [`NONE`].
    region: u32,
    /// Arguments passed so far.
    passed: u32,
    /// `FPassName` has named the next argument.
    named: bool,
}

const NO_CALL: Call = Call { region: NONE, passed: 0, named: false };

/// What an FPush leaves for its FCall.
#[derive(Clone, Copy)]
struct Pending {
    outer: Call,
    /// Depth of the evaluation stack after the FPush.
    base: u32,
    args: u32,
    /// Pending calls, this one included.
    calls: u32,
}

/// Checks every rule that depends on paths.
pub fn check(unit: &Unit, func: &Func, layout: &Layout) -> Result<FuncFacts, Fault> {
    let mut flow = Flow {
        unit,
        func,
        layout,
        states: vec![None; func.code.len()],
        work: Vec::new(),
        stacks: Stacks::new(),
        sets: ResourceSets::default(),
        pending: vec![None; func.fpi.len()],
        unwound: HashSet::new(),
        last_unwound: None,
        steps: 0,
        step_limit: layout::work_limit(func),
        max_stack: 0,
    };
    flow.enter()?;
    while let Some(pc) = flow.work.pop() {
        flow.run(pc)?;
    }
    flow.boundaries()?;
    Ok(flow.into_facts())
}

struct Flow<'u> {
    unit: &'u Unit,
    func: &'u Func,
    layout: &'u Layout,
    states: Vec<Option<State>>,
    /// Instructions that have a state but have not been visited.
    work: Vec<u32>,
    stacks: Stacks,
    sets: ResourceSets,
    /// The pending call of each FPI region whose FPush has been visited.
    pending: Vec<Option<Pending>>,
    /// Rows of the EH table that were unwound to, each with the state there, so that no exceptional edge is followed
    /// twice.
    unwound: HashSet<(u32, Held, bool)>,
    last_unwound: Option<(u32, Held, bool)>,
    steps: usize,
    step_limit: usize,
    max_stack: u32,
}

/// The work of one instruction: the stack as it is being consumed.
struct Step {
    pc: u32,
    state: State,
    /// Depth below which the pending call owns the stack.
    floor: u32,
}

impl<'u> Flow<'u> {
    /// Visits the code from every entry but the catch entries, which are reached through exceptional edges.
    fn enter(&mut self) -> Result<(), Fault> {
        let start = State { stack: Stack::EMPTY, call: NO_CALL, held: Held::NONE, started: false };
        for (index, entry) in self.func.funclets.iter().enumerate() {
            let held = self.sets.of(self.layout.releases[index].iter().copied());
            self.jump(entry.0, *entry, State { held, started: true, ..start })?;
        }
        for entry in self.func.dv_entries.iter().chain([&self.func.main_entry]) {
            self.jump(entry.0, *entry, start)?;
        }
        Ok(())
    }

    /// Visits instructions from `pc` on until control ends or meets what has been visited.
    fn run(&mut self, pc: u32) -> Result<(), Fault> {
        let func = self.func;
        let Some(state) = self.states[pc as usize] else { return Ok(()) };
        let mut step = Step { pc, state, floor: 0 };
        while self.visit(&mut step)? {
            step.pc += 1;
            let pc = step.pc;
            match func.code.get(pc as usize).map(Instr::opcode) {
                None => return Err(Fault::at(Rule::R7, pc - 1, "control runs past the end")),
                Some(Opcode::Catch) => {
                    return Err(Fault::at(Rule::X6, pc, "control reaches a Catch without an exception"));
                }
                Some(_) => {}
            }
            match &mut self.states[pc as usize] {
                &mut Some(known) => return self.compare(pc, known, step.state),
                unknown => *unknown = Some(step.state),
            }
        }
        Ok(())
    }

    /// Brings a state to an instruction by any edge but falling through.
    fn reach(&mut self, pc: u32, state: State) -> Result<(), Fault> {
        match self.states[pc as usize] {
            Some(known) => self.compare(pc, known, state),
            None => {
                self.states[pc as usize] = Some(state);
                self.work.push(pc);
                Ok(())
            }
        }
    }

    fn jump(&mut self, from: u32, target: Target, state: State) -> Result<(), Fault> {
        if self.func.code[target.index()].opcode() == Opcode::Catch {
            return Err(Fault::at(Rule::X6, from, "leads to a Catch without an exception"));
        }
        self.reach(target.0, state)
    }

    fn compare(&self, pc: u32, known: State, new: State) -> Result<(), Fault> {
        if known == new {
            return Ok(());
        }
        if known.stack != new.stack {
            let (a, b) = (self.stacks.describe(known.stack), self.stacks.describe(new.stack));
            return Err(Fault::at(Rule::R1, pc, format!("the stack is {a} on one path and {b} on another")));
        }
        if known.call != new.call {
            let message = "the pending calls or the arguments passed differ between paths";
            return Err(Fault::at(Rule::R10, pc, message));
        }
        if known.started != new.started {
            return Err(Fault::at(Rule::X5, pc, "the generator is created on one path but not on another"));
        }
        let (a, b) = (self.sets.list(known.held), self.sets.list(new.held));
        let only_a = a.iter().find(|&&resource| !self.sets.contains(new.held, resource));
        let differing = only_a.or_else(|| b.iter().find(|&&resource| !self.sets.contains(known.held, resource)));
        let rule = differing.map_or(Rule::R12, |&resource| held_rule(resource));
        let what = differing.map_or_else(String::new, |resource| format!("{resource:?} "));
        Err(Fault::at(rule, pc, format!("{what}is held on one path but not on another")))
    }

    /// One instruction: turns the state before it into the one after it. Returns whether that reaches the next.
    fn visit(&mut self, step: &mut Step) -> Result<bool, Fault> {
        let func = self.func;
        let pc = step.pc;
        let instr = &func.code[pc as usize];
        let effect = instr.opcode().effect();
        if step.state.stack != Stack::EMPTY && pc > 0 && !self.layout.place(pc).forward_target {
            let previous = func.code[pc as usize - 1].opcode().effect().kind;
            if !previous.falls_through() {
                return Err(Fault::at(Rule::R4, pc, "a value is on the stack but no forward branch leads here"));
            }
        }
        step.floor = self.floor(step.state.call);
        self.before(step, instr)?;
        if effect.kind == OpKind::FpiPop {
            self.before_call(step, instr)?;
        }
        for &slot in effect.pops().iter().rev() {
            self.consume(step, instr, slot)?;
        }
        self.account(step)?;
        self.call_effect(step, instr, effect.kind)?;
        for &slot in effect.pushes() {
            if let Some(flavour) = Flavour::of(slot) {
                step.state.stack = self.stacks.push(step.state.stack, flavour);
            }
        }
        if effect.kind == OpKind::FpiPush {
            self.open_call(step, instr)?;
        }
        self.max_stack = self.max_stack.max(self.depth(step.state).slots());
        let held = step.state.held;
        self.release(step, instr)?;
        self.unwind(step, instr, held)?;
        self.leave(step, instr, effect.kind)
    }

    fn floor(&self, call: Call) -> u32 {
        self.pending(call).map_or(0, |pending| pending.base)
    }

    fn pending(&self, call: Call) -> Option<Pending> {
        self.pending.get(call.region as usize).copied().flatten()
    }

    fn depth(&self, state: State) -> Depth {
        let calls = self.pending(state.call).map_or(0, |pending| pending.calls);
        Depth { stack: self.stacks.depth(state.stack), calls }
    }

    /// Requirements on the whole state.
    fn before(&mut self, step: &mut Step, instr: &Instr) -> Result<(), Fault> {
        let depth = self.stacks.depth(step.state.stack);
        let fault = |rule, message: &str| Err(Fault::at(rule, step.pc, message));
        match instr {
            Instr::RetC {} | Instr::RetV {} if depth != 1 => fault(Rule::R5, "returns with other values on the stack"),
            Instr::Unwind {} | Instr::NativeImpl {} if depth != 0 => fault(Rule::R5, "the stack is not empty"),
            Instr::CreateCont {} if depth != 0 || step.state.held != Held::NONE => {
                fault(Rule::X5, "a generator is created with values on the stack or iterators in use")
            }
            Instr::CreateCont {} if std::mem::replace(&mut step.state.started, true) => {
                fault(Rule::X5, "the generator exists already")
            }
            Instr::Yield {}
            | Instr::YieldK {}
            | Instr::YieldV {}
            | Instr::YieldVK {}
            | Instr::YieldFrom {}
            | Instr::RetC {}
            | Instr::RetV {}
                if self.func.flags.has(FuncFlags::GENERATOR) && !step.state.started =>
            {
                fault(Rule::X5, "comes before CreateCont")
            }
            _ => Ok(()),
        }
    }

    /// Takes what one entry of the input list stands for.
    fn consume(&mut self, step: &mut Step, instr: &Instr, slot: Slot) -> Result<(), Fault> {
        match slot {
            Slot::C | Slot::V | Slot::A | Slot::R | Slot::F => {
                // The remaining entries stand for one value each.
                Flavour::of(slot).map_or(Ok(()), |flavour| self.take(step, flavour))
            }
            Slot::Cn => self.take_many(step, Flavour::C, first_count(instr)),
            Slot::Fn => self.take_many(step, Flavour::F, first_count(instr)),
            Slot::CVn => self.take_captures(step, instr),
            Slot::M => self.take_members(step, instr),
        }
    }

    fn take(&mut self, step: &mut Step, wanted: Flavour) -> Result<(), Fault> {
        let popped = self.stacks.pop(step.state.stack);
        let depth = self.stacks.depth(step.state.stack);
        let Some((found, below)) = popped else {
            return Err(Fault::at(Rule::R2, step.pc, format!("needs {} but the stack is empty", wanted.name())));
        };
        if depth <= step.floor {
            return Err(Fault::at(Rule::R11, step.pc, "consumes a value from below the pending call"));
        }
        if !found.fits(wanted) {
            let stack = self.stacks.describe(step.state.stack);
            return Err(Fault::at(Rule::R2, step.pc, format!("needs {} on top of {stack}", wanted.name())));
        }
        step.state.stack = below;
        Ok(())
    }

    fn take_many(&mut self, step: &mut Step, flavour: Flavour, count: u32) -> Result<(), Fault> {
        self.steps = self.steps.saturating_add(self.stacks.depth(step.state.stack).min(count) as usize);
        self.account(step)?;
        (0..count).try_for_each(|_| self.take(step, flavour))
    }

    fn account(&mut self, step: &Step) -> Result<(), Fault> {
        if self.steps + self.sets.size() > self.step_limit {
            return Err(Fault::at(Rule::X13, step.pc, "the function takes too many steps to check"));
        }
        Ok(())
    }

    /// By-reference captures are vars, the others cells.
    fn take_captures(&mut self, step: &mut Step, instr: &Instr) -> Result<(), Fault> {
        let Instr::CreateCl { func, .. } = *instr else { return Ok(()) };
        let unit = self.unit;
        let captures = &unit.funcs[func.index()].captures;
        self.steps = self.steps.saturating_add(captures.len().min(self.stacks.depth(step.state.stack) as usize));
        self.account(step)?;
        captures.iter().rev().try_for_each(|&(_, by_ref)| self.take(step, if by_ref { Flavour::V } else { Flavour::C }))
    }

    /// The class of a static property lies on top, then the members' cells, then the base.
    fn take_members(&mut self, step: &mut Step, instr: &Instr) -> Result<(), Fault> {
        let Some(id) = vector_of(instr) else { return Ok(()) };
        let input = self.layout.vectors[id.index()];
        if input.class {
            self.take(step, Flavour::A)?;
        }
        self.take_many(step, Flavour::C, input.cells)?;
        input.base.map_or(Ok(()), |flavour| self.take(step, flavour))
    }

    /// Rule 10: all arguments have been passed to this very call.
    fn before_call(&self, step: &Step, instr: &Instr) -> Result<(), Fault> {
        let call = step.state.call;
        let region = self.layout.place(step.pc).fpi_of;
        let Some(pending) = self.pending(call).filter(|_| call.region == region) else {
            return Err(Fault::at(Rule::R10, step.pc, "its FPush has not been executed"));
        };
        let args = if matches!(instr, Instr::FCallable {}) { 0 } else { first_count(instr) };
        let to_pass = if matches!(instr, Instr::FCallCells { .. }) { 0 } else { args };
        if args == pending.args && call.passed == to_pass && !call.named {
            return Ok(());
        }
        let message = format!("{args} arguments, {} announced, {} passed", pending.args, call.passed);
        Err(Fault::at(Rule::R10, step.pc, message))
    }

    /// Rules 10 and 11: arguments in order, nothing else between them.
    fn call_effect(&mut self, step: &mut Step, instr: &Instr, kind: OpKind) -> Result<(), Fault> {
        let call = step.state.call;
        let fault = |rule, message: String| Err(Fault::at(rule, step.pc, message));
        let depth = self.stacks.depth(step.state.stack);
        match (kind, instr) {
            (OpKind::Pass, _) => {
                let Some(pending) = self.pending(call) else {
                    return fault(Rule::R10, "no call is pending".into());
                };
                let param = first_count(instr);
                if param != call.passed || param >= pending.args {
                    let message = format!("passes parameter {param} after {} of {}", call.passed, pending.args);
                    return fault(Rule::R10, message);
                }
                if u64::from(depth) != u64::from(pending.base) + u64::from(call.passed) {
                    return fault(Rule::R11, "other values lie between the arguments".into());
                }
                step.state.call = Call { passed: param + 1, named: false, ..call };
                Ok(())
            }
            (OpKind::FpiPop, _) => {
                let Some(pending) = self.pending(call) else { return Ok(()) };
                if depth != pending.base {
                    return fault(Rule::R11, "other values lie on the stack besides the arguments".into());
                }
                step.state.call = pending.outer;
                Ok(())
            }
            (_, Instr::FPassName { .. }) => {
                if call.named || self.pending(call).is_none_or(|pending| call.passed >= pending.args) {
                    return fault(Rule::R10, "no argument follows the name".into());
                }
                step.state.call.named = true;
                Ok(())
            }
            (_, Instr::FIsByRef { param }) => match self.pending(call) {
                Some(pending) if (call.passed..pending.args).contains(param) => Ok(()),
                _ => fault(Rule::R10, format!("parameter {param} is not still to be passed")),
            },
            _ => Ok(()),
        }
    }

    /// An FPush is visited once, and only through it can its region be entered.
    fn open_call(&mut self, step: &mut Step, instr: &Instr) -> Result<(), Fault> {
        let region = self.layout.place(step.pc).fpi_of;
        let outer = step.state.call;
        let calls = self.depth(step.state).calls + 1;
        let base = self.stacks.depth(step.state.stack);
        let Some(slot) = self.pending.get_mut(region as usize) else {
            return Err(Fault::at(Rule::R8, step.pc, "belongs to no FPI region"));
        };
        *slot = Some(Pending { outer, base, args: first_count(instr), calls });
        step.state.call = Call { region, passed: 0, named: false };
        Ok(())
    }

    /// Iterators and silence that change before any edge leaves; branches of `Iter*` are in [`Flow::leave`].
    fn release(&mut self, step: &mut Step, instr: &Instr) -> Result<(), Fault> {
        let held = step.state.held;
        if let Some(resource) = layout::released_by(instr) {
            self.must_hold(step.pc, held, resource)?;
            step.state.held = self.sets.without(held, resource);
        } else if let Instr::Silence { local, op: SilenceOp::Start } = *instr {
            let resource = Resource::Silence(local);
            if self.sets.contains(held, resource) {
                return Err(Fault::at(Rule::X11, step.pc, format!("{local:?} keeps a level already")));
            }
            step.state.held = self.sets.with(held, resource);
        }
        Ok(())
    }

    fn must_hold(&self, pc: u32, held: Held, resource: Resource) -> Result<(), Fault> {
        if self.sets.contains(held, resource) {
            return Ok(());
        }
        let message = match resource.other_kind() {
            Some(other) if self.sets.contains(held, other) => format!("{other:?} is of the other kind"),
            Some(_) => format!("{resource:?} is not initialised"),
            None => format!("no {resource:?}"),
        };
        Err(Fault::at(if resource.other_kind().is_some() { Rule::R13 } else { Rule::X11 }, pc, message))
    }

    /// Follows the edges that leave an instruction, falling through apart.
    fn leave(&mut self, step: &mut Step, instr: &Instr, kind: OpKind) -> Result<bool, Fault> {
        match kind {
            OpKind::Plain | OpKind::Pass | OpKind::FpiPush | OpKind::FpiPop => {}
            OpKind::Terminal => self.end(step, instr)?,
            OpKind::Jump | OpKind::Branch => {
                if let Some(target) = target_of(instr) {
                    self.branch(step, instr, target)?;
                }
            }
            OpKind::Switch => {
                let (Instr::Switch { table } | Instr::SSwitch { table }) = *instr else { return Ok(false) };
                let func = self.func;
                let table = &func.switches[table.index()];
                if matches!(instr, Instr::Switch { .. }) != matches!(table, SwitchTable::Int { .. }) {
                    return Err(Fault::at(Rule::X2, step.pc, "the switch table is of the other kind"));
                }
                layout::for_each_target(table, |target| self.jump(step.pc, target, step.state))?;
            }
        }
        Ok(kind.falls_through())
    }

    /// `IterInit*` jumps with the iterator uninitialised, `IterNext*` with it initialised.
    fn branch(&mut self, step: &mut Step, instr: &Instr, target: Target) -> Result<(), Fault> {
        let (pc, held) = (step.pc, step.state.held);
        let Some((iter, starts)) = iter_of(instr) else { return self.jump(pc, target, step.state) };
        if starts {
            let other = iter.other_kind().unwrap_or(iter);
            if self.sets.contains(held, iter) || self.sets.contains(held, other) {
                return Err(Fault::at(Rule::R13, pc, format!("{iter:?} is initialised already")));
            }
        } else {
            self.must_hold(pc, held, iter)?;
        }
        self.jump(pc, target, step.state)?;
        step.state.held = if starts { self.sets.with(held, iter) } else { self.sets.without(held, iter) };
        Ok(())
    }

    /// Checks that a function or funclet that ends normally has released all its resources.
    fn end(&self, step: &Step, instr: &Instr) -> Result<(), Fault> {
        if !matches!(instr, Instr::RetC {} | Instr::RetV {} | Instr::Unwind {}) {
            return Ok(());
        }
        match self.sets.first(step.state.held) {
            Some(resource) => Err(Fault::at(held_rule(resource), step.pc, format!("{resource:?} is still held"))),
            None => Ok(()),
        }
    }

    /// Follows the exceptional edges of an instruction through the regions around it, innermost first. `before` is
    /// what was held before the instruction.
    fn unwind(&mut self, step: &Step, instr: &Instr, before: Held) -> Result<(), Fault> {
        let row = self.layout.place(step.pc).eh_at;
        if (row == NONE && before == Held::NONE) || !can_throw(instr) {
            return Ok(());
        }
        // IterFree releases the iterator before a destructor can throw.
        let held = if layout::released_by(instr).is_some() { step.state.held } else { before };
        let started = step.state.started;
        let edge = (row, held, started);
        if self.last_unwound.replace(edge) == Some(edge) {
            return Ok(());
        }
        self.unwind_through(step.pc, row, State { stack: Stack::EMPTY, call: NO_CALL, held, started })
    }

    fn unwind_through(&mut self, pc: u32, mut row: u32, mut state: State) -> Result<(), Fault> {
        let (func, layout) = (self.func, self.layout);
        while let Some(entry) = func.eh.get(row as usize) {
            // The rest of the way was followed for an earlier exception. Nested regions are thus walked through once in
            // all, not once for each inner region.
            if !self.unwound.insert((row, state.held, state.started)) {
                return Ok(());
            }
            self.steps += 1;
            match &entry.kind {
                EhKind::Catch(handlers) => {
                    self.steps += handlers.len();
                    for &(_, target) in handlers {
                        self.reach(target.0, state)?;
                    }
                }
                EhKind::Fault(funclet) => {
                    let index = layout::section(func, funclet.0) - 1;
                    let released = &layout.releases[index];
                    self.steps += released.len();
                    for other in released.iter().filter_map(|resource| resource.other_kind()) {
                        if self.sets.contains(state.held, other) {
                            let message = format!("{other:?} is freed by funclet {funclet:?} as the other kind");
                            return Err(Fault::at(Rule::R13, pc, message));
                        }
                    }
                    state.held = self.sets.minus(state.held, released);
                }
            }
            row = layout.eh_parent.get(row as usize).copied().unwrap_or(NONE);
        }
        match self.sets.first(state.held) {
            Some(resource) => {
                let message = format!("an exception here would leave {resource:?}: no fault funclet releases it");
                Err(Fault::at(held_rule(resource), pc, message))
            }
            None => Ok(()),
        }
    }

    /// Rule 3: a catch region starts and ends with an empty stack.
    fn boundaries(&self) -> Result<(), Fault> {
        for row in self.func.eh.iter().filter(|row| matches!(row.kind, EhKind::Catch(_))) {
            for (border, what) in [(row.start, "start"), (row.end, "end")] {
                let state = self.states.get(border.index()).copied().flatten();
                if state.is_some_and(|state| state.stack != Stack::EMPTY) {
                    let message = format!("the stack is not empty at the {what} of a catch region");
                    return Err(Fault::at(Rule::R3, border.0, message));
                }
            }
        }
        Ok(())
    }

    fn into_facts(self) -> FuncFacts {
        let depths =
            self.states.iter().map(|state| state.map_or(Depth::UNREACHABLE, |state| self.depth(state))).collect();
        FuncFacts { max_stack: self.max_stack, depths }
    }
}

/// The rule that a resource left over breaks.
fn held_rule(resource: Resource) -> Rule {
    match resource {
        Resource::Iter { .. } => Rule::R12,
        Resource::Silence(_) => Rule::X11,
    }
}

/// The count that `Cn` and `Fn` of the table refer to, or the parameter of an FPass.
fn first_count(instr: &Instr) -> u32 {
    let mut count = None;
    instr.for_each_imm(|imm| {
        if let crate::imm::Imm::Count(value) = imm {
            count.get_or_insert(value);
        }
    });
    count.unwrap_or(0)
}

fn vector_of(instr: &Instr) -> Option<VectorId> {
    let mut vector = None;
    instr.for_each_imm(|imm| {
        if let crate::imm::Imm::Vector(id) = imm {
            vector = Some(id);
        }
    });
    vector
}

/// The branch target of an instruction that has one.
fn target_of(instr: &Instr) -> Option<Target> {
    let mut target = None;
    instr.for_each_imm(|imm| {
        if let crate::imm::Imm::Target(id) = imm {
            target = Some(id);
        }
    });
    target
}

/// The iterator of a branching iterator instruction, and whether it is initialised by it.
fn iter_of(instr: &Instr) -> Option<(Resource, bool)> {
    let (iter, by_ref, starts) = match *instr {
        Instr::IterInit { iter, .. } | Instr::IterInitK { iter, .. } => (iter, false, true),
        Instr::MIterInit { iter, .. } | Instr::MIterInitK { iter, .. } => (iter, true, true),
        Instr::IterNext { iter, .. } | Instr::IterNextK { iter, .. } => (iter, false, false),
        Instr::MIterNext { iter, .. } | Instr::MIterNextK { iter, .. } => (iter, true, false),
        _ => return None,
    };
    Some((Resource::Iter { iter, by_ref }, starts))
}

/// Whether an exception may leave the instruction while its frame is still running. Silence is counted as unable to
/// throw, so that it may stand at either border of its region; leaving a frame throws in the caller.
fn can_throw(instr: &Instr) -> bool {
    !matches!(
        instr,
        Instr::Nop {}
            | Instr::Null {}
            | Instr::True {}
            | Instr::False {}
            | Instr::NullUninit {}
            | Instr::Int { .. }
            | Instr::Double { .. }
            | Instr::String { .. }
            | Instr::Array { .. }
            | Instr::NewArray {}
            | Instr::Dup {}
            | Instr::Swap {}
            | Instr::Jmp { .. }
            | Instr::RetC {}
            | Instr::RetV {}
            | Instr::Unwind {}
            | Instr::Catch {}
            | Instr::Silence { .. }
            | Instr::Exit {}
            | Instr::Fatal { .. }
    )
}
