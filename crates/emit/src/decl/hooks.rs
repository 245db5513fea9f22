//! Property hooks.

use std::rc::Rc;

use phlox_hhbc::*;
use phlox_syntax::ast::{self, *};

use super::functions::{Body, FunctionSpec};
use super::show;
use crate::emitter::{Emit, Emitter, FuncKind, HookContext};
use crate::expr::is_this;
use crate::expr::walk::{Code, any_expr};

/// The parameter of a `set` hook that declares none.
const VALUE_PARAM: &[u8] = b"value";

impl<'a> Emitter<'a> {
    /// Compiles a property's hooks into its row.
    pub fn property_hooks(
        &mut self,
        row: &mut PropDef,
        name: &'a [u8],
        ty: Option<&'a Type<'a>>,
        hooks: &'a [PropertyHook<'a>],
        has_default: bool,
    ) -> Emit {
        if row.attrs.has(Attrs::READONLY) {
            return self.fatal("Hooked properties cannot be readonly");
        }
        if hooks.is_empty() {
            return self.fatal("Property hook list must not be empty");
        }
        let in_interface = self.class.as_ref().is_some_and(|c| c.kind == ast::ClassKind::Interface);
        if in_interface || !hooks.iter().any(|hook| uses_backing_store(hook, name)) {
            row.attrs.set(Attrs::VIRTUAL);
        }
        for hook in hooks {
            self.fb.line = hook.span.line;
            let (kind, id) = self.property_hook(row, name, ty, hook)?;
            let slot = match kind {
                HookKind::Get => &mut row.get_hook,
                HookKind::Set => &mut row.set_hook,
            };
            if slot.replace(id).is_some() {
                return self.fatal(format!("Cannot redeclare property hook \"{}\"", show(hook.name.text)));
            }
        }
        self.check_hooked_property(row, name, has_default)
    }

    /// What PHP checks of a hooked property of a class without a parent.
    fn check_hooked_property(&mut self, row: &PropDef, name: &[u8], has_default: bool) -> Emit {
        if self.class.as_ref().is_some_and(|c| c.parent.is_some()) {
            return Ok(());
        }
        let shown = format!("{}::${}", self.shown_class(), show(name));
        let is_virtual = row.attrs.has(Attrs::VIRTUAL);
        if is_virtual && has_default {
            return self.fatal(format!("Cannot specify default value for virtual hooked property {shown}"));
        }
        let by_ref_get =
            row.get_hook.is_some_and(|id| self.unit.unit.funcs[id.index()].flags.has(FuncFlags::BY_REF_RETURN));
        if !is_virtual && by_ref_get && row.set_hook.is_some() {
            let shown = shown.replacen("::$", "::", 1);
            return self
                .fatal(format!("Get hook of backed property {shown} with set hook may not return by reference"));
        }
        let hooks = [row.get_hook, row.set_hook];
        let is_abstract = |id: &FuncId| self.unit.unit.funcs[id.index()].flags.has(FuncFlags::ABSTRACT);
        if row.attrs.has(Attrs::ABSTRACT) && !hooks.iter().flatten().any(is_abstract) {
            return self.fatal(format!("Abstract property {shown} must specify at least one abstract hook"));
        }
        let asymmetric = row.attrs.has(Attrs::PUBLIC_SET | Attrs::PROTECTED_SET | Attrs::PRIVATE_SET);
        if is_virtual && asymmetric && hooks.iter().any(Option::is_none) {
            let prefix = if row.get_hook.is_none() { "Write-only" } else { "Read-only" };
            return self.fatal(format!("{prefix} virtual property {shown} must not specify asymmetric visibility"));
        }
        Ok(())
    }

    fn property_hook(
        &mut self,
        row: &PropDef,
        name: &'a [u8],
        ty: Option<&'a Type<'a>>,
        hook: &'a PropertyHook<'a>,
    ) -> Emit<(HookKind, FuncId)> {
        let mut flags = FuncFlags::HOOK;
        flags |= if row.attrs.has(Attrs::PRIVATE) { FuncFlags::PRIVATE } else { FuncFlags::PUBLIC };
        if hook.modifiers.contains(Modifiers::FINAL) {
            flags |= FuncFlags::FINAL;
        }
        let is_abstract = self.check_hook_modifiers(row, hook)?;
        if is_abstract {
            flags |= FuncFlags::ABSTRACT | FuncFlags::NO_BODY;
        }
        let kind = self.hook_kind(name, hook)?;
        let mut sig =
            FunctionSig { by_ref_return: hook.by_ref, params: hook.params.unwrap_or_default(), return_type: None };
        let mut value_param = None;
        let mut implied_return = None;
        match kind {
            HookKind::Get => {
                if hook.params.is_some() {
                    let shown = format!("{}::${}", self.shown_class(), show(name));
                    return self.fatal(format!("get hook of property {shown} must not have a parameter list"));
                }
                sig.return_type = ty.copied();
            }
            HookKind::Set => {
                match hook.params {
                    Some(params) => self.check_set_params(name, ty, hook, params)?,
                    None => value_param = Some(ty),
                }
                implied_return = Some(TypeMask::VOID);
            }
        }
        let body = match (hook.body, kind) {
            (HookBody::Abstract, _) => Body::None,
            (HookBody::Block(stmts), _) => Body::Block(stmts),
            (HookBody::Arrow(e), HookKind::Get) => Body::Value(e),
            (HookBody::Arrow(e), HookKind::Set) => Body::SetProperty(e),
        };
        let full = [b"$".as_slice(), name, b"::", &hook.name.text.to_ascii_lowercase()].concat();
        let mut spec = FunctionSpec::new(FuncKind::Hook, &full, sig, body, (hook.span.line, hook.end_line));
        spec.method = match &self.class {
            Some(class) => [&class.name, b"::".as_slice(), &full].concat().into(),
            None => Rc::from(full.as_slice()),
        };
        spec.flags = flags;
        spec.attributes = hook.attributes;
        spec.doc_comment = hook.doc_comment;
        spec.hook = Some(HookContext { property: Rc::from(name), kind });
        spec.implied_return = implied_return;
        spec.value_param = value_param;
        Ok((kind, self.function(spec)?))
    }

    fn check_hook_modifiers(&mut self, row: &PropDef, hook: &PropertyHook<'_>) -> Emit<bool> {
        let in_interface = self.class.as_ref().is_some_and(|c| c.kind == ast::ClassKind::Interface);
        let has_body = !matches!(hook.body, HookBody::Abstract);
        let is_final = hook.modifiers.contains(Modifiers::FINAL);
        if row.attrs.has(Attrs::STATIC) {
            return self.fatal("Cannot declare hooks for static property");
        }
        if is_final && row.attrs.has(Attrs::PRIVATE) {
            return self.fatal("Property hook cannot be both final and private");
        }
        if in_interface || (row.attrs.has(Attrs::ABSTRACT) && !has_body) {
            if has_body {
                return self.fatal("Abstract property hook cannot have body");
            }
            if row.attrs.has(Attrs::PRIVATE) {
                return self.fatal("Property hook cannot be both abstract and private");
            }
            if is_final {
                return self.fatal("Property hook cannot be both abstract and final");
            }
            return Ok(true);
        }
        if !has_body {
            return self.fatal("Non-abstract property hook must have a body");
        }
        Ok(false)
    }

    fn hook_kind(&self, name: &[u8], hook: &PropertyHook<'_>) -> Emit<HookKind> {
        if hook.name.text.eq_ignore_ascii_case(b"get") {
            return Ok(HookKind::Get);
        }
        if hook.name.text.eq_ignore_ascii_case(b"set") {
            return Ok(HookKind::Set);
        }
        self.fatal(format!(
            "Unknown hook \"{}\" for property {}::${}, expected \"get\" or \"set\"",
            show(hook.name.text),
            self.shown_class(),
            show(name)
        ))
    }

    fn check_set_params(
        &mut self,
        name: &[u8],
        ty: Option<&'a Type<'a>>,
        hook: &PropertyHook<'_>,
        params: &'a [ast::Param<'a>],
    ) -> Emit {
        let (hook, prop) = (show(hook.name.text), format!("{}::${}", self.shown_class(), show(name)));
        let [param] = params else {
            return self.fatal(format!("{hook} hook of property {prop} must accept exactly one parameters"));
        };
        let text = show(param.name.text);
        let refused = if param.by_ref {
            Some("must not be pass-by-reference")
        } else if param.variadic {
            Some("must not be variadic")
        } else if param.default.is_some() {
            Some("must not have a default value")
        } else {
            None
        };
        if let Some(why) = refused {
            return self.fatal(format!("Parameter ${text} of {hook} hook {prop} {why}"));
        }
        if ty.is_some() != param.ty.is_some() {
            return self
                .fatal(format!("Type of parameter ${text} of hook {prop}::set must be compatible with property type"));
        }
        Ok(())
    }

    /// The parameter of a `set` hook that writes none: the property's type.
    pub fn value_param(&mut self, ty: Option<&'a Type<'a>>) -> Emit {
        let local = self.local(VALUE_PARAM);
        let name = self.str(VALUE_PARAM);
        let ty = match ty {
            Some(ty) => {
                let compiled = self.compile_type(ty)?;
                Some(self.type_id(&compiled))
            }
            None => None,
        };
        self.fb.func.params.push(phlox_hhbc::Param {
            name,
            ty,
            by_ref: false,
            variadic: false,
            promoted: false,
            default: None,
            default_text: None,
            attributes: Vec::new(),
        });
        let main = self.fb.bind_new();
        self.fb.main_entry = Some(main);
        if ty.is_some() && !self.fb.func.flags.has(FuncFlags::NO_BODY) {
            self.emit(Instr::VerifyParamType { param: local });
        }
        Ok(())
    }

    /// `set => expr;` assigns to the property.
    pub fn set_hook_body(&mut self, e: &'a Expr<'a>) -> Emit {
        let Some(hook) = self.ctx.hook.clone() else { return Ok(()) };
        let name = self.str(&hook.property);
        let vector = self.fb.vector(Base::H, vec![phlox_hhbc::Member::PT(name)]);
        self.set_flag(FuncFlags::USES_THIS);
        self.expr(e)?;
        self.emit(Instr::SetM { vector });
        self.emit(Instr::PopC {});
        Ok(())
    }
}

/// Does a hook read or write its own property, which must have a backing store then?
fn uses_backing_store<'a>(hook: &PropertyHook<'a>, name: &[u8]) -> bool {
    let mut own = |e: &'a Expr<'a>| match e.kind {
        ExprKind::Prop { base, name: MemberName::Ident(ident), .. } => is_this(base) && ident.text == name,
        _ => false,
    };
    match hook.body {
        HookBody::Abstract => false,
        HookBody::Arrow(_) if hook.name.text.eq_ignore_ascii_case(b"set") => true,
        HookBody::Arrow(e) => any_expr(Code::Expr(e), &mut own),
        HookBody::Block(stmts) => any_expr(Code::Stmts(stmts), &mut own),
    }
}
