//! The tree of a crate's modules and the names that each of them declares or imports.

use crate::scan::{Reference, Scan, scan};
use crate::workspace::{Crate, SourceFile};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use syn::{Attribute, ForeignItem, Item};

/// How many imports one name is followed through.
const MAX_STEPS: usize = 12;

/// The modules of a crate. The first of each tree is its root; a crate with a library and a program has two trees.
pub struct Modules {
    pub all: Vec<Module>,
}

/// One module, in a file of its own or written inside another's.
pub struct Module {
    /// The index of the file in the crate.
    pub file: usize,
    parent: Option<usize>,
    root: usize,
    children: HashMap<String, usize>,
    items: HashSet<String>,
    /// What each imported name stands for.
    imports: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// Exported macros by name, in a root: the module that declares each.
    macros: HashMap<String, usize>,
    /// The paths that the module's own code contains.
    pub references: Vec<Reference>,
    /// The single names that the module's own code contains, each with the first line.
    pub names: HashMap<String, usize>,
}

impl Modules {
    /// Follows the declarations of modules from the crate's roots.
    pub fn of(krate: &Crate) -> Modules {
        let files: HashMap<&Path, usize> =
            krate.files.iter().enumerate().map(|(index, file)| (file.path.as_path(), index)).collect();
        let mut builder = Builder { krate, files, modules: Modules { all: Vec::new() } };
        for (index, file) in krate.files.iter().enumerate() {
            if is_root(&file.path) {
                let folder = file.path.parent().unwrap_or(Path::new("")).to_owned();
                builder.add(index, None, &file.items, &folder);
            }
        }
        builder.modules
    }

    /// The module that declares what a path means, as seen from a module; nothing if it is of another crate.
    pub fn resolve(&self, from: usize, path: &[String]) -> Option<Target> {
        self.resolve_path(from, path, MAX_STEPS)
    }

    /// Where a single name comes from that only an import of everything (`use m::*`) can have brought in.
    pub fn resolve_by_glob(&self, from: usize, name: &str) -> Option<Target> {
        let module = &self.all[from];
        let known =
            module.children.contains_key(name) || module.items.contains(name) || module.imports.contains_key(name);
        if known { None } else { self.in_globs(from, std::slice::from_ref(&name.to_owned()), MAX_STEPS) }
    }

    fn resolve_path(&self, from: usize, path: &[String], steps: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let steps = steps.checked_sub(1)?;
        match first.as_str() {
            "crate" => self.below(self.all[from].root, rest, steps),
            "self" => self.below(from, rest, steps),
            "super" => {
                let mut module = self.all[from].parent?;
                let mut rest = rest;
                while rest.first().is_some_and(|name| name == "super") {
                    module = self.all[module].parent?;
                    rest = &rest[1..];
                }
                self.below(module, rest, steps)
            }
            _ => self.find(from, path, steps),
        }
    }

    /// A path inside a module of this crate; what is declared by a macro there counts as the module's own.
    fn below(&self, module: usize, path: &[String], steps: usize) -> Option<Target> {
        if path.is_empty() {
            return Some(Target { module, is_module: true });
        }
        self.find(module, path, steps).or(Some(Target { module, is_module: false }))
    }

    fn find(&self, module: usize, path: &[String], steps: usize) -> Option<Target> {
        let (name, rest) = path.split_first()?;
        let steps = steps.checked_sub(1)?;
        let here = &self.all[module];
        let item = Target { module, is_module: false };
        if rest.is_empty() && here.items.contains(name) {
            return Some(item);
        }
        if let Some(&child) = here.children.get(name) {
            return self.below(child, rest, steps);
        }
        if here.items.contains(name) {
            return Some(item);
        }
        if let Some(import) = here.imports.get(name) {
            let whole: Vec<String> = import.iter().chain(rest).cloned().collect();
            // An import of another crate's module of the same name leads back to itself.
            return if whole == path { None } else { self.resolve_path(module, &whole, steps) };
        }
        if let Some(&module) = here.macros.get(name) {
            return Some(Target { module, is_module: false });
        }
        self.in_globs(module, path, steps)
    }

