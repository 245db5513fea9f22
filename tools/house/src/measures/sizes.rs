//! Long files, and names that many types have.

use super::finding::Finding;
use crate::workspace::{SourceFile, Workspace};
use std::collections::BTreeMap;
use syn::Item;

/// Most types that may share a name before the name is reported.
const MAX_TYPES: usize = 3;

/// Files of more lines than a limit.
pub fn longer(workspace: &Workspace, limit: usize) -> Vec<Finding> {
    let long = workspace.files().filter(|(_, file)| file.lines() > limit);
    long.map(|(_, file)| Finding::new(file, 1, format!("{} lines", file.lines()))).collect()
}

/// Names that many types have, with the places of them all.
pub fn shared_names(workspace: &Workspace) -> Vec<Finding> {
    let mut types: BTreeMap<String, Vec<(&SourceFile, usize)>> = BTreeMap::new();
    for (_, file) in workspace.files() {
        declared(file, &file.items, &mut types);
    }
    let mut shared: Vec<_> = types.into_iter().filter(|(_, places)| places.len() > MAX_TYPES).collect();
    shared.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    let finding = |(name, places): (String, Vec<(&SourceFile, usize)>)| {
        let (first, line) = places[0];
        let others: Vec<String> =
            places[1..].iter().map(|(file, line)| format!("{}:{line}", file.path.display())).collect();
        Finding::new(first, line, format!("{name}: {} types; also {}", places.len(), others.join(", ")))
    };
    shared.into_iter().map(finding).collect()
}

fn declared<'w>(file: &'w SourceFile, items: &[Item], types: &mut BTreeMap<String, Vec<(&'w SourceFile, usize)>>) {
    for item in items {
        let name = match item {
            Item::Enum(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    declared(file, items, types);
                }
                continue;
            }
            _ => continue,
        };
        types.entry(name.to_string()).or_default().push((file, name.span().start().line));
    }
}
