//! What can stand outside of functions only: namespaces, imports, constants, `__halt_compiler`.

use super::{Parsed, Parser, Stop};
use crate::ast::{BinaryOp, ConstItem, Expr, ExprKind, Ident, Name, Span, Stmt, StmtKind, UseItem, UseKind};
use crate::diagnostic::{Diagnostic, Severity};
use crate::token::{
    Token,
    TokenKind::{self, *},
};

impl<'a> Parser<'a> {
    /// A whole file.
    pub(super) fn top_level(&mut self) -> Parsed<&'a [Stmt<'a>]> {
        let from = self.stmts.len();
        while !self.is(End) {
            self.top_statement()?;
            if self.halt_offset.is_some() {
                break;
            }
        }
        Ok(self.finish_stmts(from))
    }

    /// A statement at the top level of a file or of a namespace's braces.
    fn top_statement(&mut self) -> Parsed<()> {
        let stmt = match self.tok.kind {
            Namespace => self.namespace()?,
            Use => self.use_decl()?,
            Const => self.const_decl()?,
            HaltCompiler => self.halt_compiler()?,
            kind if super::stmt::starts_statement(kind) => return self.statement(),
            _ => return Err(self.unexpected(if self.depth == 0 { &[End] } else { &[] })),
        };
        self.stmts.push(stmt);
        Ok(())
    }

    fn namespace(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        self.doc_comment = None;
        let mut name = None;
        if self.tok.kind.is_identifier() || self.is(QualifiedName) {
            let token = self.tok;
            self.take_identifier()?;
            self.doc_comment = None;
            name = Some(self.name(token));
            if self.eat(Semicolon) {
                let line = name.map_or(start.line, |name| name.span.line);
                return Ok(Stmt { span: self.span(start.start, line), kind: StmtKind::Namespace { name, body: None } });
            }
        }
        let open = self.expect(LeftBrace)?;
        self.namespace_line = open.line;
        self.enter()?;
        let from = self.stmts.len();
        while !self.is(RightBrace) {
            self.top_statement()?;
            if self.halt_offset.is_some() {
                return Err(Stop);
            }
        }
        let body = self.finish_stmts(from);
        self.leave();
        self.bump();
        let line = name.map_or(open.line, |name| name.span.line);
        Ok(Stmt { span: self.span(start.start, line), kind: StmtKind::Namespace { name, body: Some(body) } })
    }

    fn use_decl(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let kind = self.use_kind();
        let mut items = Vec::new();
        loop {
            let token = self.tok;
            if !matches!(token.kind, Identifier | QualifiedName | FullyQualifiedName) {
                let names: &[TokenKind] = &[Identifier, FullyQualifiedName, QualifiedName];
                return Err(self.unexpected(if kind.is_some() || !items.is_empty() { names } else { &[] }));
            }
            self.bump();
            let name = self.name(token);
            if items.is_empty() && self.eat(Backslash) {
                self.group_use(name, kind, &mut items)?;
                self.expect(Semicolon)?;
                break;
            }
            let alias = self.use_alias()?;
            let span = Span { end: self.last.end, ..name.span };
            items.push(UseItem { span, kind: kind.unwrap_or(UseKind::Class), name: name.text, alias });
            if self.eat(Semicolon) {
                break;
            }
            if !self.eat(Comma) {
                return Err(self.unexpected(&[Comma, Semicolon]));
            }
        }
        let line = items.first().map_or(start.line, |item| item.span.line);
        Ok(Stmt { span: self.span(start.start, line), kind: StmtKind::Use(self.slice(&items)) })
    }

    fn use_kind(&mut self) -> Option<UseKind> {
        let kind = match self.tok.kind {
            Function => UseKind::Function,
            Const => UseKind::Const,
            _ => return None,
        };
        self.bump();
        Some(kind)
    }

    fn use_alias(&mut self) -> Parsed<Option<Ident<'a>>> {
        if !self.eat(As) {
            return Ok(None);
        }
        let token = self.expect(Identifier)?;
        Ok(Some(self.ident(token)))
    }

    /// `{A, function b, ..}` after `prefix\`; without a common `kind` each name can have its own.
    fn group_use(&mut self, prefix: Name<'a>, kind: Option<UseKind>, items: &mut Vec<UseItem<'a>>) -> Parsed<()> {
        self.expect(LeftBrace)?;
        loop {
            let own_kind = if kind.is_none() { self.use_kind() } else { None };
            let token = self.tok;
            if !matches!(token.kind, Identifier | QualifiedName) {
                let expected: &[TokenKind] = if kind.is_some() || own_kind.is_some() {
                    &[Identifier, QualifiedName]
                } else {
                    &[Identifier, QualifiedName, Function, Const]
                };
                return Err(self.unexpected(expected));
            }
            self.bump();
            let name = self.arena.alloc_slice_copy(&[prefix.text, b"\\", self.text(token)].concat());
            let alias = self.use_alias()?;
            let span = self.span_from(token);
            let kind = kind.or(own_kind).unwrap_or(UseKind::Class);
            items.push(UseItem { span, kind, name, alias });
            let goes_on = |parser: &Self| {
                matches!(parser.tok.kind, Identifier | QualifiedName)
                    || (kind == UseKind::Class || own_kind.is_some()) && matches!(parser.tok.kind, Function | Const)
            };
            if !self.eat(Comma) || !goes_on(self) {
                break;
            }
        }
        self.expect(RightBrace)?;
        Ok(())
    }

    fn const_decl(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let items = self.const_list()?;
        if !self.eat(Semicolon) {
            return Err(self.unexpected(&[Comma, Semicolon]));
        }
        let span = self.span(start.start, items[0].name.span.line);
        Ok(Stmt { span, kind: StmtKind::Const(self.slice(&items)) })
    }

    /// `A = expr, B = expr`
    fn const_list(&mut self) -> Parsed<Vec<ConstItem<'a>>> {
        let mut items = Vec::new();
        loop {
            let name = self.expect(Identifier)?;
            let name = self.ident(name);
            self.expect(Assign)?;
            let value = *self.expr()?;
            let doc_comment = self.take_doc_comment();
            items.push(ConstItem { name, value, doc_comment });
            if !self.eat(Comma) {
                return Ok(items);
            }
        }
    }

    /// `declare(..)` and what it applies to.
    pub(super) fn declare(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let items = self.const_list()?;
        if !self.is(RightParen) {
            return Err(self.unexpected(&[Comma, RightParen]));
        }
        self.bump();
        self.check_encoding(&items)?;
        let directives: Vec<(Ident<'a>, Expr<'a>)> = items.iter().map(|item| (item.name, item.value)).collect();
        let directives = self.slice(&directives);
        let body = if self.eat(Semicolon) { None } else { Some(self.body(EndDeclare)?) };
        let span = self.span(start.start, items[0].name.span.line);
        Ok(Stmt { span, kind: StmtKind::Declare { directives, body } })
    }

    /// `declare(encoding=..)` does nothing here (the source was converted before), but must be well-formed.
    fn check_encoding(&mut self, items: &[ConstItem<'a>]) -> Parsed<()> {
        let line = self.last.line;
        for item in items.iter().filter(|item| item.name.text.eq_ignore_ascii_case(b"encoding")) {
            let span = Span { line, ..item.value.span };
            if !is_literal(&item.value) {
                let message = "Encoding must be a literal";
                self.diagnostics.push(Diagnostic::new(Severity::CompileError, message, span));
                return Err(Stop);
            }
            let message = match &item.value.kind {
                _ if !self.multibyte => {
                    "declare(encoding=...) ignored because Zend multibyte feature is turned off by settings".to_owned()
                }
                ExprKind::Str(name) if is_encoding(name) => continue,
                ExprKind::Str(name) => format!("Unsupported encoding [{}]", String::from_utf8_lossy(name)),
                ExprKind::Int(number) => format!("Unsupported encoding [{number}]"),
                _ => {
                    let text = self.src.get(item.value.span.start as usize..item.value.span.end as usize);
                    format!("Unsupported encoding [{}]", String::from_utf8_lossy(text.unwrap_or(b"")))
                }
            };
            self.diagnostics.push(Diagnostic::new(Severity::CompileWarning, message, span));
        }
        Ok(())
    }

    fn halt_compiler(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.halt_call()?;
        if self.depth > 0 {
            // PHP stops reading here and then misses the closing brace.
            let line = self.tok.line;
            let place =
                if self.namespace_line == line { String::new() } else { format!(" on line {}", self.namespace_line) };
            return Err(self.parse_error(format!("Unclosed '{{'{place}"), line));
        }
        self.halt_offset = Some(self.last.end);
        Ok(Stmt { span: self.span_from(start), kind: StmtKind::HaltCompiler })
    }

    /// `__halt_compiler();`
    pub(super) fn halt_call(&mut self) -> Parsed<Token> {
        let start = self.bump();
        self.expect(LeftParen)?;
        self.expect(RightParen)?;
        self.expect(Semicolon)?;
        Ok(start)
    }
}

/// Is this a number or a string? PHP joins literals at once where `.` is between them.
fn is_literal(expr: &Expr<'_>) -> bool {
    match expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) => true,
        ExprKind::Binary { op: BinaryOp::Concat, lhs, rhs } => is_literal(rhs) && is_literal(lhs),
        _ => false,
    }
}

/// Is it the name of an encoding? Only the usual families are known.
fn is_encoding(name: &[u8]) -> bool {
    const FAMILIES: [&str; 14] = [
        "utf",
        "ucs",
        "iso-8859",
        "windows-",
        "cp",
        "ascii",
        "us-ascii",
        "sjis",
        "shift_jis",
        "euc-",
        "big5",
        "gb",
        "koi8",
        "jis",
    ];
    let name = name.to_ascii_lowercase();
    FAMILIES.iter().any(|family| name.starts_with(family.as_bytes()))
}
