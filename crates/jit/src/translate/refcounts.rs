//! Who holds what: references that oplines take and give up, and those that places of the state own or borrow.

use crate::codegen::loops::root;
use crate::input::Start;
use crate::translate::state::{FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::{Op, ValueId};

/// In the key of a version: a place owns what it holds.
pub(crate) const OWNS: u64 = 1 << 35;

/// Whether what is held at a join can be made what a version of it wants: borrowed values can be owned, and literal strings
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
    /// See [`can_become`].
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

    /// A literal string as a counted one, with a reference.
    pub(crate) fn count_string(&mut self, value: ValueId) -> ValueId {
        let none = phlox_hhir::unit::Edge::None;
        self.b.emit(Op::CountStr, Type::TOP, [0; 3], &[value], none).unwrap_or(value)
    }

    /// The string in a variable of the frame, with its reference.
    pub(crate) fn take_string(&mut self, cell: u32) -> Option<ValueId> {
        let none = phlox_hhir::unit::Edge::None;
        let fp = self.fp;
        let place = self.b.emit(Op::LdLocAddr, Type::TOP, [cell, 0, 0], &[fp], none)?;
        self.b.emit(Op::TakeMem, Type::of(hhir::COUNTED_STR), [0; 3], &[place], none)
    }

    /// Where paths meet, values get new names: what is borrowed from another place of the state gets a reference of its own, as
    /// do variables of loops, which may own something the next time.
    pub(crate) fn hold_at_join(&mut self, opline: u32, state: &mut FrameState) {
        for cell in 0..state.cells.len() {
            let Loc::Value(value) = state.cells[cell] else { continue };
            // References are parameters, and stay the caller's.
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

    /// Takes and gives up the references that the opline was found to take and give up.
    pub(crate) fn settle(&mut self) {
        let none = phlox_hhir::unit::Edge::None;
        let mut dying = std::mem::take(&mut self.dying);
        for value in std::mem::take(&mut self.retained) {
            match dying.iter().position(|&other| other == value) {
                // It moves.
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

    /// What the opline takes and gives up so far, for the next way that it goes.
    pub(crate) fn pending(&self) -> [Vec<ValueId>; 2] {
        [self.retained.clone(), self.dying.clone()]
    }

    pub(crate) fn set_pending(&mut self, pending: [Vec<ValueId>; 2]) {
        [self.retained, self.dying] = pending;
    }

    /// The opline takes and gives up nothing.
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

    /// Is it a value that is counted?
    pub(crate) fn is_counted(&self, value: ValueId) -> bool {
        let ty = self.b.ty(value);
        ty.is(hhir::GEN) && ty.maybe_counted()
    }

    /// A reference of the value that the caller may move somewhere, at the end of the current block.
    pub(crate) fn own(&mut self, value: ValueId) {
        if !self.is_counted(value) {
            return;
        }
        match self.dying.iter().position(|&other| other == value) {
            Some(at) => drop(self.dying.remove(at)),
            None => drop(self.b.emit(Op::IncRef, Type::TOP, [0; 3], &[value], phlox_hhir::unit::Edge::None)),
        }
    }

    /// A place loses what it owns.
    pub(crate) fn give_up(&mut self, place: Loc, state: &mut FrameState) {
        let Loc::Owned(value) = place else { return };
        // Who has borrowed it owns it from now on; parameters are the caller's.
        let first = self.input.before_tmps() as usize;
        match state.cells[first..].iter_mut().find(|other| **other == Loc::Value(value)) {
            Some(borrower) => *borrower = Loc::Owned(value),
            None => self.dying.push(value),
        }
    }

    /// Whether an array that has been read is still to be looked at, although nobody has counted that: then no array may be
    /// changed in place. Arguments are counted by the caller.
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

    /// Whether a place has borrowed an array from the one that owns it: it would see a change there. What is borrowed from anybody else
    /// is counted there, so that the array is not changed where it is.
    pub(crate) fn shows_own(&self, array: ValueId, state: &FrameState) -> bool {
        let array = root(&self.b.unit, array);
        state.cells.iter().any(|place| matches!(*place, Loc::Value(value) if root(&self.b.unit, value) == array))
    }
}
