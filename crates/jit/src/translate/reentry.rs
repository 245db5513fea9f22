//! What happens to a frame's variables while the interpreter runs PHP code in the middle of compiled code (re-entry).
//!
//! In most functions nothing else writes the variables: they are shown in the frame, and the compiled code keeps its references.
//! The variables of the main program, and variables that are references, may be changed by anybody. They are spilled to the
//! frame, and the first opline that needs one loads it again and guards its type.

use crate::input::Start;
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Loc, Reentry, Translator, kinds_of};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Edge, Hint, Unit};
use phlox_hhir::{Op, ValueId};
use phlox_lower::{OpCode, Operand, Opline};

impl Translator<'_> {
    /// How variables are seen when the interpreter runs PHP code and comes back; `None` if the region cannot do that.
    pub(crate) fn reentry(&self) -> Option<Reentry> {
        if self.is_body() {
            return None;
        }
        if self.input.owns_variables && !self.references.has_references {
            return Some(Reentry::Shown);
        }
        matches!(self.input.start, Start::Loop).then_some(Reentry::Flushed)
    }

    /// Spills all variables to the frame. Temporaries that borrow from them take references of their own.
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

    /// Prepares the state for PHP code that may run now, which may change what references hold, and variables that lie in the
    /// frame.
    pub(crate) fn prepare_reentry(&mut self, nesting: Reentry, state: &mut FrameState) {
        match nesting {
            Reentry::Flushed => self.flush(state),
            Reentry::Shown => self.forget_references(state),
        }
    }

    /// Forgets the values that were loaded from references in variables, so that each is loaded again where it is needed.
    /// Temporaries that borrow such a value take references of their own.
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

    /// Spills a variable to the frame. Cells that borrow its value take references of their own: what runs next may change the
    /// value in place, or overwrite the variable.
    pub(crate) fn give_back(&mut self, cell: usize, state: &mut FrameState) {
        let fp = self.fp;
        let place = state.cells[cell];
        if let Loc::Owned(value) = place
            && self.is_counted(value)
        {
            for other in
                (0..state.cells.len()).filter(|&other| state.cells[other] == Loc::Value(value)).collect::<Vec<_>>()
            {
                self.retain(value);
                state.cells[other] = Loc::Owned(value);
            }
        }
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

    /// Continues behind an opline whose result lies in its variable in the frame, with a path for each type that the result may
    /// have.
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

    /// Continues with opline `next`, with a path for each type that the value of a variable in the frame may have.
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

    /// Loads the variables that an opline reads and that lie in the frame.
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
                // The interpreter executes the opline and writes the variable.
                continue;
            }
            if is_overwritten {
                // The old value does not matter, but the variable must be no reference, which would be written through.
                let plain = Type::of(hhir::CELL);
                self.b.check_loc(self.fp, cell as u32, plain, exit);
                continue;
            }
            // A variable that was a reference when the region was entered is taken to be one still; its value is loaded through
            // it.
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

    /// Guards and loads what the reference holds that a parameter or bound variable is.
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

    /// At a join, values that were loaded from the frame and not changed are taken to be in the frame only, unless they were
    /// loaded at the region's entry, and so on all paths.
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

    /// Releases what a variable in the frame holds, because it is about to be overwritten.
    pub(crate) fn drop_in_frame(&mut self, cell: usize) {
        let fp = self.fp;
        self.note_release();
        let Some(place) = self.b.emit(Op::LdLocAddr, Type::TOP, [cell as u32, 0, 0], &[fp], Edge::None) else { return };
        self.b.emit(Op::DropMem, Type::TOP, [0; 3], &[place], Edge::None);
    }
}
