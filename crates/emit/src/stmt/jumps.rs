//! Leaving early: `return`, `break`, `continue`, and the clean-up on the way out.

use phlox_hhbc::*;
use phlox_syntax::ast::*;
use phlox_syntax::diagnostic::Severity;

use crate::builder::RegionId;
use crate::constant::Const;
use crate::emitter::{Emit, Emitter, Exit, LoopState, ReturnType, Scope};
use crate::expr::{is_call, is_variable};

impl<'a> Emitter<'a> {
    /// `return`, with its type check and the clean-up of the statements around it.
    pub fn return_stmt(&mut self, value: Option<&'a Expr<'a>>) -> Emit {
        let by_ref = self.ctx.by_ref && !self.ctx.generator;
        match value {
            Some(e) if by_ref && !is_variable(e) && !is_call(e) => {
                // The value's type is checked before the notice that it is no variable.
                self.expr(e)?;
                if let Some(ty) = self.ctx.return_type {
                    self.check_return(ty, value, false)?;
                }
                self.emit(Instr::BoxRNotice { kind: RefNotice::Return });
                return self.leave(Exit::Return { by_ref });
            }
            Some(e) if by_ref => {
                if is_variable(e) {
                    self.not_nullsafe(e)?;
                }
                self.reference_source(e, RefNotice::Return)?;
            }
            Some(e) => self.expr(e)?,
            None => {
                self.emit(Instr::Null {});
                if by_ref {
                    self.emit(Instr::BoxRNotice { kind: RefNotice::Return });
                }
            }
        }
        if let (Some(ty), false) = (self.ctx.return_type, self.ctx.generator) {
            self.check_return(ty, value, by_ref)?;
        }
        self.leave(Exit::Return { by_ref })
    }

    fn check_return(&mut self, ty: ReturnType, value: Option<&'a Expr<'a>>, by_ref: bool) -> Emit {
        let what = self.function_or_method();
        let constant = value.and_then(|e| self.fold(e));
        if ty.mask & TypeMask::VOID != 0 {
            return match (value, constant) {
                (None, _) => Ok(()),
                (Some(_), Some(Const::Null)) => self.fatal(format!(
                    "A void {what} must not return a value (did you mean \"return;\" instead of \"return null;\"?)"
                )),
                (Some(_), _) => self.fatal(format!("A void {what} must not return a value")),
            };
        }
        if ty.mask & TypeMask::NEVER != 0 {
            return self.fatal(format!("A never-returning {what} must not return"));
        }
        if value.is_none() {
            let hint = if ty.mask & (TypeMask::NULL | TypeMask::MIXED) != 0 {
                " (did you mean \"return null;\" instead of \"return;\"?)"
            } else {
                ""
            };
            return self.fatal(format!("A {what} with return type must return a value{hint}"));
        }
        if ty.mask & TypeMask::MIXED != 0 || constant.is_some_and(|c| accepts(ty, &c)) {
            return Ok(());
        }
        self.emit(if by_ref { Instr::VerifyRetTypeV {} } else { Instr::VerifyRetTypeC {} });
        Ok(())
    }

    /// What a function does when control falls off its end.
    pub fn implicit_return(&mut self) {
        if let (Some(ty), false) = (self.ctx.return_type, self.ctx.generator) {
            if ty.mask & TypeMask::NEVER != 0 {
                self.emit(Instr::VerifyNever {});
                return;
            }
            if ty.mask & TypeMask::VOID == 0 {
                self.emit(Instr::NullUninit {});
                self.emit(Instr::VerifyRetTypeC {});
                self.finish_return();
                return;
            }
        }
        self.emit(Instr::Null {});
        self.finish_return();
    }

    fn finish_return(&mut self) {
        if self.ctx.by_ref && !self.ctx.generator {
            self.emit(Instr::BoxRNotice { kind: RefNotice::Return });
            self.emit(Instr::RetV {});
        } else {
            self.emit(Instr::RetC {});
        }
    }

