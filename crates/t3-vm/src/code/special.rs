//! Specialised instructions for frequent forms of operands, so that running them needs no decision about operands.

use super::forms::arithmetic;
use super::inst::{BinOp, Inst, Src};

/// The specialised form of an instruction, or the instruction itself.
pub(super) fn specialize(inst: Inst) -> Inst {
    match inst {
        Inst::Push(src) => match src {
            Src::Slot(slot) => Inst::PushSlot(slot),
            Src::Int(number) => Inst::PushInt(number),
            Src::R0 => Inst::PushR0,
            Src::This => Inst::PushThis,
            Src::Const(index) => Inst::PushConstant(index),
            Src::Pop => inst,
        },
        Inst::Set { dst, src } => match src {
            Src::Pop => Inst::SetPop { dst },
            Src::Slot(src) => Inst::SetSlot { dst, src },
            Src::Int(number) => Inst::SetInt { dst, number },
            Src::R0 => Inst::SetR0 { dst },
            _ => inst,
        },
        Inst::Bin { op: BinOp::Index, a, b } => match (a, b) {
            (Src::Slot(a), Src::Slot(b)) => Inst::IndexSS { a, b },
            (Src::Slot(a), Src::Int(b)) => Inst::IndexSI { a, b },
            (a, b) => Inst::Index { a, b },
        },
        Inst::BinSet { op: BinOp::Index, a, b, dst } => Inst::IndexTo { a, b, dst },
        Inst::Bin { .. } | Inst::BinSet { .. } => special_arithmetic(inst),
        Inst::CmpJump { op, a, b, target } => match (a, b) {
            (Src::Slot(a), Src::Slot(b)) => Inst::JumpSS { order: op.orders(), a, b, target },
            (Src::Pop, Src::Int(b)) => Inst::JumpPI { order: op.orders(), b, target },
            (Src::Pop, Src::Slot(b)) => Inst::JumpPS { order: op.orders(), b, target },
            _ => inst,
        },
        Inst::CmpIntJump { op, slot, with, target } => Inst::JumpSI { order: op.orders(), a: slot, b: with, target },
        Inst::GetProp { target: Src::This, prop, site } => Inst::GetPropThis { prop, site },
        Inst::GetProp { target: Src::Slot(slot), prop, site } => Inst::GetPropSlot { slot, prop, site },
        Inst::Return(Src::Pop) => Inst::ReturnPop,
        Inst::Return(Src::Slot(slot)) => Inst::ReturnSlot(slot),
        other => other,
    }
}

macro_rules! special_forms {
    (($inst:ident) $($op:ident $function:path:
        $slots:ident $slot_int:ident $pop_slot:ident $pop_int:ident $slots_to:ident $slot_int_to:ident;)*) => {
        match $inst {
            $(Inst::Bin { op: BinOp::$op, a: Src::Slot(a), b: Src::Slot(b) } => Inst::$slots { a, b },
            Inst::Bin { op: BinOp::$op, a: Src::Slot(a), b: Src::Int(b) } => Inst::$slot_int { a, b },
            Inst::Bin { op: BinOp::$op, a: Src::Pop, b: Src::Slot(b) } => Inst::$pop_slot { b },
            Inst::Bin { op: BinOp::$op, a: Src::Pop, b: Src::Int(b) } => Inst::$pop_int { b },
            Inst::BinSet { op: BinOp::$op, a: Src::Slot(a), b: Src::Slot(b), dst } => Inst::$slots_to { a, b, dst },
            Inst::BinSet { op: BinOp::$op, a: Src::Slot(a), b: Src::Int(b), dst } => Inst::$slot_int_to { a, b, dst },)*
            other => other,
        }
    };
}

/// The specialised form of an arithmetic instruction, or the instruction itself.
fn special_arithmetic(inst: Inst) -> Inst {
    arithmetic!(special_forms!(inst))
}
