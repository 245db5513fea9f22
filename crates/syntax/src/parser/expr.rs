//! Expressions: operators by precedence.
//!
//! Prefix operators take an operand of their own level wherever they stand, and an assignment
//! takes whatever variable is directly left of it: `!$a = f()` and `1 + $x = 2` are legal.

use super::new::NewName;
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, CastType, ClassRef, ExprKind, ExprRef, IncDecOp, IncludeKind, Span, UnaryOp};
use crate::token::TokenKind::{self, *};

/// Binding strength, weakest first; an operand at a level includes all operators of that level and above.
pub(super) mod level {
    pub const LOWEST: u8 = 0;
    pub const OR: u8 = 1;
    pub const XOR: u8 = 2;
    pub const AND: u8 = 3;
    /// What `print`, `yield`, `yield from` and assignments take: everything but `and`, `or`, `xor`.
    pub const ASSIGNED: u8 = 4;
    pub const TERNARY: u8 = 5;
    pub const COALESCE: u8 = 6;
    pub const BOOLEAN_OR: u8 = 7;
    pub const BOOLEAN_AND: u8 = 8;
    pub const BIT_OR: u8 = 9;
    pub const BIT_XOR: u8 = 10;
    pub const BIT_AND: u8 = 11;
    pub const EQUALITY: u8 = 12;
    pub const COMPARISON: u8 = 13;
    pub const CONCAT: u8 = 14;
    pub const SHIFT: u8 = 15;
    pub const SUM: u8 = 16;
    pub const PRODUCT: u8 = 17;
    pub const INSTANCEOF: u8 = 19;
    pub const POW: u8 = 21;
    pub const CLONE: u8 = 22;
}

/// The level and meaning of a binary operator; `?` and `instanceof` are handled apart.
fn binary(kind: TokenKind) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        LogicalOr => (level::OR, BinaryOp::Or),
        LogicalXor => (level::XOR, BinaryOp::Xor),
        LogicalAnd => (level::AND, BinaryOp::And),
        Coalesce => (level::COALESCE, BinaryOp::Coalesce),
        BooleanOr => (level::BOOLEAN_OR, BinaryOp::Or),
        BooleanAnd => (level::BOOLEAN_AND, BinaryOp::And),
        Pipe => (level::BIT_OR, BinaryOp::BitOr),
        Caret => (level::BIT_XOR, BinaryOp::BitXor),
        Ampersand | AmpersandVar => (level::BIT_AND, BinaryOp::BitAnd),
        IsEqual => (level::EQUALITY, BinaryOp::Eq),
        IsNotEqual => (level::EQUALITY, BinaryOp::NotEq),
        IsIdentical => (level::EQUALITY, BinaryOp::Same),
        IsNotIdentical => (level::EQUALITY, BinaryOp::NotSame),
        Spaceship => (level::EQUALITY, BinaryOp::Spaceship),
        Less => (level::COMPARISON, BinaryOp::Lt),
        LessOrEqual => (level::COMPARISON, BinaryOp::Le),
        Greater => (level::COMPARISON, BinaryOp::Gt),
        GreaterOrEqual => (level::COMPARISON, BinaryOp::Ge),
        Dot => (level::CONCAT, BinaryOp::Concat),
        Shl => (level::SHIFT, BinaryOp::Shl),
        Shr => (level::SHIFT, BinaryOp::Shr),
        Plus => (level::SUM, BinaryOp::Add),
        Minus => (level::SUM, BinaryOp::Sub),
        Star => (level::PRODUCT, BinaryOp::Mul),
        Slash => (level::PRODUCT, BinaryOp::Div),
        Percent => (level::PRODUCT, BinaryOp::Mod),
        Pow => (level::POW, BinaryOp::Pow),
        _ => return None,
    })
}

/// The operator of a compound assignment.
fn assignment(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        PlusAssign => BinaryOp::Add,
        MinusAssign => BinaryOp::Sub,
        MulAssign => BinaryOp::Mul,
        DivAssign => BinaryOp::Div,
        ConcatAssign => BinaryOp::Concat,
        ModAssign => BinaryOp::Mod,
        AndAssign => BinaryOp::BitAnd,
        OrAssign => BinaryOp::BitOr,
        XorAssign => BinaryOp::BitXor,
        ShlAssign => BinaryOp::Shl,
        ShrAssign => BinaryOp::Shr,
        PowAssign => BinaryOp::Pow,
        CoalesceAssign => BinaryOp::Coalesce,
        _ => return None,
    })
}

/// A prefix operator: what it builds and how much it takes.
enum Prefix {
    Unary(UnaryOp, u8),
    Cast(CastType),
    Include(IncludeKind),
    Print,
    Clone,
    Throw,
    YieldFrom,
}

