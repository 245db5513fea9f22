//! The crates of the workspace and their sources, parsed, without what only tests compile.

use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, Item, Meta};

/// All crates below a folder.
pub struct Workspace {
    pub crates: Vec<Crate>,
}

/// One crate: its name and the files below its `src`.
pub struct Crate {
    pub name: String,
    pub files: Vec<SourceFile>,
}

impl Crate {
    /// All lines of the crate's files.
    pub fn lines(&self) -> usize {
        self.files.iter().map(SourceFile::lines).sum()
    }
}

/// One parsed file.
pub struct SourceFile {
    /// The path from the workspace's root.
    pub path: PathBuf,
    pub text: String,
    /// The file's items; what only tests compile is left out.
    pub items: Vec<Item>,
    /// The lines of what was left out.
    pub tests: Vec<RangeInclusive<usize>>,
}

impl SourceFile {
    /// Parses a file's text.
    pub fn parse(path: PathBuf, text: String) -> Result<SourceFile, Error> {
        let file = syn::parse_file(&text).map_err(|error| Error { path: path.clone(), message: error.to_string() })?;
        let (mut items, mut tests) = (file.items, Vec::new());
        strip_items(&mut items, &mut tests);
        Ok(SourceFile { path, text, items, tests })
    }

    /// How many lines the file has.
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// Whether only tests compile the line.
    pub fn is_test(&self, line: usize) -> bool {
        self.tests.iter().any(|range| range.contains(&line))
    }
}

/// A file that could not be read or parsed.
#[derive(Debug)]
pub struct Error {
    pub path: PathBuf,
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl Workspace {
    /// Reads every crate in the workspace's folders of crates.
    pub fn load(root: &Path) -> Result<Workspace, Error> {
        let mut crates = Vec::new();
        for group in ["crates", "ext", "bin", "tools"] {
            for folder in entries(&root.join(group))? {
                if folder.join("Cargo.toml").is_file() {
                    crates.push(load_crate(root, &folder)?);
                }
            }
        }
        Ok(Workspace { crates })
    }

    /// The crate of that name, which may lack the prefix `phlox-`.
    pub fn find(&self, name: &str) -> Option<&Crate> {
        self.crates.iter().find(|krate| krate.name == name || krate.name.strip_prefix("phlox-") == Some(name))
    }

    /// Each file with its crate.
    pub fn files(&self) -> impl Iterator<Item = (&Crate, &SourceFile)> {
        self.crates.iter().flat_map(|krate| krate.files.iter().map(move |file| (krate, file)))
    }
}

fn load_crate(root: &Path, folder: &Path) -> Result<Crate, Error> {
    let manifest = read(&folder.join("Cargo.toml"))?;
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap_or_default();
    let mut files = Vec::new();
    load_files(root, &folder.join("src"), &mut files)?;
    Ok(Crate { name: name.trim_matches('"').to_owned(), files })
}

fn load_files(root: &Path, folder: &Path, files: &mut Vec<SourceFile>) -> Result<(), Error> {
    for path in entries(folder)? {
        if path.is_dir() {
            load_files(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path)?;
            files.push(SourceFile::parse(path.strip_prefix(root).unwrap_or(&path).to_owned(), text)?);
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let error = |error: std::io::Error| Error { path: folder.to_owned(), message: error.to_string() };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(error)? {
        paths.push(entry.map_err(error)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error { path: path.to_owned(), message: error.to_string() })
}

fn strip_items(items: &mut Vec<Item>, tests: &mut Vec<RangeInclusive<usize>>) {
    items.retain_mut(|item| {
        if is_test(attributes(item)) {
            tests.push(lines_of(item));
            return false;
        }
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    strip_items(items, tests);
                }
            }
            Item::Impl(block) => block.items.retain(|item| {
                let test = matches!(item, ImplItem::Fn(function) if is_test(&function.attrs));
                if test {
                    tests.push(lines_of(item));
                }
                !test
            }),
            _ => {}
        }
        true
    });
}

fn lines_of(item: &impl Spanned) -> RangeInclusive<usize> {
    let span = item.span();
    span.start().line..=span.end().line
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item with these attributes exists only for tests: `#[test]` or `#[cfg(test)]`.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string();
            condition == "test" || condition.starts_with("all (test")
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_tests_is_left_out() {
        let text =
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n#[test]\nfn c() {}\n#[cfg(unix)]\nfn d() {}\n";
        let file = SourceFile::parse(PathBuf::from("a.rs"), text.to_owned()).unwrap();
        assert_eq!(file.items.len(), 2);
        assert!(file.is_test(4) && file.is_test(7));
        assert!(!file.is_test(1) && !file.is_test(9));
    }
}
