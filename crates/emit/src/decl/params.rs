//! Parameters: defaults, types, promotion, and the code at a function's entry.

use phlox_hhbc::Member;
use phlox_hhbc::*;
use phlox_syntax::ast::{self, *};
use phlox_syntax::diagnostic::Severity;

use super::attributes::Target as AttributeTarget;
use super::functions::FunctionSpec;
use super::show;
use super::types::CompiledType;
use crate::constant::Const;
use crate::emitter::{Emit, Emitter, FuncKind};
use crate::expr::is_superglobal;

impl<'a> Emitter<'a> {
    /// Compiles the parameter list and the entry code: default values, type checks, promoted properties.
    pub fn params(&mut self, spec: &FunctionSpec<'a>) -> Emit {
        let params = spec.sig.params;
        let last_required = params.iter().rposition(|p| p.default.is_none() && !p.variadic);
        let mut defaults = Vec::new();
        for (i, param) in params.iter().enumerate() {
            let local = self.declare_param(i, param)?;
            let required_later = last_required.filter(|&last| i < last);
            let row = self.param_row(param, required_later.map(|last| &params[last]))?;
            if let (Some(_), Some(default)) = (&row.default, param.default) {
                defaults.push((local, default));
            }
            self.fb.func.params.push(row);
            if is_promoted(param) {
                self.promoted_property(param)?;
            }
        }
        if spec.flags & FuncFlags::NO_BODY != 0 {
            return Ok(());
        }
        self.default_blocks(defaults)?;
        self.fb.line = spec.line_start;
        for (i, param) in params.iter().enumerate() {
            if param.ty.is_some() {
                self.emit(Instr::VerifyParamType { param: LocalId(i as u32) });
            }
        }
        for (i, param) in params.iter().enumerate() {
            if is_promoted(param) {
                self.promote(LocalId(i as u32), param);
            }
        }
        Ok(())
    }

    fn declare_param(&mut self, position: usize, param: &'a ast::Param<'a>) -> Emit<LocalId> {
        let text = param.name.text;
        if is_superglobal(text) {
            return self.fatal(format!("Cannot re-assign auto-global variable {}", show(text)));
        }
        let local = self.local(text);
        if local.index() != position {
            return self.fatal(format!("Redefinition of parameter ${}", show(text)));
        }
        if text == b"this" {
            return self.fatal("Cannot use $this as parameter");
        }
        if self.fb.func.flags.has(FuncFlags::VARIADIC) {
            return self.fatal("Only the last parameter can be variadic");
        }
        if param.variadic {
            self.set_flag(FuncFlags::VARIADIC);
            if param.default.is_some() {
                return self.fatal("Variadic parameter cannot have a default value");
            }
        }
        Ok(local)
    }

    fn param_row(
        &mut self,
        param: &'a ast::Param<'a>,
        required_later: Option<&'a ast::Param<'a>>,
    ) -> Emit<phlox_hhbc::Param> {
        let text = param.name.text;
        let name = self.str(text);
        let promoted = is_promoted(param);
        let (mut default, value) = match param.default {
            Some(e) => {
                let (init, value) = self.const_init(e, true)?;
                (Some(init), value)
            }
            None => (None, None),
        };
        let also = if promoted { AttributeTarget::PROPERTY } else { AttributeTarget::NONE };
        let attributes = self.attributes(param.attributes, AttributeTarget::PARAMETER, also)?;
        let mut forced_null = false;
        let ty = match &param.ty {
            Some(ty) => {
                let force = value == Some(Const::Null) && !promoted;
                let (compiled, forced) = self.compile_type_with_null(ty, force)?;
                forced_null = forced;
                self.check_param_type(param, &compiled, forced, if force { None } else { value.as_ref() })?;
                if promoted && compiled.has(TypeMask::CALLABLE) {
                    self.check_promotion(param)?;
                    let (class, ty) = (self.shown_class(), show(&compiled.display()));
                    return self.fatal(format!("Property {class}::${} cannot have type {ty}", show(text)));
                }
                default = default.map(|init| value.as_ref().map_or(init, |value| compiled.default_of(init, value)));
                Some(self.type_id(&compiled))
            }
            None => None,
        };
        if let (Some(required), true) = (required_later, default.is_some()) {
            if !forced_null {
                let function = self.shown_function();
                let message = format!(
                    "{function}(): Optional parameter ${} declared before required parameter ${} \
                     is implicitly treated as a required parameter",
                    show(text),
                    show(required.name.text)
                );
                self.report(Severity::Deprecated, message);
            }
            default = None;
        }
        let default_text = match (default, param.default) {
            (Some(_), Some(e)) => self.default_text(e).map(|text| self.str(&text)),
            _ => None,
        };
        Ok(phlox_hhbc::Param {
            name,
            ty,
            by_ref: param.by_ref,
            variadic: param.variadic,
            promoted,
            default,
            default_text,
            attributes,
        })
    }

