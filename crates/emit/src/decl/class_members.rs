//! Constants, properties, methods and enum cases.

use phlox_hhbc::*;
use phlox_syntax::ast::{self, *};
use phlox_syntax::diagnostic::Severity;

use super::attributes::Target as AttributeTarget;
use super::functions::{Body, FunctionSpec, method_flags};
use super::params::type_name;
use super::show;
use super::types::CompiledType;
use crate::constant::Const;
use crate::emitter::{Emit, Emitter, FuncKind};

impl<'a> Emitter<'a> {
    /// Compiles one member of the class that is being declared.
    pub fn member(&mut self, member: &'a ast::Member<'a>) -> Emit {
        self.fb.line = member.span.line;
        match member.kind {
            MemberKind::Const { modifiers, ref ty, items } => {
                for item in items {
                    self.class_const(member, modifiers, ty.as_ref(), item)?;
                }
                Ok(())
            }
            MemberKind::Prop { modifiers, ref ty, items } => self.properties(member, modifiers, ty.as_ref(), items),
            MemberKind::Method(method) => self.method(member, method),
            MemberKind::TraitUse { traits, rules } => self.trait_use(traits, rules),
            MemberKind::Case { ref name, ref value } => self.enum_case(member, name, value.as_ref()),
        }
    }

    fn class_kind(&self) -> ast::ClassKind {
        self.class.as_ref().map_or(ast::ClassKind::Class, |c| c.kind)
    }

    // ---- constants

    fn class_const(
        &mut self,
        member: &'a ast::Member<'a>,
        modifiers: Modifiers,
        ty: Option<&'a Type<'a>>,
        item: &'a ConstItem<'a>,
    ) -> Emit {
        let (class, name) = (self.shown_class(), show(item.name.text));
        let compiled = match ty {
            Some(ty) => Some(self.compile_type(ty)?),
            None => None,
        };
        if let Some(ty) = &compiled
            && ty.has(TypeMask::CALLABLE | TypeMask::VOID | TypeMask::NEVER)
        {
            let shown = show(&ty.display());
            return self.fatal(format!("Class constant {class}::{name} cannot have type {shown}"));
        }
        if modifiers.contains(Modifiers::PRIVATE.union(Modifiers::FINAL)) {
            return self.fatal(format!(
                "Private constant {class}::{name} cannot be final as it is not visible to other classes"
            ));
        }
        let (mut value, constant) = self.const_init(&item.value, false)?;
        if let (Some(ty), Some(constant)) = (&compiled, &constant) {
            if !ty.accepts(constant) {
                let (kind, ty) = (type_name(constant), show(&ty.display()));
                let message = format!("Cannot use {kind} as value for class constant {class}::{name} of type {ty}");
                return self.fatal(message);
            }
            value = ty.default_of(value, constant);
        }
        if self.class_kind() == ast::ClassKind::Interface
            && modifiers.intersects(Modifiers::PRIVATE.union(Modifiers::PROTECTED))
        {
            return self.fatal(format!("Access type for interface constant {class}::{name} must be public"));
        }
        let attrs = visibility(modifiers);
        let ty = compiled.map(|ty| self.type_id(&ty));
        let attributes = self.attributes(member.attributes, AttributeTarget::CLASS_CONST, AttributeTarget::NONE)?;
        let doc_comment = item.doc_comment.map(|d| self.str(d));
        let row = ConstDef {
            name: self.str(item.name.text),
            attrs,
            ty,
            value,
            doc_comment,
            attributes,
            line: item.name.span.line,
        };
        self.add_const(row, item.name.text)
    }

    fn add_const(&mut self, row: ConstDef, text: &[u8]) -> Emit {
        let (class, name) = (self.shown_class(), show(text));
        if text.eq_ignore_ascii_case(b"class") {
            return self.fatal("A class constant must not be called 'class'; it is reserved for class name fetching");
        }
        let Some(building) = &mut self.building else { return Ok(()) };
        if building.def.constants.iter().any(|c| c.name == row.name) {
            return self.fatal(format!("Cannot redefine class constant {class}::{name}"));
        }
        building.def.constants.push(row);
        Ok(())
    }

