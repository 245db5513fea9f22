//! What becomes of a frame while the interpreter runs something else in the middle of compiled code.
//!
//! In most functions nobody else writes the variables: they are shown in the frame, and the code keeps its references. The
//! variables of the main program, and those that are references, may be anybody's: they are given back to the frame, and
//! each is fetched again, and its kind checked, by the first opline that needs it.

use crate::input::Start;
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Loc, Nesting, Translator, kinds_of};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Edge, Hint, Unit};
use phlox_hhir::{Op, ValueId};
use phlox_lower::{OpCode, Operand, Opline};

impl Translator<'_> {
    /// Whether the interpreter may run something else and come back, and how.
    pub(crate) fn nesting(&self) -> Option<Nesting> {
        if self.is_body() {
            return None;
        }
        if self.input.may_nest && !self.references.has_references {
            return Some(Nesting::Shown);
        }
        matches!(self.input.start, Start::Loop).then_some(Nesting::Flushed)
    }

    /// Gives the frame its variables. What temporaries have borrowed from them gets references of its own.
    pub(crate) fn flush(&mut self, state: &mut FrameState) {
        for cell in self.input.before_tmps() as usize..state.cells.len() {
            let Loc::Value(value) = state.cells[cell] else { continue };
            if self.is_counted(value) {
                self.retain(value);
                state.cells[cell] = Loc::Owned(value);
            }
        }
        for cell in 0..self.input.locals as usize {
            self.give_back(cell, state);
        }
    }

    /// Before something else may run: it may change what references hold, and variables that are in the frame for that.
    pub(crate) fn prepare_nesting(&mut self, nesting: Nesting, state: &mut FrameState) {
        match nesting {
            Nesting::Flushed => self.flush(state),
            Nesting::Shown => self.forget_references(state),
        }
    }

    /// What references in variables hold is fetched again by who needs it. What temporaries have borrowed from them gets
    /// references of its own.
    pub(crate) fn forget_references(&mut self, state: &mut FrameState) {
        for cell in 0..state.cells.len() {
            let is_variable = cell < self.input.locals as usize;
            match state.cells[cell] {
                Loc::Fixed(value) if is_variable && self.references.fetched.contains(&value) => {
                    state.cells[cell] = Loc::Flushed(hhir::BOXED);
                }
                Loc::Value(value) if self.references.fetched.contains(&value) && self.is_counted(value) => {
                    self.retain(value);
                    state.cells[cell] = Loc::Owned(value);
                }
                _ => {}
            }
        }
    }

    /// Gives the frame one variable.
    pub(crate) fn give_back(&mut self, cell: usize, state: &mut FrameState) {
        let fp = self.fp;
        let place = state.cells[cell];
        if place == Loc::Idle {
            state.cells[cell] = Loc::Flushed(hhir::INT);
        }
        let (Loc::Value(value) | Loc::Owned(value) | Loc::Fixed(value)) = place else { return };
        let kind = if self.references.fetched.contains(&value) { hhir::BOXED } else { self.kind(value) };
        state.cells[cell] = Loc::Flushed(kind);
        match self.class_hint(value) {
            Some(class) => self.known.variable_classes.insert(cell, class),
            None => self.known.variable_classes.remove(&cell),
        };
        match place {
            Loc::Fixed(_) => return,
            Loc::Value(value) if self.is_counted(value) => self.retain(value),
            _ => {}
        }
        self.b.emit(Op::StLoc, Type::TOP, [cell as u32, 0, 0], &[fp, value], Edge::None);
    }

    /// A result is in its variable in the frame: each kind that it may be goes its own way.
    pub(crate) fn landed(
        &mut self,
        at: u32,
        cell: u32,
        kinds: &[Bits],
        sample: Option<ObservedType>,
        state: &mut FrameState,
    ) -> Option<Flow> {
        self.landed_before(at + 1, cell, kinds, sample, state)
    }

    /// The same, where `next` is the opline that follows.
    pub(crate) fn landed_before(
        &mut self,
        next: u32,
        cell: u32,
        kinds: &[Bits],
        sample: Option<ObservedType>,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let fp = self.fp;
        for &bits in kinds {
            let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
            let ty = Type::of(bits);
            let checked = if bits == hhir::COUNTED_STR { Type::of(hhir::STR) } else { ty };
            self.b.emit(Op::CheckLoc, checked, [cell, 0, 0], &[fp], Edge::Block(no));
            let block = self.b.block();
            self.b.unit.blocks[block.at()].next = Some(yes);
            self.b.switch_to(yes);
            let mut inner = state.clone();
            let value = match Unit::const_of_type(ty) {
                Some(constant) => self.b.unit.constant(constant),
                None if bits == hhir::COUNTED_STR => self.take_string(cell)?,
                None => self.b.ld_loc(fp, cell, ty),
            };
            if let Some(sample) = sample.filter(|sample| sample.bits == bits) {
                self.known.samples.insert(value, sample);
            }
            inner.cells[cell as usize] = if self.is_counted(value) { Loc::Owned(value) } else { Loc::Value(value) };
            self.go(next, inner);
            self.b.switch_to(no);
        }
        let other = self.snap(next, state);
        self.b.retranslate(other);
        Some(Flow::Done)
    }

    /// Fetches the variables of an opline that are in the frame.
    pub(crate) fn reload(&mut self, at: u32, op: &Opline, state: &mut FrameState) {
        let lowered = self.input.lowered;
        op.each_operand(lowered, |used| {
            if let Some(cell) = self.cell(used.operand).filter(|&cell| state.cells[cell] == Loc::Idle)
                && !op.only_writes(used.operand, lowered)
            {
                state.cells[cell] = Loc::Flushed(hhir::INT);
            }
        });
        if op.op == OpCode::SendLocal && self.passes_reference(at, op) {
            return;
        }
        self.references.contents.clear();
        for local in op.variables(lowered) {
            let (operand, cell) = (Operand::Local(local), local.index());
            let is_overwritten = op.only_writes(operand, lowered);
            if !is_overwritten {
                self.open_box(at, cell, state);
            }
            if let Some(reference) = self.reference_in(cell, state)
                && !self.references.contents.contains_key(&cell)
            {
                self.look_inside(at, cell, reference, state);
            }
            let Loc::Flushed(bits) = state.cells[cell] else { continue };
            let exit = self.snap(at, state);
            if bits == hhir::BOXED && is_overwritten {
                // The interpreter writes it.
                continue;
            }
            if is_overwritten {
                // What it holds does not matter, but references are written through.
                let plain = Type::of(hhir::CELL);
                self.b.check_loc(self.fp, cell as u32, plain, exit);
                continue;
            }
            // What a reference holds is looked up in it, if it was one when the region was entered.
            let seen = if self.is_function() { None } else { self.input.seen(cell as u32) };
            let is_sent = !self.references.passes_own && self.references.passed.contains(&(cell as u32));
            let seen = seen.filter(|seen| seen.bits == hhir::BOXED && !self.references.boxes.has(cell));
            let bits = if is_sent { hhir::BOXED } else { bits };
            let hint = seen.unwrap_or(ObservedType { bits, payload: 0 });
            let Some(place) = self.enter_cell(cell, hint, exit) else { continue };
            if let (Loc::Value(value) | Loc::Owned(value) | Loc::Fixed(value), None) = (place, seen) {
                self.known.samples.remove(&value);
                if let (Some(&class), hhir::OBJ) = (self.known.variable_classes.get(&cell), self.kind(value)) {
                    self.known.classes.insert(value, class);
                }
            }
            state.cells[cell] = place;
        }
    }

    /// Fetches what the reference holds that a parameter or bound variable is.
    fn look_inside(&mut self, at: u32, cell: usize, reference: ValueId, state: &FrameState) {
        let known = hhir::INIT_NULL | hhir::NUM | hhir::BOOL | hhir::STR | hhir::ARR | hhir::OBJ;
        let passed = || self.known.samples.get(&reference).and_then(|seen| seen.inner());
        let inner = self.outline.bound.get(&cell).copied().or_else(passed).filter(|inner| inner.bits & !known == 0);
        let Some(inner) = inner else { return };
        let (exit, ty) = (self.snap(at, state), Type::of(inner.bits));
        self.b.emit(Op::CheckRefInner, ty, [0; 3], &[reference], Edge::Exit(exit));
        let value = match Unit::const_of_type(ty) {
            Some(constant) => self.b.unit.constant(constant),
            None => {
                let Some(value) = self.b.emit(Op::LdRef, ty, [0; 3], &[reference], Edge::None) else { return };
                self.known.samples.insert(value, inner);
                value
            }
        };
        self.references.contents.insert(cell, value);
    }

    /// Where ways meet, what has been fetched and not changed is in the frame only, unless all ways have fetched it.
    pub(crate) fn forget_fetched(&mut self, state: &mut FrameState) {
        for (place, entered) in state.cells.iter_mut().zip(&self.entered) {
            if let Loc::Fixed(value) = *place
                && place != entered
            {
                let is_inside = self.references.fetched.contains(&value);
                *place = Loc::Flushed(if is_inside { hhir::BOXED } else { kinds_of(self.b.ty(value)) });
            }
        }
    }

    /// A variable in the frame gives up what it has; it is about to be overwritten.
    pub(crate) fn drop_in_frame(&mut self, cell: usize) {
        let fp = self.fp;
        self.note_release();
        let Some(place) = self.b.emit(Op::LdLocAddr, Type::TOP, [cell as u32, 0, 0], &[fp], Edge::None) else { return };
        self.b.emit(Op::DropMem, Type::TOP, [0; 3], &[place], Edge::None);
    }
}
