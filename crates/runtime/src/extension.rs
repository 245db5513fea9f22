//! Declarations of builtin functions, classes, constants and settings: one row each.
//!
//! A function's row is its PHP declaration and its body: `FnDef { decl: "strlen(string $string): int", body: strlen }`. The
//! declaration is ordinary PHP, which our own front end parses when the function is first looked up; arity, coercion, named
//! arguments, defaults, Reflection data and messages all come from it. Attributes precede the name: `#[\Deprecated] name(..)`.
//!
//! Marks are attributes that scripts do not see; [`MARKS`] lists them:
//! - `#[prefer_ref] array &$array`: the by-reference parameter also takes values.
//! - `#[unchecked] callable $callback`: the body checks the type itself.
//! - `#[one_at_least]`, `#[two_at_least]`: a variadic parameter needs that many arguments.
//! - `#[any_name]`: a variadic parameter also takes unknown named arguments.
//! - `#[not_null]`: the parameter refuses null although its type allows it.
//! - `#[number]`: the parameter also takes integers although its type is `float`.
//! - `#[resource]`: the parameter is a resource (implied for the name `$stream`).
//! - `#[written("0777")]`, for Reflection: the text of a parameter's default.
//! - `#[tacit]`, for Reflection: a method is not listed, or a property does not show that it is readonly.
//!
//! A class's row is a PHP class with empty method bodies and a list of the methods' bodies.

use crate::class::{ClassKind, NativeHooks};
use crate::func::NativeFn;
use crate::ini::IniDef;
use crate::unit::LinkedUnit;
use phlox_hhbc::Attribute;
use phlox_value::Val;

/// Attributes of builtin declarations that scripts do not see.
pub const MARKS: [&[u8]; 11] = [
    b"any_name",
    b"not_null",
    b"number",
    b"one_at_least",
    b"prefer_ref",
    b"real_return",
    b"resource",
    b"tacit",
    b"two_at_least",
    b"unchecked",
    b"written",
];

/// Whether a builtin declaration has this mark.
pub fn has_mark(unit: &LinkedUnit, attributes: &[Attribute], mark: &[u8]) -> bool {
    unit.internal && attributes.iter().any(|attribute| unit.str(attribute.name).as_bytes() == mark)
}

/// A builtin function.
pub struct FnDef {
    /// The PHP declaration, without the keyword `function` and without a body.
    pub decl: &'static str,
    pub body: NativeFn,
    /// See [`FnDef::fast_path`].
    pub fast_path: Option<FastPathFn>,
}

/// A builtin function's fast path: the result for plain arguments; `None` if the body must be called.
pub type FastPathFn = fn(&[Val]) -> Option<Val>;

impl FnDef {
    /// A row without a fast path.
    pub const fn new(decl: &'static str, body: NativeFn) -> FnDef {
        FnDef { decl, body, fast_path: None }
    }

    /// Adds a fast path, which interpreters try first: it computes the result for arguments of exactly the declared kinds,
    /// without warnings, conversions, by-reference parameters or anything that could run PHP code.
    pub const fn fast_path(mut self, fast_path: FastPathFn) -> FnDef {
        self.fast_path = Some(fast_path);
        self
    }

    /// The function's name, which the declaration has before the parameter list and after any attribute.
    pub fn name(&self) -> &'static str {
        let decl = self.decl;
        let start = if decl.starts_with("#[") { decl.find(']').map_or(0, |end| end + 1) } else { 0 };
        let end = decl[start..].find('(').map_or(decl.len(), |at| start + at);
        decl[start..end].trim().trim_start_matches('&')
    }
}

/// A builtin class, interface or enum.
pub struct NativeClass {
    pub name: &'static str,
    /// The PHP source of the declaration: a stub file (`stubs/NAME.stub.php` in the extension's crate), or one line without
    /// `<?php`. Native methods have an empty body `{}`. A method with statements in its body and no row in `methods` runs as PHP
    /// code. `= Name` declares another name of that class.
    pub decl: &'static str,
    /// Method names and bodies.
    pub methods: &'static [(&'static str, NativeFn)],
    pub hooks: NativeHooks,
}

impl NativeClass {
    /// The declaration as a PHP file.
    pub fn source(&self) -> String {
        if self.decl.starts_with("<?php") { self.decl.to_owned() } else { format!("<?php\n{}", self.decl) }
    }

    /// The kind of the declaration, which the first word after namespace, attributes and modifiers tells.
    pub fn kind(&self) -> ClassKind {
        let mut rest = self.decl.strip_prefix("<?php").unwrap_or(self.decl).trim_start();
        if let Some((_, behind)) = rest.strip_prefix("namespace ").and_then(|rest| rest.split_once(';')) {
            rest = behind.trim_start();
        }
        while rest.starts_with("#[") {
            rest = behind_brackets(&rest[1..]).trim_start();
        }
        let mut words = rest.split_ascii_whitespace();
        match words.find(|word| !matches!(*word, "abstract" | "final" | "readonly")) {
            Some("interface") => ClassKind::Interface,
            Some("trait") => ClassKind::Trait,
            Some("enum") => ClassKind::Enum,
            _ => ClassKind::Class,
        }
    }
}

/// The text after the bracket that closes the bracket at the start of `text`.
fn behind_brackets(text: &str) -> &str {
    let mut depth = 0usize;
    let end = text.bytes().position(|byte| {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    end.map_or("", |end| &text[end + 1..])
}

/// The value of a builtin constant.
#[derive(Clone, Copy, Debug)]
pub enum ConstValue {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Str(&'static str),
    /// A value that a linked library reports at run time.
    LibraryStr(fn() -> &'static str),
    LibraryInt(fn() -> i64),
}

/// A named set of builtins, as `get_loaded_extensions` lists them.
pub struct Extension {
    pub name: &'static str,
    pub functions: &'static [&'static [FnDef]],
    pub classes: &'static [&'static [NativeClass]],
    pub constants: &'static [&'static [(&'static str, ConstValue)]],
    /// Settings: each is a `static` of a type of [`crate::ini`], declared beside the code that uses it.
    pub ini: &'static [&'static IniDef],
    /// Runs at request start, after settings are known; defines constants that are no literals, and resources.
    pub startup: Option<fn(&crate::Vm)>,
    /// Runs at request end, before output buffers are closed.
    pub shutdown: Option<fn(&crate::Vm)>,
}
