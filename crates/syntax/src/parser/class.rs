//! Classes, interfaces, traits, enums and their members.

use super::modifiers::{Target, modifier};
use super::{Parsed, Parser};
use crate::ast::{
    Args, AttributeGroup, Bytes, ClassDecl, ClassKind, ConstItem, FunctionSig, HookBody, Ident, Member, MemberKind,
    MethodDecl, Modifiers, Name, PropItem, PropertyHook, Stmt, StmtKind, TraitRule, Type,
};
use crate::token::{Token, TokenKind::*};

impl<'a> Parser<'a> {
    /// A class-like declaration; the lookahead is a modifier or its keyword.
    pub(super) fn class_decl(&mut self, attributes: &'a [AttributeGroup<'a>]) -> Parsed<Stmt<'a>> {
        let start = self.tok;
        let modifiers = self.class_modifiers(false)?;
        let kind = match self.tok.kind {
            Class => ClassKind::Class,
            Trait if modifiers.is_empty() => ClassKind::Trait,
            Interface if modifiers.is_empty() => ClassKind::Interface,
            Enum if modifiers.is_empty() => ClassKind::Enum,
            _ => return Err(self.unexpected(&[Abstract, Final, Readonly, Class])),
        };
        let keyword = self.bump();
        let name = self.expect(Identifier)?;
        let name = Some(self.ident(name));
        let enum_type = if kind == ClassKind::Enum && self.eat(Colon) { Some(self.type_expr(true)?) } else { None };
        let extends = if kind == ClassKind::Class { self.extends()? } else { None };
        let interfaces = match kind {
            ClassKind::Interface if self.eat(Extends) => self.class_names()?,
            ClassKind::Class | ClassKind::Enum if self.eat(Implements) => self.class_names()?,
            _ => &[],
        };
        let doc_comment = self.take_doc_comment();
        let members = self.members()?;
        let span = self.span(start.start, keyword.line);
        let end_line = self.last.line;
        let decl = ClassDecl {
            span,
            attributes,
            doc_comment,
            kind,
            modifiers,
            name,
            extends,
            interfaces,
            enum_type,
            members,
            end_line,
        };
        Ok(Stmt { span, kind: StmtKind::Class(self.arena.alloc(decl)) })
    }

    /// `class(..) extends .. {..}` after `new`, with the constructor's arguments.
    pub(super) fn anonymous_class(
        &mut self,
        attributes: &'a [AttributeGroup<'a>],
    ) -> Parsed<(&'a ClassDecl<'a>, Args<'a>)> {
        let start = self.tok;
        let modifiers = self.class_modifiers(true)?;
        if !self.is(Class) {
            return Err(self.unexpected(&[Class]));
        }
        let keyword = self.bump();
        let args = if self.is(LeftParen) { self.arguments()? } else { self.no_arguments() };
        let extends = self.extends()?;
        let interfaces = if self.eat(Implements) { self.class_names()? } else { &[] };
        let doc_comment = self.take_doc_comment();
        let members = self.members()?;
        let decl = ClassDecl {
            span: self.span(start.start, keyword.line),
            attributes,
            doc_comment,
            kind: ClassKind::Class,
            modifiers,
            name: None,
            extends,
            interfaces,
            enum_type: None,
            members,
            end_line: self.last.line,
        };
        Ok((self.arena.alloc(decl), args))
    }

    fn extends(&mut self) -> Parsed<Option<Name<'a>>> {
        if self.eat(Extends) { self.class_name().map(Some) } else { Ok(None) }
    }

    fn class_names(&mut self) -> Parsed<&'a [Name<'a>]> {
        let mut names = vec![self.class_name()?];
        while self.eat(Comma) {
            names.push(self.class_name()?);
        }
        Ok(self.slice(&names))
    }

    /// `{ members }`
    fn members(&mut self) -> Parsed<&'a [Member<'a>]> {
        self.enter()?;
        self.expect(LeftBrace)?;
        let mut members = Vec::new();
        while !self.is(RightBrace) {
            members.push(self.member_decl()?);
        }
        self.bump();
        self.leave();
        Ok(self.slice(&members))
    }

    fn member_decl(&mut self) -> Parsed<Member<'a>> {
        let start = self.tok;
        let attributes = self.attributes()?;
        if self.is(Use) && attributes.is_empty() {
            return self.trait_use();
        }
        if self.is(Case) {
            return self.enum_case(start, attributes);
        }
        let is_var = self.eat(Var);
        let tokens = if is_var { Vec::new() } else { self.modifier_tokens() };
        match self.tok.kind {
            Function if !is_var => {
                let modifiers = self.modifiers(&tokens, Target::Method)?;
                self.method(start, attributes, modifiers)
            }
            Const if !is_var => {
                let modifiers = self.modifiers(&tokens, Target::Constant)?;
                self.class_const(start, attributes, modifiers)
            }
            _ if is_var || !tokens.is_empty() => {
                let modifiers = if is_var { Modifiers::VAR } else { self.modifiers(&tokens, Target::Property)? };
                self.property(start, attributes, modifiers)
            }
            _ => Err(self.unexpected(&[Function])),
        }
    }

    fn trait_use(&mut self) -> Parsed<Member<'a>> {
        let start = self.bump();
        let traits = self.class_names()?;
        let mut rules = Vec::new();
        if self.eat(LeftBrace) {
            while !self.is(RightBrace) {
                rules.push(self.trait_rule()?);
                self.expect(Semicolon)?;
            }
            self.bump();
        } else if !self.eat(Semicolon) {
            return Err(self.unexpected(&[Comma, Semicolon, LeftBrace]));
        }
        let kind = MemberKind::TraitUse { traits, rules: self.slice(&rules) };
        let span = self.span(start.start, traits[0].span.line);
        Ok(Member { span, attributes: &[], doc_comment: None, kind })
    }

    fn trait_rule(&mut self) -> Parsed<TraitRule<'a>> {
        let first = self.tok;
        let mut trait_name = None;
        let method = if first.kind.is_name() || first.kind == Static {
            self.bump();
            if self.is(DoubleColon) || first.kind != Static && (first.kind != Identifier || !self.is(As)) {
                self.expect(DoubleColon)?;
                trait_name = Some(self.name(first));
                self.member_identifier()?
            } else {
                self.ident(first)
            }
        } else {
            self.member_identifier()?
        };
        if let Some(trait_name) = trait_name
            && self.eat(InsteadOf)
        {
            let excluded = self.class_names()?;
            return Ok(TraitRule::InsteadOf { trait_name, method, excluded });
        }
        self.expect(As)?;
        let (modifiers, alias) = self.trait_alias()?;
        Ok(TraitRule::Alias { trait_name, method, modifiers, alias })
    }

    /// What follows `as`: a modifier, a name or both.
    fn trait_alias(&mut self) -> Parsed<(Modifiers, Option<Ident<'a>>)> {
        if modifier(self.tok.kind).is_none() {
            let is_alias = self.is(Identifier) || self.tok.kind.is_reserved_non_modifier();
            if !is_alias {
                return Err(self.unexpected(&[]));
            }
            let token = self.bump();
            return Ok((Modifiers::default(), Some(self.ident(token))));
        }
        let token = self.bump();
        let alias = if self.tok.kind.is_identifier() { Some(self.member_identifier()?) } else { None };
        Ok((self.modifiers(&[token], Target::Method)?, alias))
    }

    /// A name that may be a keyword.
    fn member_identifier(&mut self) -> Parsed<Ident<'a>> {
        if !self.tok.kind.is_identifier() {
            return Err(self.unexpected(&[]));
        }
        self.take_identifier()
    }

    fn enum_case(&mut self, start: Token, attributes: &'a [AttributeGroup<'a>]) -> Parsed<Member<'a>> {
        let doc_comment = self.take_doc_comment();
        self.bump();
        let name = self.member_identifier()?;
        let value = if self.eat(Assign) {
            Some(*self.expr()?)
        } else {
            if !self.is(Semicolon) {
                return Err(self.unexpected(&[Semicolon]));
            }
            None
        };
        self.expect(Semicolon)?;
        let span = self.span(start.start, name.span.line);
        Ok(Member { span, attributes, doc_comment, kind: MemberKind::Case { name, value } })
    }

    fn method(
        &mut self,
        start: Token,
        attributes: &'a [AttributeGroup<'a>],
        modifiers: Modifiers,
    ) -> Parsed<Member<'a>> {
        let keyword = self.bump();
        let by_ref_return = self.ampersand();
        let doc_comment = self.take_doc_comment();
        let name = self.member_identifier()?;
        let params = self.parameter_list()?;
        let return_type = self.return_type()?;
        let body = match self.tok.kind {
            Semicolon => {
                self.bump();
                None
            }
            LeftBrace => Some(self.block()?),
            _ => return Err(self.unexpected(&[Semicolon, LeftBrace])),
        };
        let sig = FunctionSig { by_ref_return, params, return_type };
        let span = self.span(start.start, keyword.line);
        let method = MethodDecl { span, modifiers, name, sig, body, end_line: self.last.line };
        Ok(Member { span, attributes, doc_comment, kind: MemberKind::Method(self.arena.alloc(method)) })
    }

    fn class_const(
        &mut self,
        start: Token,
        attributes: &'a [AttributeGroup<'a>],
        modifiers: Modifiers,
    ) -> Parsed<Member<'a>> {
        self.bump();
        let named_directly = self.peek(1) == Assign && self.tok.kind.is_identifier();
        let ty: Option<Type<'a>> = if named_directly {
            None
        } else if self.starts_type(true) {
            Some(self.type_expr(true)?)
        } else if self.tok.kind.is_identifier() {
            None
        } else {
            return Err(self.unexpected(&[]));
        };
        let mut items = Vec::new();
        loop {
            let is_keyword = !self.is(Identifier);
            let mut name = self.member_identifier()?;
            self.expect(Assign)?;
            let value = *self.expr()?;
            if is_keyword {
                // PHP makes a name of a keyword only after it has read the value.
                name.span.line = self.tok.line;
            }
            let doc_comment = self.take_doc_comment();
            items.push(ConstItem { name, value, doc_comment });
            if self.eat(Semicolon) {
                break;
            }
            if !self.eat(Comma) {
                return Err(self.unexpected(&[Comma, Semicolon]));
            }
        }
        let span = self.span(start.start, items[0].name.span.line);
        let doc_comment = items[0].doc_comment;
        let kind = MemberKind::Const { modifiers, ty, items: self.slice(&items) };
        Ok(Member { span, attributes, doc_comment, kind })
    }

    fn property(
        &mut self,
        start: Token,
        attributes: &'a [AttributeGroup<'a>],
        modifiers: Modifiers,
    ) -> Parsed<Member<'a>> {
        let ty = if self.starts_type(false) { Some(self.type_expr(false)?) } else { None };
        let mut items = Vec::new();
        loop {
            let mut item = self.property_item()?;
            if items.is_empty() && self.is(LeftBrace) {
                item.hooks = Some(self.hook_list()?);
                items.push(item);
                break;
            }
            items.push(item);
            if self.eat(Semicolon) {
                break;
            }
            if !self.eat(Comma) {
                return Err(self.unexpected(&[Comma, Semicolon]));
            }
        }
        let line = ty.map_or(items[0].name.span.line, |ty: Type| ty.span.line);
        let span = self.span(start.start, line);
        let doc_comment = items[0].doc_comment;
        let kind = MemberKind::Prop { modifiers, ty, items: self.slice(&items) };
        Ok(Member { span, attributes, doc_comment, kind })
    }

    fn property_item(&mut self) -> Parsed<PropItem<'a>> {
        let variable = self.expect(Variable)?;
        let name = self.variable_ident(variable);
        let default = if self.eat(Assign) { Some(*self.expr()?) } else { None };
        let doc_comment: Option<Bytes<'a>> = self.take_doc_comment();
        Ok(PropItem { name, default, doc_comment, hooks: None })
    }

    /// `{ hooks }`
    pub(super) fn hook_list(&mut self) -> Parsed<&'a [PropertyHook<'a>]> {
        self.enter()?;
        self.bump();
        let mut hooks = Vec::new();
        while !self.is(RightBrace) {
            hooks.push(self.hook()?);
        }
        self.bump();
        self.leave();
        Ok(self.slice(&hooks))
    }

    fn hook(&mut self) -> Parsed<PropertyHook<'a>> {
        let start = self.tok;
        let attributes = self.attributes()?;
        let tokens = self.modifier_tokens();
        let modifiers = if tokens.is_empty() { Modifiers::default() } else { self.modifiers(&tokens, Target::Hook)? };
        let by_ref = self.ampersand();
        let doc_comment = self.take_doc_comment();
        let name = self.expect(Identifier)?;
        let name = self.ident(name);
        let params = if self.is(LeftParen) { Some(self.parameter_list()?) } else { None };
        let body = match self.tok.kind {
            Semicolon => {
                self.bump();
                HookBody::Abstract
            }
            LeftBrace => HookBody::Block(self.block()?),
            DoubleArrow => {
                self.bump();
                let body = self.expr()?;
                self.expect_after_expr(Semicolon)?;
                HookBody::Arrow(body)
            }
            _ => return Err(self.unexpected(&[DoubleArrow, Semicolon, LeftBrace])),
        };
        let span = self.span(start.start, name.span.line);
        let end_line = self.last.line;
        Ok(PropertyHook { span, attributes, doc_comment, modifiers, by_ref, name, params, body, end_line })
    }
}
