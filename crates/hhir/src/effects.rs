//! The memory that an instruction reads and writes: the table's row, made more exact by operands and immediates.

use crate::ids::ValueId;
use crate::ops::*;
use crate::types::*;
use crate::unit::{Inst, Unit};

/// Flag of a call: all locals are in the frame, where the code that runs meanwhile may change them.
pub const FLUSHED: u32 = 1 << 28;
/// Flag of CallInterp: the result goes to a local, which is in the frame.
pub const TO_LOCAL: u32 = 1 << 29;

/// Flag of CallInterp: the header, and maybe arguments, are in the frame already; the call consumes them.
pub const READY: u32 = 1 << 27;

/// The alias classes that an instruction reads and writes.
pub fn effects(unit: &Unit, inst: &Inst) -> Effects {
    let row = inst.op.info().effects;
    match inst.op {
        Op::StMem | Op::StMemPayload => w(place(unit, inst)),
        Op::LdMem
        | Op::TakeMem
        | Op::CheckTypeMem
        | Op::CheckInitMem
        | Op::IsTypeMem
        | Op::IsNTypeMem
        | Op::CheckMBase => r(place(unit, inst)),
        // A destructor runs only when something that may hold objects is freed.
        Op::DecRef if unit.ty(unit.src(inst, 0)).is(UNCOUNTED | STR) => rw(RC, RC),
        Op::CallUnit | Op::CallUnitMem if inst.imm[2] & FLUSHED != 0 => rw(row.reads, row.writes | FRAME),
        Op::CallInterp if inst.imm[2] & (FLUSHED | TO_LOCAL | READY) != 0 => rw(row.reads, row.writes | FRAME),
        Op::CallHelperMem if pointed_to(unit, unit.src(inst, 2)) & FRAME != 0 => rw(row.reads, row.writes | FRAME),
        Op::InterpOne if inst.imm[1] != u32::MAX => rw(ALL, ALL),
        _ => row,
    }
}

/// The alias classes that the first operand, a pointer, may point to.
fn place(unit: &Unit, inst: &Inst) -> Alias {
    unit.srcs(inst).first().map_or(ALL, |&pointer| pointed_to(unit, pointer))
}

/// The alias classes that a pointer may point to.
pub fn pointed_to(unit: &Unit, pointer: ValueId) -> Alias {
    const PLACES: [(Bits, Alias); 7] = [
        (PTR_FRAME, FRAME),
        (PTR_STK, STK),
        (PTR_ELEM, ELEM),
        (PTR_PROP, PROP),
        (PTR_REF, REF),
        (PTR_STATIC, STATIC),
        (PTR_MIS, VM),
    ];
    let ty = unit.ty(pointer);
    PLACES.iter().filter(|row| ty.maybe(row.0)).fold(0, |set, row| set | row.1)
}

/// Where in arrays and objects a cell lies. Cells in different spots are never the same cell, whatever their arrays or objects
/// are: they lie at different distances from the first element or property, or in tables of different layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// Anywhere.
    Unknown,
    /// The keys of a hash table.
    Key,
    /// An element of a packed array.
    Packed,
    /// The element at a position of a hash table.
    Hash(u32),
    /// The property at a distance from its object, in bytes.
    Property(u32),
}

impl Spot {
    /// Whether a write to one spot cannot change what is read from the other.
    pub fn apart(self, other: Spot) -> bool {
        self != Spot::Unknown && other != Spot::Unknown && self != other
    }

    /// The spot that a pointer points to.
    pub fn of_pointer(unit: &Unit, pointer: ValueId) -> Spot {
        let Some(inst) = unit.def_inst(pointer) else { return Spot::Unknown };
        match inst.op {
            Op::LdPackedArrayDataElemAddr => Spot::Packed,
            Op::ElemMixedArrayK => Spot::Hash(inst.imm[0]),
            Op::LdPropAddr => Spot::Property(inst.imm[0]),
            _ => Spot::Unknown,
        }
    }

    /// The only spot that an instruction reads or writes in its alias classes.
    pub fn of(unit: &Unit, inst: &Inst) -> Spot {
        match inst.op {
            Op::StMem | Op::StMemPayload | Op::LdMem | Op::CheckTypeMem | Op::IsTypeMem | Op::IsNTypeMem => {
                Spot::of_pointer(unit, unit.src(inst, 0))
            }
            Op::LdPackedElem
            | Op::CheckPackedElem
            | Op::StPackedElem
            | Op::LdPackedInt
            | Op::LdPackedDbl
            | Op::LdPackedBool
            | Op::StPackedInt
            | Op::StPackedDbl
            | Op::StPackedBool => Spot::Packed,
            Op::MixedArrayGetK => Spot::Hash(inst.imm[0]),
            Op::CheckMixedArrayOffset => Spot::Key,
            _ => Spot::Unknown,
        }
    }
}

/// The frame slot that an instruction writes, if it writes no other slot of the same alias class.
pub fn written_slot(inst: &Inst) -> Option<(Alias, u32)> {
    match inst.op {
        Op::StLoc | Op::StLocPseudoMain => Some((FRAME, inst.imm[0])),
        Op::StStk | Op::DbgTrashStk => Some((STK, inst.imm[0])),
        Op::InterpOne if inst.imm[1] != u32::MAX => Some((FRAME, inst.imm[1])),
        _ => None,
    }
}
