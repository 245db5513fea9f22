//! Array literals and destructuring patterns.

use super::expr::{level, starts_expr};
use super::{Parsed, Parser};
use crate::ast::{ArrayForm, ArrayItem, ExprKind, ExprRef};
use crate::token::TokenKind::*;

impl<'a> Parser<'a> {
    /// `[..]` or, after `array`, `(..)`.
    pub(super) fn array_literal(&mut self, form: ArrayForm) -> Parsed<ExprRef<'a>> {
        let start = if form == ArrayForm::Short { self.tok } else { self.last };
        let close = if form == ArrayForm::Short { RightBracket } else { RightParen };
        if form == ArrayForm::Short {
            self.bump();
        } else {
            self.expect(LeftParen)?;
        }
        let (items, line) = self.array_items()?;
        if !self.is(close) && items.last().copied().flatten().is_some_and(|item| item.by_ref) && self.last.kind != Comma
        {
            return Err(self.variable_goes_on());
        }
        self.expect(close)?;
        let span = self.span(start.start, line);
        Ok(self.expr_node(span, ExprKind::Array { form, items }))
    }

    /// `list(..)`
    pub(super) fn list_pattern(&mut self) -> Parsed<ExprRef<'a>> {
        self.bump();
        self.array_literal(ArrayForm::List)
    }

    /// Items with holes, up to the closing bracket, and PHP's line of the list.
    fn array_items(&mut self) -> Parsed<(&'a [Option<ArrayItem<'a>>], u32)> {
        let mut items = Vec::new();
        let mut line = self.end_line(self.tok);
        loop {
            let item = self.array_item()?;
            if items.is_empty() {
                line = item.map_or(line, |item: ArrayItem| item.span.line);
            }
            items.push(item);
            if !self.eat(Comma) {
                break;
            }
        }
        if let Some(None) = items.last() {
            items.pop();
        }
        Ok((self.slice(&items), line))
    }

    fn array_item(&mut self) -> Parsed<Option<ArrayItem<'a>>> {
        let start = self.tok;
        let item = |parser: &Self, key, value: ExprRef<'a>, by_ref, spread| {
            let span = parser.span_with_line(start.start, value);
            Ok(Some(ArrayItem { span, key, value, by_ref, spread }))
        };
        match self.tok.kind {
            Ampersand | AmpersandVar => {
                self.bump();
                let value = self.variable()?;
                return item(self, None, value, true, false);
            }
            Ellipsis => {
                self.bump();
                let value = self.expr()?;
                return item(self, None, value, false, true);
            }
            kind if !starts_expr(kind) => return Ok(None),
            _ => {}
        }
        let first = self.item_value()?;
        let is_list = matches!(first.kind, ExprKind::Array { form: ArrayForm::List, .. });
        if is_list || !self.eat(DoubleArrow) {
            return item(self, None, first, false, false);
        }
        if matches!(self.tok.kind, Ampersand | AmpersandVar) {
            self.bump();
            let value = self.variable()?;
            return item(self, Some(first), value, true, false);
        }
        let value = self.item_value()?;
        item(self, Some(first), value, false, false)
    }

    /// An expression, or a nested `list(..)` without an assignment.
    fn item_value(&mut self) -> Parsed<ExprRef<'a>> {
        if !self.is(List) {
            return self.expr();
        }
        self.enter()?;
        let pattern = self.list_pattern()?;
        self.leave();
        if !self.is(Assign) {
            return Ok(pattern);
        }
        self.bump();
        let value = self.expr_at(level::ASSIGNED)?;
        let span = self.span(pattern.span.start, pattern.span.line);
        let assignment = self.expr_node(span, ExprKind::Assign { target: pattern, value });
        self.operators(assignment, level::LOWEST)
    }
}
