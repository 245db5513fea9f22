//! Reference counting during translation: references that oplines take and release, and cells of the state that own or borrow
//! values.

use crate::codegen::loops::root;
use crate::input::Start;
use crate::translate::state::{FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::{Op, ValueId};

/// In the key of a block version: a cell owns its value.
pub(crate) const OWNS: u64 = 1 << 35;

/// Whether the values at a join can be made what a block version needs: borrowed values can become owned, and literal strings
/// counted.
pub(crate) fn can_become(key: &[u64], wanted: &[u64]) -> bool {
    let strings = (u64::from(hhir::STATIC_STR), u64::from(hhir::COUNTED_STR));
    let counted = u64::from(hhir::COUNTED_STR | hhir::COUNTED_ARR | hhir::OBJ);
    let fits = |own: u64, wanted: u64| {
        let borrows = own & !counted == 0 && wanted == own | OWNS;
        own == wanted || borrows || (own == strings.0 && wanted == strings.1 | OWNS)
    };
    key.iter().zip(wanted).all(|(&own, &wanted)| fits(own, wanted))
}

impl Translator<'_> {
    /// Makes the values at a join what a block version needs, after [`can_become`] has agreed.
    pub(crate) fn become_owners(&mut self, key: &[u64], wanted: &[u64], state: &mut FrameState) {
        for (cell, _) in key.iter().zip(wanted).enumerate().filter(|(_, (own, wanted))| own != wanted) {
            let Loc::Value(value) = state.cells[cell] else { continue };
            let owned = match self.kind(value) {
                hhir::STATIC_STR => self.count_string(value),
                _ => {
                    self.retain(value);
                    value
                }
            };
            state.cells[cell] = Loc::Owned(owned);
        }
    }

    /// Makes a counted string with a reference of its own from a literal string.
    pub(crate) fn count_string(&mut self, value: ValueId) -> ValueId {
        let none = phlox_hhir::unit::Edge::None;
        self.b.emit(Op::CountStr, Type::TOP, [0; 3], &[value], none).unwrap_or(value)
    }

    /// Moves the string out of a variable in the frame, with its reference.
    pub(crate) fn take_string(&mut self, cell: u32) -> Option<ValueId> {
        let none = phlox_hhir::unit::Edge::None;
        let fp = self.fp;
        let place = self.b.emit(Op::LdLocAddr, Type::TOP, [cell, 0, 0], &[fp], none)?;
        self.b.emit(Op::TakeMem, Type::of(hhir::COUNTED_STR), [0; 3], &[place], none)
    }

    /// Gives references of their own to values that would lose their owner at a join. Behind it each cell has a block parameter
    /// of its own, so a value borrowed from another cell needs one, as do variables of loops, which may be owners in the next
    /// iteration.
    pub(crate) fn hold_at_join(&mut self, opline: u32, state: &mut FrameState) {
        for cell in 0..state.cells.len() {
            let Loc::Value(value) = state.cells[cell] else { continue };
            // A reference in a variable is a parameter, which the caller holds.
            let is_reference = self.kind(value) == hhir::BOXED && cell < self.input.locals as usize;
            if !self.b.ty(value).maybe_counted() || !self.b.ty(value).is(hhir::GEN) || is_reference {
                continue;
            }
            let is_lent = state.cells.contains(&Loc::Owned(value));
            if is_lent || (self.outline.is_header[opline as usize] && self.outline.written[cell]) {
                self.b.emit(Op::IncRef, Type::TOP, [0; 3], &[value], phlox_hhir::unit::Edge::None);
                state.cells[cell] = Loc::Owned(value);
            }
        }
    }

    /// Emits the references that the current opline takes and releases.
    pub(crate) fn settle(&mut self) {
        let none = phlox_hhir::unit::Edge::None;
        let mut dying = std::mem::take(&mut self.dying);
        for value in std::mem::take(&mut self.retained) {
            match dying.iter().position(|&other| other == value) {
                // One reference is taken and another one released: the reference moves.
                Some(at) => drop(dying.remove(at)),
                None => drop(self.b.emit(Op::IncRef, Type::TOP, [0; 3], &[value], none)),
            }
        }
        for value in dying {
            match self.b.ty(value).is(hhir::UNCOUNTED | hhir::STR) {
                true => self.outcome.may_free = true,
                false => self.note_release(),
            }
            self.b.emit(Op::DecRefFree, Type::TOP, [0; 3], &[value], none);
        }
    }

    /// The references that the opline has taken and released so far, to be restored for another path of the opline.
    pub(crate) fn pending(&self) -> [Vec<ValueId>; 2] {
        [self.retained.clone(), self.dying.clone()]
    }

    /// Restores what [`Self::pending`] has given.
    pub(crate) fn set_pending(&mut self, pending: [Vec<ValueId>; 2]) {
        [self.retained, self.dying] = pending;
    }

    /// Drops the references that the opline has taken and released so far.
    pub(crate) fn forget_pending(&mut self) {
        self.retained.clear();
        self.dying.clear();
    }

    /// Takes a reference at the end of the opline.
    pub(crate) fn retain_later(&mut self, value: ValueId) {
        self.retained.push(value);
    }

    /// Takes a reference now.
    pub(crate) fn retain(&mut self, value: ValueId) {
        self.b.emit(Op::IncRef, Type::TOP, [0; 3], &[value], phlox_hhir::unit::Edge::None);
    }

    /// Whether a value may be counted.
    pub(crate) fn is_counted(&self, value: ValueId) -> bool {
        let ty = self.b.ty(value);
        ty.is(hhir::GEN) && ty.maybe_counted()
    }

    /// Makes sure that there is a reference of the value that the caller may move to memory at the end of the current block.
    pub(crate) fn own(&mut self, value: ValueId) {
        if !self.is_counted(value) {
            return;
        }
        match self.dying.iter().position(|&other| other == value) {
            Some(at) => drop(self.dying.remove(at)),
            None => drop(self.b.emit(Op::IncRef, Type::TOP, [0; 3], &[value], phlox_hhir::unit::Edge::None)),
        }
    }

    /// Releases the value that a cell owns, because the cell loses it.
    pub(crate) fn release_place(&mut self, place: Loc, state: &mut FrameState) {
        let Loc::Owned(value) = place else { return };
        // A temporary that borrows the value from the cell owns it from now on. Parameters are the caller's and own nothing.
        let first = self.input.before_tmps() as usize;
        match state.cells[first..].iter_mut().find(|other| **other == Loc::Value(value)) {
            Some(borrower) => *borrower = Loc::Owned(value),
            None => self.dying.push(value),
        }
    }

    /// Whether a cell holds an array without a reference of its own, so that the array's count does not show it. No array may be
    /// changed in place then. Arguments have the references of the caller.
    pub(crate) fn shows_arrays(&self, state: &FrameState) -> bool {
        let arguments = match self.input.start {
            Start::Function(wanted) => wanted.args.len(),
            Start::Loop | Start::Body => 0,
        };
        state.cells[arguments..].iter().any(|place| match place {
            Loc::Value(value) => self.b.ty(*value).maybe(hhir::COUNTED_ARR),
            _ => false,
        })
    }

    /// Whether a cell borrows an array from the cell that owns it, and so would see a change in place. Arrays that are borrowed
    /// from outside of the state are counted there, so they are not changed in place.
    pub(crate) fn shows_own(&self, array: ValueId, state: &FrameState) -> bool {
        let array = root(&self.b.unit, array);
        state.cells.iter().any(|place| matches!(*place, Loc::Value(value) if root(&self.b.unit, value) == array))
    }
}
