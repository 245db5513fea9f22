//! Statements.

use super::Dump;
use crate::ast::{Expr, Foreach, Span, Stmt, StmtKind, SwitchCase, Try};

impl Dump {
    pub(super) fn stmts(&mut self, stmts: &[Stmt<'_>]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    pub(super) fn stmt_group(&mut self, label: &str, stmts: &[Stmt<'_>]) {
        self.group(label, |dump| dump.stmts(stmts));
    }

    fn stmt(&mut self, stmt: &Stmt<'_>) {
        match stmt.kind {
            StmtKind::Function(decl) => self.function_decl(decl),
            StmtKind::Class(decl) => self.class_decl(decl),
            StmtKind::If { branches, otherwise } => self.if_chain(stmt.span, branches, otherwise),
            _ => self.node(kind_name(&stmt.kind), stmt.span, |dump| dump.stmt_content(&stmt.kind)),
        }
    }

    fn stmt_content(&mut self, kind: &StmtKind<'_>) {
        match *kind {
            StmtKind::Expr(expr) => self.expr(&expr),
            StmtKind::Echo(exprs) | StmtKind::Global(exprs) | StmtKind::Unset(exprs) => self.exprs(exprs),
            StmtKind::InlineHtml(text) => self.bytes(text),
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::While { cond, body } => {
                self.expr(&cond);
                self.stmt(body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.stmt(body);
                self.expr(&cond);
            }
            StmtKind::For { init, cond, step, body } => {
                self.group("init", |dump| dump.exprs(init));
                self.group("cond", |dump| dump.exprs(cond));
                self.group("step", |dump| dump.exprs(step));
                self.stmt(body);
            }
            StmtKind::Foreach(foreach) => self.foreach(foreach),
            StmtKind::Switch { subject, cases } => {
                self.expr(&subject);
                cases.iter().for_each(|case| self.switch_case(case));
            }
            StmtKind::Break(operand) | StmtKind::Continue(operand) | StmtKind::Return(operand) => {
                operand.iter().for_each(|operand| self.expr(operand));
            }
            StmtKind::StaticVars(variables) => {
                for variable in variables {
                    self.node("variable", variable.name.span, |dump| {
                        dump.ident(&variable.name);
                        dump.optional("init", variable.init.as_ref());
                    });
                }
            }
            StmtKind::Try(decl) => self.try_stmt(decl),
            StmtKind::Goto(label) | StmtKind::Label(label) => self.ident(&label),
            StmtKind::Declare { directives, body } => {
                for (name, value) in directives {
                    self.optional(&name.text.escape_ascii().to_string(), Some(value));
                }
                body.iter().for_each(|body| self.stmt(body));
            }
            StmtKind::Namespace { name, body } => {
                name.iter().for_each(|name| self.name(name));
                body.iter().for_each(|body| self.stmt_group("body", body));
            }
            StmtKind::Use(items) => {
                for item in items {
                    self.node("import", item.span, |dump| {
                        dump.fact(format!("{:?}", item.kind).to_lowercase());
                        dump.bytes(item.name);
                        item.alias.iter().for_each(|alias| dump.ident(alias));
                    });
                }
            }
            StmtKind::Const(items) => items.iter().for_each(|item| self.const_item(item)),
            StmtKind::Nop | StmtKind::HaltCompiler => {}
            StmtKind::If { .. } | StmtKind::Function(_) | StmtKind::Class(_) => {}
        }
    }

    /// An `if` with all `else if`s, which may be many: they close together.
    fn if_chain<'a>(
        &mut self,
        mut span: Span,
        mut branches: &'a [(Expr<'a>, &'a Stmt<'a>)],
        mut otherwise: Option<&'a Stmt<'a>>,
    ) {
        let depth = self.depth;
        self.new_line();
        loop {
            self.out.extend_from_slice(format!("(if:{}", span.line).as_bytes());
            self.depth += 1;
            for (cond, body) in branches {
                self.expr(cond);
                self.stmt(body);
            }
            let Some(last) = otherwise else { break };
            self.new_line();
            self.out.extend_from_slice(b"else: ");
            let StmtKind::If { branches: next, otherwise: after } = last.kind else {
                self.open(kind_name(&last.kind), last.span, |dump| dump.stmt_content(&last.kind));
                break;
            };
            (span, branches, otherwise) = (last.span, next, after);
        }
        self.out.resize(self.out.len() + self.depth - depth, b')');
        self.depth = depth;
    }

    fn foreach(&mut self, foreach: &Foreach<'_>) {
        self.flag(foreach.by_ref, "by-ref");
        self.expr(&foreach.subject);
        self.optional("key", foreach.key.as_ref());
        self.optional("value", Some(&foreach.value));
        self.stmt(&foreach.body);
    }

    fn switch_case(&mut self, case: &SwitchCase<'_>) {
        self.node("case", case.span, |dump| {
            match &case.value {
                Some(value) => dump.expr(value),
                None => dump.fact("default"),
            }
            dump.stmts(case.body);
        });
    }

    fn try_stmt(&mut self, decl: &Try<'_>) {
        self.stmt_group("body", decl.body);
        for catch in decl.catches {
            self.node("catch", catch.span, |dump| {
                catch.types.iter().for_each(|name| dump.name(name));
                catch.var.iter().for_each(|variable| dump.ident(variable));
                dump.stmts(catch.body);
            });
        }
        decl.finally.iter().for_each(|stmts| self.stmt_group("finally", stmts));
    }
}

fn kind_name(kind: &StmtKind<'_>) -> &'static str {
    match kind {
        StmtKind::Nop => "nop",
        StmtKind::Expr(_) => "expr",
        StmtKind::Echo(_) => "echo",
        StmtKind::InlineHtml(_) => "inline-html",
        StmtKind::Block(_) => "block",
        StmtKind::If { .. } => "if",
        StmtKind::While { .. } => "while",
        StmtKind::DoWhile { .. } => "do-while",
        StmtKind::For { .. } => "for",
        StmtKind::Foreach(_) => "foreach",
        StmtKind::Switch { .. } => "switch",
        StmtKind::Break(_) => "break",
        StmtKind::Continue(_) => "continue",
        StmtKind::Return(_) => "return",
        StmtKind::Global(_) => "global",
        StmtKind::StaticVars(_) => "static",
        StmtKind::Unset(_) => "unset",
        StmtKind::Try(_) => "try",
        StmtKind::Goto(_) => "goto",
        StmtKind::Label(_) => "label",
        StmtKind::Declare { .. } => "declare",
        StmtKind::Namespace { .. } => "namespace",
        StmtKind::Use(_) => "use",
        StmtKind::Const(_) => "const-decl",
        StmtKind::Function(_) => "function",
        StmtKind::Class(_) => "class",
        StmtKind::HaltCompiler => "halt-compiler",
    }
}
