//! What an instruction reads and writes: the table's row, made more exact by operands and immediates.

use crate::ids::ValueId;
use crate::ops::*;
use crate::types::*;
use crate::unit::{Inst, Unit};

/// In the flags of a call: all locals are in the frame, and whoever runs may change them.
pub const FLUSHED: u32 = 1 << 28;
/// In the flags of CallInterp: the result goes to a local, which is in the frame.
pub const TO_LOCAL: u32 = 1 << 29;

/// In the flags of CallInterp: the header, and maybe arguments, are in the frame, which gives them up.
pub const READY: u32 = 1 << 27;

/// Classes of memory that an instruction touches.
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
        // A destructor runs only for what may hold objects.
        Op::DecRef if unit.ty(unit.src(inst, 0)).is(UNCOUNTED | STR) => rw(RC, RC),
        Op::CallUnit | Op::CallUnitMem if inst.imm[2] & FLUSHED != 0 => rw(row.reads, row.writes | FRAME),
        Op::CallInterp if inst.imm[2] & (FLUSHED | TO_LOCAL | READY) != 0 => rw(row.reads, row.writes | FRAME),
        Op::CallHelperMem if pointed_to(unit, unit.src(inst, 2)) & FRAME != 0 => rw(row.reads, row.writes | FRAME),
        Op::InterpOne if inst.imm[1] != u32::MAX => rw(ALL, ALL),
        _ => row,
    }
}

/// Where the pointer that is the first operand points to.
fn place(unit: &Unit, inst: &Inst) -> Alias {
    unit.srcs(inst).first().map_or(ALL, |&pointer| pointed_to(unit, pointer))
}

/// The classes of memory that a pointer may point to.
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

/// The one frame slot that an instruction writes, if it writes no other one of its class.
pub fn written_slot(inst: &Inst) -> Option<(Alias, u32)> {
    match inst.op {
        Op::StLoc | Op::StLocPseudoMain => Some((FRAME, inst.imm[0])),
        Op::StStk | Op::DbgTrashStk => Some((STK, inst.imm[0])),
        Op::InterpOne if inst.imm[1] != u32::MAX => Some((FRAME, inst.imm[1])),
        _ => None,
    }
}
