//! Documentation of public functions.

use super::finding::Finding;
use crate::workspace::Workspace;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, ItemFn, Signature, Visibility};

/// Public functions and methods without documentation.
pub fn undocumented(workspace: &Workspace) -> Vec<Finding> {
    let mut found = Vec::new();
    for (_, file) in workspace.files() {
        let mut functions = Undocumented { functions: Vec::new() };
        file.items.iter().for_each(|item| functions.visit_item(item));
        found.extend(functions.functions.into_iter().map(|(line, name)| Finding::new(file, line, name)));
    }
    found
}

struct Undocumented {
    functions: Vec<(usize, String)>,
}

impl Undocumented {
    fn add(&mut self, visibility: &Visibility, attributes: &[Attribute], signature: &Signature) {
        let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
        if matches!(visibility, Visibility::Public(_)) && !documented {
            self.functions.push((signature.fn_token.span.start().line, signature.ident.to_string()));
        }
    }
}

impl<'a> Visit<'a> for Undocumented {
    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.add(&function.vis, &function.attrs, &function.sig);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a ImplItemFn) {
        self.add(&function.vis, &function.attrs, &function.sig);
        visit::visit_impl_item_fn(self, function);
    }
}
