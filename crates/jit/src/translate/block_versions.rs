//! Values of several kinds: which oplines take them as they are, and where each kind goes its own way.
//!
//! What only moves a value from place to place does not ask what it is. Where the kind matters, the paths part, and each
//! goes on with a value of one kind, under the same opline. Where many versions of an opline meet, they become one again
//! whose values are of several kinds.

use crate::tagged_types::{is_mixed, mixed_type};
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

/// Kinds that values of several kinds are taken apart into.
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

/// Kinds that a result may be of whose paths part at once.
const MAX_WAYS: usize = 4;

/// What an opline does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It takes whatever it is.
    Moves,
    /// It looks whether it is of one of these kinds.
    Tests(Bits),
    /// It does something else for each kind.
    Needs,
}

impl Translator<'_> {
    /// Whether a value is of several kinds.
    pub(crate) fn is_mixed(&self, value: ValueId) -> bool {
        is_mixed(self.b.ty(value))
    }

    /// The type of a result of several kinds, if it stays together: as long as nobody is about to ask what it is.
    pub(crate) fn together(&self, at: u32, to: Operand, kinds: &[Bits]) -> Option<Type> {
        if kinds.len() < 2 {
            return None;
        }
        let all = kinds.iter().fold(0, |all, bits| all | bits);
        let next = self.input.lowered.ops.get(at as usize + 1)?;
        let moves = || self.uses_of(next).into_iter().any(|row| row == (to, Use::Moves));
        let (is_value, is_tmp) = (matches!(to, Operand::Tmp(_) | Operand::Local(_)), matches!(to, Operand::Tmp(_)));
        // Where another kind has come along once, the next one will.
        if is_value && (kinds.len() > MAX_WAYS || (is_tmp && moves())) && self.input.host.exit_feedback(at) != 0 {
            return mixed_type(MIXABLE as Bits);
        }
        let stays = match to {
            Operand::Tmp(_) | Operand::Local(_) if kinds.len() > MAX_WAYS => true,
            Operand::Tmp(_) => self.outline.is_join[at as usize + 1] || moves(),
            // Numbers are computed with.
            Operand::Local(_) => all & !(hhir::NUM | hhir::BOOL) != 0 && kinds.len() > 2,
            _ => false,
        };
        if stays { mixed_type(all) } else { None }
    }

    /// Takes an operand apart whose kind the opline has to know; none if there is no such operand.
    pub(crate) fn take_apart(&mut self, at: u32, op: &Opline, state: &FrameState) -> Option<Flow> {
        let goes_on = self.passes_anything(op, state);
        for (operand, used) in self.uses_of(op).into_iter().filter(|_| !goes_on) {
            let Some(value) = self.mixed_in(operand, state) else { continue };
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

    /// The same of an operand that the opline moves, but not if it may be of any of its kinds.
    pub(crate) fn take_moved_apart(&mut self, at: u32, op: &Opline, state: &FrameState) -> Option<Flow> {
        let moved = self.uses_of(op).into_iter().filter(|row| row.1 == Use::Moves);
        let value = moved.filter_map(|(operand, _)| self.mixed_in(operand, state)).next()?;
        self.part(at, value, self.b.ty(value).bits(), state);
        Some(Flow::Done)
    }

    /// Whether a call takes arguments as they are: one that the interpreter makes, or of a builtin function.
    fn passes_anything(&self, op: &Opline, state: &FrameState) -> bool {
        let is_call = matches!(op.op, OpCode::Call | OpCode::CallRef);
        is_call && self.callee(op.a, state).is_none_or(|callee| !self.known.targets.contains_key(&callee))
    }

    fn mixed_in(&self, operand: Operand, state: &FrameState) -> Option<ValueId> {
        match state.cells[self.cell(operand)?] {
            Loc::Value(value) | Loc::Owned(value) | Loc::Fixed(value) if self.is_mixed(value) => Some(value),
            _ => None,
        }
    }

    /// Each of some kinds of a value goes its own way, and the others together.
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

    /// The opline is followed once more, with a value that is known to be of a type.
    fn go_on_as(&mut self, at: u32, value: ValueId, ty: Type, state: &FrameState) {
        let mut state = state.clone();
        if self.refine(value, ty, &mut state).is_some() {
            let block = self.b.block();
            self.progress.work.push(PendingPath { block, opline: at, state });
        }
    }

    /// From here on, a value is known to be of a type.
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

    /// What a condition tells of a value of several kinds where it holds, or where it does not.
    pub(crate) fn learn_from(&mut self, condition: ValueId, holds: bool, state: &mut FrameState) {
        let Some((test, holds)) = self.type_test(condition, holds) else { return };
        let value = test.1;
        let own = self.b.ty(value).bits();
        let bits = if holds { own & test.0 } else { own & !test.0 };
        let ty = Type::of(bits);
        let can_be = is_mixed(ty) || KINDS.iter().any(|kind| bits & !kind == 0);
        if bits != 0 && bits != own && self.is_mixed(value) && can_be {
            self.refine(value, ty, state);
        }
    }

    /// The type test that a condition is, or the opposite of, with the kinds and the value.
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

    /// What an opline does with its operands, as far as values of several kinds may be there.
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

    /// Whether a version of an opline with values of several kinds can take over from what has these.
    pub(crate) fn can_widen(&self, opline: u32, key: &[u64], wanted: &[u64]) -> bool {
        let fits = |(cell, (&own, &wanted)): (usize, (&u64, &u64))| {
            let own = if self.is_droppable(opline, cell) { or_null(own) } else { own };
            own == wanted || widens(own, wanted)
        };
        key.iter().zip(wanted).enumerate().all(fits)
    }

    /// What versions of an opline, and one more, have in common, as a version with values of several kinds; none if they
    /// differ in something else, or numbers only: those are computed with.
    pub(crate) fn common_key(&self, opline: u32, key: &[u64]) -> Option<Vec<u64>> {
        let versions = self.progress.versions.get(&opline)?;
        // Large regions cannot afford as many.
        let most = if self.progress.oplines > MAX_OPLINES / 2 { 1 } else { WIDENS_AFTER };
        if versions.len() < most {
            // Dead variables do not tell versions apart.
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

    /// A key that both widen to. Iterators and the headers of calls stay what they are.
    fn unite(&self, opline: u32, key: &[u64], other: &[u64]) -> Option<Vec<u64>> {
        let iterators = self.input.locals as usize..self.input.before_tmps() as usize;
        let both = |(cell, (&own, &other)): (usize, (&u64, &u64))| {
            if own == other {
                return Some(own);
            }
            if self.is_droppable(opline, cell) {
                let is_any = (or_null(own) | or_null(other)) & !OWNS & !MIXABLE == 0;
                let all = mixed_type(MIXABLE as Bits).filter(|_| is_any)?;
                return Some(u64::from(all.bits()) | OWNS);
            }
            let bits = (own | other) & !OWNS;
            if bits & !MIXABLE != 0 || own & !OWNS == 0 || other & !OWNS == 0 || iterators.contains(&cell) {
                return None;
            }
            let ty = mixed_type(bits as Bits)?;
            Some(u64::from(ty.bits()) | OWNS)
        };
        key.iter().zip(other).enumerate().map(both).collect()
    }

    /// Makes what is held at a join what a wider version wants.
    pub(crate) fn widen(&mut self, key: &[u64], wanted: &[u64], state: &mut FrameState) {
        for cell in (0..key.len()).filter(|&cell| key[cell] != wanted[cell]) {
            let Loc::Value(value) = state.cells[cell] else { continue };
            let owned = match self.kind(value) {
                // Only of variables that are dead.
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

/// Versions of an opline after which those with values of several kinds take over.
const WIDENS_AFTER: usize = 3;

/// Kinds of values that can be together with others.
const MIXABLE: u64 = (hhir::INIT_NULL | hhir::BOOL | hhir::NUM | hhir::STR | hhir::ARR | hhir::OBJ) as u64;

/// The key of a variable that is dead: it may as well hold null where it holds nothing.
fn or_null(key: u64) -> u64 {
    if key == u64::from(hhir::UNINIT) { hhir::INIT_NULL.into() } else { key }
}

fn are_numbers(keys: u64) -> bool {
    keys & !OWNS & !u64::from(hhir::NUM | hhir::BOOL) == 0
}

/// Whether what one key stands for can be among values of several kinds.
fn widens(own: u64, wanted: u64) -> bool {
    let (own, bits) = (own & !OWNS, wanted & !OWNS);
    let own = if own == u64::from(hhir::STATIC_STR) { u64::from(hhir::COUNTED_STR) } else { own };
    wanted & OWNS != 0 && own != 0 && own & !MIXABLE == 0 && own & !bits == 0 && is_mixed(Type::of(bits as Bits))
}

/// Whether a comparison asks for the same kind.
fn is_identity(op: &Opline) -> bool {
    matches!(Comparison::ALL.get(op.n as usize), Some(Comparison::Same | Comparison::NSame))
}

/// The kinds that a type test asks for.
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
