//! `if`, `while`, `do`, `for`.

use phlox_syntax::ast::*;

use crate::builder::Label;
use crate::emitter::{Emit, Emitter, LoopState, Scope};

/// The identity of a statement, for `goto`.
pub(crate) fn stmt_id(stmt: &Stmt<'_>) -> usize {
    std::ptr::from_ref(stmt).addr()
}

impl<'a> Emitter<'a> {
    /// `if` with all its `elseif` branches and `else`.
    pub fn if_stmt(&mut self, branches: &'a [(Expr<'a>, &'a Stmt<'a>)], otherwise: Option<&'a Stmt<'a>>) -> Emit {
        let end = self.fb.label();
        let if_line = self.fb.line;
        for (i, (cond, body)) in branches.iter().enumerate() {
            let next = self.fb.label();
            self.condition(cond, next, false)?;
            self.stmt(body)?;
            if i + 1 < branches.len() || otherwise.is_some() {
                self.fb.line = if i == 0 { if_line } else { cond.span.line };
                self.fb.jump(end);
            }
            self.fb.bind(next);
        }
        if let Some(body) = otherwise {
            self.stmt(body)?;
        }
        self.fb.bind(end);
        Ok(())
    }

    /// Compiles a loop's body with its break and continue labels in force.
    pub fn loop_body(
        &mut self,
        stmt: &'a Stmt<'a>,
        body: &'a Stmt<'a>,
        on_break: Label,
        on_continue: Label,
        state: LoopState,
    ) -> Emit {
        let id = stmt_id(stmt);
        self.ctx.scopes.push(Scope::Loop { id, on_break, on_continue, is_switch: false, state });
        self.stmt(body)?;
        self.ctx.scopes.pop();
        Ok(())
    }

    /// `while`: the condition is tested behind the body, to which the loop is entered by a jump.
    pub fn while_stmt(&mut self, stmt: &'a Stmt<'a>, cond: &'a Expr<'a>, body: &'a Stmt<'a>) -> Emit {
        let (test, end) = (self.fb.label(), self.fb.label());
        self.fb.jump(test);
        let start = self.fb.bind_new();
        self.loop_body(stmt, body, end, test, LoopState::Nothing)?;
        self.fb.bind(test);
        self.condition(cond, start, true)?;
        self.fb.bind(end);
        Ok(())
    }

    /// `do body while (cond)`.
    pub fn do_while(&mut self, stmt: &'a Stmt<'a>, body: &'a Stmt<'a>, cond: &'a Expr<'a>) -> Emit {
        let (test, end) = (self.fb.label(), self.fb.label());
        let start = self.fb.bind_new();
        self.loop_body(stmt, body, end, test, LoopState::Nothing)?;
        self.fb.bind(test);
        self.condition(cond, start, true)?;
        self.fb.bind(end);
        Ok(())
    }

    /// `for`, with its lists of expressions.
    pub fn for_stmt(
        &mut self,
        stmt: &'a Stmt<'a>,
        init: &'a [Expr<'a>],
        cond: &'a [Expr<'a>],
        step: &'a [Expr<'a>],
        body: &'a Stmt<'a>,
    ) -> Emit {
        let (test, next, end) = (self.fb.label(), self.fb.label(), self.fb.label());
        for e in init {
            self.discard(e)?;
        }
        self.fb.jump(test);
        let start = self.fb.bind_new();
        self.loop_body(stmt, body, end, next, LoopState::Nothing)?;
        self.fb.bind(next);
        for e in step {
            self.discard(e)?;
        }
        self.fb.bind(test);
        match cond.split_last() {
            Some((last, firsts)) => {
                for e in firsts {
                    self.discard(e)?;
                }
                self.condition(last, start, true)?;
            }
            None => self.fb.jump(start),
        }
        self.fb.bind(end);
        Ok(())
    }
}
