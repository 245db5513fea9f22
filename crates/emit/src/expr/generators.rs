//! `yield` and `yield from`.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::{is_call, is_variable};
use crate::emitter::{Emit, Emitter, FuncKind};

impl<'a> Emitter<'a> {
    fn check_yield(&mut self) -> Emit {
        if matches!(self.ctx.kind, FuncKind::Main | FuncKind::Thunk) {
            return self.fatal("The \"yield\" expression can only be used inside a function");
        }
        self.ctx.generator = true;
        self.set_flag(FuncFlags::GENERATOR);
        Ok(())
    }

    /// `yield`, with the key and value that it has.
    pub fn yield_value(&mut self, key: Option<&'a Expr<'a>>, value: Option<&'a Expr<'a>>) -> Emit {
        self.check_yield()?;
        let by_ref = self.fb.func.flags.has(FuncFlags::BY_REF_RETURN);
        match (key, value) {
            (None, None) => {
                self.emit(Instr::Null {});
                if by_ref {
                    self.emit(Instr::Box {});
                }
            }
            (Some(key), Some(value)) if !by_ref => self.key_and_value(key, value)?,
            (key, value) => {
                if let Some(key) = key {
                    self.expr(key)?;
                }
                match value {
                    Some(value) if by_ref => self.yield_reference(value)?,
                    Some(value) => self.expr(value)?,
                    None => self.emit(Instr::Null {}),
                }
            }
        }
        self.emit(match (key.is_some(), by_ref) {
            (false, false) => Instr::Yield {},
            (true, false) => Instr::YieldK {},
            (false, true) => Instr::YieldV {},
            (true, true) => Instr::YieldVK {},
        });
        Ok(())
    }

    fn yield_reference(&mut self, value: &'a Expr<'a>) -> Emit {
        if is_variable(value) {
            self.not_nullsafe(value)?;
        } else if !is_call(value) {
            self.expr(value)?;
            self.emit(Instr::BoxRNotice { kind: RefNotice::Yield });
            return Ok(());
        }
        self.reference_source(value, RefNotice::Yield)
    }

    /// `yield from operand`.
    pub fn yield_from(&mut self, operand: &'a Expr<'a>) -> Emit {
        self.check_yield()?;
        if self.fb.func.flags.has(FuncFlags::BY_REF_RETURN) {
            return self.fatal("Cannot use \"yield from\" inside a by-reference generator");
        }
        self.expr(operand)?;
        self.emit(Instr::YieldFrom {});
        Ok(())
    }
}
