//! Unary, binary and ternary operators, casts, `instanceof`, conditions.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::builder::{Cleanup, Label};
use crate::constant::{self, Const};
use crate::emitter::{Emit, Emitter};
use crate::names::SpecialClass;

use super::operand_kinds::{OperandKind, commutes, has_condition};

/// The instruction of a binary operator that evaluates both operands.
fn binary_instr(op: BinaryOp) -> Option<Instr> {
    use BinaryOp as B;
    Some(match op {
        B::Add => Instr::Add {},
        B::Sub => Instr::Sub {},
        B::Mul => Instr::Mul {},
        B::Div => Instr::Div {},
        B::Mod => Instr::Mod {},
        B::Pow => Instr::Pow {},
        B::Concat => Instr::Concat {},
        B::BitAnd => Instr::BitAnd {},
        B::BitOr => Instr::BitOr {},
        B::BitXor => Instr::BitXor {},
        B::Shl => Instr::Shl {},
        B::Shr => Instr::Shr {},
        B::Eq => Instr::Eq {},
        B::NotEq => Instr::Neq {},
        B::Same => Instr::Same {},
        B::NotSame => Instr::NSame {},
        B::Lt => Instr::Lt {},
        B::Le => Instr::Lte {},
        B::Gt => Instr::Gt {},
        B::Ge => Instr::Gte {},
        B::Spaceship => Instr::Cmp {},
        B::Xor => Instr::Xor {},
        B::And | B::Or | B::Coalesce => return None,
    })
}

/// The operator of a compound assignment.
pub(crate) fn set_op(op: BinaryOp) -> Option<SetOp> {
    use BinaryOp as B;
    Some(match op {
        B::Add => SetOp::Add,
        B::Sub => SetOp::Sub,
        B::Mul => SetOp::Mul,
        B::Div => SetOp::Div,
        B::Mod => SetOp::Mod,
        B::Pow => SetOp::Pow,
        B::Concat => SetOp::Concat,
        B::BitAnd => SetOp::BitAnd,
        B::BitOr => SetOp::BitOr,
        B::BitXor => SetOp::BitXor,
        B::Shl => SetOp::Shl,
        B::Shr => SetOp::Shr,
        _ => return None,
    })
}

fn is_strict(op: BinaryOp) -> bool {
    binary_instr(op).is_some()
}

impl<'a> Emitter<'a> {
    /// A binary operator with its left operands, which are followed in a loop: chains get long.
    pub fn binary_chain(&mut self, e: &'a Expr<'a>) -> Emit {
        let ExprKind::Binary { op, lhs, rhs } = e.kind else { return self.expr(e) };
        match op {
            BinaryOp::And | BinaryOp::Or => return self.logical(op, lhs, rhs, e),
            BinaryOp::Coalesce => return self.coalesce(lhs, rhs),
            _ => {}
        }
        let mut chain = vec![(op, rhs)];
        let mut first = lhs;
        while let ExprKind::Binary { op, lhs, rhs } = first.kind
            && is_strict(op)
        {
            chain.push((op, rhs));
            first = lhs;
        }
        chain.reverse();
        // Fold the constant start of the chain, then go on with instructions.
        let mut links = chain.into_iter().peekable();
        let is_chosen = links.clone().any(|(op, _)| commutes(op)) && has_condition(first);
        let mut value = if is_chosen { None } else { self.fold(first) };
        while let Some(left) = &value
            && let Some(&(op, rhs)) = links.peek()
            && let Some(right) = self.fold(rhs)
            && let Some(folded) = constant::binary(op, left, &right)
        {
            value = Some(folded);
            links.next();
        }
        let mut kind = OperandKind::Temporary;
        match (&value, links.peek()) {
            (Some(value), Some(&(op, rhs))) if commutes(op) && self.operand_kind(rhs) > OperandKind::Literal => {
                links.next();
                self.expr(rhs)?;
                self.push_const(value);
                self.strict_op(op);
            }
            (Some(value), next) => {
                let is_text = matches!((value, next), (Const::Array(_), Some((BinaryOp::Concat, _))));
                self.push_const(value);
                if is_text {
                    self.emit(Instr::CastString {});
                }
                kind = OperandKind::Literal;
            }
            (None, Some(&(op, rhs))) => {
                links.next();
                let op = self.first_operands(op, first, rhs)?;
                self.strict_op(op);
            }
            (None, None) => self.expr(first)?,
        }
        for (op, rhs) in links {
            self.right_operand(op, kind, rhs)?;
            self.strict_op(op);
            kind = OperandKind::Temporary;
        }
        Ok(())
    }

