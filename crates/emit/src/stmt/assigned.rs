//! Which variables surely have a value at the current point of the code. Reading an undefined variable raises a warning,
//! so the moment of the read can be observed; a variable that is not known to be assigned may be undefined.

use phlox_syntax::ast::*;
use std::collections::HashSet;

use crate::emitter::Emitter;
use crate::expr::is_superglobal;
use crate::expr::walk::{Code, any_expr, any_stmt};

/// Variables that surely have a value, in the order in which that became known. What a part of the code adds is
/// forgotten at the end of that part.
#[derive(Debug, Default)]
pub(crate) struct Assigned<'a> {
    names: HashSet<&'a [u8]>,
    order: Vec<&'a [u8]>,
}

impl<'a> Assigned<'a> {
    /// Marks the variable as surely assigned.
    pub fn add(&mut self, name: &'a [u8]) {
        if self.names.insert(name) {
            self.order.push(name);
        }
    }

    /// Number of variables, for [`forget`](Self::forget).
    fn count(&self) -> usize {
        self.order.len()
    }

    /// Forgets all variables but the first `count`.
    fn forget(&mut self, count: usize) {
        for name in self.order.drain(count..) {
            self.names.remove(name);
        }
    }

    fn contains(&self, name: &[u8]) -> bool {
        self.names.contains(name)
    }
}

/// Which variables a function's code may take the values from again.
#[derive(Debug)]
pub(crate) enum Unset<'a> {
    /// Any variable: the code has labels, or runs code that is not known.
    Anything,
    /// Only the variables in the set.
    Only(HashSet<&'a [u8]>),
}

impl<'a> Emitter<'a> {
    /// Compiles statements in sequence. The variables that they assign are known until the end of the sequence.
    pub fn stmts(&mut self, stmts: &'a [Stmt<'a>]) -> crate::emitter::Emit {
        let before = self.ctx.assigned.count();
        for stmt in stmts {
            self.stmt_in_line(stmt)?;
        }
        self.ctx.assigned.forget(before);
        Ok(())
    }

    /// Compiles a statement of a sequence: the code behind it is reached only through it.
    pub fn stmt_in_line(&mut self, stmt: &'a Stmt<'a>) -> crate::emitter::Emit {
        self.note_first_part(stmt);
        let inside = self.ctx.assigned.count();
        if let StmtKind::Foreach(foreach) = stmt.kind {
            foreach.key.iter().chain([&foreach.value]).for_each(|target| self.note_target(target));
        }
        self.stmt(stmt)?;
        self.ctx.assigned.forget(inside);
        self.note_whole(stmt);
        Ok(())
    }

    /// May a plain variable be undefined when it is read here? The variable does not become a local by this question,
    /// because locals are numbered in the order of their uses.
    pub fn may_be_undefined(&mut self, e: &Expr<'_>) -> bool {
        plain_variable(e).is_some_and(|name| !self.is_surely_assigned(name))
    }

    /// Has the variable a value, whichever way control came here?
    fn is_surely_assigned(&mut self, name: &[u8]) -> bool {
        let is_param = self.fb.func.params.iter().any(|param| self.unit.text(param.name) == name);
        if !is_param && !self.ctx.assigned.contains(name) {
            return false;
        }
        let body = self.ctx.body;
        match self.ctx.unset.get_or_insert_with(|| unset_in(body)) {
            Unset::Anything => false,
            Unset::Only(names) => !names.contains(name),
        }
    }

    /// Notes what a statement assigns before control can skip any part of it.
    fn note_first_part(&mut self, stmt: &'a Stmt<'a>) {
        match stmt.kind {
            StmtKind::If { branches, .. } => branches.iter().take(1).for_each(|(cond, _)| self.note(cond)),
            StmtKind::While { ref cond, .. } => self.note(cond),
            StmtKind::For { init, .. } => init.iter().for_each(|e| self.note(e)),
            StmtKind::Switch { ref subject, .. } => self.note(subject),
            _ => {}
        }
    }

    fn note_whole(&mut self, stmt: &'a Stmt<'a>) {
        match stmt.kind {
            StmtKind::Expr(ref e) => self.note(e),
            StmtKind::Global(vars) => vars.iter().for_each(|var| self.note_target(var)),
            StmtKind::StaticVars(vars) => vars.iter().for_each(|var| self.ctx.assigned.add(var.name.text)),
            _ => {}
        }
    }

    /// Notes what an expression assigns, whatever its values are.
    fn note(&mut self, e: &'a Expr<'a>) {
        match e.kind {
            ExprKind::Assign { target, value } | ExprKind::AssignRef { target, value } => {
                self.note(value);
                self.note_target(target);
            }
            ExprKind::AssignOp { target, value, op } => {
                if op != BinaryOp::Coalesce {
                    self.note(value);
                }
                self.note_target(target);
            }
            ExprKind::IncDec { target, .. } => self.note_target(target),
            ExprKind::Unary { operand, .. } => self.note(operand),
            ExprKind::Binary { op, lhs, rhs } => {
                self.note(lhs);
                if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce) {
                    self.note(rhs);
                }
            }
            _ => {}
        }
    }

    fn note_target(&mut self, target: &'a Expr<'a>) {
        match target.kind {
            ExprKind::Array { items, .. } => items.iter().flatten().for_each(|item| self.note_target(item.value)),
            _ => plain_variable(target).into_iter().for_each(|name| self.ctx.assigned.add(name)),
        }
    }
}

/// The name of a variable that is a local.
pub(crate) fn plain_variable<'a>(e: &Expr<'a>) -> Option<&'a [u8]> {
    match e.kind {
        ExprKind::Var(name) if name != b"this" && !is_superglobal(name) => Some(name),
        _ => None,
    }
}

fn unset_in<'a>(body: &'a [Stmt<'a>]) -> Unset<'a> {
    let mut names = HashSet::new();
    let is_unknown = any_stmt(body, &mut |stmt| match stmt.kind {
        StmtKind::Label(_) => true,
        StmtKind::Unset(vars) => vars.iter().any(|var| match var.kind {
            ExprKind::Var(name) => {
                names.insert(name);
                false
            }
            ExprKind::VarVar(_) => true,
            _ => false,
        }),
        _ => false,
    });
    let runs_unknown = |e: &Expr<'_>| matches!(e.kind, ExprKind::Eval(_) | ExprKind::Include { .. });
    if is_unknown || any_expr(Code::Stmts(body), &mut |e| runs_unknown(e)) {
        return Unset::Anything;
    }
    Unset::Only(names)
}
