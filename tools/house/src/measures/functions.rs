//! The length of functions.

use super::finding::Finding;
use crate::workspace::Workspace;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

/// Functions of more lines than a limit, from the signature to the closing brace, the longest first.
pub fn longer(workspace: &Workspace, limit: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    for (_, file) in workspace.files() {
        let mut lengths = Lengths { functions: Vec::new() };
        file.items.iter().for_each(|item| lengths.visit_item(item));
        for (line, lines, name) in lengths.functions.into_iter().filter(|function| function.1 > limit) {
            found.push((lines, Finding::new(file, line, format!("{name}: {lines} lines"))));
        }
    }
    found.sort_by_key(|row| std::cmp::Reverse(row.0));
    found.into_iter().map(|(_, finding)| finding).collect()
}

struct Lengths {
    /// The first line, the number of lines and the name of each function.
    functions: Vec<(usize, usize, String)>,
}

impl Lengths {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let (start, end) = (signature.span().start().line, block.span().end().line);
        self.functions.push((start, end + 1 - start, signature.ident.to_string()));
    }
}

impl<'a> Visit<'a> for Lengths {
    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'a TraitItemFn) {
        if let Some(block) = &function.default {
            self.add(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}
