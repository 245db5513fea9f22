//! The paths and imports in a stream of tokens, bodies of macros included.

use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashMap;
use syn::{ItemUse, UseTree};

/// The references of a module's code to other modules.
#[derive(Default)]
pub struct Scan {
    pub references: Vec<Reference>,
    /// Single names with their first line.
    pub names: HashMap<String, usize>,
    /// Imported names and what they stand for.
    pub imports: HashMap<String, Vec<String>>,
    /// Modules of which everything is imported.
    pub globs: Vec<Vec<String>>,
    /// Names that are imported to be seen from outside, each with what it stands for and its line.
    passed_on: Vec<(String, Reference)>,
}

/// A path of at least two segments.
#[derive(Debug, PartialEq, Eq)]
pub struct Reference {
    pub path: Vec<String>,
    pub line: usize,
}

/// Scans the items of one module.
pub fn scan(items: impl Iterator<Item = TokenStream>) -> Scan {
    let mut found = Scan::default();
    for item in items {
        found.stream(item);
    }
    // Passing a name on is no use of it, unless the module's own code has it, too.
    for (name, reference) in std::mem::take(&mut found.passed_on) {
        if found.names.contains_key(&name) {
            found.references.push(reference);
        }
    }
    found
}

impl Scan {
    fn stream(&mut self, stream: TokenStream) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = match &tokens[at] {
                TokenTree::Group(group) => {
                    self.stream(group.stream());
                    at + 1
                }
                TokenTree::Ident(name) if name == "use" => self.import(&tokens, at).unwrap_or(at + 1),
                TokenTree::Ident(_) => self.path(&tokens, at),
                _ => at + 1,
            };
        }
    }

    /// Reads a `use` up to its semicolon and gives where to go on, unless it holds a macro's variables.
    fn import(&mut self, tokens: &[TokenTree], at: usize) -> Option<usize> {
        let length = tokens[at..].iter().position(|token| is_punct(token, ';'))?;
        let item: ItemUse = syn::parse2(tokens[at..=at + length].iter().cloned().collect()).ok()?;
        let line = tokens[at].span().start().line;
        let passes_on = is_visibility(&tokens[..at]);
        self.use_tree(&item.tree, &mut Vec::new(), line, passes_on);
        Some(at + length + 1)
    }

    fn use_tree(&mut self, tree: &UseTree, path: &mut Vec<String>, line: usize, passes_on: bool) {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.use_tree(&inner.tree, path, line, passes_on);
                path.pop();
            }
            UseTree::Name(name) => self.imported(&name.ident, &name.ident, path, line, passes_on),
            UseTree::Rename(name) => self.imported(&name.ident, &name.rename, path, line, passes_on),
            UseTree::Glob(_) => self.globs.push(path.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.use_tree(tree, path, line, passes_on)),
        }
    }

    fn imported(&mut self, name: &Ident, known_as: &Ident, path: &[String], line: usize, passes_on: bool) {
        let mut whole = path.to_vec();
        let mut known_as = known_as.to_string();
        if name != "self" {
            whole.push(name.to_string());
        } else if known_as == "self" {
            known_as = whole.last().cloned().unwrap_or_default();
        }
        let reference = Reference { path: whole.clone(), line };
        match passes_on {
            true => self.passed_on.push((known_as.clone(), reference)),
            false => self.references.push(reference),
        }
        self.imports.insert(known_as, whole);
    }

    /// Reads a path and gives where to go on.
    fn path(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let continues = at >= 1 && is_punct(&tokens[at - 1], '.') && !(at >= 2 && is_punct(&tokens[at - 2], '.'))
            || at >= 2 && is_punct(&tokens[at - 1], ':') && is_punct(&tokens[at - 2], ':');
        let line = tokens[at].span().start().line;
        let mut path = vec![tokens[at].to_string()];
        let mut end = at + 1;
        while let [first, second, name @ TokenTree::Ident(_), ..] = &tokens[end..] {
            if !is_punct(first, ':') || !is_punct(second, ':') {
                break;
            }
            path.push(name.to_string());
            end += 3;
        }
        if continues {
            return end;
        }
        if path.len() > 1 {
            self.references.push(Reference { path, line });
        } else {
            self.names.entry(path.remove(0)).or_insert(line);
        }
        end
    }
}

/// Whether the tokens before an import end in `pub` or `pub(..)`.
fn is_visibility(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(word), TokenTree::Group(_)] | [.., TokenTree::Ident(word)] => word == "pub",
        _ => false,
    }
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(source: &str) -> Vec<String> {
        let tokens: TokenStream = source.parse().unwrap();
        scan(std::iter::once(tokens)).references.into_iter().map(|reference| reference.path.join("::")).collect()
    }

    #[test]
    fn imports_are_taken_apart() {
        assert_eq!(paths("use crate::a::{self, b::C, d as e};"), ["crate::a", "crate::a::b::C", "crate::a::d"]);
    }

    #[test]
    fn names_that_are_only_passed_on_are_not_used() {
        assert_eq!(paths("pub use a::B; pub(crate) use a::{C, d}; fn f() -> C { d::e() }"), ["d::e", "a::C"]);
    }

    #[test]
    fn paths_are_found_in_bodies_of_macros() {
        let source = "macro_rules! m { ($x:expr) => { $crate::a::f($x) } } fn g() { m!(super::h::I); x.y::<Z>() }";
        assert_eq!(paths(source), ["crate::a::f", "super::h::I"]);
    }
}
