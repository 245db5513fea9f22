//! Class declarations: names, ancestors, and when a class comes into being.

use std::rc::Rc;

use phlox_hhbc::*;
use phlox_syntax::ast::{self, *};

use super::attributes::Target as AttributeTarget;
use super::show;
use crate::emitter::{ClassContext, Emit, Emitter};
use crate::names::special_class;

/// A class body while its members are being compiled.
pub(crate) struct ClassBuilder {
    pub def: ClassDef,
    /// Lower-case names of the methods so far.
    pub method_names: Vec<Vec<u8>>,
    pub has_abstract: bool,
}

impl<'a> Emitter<'a> {
    /// A class declaration among statements.
    pub fn class_statement(&mut self, decl: &'a ClassDecl<'a>, toplevel: bool) -> Emit {
        let line = self.fb.line;
        let Some(name) = decl.name else { return Ok(()) };
        if self.class.is_some() {
            return self.fatal("Class declarations may not be nested");
        }
        let what = match decl.kind {
            ast::ClassKind::Class => "a class name",
            ast::ClassKind::Interface => "an interface name",
            ast::ClassKind::Trait => "a trait name",
            ast::ClassKind::Enum => "an enum name",
        };
        self.check_class_name(name.text, what)?;
        let full = self.names.declared(name.text);
        if let Some(imported) = self.names.imported(UseKind::Class, name.text)
            && !imported.eq_ignore_ascii_case(&full)
        {
            let message = format!("Cannot redeclare class {} (previously declared as local import)", show(&full));
            return self.fatal(message);
        }
        self.seen.add(UseKind::Class, &full, decl.span.line);
        let id = self.class(decl, &full)?;
        self.fb.line = line;
        if toplevel && self.binds_early(id) {
            self.unit.unit.hoisted.push(Hoisted::Class(id));
        }
        self.emit(Instr::DefCls { class: id });
        Ok(())
    }

    /// PHP declares a top-level class while compiling unless it has interfaces (also implied ones) or traits.
    fn binds_early(&self, id: ClassId) -> bool {
        let class = &self.unit.unit.classes[id.index()];
        class.interfaces.is_empty() && class.traits.is_empty()
    }

    /// `new class {..}`
    pub fn anonymous_class(&mut self, decl: &'a ClassDecl<'a>) -> Emit<ClassId> {
        let prefix = match (&decl.extends, decl.interfaces.first()) {
            (Some(parent), _) => self.ancestor(parent, "class name")?,
            (None, Some(interface)) => self.ancestor(interface, "interface name")?,
            (None, None) => b"class".to_vec(),
        };
        let serial = self.anonymous;
        self.anonymous += 1;
        let place = format!(":{}${serial:x}", decl.span.line);
        let name = [&prefix, b"@anonymous\0".as_slice(), self.filename, place.as_bytes()].concat();
        self.class(decl, &name)
    }

    /// The full name of a parent, interface or trait.
    pub fn ancestor(&mut self, name: &Name<'a>, what: &str) -> Emit<Vec<u8>> {
        if name.kind == NameKind::Unqualified && special_class(name.text).is_some() {
            return self.fatal(format!("Cannot use \"{}\" as {what}, as it is reserved", show(name.text)));
        }
        self.resolve_class(name)
    }

    fn class(&mut self, decl: &'a ClassDecl<'a>, name: &[u8]) -> Emit<ClassId> {
        let id = self.unit.reserve_class();
        let parent = match &decl.extends {
            Some(parent) => Some(self.ancestor(parent, "class name")?),
            None => None,
        };
        let context = ClassContext {
            id,
            kind: decl.kind,
            name: Rc::from(name),
            parent: parent.as_deref().map(Rc::from),
            readonly: decl.modifiers.contains(Modifiers::READONLY),
        };
        let outer = self.class.replace(context);
        let def = ClassDef {
            name: self.str(name),
            kind: class_kind(decl.kind),
            attrs: class_attrs(decl),
            parent: parent.map(|p| self.str(&p)),
            doc_comment: decl.doc_comment.map(|d| self.str(d)),
            line_start: decl.span.line,
            line_end: decl.end_line,
            ..ClassDef::default()
        };
        let outer_builder = self.building.replace(ClassBuilder { def, method_names: Vec::new(), has_abstract: false });
        self.class_body(decl)?;
        let builder = std::mem::replace(&mut self.building, outer_builder);
        self.class = outer;
        if let Some(builder) = builder {
            self.unit.set_class(id, builder.def);
        }
        Ok(id)
    }

    fn class_body(&mut self, decl: &'a ClassDecl<'a>) -> Emit {
        let attributes = self.attributes(decl.attributes, AttributeTarget::CLASS, AttributeTarget::NONE)?;
        self.check_class_attributes(&attributes, decl)?;
        let mut interfaces = Vec::new();
        for interface in decl.interfaces {
            let name = self.ancestor(interface, "interface name")?;
            interfaces.push(self.str(&name));
        }
        let mut enum_type = None;
        if decl.kind == ast::ClassKind::Enum {
            if let Some(ty) = &decl.enum_type {
                enum_type = Some(self.enum_backing_type(ty)?);
            }
            interfaces.push(self.str(b"UnitEnum"));
            if enum_type.is_some() {
                interfaces.push(self.str(b"BackedEnum"));
            }
        }
        if let Some(class) = &mut self.building {
            class.def.attributes = attributes;
            class.def.interfaces = interfaces;
            class.def.enum_type = enum_type;
        }
        for member in decl.members {
            self.member(member)?;
        }
        self.fb.line = decl.span.line;
        self.finish_class(decl)
    }

