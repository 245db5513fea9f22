//! Variables that are passed by reference to builtin functions that have a fast path (boxed arguments).
//!
//! The fast path keeps no reference. So the variable is boxed for the call only, in a reference with one holder, and is unboxed
//! when it is next read. PHP code cannot see the difference, because a reference with one holder behaves like its value.

use crate::input::Start;
use crate::profile::{ObservedType, REFUSED};
use crate::translate::state::Boxes;
use crate::translate::state::{Flow, FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge};
use phlox_hhir::{FuncId, Op, SnapId, ValueId};
use phlox_lower::facts::Number;
use phlox_lower::{OpCode, Operand, Opline};
use std::collections::{HashMap, HashSet};

/// The number of arguments that such a call may have.
const MAX_ARGUMENTS: u32 = 16;

impl Boxes {
    /// Whether an opline prepares a call with a boxed argument.
    pub fn prepares(&self, at: u32) -> bool {
        self.calls.contains_key(&at)
    }

    /// Whether an opline passes a boxed argument.
    pub fn passes(&self, at: u32) -> bool {
        self.sends.contains(&at)
    }

    /// Whether a variable is boxed for a call somewhere in the region.
    pub fn has(&self, cell: usize) -> bool {
        self.variables.contains(&cell)
    }
}

/// The opline of the call that an opline prepares; `None` if there is none behind it.
pub fn call_of(ops: &[Opline], init: u32) -> Option<&Opline> {
    let header = ops[init as usize].a;
    ops.iter().skip(init as usize + 1).find(|op| matches!(op.op, OpCode::Call | OpCode::CallRef) && op.a == header)
}

