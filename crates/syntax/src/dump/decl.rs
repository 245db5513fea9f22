//! Functions, classes and their members.

use super::Dump;
use crate::ast::{
    AttributeGroup, ClassDecl, Closure, ClosureBody, ConstItem, FunctionDecl, FunctionSig, HookBody, Member,
    MemberKind, MethodDecl, Modifiers, Param, PropItem, PropertyHook, TraitRule,
};

const MODIFIERS: &[(Modifiers, &str)] = &[
    (Modifiers::PUBLIC, "public"),
    (Modifiers::PROTECTED, "protected"),
    (Modifiers::PRIVATE, "private"),
    (Modifiers::STATIC, "static"),
    (Modifiers::ABSTRACT, "abstract"),
    (Modifiers::FINAL, "final"),
    (Modifiers::READONLY, "readonly"),
    (Modifiers::PUBLIC_SET, "public(set)"),
    (Modifiers::PROTECTED_SET, "protected(set)"),
    (Modifiers::PRIVATE_SET, "private(set)"),
    (Modifiers::VAR, "var"),
];

impl Dump {
    fn modifiers(&mut self, modifiers: Modifiers) {
        for (modifier, text) in MODIFIERS {
            self.flag(modifiers.contains(*modifier), text);
        }
    }

    /// The last line of a declaration that takes several.
    fn end_line(&mut self, first: u32, last: u32) {
        if first != last {
            self.fact(format!("..{last}"));
        }
    }

