//! Class names in expressions: `self`, resolved names, class constants, `::class`.

use phlox_hhbc::*;
use phlox_syntax::ast::ClassKind;
use phlox_syntax::ast::*;

use super::places::ClassOperand;
use crate::constant::Const;
use crate::emitter::{Emit, Emitter, FuncKind};
use crate::names::{SpecialClass, special_class};

impl<'a> Emitter<'a> {
    /// Is the class that `self` stands for fixed by the source? Closures can be rebound, traits are copied, and
    /// constant expressions are not looked into before they are evaluated.
    pub fn scope_is_known(&self) -> bool {
        match self.ctx.kind {
            FuncKind::Closure | FuncKind::Arrow | FuncKind::Thunk => false,
            _ if self.ctx.in_const_expr => false,
            _ => match &self.class {
                Some(class) => class.kind != ClassKind::Trait,
                None => self.ctx.kind == FuncKind::Function,
            },
        }
    }

    /// Refuses `self`, `parent` and `static` where the scope is known not to have that class.
    pub fn check_special_class(&self, special: SpecialClass) -> Emit {
        if !self.scope_is_known() {
            return Ok(());
        }
        let name = match special {
            SpecialClass::SelfClass => "self",
            SpecialClass::Parent => "parent",
            SpecialClass::Static => "static",
        };
        match &self.class {
            None => self.fatal(format!("Cannot use \"{name}\" when no class scope is active")),
            Some(class) if special == SpecialClass::Parent && class.parent.is_none() => {
                self.fatal("Cannot use \"parent\" when current class scope has no parent")
            }
            Some(_) => Ok(()),
        }
    }

    /// What a class name stands for: a full name, or one of the special ones.
    pub fn class_name(&mut self, name: &Name<'a>) -> Emit<Result<StrId, SpecialClass>> {
        if name.kind == NameKind::Unqualified
            && let Some(special) = special_class(name.text)
        {
            self.check_special_class(special)?;
            return Ok(Err(special));
        }
        let full = self.resolve_class(name)?;
        Ok(Ok(self.str(&full)))
    }

    /// The full class name; special names are not allowed in any qualified form.
    pub fn resolve_class(&mut self, name: &Name<'a>) -> Emit<Vec<u8>> {
        if special_class(name.text).is_some() {
            let prefix = match name.kind {
                NameKind::FullyQualified => "\\",
                NameKind::Relative => "namespace\\",
                NameKind::Unqualified | NameKind::Qualified => "",
            };
            if !prefix.is_empty() {
                let text = phlox_text::shown(name.text).into_owned();
                return self.fatal(format!("'{prefix}{text}' is an invalid class name"));
            }
        }
        Ok(self.names.class(name))
    }

    /// The class of a static property, constant or method.
    pub fn static_class(&mut self, class: &'a ClassRef<'a>) -> Emit<ClassOperand> {
        match class {
            ClassRef::Name(name) => Ok(match self.class_name(name)? {
                Ok(name) => ClassOperand::Name(name),
                Err(special) => ClassOperand::Special(special),
            }),
            ClassRef::Expr(e) => {
                if let Some(value) = self.fold(e) {
                    let Const::Str(text) = value else { return self.fatal("Illegal class name") };
                    return self.literal_class(&text);
                }
                self.expr(e)?;
                Ok(ClassOperand::Temp(self.pop_to_temp()))
            }
        }
    }

    /// A class named by a string literal: always a full name, but `'self'` and the like keep their meaning.
    fn literal_class(&mut self, text: &[u8]) -> Emit<ClassOperand> {
        if let Some(special) = special_class(text) {
            self.check_special_class(special)?;
            return Ok(ClassOperand::Special(special));
        }
        let text = text.strip_prefix(b"\\").unwrap_or(text);
        Ok(ClassOperand::Name(self.str(text)))
    }

    /// `class::NAME`, `class::{expr}` and `class::class`.
    pub fn class_constant(&mut self, class: &'a ClassRef<'a>, name: &'a MemberName<'a>) -> Emit {
        if let MemberName::Ident(ident) = name
            && ident.text.eq_ignore_ascii_case(b"class")
        {
            return self.class_name_constant(class);
        }
        match (class, name) {
            (ClassRef::Expr(e), MemberName::Ident(ident)) if self.fold(e).is_none() => {
                self.expr(e)?;
                self.emit(Instr::AGetC {});
                let name = self.str(ident.text);
                self.emit(Instr::ClsCns { name });
            }
            (_, MemberName::Ident(ident)) => {
                let text = ident.text;
                match self.static_class(class)? {
                    ClassOperand::Name(class) => {
                        let name = self.str(text);
                        self.emit(Instr::ClsCnsD { name, class });
                    }
                    class => {
                        self.push_class_operand(class);
                        let name = self.str(text);
                        self.emit(Instr::ClsCns { name });
                    }
                }
            }
            (_, MemberName::Expr(e)) => {
                let class = self.static_class(class)?;
                self.expr(e)?;
                self.push_class_operand(class);
                self.emit(Instr::ClsCnsC {});
            }
        }
        Ok(())
    }

    /// `C::class`
    fn class_name_constant(&mut self, class: &'a ClassRef<'a>) -> Emit {
        match class {
            ClassRef::Name(name) => match self.class_name(name)? {
                Ok(value) => self.emit(Instr::String { value }),
                Err(special) => match self.fold_special_class(special) {
                    Some(name) => self.push_string(&name),
                    None => {
                        self.push_special_class(special);
                        self.emit(Instr::NameA {});
                    }
                },
            },
            ClassRef::Expr(e) if matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_)) => {
                return self.fatal("Illegal class name");
            }
            ClassRef::Expr(Expr { kind: ExprKind::Str(name), .. }) => self.push_string(name),
            ClassRef::Expr(e) => {
                if let Some(value) = self.fold(e) {
                    let kind = match value {
                        Const::Null => "null",
                        Const::Bool(true) => "true",
                        Const::Bool(false) => "false",
                        Const::Int(_) => "int",
                        Const::Double(_) => "float",
                        Const::Str(_) => "string",
                        Const::Array(_) => "array",
                    };
                    return self.fatal(format!("Cannot use \"::class\" on {kind}"));
                }
                self.expr(e)?;
                self.emit(Instr::ClassOfC {});
            }
        }
        Ok(())
    }

    /// The name behind `self` or `parent` where it is fixed.
    pub fn fold_special_class(&self, special: SpecialClass) -> Option<std::rc::Rc<[u8]>> {
        if !self.scope_is_known() {
            return None;
        }
        let class = self.class.as_ref()?;
        match special {
            SpecialClass::SelfClass => Some(class.name.clone()),
            SpecialClass::Parent => class.parent.clone(),
            SpecialClass::Static => None,
        }
    }
}
