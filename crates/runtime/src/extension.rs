//! How builtin functions, classes, constants and settings are declared: one row each.
//!
//! A function's row is its PHP declaration and its body:
//! `FnDef { decl: "strlen(string $string): int", body: strlen }`. The declaration is ordinary PHP, parsed by
//! our own front end when the function is first looked up, so arity, coercion, named arguments, defaults,
//! Reflection data and messages all come from it. Attributes go before the name:
//! `#[\Deprecated] name(..)`; a by-reference parameter that also takes values is marked
//! `#[prefer_ref] array &$array`, one whose type the body checks itself `#[unchecked] callable $callback`. A variadic parameter
//! that must not be empty is marked `#[one_at_least]` or `#[two_at_least]`, one that also takes named arguments which no parameter
//! has `#[any_name]`; one that refuses null though its type does not `#[not_null]`, one that also takes integers though its
//! type says `float` `#[number]`; one for a resource `#[resource]`, unless its name is `$stream`. The names of these marks are in `MARKS`.
//! For Reflection alone: `#[written("0777")]` says how a parameter's default is written, `#[tacit]` that a method is not listed,
//! or that a property does not say that it is readonly.
//!
//! A class's row is a PHP class with empty method bodies and a list of the methods' bodies.

use crate::class::{ClassKind, NativeHooks};
use crate::func::NativeFn;
use crate::ini::IniDef;
use crate::unit::LinkedUnit;
use phlox_hhbc::Attribute;
use phlox_value::Val;

/// The attributes of declarations that scripts do not see.
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

/// Does a declaration of the engine's own have this mark?
pub fn has_mark(unit: &LinkedUnit, attributes: &[Attribute], mark: &[u8]) -> bool {
    unit.internal && attributes.iter().any(|attribute| unit.str(attribute.name).as_bytes() == mark)
}

/// A builtin function.
pub struct FnDef {
    /// PHP declaration without the `function` keyword and body.
    pub decl: &'static str,
    pub body: NativeFn,
    /// See [`FnDef::fast_path`].
    pub fast_path: Option<FastPathFn>,
}

/// A builtin function's answer for plain arguments; `None`: the body has to look at them.
pub type FastPathFn = fn(&[Val]) -> Option<Val>;

impl FnDef {
    pub const fn new(decl: &'static str, body: NativeFn) -> FnDef {
        FnDef { decl, body, fast_path: None }
    }

    /// Adds a way to compute the result that interpreters may try first: for arguments that are exactly of the declared
    /// kinds, without warnings, conversions, by-reference parameters or anything that could run PHP code.
    pub const fn fast_path(mut self, fast_path: FastPathFn) -> FnDef {
        self.fast_path = Some(fast_path);
        self
    }

    /// The name: what stands before the parameter list, after any attribute.
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
    /// PHP source of the declaration: a stub file (`stubs/NAME.stub.php` in the extension's crate), or one line without `<?php`.
    /// Native methods have an empty body `{}`. A method with statements in its body and no row in `methods` runs as PHP.
    /// `= Name`: another name of that class.
    pub decl: &'static str,
    /// Method name and body.
    pub methods: &'static [(&'static str, NativeFn)],
    pub hooks: NativeHooks,
}

impl NativeClass {
    /// The declaration as a PHP file.
    pub fn source(&self) -> String {
        if self.decl.starts_with("<?php") { self.decl.to_owned() } else { format!("<?php\n{}", self.decl) }
    }

    /// What the declaration declares: the first word behind its namespace, attributes and modifiers says it.
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

/// What stands behind the bracket that closes the one which a text begins with.
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
    /// What a linked library says of itself: known only to the program that runs.
    LibraryStr(fn() -> &'static str),
    LibraryInt(fn() -> i64),
}

/// A named set of builtins, as `get_loaded_extensions` lists it.
pub struct Extension {
    pub name: &'static str,
    pub functions: &'static [&'static [FnDef]],
    pub classes: &'static [&'static [NativeClass]],
    pub constants: &'static [&'static [(&'static str, ConstValue)]],
    /// Settings: a `static` of a type of [`crate::ini`] each, which stands beside what it sets.
    pub ini: &'static [&'static IniDef],
    /// Runs at request start, after settings are known (constants that are no literals, resources).
    pub startup: Option<fn(&crate::Vm)>,
    /// Runs at request end, before output buffers are closed.
    pub shutdown: Option<fn(&crate::Vm)>,
}
