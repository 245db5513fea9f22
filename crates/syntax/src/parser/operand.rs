//! Operands: literals and variables with all indexes, members and calls after them.

use super::{Parsed, Parser, Stop};
use crate::ast::{ArrayForm, BinaryOp, Callee, ClassRef, ExprKind, ExprRef, Ident, MagicConst, MemberName, Name, Span};
use crate::text::{Number, number};
use crate::token::{
    Token,
    TokenKind::{self, *},
};

/// What may follow an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape(u8);

impl Shape {
    /// `[`, `->` and `?->`
    const DEREF: u8 = 1;
    /// `::`
    const SCOPE: u8 = 2;
    /// `(`
    const CALL: u8 = 4;
    /// An assignment operator, `++` or `--`.
    const TARGET: u8 = 8;
    /// `=`
    const PATTERN: u8 = 16;

    /// A literal or another form that nothing can be attached to.
    pub(super) const CLOSED: Shape = Shape(0);
    /// A constant.
    const CONSTANT: Shape = Shape(Shape::DEREF);
    const CLASS_CONSTANT: Shape = Shape(Shape::DEREF | Shape::SCOPE);
    /// `"string"`, `array(..)`, `(expr)`, `new C()`
    pub(super) const VALUE: Shape = Shape(Shape::DEREF | Shape::SCOPE | Shape::CALL);
    const SHORT_ARRAY: Shape = Shape(Shape::DEREF | Shape::SCOPE | Shape::CALL | Shape::PATTERN);
    const VARIABLE: Shape = Shape(Shape::DEREF | Shape::SCOPE | Shape::CALL | Shape::TARGET);
    /// A property: a `(` after it would have made it a call.
    const MEMBER: Shape = Shape(Shape::DEREF | Shape::SCOPE | Shape::TARGET);

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
    pub(super) fn is_target(self) -> bool {
        self.has(Shape::TARGET | Shape::PATTERN)
    }
    pub(super) fn is_pattern(self) -> bool {
        self.has(Shape::PATTERN)
    }
}

/// What makes a value a variable.
const DEREFERENCE: &[TokenKind] = &[Arrow, NullsafeArrow, LeftBracket];

const PROPERTY_NAME: &[TokenKind] = &[Identifier, Variable, LeftBrace, Dollar];

impl<'a> Parser<'a> {
    /// An operand with all that is attached to it.
    pub(super) fn operand(&mut self) -> Parsed<(ExprRef<'a>, Shape)> {
        let (first, shape) = self.primary()?;
        self.attached(first, shape)
    }

