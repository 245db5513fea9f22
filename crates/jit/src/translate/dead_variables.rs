//! Dead variables at joins: they must not lead to further block versions of an opline.

use crate::input::Start;
use crate::translate::refcounts::{OWNS, can_become};
use crate::translate::state::{BlockVersion, FLUSHED_KEY, FrameState, IDLE_KEY, Loc, Translator};
use phlox_hhir::types::{self as hhir, Bits};
use phlox_hhir::unit::Const;

/// The number of oplines from which on a loop is large.
const LARGE_LOOP: u32 = 60;
/// The type that is recorded for a spilled dead variable of a large loop that may hold a counted value.
const SHED: Bits = hhir::INT;
/// The types of values that need not be released when they are overwritten.
const UNCOUNTED: Bits = hhir::UNINIT | hhir::INIT_NULL | hhir::BOOL | hhir::INT | hhir::DBL | hhir::STATIC_STR;

impl Translator<'_> {
    /// Whether a variable is dead, and no other code can tell what it holds.
    pub(crate) fn is_droppable(&self, opline: u32, cell: usize) -> bool {
        self.outline.drops_dead && cell < self.input.locals as usize && !self.outline.liveness.is_live(opline, cell)
    }

    /// Whether a block version differs from a path only in dead variables, which the block version has in the frame.
    pub(crate) fn fits_but_dead(&self, opline: u32, key: &[u64], wanted: &[u64]) -> bool {
        let locals = self.input.locals as usize;
        let fits = |(cell, (&own, &wanted)): (usize, (&u64, &u64))| {
            let is_value = own & !OWNS <= u64::from(Bits::MAX) || own & (FLUSHED_KEY | IDLE_KEY) != 0;
            let is_uncounted = own & !u64::from(UNCOUNTED) == 0;
            let is_dead = cell < locals && !self.outline.liveness.is_live(opline, cell);
            let can_be_shed = (wanted & FLUSHED_KEY != 0 && is_value) || (wanted == IDLE_KEY && is_uncounted);
            own == wanted || can_become(&[own], &[wanted]) || (is_dead && can_be_shed)
        };
        key.iter().zip(wanted).enumerate().all(fits)
    }

    /// Spills the dead variables of a path that [`Translator::fits_but_dead`] has found to fit a block version.
    pub(crate) fn give_back_dead(&mut self, key: &[u64], wanted: &[u64], state: &mut FrameState) {
        let is_shed = |cell: &usize| wanted[*cell] & (FLUSHED_KEY | IDLE_KEY) != 0 && key[*cell] != wanted[*cell];
        for cell in (0..key.len()).filter(is_shed) {
            self.give_back(cell, state);
            state.cells[cell] = if wanted[cell] == IDLE_KEY { Loc::Idle } else { Loc::Flushed(wanted[cell] as Bits) };
        }
    }

    /// At the joins of a large loop dead variables are spilled to the frame: in registers they would need block versions, of
    /// which a large loop cannot have many.
    pub(crate) fn shed_dead(&mut self, opline: u32, state: &mut FrameState) {
        if !matches!(self.input.start, Start::Loop) || self.outline.end - self.outline.first < LARGE_LOOP {
            return;
        }
        let key = self.key(state);
        let mut wanted = key.clone();
        for cell in (0..self.input.locals as usize).filter(|&cell| !self.outline.liveness.is_live(opline, cell)) {
            let is_shed = match state.cells[cell] {
                Loc::Value(value) | Loc::Owned(value) => {
                    self.b.ty(value).is(hhir::GEN)
                        && self.kind(value) != hhir::BOXED
                        && !self.references.fetched.contains(&value)
                }
                Loc::Flushed(bits) => bits != hhir::BOXED,
                Loc::Idle => true,
                _ => false,
            };
            if is_shed {
                wanted[cell] =
                    if self.can_idle(opline, cell, state) { IDLE_KEY } else { FLUSHED_KEY | u64::from(SHED) };
            }
        }
        self.give_back_dead(&key, &wanted, state);
    }

    /// Whether a dead variable holds nothing that is counted, and no other block version of the join knows less about it.
    fn can_idle(&self, opline: u32, cell: usize, state: &FrameState) -> bool {
        let is_uncounted = match state.cells[cell] {
            Loc::Value(value) | Loc::Owned(value) => !self.b.ty(value).maybe(!UNCOUNTED),
            Loc::Idle => true,
            _ => false,
        };
        let is_unknown = |version: &BlockVersion| version.key[cell] & FLUSHED_KEY != 0;
        let is_own = !self.references.boxes.has(cell) && !self.references.passed.contains(&(cell as u32));
        is_uncounted
            && is_own
            && !self.progress.versions.get(&opline).is_some_and(|versions| versions.iter().any(is_unknown))
    }

    /// At the joins of a function dead variables are dropped, so that they need no block versions. Variables that may hold
    /// objects keep them, because destructors and weak references would show the difference.
    pub(crate) fn forget_dead(&mut self, opline: u32, state: &mut FrameState) {
        let Start::Function(wanted) = self.input.start else { return };
        if !self.outline.drops_dead {
            return;
        }
        let nothing = self.b.unit.constant(Const::Uninit);
        for cell in wanted.args.len()..self.input.locals as usize {
            let place = state.cells[cell];
            let (Loc::Value(value) | Loc::Owned(value)) = place else { continue };
            let holds = hhir::COUNTED_ARR | hhir::OBJ | hhir::BOXED;
            if self.b.ty(value).maybe(holds)
                || !self.b.ty(value).is(hhir::GEN)
                || self.outline.liveness.is_live(opline, cell)
            {
                continue;
            }
            state.cells[cell] = Loc::Value(nothing);
            self.release_place(place, state);
        }
        self.settle();
    }
}
