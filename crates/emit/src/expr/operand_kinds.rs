//! The kind of operand that PHP's compiler makes of an expression. It decides the order of a commutative operator's
//! operands, which can be observed.

use phlox_syntax::ast::*;

use super::is_call;
use crate::emitter::Emitter;

/// Zend's kinds of operands, in the order of their numbers there: of a commutative operator's operands the one of the
/// later kind comes first (`zend_vm_set_opcode_handler`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OperandKind {
    /// CONST: a literal, or what folds to one.
    Literal,
    /// TMP_VAR: the result of an operator, or a value that was read.
    Temporary,
    /// VAR: the result of a call, or another value that may be a reference.
    Result,
    /// CV: a plain variable.
    Local,
}

impl<'a> Emitter<'a> {
    /// The kind of operand that an expression is to PHP.
    pub(crate) fn operand_kind(&mut self, e: &'a Expr<'a>) -> OperandKind {
        match e.kind {
            _ if self.plain_local(e).is_some() => OperandKind::Local,
            _ if !has_condition(e) && self.fold(e).is_some() => OperandKind::Literal,
            _ if is_call(e) && !self.is_inlined_builtin(e) => OperandKind::Result,
            ExprKind::New { .. }
            | ExprKind::AssignRef { .. }
            | ExprKind::Yield { .. }
            | ExprKind::Include { .. }
            | ExprKind::Eval(_) => OperandKind::Result,
            _ => OperandKind::Temporary,
        }
    }
}

/// Is the value chosen by a condition, which PHP's compiler does not evaluate?
pub(crate) fn has_condition(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Ternary { .. } | ExprKind::Binary { op: BinaryOp::Coalesce, .. } => true,
        ExprKind::Unary { operand, .. } => has_condition(operand),
        ExprKind::Binary { lhs, rhs, .. } => has_condition(lhs) || has_condition(rhs),
        _ => false,
    }
}

/// Operators whose operands PHP exchanges. PHP exchanges those of equality comparisons, too, but that cannot be
/// observed.
pub(crate) fn commutes(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}
