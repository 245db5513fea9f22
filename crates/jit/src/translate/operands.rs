//! Operands of oplines: sources, results, literals.

use crate::translate::state::{FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, ArrKind, Bits, Type};
use phlox_hhir::unit::Edge;
use phlox_hhir::unit::{Const, Literal as Text};
use phlox_hhir::{LitId, Op, SnapId, ValueId};
use phlox_lower::facts::{self, Types};
use phlox_lower::{Literal, Operand};

/// The opline table's types as HHIR's.
pub(crate) fn bits_of(types: Types) -> Bits {
    const BITS: [(Types, Bits); 7] = [
        (facts::NULL, hhir::INIT_NULL),
        (facts::BOOL, hhir::BOOL),
        (facts::INT, hhir::INT),
        (facts::DOUBLE, hhir::DBL),
        (facts::STRING, hhir::STR),
        (facts::ARRAY, hhir::ARR),
        (facts::OBJECT, hhir::OBJ),
    ];
    BITS.into_iter().filter(|(ty, _)| types.has(*ty)).fold(0, |all, (_, bits)| all | bits)
}

impl Translator<'_> {
    /// The value of an operand in SSA, which must be defined; a temporary is consumed.
    pub(crate) fn source(&mut self, operand: Operand, state: &mut FrameState) -> Option<ValueId> {
        let value = match operand {
            Operand::Lit(index) => self.literal(index)?,
            _ => {
                let cell = self.cell(operand)?;
                let value = match state.cells[cell] {
                    Loc::Value(value) | Loc::Fixed(value) | Loc::Owned(value) => value,
                    Loc::Memory | Loc::Flushed(_) | Loc::Idle | Loc::Pending | Loc::Empty => return None,
                };
                if self.kind(value) == hhir::BOXED {
                    return self.references.contents.get(&cell).copied();
                }
                if matches!(operand, Operand::Tmp(_)) {
                    let place = std::mem::replace(&mut state.cells[cell], Loc::Empty);
                    self.release_place(place, state);
                }
                value
            }
        };
        (!self.b.ty(value).maybe(hhir::UNINIT | hhir::FUNC)).then_some(value)
    }

    /// The value of an operand, which is not consumed.
    pub(crate) fn peek(&self, operand: Operand, state: &FrameState) -> Option<ValueId> {
        let cell = self.cell(operand)?;
        match state.cells[cell] {
            Loc::Value(value) | Loc::Owned(value) if self.kind(value) == hhir::BOXED => {
                self.references.contents.get(&cell).copied()
            }
            Loc::Value(value) | Loc::Fixed(value) | Loc::Owned(value) => Some(value),
            Loc::Memory | Loc::Flushed(_) | Loc::Idle | Loc::Pending | Loc::Empty => None,
        }
    }

    /// The value of a literal.
    pub(crate) fn literal(&mut self, index: u32) -> Option<ValueId> {
        let constant = match self.input.lowered.literals[index as usize] {
            Literal::Null => Const::Null,
            Literal::False => Const::Bool(false),
            Literal::True => Const::Bool(true),
            Literal::Int(int) => Const::Int(int),
            Literal::Double(double) => Const::Dbl(double.get().to_bits()),
            Literal::Str(_) => {
                let (bytes, handle) = self.input.string_literal(index);
                return Some(self.string(bytes, handle));
            }
            Literal::EmptyArray | Literal::Array(_) => {
                let seen = self.input.array_literal(index)?;
                return self.constant(seen);
            }
            Literal::Undef => return None,
        };
        Some(self.b.unit.constant(constant))
    }

    /// A literal string.
    pub(crate) fn string(&mut self, bytes: Box<[u8]>, handle: u64) -> ValueId {
        let literals = &self.b.unit.literals;
        let known =
            literals.iter().position(|literal| matches!(literal, Text::Str { handle: own, .. } if *own == handle));
        let literal = match known {
            Some(at) => LitId::new(at),
            None => self.b.unit.add_literal(Text::Str { bytes, handle }),
        };
        self.b.unit.constant(Const::Lit(literal))
    }

    /// Whether a result can go to an operand.
    pub(crate) fn can_store(&self, operand: Operand, state: &FrameState) -> bool {
        if let (Some(cell), Operand::Local(_)) = (self.cell(operand), operand)
            && self.reference_in(cell, state).is_some()
        {
            return self
                .references
                .contents
                .get(&cell)
                .is_some_and(|&inner| self.b.ty(inner).is(hhir::NUM | hhir::BOOL));
        }
        match (self.cell(operand), operand) {
            (None, operand) => operand == Operand::None,
            (Some(_), Operand::Tmp(_)) => true,
            // In a loop other variables may borrow the counted value of this one.
            (Some(cell), _) => match state.cells[cell] {
                Loc::Value(old) => self.is_function() || !self.b.ty(old).maybe_counted(),
                // A variable whose reference is an argument of a pending call is written through.
                Loc::Owned(old) => self.kind(old) != hhir::BOXED || !state.cells.contains(&Loc::Value(old)),
                // The variable is known to be no reference, or the interpreter writes it.
                Loc::Flushed(bits) => bits != hhir::BOXED,
                Loc::Idle => true,
                _ => false,
            },
        }
    }

    /// Whether this result can go to an operand. A variable that is a reference takes values only of the type that it holds.
    pub(crate) fn can_hold(&self, operand: Operand, value: ValueId, state: &FrameState) -> bool {
        let inner = match (self.cell(operand), operand) {
            (Some(cell), Operand::Local(_)) => {
                self.reference_in(cell, state).and_then(|_| self.references.contents.get(&cell))
            }
            _ => None,
        };
        self.can_store(operand, state) && inner.is_none_or(|&inner| self.kind(inner) == self.kind(value))
    }

    /// Stores a result to an operand, which takes a reference of it. Gives false, and does nothing, if that is not possible.
    #[must_use]
    pub(crate) fn store(&mut self, operand: Operand, value: ValueId, state: &mut FrameState) -> bool {
        if !self.can_hold(operand, value, state) {
            return false;
        }
        let Some(cell) = self.cell(operand) else { return true };
        if let (Some(reference), Operand::Local(_)) = (self.reference_in(cell, state), operand) {
            self.b.emit(Op::StRef, Type::TOP, [0; 3], &[reference, value], Edge::None);
            self.forget_references(state);
            return true;
        }
        let place = match self.is_counted(value) {
            true => {
                self.retained.push(value);
                Loc::Owned(value)
            }
            false => Loc::Value(value),
        };
        let before = std::mem::replace(&mut state.cells[cell], place);
        if let Loc::Flushed(_) = before {
            self.drop_in_frame(cell);
        }
        self.release_place(before, state);
        true
    }

    /// Puts a value into a temporary that borrows it.
    pub(crate) fn lend(&mut self, operand: Operand, value: ValueId, state: &mut FrameState) -> bool {
        let Some(cell) = self.cell(operand) else { return false };
        state.cells[cell] = Loc::Value(value);
        true
    }

    /// Guards that an array is a packed array of cells.
    pub(crate) fn packed(&mut self, array: ValueId, exit: SnapId) -> ValueId {
        let packed = self.b.check_arr_kind(array, ArrKind::Packed, exit);
        if let Some(&seen) = self.known.samples.get(&array) {
            self.known.samples.insert(packed, seen);
        }
        packed
    }

    /// Guards that an array is an unboxed list of the kind that its sample is; `None` if the sample is no unboxed list.
    pub(crate) fn unboxed(&mut self, array: ValueId, exit: SnapId) -> Option<(ValueId, ArrKind)> {
        let kind = self.known.samples.get(&array)?.unboxed()?;
        let list = self.b.emit(Op::CheckUnboxed, Type::TOP, [kind as u32, 0, 0], &[array], Edge::Exit(exit))?;
        Some((list, kind))
    }

    /// Loads an element of an unboxed list, at a position that the list has.
    pub(crate) fn load_unboxed(&mut self, list: ValueId, kind: ArrKind, index: ValueId) -> ValueId {
        let op = match kind {
            ArrKind::PackedBool => Op::LdPackedBool,
            ArrKind::PackedDbl => Op::LdPackedDbl,
            _ => Op::LdPackedInt,
        };
        self.b.op(op, &[list, index])
    }

    /// Stores a value of the list's element type to an unboxed list, at a position that the list has.
    pub(crate) fn store_unboxed(&mut self, list: ValueId, kind: ArrKind, index: ValueId, value: ValueId) {
        let op = match kind {
            ArrKind::PackedBool => Op::StPackedBool,
            ArrKind::PackedDbl => Op::StPackedDbl,
            _ => Op::StPackedInt,
        };
        self.b.emit(op, Type::TOP, [0; 3], &[list, index, value], Edge::None);
    }

    /// A number as a float.
    pub(crate) fn as_dbl(&mut self, value: ValueId) -> ValueId {
        if self.kind(value) == hhir::DBL { value } else { self.b.op(Op::ConvIntToDbl, &[value]) }
    }
}
