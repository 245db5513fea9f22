//! Block versions and tagged values: which oplines take tagged values as they are, and where there is a path for each type.
//!
//! An opline that only moves a value does not need its type. Where an opline needs the type, there is a path for each type of
//! the tagged value, which translates the opline again. Where many block versions of an opline meet, they are merged into one
//! with tagged values.

use crate::tagged_types::{is_tagged, tagged_type};
use crate::translate::operands::bits_of;
use crate::translate::refcounts::OWNS;
use crate::translate::state::{
    BlockVersion, Flow, FrameState, Loc, MAX_OPLINES, MAX_VERSIONS, PendingPath, Translator,
};
use phlox_hhbc::TypeTest;
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Def, Edge, Hint, Unit};
use phlox_hhir::{Op, ValueId};
use phlox_lower::facts::Asks;
use phlox_lower::uses::OperandUse;
use phlox_lower::{Comparison, Literal, OpCode, Operand, Opline};

/// The types that a tagged value is split into.
const KINDS: [Bits; 8] = [
    hhir::COUNTED_ARR,
    hhir::STATIC_ARR,
    hhir::OBJ,
    hhir::COUNTED_STR,
    hhir::INT,
    hhir::BOOL,
    hhir::DBL,
    hhir::INIT_NULL,
];

/// The number of types of a result up to which there may be a path for each at once.
const MAX_WAYS: usize = 4;

/// What an opline needs to know of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Nothing: the opline takes any value.
    Moves,
    /// Whether the operand is of one of these types.
    Tests(Bits),
    /// The type of the operand.
    Needs,
}

