//! Operations on a variable's slot: assignment, compound assignment, `++` and `--`.

use crate::error::PhpResult;
use crate::props::{store, store_reference};
use crate::vm::Vm;
use crate::{arith, coerce, convert, members};
use phlox_hhbc::{IncDec, SetOp};
use phlox_value::{Kind, PhpRef, Slot, Val};

/// Assigns to a slot, through a reference if it holds one. `strict`: the code uses strict types.
pub fn assign(vm: &Vm, strict: bool, slot: &Slot, value: Val) -> PhpResult<()> {
    if slot.kind() == Kind::Ref {
        store(vm, slot, value, strict)
    } else {
        slot.set(value);
        Ok(())
    }
}

/// Performs `slot OP= operand` and returns the result.
pub fn set_op(vm: &Vm, strict: bool, slot: &Slot, op: SetOp, operand: &Val) -> PhpResult<Val> {
    match slot.as_ref() {
        Some(reference) => {
            // The value is moved out of the reference, so that a string can grow in place.
            let typed = reference.has_sources();
            let current = if typed { reference.get() } else { take_own(reference.slot(), op, operand) };
            let result = operate(vm, reference.slot(), current, op, operand)?;
            store_reference(vm, &reference, result.clone(), strict)?;
            Ok(if typed { reference.get() } else { result })
        }
        None => {
            let current = take_own(slot, op, operand);
            let result = operate(vm, slot, current, op, operand)?;
            slot.set(result.clone());
            Ok(result)
        }
    }
}

/// Applies the operator; a string that was moved out of its place is put back if the operation fails.
fn operate(vm: &Vm, place: &Slot, current: Val, op: SetOp, operand: &Val) -> PhpResult<Val> {
    if op != SetOp::Concat {
        if current.kind() == Kind::Str {
            place.set(current.clone());
        }
        return arith::set_op(vm, op, current, operand);
    }
    match operand.kind() {
        Kind::Str | Kind::Int => arith::set_op(vm, op, current, operand),
        _ => {
            // The conversion runs PHP code, which must see the variable's value. The conversion of the left operand comes first.
            let current = match current.kind() {
                Kind::Str => {
                    place.set(current.clone());
                    current
                }
                _ => convert::to_str(vm, &current)?.into(),
            };
            let text: Val = convert::to_str(vm, operand)?.into();
            arith::set_op(vm, op, current, &text)
        }
    }
}

/// The slot's value. A string, or an array to which another is added, is moved out, so that it can be changed in place.
fn take_own(slot: &Slot, op: SetOp, operand: &Val) -> Val {
    match slot.kind() {
        Kind::Str => slot.replace(Val::NULL),
        Kind::Arr if op == SetOp::Add && operand.kind() == Kind::Arr => slot.replace(Val::NULL),
        _ => slot.get().or_null(),
    }
}

/// Performs `++` or `--` and returns the value of the expression.
pub fn inc_dec(vm: &Vm, strict: bool, slot: &Slot, op: IncDec) -> PhpResult<Val> {
    let current = slot.get_deref().or_null();
    let next = members::step_value(vm, op, &current)?;
    if let Some(reference) = slot.as_ref().filter(PhpRef::has_sources) {
        coerce::check_reference_inc_dec(vm, &reference, &current, &next)?;
    }
    assign(vm, strict, slot, next)?;
    Ok(if matches!(op, IncDec::PreInc | IncDec::PreDec) { slot.get_deref() } else { current })
}