fn prefix(kind: TokenKind) -> Option<Prefix> {
    Some(match kind {
        Plus => Prefix::Unary(UnaryOp::Plus, level::POW),
        Minus => Prefix::Unary(UnaryOp::Minus, level::POW),
        Tilde => Prefix::Unary(UnaryOp::BitNot, level::POW),
        At => Prefix::Unary(UnaryOp::Silence, level::POW),
        Bang => Prefix::Unary(UnaryOp::Not, level::INSTANCEOF),
        IntCast => Prefix::Cast(CastType::Int),
        FloatCast => Prefix::Cast(CastType::Float),
        StringCast => Prefix::Cast(CastType::String),
        ArrayCast => Prefix::Cast(CastType::Array),
        ObjectCast => Prefix::Cast(CastType::Object),
        BoolCast => Prefix::Cast(CastType::Bool),
        UnsetCast => Prefix::Cast(CastType::Unset),
        TokenKind::Include => Prefix::Include(IncludeKind::Include),
        IncludeOnce => Prefix::Include(IncludeKind::IncludeOnce),
        Require => Prefix::Include(IncludeKind::Require),
        RequireOnce => Prefix::Include(IncludeKind::RequireOnce),
        TokenKind::Print => Prefix::Print,
        TokenKind::Clone => Prefix::Clone,
        TokenKind::Throw => Prefix::Throw,
        TokenKind::YieldFrom => Prefix::YieldFrom,
        _ => return None,
    })
}

/// Can an expression start with this token?
pub(super) fn starts_expr(kind: TokenKind) -> bool {
    kind.is_name()
        || prefix(kind).is_some()
        || matches!(
            kind,
            IntLiteral | FloatLiteral | Variable | QuotedString | Eval | Yield | New | Exit | Match | Function | Fn
        )
        || matches!(kind, Static | Readonly | Isset | Empty | List | Array | Attribute | Increment | Decrement)
        || matches!(kind, StartHeredoc | LeftParen | LeftBracket | Backquote | DoubleQuote | Dollar)
        || matches!(kind, MagicLine | MagicFile | MagicDir | MagicClass | MagicTrait | MagicMethod)
        || matches!(kind, MagicFunction | MagicProperty | MagicNamespace)
}

fn is_literal(expr: ExprRef<'_>) -> bool {
    matches!(expr.kind, ExprKind::Str(_) | ExprKind::Int(_) | ExprKind::Float(_))
}

