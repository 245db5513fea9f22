//! ReflectionProperty: what the property is. Its values are in `property_values`.

use crate::classes::{declared_property, has_dynamic};
use crate::subject::*;
use crate::{attributes, lazy_objects, modifiers, property_values, types};
use phlox_hhbc::Attrs;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{ByBytes, Call, ClassExt, Func, Key, NativeClass, PhpArr, PhpResult, PhpStr, PropInfo, Val, enums};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "PropertyHookType",
        decl: "enum PropertyHookType: string { case Get = 'get'; case Set = 'set'; }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "ReflectionProperty",
        decl: include_str!("../stubs/ReflectionProperty.stub.php"),
        methods: &[
            ("__clone", refuse_clone),
            ("__construct", construct),
            ("__toString", to_string),
            ("getName", |call| Ok((&property(call)?.name).into())),
            ("getValue", property_values::get_value),
            ("setValue", property_values::set_value),
            ("getRawValue", property_values::get_raw_value),
            ("setRawValue", property_values::set_raw_value),
            ("setRawValueWithoutLazyInitialization", lazy_objects::set_raw_value_without_lazy_initialization),
            ("skipLazyInitialization", lazy_objects::skip_lazy_initialization),
            ("isLazy", lazy_objects::is_lazy),
            ("isInitialized", property_values::is_initialized),
            ("isPublic", |call| has(call, modifiers::PUBLIC)),
            ("isPrivate", |call| has(call, modifiers::PRIVATE)),
            ("isProtected", |call| has(call, modifiers::PROTECTED)),
            ("isPrivateSet", |call| has(call, modifiers::PRIVATE_SET)),
            ("isProtectedSet", |call| has(call, modifiers::PROTECTED_SET)),
            ("isStatic", |call| has(call, modifiers::STATIC)),
            ("isReadOnly", |call| has(call, modifiers::READONLY)),
            ("isDefault", |call| Ok(property(call)?.info.is_some().into())),
            ("isDynamic", |call| Ok(property(call)?.info.is_none().into())),
            ("isAbstract", |call| has(call, modifiers::ABSTRACT)),
            ("isVirtual", |call| has(call, modifiers::VIRTUAL)),
            ("isPromoted", is_promoted),
            ("getModifiers", |call| Ok(Val::int(property_modifiers(property(call)?)))),
            ("getDeclaringClass", get_declaring_class),
            ("getDocComment", get_doc_comment),
            ("setAccessible", |_| Ok(Val::NULL)),
            ("getType", get_type),
            ("getSettableType", get_settable_type),
            ("hasType", |call| Ok(property(call)?.info.as_ref().is_some_and(|info| info.ty.is_some()).into())),
            ("hasDefaultValue", has_default_value),
            ("getDefaultValue", get_default_value),
            ("getAttributes", get_attributes),
            ("hasHooks", |call| {
                Ok(property(call)?.info.as_ref().is_some_and(|info| info.has_hooks() && !info.is_computed()).into())
            }),
            ("getHooks", get_hooks),
            ("hasHook", |call| Ok(hook(call)?.is_some().into())),
            ("getHook", get_hook),
            ("isFinal", |call| has(call, modifiers::FINAL)),
        ],
        hooks: REFLECTOR,
    },
];

/// The property of `$this`.
pub fn property<'a>(call: &'a Call<'_>) -> PhpResult<&'a PropertySubject> {
    subject(call)
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, name) = (class_argument(call, 0)?, call.str(1));
    let info = declared_property(&class, &name).cloned();
    // A private property of a parent hides a dynamic one.
    let may_be_dynamic = std::iter::successors(Some(&class), |class| class.class().parent.as_ref())
        .all(|class| !class.class().props.contains_key(&ByBytes(&name)));
    let is_dynamic = || call.opt_obj(0).is_some_and(|object| has_dynamic(&object, &name));
    if info.is_none() && !(may_be_dynamic && is_dynamic()) {
        return Err(failure(call.vm, &text!(b"Property ", &class.class().name, b"::$", &name, b" does not exist")));
    }
    let declarer = info.as_ref().map_or(&class, |info| info.declarer());
    set_property(call.this(), NAME, (&name).into());
    set_property(call.this(), CLASS, (&declarer.class().name).into());
    call.this().set_native(Rc::new(PropertySubject { class, info, name }));
    Ok(Val::NULL)
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = property(call)?;
    let mut text = Vec::new();
    crate::render::classes::property(call.vm, &mut text, subject.info.as_deref(), &subject.name, "")?;
    Ok(Val::str(&text))
}

