//! `switch`.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::builder::Label;
use crate::constant::Const;
use crate::emitter::{Emit, Emitter, LoopState, Scope};
use crate::expr::matching::int_table;
use crate::stmt::loops::stmt_id;

/// How the subject is read for each case.
enum Subject<'a> {
    Local(LocalId),
    Literal(Const<'a>),
}

/// Fewest cases that a jump table is worth.
const MIN_INT_CASES: usize = 5;
const MIN_STRING_CASES: usize = 2;

impl<'a> Emitter<'a> {
    /// Compiles a `switch`, through a table of jumps where its cases allow one.
    pub fn switch(&mut self, stmt: &'a Stmt<'a>, subject: &'a Expr<'a>, cases: &'a [SwitchCase<'a>]) -> Emit {
        self.fb.line = subject.span.line;
        let (kept, temp) = match (self.plain_local(subject), self.fold(subject)) {
            (Some(local), _) => (Subject::Local(local), None),
            (None, Some(value)) => (Subject::Literal(value), None),
            (None, None) => {
                self.expr(subject)?;
                let temp = self.pop_to_temp();
                (Subject::Local(temp), Some(temp))
            }
        };
        let end = self.fb.label();
        let labels: Vec<Label> = cases.iter().map(|_| self.fb.label()).collect();
        let mut defaults = cases.iter().zip(&labels).filter(|(case, _)| case.value.is_none());
        let default = defaults.next().map_or(end, |(_, &label)| label);
        let second = defaults.next().map(|(case, _)| case.span.line);
        if let Subject::Local(local) = kept {
            self.switch_table(local, cases, &labels, default);
        }
        for (case, &label) in cases.iter().zip(&labels) {
            match &case.value {
                Some(value) => self.switch_case(&kept, value, label)?,
                None if second == Some(case.span.line) => {
                    return self.fatal_at(case.span.line, "Switch statements may only contain one default clause");
                }
                None => {}
            }
        }
        if let Some(line) = second {
            return self.fatal_at(line, "Switch statements may only contain one default clause");
        }
        self.fb.jump(default);
        let state = temp.map_or(LoopState::Nothing, LoopState::Temp);
        let id = stmt_id(stmt);
        self.ctx.scopes.push(Scope::Loop { id, on_break: end, on_continue: end, is_switch: true, state });
        for (case, &label) in cases.iter().zip(&labels) {
            self.fb.bind(label);
            self.stmts(case.body)?;
        }
        self.ctx.scopes.pop();
        self.fb.bind(end);
        if let Some(temp) = temp {
            self.drop_temp(temp);
        }
        Ok(())
    }

    fn switch_case(&mut self, subject: &Subject<'a>, value: &'a Expr<'a>, label: Label) -> Emit {
        match subject {
            Subject::Literal(Const::Bool(when)) => return self.condition(value, label, *when),
            Subject::Literal(literal) => {
                self.push_const(literal);
                self.expr(value)?;
            }
            Subject::Local(local) if !self.is_simple(value) => {
                self.expr(value)?;
                self.emit(Instr::CGetL2 { local: *local });
            }
            Subject::Local(local) => {
                self.fb.line = value.span.line;
                self.emit(Instr::CGetL { local: *local });
                self.expr(value)?;
            }
        }
        self.emit(Instr::Eq {});
        self.emit(Instr::JmpNZ { target: label.target() });
        Ok(())
    }

    /// A table for the common type of the cases; a subject of another type goes on to the comparisons.
    fn switch_table(&mut self, local: LocalId, cases: &'a [SwitchCase<'a>], labels: &[Label], default: Label) {
        let valued = || cases.iter().zip(labels).filter_map(|(c, &label)| c.value.as_ref().map(|v| (v, label)));
        let count = valued().count();
        let ints = count >= MIN_INT_CASES && valued().all(|(v, _)| matches!(v.kind, ExprKind::Int(_)));
        let strings = count >= MIN_STRING_CASES
            && valued().all(|(v, _)| matches!(v.kind, ExprKind::Str(s) if !may_be_numeric(s)));
        let (test, table) = if ints {
            let cases = valued().filter_map(|(v, label)| match v.kind {
                ExprKind::Int(n) => Some((n, label)),
                _ => None,
            });
            (TypeTest::Int, int_table(cases, default))
        } else if strings {
            let cases = valued().filter_map(|(v, label)| match v.kind {
                ExprKind::Str(s) => Some((s, label)),
                _ => None,
            });
            (TypeTest::Str, self.string_table(cases, default))
        } else {
            return;
        };
        let slow = self.fb.label();
        // The comparisons report a variable that is not defined.
        self.emit(Instr::CGetQuietL { local });
        self.emit(Instr::IsTypeC { test });
        self.emit(Instr::JmpZ { target: slow.target() });
        self.emit(Instr::CGetL { local });
        let table = self.fb.switch_table(table);
        self.emit(match test {
            TypeTest::Int => Instr::Switch { table },
            _ => Instr::SSwitch { table },
        });
        self.fb.bind(slow);
    }
}

/// Could a comparison with this string be numeric?
fn may_be_numeric(s: &[u8]) -> bool {
    s.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|&b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'))
}
