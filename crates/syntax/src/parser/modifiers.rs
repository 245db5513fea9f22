//! Modifiers of classes and members, and the errors that PHP raises for them while parsing.

use super::{Parsed, Parser};
use crate::ast::Modifiers;
use crate::token::{
    Token,
    TokenKind::{self, *},
};

/// What modifiers are applied to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Property,
    Method,
    Constant,
    Parameter,
    Hook,
}

impl Target {
    fn describe(self) -> &'static str {
        match self {
            Target::Property => "property",
            Target::Method => "method",
            Target::Constant => "class constant",
            Target::Parameter => "parameter",
            Target::Hook => "property hook",
        }
    }

    /// The modifiers that make sense here.
    fn allowed(self) -> Modifiers {
        use Modifiers as M;
        let visibility = M(M::PUBLIC.0 | M::PROTECTED.0 | M::PRIVATE.0);
        let set = M(M::PUBLIC_SET.0 | M::PROTECTED_SET.0 | M::PRIVATE_SET.0);
        match self {
            Target::Property => M(visibility.0 | set.0 | M::READONLY.0 | M::ABSTRACT.0 | M::FINAL.0 | M::STATIC.0),
            Target::Method => M(visibility.0 | M::ABSTRACT.0 | M::FINAL.0 | M::STATIC.0),
            Target::Constant => M(visibility.0 | M::FINAL.0),
            Target::Parameter => M(visibility.0 | set.0 | M::READONLY.0),
            Target::Hook => M::FINAL,
        }
    }
}

/// Modifiers that exclude each other or cannot be repeated, with PHP's messages.
#[rustfmt::skip]
static EXCLUSIVE: &[(u16, &str)] = &[
    (Modifiers::PUBLIC.0 | Modifiers::PROTECTED.0 | Modifiers::PRIVATE.0, "Multiple access type modifiers are not allowed"),
    (Modifiers::ABSTRACT.0, "Multiple abstract modifiers are not allowed"),
    (Modifiers::STATIC.0, "Multiple static modifiers are not allowed"),
    (Modifiers::FINAL.0, "Multiple final modifiers are not allowed"),
    (Modifiers::READONLY.0, "Multiple readonly modifiers are not allowed"),
    (Modifiers::PUBLIC_SET.0 | Modifiers::PROTECTED_SET.0 | Modifiers::PRIVATE_SET.0, "Multiple access type modifiers are not allowed"),
];

pub(super) fn modifier(kind: TokenKind) -> Option<Modifiers> {
    Some(match kind {
        Public => Modifiers::PUBLIC,
        Protected => Modifiers::PROTECTED,
        Private => Modifiers::PRIVATE,
        PublicSet => Modifiers::PUBLIC_SET,
        ProtectedSet => Modifiers::PROTECTED_SET,
        PrivateSet => Modifiers::PRIVATE_SET,
        Static => Modifiers::STATIC,
        Abstract => Modifiers::ABSTRACT,
        Final => Modifiers::FINAL,
        Readonly => Modifiers::READONLY,
        _ => return None,
    })
}

/// A modifier as PHP names it in messages.
fn spelling(kind: TokenKind) -> &'static str {
    kind.info().text.trim_matches('\'')
}

/// The message for adding `new` to `old`, if they do not go together.
fn repeated(old: Modifiers, new: Modifiers) -> Option<&'static str> {
    EXCLUSIVE.iter().find(|&&(group, _)| old.0 & group != 0 && new.0 & group != 0).map(|&(_, message)| message)
}

impl<'a> Parser<'a> {
    /// All modifiers that stand here.
    pub(super) fn modifier_tokens(&mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        while modifier(self.tok.kind).is_some() {
            tokens.push(self.bump());
        }
        tokens
    }

    /// The set of `tokens`, if `target` can have it.
    pub(super) fn modifiers(&mut self, tokens: &[Token], target: Target) -> Parsed<Modifiers> {
        let mut flags = Modifiers::default();
        for token in tokens {
            let Some(new) = modifier(token.kind).filter(|&new| target.allowed().contains(new)) else {
                let (spelling, member) = (spelling(token.kind), target.describe());
                return Err(self.fatal(format!("Cannot use the {spelling} modifier on a {member}")));
            };
            if let Some(message) = repeated(flags, new) {
                return Err(self.fatal(message));
            }
            flags = flags.union(new);
            if flags.contains(Modifiers::ABSTRACT.union(Modifiers::FINAL)) {
                let member = target.describe();
                return Err(self.fatal(format!("Cannot use the final modifier on an abstract {member}")));
            }
        }
        Ok(flags)
    }

    /// `abstract`, `final` and `readonly` before `class`.
    pub(super) fn class_modifiers(&mut self, anonymous: bool) -> Parsed<Modifiers> {
        let mut flags = Modifiers::default();
        while matches!(self.tok.kind, Abstract | Final | Readonly) {
            let token = self.bump();
            let new = modifier(token.kind).unwrap_or_default();
            if anonymous && new != Modifiers::READONLY {
                let spelling = spelling(token.kind);
                return Err(
                    self.fatal_on(self.last.line, format!("Cannot use the {spelling} modifier on an anonymous class"))
                );
            }
            if let Some(message) = repeated(flags, new) {
                return Err(self.fatal_on(self.last.line, message));
            }
            flags = flags.union(new);
            if flags.contains(Modifiers::ABSTRACT.union(Modifiers::FINAL)) {
                return Err(self.fatal_on(self.last.line, "Cannot use the final modifier on an abstract class"));
            }
        }
        Ok(flags)
    }
}