    /// `break` and `continue`; `depth` counts the enclosing loops and switches.
    pub fn break_continue(&mut self, depth: Option<&'a Expr<'a>>, is_continue: bool) -> Emit {
        let word = if is_continue { "continue" } else { "break" };
        let depth = match depth {
            None => 1,
            Some(e) => match e.kind {
                ExprKind::Int(n) if n >= 1 => n,
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) => {
                    return self.fatal(format!("'{word}' operator accepts only positive integers"));
                }
                _ => {
                    return self.fatal(format!("'{word}' operator with non-integer operand is no longer supported"));
                }
            },
        };
        let loops: Vec<usize> =
            (0..self.ctx.scopes.len()).rev().filter(|&i| matches!(self.ctx.scopes[i], Scope::Loop { .. })).collect();
        if loops.is_empty() {
            return self.fatal(format!("'{word}' not in the 'loop' or 'switch' context"));
        }
        let target = usize::try_from(depth - 1).ok().and_then(|nth| loops.get(nth).copied());
        let Some(scope) = target else {
            let plural = if depth == 1 { "" } else { "s" };
            return self.fatal(format!("Cannot '{word}' {depth} level{plural}"));
        };
        let Some(&Scope::Loop { on_break, on_continue, is_switch, .. }) = self.ctx.scopes.get(scope) else {
            return Ok(());
        };
        if is_continue && is_switch {
            self.warn_continue(depth, loops.last() == Some(&scope));
        }
        let label = if is_continue { on_continue } else { on_break };
        self.leave(Exit::Loop { scope, label, frees: !is_continue })
    }

    fn warn_continue(&mut self, depth: i64, outermost: bool) {
        let mut message = if depth == 1 {
            "\"continue\" targeting switch is equivalent to \"break\"".to_owned()
        } else {
            format!("\"continue {depth}\" targeting switch is equivalent to \"break {depth}\"")
        };
        if !outermost {
            message += &format!(". Did you mean to use \"continue {}\"?", depth + 1);
        }
        self.report(Severity::Warning, message);
    }

    /// Cleans up the enclosing statements, innermost first, and jumps or returns as the exit demands. The first
    /// `finally` on the way takes over: the rest of the exit follows its block.
    pub fn leave(&mut self, exit: Exit) -> Emit {
        let bottom = match exit {
            Exit::Return { .. } => 0,
            Exit::Loop { scope, .. } => scope + 1,
            Exit::Goto { depth, .. } => depth,
        };
        let mut suspended = Vec::new();
        let mut held = None;
        for at in (bottom..self.ctx.scopes.len()).rev() {
            match self.ctx.scopes[at] {
                Scope::Loop { state, .. } => {
                    // The stack is empty wherever a catch region ends: the value waits in a local.
                    if let (Exit::Return { by_ref }, LoopState::Iter { region, .. }, None) = (exit, state, held)
                        && self.fb.has_catch_inside(region)
                    {
                        held = Some(self.hold_return(by_ref));
                    }
                    self.free_loop(state, &mut suspended);
                }
                Scope::Try { .. } => {
                    self.take_return(exit, held);
                    self.leave_through_finally(at, exit);
                    self.fb.resume_regions(suspended);
                    return Ok(());
                }
                Scope::Finally { exception, value, .. } => {
                    if !matches!(exit, Exit::Return { .. }) {
                        return self.fatal("jump out of a finally block is disallowed");
                    }
                    self.emit(Instr::UnsetL { local: exception });
                    if let Some(local) = value {
                        self.emit(Instr::UnsetL { local });
                    }
                }
            }
        }
        self.take_return(exit, held);
        match exit {
            Exit::Return { by_ref: true } => self.emit(Instr::RetV {}),
            Exit::Return { by_ref: false } => self.emit(Instr::RetC {}),
            Exit::Goto { label, .. } => self.fb.jump(label),
            Exit::Loop { scope, label, frees } => {
                if let (true, Some(&Scope::Loop { state: state @ LoopState::Iter { .. }, .. })) =
                    (frees, self.ctx.scopes.get(scope))
                {
                    self.free_loop(state, &mut suspended);
                }
                self.fb.jump(label);
            }
        }
        self.fb.resume_regions(suspended);
        Ok(())
    }

    fn hold_return(&mut self, by_ref: bool) -> LocalId {
        if !by_ref {
            return self.pop_to_temp();
        }
        let local = self.fb.temp();
        self.emit(Instr::BindL { local });
        self.emit(Instr::PopV {});
        local
    }

    fn take_return(&mut self, exit: Exit, held: Option<LocalId>) {
        if let (Exit::Return { by_ref }, Some(local)) = (exit, held) {
            self.emit(if by_ref { Instr::VGetL { local } } else { Instr::CGetL { local } });
            self.drop_temp(local);
        }
    }

    fn free_loop(&mut self, state: LoopState, suspended: &mut Vec<RegionId>) {
        match state {
            LoopState::Nothing => {}
            LoopState::Temp(local) => self.emit(Instr::UnsetL { local }),
            LoopState::Iter { iter, mutable, region } => {
                self.fb.suspend_from(region, suspended);
                self.emit(if mutable { Instr::MIterFree { iter } } else { Instr::IterFree { iter } });
            }
        }
    }
}

/// Is the constant of a type that the declaration accepts as it is?
fn accepts(ty: ReturnType, value: &Const<'_>) -> bool {
    let bit = match value {
        Const::Null => TypeMask::NULL,
        Const::Bool(false) => TypeMask::FALSE,
        Const::Bool(true) => TypeMask::TRUE,
        Const::Int(_) => TypeMask::INT,
        Const::Double(_) => TypeMask::FLOAT,
        Const::Str(_) => TypeMask::STRING,
        Const::Array(_) => TypeMask::ARRAY,
    };
    ty.mask & bit != 0
}
