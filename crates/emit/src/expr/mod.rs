//! Expressions: the dispatch over their kinds. Each family has a module of its own.

pub(crate) mod assign;
pub(crate) mod calls;
pub(crate) mod classrefs;
pub(crate) mod constants;
pub(crate) mod destructuring;
pub(crate) mod formats;
mod frameless;
pub(crate) mod generators;
pub(crate) mod literals;
pub(crate) mod matching;
pub(crate) mod operand_kinds;
pub(crate) mod operators;
pub(crate) mod places;
pub(crate) mod tests;
pub(crate) mod text;
pub(crate) mod variables;
pub(crate) mod walk;

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::emitter::{Emit, Emitter};

/// `$x`, `$x[..]`, `$x->p`, `C::$x`: may be written to or referred to.
pub(crate) fn is_variable(e: &Expr<'_>) -> bool {
    matches!(
        e.kind,
        ExprKind::Var(_)
            | ExprKind::VarVar(_)
            | ExprKind::Dim { .. }
            | ExprKind::Prop { .. }
            | ExprKind::StaticProp { .. }
    )
}

/// Does Zend keep the result in a variable, unlike those of other expressions that are no calls?
pub(crate) fn is_kept_in_variable(e: &Expr<'_>) -> bool {
    matches!(
        e.kind,
        ExprKind::New { .. }
            | ExprKind::Yield { .. }
            | ExprKind::YieldFrom(_)
            | ExprKind::Include { .. }
            | ExprKind::Eval(_)
    )
}

pub(crate) fn is_call(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Call { .. } | ExprKind::MethodCall { .. } | ExprKind::StaticCall { .. })
}

/// Is there a `?->` in the chain that leads to this expression?
pub(crate) fn is_nullsafe_chain(mut e: &Expr<'_>) -> bool {
    loop {
        e = match e.kind {
            ExprKind::Prop { nullsafe: true, .. } | ExprKind::MethodCall { nullsafe: true, .. } => return true,
            ExprKind::Dim { base, .. } | ExprKind::Prop { base, .. } | ExprKind::MethodCall { base, .. } => base,
            ExprKind::StaticProp { class: ClassRef::Expr(class), .. }
            | ExprKind::StaticCall { class: ClassRef::Expr(class), .. } => class,
            _ => return false,
        };
    }
}

pub(crate) fn is_this(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Var(b"this"))
}

pub(crate) fn is_globals(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Var(b"GLOBALS"))
}

/// Variables that are global in every scope.
pub(crate) fn is_superglobal(name: &[u8]) -> bool {
    matches!(
        name,
        b"GLOBALS" | b"_GET" | b"_POST" | b"_COOKIE" | b"_SERVER" | b"_ENV" | b"_REQUEST" | b"_FILES" | b"_SESSION"
    )
}

/// Can writing go through this expression?
pub(crate) fn is_writable(e: &Expr<'_>) -> bool {
    let mut root = e;
    while let ExprKind::Dim { base, .. } | ExprKind::Prop { base, nullsafe: false, .. } = root.kind {
        root = base;
    }
    (is_variable(root) || is_call(root)) && !is_nullsafe_chain(root)
}

impl<'a> Emitter<'a> {
    /// Compiles an expression; its value is pushed as a cell.
    pub fn expr(&mut self, e: &'a Expr<'a>) -> Emit {
        self.fb.line = e.span.line;
        match e.kind {
            ExprKind::Int(value) => self.emit(Instr::Int { value }),
            ExprKind::Float(value) => self.emit(Instr::Double { value: F64::new(value) }),
            ExprKind::Str(s) => self.push_string(s),
            ExprKind::Interpolated(parts) => self.interpolated(parts)?,
            ExprKind::ShellExec(parts) => self.shell_exec(parts, e.span.line)?,
            ExprKind::Const(ref name) => self.constant(name)?,
            ExprKind::MagicConst(magic) => self.magic_constant(magic)?,
            ExprKind::Var(_)
            | ExprKind::VarVar(_)
            | ExprKind::Dim { .. }
            | ExprKind::Prop { .. }
            | ExprKind::StaticProp { .. } => self.read_variable(e)?,
            ExprKind::Call { .. } | ExprKind::MethodCall { .. } | ExprKind::StaticCall { .. } => self.call_value(e)?,
            ExprKind::ClassConst { ref class, ref name } => self.class_constant(class, name)?,
            ExprKind::Array { form, items } => self.array_literal(form, items)?,
            ExprKind::New { ref class, ref args } => self.new_object(class, args, e.span.line)?,
            ExprKind::Unary { op, operand } => self.unary(op, operand)?,
            ExprKind::Binary { .. } => self.binary_chain(e)?,
            ExprKind::Ternary { cond, then, otherwise, .. } => self.ternary(cond, then, otherwise)?,
            ExprKind::Assign { target, value } => self.assign(target, value)?,
            ExprKind::AssignRef { target, value } => self.assign_ref(target, value)?,
            ExprKind::AssignOp { op, target, value } => self.assign_op(op, target, value)?,
            ExprKind::IncDec { op, target } => self.inc_dec(op, target)?,
            ExprKind::Cast { to, operand } => self.cast(to, operand)?,
            ExprKind::InstanceOf { value, ref class } => self.instance_of(value, class)?,
            ExprKind::Isset(vars) => self.isset(vars)?,
            ExprKind::Empty(operand) => self.empty(operand)?,
            ExprKind::Include { kind, path } => self.include(kind, path)?,
            ExprKind::Eval(code) => self.eval(code)?,
            ExprKind::Exit(ref args) => self.exit(args.as_ref(), e.span.line)?,
            ExprKind::Print(operand) => {
                self.expr(operand)?;
                self.emit(Instr::Print {});
            }
            ExprKind::Clone(operand) => {
                self.expr(operand)?;
                self.emit(Instr::Clone {});
            }
            ExprKind::Throw(operand) => {
                self.expr(operand)?;
                self.emit(Instr::Throw {});
                // Never reached; keeps the stack balanced for what consumes the value.
                self.emit(Instr::Null {});
            }
            ExprKind::Yield { key, value } => self.yield_value(key, value)?,
            ExprKind::YieldFrom(operand) => self.yield_from(operand)?,
            ExprKind::Match { subject, arms } => self.match_expr(subject, arms)?,
            ExprKind::Closure(closure) => self.closure(closure)?,
        }
        Ok(())
    }

