//! `[$a, 'k' => $b] = ...` and `list(...)`, with references and nesting.

use phlox_hhbc::Member;
use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::{is_call, is_variable, is_writable};
use crate::emitter::{Emit, Emitter};

type Items<'a> = &'a [Option<ArrayItem<'a>>];

/// Is any element taken by reference, however deep?
pub(crate) fn has_references(items: &[Option<ArrayItem<'_>>]) -> bool {
    items.iter().flatten().any(|item| match item.value.kind {
        ExprKind::Array { items, .. } => has_references(items),
        _ => item.by_ref,
    })
}

impl<'a> Emitter<'a> {
    /// `pattern = value` as an expression: the value stays on the stack.
    pub fn destructure_assign(&mut self, items: Items<'a>, form: ArrayForm, value: &'a Expr<'a>) -> Emit {
        if !has_references(items) {
            self.expr(value)?;
            return self.destructure(items, form);
        }
        if !is_variable(value) && !is_call(value) {
            return self.fatal("Cannot assign reference to non referenceable value");
        }
        self.not_nullsafe(value)?;
        if is_call(value) {
            self.call(value)?;
            self.emit(Instr::BoxRNotice { kind: RefNotice::Destructure });
        } else {
            self.refer_variable(value)?;
        }
        let source = self.fb.temp();
        self.emit(Instr::BindL { local: source });
        self.emit(Instr::PopV {});
        self.destructure_refs(items, form, source)?;
        self.take_temp(source);
        Ok(())
    }

    /// Takes the cell on the stack apart; the cell stays.
    pub fn destructure(&mut self, items: Items<'a>, form: ArrayForm) -> Emit {
        let keyed = self.check_pattern(items)?;
        for (position, item) in items.iter().enumerate() {
            let Some(item) = self.pattern_item(item.as_ref(), keyed)? else { continue };
            self.emit(Instr::Dup {});
            let member = self.element_key(item, position)?;
            self.check_target(item.value, form)?;
            let vector = self.fb.vector(Base::C, vec![member]);
            self.emit(Instr::CGetListM { vector });
            self.assign_top(item.value)?;
        }
        Ok(())
    }

    /// Takes the value of a local apart, some elements by reference.
    pub fn destructure_refs(&mut self, items: Items<'a>, form: ArrayForm, source: LocalId) -> Emit {
        let keyed = self.check_pattern(items)?;
        for (position, item) in items.iter().enumerate() {
            let Some(item) = self.pattern_item(item.as_ref(), keyed)? else { continue };
            let member = self.element_key(item, position)?;
            self.check_target(item.value, form)?;
            let vector = self.fb.vector(Base::L(source), vec![member]);
            match item.value.kind {
                ExprKind::Array { items, form } if has_references(items) => {
                    self.emit(Instr::VGetM { vector });
                    let inner = self.fb.temp();
                    self.emit(Instr::BindL { local: inner });
                    self.emit(Instr::PopV {});
                    self.destructure_refs(items, form, inner)?;
                    self.drop_temp(inner);
                }
                _ if item.by_ref => {
                    self.emit(Instr::VGetM { vector });
                    self.bind_top(item.value)?;
                }
                _ => {
                    self.emit(Instr::CGetListM { vector });
                    self.assign_top(item.value)?;
                }
            }
        }
        Ok(())
    }

    /// Is the pattern keyed? An empty one is an error.
    fn check_pattern(&self, items: Items<'a>) -> Emit<bool> {
        match items.iter().flatten().next() {
            Some(first) => Ok(first.key.is_some()),
            None => self.fatal("Cannot use empty list"),
        }
    }

    fn pattern_item(&self, item: Option<&'a ArrayItem<'a>>, keyed: bool) -> Emit<Option<&'a ArrayItem<'a>>> {
        let Some(item) = item else {
            if keyed {
                return self.fatal("Cannot use empty array entries in keyed array assignment");
            }
            return Ok(None);
        };
        if item.spread {
            return self.fatal("Spread operator is not supported in assignments");
        }
        if item.key.is_some() != keyed {
            return self.fatal("Cannot mix keyed and unkeyed array entries in assignments");
        }
        Ok(Some(item))
    }

    fn element_key(&mut self, item: &'a ArrayItem<'a>, position: usize) -> Emit<Member> {
        match item.key {
            Some(key) => self.dim_member(key),
            None => Ok(Member::EI(position as i64)),
        }
    }

    fn check_target(&self, target: &Expr<'_>, outer: ArrayForm) -> Emit {
        if let ExprKind::Array { form, .. } = target.kind {
            if form == ArrayForm::Long {
                return self.fatal("Cannot assign to array(), use [] instead");
            }
            if form != outer {
                return self.fatal("Cannot mix [] and list()");
            }
            return Ok(());
        }
        if !is_writable(target) {
            return self.fatal("Assignments can only happen to writable values");
        }
        Ok(())
    }
}