impl Translator<'_> {
    /// Whether a value is a tagged value.
    pub(crate) fn is_tagged(&self, value: ValueId) -> bool {
        is_tagged(self.b.ty(value))
    }

    /// The type of a result as a tagged value, if it is to stay one because the next opline does not need its type; `None` if
    /// there is to be a path for each type.
    pub(crate) fn together(&self, at: u32, to: Operand, kinds: &[Bits]) -> Option<Type> {
        if kinds.len() < 2 {
            return None;
        }
        let all = kinds.iter().fold(0, |all, bits| all | bits);
        let next = self.input.lowered.ops.get(at as usize + 1)?;
        let moves = || self.uses_of(next).into_iter().any(|row| row == (to, Use::Moves));
        let (is_value, is_tmp) = (matches!(to, Operand::Tmp(_) | Operand::Local(_)), matches!(to, Operand::Tmp(_)));
        // The opline has taken a side exit because of another type already, so more types are likely.
        if is_value && (kinds.len() > MAX_WAYS || (is_tmp && moves())) && self.input.host.exit_feedback(at) != 0 {
            return tagged_type(TAGGABLE as Bits);
        }
        let stays = match to {
            Operand::Tmp(_) | Operand::Local(_) if kinds.len() > MAX_WAYS => true,
            Operand::Tmp(_) => self.outline.is_join[at as usize + 1] || moves(),
            // Arithmetic is likely to follow, for which each numeric type needs a path of its own.
            Operand::Local(_) => all & !(hhir::NUM | hhir::BOOL) != 0 && kinds.len() > 2,
            _ => false,
        };
        if stays { tagged_type(all) } else { None }
    }

    /// Splits the first tagged operand whose type the opline needs; `None` if there is no such operand.
    pub(crate) fn take_apart(&mut self, at: u32, op: &Opline, state: &FrameState) -> Option<Flow> {
        let goes_on = self.passes_anything(op, state);
        for (operand, used) in self.uses_of(op).into_iter().filter(|_| !goes_on) {
            let Some(value) = self.tagged_in(operand, state) else { continue };
            let own = self.b.ty(value).bits();
            let wanted = match used {
                Use::Moves => continue,
                Use::Tests(kinds) => kinds & own,
                Use::Needs => own,
            };
            if wanted != 0 {
                self.part(at, value, wanted, state);
                return Some(Flow::Done);
            }
        }
        None
    }

    /// Splits the first tagged operand that the opline moves, after the opline could not be translated with a tagged value.
    pub(crate) fn take_moved_apart(&mut self, at: u32, op: &Opline, state: &FrameState) -> Option<Flow> {
        let moved = self.uses_of(op).into_iter().filter(|row| row.1 == Use::Moves);
        let value = moved.filter_map(|(operand, _)| self.tagged_in(operand, state)).next()?;
        self.part(at, value, self.b.ty(value).bits(), state);
        Some(Flow::Done)
    }

    /// Whether a call takes tagged values as arguments: one that the interpreter makes, or one of a builtin function.
    fn passes_anything(&self, op: &Opline, state: &FrameState) -> bool {
        let is_call = matches!(op.op, OpCode::Call | OpCode::CallRef);
        is_call && self.callee(op.a, state).is_none_or(|callee| !self.known.targets.contains_key(&callee))
    }

    fn tagged_in(&self, operand: Operand, state: &FrameState) -> Option<ValueId> {
        match state.cells[self.cell(operand)?] {
            Loc::Value(value) | Loc::Owned(value) | Loc::Fixed(value) if self.is_tagged(value) => Some(value),
            _ => None,
        }
    }

    /// Makes a path for each of the types `wanted` of a value, and one for the remaining types.
    fn part(&mut self, at: u32, value: ValueId, wanted: Bits, state: &FrameState) {
        let own = self.b.ty(value).bits();
        let mut left = own;
        for bits in KINDS.into_iter().filter(|bits| bits & wanted != 0) {
            let bits = bits & own;
            left &= !bits;
            if left == 0 {
                return self.go_on_as(at, value, Type::of(bits), state);
            }
            let fits = self.b.emit(Op::IsType, Type::of(bits), [0; 3], &[value], Edge::None);
            let Some(fits) = fits else { return };
            let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
            self.b.branch(fits, yes, no);
            self.b.switch_to(yes);
            self.go_on_as(at, value, Type::of(bits), state);
            self.b.switch_to(no);
        }
        self.go_on_as(at, value, Type::of(left), state);
    }

    /// Translates the opline again on a path where a value is known to be of a type.
    fn go_on_as(&mut self, at: u32, value: ValueId, ty: Type, state: &FrameState) {
        let mut state = state.clone();
        if self.refine(value, ty, &mut state).is_some() {
            let block = self.b.block();
            self.progress.work.push(PendingPath { block, opline: at, state });
        }
    }

    /// Replaces a value in the state by one of a narrower type.
    fn refine(&mut self, value: ValueId, ty: Type, state: &mut FrameState) -> Option<()> {
        let refined = match Unit::const_of_type(ty) {
            Some(constant) => self.b.unit.constant(constant),
            None => self.b.emit(Op::AssertType, ty, [0; 3], &[value], Edge::None)?,
        };
        if let Some(&seen) = self.known.samples.get(&value).filter(|seen| ty.maybe(seen.bits)) {
            self.known.samples.insert(refined, seen);
        }
        if let (Some(&class), true) = (self.known.classes.get(&value), ty.is(hhir::OBJ)) {
            self.known.classes.insert(refined, class);
        }
        let is_counted = self.is_counted(refined);
        for place in &mut state.cells {
            *place = match *place {
                Loc::Owned(own) if own == value && is_counted => Loc::Owned(refined),
                Loc::Value(own) | Loc::Owned(own) if own == value => Loc::Value(refined),
                Loc::Fixed(own) if own == value => Loc::Fixed(refined),
                other => other,
            };
        }
        Some(())
    }

    /// Narrows the type of a tagged value by a condition that holds, or does not hold.
    pub(crate) fn learn_from(&mut self, condition: ValueId, holds: bool, state: &mut FrameState) {
        let Some((test, holds)) = self.type_test(condition, holds) else { return };
        let value = test.1;
        let own = self.b.ty(value).bits();
        let bits = if holds { own & test.0 } else { own & !test.0 };
        let ty = Type::of(bits);
        let can_be = is_tagged(ty) || KINDS.iter().any(|kind| bits & !kind == 0);
        if bits != 0 && bits != own && self.is_tagged(value) && can_be {
            self.refine(value, ty, state);
        }
    }

    /// The type test that a condition is, directly or negated: the types, the value, and whether the test succeeds when the
    /// condition has the value `holds`.
    fn type_test(&self, condition: ValueId, holds: bool) -> Option<((Bits, ValueId), bool)> {
        let Def::Inst(id) = self.b.unit.values[condition.at()].def else { return None };
        let inst = self.b.unit.inst(id);
        let srcs = self.b.unit.srcs(inst);
        match inst.op {
            Op::IsType => Some(((inst.ty.bits(), srcs[0]), holds)),
            Op::XorBool if self.b.ty(srcs[1]).as_bool() == Some(true) => self.type_test(srcs[0], !holds),
            _ => None,
        }
    }

    /// What an opline needs to know of its operands.
    fn uses_of(&self, op: &Opline) -> Vec<(Operand, Use)> {
        let of_other = |other: Operand| match other {
            Operand::Lit(index) => match self.input.lowered.literals[index as usize] {
                Literal::Null => hhir::INIT_NULL,
                Literal::False | Literal::True => hhir::BOOL,
                Literal::Int(_) => hhir::INT,
                Literal::Double(_) => hhir::DBL,
                Literal::Str(_) => hhir::COUNTED_STR,
                Literal::EmptyArray | Literal::Array(_) => hhir::ARR,
                Literal::Undef => 0,
            },
            _ => hhir::CELL,
        };
        let mut uses = Vec::new();
        op.each_operand(self.input.lowered, |OperandUse { operand, access, asks }| {
            if !access.reads() {
                return;
            }
            let used = match asks {
                Asks::Nothing => Use::Moves,
                Asks::Type => Use::Needs,
                Asks::OneOf(types) => Use::Tests(bits_of(types)),
                Asks::TypeTest => Use::Tests(tested(op)),
                Asks::Comparison if is_identity(op) => Use::Tests(of_other(if operand == op.a { op.b } else { op.a })),
                Asks::Comparison => Use::Needs,
            };
            uses.push((operand, used));
        });
        uses
    }

    /// Whether a path can continue in a block version that has tagged values where the path has types.
    pub(crate) fn can_widen(&self, opline: u32, key: &[u64], wanted: &[u64]) -> bool {
        let fits = |(cell, (&own, &wanted)): (usize, (&u64, &u64))| {
            let own = if self.is_droppable(opline, cell) { or_null(own) } else { own };
            own == wanted || widens(own, wanted)
        };
        key.iter().zip(wanted).enumerate().all(fits)
    }

    /// The key of a merged block version for the block versions of an opline and one more. `None` if there are too few to merge,
    /// if they differ in something else than types, or only in numeric types, for which code with known types is better.
    pub(crate) fn common_key(&self, opline: u32, key: &[u64]) -> Option<Vec<u64>> {
        let versions = self.progress.versions.get(&opline)?;
        // Large regions merge block versions sooner.
        let most = if self.progress.oplines > MAX_OPLINES / 2 { 1 } else { WIDENS_AFTER };
        if versions.len() < most {
            // Block versions do not differ because of dead variables.
            let same = |version: &&BlockVersion| {
                let pairs = key.iter().zip(&version.key).enumerate();
                pairs.into_iter().all(|(cell, (own, other))| own == other || self.is_droppable(opline, cell))
            };
            return versions.iter().find(same).and_then(|version| self.unite(opline, key, &version.key));
        }
        let mut best: Option<(usize, Vec<u64>)> = None;
        for version in versions {
            let Some(wider) = self.unite(opline, key, &version.key) else { continue };
            let differences = key.iter().zip(&wider).filter(|(own, wide)| own != wide).count();
            let is_numeric = key.iter().zip(&version.key).all(|(own, other)| own == other || are_numbers(own | other));
            if is_numeric && versions.len() < MAX_VERSIONS - 1 {
                return None;
            }
            if best.as_ref().is_none_or(|best| differences < best.0) {
                best = Some((differences, wider));
            }
        }
        best.map(|best| best.1)
    }

    /// A key that both keys can be widened to. Iterators and the headers of calls must be equal.
    fn unite(&self, opline: u32, key: &[u64], other: &[u64]) -> Option<Vec<u64>> {
        let iterators = self.input.locals as usize..self.input.before_tmps() as usize;
        let both = |(cell, (&own, &other)): (usize, (&u64, &u64))| {
            if own == other {
                return Some(own);
            }
            if self.is_droppable(opline, cell) {
                let is_any = (or_null(own) | or_null(other)) & !OWNS & !TAGGABLE == 0;
                let all = tagged_type(TAGGABLE as Bits).filter(|_| is_any)?;
                return Some(u64::from(all.bits()) | OWNS);
            }
            let bits = (own | other) & !OWNS;
            if bits & !TAGGABLE != 0 || own & !OWNS == 0 || other & !OWNS == 0 || iterators.contains(&cell) {
                return None;
            }
            let ty = tagged_type(bits as Bits)?;
            Some(u64::from(ty.bits()) | OWNS)
        };
        key.iter().zip(other).enumerate().map(both).collect()
    }

    /// Makes the values at a join what a merged block version needs.
    pub(crate) fn widen(&mut self, key: &[u64], wanted: &[u64], state: &mut FrameState) {
        for cell in (0..key.len()).filter(|&cell| key[cell] != wanted[cell]) {
            let Loc::Value(value) = state.cells[cell] else { continue };
            let owned = match self.kind(value) {
                // Only a dead variable may be undefined here; null is as good.
                hhir::UNINIT => self.b.unit.constant(Const::Null),
                hhir::STATIC_STR => self.count_string(value),
                _ => {
                    if self.is_counted(value) {
                        self.retain(value);
                    }
                    value
                }
            };
            state.cells[cell] = Loc::Owned(owned);
        }
    }
}

