//! Constants, magic constants, and folding of expressions that are literals in disguise.

use std::borrow::Cow;
use std::rc::Rc;

use phlox_hhbc::*;
use phlox_syntax::ast::ClassKind;
use phlox_syntax::ast::*;

use crate::constant::{self, ArrayBuilder, Const};
use crate::emitter::{Emit, Emitter, FuncKind};

impl<'a> Emitter<'a> {
    /// `true`, `false`, `null` (also unqualified in a namespace) and the halt offset.
    pub fn special_constant(&self, name: &Name<'a>) -> Option<Const<'a>> {
        if !matches!(name.kind, NameKind::Unqualified | NameKind::FullyQualified) {
            return None;
        }
        let text = name.text;
        match text.len() {
            4 if text.eq_ignore_ascii_case(b"true") => Some(Const::Bool(true)),
            4 if text.eq_ignore_ascii_case(b"null") => Some(Const::Null),
            5 if text.eq_ignore_ascii_case(b"false") => Some(Const::Bool(false)),
            24 if text == b"__COMPILER_HALT_OFFSET__" => {
                self.unit.unit.halt_offset.map(|offset| Const::Int(i64::from(offset)))
            }
            _ => None,
        }
    }

    /// Pushes a constant's value, which is looked up at run time unless it is known here.
    pub fn constant(&mut self, name: &Name<'a>) -> Emit {
        if let Some(value) = self.special_constant(name) {
            self.push_const(&value);
            return Ok(());
        }
        let resolved = self.names.global(UseKind::Const, name);
        let id = self.str(&resolved.name);
        match resolved.fallback {
            Some(fallback) => {
                let fallback = self.str(&fallback);
                self.emit(Instr::CnsU { name: id, fallback });
            }
            None => self.emit(Instr::Cns { name: id }),
        }
        Ok(())
    }

    /// Pushes the value of a magic constant such as `__LINE__`.
    pub fn magic_constant(&mut self, magic: MagicConst) -> Emit {
        match self.fold_magic(magic) {
            Some(value) => self.push_const(&value),
            None => {
                // `__CLASS__` in a trait: the class that uses it.
                self.emit(Instr::SelfCls {});
                self.emit(Instr::NameA {});
            }
        }
        Ok(())
    }

    fn fold_magic(&self, magic: MagicConst) -> Option<Const<'a>> {
        let owned = |bytes: &[u8]| Const::Str(Cow::Owned(bytes.to_vec()));
        Some(match magic {
            MagicConst::Line => Const::Int(i64::from(self.fb.line)),
            MagicConst::File => owned(self.filename),
            MagicConst::Dir => Const::Str(Cow::Owned(directory(self.filename))),
            MagicConst::Namespace => owned(&self.names.namespace),
            MagicConst::Function => owned(&self.ctx.name),
            MagicConst::Method => owned(&self.method_name()),
            MagicConst::Class => match &self.class {
                Some(class) if class.kind == ClassKind::Trait => return None,
                Some(class) => owned(&class.name),
                None => owned(b""),
            },
            MagicConst::Trait => match &self.class {
                Some(class) if class.kind == ClassKind::Trait => owned(&class.name),
                _ => owned(b""),
            },
            MagicConst::Property => owned(self.ctx.property.as_deref().unwrap_or_default()),
        })
    }

    /// `__METHOD__`; directly inside a class there is none.
    pub fn method_name(&self) -> Rc<[u8]> {
        match self.ctx.kind {
            FuncKind::Main | FuncKind::Function if self.class.is_some() => Rc::default(),
            _ => self.ctx.method.clone(),
        }
    }

