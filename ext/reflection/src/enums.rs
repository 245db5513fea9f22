//! ReflectionEnum, ReflectionEnumUnitCase and ReflectionEnumBackedCase.

use crate::class_constants::{self, constant};
use crate::classes::{self, class};
use crate::subject::*;
use crate::types;
use phlox_hhbc::Attrs;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, ClassConst, ClassExt, ClassRef, NativeClass, PhpResult, PhpStr, Val, Vm, enums, link};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "ReflectionEnum",
        decl: include_str!("../stubs/ReflectionEnum.stub.php"),
        methods: &[
            ("__construct", construct),
            ("hasCase", |call| Ok(case(class(call)?, &call.str(0)).is_some().into())),
            ("getCase", get_case),
            ("getCases", get_cases),
            ("isBacked", |call| Ok(class(call)?.class().enum_type.is_some().into())),
            ("getBackingType", get_backing_type),
        ],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "ReflectionEnumUnitCase",
        decl: include_str!("../stubs/ReflectionEnumUnitCase.stub.php"),
        methods: &[
            ("__construct", construct_case),
            ("getEnum", |call| reflect_optional_class(call.vm, constant(call)?.class.get())),
            ("getValue", |call| link::constant_value(call.vm, constant(call)?)),
        ],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "ReflectionEnumBackedCase",
        decl: include_str!("../stubs/ReflectionEnumBackedCase.stub.php"),
        methods: &[("__construct", construct_backed_case), ("getBackingValue", get_backing_value)],
        hooks: NativeHooks::NONE,
    },
];

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    classes::construct(call)?;
    let class = class(call)?.class();
    if class.is_enum() {
        return Ok(Val::NULL);
    }
    Err(lookup_failure(call.vm, &text!(b"Class \"", &class.name, b"\" is not an enum")))
}

/// A case by name.
fn case<'a>(class: &'a ClassRef, name: &PhpStr) -> Option<&'a Rc<ClassConst>> {
    link::class_constant(class, name).filter(|constant| constant.attrs.has(Attrs::CASE))
}

fn reflect_case(vm: &Vm, class: &ClassRef, case: &Rc<ClassConst>) -> PhpResult<Val> {
    let backed = class.class().enum_type.is_some();
    let reflector: &[u8] = if backed { b"ReflectionEnumBackedCase" } else { b"ReflectionEnumUnitCase" };
    reflect_constant(vm, reflector, case)
}

fn get_case(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, name) = (class(call)?, call.str(0));
    if let Some(found) = case(class, &name) {
        return reflect_case(call.vm, class, found);
    }
    let shown = text!(&class.class().name, b"::", &name);
    Err(match link::class_constant(class, &name) {
        Some(_) => failure(call.vm, &text!(&shown, b" is not a case")),
        None => failure(call.vm, &text!(b"Case ", &shown, b" does not exist")),
    })
}

fn get_cases(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    let mut cases = Vec::new();
    for constant in class.class().constants.values().filter(|constant| constant.attrs.has(Attrs::CASE)) {
        cases.push(reflect_case(call.vm, class, constant)?);
    }
    Ok(list(cases))
}

fn get_backing_type(call: &mut Call<'_>) -> PhpResult<Val> {
    match &class(call)?.class().enum_type {
        Some(ty) => types::reflect(call.vm, ty),
        None => Ok(Val::NULL),
    }
}

fn construct_case(call: &mut Call<'_>) -> PhpResult<Val> {
    class_constants::construct(call)?;
    let constant = constant(call)?;
    if constant.attrs.has(Attrs::CASE) {
        return Ok(Val::NULL);
    }
    let class = class_argument(call, 0)?;
    Err(failure(call.vm, &text!(b"Constant ", &class.class().name, b"::", &constant.name, b" is not a case")))
}

fn construct_backed_case(call: &mut Call<'_>) -> PhpResult<Val> {
    construct_case(call)?;
    let class = class_argument(call, 0)?;
    if class.class().enum_type.is_some() {
        return Ok(Val::NULL);
    }
    let shown = text!(&class.class().name, b"::", &call.str(1));
    Err(failure(call.vm, &text!(b"Enum case ", &shown, b" is not a backed case")))
}

fn get_backing_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let case = link::constant_value(call.vm, constant(call)?)?;
    Ok(case.as_obj().and_then(enums::case_value).unwrap_or(Val::NULL))
}