    fn enum_case(&mut self, member: &'a ast::Member<'a>, name: &Ident<'a>, value: Option<&'a Expr<'a>>) -> Emit {
        if self.class_kind() != ast::ClassKind::Enum {
            return self.fatal("Case can only be used in enums");
        }
        let (class, shown) = (self.shown_class(), show(name.text));
        let backing = self.building.as_ref().and_then(|b| b.def.enum_type);
        let init = match (backing, value) {
            (Some(_), None) => {
                return self.fatal(format!("Case {shown} of backed enum {class} must have a value"));
            }
            (None, Some(_)) => {
                return self.fatal(format!("Case {shown} of non-backed enum {class} must not have a value"));
            }
            (None, None) => Init::Literal(Literal::Null),
            (Some(_), Some(value)) => self.const_init(value, false)?.0,
        };
        let mut attrs = Attrs(Attrs::PUBLIC);
        attrs.set(Attrs::CASE);
        let attributes = self.attributes(member.attributes, AttributeTarget::CLASS_CONST, AttributeTarget::NONE)?;
        let row = ConstDef {
            name: self.str(name.text),
            attrs,
            ty: None,
            value: init,
            doc_comment: member.doc_comment.map(|d| self.str(d)),
            attributes,
            line: name.span.line,
        };
        self.add_const(row, name.text)
    }

    // ---- properties

