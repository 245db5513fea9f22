//! Superinstructions: oplines that follow each other often enough for one handler to execute both.
//!
//! The second opline stays in place for jumps, exceptions and the compiler, all of which treat the two as separate oplines: the
//! handler of the first executes the second, too, and skips it.

use crate::opline::{Comparison, Literal, Lowered, Operand, Opline};
use crate::ops::OpCode;

/// Two oplines that one handler executes.
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
    /// The element of a property of `$this`, as in `$this->a[$b] ?? null`.
    QuietElem,
    /// The test of an element of a property of `$this`, as in `isset($this->a[$b])`.
    IssetElem,
    /// A property as the right operand of an arithmetic operator.
    PropBinary,
    /// A method call's object, copied from a local, and the method.
    LocalMethod,
    /// `instanceof`, and a branch.
    InstanceBranch,
    /// A property of `$this`, and a branch on its truth.
    PropTest,
    /// A literal as an argument.
    LiteralSend,
    /// A class constant that something is compared with by `===` or `!==`, and a branch.
    ConstBranch,
    /// A call with one argument, a local, of a function that may be like `is_int`. The call is the third opline.
    LocalTest,
}

/// The pair that the opline at a position forms with the next one, if there is one.
pub fn pair(lowered: &Lowered, at: usize) -> Option<Pair> {
    let (first, second) = (lowered.ops.get(at)?, lowered.ops.get(at + 1)?);
    let goes_on = second.target as usize > at;
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
        (OpCode::InitFunc, OpCode::SendLocal | OpCode::Copy) => {
            let local = if second.op == OpCode::Copy { second.a } else { second.b };
            let third = lowered.ops.get(at + 2)?;
            let calls = third.op == OpCode::Call && third.a == first.a && third.n == 1;
            (calls && matches!(local, Operand::Local(_))).then_some(Pair::LocalTest)
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
        (OpCode::GetPropQuiet, _) if first.a == Operand::This && is_element_of(second, result) => {
            // A temporary key would have to be released after the element was read.
            let stays = matches!(second.b, Operand::Local(_) | Operand::Lit(_));
            match second.op {
                OpCode::GetElemQuiet if stays => Some(Pair::QuietElem),
                OpCode::IssetElem if stays && second.n == 0 => Some(Pair::IssetElem),
                _ => None,
            }
        }
        (OpCode::GetProp, OpCode::Binary) if matches!(first.a, Operand::This | Operand::Local(_)) => {
            let fits = second.b == result && second.a != result && second.a != Operand::This;
            fits.then_some(Pair::PropBinary)
        }
        (OpCode::Copy, OpCode::InitMethod) if matches!(first.a, Operand::Local(_)) => {
            (second.b == result).then_some(Pair::LocalMethod)
        }
        (OpCode::Copy, OpCode::SendValue) if matches!(first.a, Operand::Lit(_)) => {
            (second.b == result).then_some(Pair::LiteralSend)
        }
        (OpCode::GetProp, OpCode::JmpZ | OpCode::JmpNZ) if first.a == Operand::This => {
            (second.a == result && goes_on).then_some(Pair::PropTest)
        }
        (OpCode::InstanceOf, OpCode::JmpZ | OpCode::JmpNZ) if matches!(first.a, Operand::Local(_)) => {
            (second.a == result && goes_on).then_some(Pair::InstanceBranch)
        }
        (OpCode::InstanceOf, OpCode::JmpIf | OpCode::JmpIfNot) if matches!(first.a, Operand::Local(_)) => {
            let is_true = matches!(second.a, Operand::Lit(at) if lowered.literals[at as usize] == Literal::True);
            let fits = second.b == result && second.n == Comparison::Same as u32 && is_true;
            (fits && goes_on).then_some(Pair::InstanceBranch)
        }
        (OpCode::ClassConst, OpCode::JmpIf | OpCode::JmpIfNot) => {
            let is_identity = second.n == Comparison::Same as u32 || second.n == Comparison::NSame as u32;
            let fits = second.b == result && second.a != result && is_in_frame(second.a);
            (is_identity && fits && goes_on).then_some(Pair::ConstBranch)
        }
        _ => None,
    }
}

fn is_in_frame(operand: Operand) -> bool {
    matches!(operand, Operand::Local(_) | Operand::Tmp(_))
}

/// Whether an opline reads an element of a local by a key other than `$this`.
fn of_local(opline: &Opline) -> bool {
    matches!(opline.a, Operand::Local(_)) && opline.b != Operand::This
}

/// Whether an opline reads an element of the value in `base`, which the opline before has given, by another key.
fn is_element_of(opline: &Opline, base: Operand) -> bool {
    opline.a == base && opline.b != base && opline.b != Operand::This
}
