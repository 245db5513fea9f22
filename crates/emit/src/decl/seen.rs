//! The names that a file has declared so far, by which conflicts between declarations and `use` are found.

use std::collections::HashMap;

use phlox_syntax::ast::UseKind;

/// Names in the form in which PHP compares them: lower case for classes and functions.
#[derive(Default)]
pub(crate) struct Seen {
    classes: HashMap<Vec<u8>, u32>,
    functions: HashMap<Vec<u8>, u32>,
    consts: HashMap<Vec<u8>, u32>,
    /// Unconditional functions: these cannot be declared twice.
    pub hoisted_functions: HashMap<Vec<u8>, u32>,
}

impl Seen {
    fn table(&mut self, kind: UseKind) -> &mut HashMap<Vec<u8>, u32> {
        match kind {
            UseKind::Class => &mut self.classes,
            UseKind::Function => &mut self.functions,
            UseKind::Const => &mut self.consts,
        }
    }

    fn key(kind: UseKind, name: &[u8]) -> Vec<u8> {
        if kind == UseKind::Const { name.to_vec() } else { name.to_ascii_lowercase() }
    }

    /// Enters a declaration; the first line for a name stays.
    pub fn add(&mut self, kind: UseKind, name: &[u8], line: u32) {
        let key = Self::key(kind, name);
        self.table(kind).entry(key).or_insert(line);
    }

    /// A closed `namespace {..}` takes what it declared out of consideration.
    pub fn end_namespace(&mut self) {
        self.classes.clear();
        self.functions.clear();
        self.consts.clear();
    }

    /// Whether the name has been declared or imported.
    pub fn contains(&mut self, kind: UseKind, name: &[u8]) -> bool {
        let key = Self::key(kind, name);
        self.table(kind).contains_key(&key)
    }
}