    fn check_param_type(
        &mut self,
        param: &ast::Param<'_>,
        ty: &CompiledType,
        forced_null: bool,
        default: Option<&Const<'_>>,
    ) -> Emit {
        let name = show(param.name.text);
        if forced_null {
            let function = self.shown_function();
            let message = format!(
                "{function}(): Implicitly marking parameter ${name} as nullable is deprecated, \
                 the explicit nullable type must be used instead"
            );
            self.report(Severity::Deprecated, message);
        }
        if ty.has(TypeMask::VOID) {
            return self.fatal("void cannot be used as a parameter type");
        }
        if ty.has(TypeMask::NEVER) {
            return self.fatal("never cannot be used as a parameter type");
        }
        if let Some(value) = default
            && !ty.accepts(value)
        {
            let (kind, ty) = (type_name(value), show(&ty.display()));
            return self.fatal(format!("Cannot use {kind} as default value for parameter ${name} of type {ty}"));
        }
        Ok(())
    }

    /// One block per optional parameter: entered where the passed arguments end, falling through to the next.
    fn default_blocks(&mut self, defaults: Vec<(LocalId, &'a Expr<'a>)>) -> Emit {
        for (local, default) in defaults {
            let (entry, next) = (self.fb.bind_new(), self.fb.label());
            self.fb.func.dv_entries.push(entry.target());
            self.emit(Instr::DVSkip { param: local, target: next.target() });
            match self.fold(default) {
                Some(value) => self.push_const(&value),
                None => self.const_expr(default)?,
            }
            self.pop_to(local);
            self.fb.bind(next);
        }
        let main = self.fb.bind_new();
        self.fb.main_entry = Some(main);
        Ok(())
    }

    /// `$this->prop = $prop;`
    fn promote(&mut self, local: LocalId, param: &ast::Param<'_>) {
        let name = self.str(param.name.text);
        let vector = self.fb.vector(Base::H, vec![Member::PT(name)]);
        self.set_flag(FuncFlags::USES_THIS);
        if param.by_ref {
            self.emit(Instr::VGetL { local });
            self.emit(Instr::BindM { vector });
            self.emit(Instr::PopV {});
        } else {
            self.emit(Instr::CGetL { local });
            self.emit(Instr::SetM { vector });
            self.emit(Instr::PopC {});
        }
    }

    /// May this parameter declare a property?
    pub fn check_promotion(&self, param: &ast::Param<'_>) -> Emit {
        let constructor = self.ctx.kind == FuncKind::Method && self.ctx.name.eq_ignore_ascii_case(b"__construct");
        if !constructor {
            return self.fatal("Cannot declare promoted property outside a constructor");
        }
        let in_interface = self.class.as_ref().is_some_and(|c| c.kind == ast::ClassKind::Interface);
        if self.fb.func.flags.has(FuncFlags::ABSTRACT) || in_interface {
            return self.fatal("Cannot declare promoted property in an abstract constructor");
        }
        if param.variadic {
            return self.fatal("Cannot declare variadic promoted property");
        }
        Ok(())
    }

    /// The name of the class being declared as messages show it; empty outside of classes.
    pub fn shown_class(&self) -> String {
        self.class.as_ref().map_or_else(String::new, |c| show(&c.name))
    }
}

/// Does the parameter declare a property?
pub(crate) fn is_promoted(param: &ast::Param<'_>) -> bool {
    !param.modifiers.is_empty() || param.hooks.is_some()
}

/// A constant's type as messages name it.
pub(crate) fn type_name(value: &Const<'_>) -> &'static str {
    match value {
        Const::Null => "null",
        Const::Bool(_) => "bool",
        Const::Int(_) => "int",
        Const::Double(_) => "float",
        Const::Str(_) => "string",
        Const::Array(_) => "array",
    }
}