    /// An operand that must be a variable: it can be written to or taken by reference.
    pub(super) fn variable(&mut self) -> Parsed<ExprRef<'a>> {
        self.enter()?;
        if !self.starts_variable() {
            return Err(self.unexpected(&[]));
        }
        let (expr, shape) = self.operand()?;
        self.leave();
        if shape.has(Shape::TARGET) {
            return Ok(expr);
        }
        Err(self.not_a_variable(shape))
    }

    /// A variable or `[pattern]`, as after `as`.
    pub(super) fn variable_or_pattern(&mut self) -> Parsed<ExprRef<'a>> {
        let (expr, shape) = self.operand()?;
        if shape.is_target() { Ok(expr) } else { Err(self.not_a_variable(shape)) }
    }

    /// A value stands where only a variable can: it would have to go on.
    fn not_a_variable(&mut self, shape: Shape) -> Stop {
        self.unexpected(if shape == Shape::CLOSED { &[LeftParen] } else { DEREFERENCE })
    }

    /// What PHP lists after a variable that cannot end here.
    pub(super) fn variable_goes_on(&mut self) -> Stop {
        self.unexpected(DEREFERENCE)
    }

    /// Indexes, members and calls after `expr`.
    fn attached(&mut self, mut expr: ExprRef<'a>, mut shape: Shape) -> Parsed<(ExprRef<'a>, Shape)> {
        let mut length = 0;
        loop {
            self.link(&mut length)?;
            (expr, shape) = match self.tok.kind {
                LeftBracket if shape.has(Shape::DEREF) => (self.index(expr)?, Shape::VARIABLE),
                Arrow | NullsafeArrow if shape.has(Shape::DEREF) => self.member(expr)?,
                DoubleColon if shape.has(Shape::SCOPE) => {
                    let start = expr.span;
                    self.static_member(ClassRef::Expr(expr), start)?
                }
                LeftParen if shape.has(Shape::CALL) => {
                    let line = self.tok.line;
                    let args = self.arguments()?;
                    let span = self.span(expr.span.start, line);
                    (self.expr_node(span, ExprKind::Call { callee: Callee::Expr(expr), args }), Shape::VARIABLE)
                }
                _ => return Ok((expr, shape)),
            };
        }
    }

    pub(super) fn index(&mut self, base: ExprRef<'a>) -> Parsed<ExprRef<'a>> {
        self.bump();
        let index = self.optional_expr()?;
        self.expect(RightBracket)?;
        let span = self.span(base.span.start, base.span.line);
        Ok(self.expr_node(span, ExprKind::Dim { base, index }))
    }

    /// `->name` or `->name(..)`
    fn member(&mut self, base: ExprRef<'a>) -> Parsed<(ExprRef<'a>, Shape)> {
        let nullsafe = self.bump().kind == NullsafeArrow;
        let name = self.property_name()?;
        if self.is(LeftParen) {
            let args = self.arguments()?;
            let span = self.span(base.span.start, base.span.line);
            return Ok((self.expr_node(span, ExprKind::MethodCall { base, name, nullsafe, args }), Shape::VARIABLE));
        }
        let span = self.span(base.span.start, base.span.line);
        Ok((self.expr_node(span, ExprKind::Prop { base, name, nullsafe }), Shape::MEMBER))
    }

    pub(super) fn property_name(&mut self) -> Parsed<MemberName<'a>> {
        match self.tok.kind {
            Identifier => {
                let token = self.bump();
                Ok(MemberName::Ident(self.ident(token)))
            }
            LeftBrace => self.braced_name(),
            Variable | Dollar => Ok(MemberName::Expr(self.simple_variable()?)),
            _ => Err(self.unexpected(PROPERTY_NAME)),
        }
    }

    fn braced_name(&mut self) -> Parsed<MemberName<'a>> {
        self.bump();
        let expr = self.expr()?;
        self.expect_after_expr(RightBrace)?;
        Ok(MemberName::Expr(expr))
    }

    /// `::name`, `::name(..)`, `::$name`, `::{expr}`
    fn static_member(&mut self, class: ClassRef<'a>, start: Span) -> Parsed<(ExprRef<'a>, Shape)> {
        self.bump();
        if matches!(self.tok.kind, Variable | Dollar) {
            let variable = self.simple_variable()?;
            if self.is(LeftParen) {
                let args = self.arguments()?;
                let kind = ExprKind::StaticCall { class, name: MemberName::Expr(variable), args };
                return Ok((self.expr_node(self.span(start.start, start.line), kind), Shape::VARIABLE));
            }
            let name = property_of(variable);
            let span = self.span(start.start, start.line);
            return Ok((self.expr_node(span, ExprKind::StaticProp { class, name }), Shape::MEMBER));
        }
        let name = match self.tok.kind {
            LeftBrace => self.braced_name()?,
            kind if kind.is_identifier() => MemberName::Ident(self.take_identifier()?),
            _ => return Err(self.unexpected(&[])),
        };
        if self.is(LeftParen) {
            let args = self.arguments()?;
            let span = self.span(start.start, start.line);
            return Ok((self.expr_node(span, ExprKind::StaticCall { class, name, args }), Shape::VARIABLE));
        }
        let span = self.span(start.start, start.line);
        Ok((self.expr_node(span, ExprKind::ClassConst { class, name }), Shape::CLASS_CONSTANT))
    }

    /// `$name`, `$$name`, `${expr}`
    pub(super) fn simple_variable(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.tok;
        let mut dollars = 0;
        while self.eat(Dollar) {
            self.link(&mut dollars)?;
        }
        let mut variable = match self.tok.kind {
            Variable => {
                let token = self.bump();
                let ident = self.variable_ident(token);
                self.expr_node(ident.span, ExprKind::Var(ident.text))
            }
            LeftBrace if dollars > 0 => {
                dollars -= 1;
                self.bump();
                let expr = self.expr()?;
                self.expect_after_expr(RightBrace)?;
                let span = self.span(self.last_dollar(start, dollars), expr.span.line);
                self.variable_named_by(span, expr)
            }
            _ if dollars > 0 => return Err(self.unexpected(&[Variable, LeftBrace, Dollar])),
            _ => return Err(self.unexpected(&[Variable, Dollar])),
        };
        for outer in (0..dollars).rev() {
            let span = self.span(self.last_dollar(start, outer), variable.span.line);
            variable = self.expr_node(span, ExprKind::VarVar(variable));
        }
        Ok(variable)
    }

    /// `${name}`: literals, also joined ones, name a variable like any other.
    fn variable_named_by(&self, span: Span, name: ExprRef<'a>) -> ExprRef<'a> {
        let Some(text) = joined_literals(name) else { return self.expr_node(span, ExprKind::VarVar(name)) };
        let is_plain = |(at, byte): (usize, &u8)| {
            byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80 || at > 0 && byte.is_ascii_digit()
        };
        if !text.is_empty() && text.iter().enumerate().all(is_plain) {
            return self.expr_node(span, ExprKind::Var(self.arena.alloc_slice_copy(&text)));
        }
        let name = self.expr_node(name.span, ExprKind::Str(self.arena.alloc_slice_copy(&text)));
        self.expr_node(span, ExprKind::VarVar(name))
    }

    /// Where the dollar sign `index` of a run that starts at `start` most likely is: they rarely have space between.
    fn last_dollar(&self, start: Token, index: u32) -> u32 {
        (start.start + index).min(self.last.start)
    }

    /// Can a variable start here?
    pub(super) fn starts_variable(&self) -> bool {
        let kind = self.tok.kind;
        kind.is_name()
            || magic_const(kind).is_some()
            || matches!(kind, Variable | Dollar | Static | Readonly | LeftParen | LeftBracket | Array | New)
            || matches!(kind, QuotedString | DoubleQuote)
    }

    /// The first part of an operand.
    fn primary(&mut self) -> Parsed<(ExprRef<'a>, Shape)> {
        let token = self.tok;
        Ok(match token.kind {
            Variable | Dollar => (self.simple_variable()?, Shape::VARIABLE),
            Identifier | QualifiedName | FullyQualifiedName | RelativeName => {
                self.bump();
                let name = self.name(token);
                return self.after_name(name);
            }
            IntLiteral | FloatLiteral => (self.number_literal(), Shape::CLOSED),
            QuotedString => {
                let text = self.quoted_string(token)?;
                self.bump();
                (self.expr_node(Self::token_span(token), ExprKind::Str(text)), Shape::VALUE)
            }
            DoubleQuote => (self.interpolated_string()?, Shape::VALUE),
            StartHeredoc => (self.heredoc()?, Shape::CLOSED),
            Backquote => (self.shell_exec()?, Shape::CLOSED),
            LeftBracket => (self.array_literal(ArrayForm::Short)?, Shape::SHORT_ARRAY),
            Array => {
                self.bump();
                (self.array_literal(ArrayForm::Long)?, Shape::VALUE)
            }
            List => {
                let pattern = self.list_pattern()?;
                if !self.is(Assign) {
                    return Err(self.unexpected(&[Assign]));
                }
                (pattern, Shape(Shape::PATTERN))
            }
            LeftParen => {
                self.bump();
                let inner = self.expr()?;
                self.expect_after_expr(RightParen)?;
                (self.parenthesized(inner), Shape::VALUE)
            }
            New => return self.new_object(),
            Static => return self.after_static(),
            Readonly => {
                self.bump();
                let name = self.name(token);
                if !self.is(LeftParen) {
                    return Err(self.unexpected(&[LeftParen]));
                }
                let args = self.arguments()?;
                let name = Name { span: Span { line: self.last.line, ..name.span }, ..name };
                let span = self.span(token.start, name.span.line);
                (self.expr_node(span, ExprKind::Call { callee: Callee::Name(name), args }), Shape::VARIABLE)
            }
            Function | Fn => (self.closure(token, &[], false)?, Shape::CLOSED),
            Attribute => (self.attributed_closure()?, Shape::CLOSED),
            Match => (self.match_expr()?, Shape::CLOSED),
            Isset => (self.isset()?, Shape::CLOSED),
            Empty | Eval => (self.parenthesized_operator()?, Shape::CLOSED),
            Exit => (self.exit()?, Shape::CLOSED),
            kind => match magic_const(kind) {
                Some(magic) => {
                    let names_argument = self.argument_start == Some(self.at);
                    self.bump();
                    // PHP has to look at the next token first where this one could be an argument's name.
                    let line = if names_argument { self.tok.line } else { token.line };
                    let span = Span { line, ..Self::token_span(token) };
                    (self.expr_node(span, ExprKind::MagicConst(magic)), Shape::CONSTANT)
                }
                None => return Err(self.unexpected(&[])),
            },
        })
    }

    /// A constant, a function call or a static member.
    fn after_name(&mut self, name: Name<'a>) -> Parsed<(ExprRef<'a>, Shape)> {
        match self.tok.kind {
            LeftParen => {
                let args = self.arguments()?;
                let span = self.span(name.span.start, name.span.line);
                Ok((self.expr_node(span, ExprKind::Call { callee: Callee::Name(name), args }), Shape::VARIABLE))
            }
            DoubleColon => self.static_member(ClassRef::Name(name), name.span),
            _ => Ok((self.expr_node(name.span, ExprKind::Const(name)), Shape::CONSTANT)),
        }
    }

    /// `static::..` or a static closure.
    fn after_static(&mut self) -> Parsed<(ExprRef<'a>, Shape)> {
        let token = self.bump();
        match self.tok.kind {
            Function | Fn => Ok((self.closure(token, &[], true)?, Shape::CLOSED)),
            DoubleColon => {
                let name = self.name(token);
                self.static_member(ClassRef::Name(name), name.span)
            }
            _ => Err(self.unexpected(&[DoubleColon])),
        }
    }

    fn number_literal(&mut self) -> ExprRef<'a> {
        let token = self.bump();
        let kind = match number(self.text(token)) {
            Number::Int(value) => ExprKind::Int(value),
            Number::Float(value) => ExprKind::Float(value),
        };
        self.expr_node(Self::token_span(token), kind)
    }

    /// A class name where it stands alone: `static` or a name.
    pub(super) fn class_name(&mut self) -> Parsed<Name<'a>> {
        if self.tok.kind.is_name() || self.is(Static) {
            let token = self.bump();
            return Ok(self.name(token));
        }
        Err(self.unexpected(&[]))
    }
}

