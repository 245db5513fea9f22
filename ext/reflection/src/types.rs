//! ReflectionType and its kinds.

use crate::subject::*;
use phlox_hhbc::TypeMask;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, NativeData, PhpResult, PhpStr, TypeSpec, Val, Vm};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "ReflectionType",
        decl: include_str!("../stubs/ReflectionType.stub.php"),
        methods: &[
            ("__clone", refuse_clone),
            ("allowsNull", |call| Ok(subject::<TypeSubject>(call)?.ty.allows_null().into())),
            ("__toString", |call| Ok((&subject::<TypeSubject>(call)?.ty.display).into())),
        ],
        hooks: REFLECTOR,
    },
    NativeClass {
        name: "ReflectionNamedType",
        decl: include_str!("../stubs/ReflectionNamedType.stub.php"),
        methods: &[("getName", get_name), ("isBuiltin", is_builtin)],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "ReflectionUnionType",
        decl: include_str!("../stubs/ReflectionUnionType.stub.php"),
        methods: &[("getTypes", union_types)],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "ReflectionIntersectionType",
        decl: include_str!("../stubs/ReflectionIntersectionType.stub.php"),
        methods: &[("getTypes", intersection_types)],
        hooks: NativeHooks::NONE,
    },
];

/// A reflected type.
struct TypeSubject {
    ty: Rc<TypeSpec>,
    /// Does the name of a nullable type begin with a question mark? For the settable type of a property it does.
    shows_null: bool,
}
native_data!(TypeSubject);

/// Builtin alternatives, in the order that `getTypes` lists them.
const BUILTIN: [(u32, &str); 12] = [
    (TypeMask::STATIC, "static"),
    (TypeMask::CALLABLE, "callable"),
    (TypeMask::OBJECT, "object"),
    (TypeMask::ARRAY, "array"),
    (TypeMask::STRING, "string"),
    (TypeMask::INT, "int"),
    (TypeMask::FLOAT, "float"),
    (TypeMask::BOOL, "bool"),
    (TypeMask::FALSE, "false"),
    (TypeMask::TRUE, "true"),
    (TypeMask::NULL, "null"),
    (TypeMask::MIXED, "mixed"),
];

/// The builtin alternatives of a mask.
fn builtin_alternatives(mask: u32) -> impl Iterator<Item = (u32, &'static str)> {
    let is_bool = mask & TypeMask::BOOL == TypeMask::BOOL;
    BUILTIN.into_iter().filter(move |&(bits, _)| match bits {
        TypeMask::FALSE | TypeMask::TRUE => mask & bits != 0 && !is_bool,
        _ => mask & bits == bits,
    })
}

/// A class-like alternative as written: a name, or an intersection in parentheses.
fn class_alternatives(ty: &TypeSpec) -> Vec<&[u8]> {
    let display = ty.display.strip_prefix(b"?").unwrap_or(&ty.display);
    let is_builtin = |word: &[u8]| BUILTIN.iter().any(|(_, name)| word.eq_ignore_ascii_case(name.as_bytes()));
    let others = [b"void".as_slice(), b"never", b"iterable"];
    display.split(|&byte| byte == b'|').filter(|word| !is_builtin(word) && !others.contains(word)).collect()
}

/// `iterable` and `?iterable` show as they were written.
fn as_iterable(ty: &TypeSpec) -> Option<TypeSpec> {
    let others = ty.mask & !(TypeMask::ITERABLE | TypeMask::ARRAY | TypeMask::NULL);
    if !ty.has(TypeMask::ITERABLE) || others != 0 || ty.classes.len() > 1 {
        return None;
    }
    let display: &[u8] = if ty.allows_null() { b"?iterable" } else { b"iterable" };
    Some(TypeSpec { display: PhpStr::intern(display), ..ty.clone() })
}

/// A reflector of a type: a named type, a union or an intersection.
pub fn reflect(vm: &Vm, ty: &Rc<TypeSpec>) -> PhpResult<Val> {
    reflect_as(vm, ty, false)
}

/// A reflector of the type of values that a property can be set to.
pub fn reflect_settable(vm: &Vm, ty: &Rc<TypeSpec>) -> PhpResult<Val> {
    reflect_as(vm, ty, true)
}

fn reflect_as(vm: &Vm, ty: &Rc<TypeSpec>, shows_null: bool) -> PhpResult<Val> {
    if let Some(written) = as_iterable(ty) {
        let subject = TypeSubject { ty: Rc::new(written), shows_null };
        return Ok(reflector(vm, b"ReflectionNamedType", Rc::new(subject))?.into());
    }
    let display = ty.display.as_bytes();
    let class: &[u8] = if display.contains(&b'|') {
        b"ReflectionUnionType"
    } else if display.contains(&b'&') {
        b"ReflectionIntersectionType"
    } else {
        b"ReflectionNamedType"
    };
    Ok(reflector(vm, class, Rc::new(TypeSubject { ty: ty.clone(), shows_null }))?.into())
}

fn get_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let TypeSubject { ty, shows_null } = subject(call)?;
    let named = ty.display.strip_prefix(b"?").filter(|_| !shows_null);
    Ok(Val::str(named.unwrap_or(&ty.display)))
}

fn is_builtin(call: &mut Call<'_>) -> PhpResult<Val> {
    let ty = &subject::<TypeSubject>(call)?.ty;
    // `static` counts as a class name.
    Ok((class_alternatives(ty).is_empty() && !ty.has(TypeMask::STATIC)).into())
}

/// One alternative as a type of its own.
fn alternative(mask: u32, classes: Vec<Vec<PhpStr>>, display: &[u8]) -> Rc<TypeSpec> {
    Rc::new(TypeSpec { mask, classes, display: PhpStr::new(display) })
}

fn union_types(call: &mut Call<'_>) -> PhpResult<Val> {
    let ty = &subject::<TypeSubject>(call)?.ty;
    let mut types = Vec::new();
    for word in class_alternatives(ty) {
        let inner = word.strip_prefix(b"(").and_then(|word| word.strip_suffix(b")")).unwrap_or(word);
        let names = inner.split(|&byte| byte == b'&').map(PhpStr::new).collect();
        types.push(reflect(call.vm, &alternative(0, vec![names], inner))?);
    }
    for (mask, name) in builtin_alternatives(ty.mask) {
        types.push(reflect(call.vm, &alternative(mask, Vec::new(), name.as_bytes()))?);
    }
    Ok(list(types))
}

fn intersection_types(call: &mut Call<'_>) -> PhpResult<Val> {
    let ty = &subject::<TypeSubject>(call)?.ty;
    let names = ty.display.split(|&byte| byte == b'&').map(PhpStr::new);
    let mut types = Vec::new();
    for name in names {
        types.push(reflect(call.vm, &alternative(0, vec![vec![name.clone()]], &name))?);
    }
    Ok(list(types))
}
