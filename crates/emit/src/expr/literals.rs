//! Array literals, interpolated strings and backticks.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::constant::Const;
use crate::decl::params::type_name;
use crate::emitter::{Emit, Emitter};

impl<'a> Emitter<'a> {
    /// An array literal as a value: folded if all items are literals, built at run time otherwise.
    pub fn array_literal(&mut self, form: ArrayForm, items: &'a [Option<ArrayItem<'a>>]) -> Emit {
        if form == ArrayForm::List {
            return self.fatal("Cannot use list() as standalone expression");
        }
        if let Some(value) = self.fold_array(items) {
            self.push_const(&value);
            return Ok(());
        }
        self.check_constant_items(items)?;
        if self.is_tuple(items) {
            for item in items.iter().flatten() {
                self.expr(item.value)?;
            }
            self.emit(Instr::NewTuple { count: items.len() as u32 });
            return Ok(());
        }
        self.emit(Instr::NewArray {});
        for item in items {
            match item {
                Some(item) => self.array_item(item)?,
                None => return self.empty_element(items),
            }
        }
        Ok(())
    }

    /// The error about an empty element, which only patterns may have, on the line of the last element before it.
    pub fn empty_element<T>(&mut self, items: &'a [Option<ArrayItem<'a>>]) -> Emit<T> {
        let before = items.iter().map_while(Option::as_ref).last();
        let line = before.map_or(self.fb.line, |item| item.value.span.line);
        self.fatal_at(line, "Cannot use empty array elements in arrays")
    }

    /// Refuses constant items that can never be valid: `[...1]`, `[[] => 1]`.
    fn check_constant_items(&mut self, items: &'a [Option<ArrayItem<'a>>]) -> Emit {
        let mut refused = None;
        for item in items.iter().flatten() {
            let has_list_key = item.key.is_some_and(|key| matches!(self.fold(key), Some(Const::Array(_))));
            if has_list_key {
                refused = refused.or(Some("Illegal offset type".to_owned()));
            } else if item.spread
                && let Some(value) = self.fold(item.value)
                && !matches!(value, Const::Array(_))
            {
                let kind = type_name(&value);
                refused =
                    refused.or_else(|| Some(format!("Only arrays and Traversables can be unpacked, {kind} given")));
            }
        }
        let Some(refused) = refused else { return Ok(()) };
        for item in items {
            let Some(item) = item else { return self.empty_element(items) };
            let is_constant = self.fold(item.value).is_some() && item.key.is_none_or(|key| self.fold(key).is_some());
            if item.by_ref || !is_constant {
                return Ok(());
            }
        }
        self.fatal(refused)
    }

    /// Has the literal only values without keys, none of them by reference, and few enough to lie on the stack together?
    fn is_tuple(&self, items: &[Option<ArrayItem<'_>>]) -> bool {
        const MAX_ON_STACK: usize = 64;
        items.len() <= MAX_ON_STACK
            && items.iter().all(|i| matches!(i, Some(ArrayItem { key: None, by_ref: false, spread: false, .. })))
    }

    fn array_item(&mut self, item: &'a ArrayItem<'a>) -> Emit {
        if item.spread {
            self.expr(item.value)?;
            self.emit(Instr::UnpackElems {});
            return Ok(());
        }
        match (item.key, item.by_ref) {
            (None, false) => {
                self.expr(item.value)?;
                self.emit(Instr::AddNewElemC {});
            }
            (Some(key), false) => {
                self.key_and_value(key, item.value)?;
                self.emit(Instr::AddElemC {});
            }
            (key, true) => {
                self.ensure_writable(item.value)?;
                match key {
                    None => {
                        self.refer_variable(item.value)?;
                        self.emit(Instr::AddNewElemV {});
                    }
                    Some(key) => {
                        self.expr(key)?;
                        self.refer_variable(item.value)?;
                        self.emit(Instr::AddElemV {});
                    }
                }
            }
        }
        Ok(())
    }

    /// Pushes an interpolated string. Each part is converted when it is evaluated: it is cast early if a later part can
    /// have effects or warn.
    pub fn interpolated(&mut self, parts: &'a [StrPart<'a>]) -> Emit {
        let last_effect = parts.iter().rposition(|part| match part {
            StrPart::Lit(_) => false,
            StrPart::Expr(e) => !is_plain(e) || self.may_be_undefined(e),
        });
        for (i, part) in parts.iter().enumerate() {
            match part {
                StrPart::Lit(text) => self.push_string(text),
                StrPart::Expr(e) => {
                    self.expr(e)?;
                    if last_effect.is_some_and(|last| i < last) {
                        self.emit(Instr::CastString {});
                    }
                }
            }
        }
        match parts {
            [] => self.push_string(b""),
            [StrPart::Lit(_)] => {}
            [StrPart::Expr(_)] => self.emit(Instr::CastString {}),
            _ => self.emit(Instr::ConcatN { count: parts.len() as u32 }),
        }
        Ok(())
    }

    /// Backticks: a call of `shell_exec` with the interpolated string.
    pub fn shell_exec(&mut self, parts: &'a [StrPart<'a>], line: u32) -> Emit {
        let name = self.str(b"shell_exec");
        self.fb.push_call(Instr::FPushFuncD { args: 1, name });
        self.interpolated(parts)?;
        self.emit(Instr::FPassCE { param: 0 });
        self.fb.end_call(line, Instr::FCall { args: 1 });
        self.emit(Instr::UnboxR {});
        Ok(())
    }
}

/// A variable whose evaluation changes nothing.
fn is_plain(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Var(_))
}
