//! `isset` and `empty`.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::places::Place;
use super::variables::Access;
use super::{is_globals, is_variable};
use crate::emitter::{Emit, Emitter};

impl<'a> Emitter<'a> {
    /// `isset(a, b)` is `isset(a) && isset(b)`.
    pub fn isset(&mut self, vars: &'a [Expr<'a>]) -> Emit {
        let Some((last, firsts)) = vars.split_last() else { return Ok(()) };
        if firsts.is_empty() {
            return self.isset_one(last);
        }
        let (no, end) = (self.fb.label(), self.fb.label());
        for var in firsts {
            self.isset_one(var)?;
            self.emit(Instr::JmpZ { target: no.target() });
        }
        self.isset_one(last)?;
        self.fb.jump(end);
        self.fb.bind(no);
        self.emit(Instr::False {});
        self.fb.bind(end);
        Ok(())
    }

    fn isset_one(&mut self, var: &'a Expr<'a>) -> Emit {
        self.fb.line = var.span.line;
        if !is_variable(var) {
            return self.fatal(
                "Cannot use isset() on the result of an expression (you can use \"null !== expression\" instead)",
            );
        }
        if is_globals(var) {
            self.emit(Instr::True {});
            return Ok(());
        }
        let chain = self.place(var, Access::Quiet)?;
        self.isset_place(chain.place);
        self.settle_null(chain.short, Instr::False {});
        Ok(())
    }

    /// `empty(operand)`; of an expression that is no variable it is `!operand`.
    pub fn empty(&mut self, operand: &'a Expr<'a>) -> Emit {
        self.fb.line = operand.span.line;
        if !is_variable(operand) {
            self.expr(operand)?;
            self.emit(Instr::Not {});
            return Ok(());
        }
        if is_globals(operand) {
            self.emit(Instr::False {});
            return Ok(());
        }
        let chain = self.place(operand, Access::Quiet)?;
        if matches!(chain.place, Place::This) {
            self.read_place_quiet(chain.place);
            self.emit(Instr::Not {});
        } else {
            self.empty_place(chain.place);
        }
        self.settle_null(chain.short, Instr::True {});
        Ok(())
    }

    /// Where a nullsafe chain broke off: replaces its null by the answer.
    fn settle_null(&mut self, short: Option<crate::builder::Label>, answer: Instr) {
        if let Some(short) = short {
            let end = self.fb.label();
            self.fb.jump(end);
            self.fb.bind(short);
            self.emit(Instr::PopC {});
            self.emit(answer);
            self.fb.bind(end);
        }
    }
}
