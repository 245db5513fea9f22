//! The syntax tree as text, for tests and `phlox dump --ast`.
//!
//! A node is `(kind:line facts children)`. Facts stand on the node's line, each child on one of its
//! own; a node without children takes one line. Optional children have a label, as in `else: (..)`.

mod decl;
mod expr;
mod stmt;

use crate::ast::{Ident, Name, NameKind, Program, Span, Type, TypeKind};

/// The whole tree of a file.
pub fn dump(program: &Program<'_>) -> Vec<u8> {
    let mut dump = Dump::default();
    dump.stmts(program.stmts);
    if let Some(offset) = program.halt_offset {
        dump.fact(format!("halt-offset {offset}"));
    }
    dump.out.push(b'\n');
    if dump.out.first() == Some(&b'\n') {
        dump.out.remove(0);
    }
    dump.out
}

/// Deeper levels are not indented further, so that the text grows only with the tree.
const MAX_INDENTED: usize = 64;

#[derive(Default)]
struct Dump {
    out: Vec<u8>,
    depth: usize,
}

impl Dump {
    /// A node of `kind`, whose facts and children `content` adds.
    fn node(&mut self, kind: &str, span: Span, content: impl FnOnce(&mut Self)) {
        self.new_line();
        self.open(kind, span, content);
    }

    fn open(&mut self, kind: &str, span: Span, content: impl FnOnce(&mut Self)) {
        self.out.extend_from_slice(format!("({kind}:{}", span.line).as_bytes());
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.out.push(b')');
    }

    fn new_line(&mut self) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + 2 * self.depth.min(MAX_INDENTED), b' ');
    }

    /// Starts the line of a part that `label` names.
    fn label(&mut self, label: &str) {
        self.new_line();
        self.out.extend_from_slice(label.as_bytes());
        self.out.extend_from_slice(b": ");
    }

    /// A named group of children.
    fn group(&mut self, label: &str, content: impl FnOnce(&mut Self)) {
        self.new_line();
        self.out.push(b'(');
        self.out.extend_from_slice(label.as_bytes());
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.out.push(b')');
    }

    /// A word on the node's line.
    fn fact(&mut self, text: impl AsRef<str>) {
        self.out.push(b' ');
        self.out.extend_from_slice(text.as_ref().as_bytes());
    }

    fn flag(&mut self, set: bool, text: &str) {
        if set {
            self.fact(text);
        }
    }

    /// Bytes in quotes, with escapes for what is not printable ASCII.
    fn bytes(&mut self, text: &[u8]) {
        self.fact(format!("\"{}\"", text.escape_ascii()));
    }

    fn ident(&mut self, ident: &Ident<'_>) {
        self.bytes(ident.text);
    }

    fn name(&mut self, name: &Name<'_>) {
        let prefix = match name.kind {
            NameKind::Unqualified | NameKind::Qualified => "",
            NameKind::FullyQualified => "\\",
            NameKind::Relative => "namespace\\",
        };
        self.fact(format!("{prefix}{}", name.text.escape_ascii()));
    }

    fn names(&mut self, label: &str, names: &[Name<'_>]) {
        if !names.is_empty() {
            self.group(label, |dump| names.iter().for_each(|name| dump.name(name)));
        }
    }

    fn doc_comment(&mut self, comment: Option<&[u8]>) {
        if let Some(text) = comment {
            self.label("doc");
            self.out.extend_from_slice(format!("\"{}\"", text.escape_ascii()).as_bytes());
        }
    }

    fn type_expr(&mut self, label: &str, ty: Option<&Type<'_>>) {
        if let Some(ty) = ty {
            self.label(label);
            self.out.extend_from_slice(type_text(ty).as_bytes());
        }
    }
}

fn type_text(ty: &Type<'_>) -> String {
    let join = |members: &[Type<'_>], separator: &str| {
        let members: Vec<String> = members.iter().map(type_text).collect();
        format!("({})", members.join(separator))
    };
    match ty.kind {
        TypeKind::Named(name) => {
            let mut text = Dump::default();
            text.name(&name);
            String::from_utf8_lossy(&text.out[1..]).into_owned()
        }
        TypeKind::Nullable(inner) => format!("?{}", type_text(inner)),
        TypeKind::Union(members) => join(members, "|"),
        TypeKind::Intersection(members) => join(members, "&"),
    }
}