/// Modifiers; a dynamic property is public.
fn property_modifiers(subject: &PropertySubject) -> i64 {
    subject.info.as_ref().map_or(modifiers::PUBLIC, |info| modifiers::of_property(info))
}

fn has(call: &Call<'_>, bit: i64) -> PhpResult<Val> {
    Ok((property_modifiers(property(call)?) & bit != 0).into())
}

fn is_promoted(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(property(call)?.info.as_ref().is_some_and(|info| info.attrs.has(Attrs::PROMOTED)).into())
}

fn get_declaring_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = property(call)?;
    reflect_class(call.vm, subject.info.as_ref().map_or(&subject.class, |info| info.declarer()))
}

/// The declaration's row in its unit.
pub fn definition(info: &PropInfo) -> Option<&phlox_hhbc::PropDef> {
    info.unit.unit.classes.get(info.origin.0.index())?.properties.get(info.origin.1)
}

fn get_doc_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(info) = &property(call)?.info else { return Ok(Val::FALSE) };
    Ok(doc_comment(&info.unit, definition(info).and_then(|row| row.doc_comment)))
}

fn get_type(call: &mut Call<'_>) -> PhpResult<Val> {
    match property(call)?.info.as_ref().and_then(|info| info.ty.as_ref()) {
        Some(ty) => types::reflect(call.vm, ty),
        None => Ok(Val::NULL),
    }
}

/// The type of values that can be assigned: the set hook's parameter decides.
fn get_settable_type(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(info) = &property(call)?.info else { return Ok(Val::NULL) };
    // Builtin properties that are computed are not hooks for PHP.
    if info.is_virtual() && info.set_hook.is_none() && !info.unit.internal {
        let never = phlox_runtime::TypeSpec {
            mask: phlox_hhbc::TypeMask::NEVER,
            classes: Vec::new(),
            display: PhpStr::intern(b"never"),
        };
        return types::reflect(call.vm, &Rc::new(never));
    }
    let ty = match info.set_hook.as_ref().and_then(|hook| hook.params.first()) {
        Some(value) => value.ty.as_ref(),
        None => info.ty.as_ref(),
    };
    ty.map_or(Ok(Val::NULL), |ty| types::reflect_settable(call.vm, ty))
}

fn has_default_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let info = property(call)?.info.as_ref();
    let has = info.is_some_and(|info| !info.is_virtual() && (info.default.is_some() || info.ty.is_none()));
    let promoted = info.is_some_and(|info| info.attrs.has(Attrs::PROMOTED) && info.default.is_none());
    Ok((has && !(promoted && info.is_some_and(|info| info.ty.is_some()))).into())
}

fn get_default_value(call: &mut Call<'_>) -> PhpResult<Val> {
    match &property(call)?.info {
        Some(info) if !info.is_virtual() => match info.default {
            Some(init) => call.vm.evaluate_init(&info.unit, init, info.class.get()),
            None => Ok(Val::NULL),
        },
        _ => Ok(Val::NULL),
    }
}

fn get_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = property(call)?;
    let Some(info) = &subject.info else { return Ok(PhpArr::new().into()) };
    let scope = Some(info.declarer().clone());
    let owner = attributes::Owner { unit: info.unit.clone(), scope, target: attributes::TARGET_PROPERTY };
    attributes::reflect_all(call, owner, definition(info).map_or(&[][..], |row| &row.attributes))
}

/// The hook that the argument, a PropertyHookType, names.
fn hook(call: &Call<'_>) -> PhpResult<Option<Rc<Func>>> {
    let Some(info) = &property(call)?.info else { return Ok(None) };
    let kind = call.opt_obj(0).map_or(PhpStr::empty(), |case| enums::case_name(&case));
    if info.is_computed() {
        return Ok(None);
    }
    Ok(if kind.as_bytes() == b"Get" { info.get_hook.clone() } else { info.set_hook.clone() })
}

fn get_hook(call: &mut Call<'_>) -> PhpResult<Val> {
    match hook(call)? {
        Some(func) => reflect_method(call.vm, FunctionSubject::plain(func)),
        None => Ok(Val::NULL),
    }
}

fn get_hooks(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut hooks = PhpArr::new();
    let Some(info) = property(call)?.info.as_ref().filter(|info| !info.is_computed()) else { return Ok(hooks.into()) };
    for (key, hook) in [("get", &info.get_hook), ("set", &info.set_hook)] {
        if let Some(func) = hook {
            let method = reflect_method(call.vm, FunctionSubject::plain(func.clone()))?;
            hooks.insert(Key::Str(&PhpStr::intern(key.as_bytes())), method);
        }
    }
    Ok(hooks.into())
}
