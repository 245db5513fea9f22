//! Oplines that follow each other often enough for one handler to do both.
//!
//! The second one stays where it is, for jumps, for exceptions and for the compiler of machine code, to all of which the two are
//! what they are alone: the handler of the first does what the second does, and skips it.

use crate::opline::{Comparison, Operand, Opline};
use crate::ops::OpCode;

/// Two oplines that are done in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// `++$i` or `--$i`, whose result is not used, and a branch back while `$i` is below or above something.
    StepBranch,
    /// An element of a local as the right operand of an arithmetic operator.
    ElemBinary,
    /// An element of a local compared with something, and a branch.
    ElemBranch,
    /// An element of an element of a local.
    ElemElem,
    /// An element of a property of `$this`.
    PropElem,
}

/// What the opline at a position is done in one with the next one as, if it is.
pub fn pair(ops: &[Opline], at: usize) -> Option<Pair> {
    let (first, second) = (ops.get(at)?, ops.get(at + 1)?);
    let result = first.c;
    let is_temporary = matches!(result, Operand::Tmp(_));
    match (first.op, second.op) {
        (OpCode::IncDec, OpCode::JmpIf) => {
            let ascends = first.n & 1 == 0;
            let (up, down) =
                ([Comparison::Lt as u32, Comparison::Lte as u32], [Comparison::Gt as u32, Comparison::Gte as u32]);
            let fits = if ascends { up } else { down }.contains(&second.n);
            let counts = result == Operand::None && second.a == first.a && second.b != first.a;
            (fits && counts && second.target as usize <= at).then_some(Pair::StepBranch)
        }
        _ if !is_temporary => None,
        (OpCode::GetElem, OpCode::Binary) if of_local(first) => {
            let fits = second.b == result && second.a != result && is_in_frame(second.a);
            fits.then_some(Pair::ElemBinary)
        }
        (OpCode::GetElem, OpCode::JmpIf | OpCode::JmpIfNot) if of_local(first) => {
            let left = second.a == result && second.b != result && second.b != Operand::This;
            let right = second.b == result && second.a != result && is_in_frame(second.a);
            let orders = second.n != Comparison::Cmp as u32;
            (orders && (left || right)).then_some(Pair::ElemBranch)
        }
        (OpCode::GetElem, OpCode::GetElem) if of_local(first) && is_element_of(second, result) => Some(Pair::ElemElem),
        (OpCode::GetProp, OpCode::GetElem) if first.a == Operand::This && is_element_of(second, result) => {
            Some(Pair::PropElem)
        }
        _ => None,
    }
}

fn is_in_frame(operand: Operand) -> bool {
    matches!(operand, Operand::Local(_) | Operand::Tmp(_))
}

/// An element of a local, by any key but `$this`.
fn of_local(opline: &Opline) -> bool {
    matches!(opline.a, Operand::Local(_)) && opline.b != Operand::This
}

/// An element of what the opline before gave.
fn is_element_of(opline: &Opline, base: Operand) -> bool {
    opline.a == base && opline.b != base && opline.b != Operand::This
}
