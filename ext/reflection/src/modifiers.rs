//! Reflection, Reflector, ReflectionException, and modifiers as the numbers that PHP shows.

use crate::subject::list;
use phlox_hhbc::{Attrs, FuncFlags};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Class, ClassExt, Func, NativeClass, PhpResult, PropInfo, Val};

pub const PUBLIC: i64 = 1;
pub const PROTECTED: i64 = 2;
pub const PRIVATE: i64 = 4;
pub const STATIC: i64 = 16;
pub const FINAL: i64 = 32;
pub const ABSTRACT: i64 = 64;
pub const READONLY: i64 = 128;
pub const VIRTUAL: i64 = 512;
pub const PROTECTED_SET: i64 = 2048;
pub const PRIVATE_SET: i64 = 4096;
pub const READONLY_CLASS: i64 = 65536;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "ReflectionException",
        decl: "class ReflectionException extends Exception {}",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "Reflection",
        decl: include_str!("../stubs/Reflection.stub.php"),
        methods: &[("getModifierNames", get_modifier_names)],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "Reflector",
        decl: "interface Reflector extends Stringable {}",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];

/// Words in PHP's order; of several visibilities only the first one found is named.
const WORDS: [(i64, &str); 5] = [
    (PUBLIC, "public"),
    (PRIVATE, "private"),
    (PROTECTED, "protected"),
    (STATIC, "static"),
    (READONLY | READONLY_CLASS, "readonly"),
];

fn get_modifier_names(call: &mut Call<'_>) -> PhpResult<Val> {
    let bits = call.int(0);
    let mut names = Vec::new();
    if bits & ABSTRACT != 0 {
        names.push("abstract");
    }
    if bits & FINAL != 0 {
        names.push("final");
    }
    if bits & VIRTUAL != 0 {
        names.push("virtual");
    }
    let visibility = match bits & (PUBLIC | PROTECTED | PRIVATE) {
        PUBLIC | PRIVATE | PROTECTED => bits,
        _ => bits & !(PUBLIC | PROTECTED | PRIVATE),
    };
    names.extend(WORDS.iter().filter(|(bit, _)| visibility & bit != 0).map(|(_, word)| *word));
    Ok(list(names.into_iter().map(Val::from)))
}

/// Modifiers of a method.
pub fn of_method(func: &Func) -> i64 {
    let rows = [
        (FuncFlags::PROTECTED, PROTECTED),
        (FuncFlags::PRIVATE, PRIVATE),
        (FuncFlags::STATIC, STATIC),
        (FuncFlags::FINAL, FINAL),
        (FuncFlags::ABSTRACT, ABSTRACT),
    ];
    let bits: i64 = rows.iter().filter(|(flag, _)| func.has(*flag)).map(|(_, bit)| bit).sum();
    if func.is_public() { bits | PUBLIC } else { bits }
}

/// Visibility, `final` and the like of a member.
pub fn of_member(attrs: Attrs) -> i64 {
    let rows = [
        (Attrs::PROTECTED, PROTECTED),
        (Attrs::PRIVATE, PRIVATE),
        (Attrs::STATIC, STATIC),
        (Attrs::FINAL, FINAL),
        (Attrs::ABSTRACT, ABSTRACT),
        (Attrs::READONLY, READONLY),
        (Attrs::VIRTUAL, VIRTUAL),
        (Attrs::PROTECTED_SET, PROTECTED_SET),
        (Attrs::PRIVATE_SET, PRIVATE_SET),
    ];
    let bits: i64 = rows.iter().filter(|(flag, _)| attrs.has(*flag)).map(|(_, bit)| bit).sum();
    if attrs.has(Attrs::PROTECTED | Attrs::PRIVATE) { bits } else { bits | PUBLIC }
}

/// Modifiers of a property: one that only its class can set is final.
pub fn of_property(info: &PropInfo) -> i64 {
    let mut bits = of_member(info.attrs);
    if info.declarer().class().is_internal() && is_tacit(info) {
        bits &= !(READONLY | PROTECTED_SET);
    }
    if bits & PRIVATE_SET != 0 && !info.is_private() {
        bits |= FINAL;
    }
    bits
}

/// Is the property readonly although its declaration does not say so?
fn is_tacit(info: &PropInfo) -> bool {
    let owner = info.declarer().class();
    let unit = &owner.unit;
    let rows = &unit.unit.classes[owner.id.index()].properties;
    let row = rows.iter().find(|row| *unit.str(row.name) == info.name);
    row.is_some_and(|row| phlox_runtime::extension::has_mark(unit, &row.attributes, b"tacit"))
}

/// Modifiers of a class.
pub fn of_class(class: &Class) -> i64 {
    // PHP does not mark its own enums.
    let is_final = if class.is_enum() { !class.is_internal() } else { class.is_final() };
    let rows = [(class.attrs.has(Attrs::READONLY), READONLY_CLASS), (is_final, FINAL)];
    let bits: i64 = rows.iter().filter(|(has, _)| *has).map(|(_, bit)| bit).sum();
    let explicit = class.is_abstract() && class.kind == phlox_hhbc::ClassKind::Class;
    if explicit { bits | ABSTRACT } else { bits }
}
