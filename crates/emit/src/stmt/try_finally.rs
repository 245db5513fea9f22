//! `try`, `catch`, `finally`.
//!
//! A `finally` body is compiled once. Each way into it stores in an unnamed local how control continues afterwards; the
//! body ends in a switch over that local.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::builder::Label;
use crate::emitter::{Emit, Emitter, Exit, FinallyState, Scope};
use crate::expr::is_superglobal;
use crate::names::special_class;
use crate::stmt::loops::stmt_id;

/// Actions after a `finally` body; the exits follow.
const FALL_THROUGH: i64 = 0;
const RETHROW: i64 = 1;
const FIRST_EXIT: i64 = 2;

impl<'a> Emitter<'a> {
    /// Compiles a `try` statement.
    pub fn try_stmt(&mut self, stmt: &'a Stmt<'a>, t: &'a Try<'a>) -> Emit {
        match t.finally {
            None if t.catches.is_empty() => self.fatal("Cannot use try without catch or finally"),
            None => self.try_catch(t),
            Some(body) => self.try_finally(stmt, t, body),
        }
    }

    fn try_catch(&mut self, t: &'a Try<'a>) -> Emit {
        if t.catches.is_empty() {
            return self.stmts(t.body);
        }
        let end = self.fb.label();
        let mut entries = Vec::new();
        let mut labels = Vec::new();
        for catch in t.catches {
            let label = self.fb.label();
            labels.push(label);
            for name in catch.types {
                if name.kind == NameKind::Unqualified && special_class(name.text).is_some() {
                    return self.fatal_at(catch.span.line, "Bad class name in the catch statement");
                }
                let class = self.resolve_class(name)?;
                entries.push((self.str(&class), label.target()));
            }
        }
        let region = self.fb.open_region(EhKind::Catch(entries));
        self.stmts(t.body)?;
        if self.fb.region_is_empty(region) {
            self.emit(Instr::Nop {});
        }
        self.fb.close_region(region);
        self.fb.jump(end);
        for (catch, label) in t.catches.iter().zip(labels) {
            self.catch_block(catch, label)?;
            self.fb.jump(end);
        }
        self.fb.bind(end);
        Ok(())
    }

    fn catch_block(&mut self, catch: &'a Catch<'a>, label: Label) -> Emit {
        self.fb.line = catch.span.line;
        self.fb.bind(label);
        self.emit(Instr::Catch {});
        match catch.var {
            Some(var) if var.text == b"this" => return self.fatal("Cannot re-assign $this"),
            Some(var) if is_superglobal(var.text) => {
                let held = self.pop_to_temp();
                self.push_string(var.text);
                self.take_temp(held);
                self.emit(Instr::SetG {});
                self.emit(Instr::PopC {});
            }
            Some(var) => {
                let local = self.local(var.text);
                self.pop_to(local);
                self.ctx.assigned.add(var.text);
            }
            None => self.emit(Instr::PopC {}),
        }
        self.stmts(catch.body)
    }

