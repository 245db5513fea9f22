//! Syntax tree to PHP source, in the format that PHP itself has for trees: messages of failed
//! assertions and `Reflection` show it.
//!
//! The format follows PHP also where it loses something (parentheses of `(A&B)|C`, `final`).

mod decl;
mod expr;
mod stmt;
mod text;

use crate::ast::{Expr, Name, Stmt};

/// An expression, as `assert()` shows it.
pub fn print_expr(expr: &Expr<'_>) -> Vec<u8> {
    let mut printer = Printer::default();
    printer.expr(expr, 0);
    printer.out
}

/// What names of a constant expression stand for.
pub trait Names {
    /// The full name of a class; `None`: as it is written.
    fn class(&self, name: &Name<'_>) -> Option<Vec<u8>>;

    /// The full name of a constant.
    fn constant(&self, name: &Name<'_>) -> Vec<u8>;
}

/// An expression with names resolved, as `Reflection` shows default values.
pub fn print_resolved(expr: &Expr<'_>, names: &dyn Names) -> Vec<u8> {
    let mut printer = Printer { names: Some(names), ..Printer::default() };
    printer.expr(expr, 0);
    printer.out
}

/// Statements, one on each line.
pub fn print_stmts(stmts: &[Stmt<'_>]) -> Vec<u8> {
    let mut printer = Printer::default();
    printer.stmts(stmts);
    printer.out
}

#[derive(Default)]
struct Printer<'n> {
    out: Vec<u8>,
    indent: usize,
    names: Option<&'n dyn Names>,
}

impl Printer<'_> {
    fn put(&mut self, text: impl AsRef<[u8]>) {
        self.out.extend_from_slice(text.as_ref());
    }

    fn put_indent(&mut self) {
        self.out.resize(self.out.len() + 4 * self.indent, b' ');
    }

    /// All `items` with a comma between.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }

    /// Prints with one more level of indentation, then indents what follows.
    fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 1;
        print(self);
        self.indent -= 1;
        self.put_indent();
    }
}