    /// The operands of the first operator of a chain, where the left one is no literal; gives the operator for them.
    fn first_operands(&mut self, op: BinaryOp, lhs: &'a Expr<'a>, rhs: &'a Expr<'a>) -> Emit<BinaryOp> {
        let Some(left) = self.plain_local(lhs) else {
            let kind = self.operand_kind(lhs);
            self.expr(lhs)?;
            self.right_operand(op, kind, rhs)?;
            return Ok(op);
        };
        // `a > b` is `b < a`, which shows in the order of the warnings when neither is defined.
        let turned = match op {
            BinaryOp::Gt => Some(BinaryOp::Lt),
            BinaryOp::Ge => Some(BinaryOp::Le),
            _ => None,
        };
        if let (Some(op), Some(right)) = (turned, self.plain_local(rhs)) {
            self.fb.line = rhs.span.line;
            self.emit(Instr::CGetL { local: right });
            self.emit(Instr::CGetL { local: left });
            return Ok(op);
        }
        if self.is_constant_array(op, rhs) {
            self.expr(rhs)?;
            self.emit(Instr::CastString {});
            self.emit(Instr::CGetL2 { local: left });
            return Ok(op);
        }
        self.operands(lhs, rhs)?;
        Ok(op)
    }

    /// Constants become text before they are concatenated with anything: an array warns.
    fn is_constant_array(&mut self, op: BinaryOp, rhs: &'a Expr<'a>) -> bool {
        let is_array = matches!(rhs.kind, ExprKind::Array { .. });
        op == BinaryOp::Concat && is_array && self.fold(rhs).is_some()
    }

    /// The right operand of a value on the stack, moved to the left where PHP does so.
    fn right_operand(&mut self, op: BinaryOp, left: OperandKind, rhs: &'a Expr<'a>) -> Emit {
        let exchanged = commutes(op) && left < self.operand_kind(rhs);
        if self.is_constant_array(op, rhs) {
            self.expr(rhs)?;
            self.emit(Instr::CastString {});
            return Ok(());
        }
        match self.plain_local(rhs) {
            Some(local) if exchanged => {
                self.fb.line = rhs.span.line;
                self.emit(Instr::CGetL2 { local });
            }
            _ => {
                self.expr(rhs)?;
                if exchanged {
                    self.emit(Instr::Swap {});
                }
            }
        }
        Ok(())
    }

    fn strict_op(&mut self, op: BinaryOp) {
        if let Some(instr) = binary_instr(op) {
            self.emit(instr);
        }
    }

    /// `&&` and `||` as values.
    fn logical(&mut self, op: BinaryOp, lhs: &'a Expr<'a>, rhs: &'a Expr<'a>, e: &'a Expr<'a>) -> Emit {
        if let Some(value) = self.fold_logical(op, lhs, rhs) {
            self.push_const(&value);
            return Ok(());
        }
        let is_and = op == BinaryOp::And;
        let (decided, end) = (self.fb.label(), self.fb.label());
        self.logical_jumps(e, decided, !is_and)?;
        self.emit(if is_and { Instr::True {} } else { Instr::False {} });
        self.fb.jump(end);
        self.fb.bind(decided);
        self.emit(if is_and { Instr::False {} } else { Instr::True {} });
        self.fb.bind(end);
        Ok(())
    }

