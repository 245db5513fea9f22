//! ReflectionClassConstant.

use crate::subject::*;
use crate::{attributes, modifiers, types};
use phlox_hhbc::Attrs;
use phlox_runtime::{Call, ClassConst, ClassExt, NativeClass, PhpResult, Val, link};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionClassConstant",
    decl: include_str!("../stubs/ReflectionClassConstant.stub.php"),
    methods: &[
        ("__clone", refuse_clone),
        ("__construct", construct),
        ("__toString", to_string),
        ("getName", |call| constant(call).and_then(|_| name(call))),
        ("getValue", |call| link::constant_value(call.vm, constant(call)?)),
        ("isPublic", |call| has(call, modifiers::PUBLIC)),
        ("isPrivate", |call| has(call, modifiers::PRIVATE)),
        ("isProtected", |call| has(call, modifiers::PROTECTED)),
        ("isFinal", |call| has(call, modifiers::FINAL)),
        ("getModifiers", |call| Ok(Val::int(modifiers::of_member(constant(call)?.attrs)))),
        ("getDeclaringClass", |call| reflect_optional_class(call.vm, constant(call)?.class.get())),
        ("getDocComment", get_doc_comment),
        ("getAttributes", get_attributes),
        ("isEnumCase", |call| Ok(constant(call)?.attrs.has(Attrs::CASE).into())),
        ("isDeprecated", is_deprecated),
        ("hasType", |call| Ok(constant(call)?.ty.is_some().into())),
        ("getType", get_type),
    ],
    hooks: REFLECTOR,
}];

/// The constant of `$this`.
pub fn constant<'a>(call: &'a Call<'_>) -> PhpResult<&'a Rc<ClassConst>> {
    Ok(&subject::<ConstantSubject>(call)?.constant)
}

/// `__construct` of ReflectionClassConstant and below.
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, name) = (class_argument(call, 0)?, call.str(1));
    let Some(constant) = link::class_constant(&class, &name).cloned() else {
        return Err(failure(call.vm, &text!(b"Constant ", &class.class().name, b"::", &name, b" does not exist")));
    };
    let declarer = constant.class.get().unwrap_or(&class);
    set_property(call.this(), NAME, (&name).into());
    set_property(call.this(), CLASS, (&declarer.class().name).into());
    call.this().set_native(Rc::new(ConstantSubject { constant }));
    Ok(Val::NULL)
}

/// The property `name`, which a script can unset.
fn name(call: &Call<'_>) -> PhpResult<Val> {
    match call.this().slots().get(NAME).map(|slot| slot.get_deref()).filter(|name| !name.is_undef()) {
        Some(name) => Ok(name),
        None => {
            let text = b"Typed property ReflectionClassConstant::$name must not be accessed before initialization";
            Err(call.vm.throw_error(text))
        }
    }
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    constant(call).and_then(|_| name(call))?;
    let mut text = Vec::new();
    crate::render::classes::constant(call.vm, &mut text, constant(call)?, "")?;
    Ok(Val::str(&text))
}

fn has(call: &Call<'_>, bit: i64) -> PhpResult<Val> {
    Ok((modifiers::of_member(constant(call)?.attrs) & bit != 0).into())
}

/// The declaration's row in its unit.
pub fn definition(constant: &ClassConst) -> Option<&phlox_hhbc::ConstDef> {
    constant.unit.unit.classes.get(constant.origin.0.index())?.constants.get(constant.origin.1)
}

fn get_doc_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    let constant = constant(call)?;
    Ok(doc_comment(&constant.unit, definition(constant).and_then(|row| row.doc_comment)))
}

fn get_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    let constant = constant(call)?;
    let target = attributes::TARGET_CLASS_CONSTANT;
    let owner = attributes::Owner { unit: constant.unit.clone(), scope: constant.class.get().cloned(), target };
    attributes::reflect_all(call, owner, definition(constant).map_or(&[][..], |row| &row.attributes))
}

fn is_deprecated(call: &mut Call<'_>) -> PhpResult<Val> {
    let constant = constant(call)?;
    let all = definition(constant).map_or(&[][..], |row| &row.attributes);
    Ok(all.iter().any(|a| constant.unit.str(a.name).eq_ignore_ascii_case(b"Deprecated")).into())
}

fn get_type(call: &mut Call<'_>) -> PhpResult<Val> {
    match &constant(call)?.ty {
        Some(ty) => types::reflect(call.vm, ty),
        None => Ok(Val::NULL),
    }
}
