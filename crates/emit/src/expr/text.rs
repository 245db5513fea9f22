//! Expressions as source text, where PHP keeps it.

use phlox_syntax::ast::{Expr, Name, UseKind};

use crate::emitter::Emitter;

impl<'a> Emitter<'a> {
    /// A default value as Reflection shows it: names of constants and classes are resolved.
    pub fn default_text(&self, e: &Expr<'_>) -> Option<Vec<u8>> {
        Some(phlox_syntax::print::print_resolved(e, &self.names))
    }

    /// What `assert` says about a failed assertion when it is given no description.
    pub fn assertion_text(&self, e: &Expr<'_>, argument: Option<&[u8]>) -> Option<Vec<u8>> {
        let (name, colon) = argument.map_or((&b""[..], &b""[..]), |name| (name, b": "));
        Some([b"assert(".as_slice(), name, colon, &phlox_syntax::print::print_expr(e), b")"].concat())
    }
}

impl phlox_syntax::print::Names for crate::names::Names {
    fn class(&self, name: &Name<'_>) -> Option<Vec<u8>> {
        let is_relative = [&b"self"[..], b"parent", b"static"].iter().any(|word| name.text.eq_ignore_ascii_case(word));
        (!is_relative).then(|| self.class(name))
    }

    fn constant(&self, name: &Name<'_>) -> Vec<u8> {
        let is_keyword = [&b"true"[..], b"false", b"null"].iter().any(|word| name.text.eq_ignore_ascii_case(word));
        if is_keyword { name.text.to_vec() } else { self.global(UseKind::Const, name).name }
    }
}
