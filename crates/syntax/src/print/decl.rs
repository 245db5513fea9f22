//! Functions, classes and their members.

use super::Printer;
use crate::ast::{
    AttributeGroup, ClassDecl, ClassKind, Closure, ClosureBody, ConstItem, FunctionDecl, FunctionSig, HookBody, Member,
    MemberKind, MethodDecl, Modifiers, Param, PropItem, PropertyHook, Stmt, TraitRule,
};

const VISIBILITY: &[(Modifiers, &str)] =
    &[(Modifiers::PUBLIC, "public "), (Modifiers::PROTECTED, "protected "), (Modifiers::PRIVATE, "private ")];
const SET_VISIBILITY: &[(Modifiers, &str)] = &[
    (Modifiers::PRIVATE_SET, "private(set) "),
    (Modifiers::PROTECTED_SET, "protected(set) "),
    (Modifiers::PUBLIC_SET, "public(set) "),
];
const CLASS_MODIFIERS: &[(Modifiers, &str)] =
    &[(Modifiers::ABSTRACT, "abstract "), (Modifiers::FINAL, "final "), (Modifiers::READONLY, "readonly ")];

impl Printer<'_> {
    /// All `#[..]`, each on a line of its own or with a space after it.
    pub(super) fn attributes(&mut self, groups: &[AttributeGroup<'_>], lines: bool) {
        for group in groups {
            self.put("#[");
            self.list(group.attributes, |printer, attribute| {
                printer.name(&attribute.name);
                if let Some(args) = &attribute.args {
                    printer.args(args);
                }
            });
            self.put("]");
            if lines {
                self.put("\n");
                self.put_indent();
            } else {
                self.put(" ");
            }
        }
    }

    /// The first modifier of `texts` that is set.
    fn first_modifier(&mut self, modifiers: Modifiers, texts: &[(Modifiers, &str)]) {
        if let Some((_, text)) = texts.iter().find(|(modifier, _)| modifiers.contains(*modifier)) {
            self.put(text);
        }
    }

    fn all_modifiers(&mut self, modifiers: Modifiers, texts: &[(Modifiers, &str)]) {
        for (modifier, text) in texts {
            if modifiers.contains(*modifier) {
                self.put(text);
            }
        }
    }

    /// The visibility of a method or constant, which is public if nothing else is written.
    fn member_visibility(&mut self, modifiers: Modifiers) {
        if !modifiers.intersects(Modifiers(Modifiers::PROTECTED.0 | Modifiers::PRIVATE.0)) {
            return self.put("public ");
        }
        self.first_modifier(modifiers, VISIBILITY);
    }

    /// `(parameters)`
    fn params(&mut self, params: &[Param<'_>]) {
        self.put("(");
        self.list(params, Printer::param);
        self.put(")");
    }

    fn param(&mut self, param: &Param<'_>) {
        self.attributes(param.attributes, false);
        self.first_modifier(param.modifiers, VISIBILITY);
        self.first_modifier(param.modifiers, SET_VISIBILITY);
        if let Some(ty) = &param.ty {
            self.type_expr(ty);
            self.put(" ");
        }
        self.put(if param.by_ref { "&" } else { "" });
        self.put(if param.variadic { "..." } else { "" });
        self.put("$");
        self.put(param.name.text);
        self.initializer(param.default);
        if let Some(hooks) = param.hooks {
            self.hooks(hooks);
        }
    }

    fn return_type(&mut self, sig: &FunctionSig<'_>) {
        if let Some(ty) = &sig.return_type {
            self.put(": ");
            self.type_expr(ty);
        }
    }

    pub(super) fn closure(&mut self, closure: &Closure<'_>) {
        self.attributes(closure.attributes, false);
        self.put(if closure.is_static { "static " } else { "" });
        let is_arrow = matches!(closure.body, ClosureBody::Arrow(_));
        self.put(if is_arrow { "fn" } else { "function " });
        self.put(if closure.sig.by_ref_return { "&" } else { "" });
        self.params(closure.sig.params);
        if !closure.uses.is_empty() {
            self.put(" use(");
            self.list(closure.uses, |printer, variable| {
                printer.put(if variable.by_ref { "&$" } else { "$" });
                printer.put(variable.name.text);
            });
            self.put(")");
        }
        self.return_type(&closure.sig);
        match closure.body {
            ClosureBody::Block(stmts) => self.block(stmts),
            ClosureBody::Arrow(body) => {
                self.put(" => ");
                self.expr(body, 0);
            }
        }
    }

    pub(super) fn function_decl(&mut self, decl: &FunctionDecl<'_>) {
        self.attributes(decl.attributes, true);
        self.named_function(decl.name.text, &decl.sig, Some(decl.body));
    }

    fn named_function(&mut self, name: &[u8], sig: &FunctionSig<'_>, body: Option<&[Stmt<'_>]>) {
        self.put(if sig.by_ref_return { "function &" } else { "function " });
        self.put(name);
        self.params(sig.params);
        self.return_type(sig);
        match body {
            Some(stmts) => {
                self.block(stmts);
                self.put("\n");
            }
            None => self.put(";\n"),
        }
    }

    pub(super) fn class_decl(&mut self, decl: &ClassDecl<'_>) {
        self.attributes(decl.attributes, true);
        if decl.kind == ClassKind::Class {
            self.all_modifiers(decl.modifiers, CLASS_MODIFIERS);
        }
        self.put(match decl.kind {
            ClassKind::Interface => "interface ",
            ClassKind::Trait => "trait ",
            ClassKind::Enum => "enum ",
            ClassKind::Class => "class ",
        });
        if let Some(name) = decl.name {
            self.put(name.text);
        }
        if let Some(ty) = &decl.enum_type {
            self.put(": ");
            self.type_expr(ty);
        }
        self.class_body(decl);
        self.put("\n");
    }

    /// The declaration behind a class's name. PHP prints `implements` also for the parents of an interface.
    pub(super) fn class_body(&mut self, decl: &ClassDecl<'_>) {
        if let Some(parent) = &decl.extends {
            self.put(" extends ");
            self.name(parent);
        }
        if !decl.interfaces.is_empty() {
            self.put(" implements ");
            self.bare_names(decl.interfaces);
        }
        self.put(" {\n");
        self.indented(|printer| {
            for member in decl.members {
                printer.member_decl(member);
            }
        });
        self.put("}");
    }

    fn member_decl(&mut self, member: &Member<'_>) {
        match member.kind {
            MemberKind::Const { modifiers, ty, items } => self.line(";", |printer| {
                printer.attributes(member.attributes, true);
                printer.member_visibility(modifiers);
                printer.put("const ");
                if let Some(ty) = ty {
                    printer.type_expr(&ty);
                    printer.put(" ");
                }
                printer.list(items, Printer::const_item);
            }),
            MemberKind::Prop { modifiers, ty, items } => {
                let hooked = items.first().is_some_and(|item| item.hooks.is_some());
                self.line(if hooked { "" } else { ";" }, |printer| {
                    printer.attributes(member.attributes, true);
                    if modifiers.contains(Modifiers::VAR) {
                        printer.put("public ");
                    }
                    printer.first_modifier(modifiers, VISIBILITY);
                    printer.first_modifier(modifiers, SET_VISIBILITY);
                    printer.all_modifiers(
                        modifiers,
                        &[(Modifiers::STATIC, "static "), (Modifiers::READONLY, "readonly ")],
                    );
                    if let Some(ty) = ty {
                        printer.type_expr(&ty);
                        printer.put(" ");
                    }
                    printer.list(items, Printer::property);
                });
            }
            MemberKind::Method(method) => self.line("", |printer| {
                printer.attributes(member.attributes, true);
                printer.method(method);
            }),
            MemberKind::TraitUse { traits, rules } => self.line("", |printer| {
                printer.put("use ");
                printer.bare_names(traits);
                if rules.is_empty() {
                    return printer.put(";");
                }
                printer.put(" {\n");
                printer.indented(|printer| {
                    for rule in rules {
                        printer.line(";", |printer| printer.trait_rule(rule));
                    }
                });
                printer.put("}");
            }),
            MemberKind::Case { name, value } => self.line(";", |printer| {
                printer.attributes(member.attributes, true);
                printer.put("case ");
                printer.put(name.text);
                printer.initializer(value.as_ref());
            }),
        }
    }

    fn method(&mut self, method: &MethodDecl<'_>) {
        self.member_visibility(method.modifiers);
        let texts = [(Modifiers::STATIC, "static "), (Modifiers::ABSTRACT, "abstract "), (Modifiers::FINAL, "final ")];
        self.all_modifiers(method.modifiers, &texts);
        self.named_function(method.name.text, &method.sig, method.body);
    }

    pub(super) fn const_items(&mut self, items: &[ConstItem<'_>]) {
        self.put("const ");
        self.list(items, Printer::const_item);
    }

    fn const_item(&mut self, item: &ConstItem<'_>) {
        self.put(item.name.text);
        self.initializer(Some(&item.value));
    }

    fn property(&mut self, item: &PropItem<'_>) {
        self.put("$");
        self.put(item.name.text);
        self.indent += 1;
        self.initializer(item.default.as_ref());
        self.indent -= 1;
        if let Some(hooks) = item.hooks {
            self.hooks(hooks);
        }
    }

    fn hooks(&mut self, hooks: &[PropertyHook<'_>]) {
        self.put(" {\n");
        self.indent += 1;
        self.put_indent();
        for (index, hook) in hooks.iter().enumerate() {
            if index > 0 {
                self.put("\n");
                self.put_indent();
            }
            self.hook(hook);
        }
        self.put("\n");
        self.indent -= 1;
        self.put_indent();
        self.put("}");
    }

    fn hook(&mut self, hook: &PropertyHook<'_>) {
        if hook.by_ref {
            // PHP has one flag for both and prints the wrong one.
            self.put("private(set) ");
        }
        self.all_modifiers(hook.modifiers, &[(Modifiers::FINAL, "final ")]);
        self.put(hook.name.text);
        match hook.body {
            HookBody::Abstract => self.put(";"),
            HookBody::Arrow(body) => {
                self.put(" => ");
                self.expr(body, 0);
                self.put(";");
            }
            HookBody::Block(stmts) => self.block(stmts),
        }
    }

    fn trait_rule(&mut self, rule: &TraitRule<'_>) {
        let (trait_name, method) = match rule {
            TraitRule::InsteadOf { trait_name, method, .. } => (Some(trait_name), method),
            TraitRule::Alias { trait_name, method, .. } => (trait_name.as_ref(), method),
        };
        if let Some(name) = trait_name {
            self.put(name.text);
            self.put("::");
        }
        self.put(method.text);
        match rule {
            TraitRule::InsteadOf { excluded, .. } => {
                self.put(" insteadof ");
                self.bare_names(excluded);
            }
            TraitRule::Alias { modifiers, alias, .. } => {
                let visible = VISIBILITY.iter().find(|(modifier, _)| modifiers.contains(*modifier));
                if visible.is_some() || alias.is_some() {
                    self.put(" as");
                }
                if let Some((_, text)) = visible {
                    self.put(" ");
                    self.put(text.trim_end());
                }
                if let Some(alias) = alias {
                    self.put(" ");
                    self.put(alias.text);
                }
            }
        }
    }
}
