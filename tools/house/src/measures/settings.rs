//! Reads of ini settings.

use super::finding::Finding;
use crate::workspace::{SourceFile, Workspace};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;

/// The methods of the settings that take a name.
const READERS: &[&str] = &["int", "bool", "string", "quantity", "entry", "configured", "configured_elements"];

/// Calls like `ini.int("precision")`, whose name nothing checks.
pub fn by_name(workspace: &Workspace) -> Vec<Finding> {
    let mut found = Vec::new();
    for (_, file) in workspace.files() {
        for item in &file.items {
            search(file, item.to_token_stream(), &mut found);
        }
    }
    found
}

fn search(file: &SourceFile, stream: TokenStream, found: &mut Vec<Finding>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        if let Some(setting) = first_literal(group).filter(|_| is_reader(&tokens[..at])) {
            found.push(Finding::new(file, group.span_open().start().line, setting));
        }
        search(file, group.stream(), found);
    }
}

/// Whether the tokens before an argument list are `ini.READER` or `ini().READER`.
fn is_reader(before: &[TokenTree]) -> bool {
    let [receiver @ .., dot, method] = before else { return false };
    let receiver = match receiver {
        [.., name, TokenTree::Group(group)] if group.stream().is_empty() => name.to_string(),
        [.., name] => name.to_string(),
        [] => return false,
    };
    receiver == "ini" && dot.to_string() == "." && READERS.contains(&method.to_string().as_str())
}

fn first_literal(group: &Group) -> Option<String> {
    let TokenTree::Literal(literal) = group.stream().into_iter().next()? else { return None };
    let text = literal.to_string();
    text.ends_with('"').then_some(text)
}