    fn in_globs(&self, module: usize, path: &[String], steps: usize) -> Option<Target> {
        let steps = steps.checked_sub(1)?;
        self.all[module].globs.iter().find_map(|glob| {
            let target = self.resolve_path(module, glob, steps)?;
            if target.module == module { None } else { self.find(target.module, path, steps) }
        })
    }
}

/// What a path means.
#[derive(Clone, Copy)]
pub struct Target {
    /// The module that declares it.
    pub module: usize,
    /// Whether it is that module itself, so that nothing of it is used yet.
    pub is_module: bool,
}

fn is_root(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    folder == "bin" || folder == "src" && (name == "lib.rs" || name == "main.rs")
}

struct Builder<'k> {
    krate: &'k Crate,
    files: HashMap<&'k Path, usize>,
    modules: Modules,
}

impl<'k> Builder<'k> {
    /// Adds a module and those below it; `folder` is where files of its children lie.
    fn add(&mut self, file: usize, parent: Option<usize>, items: &'k [Item], folder: &Path) -> usize {
        let index = self.modules.all.len();
        let root = parent.map_or(index, |parent| self.modules.all[parent].root);
        let Scan { references, names, imports, globs, .. } =
            scan(items.iter().filter(|item| !is_module(item)).map(|item| item.to_token_stream()));
        self.modules.all.push(Module {
            file,
            parent,
            root,
            children: HashMap::new(),
            items: items.iter().flat_map(declared).collect(),
            imports,
            globs,
            macros: HashMap::new(),
            references,
            names,
        });
        for item in items {
            match item {
                Item::Mod(module) => self.child(file, index, module, folder),
                Item::Macro(item) => {
                    if let (Some(name), true) = (&item.ident, is_exported(&item.attrs)) {
                        self.modules.all[root].macros.insert(name.to_string(), index);
                    }
                }
                _ => {}
            }
        }
        index
    }

    fn child(&mut self, file: usize, parent: usize, module: &'k syn::ItemMod, folder: &Path) {
        let name = module.ident.to_string();
        let inner = folder.join(&name);
        let child = match &module.content {
            Some((_, items)) => Some(self.add(file, Some(parent), items, &inner)),
            None => self.file_of(&inner).map(|file| {
                let krate = self.krate;
                self.add(file, Some(parent), &krate.files[file].items, &inner)
            }),
        };
        if let Some(child) = child {
            self.modules.all[parent].children.insert(name, child);
        }
    }

    fn file_of(&self, module: &Path) -> Option<usize> {
        let flat: PathBuf = module.with_extension("rs");
        self.files.get(flat.as_path()).or_else(|| self.files.get(module.join("mod.rs").as_path())).copied()
    }
}

fn is_module(item: &Item) -> bool {
    matches!(item, Item::Mod(_))
}

fn is_exported(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("macro_export"))
}

/// The names that an item declares in its module.
fn declared(item: &Item) -> Vec<String> {
    let one = |name: &syn::Ident| vec![name.to_string()];
    match item {
        Item::Const(item) => one(&item.ident),
        Item::Enum(item) => one(&item.ident),
        Item::Fn(item) => one(&item.sig.ident),
        Item::Static(item) => one(&item.ident),
        Item::Struct(item) => one(&item.ident),
        Item::Trait(item) => one(&item.ident),
        Item::Type(item) => one(&item.ident),
        Item::Union(item) => one(&item.ident),
        Item::Macro(item) => item.ident.iter().map(|name| name.to_string()).collect(),
        Item::ForeignMod(block) => block.items.iter().filter_map(foreign).collect(),
        _ => Vec::new(),
    }
}

fn foreign(item: &ForeignItem) -> Option<String> {
    match item {
        ForeignItem::Fn(item) => Some(item.sig.ident.to_string()),
        ForeignItem::Static(item) => Some(item.ident.to_string()),
        ForeignItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// The file's name below `src`, without its ending.
pub fn name_of(file: &SourceFile) -> String {
    let path = file.path.to_string_lossy();
    path.split_once("/src/").map_or(path.as_ref(), |(_, inner)| inner).trim_end_matches(".rs").to_owned()
}