    /// A left operand that decides the result makes the right one vanish. Chains nest to the left, as deep as they are long.
    fn fold_logical(&mut self, op: BinaryOp, lhs: &'a Expr<'a>, rhs: &'a Expr<'a>) -> Option<Const<'a>> {
        let mut links = vec![(op, rhs)];
        let mut first = lhs;
        while let ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), lhs, rhs } = first.kind {
            links.push((op, rhs));
            first = lhs;
        }
        let mut value = self.fold(first)?.truthy();
        for (op, rhs) in links.into_iter().rev() {
            let is_decided = value == (op == BinaryOp::Or);
            if !is_decided {
                value = self.fold(rhs)?.truthy();
            }
        }
        Some(Const::Bool(value))
    }

    fn known_condition(&mut self, e: &'a Expr<'a>, value: &Const<'a>, target: Label, when: bool) -> Emit {
        self.fb.line = e.span.line;
        if value.truthy() == when {
            self.fb.jump(target);
        }
        Ok(())
    }

    /// Jumps to `target` if the condition is `when`, else falls through.
    pub fn condition(&mut self, e: &'a Expr<'a>, target: Label, when: bool) -> Emit {
        match e.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.condition(operand, target, !when),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), lhs, rhs } => {
                match self.fold_logical(op, lhs, rhs) {
                    Some(value) => self.known_condition(e, &value, target, when),
                    None => self.logical_jumps(e, target, when),
                }
            }
            _ => {
                if let Some(value) = self.fold(e) {
                    return self.known_condition(e, &value, target, when);
                }
                self.expr(e)?;
                self.jump_if(target, when);
                Ok(())
            }
        }
    }

    fn jump_if(&mut self, target: Label, when: bool) {
        let target = target.target();
        self.emit(if when { Instr::JmpNZ { target } } else { Instr::JmpZ { target } });
    }

    /// A chain of one of `&&` and `||`, whose left operands are followed in a loop.
    fn logical_jumps(&mut self, e: &'a Expr<'a>, target: Label, when: bool) -> Emit {
        let ExprKind::Binary { op: chain_op, .. } = e.kind else { return self.condition(e, target, when) };
        let mut operands = Vec::new();
        let mut first = e;
        while let ExprKind::Binary { op, lhs, rhs } = first.kind
            && op == chain_op
        {
            operands.push(rhs);
            first = lhs;
        }
        operands.push(first);
        let last = operands[0];
        // `||` jumps as soon as one operand is true, `&&` as soon as one is false.
        let decides = chain_op == BinaryOp::Or;
        if decides == when {
            for operand in operands.into_iter().rev() {
                self.condition(operand, target, when)?;
            }
            return Ok(());
        }
        let through = self.fb.label();
        for operand in operands.into_iter().skip(1).rev() {
            self.condition(operand, through, !when)?;
        }
        self.condition(last, target, when)?;
        self.fb.bind(through);
        Ok(())
    }

    /// `a ?? b`; chains nest to the right.
    pub fn coalesce(&mut self, lhs: &'a Expr<'a>, rhs: &'a Expr<'a>) -> Emit {
        let end = self.fb.label();
        let (mut lhs, mut rhs) = (lhs, rhs);
        loop {
            self.read_quiet(lhs)?;
            self.emit(Instr::JmpNotNull { target: end.target() });
            self.emit(Instr::PopC {});
            match rhs.kind {
                ExprKind::Binary { op: BinaryOp::Coalesce, lhs: l, rhs: r } => (lhs, rhs) = (l, r),
                _ => break,
            }
        }
        self.expr(rhs)?;
        self.fb.bind(end);
        Ok(())
    }

    /// `cond ? then : otherwise`; without `then` it is `?:`.
    pub fn ternary(&mut self, cond: &'a Expr<'a>, then: Option<&'a Expr<'a>>, otherwise: &'a Expr<'a>) -> Emit {
        self.check_ternary_nesting(cond, then.is_some())?;
        let (no, end) = (self.fb.label(), self.fb.label());
        match then {
            Some(then) => {
                self.condition(cond, no, false)?;
                self.expr(then)?;
                self.fb.jump(end);
                self.fb.bind(no);
            }
            None => {
                self.expr(cond)?;
                self.emit(Instr::Dup {});
                self.emit(Instr::JmpNZ { target: end.target() });
                self.emit(Instr::PopC {});
            }
        }
        self.expr(otherwise)?;
        if self.plain_local(otherwise).is_some() {
            // The jump keeps the variable's read in this place even if no other branch can reach the end.
            self.fb.jump(end);
        }
        self.fb.bind(end);
        Ok(())
    }

    /// `a ? b : c ? d : e` must say which way it nests.
    fn check_ternary_nesting(&self, cond: &Expr<'_>, is_full: bool) -> Emit {
        let ExprKind::Ternary { then, parenthesized: false, .. } = cond.kind else { return Ok(()) };
        let (whole, left, right) = match (then.is_some(), is_full) {
            (true, true) => ("a ? b : c ? d : e", "(a ? b : c) ? d : e", "a ? b : (c ? d : e)"),
            (true, false) => ("a ? b : c ?: d", "(a ? b : c) ?: d", "a ? b : (c ?: d)"),
            (false, true) => ("a ?: b ? c : d", "(a ?: b) ? c : d", "a ?: (b ? c : d)"),
            (false, false) => return Ok(()),
        };
        self.fatal(format!("Unparenthesized `{whole}` is not supported. Use either `{left}` or `{right}`"))
    }

    /// A unary operator, folded if the operand is a literal.
    pub fn unary(&mut self, op: UnaryOp, operand: &'a Expr<'a>) -> Emit {
        if op == UnaryOp::Silence {
            return self.silence(operand);
        }
        if let Some(value) = self.fold(operand).and_then(|v| constant::unary(op, &v)) {
            self.push_const(&value);
            return Ok(());
        }
        self.expr(operand)?;
        match op {
            UnaryOp::Plus | UnaryOp::Minus => {
                self.emit(Instr::Int { value: if op == UnaryOp::Plus { 1 } else { -1 } });
                self.emit(Instr::Mul {});
            }
            UnaryOp::Not => self.emit(Instr::Not {}),
            UnaryOp::BitNot => self.emit(Instr::BitNot {}),
            UnaryOp::Silence => {}
        }
        Ok(())
    }

    fn silence(&mut self, operand: &'a Expr<'a>) -> Emit {
        let local = self.fb.temp();
        self.emit(Instr::Silence { local, op: SilenceOp::Start });
        let region = self.fb.open_fault(Cleanup::Silence(local));
        self.expr(operand)?;
        self.fb.close_region(region);
        self.emit(Instr::Silence { local, op: SilenceOp::End });
        self.fb.release(local);
        Ok(())
    }

    /// `(type) operand`.
    pub fn cast(&mut self, to: CastType, operand: &'a Expr<'a>) -> Emit {
        self.expr(operand)?;
        self.emit(match to {
            CastType::Bool => Instr::CastBool {},
            CastType::Int => Instr::CastInt {},
            CastType::Float => Instr::CastDouble {},
            CastType::String => Instr::CastString {},
            CastType::Array => Instr::CastArray {},
            CastType::Object => Instr::CastObject {},
            CastType::Unset => return self.fatal("The (unset) cast is no longer supported"),
        });
        Ok(())
    }

    /// `value instanceof class`. A literal value is never an instance.
    pub fn instance_of(&mut self, value: &'a Expr<'a>, class: &'a ClassRef<'a>) -> Emit {
        if self.fold(value).is_some() {
            self.push_const(&Const::Bool(false));
            return Ok(());
        }
        match class {
            ClassRef::Name(name) => {
                self.expr(value)?;
                match self.class_name(name)? {
                    Ok(class) => self.emit(Instr::InstanceOfD { class }),
                    Err(special) => match self.fold_special_class(special) {
                        Some(name) => {
                            let class = self.str(&name);
                            self.emit(Instr::InstanceOfD { class });
                        }
                        None => {
                            self.push_special_class(special);
                            self.emit(Instr::InstanceOfA {});
                        }
                    },
                }
            }
            ClassRef::Expr(class) => {
                self.operands(value, class)?;
                self.emit(Instr::InstanceOf {});
            }
        }
        Ok(())
    }

    /// Pushes the class that `self`, `parent` or `static` stands for at run time.
    pub fn push_special_class(&mut self, class: SpecialClass) {
        self.emit(match class {
            SpecialClass::SelfClass => Instr::SelfCls {},
            SpecialClass::Parent => Instr::ParentCls {},
            SpecialClass::Static => Instr::LateBoundCls {},
        });
    }
}
