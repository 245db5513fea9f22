//! Names of flag bits in the text form.

use crate::unit::{Attrs, FuncFlags, TypeMask};

/// Bits and their names. Bits without a name are written as a number.
pub type FlagNames = &'static [(u32, &'static str)];

pub const FUNC_FLAGS: FlagNames = &[
    (FuncFlags::BY_REF_RETURN, "by_ref_return"),
    (FuncFlags::VARIADIC, "variadic"),
    (FuncFlags::GENERATOR, "generator"),
    (FuncFlags::STATIC, "static"),
    (FuncFlags::ABSTRACT, "abstract"),
    (FuncFlags::FINAL, "final"),
    (FuncFlags::PUBLIC, "public"),
    (FuncFlags::PROTECTED, "protected"),
    (FuncFlags::PRIVATE, "private"),
    (FuncFlags::CLOSURE, "closure"),
    (FuncFlags::ARROW, "arrow"),
    (FuncFlags::DYNAMIC_VARS, "dynamic_vars"),
    (FuncFlags::STRICT_TYPES, "strict_types"),
    (FuncFlags::PSEUDO_MAIN, "pseudo_main"),
    (FuncFlags::THUNK, "thunk"),
    (FuncFlags::HOOK, "hook"),
    (FuncFlags::DEPRECATED, "deprecated"),
    (FuncFlags::NO_BODY, "no_body"),
    (FuncFlags::USES_THIS, "uses_this"),
];

pub const ATTRS: FlagNames = &[
    (Attrs::PUBLIC, "public"),
    (Attrs::PROTECTED, "protected"),
    (Attrs::PRIVATE, "private"),
    (Attrs::STATIC, "static"),
    (Attrs::ABSTRACT, "abstract"),
    (Attrs::FINAL, "final"),
    (Attrs::READONLY, "readonly"),
    (Attrs::PROTECTED_SET, "protected_set"),
    (Attrs::PRIVATE_SET, "private_set"),
    (Attrs::PUBLIC_SET, "public_set"),
    (Attrs::PROMOTED, "promoted"),
    (Attrs::VIRTUAL, "virtual"),
    (Attrs::ANONYMOUS, "anonymous"),
    (Attrs::CASE, "case"),
];

pub const TYPE_MASK: FlagNames = &[
    (TypeMask::NULL, "null"),
    (TypeMask::FALSE, "false"),
    (TypeMask::TRUE, "true"),
    (TypeMask::INT, "int"),
    (TypeMask::FLOAT, "float"),
    (TypeMask::STRING, "string"),
    (TypeMask::ARRAY, "array"),
    (TypeMask::OBJECT, "object"),
    (TypeMask::CALLABLE, "callable"),
    (TypeMask::ITERABLE, "iterable"),
    (TypeMask::VOID, "void"),
    (TypeMask::NEVER, "never"),
    (TypeMask::STATIC, "static"),
    (TypeMask::SELF, "self"),
    (TypeMask::PARENT, "parent"),
    (TypeMask::MIXED, "mixed"),
];
