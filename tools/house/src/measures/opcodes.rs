//! Facts about opcodes that stand in lists instead of the opline table.

use super::finding::Finding;
use crate::workspace::{SourceFile, Workspace};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMatch, Lit, Pat};

/// The table itself.
const TABLE: &str = "crates/lower/src/ops.rs";
/// Fewest opcodes in one pattern that count as a list.
const MIN_LIST: usize = 3;

/// Patterns that name several opcodes, in arms of a match, in `matches!` and in bodies of macros alike.
pub fn lists(workspace: &Workspace) -> Vec<Finding> {
    let mut found = Vec::new();
    for (_, file) in files(workspace) {
        for item in &file.items {
            search(file, item.to_token_stream(), &mut found);
        }
    }
    found
}

/// Matches over opcodes that quietly take a new opcode for harmless.
pub fn defaults(workspace: &Workspace) -> Vec<Finding> {
    let mut found = Vec::new();
    for (_, file) in files(workspace) {
        let mut matches = Defaults { file, found: &mut found };
        file.items.iter().for_each(|item| matches.visit_item(item));
    }
    found
}

fn files(workspace: &Workspace) -> impl Iterator<Item = (&crate::workspace::Crate, &SourceFile)> {
    workspace.files().filter(|(_, file)| file.path != Path::new(TABLE))
}

fn search(file: &SourceFile, stream: TokenStream, found: &mut Vec<Finding>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let TokenTree::Group(group) = &tokens[at] {
            search(file, group.stream(), found);
        }
        let (names, end) = alternatives(&tokens, at);
        if names.len() >= MIN_LIST {
            found.push(Finding::new(file, tokens[at].span().start().line, names.join(" | ")));
        }
        at = end.max(at + 1);
    }
}

/// The opcodes of an alternation that begins here, and where it ends.
fn alternatives(tokens: &[TokenTree], start: usize) -> (Vec<String>, usize) {
    let (mut names, mut at) = (Vec::new(), start);
    while let Some((name, length)) = opcode(&tokens[at..]) {
        names.push(name);
        at += length;
        match tokens.get(at) {
            Some(TokenTree::Punct(bar)) if bar.as_char() == '|' => at += 1,
            _ => break,
        }
    }
    (names, at)
}

/// `OpCode::Name` at the beginning of some tokens, with its length.
fn opcode(tokens: &[TokenTree]) -> Option<(String, usize)> {
    match tokens {
        [TokenTree::Ident(kind), TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(name), ..]
            if kind == "OpCode" && name.to_string().starts_with(char::is_uppercase) =>
        {
            Some((name.to_string(), 4))
        }
        _ => None,
    }
}

struct Defaults<'w, 'f> {
    file: &'w SourceFile,
    found: &'f mut Vec<Finding>,
}

impl<'a> Visit<'a> for Defaults<'_, '_> {
    fn visit_expr_match(&mut self, expression: &'a ExprMatch) {
        let over_opcodes = expression.arms.iter().any(|arm| {
            let pattern = arm.pat.to_token_stream().to_string();
            pattern.contains("OpCode ::")
        });
        let silent = expression.arms.iter().find(|arm| matches!(arm.pat, Pat::Wild(_)) && is_bare(&arm.body));
        if let Some(arm) = silent.filter(|_| over_opcodes) {
            let line = arm.fat_arrow_token.spans[0].start().line;
            self.found.push(Finding::new(self.file, line, format!("_ => {}", arm.body.to_token_stream())));
        }
        visit::visit_expr_match(self, expression);
    }
}

fn is_bare(body: &Expr) -> bool {
    match body {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Bool(_)),
        Expr::Path(path) => path.path.is_ident("None"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Crate;
    use std::path::PathBuf;

    fn workspace(text: &str) -> Workspace {
        let file = SourceFile::parse(PathBuf::from("crates/x/src/lib.rs"), text.to_owned()).unwrap();
        Workspace { crates: vec![Crate { name: "x".to_owned(), files: vec![file] }] }
    }

    #[test]
    fn lists_are_found_in_arms_and_macros() {
        let found = lists(&workspace(
            "fn f(op: OpCode) -> bool {\n match op { OpCode::A | OpCode::B => true, _ => g() }\n && matches!(op, \
             OpCode::A | OpCode::B\n | OpCode::C)\n && Some(OpCode::A | lower::OpCode::B | OpCode::C) == x }",
        ));
        let texts: Vec<(usize, &str)> = found.iter().map(|finding| (finding.line, finding.text.as_str())).collect();
        assert_eq!(texts, [(3, "A | B | C")]);
    }

    #[test]
    fn silent_defaults_are_told_from_others() {
        let found = defaults(&workspace(
            "fn f(op: OpCode) -> bool { match op { OpCode::A => false, _ => true } }\n\
             fn g(op: OpCode) -> u8 { match op { OpCode::A => 1, _ => 2 } }\n\
             fn h(op: u8) -> bool { match op { 1 => false, _ => true } }",
        ));
        assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [1]);
    }
}