    fn enum_backing_type(&mut self, ty: &'a Type<'a>) -> Emit<TypeId> {
        let compiled = self.compile_type(ty)?;
        if !compiled.classes.is_empty() || !matches!(compiled.mask, TypeMask::INT | TypeMask::STRING) {
            let shown = show(&compiled.display());
            return self.fatal(format!("Enum backing type must be int or string, {shown} given"));
        }
        Ok(self.type_id(&compiled))
    }

    /// Refuses `#[AllowDynamicProperties]` where PHP does: on interfaces, traits, enums and readonly classes.
    fn check_class_attributes(&mut self, rows: &[phlox_hhbc::Attribute], decl: &ClassDecl<'_>) -> Emit {
        let dynamic = rows.iter().any(|r| self.unit.text(r.name).eq_ignore_ascii_case(b"AllowDynamicProperties"));
        let name = self.shown_class();
        let kind = match decl.kind {
            ast::ClassKind::Class => "class",
            ast::ClassKind::Interface => "interface",
            ast::ClassKind::Trait => "trait",
            ast::ClassKind::Enum => "enum",
        };
        if dynamic && decl.kind != ast::ClassKind::Class {
            return self.fatal(format!("Cannot apply #[AllowDynamicProperties] to {kind} {name}"));
        }
        if dynamic && decl.modifiers.contains(Modifiers::READONLY) {
            return self.fatal(format!("Cannot apply #[AllowDynamicProperties] to readonly class {name}"));
        }
        Ok(())
    }

    /// Checks that need the whole class.
    fn finish_class(&mut self, decl: &'a ClassDecl<'a>) -> Emit {
        let concrete = matches!(decl.kind, ast::ClassKind::Class | ast::ClassKind::Enum)
            && !decl.modifiers.contains(Modifiers::ABSTRACT);
        if concrete && self.building.as_ref().is_some_and(|c| c.has_abstract) {
            return self.abstract_in_concrete(decl);
        }
        Ok(())
    }

    fn abstract_in_concrete(&mut self, decl: &'a ClassDecl<'a>) -> Emit {
        const SHOWN: usize = 3;
        let names = self.abstract_members();
        let class = self.shown_class();
        let kind = if decl.kind == ast::ClassKind::Enum { "Enum" } else { "Class" };
        let listed: Vec<String> = names.iter().take(SHOWN).map(|n| format!("{class}::{n}")).collect();
        let more = if names.len() > SHOWN { ", ..." } else { "" };
        let count = names.len();
        let plural = if count == 1 { "" } else { "s" };
        let advice = if decl.kind == ast::ClassKind::Enum || decl.name.is_none() {
            "must implement the remaining methods"
        } else {
            "must therefore be declared abstract or implement the remaining methods"
        };
        let advice = format!("and {advice}");
        self.fatal(format!(
            "{kind} {class} contains {count} abstract method{plural} {advice} ({}{more})",
            listed.join(", ")
        ))
    }

    fn abstract_members(&self) -> Vec<String> {
        let Some(class) = &self.building else { return Vec::new() };
        let funcs = &self.unit.unit.funcs;
        let methods = class.def.methods.iter().map(|id| &funcs[id.index()]);
        let hooks = class.def.properties.iter().flat_map(|p| [p.get_hook, p.set_hook]).flatten();
        methods
            .chain(hooks.map(|id| &funcs[id.index()]))
            .filter(|f| f.flags.has(FuncFlags::ABSTRACT))
            .map(|f| show(self.unit.text(f.name)))
            .collect()
    }
}

fn class_kind(kind: ast::ClassKind) -> phlox_hhbc::ClassKind {
    match kind {
        ast::ClassKind::Class => phlox_hhbc::ClassKind::Class,
        ast::ClassKind::Interface => phlox_hhbc::ClassKind::Interface,
        ast::ClassKind::Trait => phlox_hhbc::ClassKind::Trait,
        ast::ClassKind::Enum => phlox_hhbc::ClassKind::Enum,
    }
}

fn class_attrs(decl: &ClassDecl<'_>) -> Attrs {
    let mut attrs = Attrs::default();
    for (modifier, flag) in [
        (Modifiers::ABSTRACT, Attrs::ABSTRACT),
        (Modifiers::FINAL, Attrs::FINAL),
        (Modifiers::READONLY, Attrs::READONLY),
    ] {
        if decl.modifiers.contains(modifier) {
            attrs.set(flag);
        }
    }
    if decl.name.is_none() {
        attrs.set(Attrs::ANONYMOUS);
    }
    if decl.kind == ast::ClassKind::Enum {
        attrs.set(Attrs::FINAL);
    }
    attrs
}
