//! Calls of builtin functions that PHP compiles to instructions of their own, whose operands are the arguments: a plain variable is
//! read when all other arguments have been evaluated, so that `min($a, $a = 1)` sees what the second argument assigns.

use phlox_hhbc::frameless::{is_frameless, is_inlined};
use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::places::Place;
use super::walk::{for_each_part, mentioned_variables};
use crate::emitter::{Emit, Emitter};
use crate::names::Resolved;
use crate::stmt::assigned::plain_variable;

impl<'a> Emitter<'a> {
    /// Compiles a call of a function that PHP calls without a frame; `None` if the call is not one. Variables are read
    /// last only where that can be observed: elsewhere they are passed in their turn, which takes one opline less. An
    /// error handler that assigns to the variable while an argument is evaluated is not considered.
    pub fn frameless_call(&mut self, resolved: &Resolved, args: &'a Args<'a>, line: u32) -> Emit<Option<Place>> {
        let plain = args.items.iter().all(|arg| !arg.spread && arg.name.is_none()) && !args.first_class_callable;
        if !self.knows_builtins || !plain || !self.is_frameless_call(resolved, args.items.len()) {
            return Ok(None);
        }
        let outer = self.ctx.in_frameless_branch;
        self.ctx.in_frameless_branch |= resolved.fallback.is_some();
        let place = self.frameless_arguments(resolved, args, line);
        self.ctx.in_frameless_branch = outer;
        place.map(Some)
    }

    /// Is the function called without a frame here? PHP looks an unqualified name up in the namespace first and
    /// branches; calls by unqualified names among the arguments of such a call have a frame.
    fn is_frameless_call(&mut self, resolved: &Resolved, count: usize) -> bool {
        match &resolved.fallback {
            None => is_frameless(&resolved.name, count),
            Some(fallback) => {
                is_frameless(fallback, count)
                    && !self.ctx.in_frameless_branch
                    && !self.seen.contains(UseKind::Function, &resolved.name)
            }
        }
    }

    fn frameless_arguments(&mut self, resolved: &Resolved, args: &'a Args<'a>, line: u32) -> Emit<Place> {
        let count = args.items.len();
        if !self.reads_late(args, resolved.fallback.is_some()) {
            let push = self.push_function(resolved.clone(), count as u32);
            self.fb.push_call(push);
            return self.pass_and_call(args, line);
        }
        let push = self.push_function(resolved.clone(), count as u32);
        self.fb.push_call(push);
        let mut locals = Vec::with_capacity(count);
        for arg in args.items {
            locals.push(self.plain_local(&arg.value));
            if locals.last() == Some(&None) {
                self.fb.line = arg.value.span.line;
                self.expr(&arg.value)?;
            }
        }
        self.fb.line = line;
        for (position, local) in locals.iter().enumerate() {
            let Some(local) = *local else { continue };
            let above = locals[position..].iter().filter(|later| later.is_none()).count();
            self.emit(match above {
                0 => Instr::CGetL { local },
                1 => Instr::CGetL2 { local },
                _ => Instr::CGetL3 { local },
            });
        }
        self.fb.end_call(line, Instr::FCallCells { args: count as u32 });
        Ok(Place::Ret)
    }

    /// Can it be observed that variables are read after all other arguments? In a namespace hardly any function is known
    /// at compile time, so a call counts as an assignment only if it mentions one of the variables.
    fn reads_late(&mut self, args: &'a Args<'a>, in_namespace: bool) -> bool {
        let is_plain = |arg: &Arg<'a>| plain_variable(&arg.value).is_some();
        let Some(first) = args.items.iter().position(is_plain) else { return false };
        let later: Vec<&'a Expr<'a>> = args.items[first..].iter().map(|arg| &arg.value).collect();
        let mentions = |arg: &'a Expr<'a>| {
            let mut names = Vec::new();
            mentioned_variables(arg, &mut names);
            later.iter().any(|other| matches!(other.kind, ExprKind::Var(name) if names.contains(&name)))
        };
        if later.iter().any(|arg| self.may_assign(arg, !in_namespace || mentions(arg))) {
            return true;
        }
        let last = later.iter().rposition(|arg| plain_variable(arg).is_none() && self.fold(arg).is_none());
        let before = &later[..last.unwrap_or(0)];
        before.iter().any(|arg| self.may_be_undefined(arg))
    }

    /// May the expression assign to a variable, itself or in what it calls? `by_calls`: whether calls count.
    fn may_assign(&self, e: &Expr<'_>, by_calls: bool) -> bool {
        let own = match e.kind {
            ExprKind::Assign { .. }
            | ExprKind::AssignRef { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Include { .. }
            | ExprKind::Eval(_)
            | ExprKind::Yield { .. }
            | ExprKind::YieldFrom(_) => true,
            ExprKind::MethodCall { .. }
            | ExprKind::StaticCall { .. }
            | ExprKind::New { .. }
            | ExprKind::Call { callee: Callee::Expr(_), .. } => by_calls,
            ExprKind::Call { callee: Callee::Name(ref name), ref args } => {
                let resolved = self.names.global(UseKind::Function, name);
                let (name, count) = (resolved.fallback.as_ref().unwrap_or(&resolved.name), args.items.len());
                by_calls && !is_frameless(name, count) && !is_inlined(name, count)
            }
            _ => false,
        };
        let mut found = own;
        for_each_part(e, &mut |part| found = found || self.may_assign(part, by_calls));
        found
    }
}
