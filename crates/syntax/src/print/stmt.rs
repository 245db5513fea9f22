//! Statements.

use super::Printer;
use crate::ast::{Expr, Foreach, Stmt, StmtKind, SwitchCase, Try, UseItem};

impl Printer<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt<'_>]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// A statement with its lines' indentation and ends; blocks show only as what they contain.
    fn stmt(&mut self, stmt: &Stmt<'_>) {
        match stmt.kind {
            StmtKind::Nop => {}
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Expr(expr) => self.line(";", |printer| printer.expr(&expr, 0)),
            StmtKind::Echo(exprs) => self.each("echo ", exprs, ""),
            StmtKind::InlineHtml(text) => self.line(";", |printer| {
                printer.put("echo ");
                printer.string(text);
            }),
            StmtKind::Global(variables) => self.each("global ", variables, ""),
            StmtKind::Unset(variables) => self.each("unset(", variables, ")"),
            StmtKind::StaticVars(variables) => {
                for variable in variables {
                    self.line(";", |printer| {
                        printer.put("static $");
                        printer.put(variable.name.text);
                        printer.initializer(variable.init.as_ref());
                    });
                }
            }
            StmtKind::If { branches, otherwise } => self.line("", |printer| printer.if_stmt(branches, otherwise)),
            StmtKind::While { cond, body } => self.line("", |printer| {
                printer.head("while", &cond);
                printer.body(body);
            }),
            StmtKind::DoWhile { body, cond } => self.line(";", |printer| {
                printer.put("do {\n");
                printer.body(body);
                printer.put(" while (");
                printer.expr(&cond, 0);
                printer.put(")");
            }),
            StmtKind::For { init, cond, step, body } => {
                self.line("", |printer| printer.for_stmt(init, cond, step, body))
            }
            StmtKind::Foreach(foreach) => self.line("", |printer| printer.foreach(foreach)),
            StmtKind::Switch { subject, cases } => self.line("", |printer| printer.switch(&subject, cases)),
            StmtKind::Break(operand) => self.jump("break", operand.as_ref()),
            StmtKind::Continue(operand) => self.jump("continue", operand.as_ref()),
            StmtKind::Return(operand) => self.jump("return", operand.as_ref()),
            StmtKind::Try(decl) => self.line("", |printer| printer.try_stmt(decl)),
            StmtKind::Goto(label) => self.line(";", |printer| {
                printer.put("goto ");
                printer.put(label.text);
            }),
            StmtKind::Label(label) => self.line("", |printer| {
                printer.put(label.text);
                printer.put(":");
            }),
            StmtKind::Declare { directives, body } => self.line("", |printer| {
                printer.put("declare(");
                printer.list(directives, |printer, (name, value)| {
                    printer.put(name.text);
                    printer.initializer(Some(value));
                });
                match body {
                    Some(body) => {
                        printer.put(") {\n");
                        printer.body(body);
                    }
                    None => printer.put(");"),
                }
            }),
            StmtKind::Namespace { name, body } => self.line("", |printer| {
                printer.put("namespace");
                if let Some(name) = name {
                    printer.put(" ");
                    printer.put(name.text);
                }
                match body {
                    Some(body) => {
                        printer.put(" {\n");
                        printer.indented(|printer| printer.stmts(body));
                        printer.put("}\n");
                    }
                    None => printer.put(";"),
                }
            }),
            StmtKind::Use(items) => self.line(";", |printer| {
                printer.put("use ");
                printer.list(items, Printer::use_item);
            }),
            StmtKind::Const(items) => self.line(";", |printer| printer.const_items(items)),
            StmtKind::Function(decl) => self.line("", |printer| printer.function_decl(decl)),
            StmtKind::Class(decl) => self.line("", |printer| printer.class_decl(decl)),
            StmtKind::HaltCompiler => self.line(";", |printer| printer.put("__HALT_COMPILER()")),
        }
    }

    /// An indented line that ends with `end`.
    pub(super) fn line(&mut self, end: &str, print: impl FnOnce(&mut Self)) {
        self.put_indent();
        print(self);
        self.put(end);
        self.put("\n");
    }

    /// One statement for each operand.
    fn each(&mut self, before: &str, operands: &[Expr<'_>], after: &str) {
        for operand in operands {
            self.line(";", |printer| {
                printer.put(before);
                printer.expr(operand, 0);
                printer.put(after);
            });
        }
    }

    fn jump(&mut self, keyword: &str, operand: Option<&Expr<'_>>) {
        self.line(";", |printer| {
            printer.put(keyword);
            if let Some(operand) = operand {
                printer.put(" ");
                printer.expr(operand, 0);
            }
        });
    }

    /// `keyword (cond) {`
    fn head(&mut self, keyword: &str, cond: &Expr<'_>) {
        self.put(keyword);
        self.put(" (");
        self.expr(cond, 0);
        self.put(") {\n");
    }

    /// The rest of a block after its opening line.
    fn body(&mut self, body: &Stmt<'_>) {
        self.indented(|printer| printer.stmt(body));
        self.put("}");
    }

    pub(super) fn block(&mut self, stmts: &[Stmt<'_>]) {
        self.put(" {\n");
        self.indented(|printer| printer.stmts(stmts));
        self.put("}");
    }

    /// ` = value`
    pub(super) fn initializer(&mut self, value: Option<&Expr<'_>>) {
        if let Some(value) = value {
            self.put(" = ");
            self.expr(value, 0);
        }
    }

    /// All branches; an `if` as the `else` branch goes on in the same loop.
    fn if_stmt<'a>(&mut self, mut branches: &'a [(Expr<'a>, &'a Stmt<'a>)], mut otherwise: Option<&'a Stmt<'a>>) {
        loop {
            for (index, (cond, body)) in branches.iter().enumerate() {
                self.head(if index == 0 { "if" } else { "} elseif" }, cond);
                self.indented(|printer| printer.stmt(body));
            }
            match otherwise {
                Some(Stmt { kind: StmtKind::If { branches: next, otherwise: last }, .. }) => {
                    self.put("} else ");
                    branches = next;
                    otherwise = *last;
                }
                Some(body) => {
                    self.put("} else {\n");
                    return self.body(body);
                }
                None => return self.put("}"),
            }
        }
    }

    fn for_stmt(&mut self, init: &[Expr<'_>], cond: &[Expr<'_>], step: &[Expr<'_>], body: &Stmt<'_>) {
        self.put("for (");
        self.expr_list(init);
        for part in [cond, step] {
            self.put(if part.is_empty() { ";" } else { "; " });
            self.expr_list(part);
        }
        self.put(") {\n");
        self.body(body);
    }

    fn foreach(&mut self, foreach: &Foreach<'_>) {
        self.put("foreach (");
        self.expr(&foreach.subject, 0);
        self.put(" as ");
        if let Some(key) = &foreach.key {
            self.expr(key, 0);
            self.put(" => ");
        }
        if foreach.by_ref {
            self.put("&");
        }
        self.expr(&foreach.value, 0);
        self.put(") {\n");
        self.body(&foreach.body);
    }

    fn switch(&mut self, subject: &Expr<'_>, cases: &[SwitchCase<'_>]) {
        self.head("switch", subject);
        self.indented(|printer| {
            for case in cases {
                printer.put_indent();
                match &case.value {
                    Some(value) => {
                        printer.put("case ");
                        printer.expr(value, 0);
                    }
                    None => printer.put("default"),
                }
                printer.put(":\n");
                printer.indent += 1;
                printer.stmts(case.body);
                printer.indent -= 1;
            }
        });
        self.put("}");
    }

    fn try_stmt(&mut self, decl: &Try<'_>) {
        self.put("try {\n");
        self.indented(|printer| printer.stmts(decl.body));
        for catch in decl.catches {
            self.put("} catch (");
            for (index, name) in catch.types.iter().enumerate() {
                self.put(if index > 0 { "|" } else { "" });
                self.put(name.text);
            }
            if let Some(variable) = catch.var {
                self.put(" $");
                self.put(variable.text);
            }
            self.put(") {\n");
            self.indented(|printer| printer.stmts(catch.body));
        }
        if let Some(finally) = decl.finally {
            self.put("} finally {\n");
            self.indented(|printer| printer.stmts(finally));
        }
        self.put("}");
    }

    fn use_item(&mut self, item: &UseItem<'_>) {
        self.put(item.name);
        if let Some(alias) = item.alias {
            self.put(" as ");
            self.put(alias.text);
        }
    }
}