    fn properties(
        &mut self,
        member: &'a ast::Member<'a>,
        modifiers: Modifiers,
        ty: Option<&'a Type<'a>>,
        items: &'a [PropItem<'a>],
    ) -> Emit {
        let class = self.shown_class();
        let kind = self.class_kind();
        if kind == ast::ClassKind::Enum {
            return self.fatal(format!("Enum {class} cannot include properties"));
        }
        if modifiers.contains(Modifiers::FINAL.union(Modifiers::PRIVATE)) {
            return self.fatal("Property cannot be both final and private");
        }
        let set = Modifiers::PUBLIC_SET.union(Modifiers::PROTECTED_SET).union(Modifiers::PRIVATE_SET);
        if modifiers.contains(Modifiers::STATIC) && modifiers.intersects(set) {
            return self.fatal("Static property may not have asymmetric visibility");
        }
        if kind == ast::ClassKind::Interface {
            if modifiers.contains(Modifiers::FINAL) {
                return self.fatal("Property in interface cannot be final");
            }
            if modifiers.intersects(Modifiers::PROTECTED.union(Modifiers::PRIVATE)) {
                return self.fatal("Property in interface cannot be protected or private");
            }
            if modifiers.contains(Modifiers::ABSTRACT) {
                return self.fatal(
                    "Property in interface cannot be explicitly abstract. \
                     All interface members are implicitly abstract",
                );
            }
        }
        for item in items {
            self.ctx.property = Some(item.name.text.into());
            let declared = self.property(member, modifiers, ty, item);
            self.ctx.property = None;
            declared?;
        }
        Ok(())
    }

    fn property(
        &mut self,
        member: &'a ast::Member<'a>,
        modifiers: Modifiers,
        ty: Option<&'a Type<'a>>,
        item: &'a PropItem<'a>,
    ) -> Emit {
        let in_interface = self.class_kind() == ast::ClassKind::Interface;
        let is_abstract = modifiers.contains(Modifiers::ABSTRACT) || in_interface;
        if item.hooks.is_none() {
            if in_interface {
                return self.fatal("Interfaces may only include hooked properties");
            }
            if is_abstract {
                return self.fatal("Only hooked properties may be declared abstract");
            }
        }
        if is_abstract && let Some(building) = &mut self.building {
            building.has_abstract = true;
        }
        let compiled = self.property_type(ty, item.name.text)?;
        self.check_new_property(item.name.text)?;
        let default = match &item.default {
            Some(e) => Some(self.property_default(e, compiled.as_ref(), item.name.text)?),
            None => None,
        };
        let mut attrs = visibility(modifiers);
        if is_abstract {
            attrs.set(Attrs::ABSTRACT);
        }
        let mut row = self.property_row(item.name.text, attrs, modifiers, compiled.as_ref(), default.is_some())?;
        row.default = default;
        row.doc_comment = item.doc_comment.map(|d| self.str(d));
        row.line = item.name.span.line;
        if let Some(hooks) = item.hooks {
            self.property_hooks(&mut row, item.name.text, ty, hooks, item.default.is_some())?;
        }
        row.attributes = self.attributes(member.attributes, AttributeTarget::PROPERTY, AttributeTarget::NONE)?;
        if let Some(building) = &mut self.building {
            building.def.properties.push(row);
        }
        Ok(())
    }

    fn property_type(&mut self, ty: Option<&'a Type<'a>>, name: &[u8]) -> Emit<Option<CompiledType>> {
        let Some(ty) = ty else { return Ok(None) };
        let compiled = self.compile_type(ty)?;
        if compiled.has(TypeMask::VOID | TypeMask::NEVER | TypeMask::CALLABLE) {
            let (class, shown) = (self.shown_class(), show(&compiled.display()));
            return self.fatal(format!("Property {class}::${} cannot have type {shown}", show(name)));
        }
        Ok(Some(compiled))
    }

    fn check_new_property(&mut self, name: &[u8]) -> Emit {
        let id = self.str(name);
        if self.building.as_ref().is_some_and(|b| b.def.properties.iter().any(|p| p.name == id)) {
            return self.fatal(format!("Cannot redeclare {}::${}", self.shown_class(), show(name)));
        }
        Ok(())
    }

    fn property_default(&mut self, e: &'a Expr<'a>, ty: Option<&CompiledType>, name: &[u8]) -> Emit<Init> {
        let (init, constant) = self.const_init(e, false)?;
        let (Some(ty), Some(constant)) = (ty, constant) else { return Ok(init) };
        if ty.accepts(&constant) {
            return Ok(ty.default_of(init, &constant));
        }
        let shown = show(&ty.display());
        if constant == Const::Null && !matches!(ty.classes.as_slice(), [one] if one.len() > 1 && ty.mask == 0) {
            let mut nullable = ty.clone();
            nullable.mask |= TypeMask::NULL;
            let nullable = show(&nullable.display());
            return self.fatal(format!(
                "Default value for property of type {shown} may not be null. \
                 Use the nullable type {nullable} to allow null default value"
            ));
        }
        let class = self.shown_class();
        let value = value_name(&constant);
        self.fatal(format!("Cannot use {value} as default value for property {class}::${} of type {shown}", show(name)))
    }

    /// The row of a property with its modifiers checked; default, hooks and attributes follow.
    fn property_row(
        &mut self,
        name: &[u8],
        mut attrs: Attrs,
        modifiers: Modifiers,
        ty: Option<&CompiledType>,
        has_default: bool,
    ) -> Emit<PropDef> {
        let (class, shown) = (self.shown_class(), show(name));
        for (modifier, flag) in [
            (Modifiers::STATIC, Attrs::STATIC),
            (Modifiers::FINAL, Attrs::FINAL),
            (Modifiers::READONLY, Attrs::READONLY),
            (Modifiers::PUBLIC_SET, Attrs::PUBLIC_SET),
            (Modifiers::PROTECTED_SET, Attrs::PROTECTED_SET),
            (Modifiers::PRIVATE_SET, Attrs::PRIVATE_SET),
        ] {
            if modifiers.contains(modifier) {
                attrs.set(flag);
            }
        }
        if self.class.as_ref().is_some_and(|c| c.readonly) {
            attrs.set(Attrs::READONLY);
        }
        if attrs.has(Attrs::READONLY) {
            if ty.is_none() {
                return self.fatal(format!("Readonly property {class}::${shown} must have type"));
            }
            if has_default {
                return self.fatal(format!("Readonly property {class}::${shown} cannot have default value"));
            }
            if attrs.has(Attrs::STATIC) {
                return self.fatal(format!("Static property {class}::${shown} cannot be readonly"));
            }
        }
        self.check_set_visibility(attrs, ty.is_some(), &class, &shown)?;
        if attrs.has(Attrs::PRIVATE_SET) {
            attrs.set(Attrs::FINAL);
        }
        Ok(PropDef {
            name: self.str(name),
            attrs,
            ty: ty.map(|ty| self.type_id(ty)),
            default: None,
            get_hook: None,
            set_hook: None,
            doc_comment: None,
            attributes: Vec::new(),
            line: self.fb.line,
        })
    }

    fn check_set_visibility(&mut self, attrs: Attrs, typed: bool, class: &str, name: &str) -> Emit {
        let rank = |private: u32, protected: u32| {
            if attrs.has(private) {
                2
            } else if attrs.has(protected) {
                1
            } else {
                0
            }
        };
        if !attrs.has(Attrs::PUBLIC_SET | Attrs::PROTECTED_SET | Attrs::PRIVATE_SET) {
            return Ok(());
        }
        if !typed {
            return self.fatal(format!("Property with asymmetric visibility {class}::${name} must have type"));
        }
        if rank(Attrs::PRIVATE, Attrs::PROTECTED) > rank(Attrs::PRIVATE_SET, Attrs::PROTECTED_SET) {
            return self
                .fatal(format!("Visibility of property {class}::${name} must not be weaker than set visibility"));
        }
        Ok(())
    }

    /// The property that a constructor parameter declares.
    pub fn promoted_property(&mut self, param: &'a ast::Param<'a>) -> Emit {
        self.check_promotion(param)?;
        self.check_new_property(param.name.text)?;
        let compiled = match &param.ty {
            Some(ty) => Some(self.compile_type(ty)?),
            None => None,
        };
        let mut attrs = visibility(param.modifiers);
        attrs.set(Attrs::PROMOTED);
        let mut row = self.property_row(param.name.text, attrs, param.modifiers, compiled.as_ref(), false)?;
        row.doc_comment = param.doc_comment.map(|d| self.str(d));
        row.line = param.name.span.line;
        if let Some(hooks) = param.hooks {
            self.property_hooks(&mut row, param.name.text, param.ty.as_ref(), hooks, false)?;
        }
        row.attributes = self.attributes(param.attributes, AttributeTarget::PROPERTY, AttributeTarget::PARAMETER)?;
        if let Some(building) = &mut self.building {
            building.def.properties.push(row);
        }
        Ok(())
    }

    // ---- methods

    fn method(&mut self, member: &'a ast::Member<'a>, method: &'a MethodDecl<'a>) -> Emit {
        let Some(class) = self.class.clone() else { return Ok(()) };
        let text = method.name.text;
        self.fb.line = method.span.line;
        let mut flags = method_flags(method.modifiers);
        self.check_method_modifiers(method, &mut flags)?;
        let lower = text.to_ascii_lowercase();
        if let Some(building) = &mut self.building {
            if building.method_names.contains(&lower) {
                let message = format!("Cannot redeclare {}::{}()", show(&class.name), show(text));
                return self.fatal(message);
            }
            building.method_names.push(lower.clone());
        }
        let is_to_string = lower == b"__tostring";
        if is_to_string && class.kind != ast::ClassKind::Trait {
            let stringable = self.str(b"Stringable");
            if let Some(building) = &mut self.building
                && !building.def.interfaces.contains(&stringable)
            {
                building.def.interfaces.push(stringable);
            }
        }
        let body = match method.body {
            Some(stmts) => Body::Block(stmts),
            None => {
                flags |= FuncFlags::NO_BODY;
                Body::None
            }
        };
        let lines = (method.span.line, method.end_line);
        let mut spec = FunctionSpec::new(FuncKind::Method, text, method.sig, body, lines);
        spec.method = [&class.name, b"::".as_slice(), text].concat().into();
        spec.flags = flags;
        spec.attributes = member.attributes;
        spec.doc_comment = member.doc_comment;
        spec.implied_return = (is_to_string && method.sig.return_type.is_none()).then_some(TypeMask::STRING);
        let id = self.function(spec)?;
        self.fb.line = method.span.line;
        self.check_magic_method(id, &lower)?;
        if let Some(building) = &mut self.building {
            building.def.methods.push(id);
        }
        Ok(())
    }

    fn check_method_modifiers(&mut self, method: &MethodDecl<'_>, flags: &mut u32) -> Emit {
        let name = format!("{}::{}()", self.shown_class(), show(method.name.text));
        let kind = self.class_kind();
        let has = |flags: u32, flag: u32| flags & flag != 0;
        let constructor = method.name.text.eq_ignore_ascii_case(b"__construct");
        if method.modifiers.contains(Modifiers::READONLY) {
            return self.fatal("Cannot use 'readonly' as method modifier");
        }
        if has(*flags, FuncFlags::PRIVATE) && has(*flags, FuncFlags::FINAL) && !constructor {
            let message = "Private methods cannot be final as they are never overridden by other classes";
            self.report(Severity::CompileWarning, message);
        }
        if kind == ast::ClassKind::Interface {
            if !has(*flags, FuncFlags::PUBLIC) {
                return self.fatal(format!("Access type for interface method {name} must be public"));
            }
            if has(*flags, FuncFlags::FINAL) {
                return self.fatal(format!("Interface method {name} must not be final"));
            }
            if has(*flags, FuncFlags::ABSTRACT) {
                return self.fatal(format!("Interface method {name} must not be abstract"));
            }
            *flags |= FuncFlags::ABSTRACT;
        }
        if !has(*flags, FuncFlags::ABSTRACT) {
            if method.body.is_none() {
                return self.fatal(format!("Non-abstract method {name} must contain body"));
            }
            return Ok(());
        }
        let what = if kind == ast::ClassKind::Interface { "Interface" } else { "Abstract" };
        if has(*flags, FuncFlags::PRIVATE) && kind != ast::ClassKind::Trait {
            return self.fatal(format!("{what} function {name} cannot be declared private"));
        }
        if method.body.is_some() {
            return self.fatal(format!("{what} function {name} cannot contain body"));
        }
        if let Some(building) = &mut self.building {
            building.has_abstract = true;
        }
        Ok(())
    }
}

/// The visibility part of modifiers; public unless said otherwise.
pub(crate) fn visibility(modifiers: Modifiers) -> Attrs {
    let mut attrs = Attrs(if modifiers.contains(Modifiers::PRIVATE) {
        Attrs::PRIVATE
    } else if modifiers.contains(Modifiers::PROTECTED) {
        Attrs::PROTECTED
    } else {
        Attrs::PUBLIC
    });
    if modifiers.contains(Modifiers::FINAL) {
        attrs.set(Attrs::FINAL);
    }
    attrs
}

/// A constant as messages name it: booleans by value.
fn value_name(value: &Const<'_>) -> &'static str {
    match value {
        Const::Bool(true) => "true",
        Const::Bool(false) => "false",
        other => type_name(other),
    }
}
