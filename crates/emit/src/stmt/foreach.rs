//! `foreach`.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::builder::Cleanup;
use crate::emitter::{Emit, Emitter, LoopState};
use crate::expr::destructuring::has_references;
use crate::expr::{is_call, is_this, is_variable, is_writable};

impl<'a> Emitter<'a> {
    /// Compiles a `foreach` loop.
    pub fn foreach(&mut self, stmt: &'a Stmt<'a>, foreach: &'a Foreach<'a>) -> Emit {
        if let Some(Expr { kind: ExprKind::Array { .. }, .. }) = foreach.key {
            return self.fatal("Cannot use list as key element");
        }
        let by_ref =
            foreach.by_ref || matches!(foreach.value.kind, ExprKind::Array { items, .. } if has_references(items));
        self.foreach_subject(&foreach.subject, by_ref)?;
        if is_this(&foreach.value) {
            return self.fatal("Cannot re-assign $this");
        }
        let value_local = self.plain_local(&foreach.value);
        // A value that is taken apart is assigned before the key.
        let key_local = foreach.key.as_ref().filter(|_| value_local.is_some()).and_then(|key| self.plain_local(key));
        let value = value_local.unwrap_or_else(|| self.fb.temp());
        let key = foreach.key.as_ref().map(|_| key_local.unwrap_or_else(|| self.fb.temp()));

        let (next, end) = (self.fb.label(), self.fb.label());
        let iter = self.fb.iter();
        let target = end.target();
        self.emit(match (by_ref, key) {
            (false, None) => Instr::IterInit { iter, target, value },
            (false, Some(key)) => Instr::IterInitK { iter, target, value, key },
            (true, None) => Instr::MIterInit { iter, target, value },
            (true, Some(key)) => Instr::MIterInitK { iter, target, value, key },
        });
        let start = self.fb.bind_new();
        let region = self.fb.open_fault(if by_ref { Cleanup::MutableIter(iter) } else { Cleanup::Iter(iter) });

        if value_local.is_none() {
            self.foreach_value(&foreach.value, value, by_ref)?;
        }
        if let (Some(target), None, Some(key)) = (&foreach.key, key_local, key) {
            self.emit(Instr::CGetL { local: key });
            self.assign_top(target)?;
        }
        let state = LoopState::Iter { iter, mutable: by_ref, region };
        self.loop_body(stmt, &foreach.body, end, next, state)?;

        self.fb.line = stmt.span.line;
        self.fb.bind(next);
        let target = start.target();
        self.emit(match (by_ref, key) {
            (false, None) => Instr::IterNext { iter, target, value },
            (false, Some(key)) => Instr::IterNextK { iter, target, value, key },
            (true, None) => Instr::MIterNext { iter, target, value },
            (true, Some(key)) => Instr::MIterNextK { iter, target, value, key },
        });
        self.fb.close_region(region);
        self.fb.bind(end);
        self.fb.release_iter(iter);
        if value_local.is_none() {
            self.drop_temp(value);
        }
        if let (None, Some(key)) = (key_local, key) {
            self.drop_temp(key);
        }
        Ok(())
    }

    fn foreach_subject(&mut self, subject: &'a Expr<'a>, by_ref: bool) -> Emit {
        if !by_ref {
            return self.expr(subject);
        }
        if let Some(local) = self.plain_local(subject) {
            // Referring to a variable would define it: an undefined one is worth a warning and stays undefined.
            self.fb.line = subject.span.line;
            let (nothing, ready) = (self.fb.label(), self.fb.label());
            self.emit(Instr::CGetL { local });
            self.emit(Instr::IsTypeC { test: TypeTest::Null });
            self.emit(Instr::JmpNZ { target: nothing.target() });
            self.emit(Instr::VGetL { local });
            self.fb.jump(ready);
            self.fb.bind(nothing);
            self.emit(Instr::Null {});
            self.emit(Instr::Box {});
            self.fb.bind(ready);
            return Ok(());
        }
        if is_variable(subject) && is_writable(subject) && !is_this(subject) {
            return self.refer_variable(subject);
        }
        if is_call(subject) {
            self.fb.line = subject.span.line;
            self.call(subject)?;
            self.emit(Instr::BoxR {});
            return Ok(());
        }
        self.expr(subject)?;
        self.emit(Instr::Box {});
        Ok(())
    }

    /// Hands the element in an unnamed local on to a target that is not a plain variable.
    fn foreach_value(&mut self, target: &'a Expr<'a>, value: LocalId, by_ref: bool) -> Emit {
        match target.kind {
            ExprKind::Array { items, form } if by_ref => self.destructure_refs(items, form, value),
            _ if by_ref => {
                self.emit(Instr::VGetL { local: value });
                self.bind_top(target)
            }
            _ => {
                self.emit(Instr::CGetL { local: value });
                self.assign_top(target)
            }
        }
    }
}
