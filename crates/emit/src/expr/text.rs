//! Expressions as source text, where PHP keeps it.

use phlox_syntax::ast::{ClassRef, Expr, ExprKind, MemberName, UseKind};

use crate::emitter::Emitter;

impl<'a> Emitter<'a> {
    /// The default of a parameter as Reflection prints it.
    pub fn expression_text(&self, e: &Expr<'_>) -> Option<Vec<u8>> {
        Some(phlox_syntax::print::print_expr(e))
    }

    /// A default value as messages and Reflection show it: names of constants are resolved.
    pub fn default_text(&self, e: &Expr<'_>) -> Option<Vec<u8>> {
        match e.kind {
            ExprKind::Const(ref name) if !is_special_constant(name.text) => {
                Some(self.names.global(UseKind::Const, name).name)
            }
            ExprKind::ClassConst { class: ClassRef::Name(ref class), name: MemberName::Ident(constant) }
                if !is_special_class(class.text) =>
            {
                Some([&self.names.class(class)[..], b"::", constant.text].concat())
            }
            _ => self.expression_text(e),
        }
    }

    /// What `assert` says about a failed assertion when it is given no description.
    pub fn assertion_text(&self, e: &Expr<'_>, argument: Option<&[u8]>) -> Option<Vec<u8>> {
        let (name, colon) = argument.map_or((&b""[..], &b""[..]), |name| (name, b": "));
        Some([b"assert(".as_slice(), name, colon, &phlox_syntax::print::print_expr(e), b")"].concat())
    }
}

/// Constants that are keywords in effect, and names with a meaning of their own.
fn is_special_constant(name: &[u8]) -> bool {
    [&b"true"[..], b"false", b"null"].iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// `self`, `parent` and `static` stay as they are written.
fn is_special_class(name: &[u8]) -> bool {
    [&b"self"[..], b"parent", b"static"].iter().any(|word| name.eq_ignore_ascii_case(word))
}