fn magic_const(kind: TokenKind) -> Option<MagicConst> {
    Some(match kind {
        MagicLine => MagicConst::Line,
        MagicFile => MagicConst::File,
        MagicDir => MagicConst::Dir,
        MagicClass => MagicConst::Class,
        MagicTrait => MagicConst::Trait,
        MagicMethod => MagicConst::Method,
        MagicFunction => MagicConst::Function,
        MagicProperty => MagicConst::Property,
        MagicNamespace => MagicConst::Namespace,
        _ => return None,
    })
}

/// The name of the static property that `variable` stands for after `::`.
pub(super) fn property_of<'a>(variable: ExprRef<'a>) -> MemberName<'a> {
    match variable.kind {
        ExprKind::Var(text) => MemberName::Ident(Ident { span: variable.span, text }),
        ExprKind::VarVar(inner) => MemberName::Expr(inner),
        _ => MemberName::Expr(variable),
    }
}

/// The text of a string or of strings and integers that are joined.
fn joined_literals(e: ExprRef<'_>) -> Option<Vec<u8>> {
    match e.kind {
        ExprKind::Str(text) => Some(text.to_vec()),
        ExprKind::Binary { op: BinaryOp::Concat, lhs, rhs } => {
            let part = |e: ExprRef<'_>| match e.kind {
                ExprKind::Int(int) => Some(int.to_string().into_bytes()),
                _ => joined_literals(e),
            };
            Some([part(lhs)?, part(rhs)?].concat())
        }
        _ => None,
    }
}
