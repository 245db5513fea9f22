//! Calls of builtin functions that PHP compiles to instructions of their own, whose operands are the arguments: a plain variable is
//! read when all other arguments have been evaluated, so that `min($a, $a = 1)` sees what the second argument assigns.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::calls::is_inlined_builtin;
use super::places::Place;
use super::walk::for_each_part;
use crate::emitter::{Emit, Emitter};
use crate::names::Resolved;

/// The functions, and with how many arguments.
const FRAMELESS: [(&[u8], std::ops::RangeInclusive<usize>); 20] = [
    (b"property_exists", 2..=2),
    (b"class_exists", 1..=2),
    (b"preg_match", 2..=2),
    (b"preg_replace", 3..=3),
    (b"min", 2..=2),
    (b"max", 2..=2),
    (b"in_array", 2..=3),
    (b"trim", 1..=2),
    (b"implode", 1..=2),
    (b"dirname", 1..=2),
    (b"strstr", 2..=3),
    (b"strpos", 2..=3),
    (b"str_contains", 2..=2),
    (b"str_starts_with", 2..=2),
    (b"substr", 2..=3),
    (b"strtr", 2..=3),
    (b"str_replace", 3..=3),
    (b"dechex", 1..=1),
    (b"is_numeric", 1..=1),
    (b"array_key_exists", 2..=2),
];

fn is_frameless(name: &[u8], count: usize) -> bool {
    FRAMELESS.iter().any(|(frameless, counts)| counts.contains(&count) && name.eq_ignore_ascii_case(frameless))
}

impl<'a> Emitter<'a> {
    /// The call of such a function if it matters when its variables are read: elsewhere they are passed where they stand, which
    /// takes an opline less. An argument that may warn, and with that run an error handler, does not count.
    pub fn frameless_call(&mut self, resolved: &Resolved, args: &'a Args<'a>, line: u32) -> Emit<Option<Place>> {
        let plain = args.items.iter().all(|arg| !arg.spread && arg.name.is_none()) && !args.first_class_callable;
        let count = args.items.len();
        if !self.knows_builtins || !plain || resolved.fallback.is_some() || !is_frameless(&resolved.name, count) {
            return Ok(None);
        }
        let locals: Vec<Option<LocalId>> = args.items.iter().map(|arg| self.plain_local(&arg.value)).collect();
        let Some(first) = locals.iter().position(Option::is_some) else { return Ok(None) };
        if !args.items[first..].iter().any(|arg| self.may_assign(&arg.value)) {
            return Ok(None);
        }
        let name = self.str(&resolved.name);
        self.fb.push_call(Instr::FPushFuncD { args: count as u32, name });
        for (arg, _) in args.items.iter().zip(&locals).filter(|(_, local)| local.is_none()) {
            self.fb.line = arg.value.span.line;
            self.expr(&arg.value)?;
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
        Ok(Some(Place::Ret))
    }

    /// May the expression assign to a variable, itself or in what it calls?
    fn may_assign(&self, e: &Expr<'_>) -> bool {
        let own = match e.kind {
            ExprKind::Assign { .. }
            | ExprKind::AssignRef { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::MethodCall { .. }
            | ExprKind::StaticCall { .. }
            | ExprKind::New { .. }
            | ExprKind::Include { .. }
            | ExprKind::Eval(_)
            | ExprKind::Yield { .. }
            | ExprKind::YieldFrom(_)
            | ExprKind::Call { callee: Callee::Expr(_), .. } => true,
            ExprKind::Call { callee: Callee::Name(ref name), ref args } => {
                let resolved = self.names.global(UseKind::Function, name);
                let count = args.items.len();
                let assigns_nothing = is_frameless(&resolved.name, count) || is_inlined_builtin(&resolved.name, count);
                !assigns_nothing || resolved.fallback.is_some()
            }
            _ => false,
        };
        let mut found = own;
        for_each_part(e, &mut |part| found = found || self.may_assign(part));
        found
    }
}