impl<'a> Parser<'a> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Parsed<ExprRef<'a>> {
        self.expr_at(level::LOWEST)
    }

    /// Any expression, or nothing where none starts.
    pub(super) fn optional_expr(&mut self) -> Parsed<Option<ExprRef<'a>>> {
        if starts_expr(self.tok.kind) { self.expr().map(Some) } else { Ok(None) }
    }

    /// An expression of operators at `min` or above.
    pub(super) fn expr_at(&mut self, min: u8) -> Parsed<ExprRef<'a>> {
        self.enter()?;
        let first = self.unary()?;
        let expr = self.operators(first, min)?;
        self.leave();
        Ok(expr)
    }

    /// The binary operators after `lhs`.
    pub(super) fn operators(&mut self, mut lhs: ExprRef<'a>, min: u8) -> Parsed<ExprRef<'a>> {
        // The level of the last operator if it does not associate.
        let mut closed = None;
        let mut joined = is_literal(lhs);
        let mut length = 0;
        loop {
            self.link(&mut length)?;
            let kind = self.tok.kind;
            let Some((strength, op)) = binary(kind) else {
                match kind {
                    Question if min <= level::TERNARY => lhs = self.ternary(lhs)?,
                    TokenKind::InstanceOf if min <= level::INSTANCEOF => lhs = self.instance_of(lhs)?,
                    _ => return Ok(lhs),
                }
                closed = None;
                joined = false;
                continue;
            };
            if strength < min {
                return Ok(lhs);
            }
            if closed == Some(strength) {
                return Err(self.unexpected(&[]));
            }
            self.bump();
            let right_associative = matches!(strength, level::COALESCE | level::POW);
            let rhs = self.expr_at(if right_associative { strength } else { strength + 1 })?;
            closed = matches!(strength, level::EQUALITY | level::COMPARISON).then_some(strength);
            // PHP joins literals right here, and gives the result the line that it has reached.
            joined = joined && op == BinaryOp::Concat && is_literal(rhs);
            let line = if joined { self.end_line(self.tok) } else { lhs.span.line };
            let span = self.span(lhs.span.start, line);
            lhs = self.expr_node(span, ExprKind::Binary { op, lhs, rhs });
        }
    }

    fn ternary(&mut self, cond: ExprRef<'a>) -> Parsed<ExprRef<'a>> {
        self.bump();
        let then = if self.is(Colon) { None } else { Some(self.expr()?) };
        self.expect_after_expr(Colon)?;
        let otherwise = self.expr_at(level::TERNARY + 1)?;
        let span = self.span(cond.span.start, cond.span.line);
        Ok(self.expr_node(span, ExprKind::Ternary { cond, then, otherwise, parenthesized: false }))
    }

    fn instance_of(&mut self, value: ExprRef<'a>) -> Parsed<ExprRef<'a>> {
        self.bump();
        let class = self.class_reference()?;
        let span = self.span(value.span.start, value.span.line);
        Ok(self.expr_node(span, ExprKind::InstanceOf { value, class }))
    }

    /// A prefix operator with its operand, or an operand with what may be assigned to it.
    fn unary(&mut self) -> Parsed<ExprRef<'a>> {
        match self.tok.kind {
            Increment | Decrement => self.pre_inc_dec(),
            Yield => self.yield_expr(),
            kind => match prefix(kind) {
                Some(prefix) => self.prefixed(prefix),
                None => {
                    let (operand, shape) = self.operand()?;
                    if shape.is_target() { self.assignment(operand, shape.is_pattern()) } else { Ok(operand) }
                }
            },
        }
    }

    fn prefixed(&mut self, prefix: Prefix) -> Parsed<ExprRef<'a>> {
        let operator = self.bump();
        let operand = self.expr_at(match prefix {
            Prefix::Unary(_, level) => level,
            Prefix::Cast(_) => level::POW,
            Prefix::Clone => level::CLONE,
            Prefix::Print | Prefix::YieldFrom => level::ASSIGNED,
            Prefix::Throw | Prefix::Include(_) => level::LOWEST,
        })?;
        let kind = match prefix {
            Prefix::Unary(op, _) => ExprKind::Unary { op, operand },
            Prefix::Cast(to) => ExprKind::Cast { to, operand },
            Prefix::Include(kind) => ExprKind::Include { kind, path: operand },
            Prefix::Print => ExprKind::Print(operand),
            Prefix::Clone => ExprKind::Clone(operand),
            Prefix::Throw => ExprKind::Throw(operand),
            Prefix::YieldFrom => ExprKind::YieldFrom(operand),
        };
        let span = self.span(operator.start, operand.span.line);
        Ok(self.expr_node(span, kind))
    }

    fn pre_inc_dec(&mut self) -> Parsed<ExprRef<'a>> {
        let operator = self.bump();
        let op = if operator.kind == Increment { IncDecOp::PreInc } else { IncDecOp::PreDec };
        let target = self.variable()?;
        let span = self.span(operator.start, target.span.line);
        Ok(self.expr_node(span, ExprKind::IncDec { op, target }))
    }

    fn yield_expr(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        if !starts_expr(self.tok.kind) {
            let line = self.end_line(self.tok);
            let span = self.span(start.start, line);
            return Ok(self.expr_node(span, ExprKind::Yield { key: None, value: None }));
        }
        let first = self.expr_at(level::ASSIGNED)?;
        let (key, value) =
            if self.eat(DoubleArrow) { (Some(first), self.expr_at(level::ASSIGNED)?) } else { (None, first) };
        let span = self.span(start.start, value.span.line);
        Ok(self.expr_node(span, ExprKind::Yield { key, value: Some(value) }))
    }

    /// An assignment, `++` or `--` after `target`; patterns can only be assigned to with `=`.
    fn assignment(&mut self, target: ExprRef<'a>, is_pattern: bool) -> Parsed<ExprRef<'a>> {
        let kind = self.tok.kind;
        let start = target.span;
        let node = |parser: &Self, kind| Ok(parser.expr_node(parser.span(start.start, start.line), kind));
        if kind == Assign {
            self.bump();
            if !is_pattern && matches!(self.tok.kind, Ampersand | AmpersandVar) {
                self.bump();
                let value = self.variable()?;
                return node(self, ExprKind::AssignRef { target, value });
            }
            let value = self.expr_at(level::ASSIGNED)?;
            return node(self, ExprKind::Assign { target, value });
        }
        if is_pattern {
            return Ok(target);
        }
        if let Some(op) = assignment(kind) {
            self.bump();
            let value = self.expr_at(level::ASSIGNED)?;
            return node(self, ExprKind::AssignOp { op, target, value });
        }
        let op = match kind {
            Increment => IncDecOp::PostInc,
            Decrement => IncDecOp::PostDec,
            _ => return Ok(target),
        };
        self.bump();
        node(self, ExprKind::IncDec { op, target })
    }

    /// A class name, a simple variable chain or `(expr)`: the right side of `instanceof`.
    fn class_reference(&mut self) -> Parsed<ClassRef<'a>> {
        Ok(match self.new_class_name()? {
            NewName::Name(name) => ClassRef::Name(name),
            NewName::Expr(expr) => ClassRef::Expr(expr),
        })
    }

    /// The span of `inner` without change: parentheses leave no trace but on ternaries.
    pub(super) fn parenthesized(&self, inner: ExprRef<'a>) -> ExprRef<'a> {
        match inner.kind {
            ExprKind::Ternary { cond, then, otherwise, .. } => {
                self.expr_node(inner.span, ExprKind::Ternary { cond, then, otherwise, parenthesized: true })
            }
            _ => inner,
        }
    }

    /// A span that starts at `start` but has the line of `first`.
    pub(super) fn span_with_line(&self, start: u32, first: ExprRef<'a>) -> Span {
        self.span(start, first.span.line)
    }
}