    /// Compiles an expression whose value is not used.
    pub fn expr_discarded(&mut self, e: &'a Expr<'a>) -> Emit {
        self.fb.line = e.span.line;
        match e.kind {
            ExprKind::Call { .. } | ExprKind::MethodCall { .. } | ExprKind::StaticCall { .. } => {
                if self.call(e)? {
                    self.emit(Instr::PopC {});
                } else {
                    self.emit(Instr::PopR {});
                }
                Ok(())
            }
            ExprKind::AssignRef { target, value } => {
                if self.bind_result(target, value)?.is_none() {
                    self.bind(target, value)?;
                    self.emit(Instr::PopV {});
                }
                Ok(())
            }
            ExprKind::IncDec { op, target: target @ Expr { kind: ExprKind::Var(_), .. } } => {
                // The old value is not used, so the operator need not give it.
                let op = match op {
                    IncDecOp::PostInc => IncDecOp::PreInc,
                    IncDecOp::PostDec => IncDecOp::PreDec,
                    pre => pre,
                };
                self.inc_dec(op, target)?;
                self.emit(Instr::PopC {});
                Ok(())
            }
            ExprKind::Throw(operand) => {
                self.expr(operand)?;
                self.emit(Instr::Throw {});
                Ok(())
            }
            // The expression is not read at all, so an undefined variable raises no warning.
            _ if self.is_simple(e) => {
                self.plain_local(e);
                Ok(())
            }
            _ => {
                self.expr(e)?;
                self.emit(Instr::PopC {});
                Ok(())
            }
        }
    }

    /// The local that a plain variable reads, if the expression is one.
    pub fn plain_local(&mut self, e: &Expr<'_>) -> Option<LocalId> {
        match e.kind {
            ExprKind::Var(name) if name != b"this" && !is_superglobal(name) => Some(self.local(name)),
            _ => None,
        }
    }

    /// Compiles two operands. A plain variable on the left is read after the right operand has run.
    pub fn operands(&mut self, lhs: &'a Expr<'a>, rhs: &'a Expr<'a>) -> Emit {
        let Some(local) = self.plain_local(lhs) else {
            self.expr(lhs)?;
            return self.expr(rhs);
        };
        if self.is_simple(rhs) {
            self.fb.line = rhs.span.line;
            self.emit(Instr::CGetL { local });
            return self.expr(rhs);
        }
        self.expr(rhs)?;
        self.emit(Instr::CGetL2 { local });
        Ok(())
    }

    /// Compiles a key and its value. A plain variable as the key is read last.
    pub fn key_and_value(&mut self, key: &'a Expr<'a>, value: &'a Expr<'a>) -> Emit {
        let Some(local) = self.plain_local(key) else {
            self.expr(key)?;
            return self.expr(value);
        };
        self.expr(value)?;
        self.emit(Instr::CGetL2 { local });
        Ok(())
    }

    /// Compiles the operand of an instruction on `line`: a plain variable is read by that instruction.
    pub fn operand_at(&mut self, line: u32, e: &'a Expr<'a>) -> Emit {
        match self.plain_local(e) {
            Some(local) => {
                self.fb.line = line;
                self.emit(Instr::CGetL { local });
                Ok(())
            }
            None => self.expr(e),
        }
    }

    /// A literal or a plain variable: evaluating it changes nothing that another operand can see.
    pub fn is_simple(&mut self, e: &Expr<'_>) -> bool {
        match e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::MagicConst(_) => true,
            ExprKind::Var(name) => name != b"this" && !is_superglobal(name),
            ExprKind::Const(ref name) => self.special_constant(name).is_some(),
            _ => false,
        }
    }
}
