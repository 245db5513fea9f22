//! Name resolution: the current namespace, the `use` imports, and what a written name stands for.
//!
//! Special class names (`self`, `parent`, `static`) are the caller's business; see [`special_class`].

use std::collections::HashMap;

use phlox_syntax::ast::{Name, NameKind, UseKind};

/// Imports of one kind: alias (lower case for classes and functions) to full name.
type Imports = HashMap<Vec<u8>, Vec<u8>>;

#[derive(Default)]
pub(crate) struct Names {
    /// The current namespace without leading or trailing backslash; empty for the global one.
    pub namespace: Vec<u8>,
    classes: Imports,
    functions: Imports,
    consts: Imports,
}

/// What a function or constant name stands for.
#[derive(Clone)]
pub(crate) struct Resolved {
    pub name: Vec<u8>,
    /// The global name to try when the namespaced one does not exist.
    pub fallback: Option<Vec<u8>>,
}

/// The class names that depend on the place of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialClass {
    SelfClass,
    Parent,
    Static,
}

/// Is this one of the special class names?
pub(crate) fn special_class(text: &[u8]) -> Option<SpecialClass> {
    match text.len() {
        4 if text.eq_ignore_ascii_case(b"self") => Some(SpecialClass::SelfClass),
        6 if text.eq_ignore_ascii_case(b"parent") => Some(SpecialClass::Parent),
        6 if text.eq_ignore_ascii_case(b"static") => Some(SpecialClass::Static),
        _ => None,
    }
}

impl Names {
    /// Starts a namespace: imports do not outlive it.
    pub fn enter(&mut self, namespace: &[u8]) {
        *self = Names { namespace: namespace.to_vec(), ..Names::default() };
    }

    /// The full name of something declared here.
    pub fn declared(&self, name: &[u8]) -> Vec<u8> {
        if self.namespace.is_empty() {
            return name.to_vec();
        }
        [&self.namespace, b"\\".as_slice(), name].concat()
    }

    fn table(&self, kind: UseKind) -> &Imports {
        match kind {
            UseKind::Class => &self.classes,
            UseKind::Function => &self.functions,
            UseKind::Const => &self.consts,
        }
    }

    fn key(kind: UseKind, alias: &[u8]) -> Vec<u8> {
        if kind == UseKind::Const { alias.to_vec() } else { alias.to_ascii_lowercase() }
    }

    /// Adds an import; false when the alias is taken.
    pub fn import(&mut self, kind: UseKind, alias: &[u8], full: &[u8]) -> bool {
        let key = Self::key(kind, alias);
        let table = match kind {
            UseKind::Class => &mut self.classes,
            UseKind::Function => &mut self.functions,
            UseKind::Const => &mut self.consts,
        };
        table.insert(key, full.to_vec()).is_none()
    }

    /// What an unqualified name was imported as.
    pub fn imported(&self, kind: UseKind, name: &[u8]) -> Option<&[u8]> {
        let table = self.table(kind);
        if table.is_empty() {
            return None;
        }
        table.get(&Self::key(kind, name)).map(Vec::as_slice)
    }

    /// Resolves a qualified or unqualified class name.
    pub fn class(&self, name: &Name<'_>) -> Vec<u8> {
        match name.kind {
            NameKind::FullyQualified => name.text.to_vec(),
            NameKind::Relative => self.declared(name.text),
            NameKind::Unqualified => match self.imported(UseKind::Class, name.text) {
                Some(full) => full.to_vec(),
                None => self.declared(name.text),
            },
            NameKind::Qualified => self.qualified(name.text),
        }
    }

    fn qualified(&self, text: &[u8]) -> Vec<u8> {
        let split = text.iter().position(|&b| b == b'\\').unwrap_or(text.len());
        match self.imported(UseKind::Class, &text[..split]) {
            Some(full) => [full, &text[split..]].concat(),
            None => self.declared(text),
        }
    }

    /// Resolves a function or constant name.
    pub fn global(&self, kind: UseKind, name: &Name<'_>) -> Resolved {
        let fixed = |name: Vec<u8>| Resolved { name, fallback: None };
        match name.kind {
            NameKind::FullyQualified => fixed(name.text.to_vec()),
            NameKind::Relative => fixed(self.declared(name.text)),
            NameKind::Qualified => fixed(self.qualified(name.text)),
            NameKind::Unqualified => match self.imported(kind, name.text) {
                Some(full) => fixed(full.to_vec()),
                None if self.namespace.is_empty() => fixed(name.text.to_vec()),
                None => Resolved { name: self.declared(name.text), fallback: Some(name.text.to_vec()) },
            },
        }
    }
}