    fn attributes(&mut self, groups: &[AttributeGroup<'_>]) {
        for group in groups {
            self.node("attributes", group.span, |dump| {
                for attribute in group.attributes {
                    dump.node("attribute", attribute.span, |dump| {
                        dump.name(&attribute.name);
                        attribute.args.iter().for_each(|args| dump.args(args));
                    });
                }
            });
        }
    }

    fn signature(&mut self, sig: &FunctionSig<'_>) {
        self.params(sig.params);
        self.type_expr("returns", sig.return_type.as_ref());
    }

    fn params(&mut self, params: &[Param<'_>]) {
        for param in params {
            self.node("param", param.span, |dump| {
                dump.ident(&param.name);
                dump.modifiers(param.modifiers);
                dump.flag(param.by_ref, "by-ref");
                dump.flag(param.variadic, "variadic");
                dump.attributes(param.attributes);
                dump.doc_comment(param.doc_comment);
                dump.type_expr("type", param.ty.as_ref());
                dump.optional("default", param.default);
                param.hooks.iter().for_each(|hooks| dump.hooks(hooks));
            });
        }
    }

    pub(super) fn function_decl(&mut self, decl: &FunctionDecl<'_>) {
        self.node("function", decl.span, |dump| {
            dump.ident(&decl.name);
            dump.end_line(decl.span.line, decl.end_line);
            dump.flag(decl.sig.by_ref_return, "by-ref");
            dump.attributes(decl.attributes);
            dump.doc_comment(decl.doc_comment);
            dump.signature(&decl.sig);
            dump.stmt_group("body", decl.body);
        });
    }

    pub(super) fn closure(&mut self, closure: &Closure<'_>) {
        self.end_line(closure.span.line, closure.end_line);
        self.flag(closure.is_static, "static");
        self.flag(closure.sig.by_ref_return, "by-ref");
        self.attributes(closure.attributes);
        self.doc_comment(closure.doc_comment);
        for variable in closure.uses {
            self.node("use", variable.name.span, |dump| {
                dump.ident(&variable.name);
                dump.flag(variable.by_ref, "by-ref");
            });
        }
        self.signature(&closure.sig);
        match closure.body {
            ClosureBody::Block(stmts) => self.stmt_group("body", stmts),
            ClosureBody::Arrow(body) => self.optional("body", Some(body)),
        }
    }

    pub(super) fn class_decl(&mut self, decl: &ClassDecl<'_>) {
        self.node(&format!("{:?}", decl.kind).to_lowercase(), decl.span, |dump| {
            decl.name.iter().for_each(|name| dump.ident(name));
            dump.end_line(decl.span.line, decl.end_line);
            dump.modifiers(decl.modifiers);
            dump.attributes(decl.attributes);
            dump.doc_comment(decl.doc_comment);
            dump.names("extends", decl.extends.as_slice());
            dump.names("interfaces", decl.interfaces);
            dump.type_expr("backed by", decl.enum_type.as_ref());
            decl.members.iter().for_each(|member| dump.member_decl(member));
        });
    }

    fn member_decl(&mut self, member: &Member<'_>) {
        let kind = match member.kind {
            MemberKind::Const { .. } => "consts",
            MemberKind::Prop { .. } => "props",
            MemberKind::Method(_) => "method",
            MemberKind::TraitUse { .. } => "use-traits",
            MemberKind::Case { .. } => "enum-case",
        };
        self.node(kind, member.span, |dump| {
            match member.kind {
                MemberKind::Const { modifiers, .. } | MemberKind::Prop { modifiers, .. } => dump.modifiers(modifiers),
                MemberKind::Method(method) => dump.method_head(method),
                MemberKind::TraitUse { traits, .. } => traits.iter().for_each(|name| dump.name(name)),
                MemberKind::Case { name, .. } => dump.ident(&name),
            }
            dump.attributes(member.attributes);
            dump.doc_comment(member.doc_comment);
            match member.kind {
                MemberKind::Const { ty, items, .. } => {
                    dump.type_expr("type", ty.as_ref());
                    items.iter().for_each(|item| dump.const_item(item));
                }
                MemberKind::Prop { ty, items, .. } => {
                    dump.type_expr("type", ty.as_ref());
                    items.iter().for_each(|item| dump.prop_item(item));
                }
                MemberKind::Method(method) => {
                    dump.signature(&method.sig);
                    method.body.iter().for_each(|stmts| dump.stmt_group("body", stmts));
                }
                MemberKind::TraitUse { rules, .. } => rules.iter().for_each(|rule| dump.trait_rule(rule)),
                MemberKind::Case { value, .. } => dump.optional("value", value.as_ref()),
            }
        });
    }

    fn method_head(&mut self, method: &MethodDecl<'_>) {
        self.ident(&method.name);
        self.end_line(method.span.line, method.end_line);
        self.modifiers(method.modifiers);
        self.flag(method.sig.by_ref_return, "by-ref");
    }

    pub(super) fn const_item(&mut self, item: &ConstItem<'_>) {
        self.node("const", item.name.span, |dump| {
            dump.ident(&item.name);
            dump.doc_comment(item.doc_comment);
            dump.expr(&item.value);
        });
    }

    fn prop_item(&mut self, item: &PropItem<'_>) {
        self.node("prop", item.name.span, |dump| {
            dump.ident(&item.name);
            dump.doc_comment(item.doc_comment);
            dump.optional("default", item.default.as_ref());
            item.hooks.iter().for_each(|hooks| dump.hooks(hooks));
        });
    }

    fn hooks(&mut self, hooks: &[PropertyHook<'_>]) {
        for hook in hooks {
            self.node("hook", hook.span, |dump| {
                dump.ident(&hook.name);
                dump.end_line(hook.span.line, hook.end_line);
                dump.modifiers(hook.modifiers);
                dump.flag(hook.by_ref, "by-ref");
                dump.attributes(hook.attributes);
                dump.doc_comment(hook.doc_comment);
                hook.params.iter().for_each(|params| dump.params(params));
                match hook.body {
                    HookBody::Abstract => dump.fact("abstract"),
                    HookBody::Arrow(body) => dump.optional("body", Some(body)),
                    HookBody::Block(stmts) => dump.stmt_group("body", stmts),
                }
            });
        }
    }

    fn trait_rule(&mut self, rule: &TraitRule<'_>) {
        match rule {
            TraitRule::InsteadOf { trait_name, method, excluded } => self.node("insteadof", method.span, |dump| {
                dump.name(trait_name);
                dump.ident(method);
                dump.names("excluded", excluded);
            }),
            TraitRule::Alias { trait_name, method, modifiers, alias } => self.node("alias", method.span, |dump| {
                trait_name.iter().for_each(|name| dump.name(name));
                dump.ident(method);
                dump.modifiers(*modifiers);
                alias.iter().for_each(|alias| dump.ident(alias));
            }),
        }
    }
}
