//! What becomes of variables that are dead where ways meet: they do not tell versions of an opline apart.

use crate::input::Start;
use crate::translate::refcounts::{OWNS, can_become};
use crate::translate::state::{BlockVersion, FLUSHED_KEY, FrameState, IDLE_KEY, Loc, Translator};
use phlox_hhir::types::{self as hhir, Bits};
use phlox_hhir::unit::Const;

/// Oplines of a loop that is large.
const LARGE_LOOP: u32 = 60;
/// What is said of dead variables of such loops that may hold something that is counted.
const SHED: Bits = hhir::INT;
/// What nobody has to give up that overwrites it.
const UNCOUNTED: Bits = hhir::UNINIT | hhir::INIT_NULL | hhir::BOOL | hhir::INT | hhir::DBL | hhir::STATIC_STR;

impl Translator<'_> {
    /// Whether a variable is dead, and nobody can tell what it holds.
    pub(crate) fn is_droppable(&self, opline: u32, cell: usize) -> bool {
        self.outline.drops_dead && cell < self.input.locals as usize && !self.outline.liveness.is_live(opline, cell)
    }

    /// Whether a version differs only in dead variables that it finds in the frame.
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

    /// See [`Translator::fits_but_dead`].
    pub(crate) fn give_back_dead(&mut self, key: &[u64], wanted: &[u64], state: &mut FrameState) {
        let is_shed = |cell: &usize| wanted[*cell] & (FLUSHED_KEY | IDLE_KEY) != 0 && key[*cell] != wanted[*cell];
        for cell in (0..key.len()).filter(is_shed) {
            // What has borrowed it from here needs a reference of its own.
            if let Loc::Owned(value) = state.cells[cell] {
                for other in
                    (0..state.cells.len()).filter(|&at| state.cells[at] == Loc::Value(value)).collect::<Vec<_>>()
                {
                    self.retain(value);
                    state.cells[other] = Loc::Owned(value);
                }
            }
            self.give_back(cell, state);
            state.cells[cell] = if wanted[cell] == IDLE_KEY { Loc::Idle } else { Loc::Flushed(wanted[cell] as Bits) };
        }
    }

    /// Where ways meet in a large loop, variables that are dead are in the frame: in registers they would tell versions apart, and
    /// a large loop cannot afford many.
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

    /// Whether a dead variable holds nothing that is counted, and another way here has not said less of it.
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

    /// Where ways meet, variables that are dead do not tell versions apart. What holds objects, or may, goes on holding them:
    /// weak references would tell.
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
            self.give_up(place, state);
        }
        self.settle();
    }
}