    fn try_finally(&mut self, stmt: &'a Stmt<'a>, t: &'a Try<'a>, body: &'a [Stmt<'a>]) -> Emit {
        let id = stmt_id(stmt);
        let (entry, thrown) = (self.fb.label(), self.fb.label());
        let (action, exception) = (self.fb.temp(), self.fb.temp());
        let any = self.str(b"");
        let finally = FinallyState { entry, action, exception, value: None, exits: Vec::new() };
        self.ctx.scopes.push(Scope::Try { id, finally });
        let region = self.fb.open_region(EhKind::Catch(vec![(any, thrown.target())]));
        self.try_catch(t)?;
        self.emit(Instr::Nop {});
        self.fb.close_region(region);
        let Some(Scope::Try { finally, .. }) = self.ctx.scopes.pop() else { return Ok(()) };
        self.choose(action, FALL_THROUGH);
        self.fb.jump(entry);
        self.fb.bind(thrown);
        self.emit(Instr::Catch {});
        self.pop_to(exception);
        self.choose(action, RETHROW);
        self.fb.bind(entry);
        self.finally_body(id, &finally, body, any)?;
        self.after_finally(finally)
    }

    fn choose(&mut self, action: LocalId, value: i64) {
        self.emit(Instr::Int { value });
        self.pop_to(action);
    }

    /// The block itself: an exception it throws takes the pending one along, a return drops it.
    fn finally_body(&mut self, id: usize, finally: &FinallyState, body: &'a [Stmt<'a>], any: StrId) -> Emit {
        let FinallyState { exception, value, .. } = *finally;
        let (chain, end) = (self.fb.label(), self.fb.label());
        self.ctx.scopes.push(Scope::Finally { id, exception, value });
        let region = self.fb.open_region(EhKind::Catch(vec![(any, chain.target())]));
        self.stmts(body)?;
        self.emit(Instr::Nop {});
        self.fb.close_region(region);
        self.ctx.scopes.pop();
        self.fb.jump(end);
        self.fb.bind(chain);
        self.emit(Instr::Catch {});
        self.emit(Instr::ChainFaults { local: exception });
        self.emit(Instr::UnsetL { local: exception });
        if let Some(local) = value {
            self.emit(Instr::UnsetL { local });
        }
        self.emit(Instr::Throw {});
        self.fb.bind(end);
        Ok(())
    }

    fn after_finally(&mut self, finally: FinallyState) -> Emit {
        let FinallyState { action, exception, value, exits, .. } = finally;
        let (end, rethrow) = (self.fb.label(), self.fb.label());
        let labels: Vec<Label> = exits.iter().map(|_| self.fb.label()).collect();
        let cases = (RETHROW..).zip([rethrow].iter().chain(&labels).map(|l| l.target())).collect();
        let table = self.fb.switch_table(SwitchTable::Int { cases, default: end.target() });
        self.emit(Instr::CGetL { local: action });
        self.emit(Instr::Switch { table });
        self.fb.bind(rethrow);
        self.emit(Instr::CGetL { local: exception });
        self.emit(Instr::UnsetL { local: exception });
        self.emit(Instr::Throw {});
        for (exit, label) in exits.into_iter().zip(labels) {
            self.fb.bind(label);
            if let (Exit::Return { by_ref }, Some(local)) = (exit, value) {
                self.emit(if by_ref { Instr::VGetL { local } } else { Instr::CGetL { local } });
                self.emit(Instr::UnsetL { local });
                if by_ref && self.fb.func.return_type.is_some() {
                    // The block may have changed what the reference refers to.
                    self.emit(Instr::VerifyRetTypeV {});
                }
            }
            self.leave(exit)?;
        }
        self.fb.bind(end);
        for local in [action, exception].into_iter().chain(value) {
            self.fb.release(local);
        }
        Ok(())
    }

    /// Hands an exit over to the `finally` at `scope`: the return value is on the stack, if there is one.
    pub fn leave_through_finally(&mut self, scope: usize, exit: Exit) {
        let needs_value = matches!(exit, Exit::Return { .. });
        let fresh = if needs_value { Some(self.fb.temp()) } else { None };
        let Some(Scope::Try { finally, .. }) = self.ctx.scopes.get_mut(scope) else { return };
        let nth = finally.exits.iter().position(|e| *e == exit).unwrap_or_else(|| {
            finally.exits.push(exit);
            finally.exits.len() - 1
        });
        let (action, entry, known) = (finally.action, finally.entry, finally.value);
        if needs_value && known.is_none() {
            finally.value = fresh;
        }
        let value = finally.value;
        if let (Some(_), Some(unused)) = (known, fresh) {
            self.fb.release(unused);
        }
        if let (Exit::Return { by_ref }, Some(local)) = (exit, value) {
            if by_ref {
                self.emit(Instr::BindL { local });
                self.emit(Instr::PopV {});
            } else {
                self.pop_to(local);
            }
        }
        self.choose(action, FIRST_EXIT + nth as i64);
        self.fb.jump(entry);
    }
}