    /// The value of an expression that needs no evaluation.
    pub fn fold(&mut self, e: &'a Expr<'a>) -> Option<Const<'a>> {
        match e.kind {
            ExprKind::Int(n) => Some(Const::Int(n)),
            ExprKind::Float(d) => Some(Const::Double(d)),
            ExprKind::Str(s) => Some(Const::Str(Cow::Borrowed(s))),
            ExprKind::Const(ref name) => self.special_constant(name),
            ExprKind::MagicConst(MagicConst::Line) => Some(Const::Int(i64::from(e.span.line))),
            ExprKind::MagicConst(magic) => self.fold_magic(magic),
            ExprKind::Array { form, items } if form != ArrayForm::List => self.fold_array(items),
            ExprKind::Unary { op, operand } => {
                let value = self.fold(operand)?;
                constant::unary(op, &value)
            }
            ExprKind::Binary { op, .. } => self.fold_binary(op, e),
            ExprKind::Ternary { cond, then, otherwise, .. } => {
                let cond = self.fold(cond)?;
                match then {
                    Some(then) if cond.truthy() => self.fold(then),
                    None if cond.truthy() => Some(cond),
                    _ => self.fold(otherwise),
                }
            }
            ExprKind::ClassConst { class: ClassRef::Name(ref name), name: MemberName::Ident(ref ident) }
                if ident.text.eq_ignore_ascii_case(b"class") =>
            {
                self.fold_class_name(name)
            }
            _ => None,
        }
    }

    fn fold_class_name(&mut self, name: &Name<'a>) -> Option<Const<'a>> {
        match crate::names::special_class(name.text) {
            None => Some(Const::Str(Cow::Owned(self.names.class(name)))),
            Some(special) if name.kind == NameKind::Unqualified => {
                Some(Const::Str(Cow::Owned(self.fold_special_class(special)?.to_vec())))
            }
            Some(_) => None,
        }
    }

    /// Folds a chain of binary operators from its left end, without recursion along it.
    fn fold_binary(&mut self, op: BinaryOp, e: &'a Expr<'a>) -> Option<Const<'a>> {
        let mut links = Vec::new();
        let mut first = e;
        // If a right operand does not fold, the chain does not, so the rightmost ones are tested first.
        while let ExprKind::Binary { op, lhs, rhs } = first.kind {
            if !may_fold(rhs) {
                return None;
            }
            links.push((op, rhs));
            first = lhs;
        }
        if !may_fold(first) || (op == BinaryOp::Coalesce && links.len() > 1) {
            return None;
        }
        let mut value = self.fold(first)?;
        for (op, rhs) in links.into_iter().rev() {
            let right = self.fold(rhs)?;
            value = constant::binary(op, &value, &right)?;
        }
        Some(value)
    }

    /// The array that a literal gives, if all its items can be folded.
    pub fn fold_array(&mut self, items: &'a [Option<ArrayItem<'a>>]) -> Option<Const<'a>> {
        let mut array = ArrayBuilder::default();
        for item in items {
            let item = item.as_ref()?;
            if item.by_ref || item.spread || !may_fold(item.value) {
                return None;
            }
            let added = match item.key {
                Some(key) => {
                    let key = self.fold(key)?.as_key()?;
                    let value = self.fold(item.value)?;
                    array.set(key, value);
                    true
                }
                None => {
                    let value = self.fold(item.value)?;
                    array.push(value)
                }
            };
            if !added {
                return None;
            }
        }
        Some(Const::Array(array.items))
    }
}

/// Can this kind of expression fold? A quick test that rules out most expressions.
fn may_fold(e: &Expr<'_>) -> bool {
    matches!(
        e.kind,
        ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Const(_)
            | ExprKind::MagicConst(_)
            | ExprKind::Array { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Ternary { .. }
            | ExprKind::ClassConst { .. }
    )
}

/// The directory part of a path, as `dirname` gives it.
fn directory(path: &[u8]) -> Vec<u8> {
    match path.iter().rposition(|&b| b == b'/') {
        Some(0) => b"/".to_vec(),
        Some(slash) => {
            let end = path[..slash].iter().rposition(|&b| b != b'/').map_or(0, |last| last + 1);
            if end == 0 { b"/".to_vec() } else { path[..end].to_vec() }
        }
        // Code that is in no file (`-r`, standard input) belongs to the folder that it is compiled in.
        None => std::env::current_dir().map_or(b".".to_vec(), |folder| folder.into_os_string().into_encoded_bytes()),
    }
}