/// The number of block versions of an opline from which on they are merged.
const WIDENS_AFTER: usize = 3;

/// The types that tagged values may have.
const TAGGABLE: u64 = (hhir::INIT_NULL | hhir::BOOL | hhir::NUM | hhir::STR | hhir::ARR | hhir::OBJ) as u64;

/// The key of a dead variable, in which null stands for undefined.
fn or_null(key: u64) -> u64 {
    if key == u64::from(hhir::UNINIT) { hhir::INIT_NULL.into() } else { key }
}

fn are_numbers(keys: u64) -> bool {
    keys & !OWNS & !u64::from(hhir::NUM | hhir::BOOL) == 0
}

/// Whether a value with key `own` can be widened to the tagged value of key `wanted`.
fn widens(own: u64, wanted: u64) -> bool {
    let (own, bits) = (own & !OWNS, wanted & !OWNS);
    let own = if own == u64::from(hhir::STATIC_STR) { u64::from(hhir::COUNTED_STR) } else { own };
    wanted & OWNS != 0 && own != 0 && own & !TAGGABLE == 0 && own & !bits == 0 && is_tagged(Type::of(bits as Bits))
}

/// Whether a comparison is one of identity.
fn is_identity(op: &Opline) -> bool {
    matches!(Comparison::ALL.get(op.n as usize), Some(Comparison::Same | Comparison::NSame))
}

/// The types for which a type test holds.
fn tested(op: &Opline) -> Bits {
    match TypeTest::ALL.get(op.n as usize) {
        Some(TypeTest::Null) => hhir::INIT_NULL,
        Some(TypeTest::Bool) => hhir::BOOL,
        Some(TypeTest::Int) => hhir::INT,
        Some(TypeTest::Dbl) => hhir::DBL,
        Some(TypeTest::Str) => hhir::STR,
        Some(TypeTest::Arr) => hhir::ARR,
        Some(TypeTest::Obj) => hhir::OBJ,
        _ => hhir::CELL,
    }
}
