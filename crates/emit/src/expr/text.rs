//! Expressions as source text, where PHP keeps it.

use phlox_syntax::ast::Expr;

use crate::emitter::Emitter;

impl<'a> Emitter<'a> {
    /// The default of a parameter as Reflection prints it.
    pub fn expression_text(&self, e: &Expr<'_>) -> Option<Vec<u8>> {
        Some(phlox_syntax::print::print_expr(e))
    }

    /// What `assert` says about a failed assertion when it is given no description.
    pub fn assertion_text(&self, e: &Expr<'_>, argument: Option<&[u8]>) -> Option<Vec<u8>> {
        let (name, colon) = argument.map_or((&b""[..], &b""[..]), |name| (name, b": "));
        Some([b"assert(".as_slice(), name, colon, &phlox_syntax::print::print_expr(e), b")"].concat())
    }
}