impl Translator<'_> {
    /// Finds the calls whose by-reference arguments can be boxed: nothing else in the region takes a reference of their
    /// variables.
    pub(crate) fn note_boxes(&mut self) {
        let (first, last) = self.input.range();
        let inits = (first..=last)
            .filter(|&at| self.input.op(at).op == OpCode::InitFunc && self.input.host.takes_references(at));
        let inits: Vec<u32> = inits.collect();
        let mut candidates: HashMap<u32, Vec<u32>> =
            inits.iter().filter_map(|&at| Some((at, self.sends_of_call(at)?))).collect();
        let local = |build: &Self, send: u32| match build.input.op(send).b {
            Operand::Local(local) => local.index(),
            _ => usize::MAX,
        };
        loop {
            let others: HashSet<usize> = (first..=last)
                .filter(|&at| {
                    let op = self.input.op(at);
                    let known = candidates.values().any(|sends| sends.contains(&at));
                    op.op == OpCode::SendLocal && !known && self.passes_reference(at, op)
                })
                .map(|at| local(self, at))
                .collect();
            let before = candidates.len();
            candidates.retain(|_, sends| sends.iter().all(|&send| !others.contains(&local(self, send))));
            if candidates.len() == before {
                break;
            }
        }
        candidates.retain(|_, sends| !sends.iter().any(|&send| self.outline.bound.contains_key(&local(self, send))));
        for (at, sends) in candidates {
            let Some(argc) = call_of(&self.input.lowered.ops, at).map(|call| call.n) else { continue };
            let Some(function) = self.input.host.by_ref_fast_path(at, argc) else { continue };
            self.references.boxes.calls.insert(at, function);
            for send in sends {
                let cell = local(self, send);
                self.references.boxes.variables.insert(cell);
                self.references.boxes.sends.insert(send);
                self.outline.written[cell] = true;
            }
        }
    }

    /// The oplines that pass references in a call, if all of the references are to variables that can be boxed.
    fn sends_of_call(&self, at: u32) -> Option<Vec<u32>> {
        let ops = &self.input.lowered.ops;
        let (init, call) = (&ops[at as usize], call_of(ops, at)?);
        self.input.host.by_ref_fast_path(at, call.n).filter(|_| call.n <= MAX_ARGUMENTS)?;
        let place = ops.iter().position(|op| std::ptr::eq(op, call))?;
        if self.input.host.exit_feedback(place as u32) >> REFUSED & 1 != 0 {
            return None;
        }
        let wanted = (0..call.n).filter(|&number| self.input.host.passes_reference(at, number)).count();
        let behind = ops.iter().enumerate().skip(at as usize + 1);
        let until = behind.take_while(|(_, op)| !std::ptr::eq(*op, call));
        let mut sends = Vec::new();
        for (place, op) in until {
            let is_value = !self.input.host.passes_reference(at, op.n);
            if !sends.is_empty() && !self.stays_in_line(place) {
                return None;
            }
            match (op.op, op.b) {
                _ if op.a != init.a => {}
                (OpCode::SendLocal, Operand::Local(local)) if !is_value => {
                    self.may_box(local.index()).then_some(())?;
                    sends.push(place as u32);
                }
                _ if op.op.facts().n == Number::Parameter && !is_value => return None,
                _ => {}
            }
        }
        (sends.len() == wanted && wanted == 1).then_some(sends)
    }

    /// Whether an opline, behind one that passes a reference, makes no call and is neither a join nor a branch.
    fn stays_in_line(&self, at: usize) -> bool {
        let op = &self.input.lowered.ops[at];
        let calls = op.op.opens_call() || op.op.makes_call();
        !calls && op.target == phlox_lower::NO_TARGET && !self.outline.is_join[at]
    }

    /// Whether a variable is no reference that others hold, too.
    fn may_box(&self, cell: usize) -> bool {
        match self.input.start {
            Start::Function(wanted) => wanted.args.get(cell) != Some(&hhir::BOXED),
            Start::Loop | Start::Body => {
                self.input.seen(cell as u32).is_some_and(|seen| seen.bits != hhir::BOXED || seen.is_alone())
            }
        }
    }

    /// Translates the preparation of a call with a boxed argument.
    pub(crate) fn open_boxing(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let (address, name, fast_path) = self.references.boxes.calls.get(&at)?.clone();
        let callee = self.b.unit.constant(Const::Func(address));
        self.known.callees.insert(callee, name);
        self.known.fast_paths.insert(callee, fast_path);
        state.cells[self.input.cell(op.a)? as usize] = Loc::Value(callee);
        Some(Flow::Next)
    }

    /// Boxes a variable and passes its reference.
    pub(crate) fn send_boxed(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        self.callee(op.a, state)?;
        let (Operand::Local(local), exit) = (op.b, self.snap(at, state)) else { return None };
        let cell = local.index();
        if let Loc::Flushed(bits) = state.cells[cell] {
            state.cells[cell] = match bits {
                hhir::BOXED => self.fetch_box(cell, exit)?,
                bits => self.enter_cell(cell, ObservedType { bits, payload: 0 }, exit)?,
            };
            if let Loc::Value(value) | Loc::Owned(value) = state.cells[cell] {
                self.known.samples.remove(&value);
            }
        }
        let place = state.cells[cell];
        let (Loc::Value(value) | Loc::Owned(value)) = place else { return None };
        if !self.b.ty(value).is(hhir::GEN) {
            return None;
        }
        if self.kind(value) != hhir::BOXED {
            self.references.boxes.before.insert(cell, (self.kind(value), self.known.samples.get(&value).copied()));
            // Cells that borrow the value take references of their own before the variable is boxed.
            for other in (0..state.cells.len()).filter(|&other| other != cell).collect::<Vec<_>>() {
                if state.cells[other] == Loc::Value(value) && self.is_counted(value) {
                    self.retain(value);
                    state.cells[other] = Loc::Owned(value);
                }
            }
            let exit = self.snap(at, state);
            let boxed = self.boxed(value, matches!(place, Loc::Owned(_)), exit)?;
            state.cells[cell] = Loc::Owned(boxed);
        }
        let (Loc::Value(boxed) | Loc::Owned(boxed)) = state.cells[cell] else { return None };
        self.lend(op.c, boxed, state).then_some(Flow::Next)
    }

    /// Creates a reference that holds a value.
    fn boxed(&mut self, value: ValueId, is_owned: bool, exit: SnapId) -> Option<ValueId> {
        let function = self.input.shape.helpers.make_reference;
        // The runtime function takes a reference of its own of a value that is borrowed.
        let (op, borrows) = match is_owned && self.is_counted(value) {
            true => (Op::CallHelperTake, 0),
            false => (Op::CallHelper, 1),
        };
        let pointer = self.helper_op(op, function, borrows, &[value], Operand::None, exit)?;
        self.b.emit(Op::TakeMem, Type::of(hhir::BOXED), [0; 3], &[pointer], Edge::None)
    }

    /// Loads the reference of a boxed variable from the frame, and guards that it has one holder.
    fn fetch_box(&mut self, cell: usize, exit: SnapId) -> Option<Loc> {
        let (fp, boxed) = (self.fp, Type::of(hhir::BOXED));
        self.b.check_loc(fp, cell as u32, boxed, exit);
        let reference = self.b.ld_loc(fp, cell as u32, boxed);
        self.b.emit(Op::CheckArrayCOW, Type::TOP, [0; 3], &[reference], Edge::Exit(exit));
        Some(Loc::Owned(reference))
    }

    /// Unboxes a boxed variable before an opline reads it. While the reference is an argument of a pending call, the value is
    /// only loaded through it.
    pub(crate) fn open_box(&mut self, at: u32, cell: usize, state: &mut FrameState) {
        if !self.references.boxes.has(cell) {
            return;
        }
        let exit = self.snap(at, state);
        if state.cells[cell] == Loc::Flushed(hhir::BOXED)
            && let Some(place) = self.fetch_box(cell, exit)
        {
            state.cells[cell] = place;
        }
        let Loc::Owned(reference) = state.cells[cell] else { return };
        if self.kind(reference) != hhir::BOXED {
            return;
        }
        let (bits, sample) = self.references.boxes.before.get(&cell).copied().unwrap_or((hhir::COUNTED_ARR, None));
        let bits = match crate::profile::counted_strings(bits) {
            hhir::STATIC_ARR => hhir::COUNTED_ARR,
            bits if bits & !(hhir::INT | hhir::DBL | hhir::COUNTED_STR) == 0 => bits,
            _ => hhir::COUNTED_ARR,
        };
        let (exit, ty) = (self.snap(at, state), Type::of(bits));
        self.b.emit(Op::CheckRefInner, ty, [0; 3], &[reference], Edge::Exit(exit));
        let is_argument = state.cells.contains(&Loc::Value(reference));
        let value = match is_argument {
            true => self.b.emit(Op::LdRef, ty, [0; 3], &[reference], Edge::None),
            false => self.take_out(reference, ty, exit),
        };
        let Some(value) = value else { return };
        if let Some(sample) = sample.filter(|sample| sample.bits == bits) {
            self.known.samples.insert(value, sample);
        }
        if is_argument {
            self.references.contents.insert(cell, value);
            return;
        }
        state.cells[cell] = if self.is_counted(value) { Loc::Owned(value) } else { Loc::Value(value) };
    }

    /// Takes the value, which is of a known type, out of a reference, which is consumed. Most references have one holder, so the
    /// value moves.
    fn take_out(&mut self, reference: ValueId, ty: Type, exit: SnapId) -> Option<ValueId> {
        let function = self.input.shape.helpers.open_reference;
        let pointer = self.helper_op(Op::CallHelperTake, function, 0, &[reference], Operand::None, exit)?;
        self.b.emit(Op::TakeMem, ty, [0; 3], &[pointer], Edge::None)
    }

    /// Variables of a loop that are references with one holder are treated as boxed, so that they are unboxed at the entry.
    pub(crate) fn note_alone(&mut self, touched: &[bool]) {
        let locals = 0..self.input.locals as usize;
        for cell in locals.filter(|&cell| touched[cell] && !self.references.passed.contains(&(cell as u32))) {
            let seen = self.input.seen(cell as u32).filter(|seen| seen.is_alone());
            if seen.is_some_and(|seen| seen.inner().is_some()) {
                self.references.boxes.variables.insert(cell);
            }
        }
    }

    /// Unboxes, at the entry of a loop, the variables that the loop boxes: the interpreter may have left references in them.
    pub(crate) fn unbox_variables(&mut self, restart: SnapId) {
        let (fp, mut cells) = (self.fp, Vec::from_iter(self.references.boxes.variables.iter().copied()));
        cells.sort_unstable();
        let helper = self.input.shape.helpers.unbox;
        let function = self.b.unit.constant(Const::Func(FuncId(helper as usize as u64)));
        let zero = self.b.unit.int(0);
        for cell in cells {
            let address = self.b.emit(Op::LdLocAddr, Type::TOP, [cell as u32, 0, 0], &[fp], Edge::None);
            let Some(place) = address else { continue };
            self.b.emit(Op::CallHelperMem, Type::TOP, [0; 3], &[function, zero, place], Edge::Exit(restart));
        }
    }
}
