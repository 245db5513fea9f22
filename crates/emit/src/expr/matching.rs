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
    /// A literal, pushed for each condition.
    Literal(Const<'a>),
    /// On the stack until an arm is chosen.
    Stack,
}

/// Fewest conditions that a jump table is worth.
const MIN_INT_TABLE: usize = 5;
const MIN_STRING_TABLE: usize = 2;
/// How much larger than the number of cases a table of integers may be.
const MAX_TABLE_SPREAD: usize = 4;

impl<'a> Emitter<'a> {
    pub fn match_expr(&mut self, subject: &'a Expr<'a>, arms: &'a [MatchArm<'a>]) -> Emit {
        let defaults = arms.iter().filter(|arm| arm.conditions.is_none()).count();
        if defaults > 1 {
            let line = arms.iter().filter(|a| a.conditions.is_none()).nth(1).map_or(0, |a| a.span.line);
            return self.fatal_at(line, "Match expressions may only contain one default arm");
        }
        let kept = self.match_subject(subject)?;
        let labels: Vec<Label> = arms.iter().map(|_| self.fb.label()).collect();
        let no_match = match arms.iter().position(|arm| arm.conditions.is_none()) {
            Some(default) => labels[default],
            None => self.fb.label(),
        };
        let line = self.fb.line;
        if !self.match_table(&kept, arms, &labels, no_match) {
            self.match_conditions(&kept, arms, &labels)?;
            if self.all_literal(arms) {
                self.fb.line = line;
            }
            self.fb.jump(no_match);
        }
        let end = self.fb.label();
        if defaults == 0 {
            self.fb.bind(no_match);
            self.push_subject(&kept, false);
            self.emit(Instr::ThrowMatchError {});
            if arms.is_empty() {
                self.emit(Instr::Null {});
            }
        }
        for (arm, &label) in arms.iter().zip(&labels) {
            self.fb.bind(label);
            if matches!(kept, Subject::Stack) {
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

    /// Pushes the subject, keeping it if more conditions follow.
    fn push_subject(&mut self, subject: &Subject<'a>, keep: bool) {
        match subject {
            Subject::Local(local) => self.emit(Instr::CGetL { local: *local }),
            Subject::Literal(value) => self.push_const(value),
            Subject::Stack if keep => self.emit(Instr::Dup {}),
            Subject::Stack => {}
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

    /// Dispatches through a table when the conditions are all integers or all strings.
    fn match_table(
        &mut self,
        subject: &Subject<'a>,
        arms: &'a [MatchArm<'a>],
        labels: &[Label],
        default: Label,
    ) -> bool {
        let conditions = || {
            arms.iter().zip(labels).flat_map(|(arm, label)| {
                arm.conditions.unwrap_or_default().iter().map(move |condition| (condition, *label))
            })
        };
        let count = conditions().count();
        if conditions().all(|(c, _)| matches!(c.kind, ExprKind::Int(_))) && count >= MIN_INT_TABLE {
            let cases: Vec<(i64, Label)> = conditions()
                .filter_map(|(c, label)| match c.kind {
                    ExprKind::Int(n) => Some((n, label)),
                    _ => None,
                })
                .collect();
            let Some(table) = int_table(&cases, default) else { return false };
            self.push_subject(subject, true);
            let table = self.fb.switch_table(table);
            self.emit(Instr::Switch { table });
            return true;
        }
        if conditions().all(|(c, _)| matches!(c.kind, ExprKind::Str(_))) && count >= MIN_STRING_TABLE {
            let cases = conditions().filter_map(|(c, label)| match c.kind {
                ExprKind::Str(s) => Some((s, label)),
                _ => None,
            });
            let table = self.string_table(cases, default);
            self.push_subject(subject, true);
            let table = self.fb.switch_table(table);
            self.emit(Instr::SSwitch { table });
            return true;
        }
        false
    }

    /// A table of distinct strings: the first case of each wins.
    pub fn string_table(&mut self, cases: impl Iterator<Item = (&'a [u8], Label)>, default: Label) -> SwitchTable {
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

/// A dense table over the cases' range, if the range is not too wide; the first case of each value wins.
pub(crate) fn int_table(cases: &[(i64, Label)], default: Label) -> Option<SwitchTable> {
    let low = cases.iter().map(|c| c.0).min()?;
    let high = cases.iter().map(|c| c.0).max()?;
    let span = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
    if span > cases.len() * MAX_TABLE_SPREAD {
        return None;
    }
    let mut targets = vec![default.target(); span];
    for &(value, label) in cases.iter().rev() {
        targets[(value - low) as usize] = label.target();
    }
    Some(SwitchTable::Int { base: low, targets, default: default.target() })
}
