//! Statements.

use super::expr::{level, starts_expr};
use super::{Parsed, Parser};
use crate::ast::{
    ArrayForm, Catch, Expr, ExprKind, ExprRef, Foreach, Span, StaticVar, Stmt, StmtKind, SwitchCase, Try,
};
use crate::diagnostic::{Diagnostic, Severity};
use crate::token::{
    Token,
    TokenKind::{self, *},
};

/// Can a statement start with this token?
pub(super) fn starts_statement(kind: TokenKind) -> bool {
    starts_expr(kind)
        || matches!(kind, Semicolon | LeftBrace | If | While | Do | For | Foreach | Switch | Break | Continue | Return)
        || matches!(kind, Global | Echo | InlineHtml | Unset | Declare | Try | Goto)
        || matches!(kind, Abstract | Final | Class | Trait | Interface | Enum)
}

impl<'a> Parser<'a> {
    /// Statements up to one of `ends`, which stays the lookahead.
    pub(super) fn statements_until(&mut self, ends: &[TokenKind]) -> Parsed<&'a [Stmt<'a>]> {
        self.enter()?;
        let from = self.stmts.len();
        while !ends.contains(&self.tok.kind) {
            if !starts_statement(self.tok.kind) && !self.is(HaltCompiler) {
                // PHP lists the ends only where there are several, because then an empty rule comes first.
                return Err(self.unexpected(if ends.len() == 3 { ends } else { &[] }));
            }
            self.inner_statement()?;
        }
        self.leave();
        Ok(self.finish_stmts(from))
    }

    /// A statement inside of something.
    fn inner_statement(&mut self) -> Parsed<()> {
        if self.is(HaltCompiler) {
            self.halt_call()?;
            return Err(self.fatal("__HALT_COMPILER() can only be used from the outermost scope"));
        }
        self.statement()
    }

    /// Parses a statement or declaration onto the stack of statements.
    pub(super) fn statement(&mut self) -> Parsed<()> {
        let stmt = match self.tok.kind {
            Function if self.declares_function() => self.function_decl(&[])?,
            Abstract | Final | Class | Trait | Interface | Enum => self.class_decl(&[])?,
            Readonly if self.peek(1) != LeftParen => self.class_decl(&[])?,
            Attribute => self.attributed_statement()?,
            _ => self.plain_statement()?,
        };
        self.stmts.push(stmt);
        Ok(())
    }

    fn attributed_statement(&mut self) -> Parsed<Stmt<'a>> {
        let attributes = self.attributes()?;
        match self.tok.kind {
            Function if self.declares_function() => self.function_decl(attributes),
            Abstract | Final | Class | Trait | Interface | Enum | Readonly => self.class_decl(attributes),
            Function | Fn | Static => {
                let closure = self.closure_after_attributes(attributes)?;
                let expr = self.operators(closure, level::LOWEST)?;
                self.expr_statement(expr)
            }
            _ => Err(self.unexpected(&[])),
        }
    }

    /// At `function`: does a name follow?
    fn declares_function(&self) -> bool {
        let after = if matches!(self.peek(1), Ampersand | AmpersandVar) { 2 } else { 1 };
        matches!(self.peek(after), Identifier | Readonly)
    }

    /// A statement that declares nothing.
    fn plain_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.tok;
        match start.kind {
            LeftBrace => {
                let stmts = self.block()?;
                Ok(Stmt { span: self.span_from(start), kind: StmtKind::Block(stmts) })
            }
            If => self.if_statement(),
            While => self.while_statement(),
            Do => self.do_while(),
            For => self.for_statement(),
            TokenKind::Foreach => self.foreach(),
            Switch => self.switch(),
            Break | Continue | Return => self.jump(),
            Global => self.global(),
            Static if self.peek(1) == Variable => self.static_vars(),
            Echo => self.echo(),
            InlineHtml => {
                self.bump();
                Ok(Stmt { span: Self::token_span(start), kind: StmtKind::InlineHtml(self.text(start)) })
            }
            Unset => self.unset(),
            Declare => self.declare(),
            TokenKind::Try => self.try_statement(),
            Goto => {
                self.bump();
                let label = self.expect(Identifier)?;
                self.expect(Semicolon)?;
                Ok(Stmt { span: self.span(start.start, label.line), kind: StmtKind::Goto(self.ident(label)) })
            }
            Identifier if self.peek(1) == Colon => {
                self.bump();
                self.bump();
                Ok(Stmt { span: self.span_from(start), kind: StmtKind::Label(self.ident(start)) })
            }
            Semicolon => {
                self.bump();
                Ok(Stmt { span: Self::token_span(start), kind: StmtKind::Nop })
            }
            kind if starts_expr(kind) => {
                let expr = self.expr()?;
                self.expr_statement(expr)
            }
            _ => Err(self.unexpected(&[])),
        }
    }

    fn expr_statement(&mut self, expr: ExprRef<'a>) -> Parsed<Stmt<'a>> {
        self.expect_after_expr(Semicolon)?;
        let span = self.span(expr.span.start, expr.span.line);
        Ok(Stmt { span, kind: StmtKind::Expr(*expr) })
    }

    /// One statement, or after `:` statements up to `end` and a semicolon.
    pub(super) fn body(&mut self, end: TokenKind) -> Parsed<&'a Stmt<'a>> {
        if !self.is(Colon) {
            return self.single_statement();
        }
        let start = self.bump();
        let stmts = self.statements_until(&[end])?;
        self.bump();
        self.expect(Semicolon)?;
        let stmt = Stmt { span: self.span_from(start), kind: StmtKind::Block(stmts) };
        Ok(self.arena.alloc(stmt))
    }

    /// The statement that another one applies to.
    fn single_statement(&mut self) -> Parsed<&'a Stmt<'a>> {
        self.enter()?;
        let stmt = self.plain_statement()?;
        self.leave();
        Ok(self.arena.alloc(stmt))
    }

    /// `(expr)`
    fn condition(&mut self) -> Parsed<Expr<'a>> {
        self.expect(LeftParen)?;
        let cond = *self.expr()?;
        self.expect_after_expr(RightParen)?;
        Ok(cond)
    }

    /// `if` with all its branches; each `else if` nests one deeper, but is read without recursion.
    fn if_statement(&mut self) -> Parsed<Stmt<'a>> {
        let mut open: Vec<(Token, &'a [(Expr<'a>, &'a Stmt<'a>)])> = Vec::new();
        let mut length = 0;
        let mut otherwise = loop {
            let start = self.bump();
            let cond = self.condition()?;
            if self.is(Colon) {
                let stmt = self.alternative_if(start, cond)?;
                break Some(self.alloc(stmt));
            }
            let mut branches = vec![(cond, self.single_statement()?)];
            while self.eat(ElseIf) {
                let cond = self.condition()?;
                branches.push((cond, self.single_statement()?));
            }
            open.push((start, self.slice(&branches)));
            self.link(&mut length)?;
            if !self.eat(Else) {
                break None;
            }
            if !self.is(If) {
                break Some(self.single_statement()?);
            }
        };
        while let Some((start, branches)) = open.pop() {
            let span = self.span(start.start, branches[0].0.span.line);
            otherwise = Some(self.alloc(Stmt { span, kind: StmtKind::If { branches, otherwise } }));
        }
        match otherwise {
            Some(stmt) => Ok(*stmt),
            None => Err(self.unexpected(&[])),
        }
    }

    /// `if (cond): .. elseif (..): .. else: .. endif;` from the first colon on.
    fn alternative_if(&mut self, start: Token, first: Expr<'a>) -> Parsed<Stmt<'a>> {
        let mut branches = Vec::new();
        let mut cond = first;
        loop {
            let body = self.alternative_block(&[ElseIf, Else, EndIf])?;
            branches.push((cond, body));
            if !self.eat(ElseIf) {
                break;
            }
            cond = self.condition()?;
            if !self.is(Colon) {
                return Err(self.unexpected(&[Colon]));
            }
        }
        let otherwise = if self.eat(Else) {
            if !self.is(Colon) {
                return Err(self.unexpected(&[Colon]));
            }
            Some(self.alternative_block(&[EndIf])?)
        } else {
            None
        };
        self.expect(EndIf)?;
        self.expect(Semicolon)?;
        let span = self.span(start.start, first.span.line);
        Ok(Stmt { span, kind: StmtKind::If { branches: self.slice(&branches), otherwise } })
    }

    fn alternative_block(&mut self, ends: &[TokenKind]) -> Parsed<&'a Stmt<'a>> {
        let start = self.bump();
        let stmts = self.statements_until(ends)?;
        let stmt = Stmt { span: self.span_from(start), kind: StmtKind::Block(stmts) };
        Ok(self.arena.alloc(stmt))
    }

    fn while_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let cond = self.condition()?;
        let body = self.body(EndWhile)?;
        Ok(Stmt { span: self.span(start.start, cond.span.line), kind: StmtKind::While { cond, body } })
    }

    fn do_while(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let body = self.single_statement()?;
        self.expect(While)?;
        let cond = self.condition()?;
        self.expect(Semicolon)?;
        Ok(Stmt { span: self.span(start.start, body.span.line), kind: StmtKind::DoWhile { body, cond } })
    }

    fn for_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let init = self.for_exprs()?;
        self.expect(Semicolon)?;
        let cond = self.for_exprs()?;
        self.expect(Semicolon)?;
        let step = self.for_exprs()?;
        self.expect(RightParen)?;
        let first = init.first().or(cond.first()).or(step.first());
        let line = first.map(|expr| expr.span.line);
        let body = self.body(EndFor)?;
        let span = self.span(start.start, line.unwrap_or(body.span.line));
        Ok(Stmt { span, kind: StmtKind::For { init, cond, step, body } })
    }

    fn for_exprs(&mut self) -> Parsed<&'a [Expr<'a>]> {
        if starts_expr(self.tok.kind) { self.expr_list() } else { Ok(&[]) }
    }

    /// Expressions with commas between.
    fn expr_list(&mut self) -> Parsed<&'a [Expr<'a>]> {
        let from = self.exprs.len();
        loop {
            let expr = *self.expr()?;
            self.exprs.push(expr);
            if !self.eat(Comma) {
                return Ok(self.finish_exprs(from));
            }
        }
    }

    fn foreach(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let subject = *self.expr()?;
        self.expect_after_expr(As)?;
        let (mut by_ref, mut value) = self.foreach_target(&[DoubleArrow, RightParen])?;
        let mut key = None;
        if self.eat(DoubleArrow) {
            if by_ref {
                let message = "Key element cannot be a reference";
                self.compile_diagnostics.push(Diagnostic::new(Severity::FatalError, message, subject.span));
            }
            key = Some(value);
            (by_ref, value) = self.foreach_target(&[RightParen])?;
        }
        self.expect(RightParen)?;
        let body = *self.body(EndForeach)?;
        let span = self.span(start.start, subject.span.line);
        let foreach = Foreach { subject, key, by_ref, value, body };
        Ok(Stmt { span, kind: StmtKind::Foreach(self.arena.alloc(foreach)) })
    }

    /// A variable, `&` with a variable or a pattern, which one of `ends` must follow.
    fn foreach_target(&mut self, ends: &[TokenKind]) -> Parsed<(bool, Expr<'a>)> {
        let by_ref = self.ampersand();
        let target = match self.tok.kind {
            List if !by_ref => *self.list_pattern()?,
            LeftBracket if !by_ref => *self.variable_or_pattern()?,
            _ => *self.variable()?,
        };
        if matches!(self.tok.kind, DoubleArrow | RightParen) {
            return Ok((by_ref, target));
        }
        let is_list = matches!(target.kind, ExprKind::Array { form: ArrayForm::List, .. });
        Err(if is_list { self.unexpected(ends) } else { self.variable_goes_on() })
    }

    fn switch(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let subject = self.condition()?;
        let end = match self.tok.kind {
            LeftBrace => RightBrace,
            Colon => EndSwitch,
            _ => return Err(self.unexpected(&[Colon, LeftBrace])),
        };
        self.bump();
        self.eat(Semicolon);
        let mut cases = Vec::new();
        while !self.is(end) {
            cases.push(self.switch_case(end)?);
        }
        self.bump();
        if end == EndSwitch {
            self.expect(Semicolon)?;
        }
        let span = self.span(start.start, subject.span.line);
        Ok(Stmt { span, kind: StmtKind::Switch { subject, cases: self.slice(&cases) } })
    }

    fn switch_case(&mut self, end: TokenKind) -> Parsed<SwitchCase<'a>> {
        let start = self.tok;
        let value = match start.kind {
            Case => {
                self.bump();
                let value = *self.expr()?;
                if !matches!(self.tok.kind, Colon | Semicolon) {
                    return Err(self.unexpected(&[]));
                }
                Some(value)
            }
            Default => {
                self.bump();
                if !matches!(self.tok.kind, Colon | Semicolon) {
                    return Err(self.unexpected(&[Colon, Semicolon]));
                }
                None
            }
            _ => return Err(self.unexpected(&[Case, Default, end])),
        };
        let separator = self.bump();
        let body = self.statements_until(&[Case, Default, end])?;
        let line = value.map_or(separator.line, |value| value.span.line);
        Ok(SwitchCase { span: self.span(start.start, line), value, body })
    }

    /// `break`, `continue` and `return`
    fn jump(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let operand = self.optional_expr()?.copied();
        let line = operand.map_or(self.end_line(self.tok), |operand| operand.span.line);
        self.expect(Semicolon)?;
        let kind = match start.kind {
            Break => StmtKind::Break(operand),
            Continue => StmtKind::Continue(operand),
            _ => StmtKind::Return(operand),
        };
        Ok(Stmt { span: self.span(start.start, line), kind })
    }

    /// Ends a list of things separated by commas: true if another one follows.
    fn more(&mut self) -> Parsed<bool> {
        match self.tok.kind {
            Comma | Semicolon => Ok(self.bump().kind == Comma),
            _ => Err(self.unexpected(&[Comma, Semicolon])),
        }
    }

    fn global(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let from = self.exprs.len();
        loop {
            let variable = *self.simple_variable()?;
            self.exprs.push(variable);
            if !self.more()? {
                break;
            }
        }
        let variables = self.finish_exprs(from);
        Ok(Stmt { span: self.span(start.start, variables[0].span.line), kind: StmtKind::Global(variables) })
    }

    fn static_vars(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let mut variables = Vec::new();
        loop {
            let variable = self.expect(Variable)?;
            let name = self.variable_ident(variable);
            let init = if self.eat(Assign) { Some(*self.expr()?) } else { None };
            variables.push(StaticVar { name, init });
            if !self.more()? {
                break;
            }
        }
        let span = self.span(start.start, variables[0].name.span.line);
        Ok(Stmt { span, kind: StmtKind::StaticVars(self.slice(&variables)) })
    }

    /// `echo a, b;` and `<?= a ?>`
    fn echo(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let exprs = self.expr_list()?;
        if !self.eat(Semicolon) {
            return Err(self.unexpected(&[Comma, Semicolon]));
        }
        Ok(Stmt { span: self.span(start.start, exprs[0].span.line), kind: StmtKind::Echo(exprs) })
    }

    fn unset(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let from = self.exprs.len();
        loop {
            let variable = *self.variable()?;
            self.exprs.push(variable);
            if !self.is(Comma) && !self.is(RightParen) {
                return Err(self.variable_goes_on());
            }
            if !self.eat(Comma) || !self.starts_variable() {
                break;
            }
        }
        let variables = self.finish_exprs(from);
        self.expect(RightParen)?;
        self.expect(Semicolon)?;
        Ok(Stmt { span: self.span(start.start, variables[0].span.line), kind: StmtKind::Unset(variables) })
    }

    fn try_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let line = self.tok.line;
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.is(TokenKind::Catch) {
            catches.push(self.catch()?);
        }
        let finally = if self.eat(Finally) { Some(self.block()?) } else { None };
        let decl = Try { body, catches: self.slice(&catches), finally, end_line: self.last.line };
        Ok(Stmt { span: self.span(start.start, line), kind: StmtKind::Try(self.arena.alloc(decl)) })
    }

    fn catch(&mut self) -> Parsed<Catch<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let mut types = vec![self.class_name()?];
        while self.eat(Pipe) {
            types.push(self.class_name()?);
        }
        let var = if self.is(Variable) {
            let token = self.bump();
            Some(self.variable_ident(token))
        } else {
            None
        };
        self.expect(RightParen)?;
        let body = self.block()?;
        let span = Span { line: types[0].span.line, ..self.span_from(start) };
        Ok(Catch { span, types: self.slice(&types), var, body })
    }
}
