//! `match`.

use std::collections::HashSet;

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::builder::Label;
use crate::constant::Const;
use crate::emitter::{Emit, Emitter};

/// How the subject is at hand while the arms are tried.
enum Subject<'a> {
    /// A plain variable, read for each condition.
    Local(LocalId),
    /// The value of a plain variable, on the stack until an arm is chosen.
    LocalOnStack(LocalId),
    /// A literal, pushed for each condition.
    Literal(Const<'a>),
    /// The subject is on the stack until an arm is chosen.
    Stack,
}

/// Fewest conditions for which PHP makes a table.
const MIN_CASES: usize = 2;
/// Fewest integers that a table is worth for a value on the stack.
const MIN_INTS_ON_STACK: usize = 5;

impl<'a> Emitter<'a> {
    /// `match (subject) { arms }`: pushes the chosen arm's value.
    pub fn match_expr(&mut self, subject: &'a Expr<'a>, arms: &'a [MatchArm<'a>]) -> Emit {
        let defaults = arms.iter().filter(|arm| arm.conditions.is_none()).count();
        if defaults > 1 {
            let line = arms.iter().filter(|a| a.conditions.is_none()).nth(1).map_or(0, |a| a.span.line);
            return self.fatal_at(line, "Match expressions may only contain one default arm");
        }
        let mut kept = self.match_subject(subject)?;
        let labels: Vec<Label> = arms.iter().map(|_| self.fb.label()).collect();
        let no_match = match arms.iter().position(|arm| arm.conditions.is_none()) {
            Some(default) => labels[default],
            None => self.fb.label(),
        };
        let line = self.fb.line;
        if !self.match_table(&mut kept, arms, &labels, no_match) {
            self.match_conditions(&kept, arms, &labels)?;
            if self.all_literal(arms) {
                self.fb.line = line;
            }
            self.fb.jump(no_match);
        }
        let end = self.fb.label();
        if defaults == 0 {
            self.fb.bind(no_match);
            self.throw_match_error(&kept);
            if arms.is_empty() {
                self.emit(Instr::Null {});
            }
        }
        for (arm, &label) in arms.iter().zip(&labels) {
            self.fb.bind(label);
            if matches!(kept, Subject::Stack | Subject::LocalOnStack(_)) {
                self.emit(Instr::PopC {});
            }
            self.expr(&arm.body)?;
            self.fb.jump(end);
        }
        self.fb.bind(end);
        Ok(())
    }

    fn match_subject(&mut self, subject: &'a Expr<'a>) -> Emit<Subject<'a>> {
        self.fb.line = subject.span.line;
        if let Some(local) = self.plain_local(subject) {
            return Ok(Subject::Local(local));
        }
        if let Some(value) = self.fold(subject) {
            return Ok(Subject::Literal(value));
        }
        self.expr(subject)?;
        Ok(Subject::Stack)
    }

    fn throw_match_error(&mut self, subject: &Subject<'a>) {
        if matches!(subject, Subject::LocalOnStack(_)) {
            self.emit(Instr::PopC {});
        }
        match subject {
            Subject::Local(local) | Subject::LocalOnStack(local) => {
                self.emit(Instr::ThrowMatchErrorL { local: *local })
            }
            _ => {
                self.push_subject(subject, false);
                self.emit(Instr::ThrowMatchError {});
            }
        }
    }

    /// Pushes the subject, keeping it if more conditions follow.
    fn push_subject(&mut self, subject: &Subject<'a>, keep: bool) {
        match subject {
            Subject::Local(local) => self.emit(Instr::CGetL { local: *local }),
            Subject::Literal(value) => self.push_const(value),
            Subject::Stack | Subject::LocalOnStack(_) if keep => self.emit(Instr::Dup {}),
            Subject::Stack | Subject::LocalOnStack(_) => {}
        }
    }

    fn match_conditions(&mut self, subject: &Subject<'a>, arms: &'a [MatchArm<'a>], labels: &[Label]) -> Emit {
        for (arm, label) in arms.iter().zip(labels) {
            for condition in arm.conditions.unwrap_or_default() {
                match subject {
                    Subject::Local(local) if !self.is_simple(condition) => {
                        self.expr(condition)?;
                        self.emit(Instr::CGetL2 { local: *local });
                    }
                    _ => {
                        self.fb.line = condition.span.line;
                        self.push_subject(subject, true);
                        self.expr(condition)?;
                    }
                }
                self.emit(Instr::Same {});
                self.emit(Instr::JmpNZ { target: label.target() });
            }
        }
        Ok(())
    }

    fn all_literal(&self, arms: &[MatchArm<'_>]) -> bool {
        let literal = |e: &Expr<'_>| matches!(e.kind, ExprKind::Int(_) | ExprKind::Str(_));
        arms.iter().flat_map(|a| a.conditions.unwrap_or_default()).all(literal)
    }

    /// What the conditions are and where they lead, if all are known.
    fn match_cases(&mut self, arms: &'a [MatchArm<'a>], labels: &[Label]) -> Option<Vec<(Const<'a>, Label)>> {
        let conditions = arms.iter().zip(labels).flat_map(|(arm, label)| {
            arm.conditions.unwrap_or_default().iter().map(move |condition| (condition, *label))
        });
        conditions.map(|(condition, label)| Some((self.fold(condition)?, label))).collect()
    }

    /// Dispatches through a table when the conditions are all integers or all strings. A variable is read once then,
    /// which shows when it is not defined; PHP also has tables of both.
    fn match_table(
        &mut self,
        subject: &mut Subject<'a>,
        arms: &'a [MatchArm<'a>],
        labels: &[Label],
        default: Label,
    ) -> bool {
        let Some(cases) = self.match_cases(arms, labels) else { return false };
        let read_once = match *subject {
            Subject::Local(local) => Some(Subject::LocalOnStack(local)),
            _ => None,
        };
        let least_ints = if read_once.is_some() { MIN_CASES } else { MIN_INTS_ON_STACK };
        let ints = cases.iter().filter(|case| matches!(case.0, Const::Int(_))).count();
        let strings = cases.iter().filter(|case| matches!(case.0, Const::Str(_))).count();
        if ints == cases.len() && ints >= least_ints {
            let cases = cases.iter().filter_map(|(case, label)| match case {
                Const::Int(int) => Some((*int, *label)),
                _ => None,
            });
            let table = int_table(cases, default);
            self.push_subject(subject, true);
            let table = self.fb.switch_table(table);
            self.emit(Instr::Switch { table });
            return true;
        }
        if strings == cases.len() && strings >= MIN_CASES {
            let cases = cases.iter().filter_map(|(case, label)| match case {
                Const::Str(text) => Some((&text[..], *label)),
                _ => None,
            });
            let table = self.string_table(cases, default);
            self.push_subject(subject, true);
            let table = self.fb.switch_table(table);
            self.emit(Instr::SSwitch { table });
            return true;
        }
        if ints + strings == cases.len() && cases.len() >= MIN_CASES {
            if let Some(read_once) = read_once {
                self.push_subject(subject, true);
                *subject = read_once;
            }
        }
        false
    }

    /// A table of distinct strings: the first case of each wins.
    pub fn string_table<'s>(&mut self, cases: impl Iterator<Item = (&'s [u8], Label)>, default: Label) -> SwitchTable {
        let mut seen = HashSet::new();
        let mut table = Vec::new();
        for (text, label) in cases {
            let id = self.str(text);
            if seen.insert(id) {
                table.push((id, label.target()));
            }
        }
        SwitchTable::Str { cases: table, default: default.target() }
    }
}

/// A table of integers; the first case of each wins.
pub(crate) fn int_table(cases: impl Iterator<Item = (i64, Label)>, default: Label) -> SwitchTable {
    let mut table: Vec<(i64, Target)> = cases.map(|(int, label)| (int, label.target())).collect();
    // The sort is stable, so the first one of equal integers stays first.
    table.sort_by_key(|case| case.0);
    table.dedup_by_key(|case| case.0);
    SwitchTable::Int { cases: table, default: default.target() }
}
