//! Members of objects and classes, as the calling code sees them.

use super::classes::class_of;
use phlox_runtime::class::Purpose;
use phlox_runtime::convert::unless_shared;
use phlox_runtime::props::{self, Access, Found};
use phlox_runtime::strmap::lower_str;
use phlox_runtime::{
    ArrKey, Call, ClassExt, ClassRef, FnDef, Func, Key, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Throw, Val, View,
    convert, lazy, link,
};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("get_class_vars(#[unchecked] string $class): array", get_class_vars),
    FnDef::new("get_object_vars(object $object): array", get_object_vars),
    FnDef::new("get_mangled_object_vars(object $object): array", get_mangled_object_vars),
    FnDef::new("get_class_methods(#[unchecked] object|string $object_or_class): array", get_class_methods),
    FnDef::new("method_exists($object_or_class, string $method): bool", method_exists).fast_path(method_exists_quick),
    FnDef::new("property_exists($object_or_class, string $property): bool", property_exists),
];

pub(super) fn invalid_class(call: &Call<'_>) -> Throw {
    let given = convert::value_name(&call.arg(0));
    call.type_error(0, &format!("must be an object or a valid class name, {given} given"))
}

fn get_class_vars(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = convert::to_str(call.vm, &call.arg(0))?;
    let Some(class) = call.vm.find_class(&name)? else {
        // PHP's message ends the name at a NUL byte.
        let shown = PhpStr::new(name.split(|&byte| byte == 0).next().unwrap_or_default());
        return Err(call.type_error(0, &format!("must be a valid class name, {shown} given")));
    };
    let scope = call.vm.scope();
    link::evaluate_defaults(call.vm, &class)?;
    let target = class.class();
    let mut vars = PhpArr::new();
    let visible = || target.props.iter().filter(|(_, info)| props::is_visible(info, scope.as_ref()));
    for (name, info) in visible().filter(|(_, info)| !info.is_static() && !info.is_virtual()) {
        let value = target.defaults().get(info.slot).cloned().unwrap_or(Val::NULL);
        vars.insert(Key::Str(name), value.or_null());
    }
    for (name, info) in visible().filter(|(_, info)| info.is_static()) {
        let Some(variable) = link::listed_static_prop(call.vm, &class, info)? else { continue };
        let value = variable.slot.get_deref();
        vars.insert(Key::Str(name), value.or_null());
    }
    Ok(vars.into())
}

fn get_object_vars(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(object) = call.opt_obj(0) else { return Ok(Val::NULL) };
    let object = lazy::real(call.vm, &object)?;
    if let Some(table) = own_table(call, &object)? {
        return Ok(table.into());
    }
    let scope = call.vm.scope();
    let class = object.class();
    class.native.refresh(&object);
    if object.dynamic().is_none() && !phlox_runtime::iteration::has_hooks(class) {
        return Ok(declared_vars(&object, scope.as_ref()).into());
    }
    let mut vars = PhpArr::new();
    for name in phlox_runtime::iteration::visible_properties(call.vm, &object, scope.as_ref()) {
        let value = match props::find(class, &name, scope.as_ref()) {
            Found::Declared(info) if info.get_hook.is_some() => read_hooked(call, &object, &name, scope.as_ref())?,
            Found::Declared(info) => object.slots().get(info.slot).map_or(Val::NULL, |slot| slot.get().or_null()),
            _ => {
                let value = object.dynamic().and_then(|table| table.get(Key::from_str(&name)).cloned());
                value.unwrap_or(Val::NULL)
            }
        };
        vars.insert(ArrKey::from_str(name).as_key(), unless_shared(&value));
    }
    Ok(vars.into())
}

/// The declared properties of an object that a scope sees, where none has hooks.
fn declared_vars(object: &PhpObj, scope: Option<&ClassRef>) -> PhpArr {
    let class = object.class();
    let mut vars = match class.slots.len() {
        0 => PhpArr::new(),
        count => PhpArr::with_hash_capacity(count),
    };
    for (info, slot) in class.slots.iter().zip(object.slots()) {
        let value = slot.get();
        if value.is_undef() {
            continue;
        }
        let found = props::find(class, &info.name, scope);
        if matches!(found, Found::Declared(found) if Rc::ptr_eq(&found, info)) {
            vars.insert(Key::from_str(&info.name), unless_shared(&value));
        }
    }
    vars
}

/// The table of properties that a builtin class computes for its objects, if it does.
fn own_table(call: &Call<'_>, object: &PhpObj) -> PhpResult<Option<PhpArr>> {
    object.class().native.properties.map_or(Ok(None), |table| table(call.vm, object, Purpose::ObjectVars))
}

/// Property names are strings; as array keys some become integers.
fn array_key(key: Key<'_>) -> ArrKey {
    match key {
        Key::Str(name) => ArrKey::from_str(name.clone()),
        Key::Int(index) => ArrKey::Int(index),
    }
}

fn read_hooked(call: &Call<'_>, object: &PhpObj, name: &PhpStr, scope: Option<&ClassRef>) -> PhpResult<Val> {
    props::read(call.vm, object, name, Access { scope, strict: false }, props::ReadMode::Warn)
}

fn get_mangled_object_vars(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(object) = call.opt_obj(0) else { return Ok(Val::NULL) };
    if let Some(table) = own_table(call, &object)? {
        return Ok(table.into());
    }
    let mut vars = PhpArr::new();
    for (key, value) in convert::object_properties(&lazy::without_initialization(&object)).iter() {
        vars.insert(array_key(key).as_key(), value.clone());
    }
    Ok(vars.into())
}

fn is_method_visible(call: &Call<'_>, func: &Func, scope: Option<&ClassRef>) -> bool {
    func.is_public() || scope.is_some() && call.vm.can_call(func, scope)
}

/// Is the method marked as one that is not listed for its class?
fn is_tacit(func: &Func) -> bool {
    phlox_runtime::extension::has_mark(&func.unit, &func.code().attributes, b"tacit")
}

fn get_class_methods(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(class) = class_of(call, 0, true)? else { return Err(invalid_class(call)) };
    let scope = call.vm.scope();
    let listed = |func: &&Rc<Func>| !is_tacit(func) && is_method_visible(call, func, scope.as_ref());
    let methods = class.class().methods.values().filter(listed);
    let names: PhpArr = methods.map(|func| Val::from(&func.name)).collect();
    Ok(names.into())
}

fn method_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = call.arg(0);
    if subject.as_obj().is_none() && subject.as_str().is_none() {
        let given = convert::value_name(&subject);
        return Err(call.type_error(0, &format!("must be of type object|string, {given} given")));
    }
    let Some(class) = class_of(call, 0, true)? else { return Ok(Val::FALSE) };
    let name = lower_str(&call.str(1));
    if let Some(func) = class.class().method(&name).filter(|func| subject.as_obj().is_some() || !is_tacit(func)) {
        let own = func.scope.get().is_some_and(|scope| scope.id() == class.id());
        return Ok((subject.as_obj().is_some() || !func.is_private() || own).into());
    }
    if let (Some(object), Some(missing)) = (subject.as_obj(), class.class().native.missing_method) {
        return Err(missing(call.vm, object));
    }
    if class.class().name.as_bytes() == b"Closure" && name.as_bytes() == b"__invoke" {
        return Ok(Val::TRUE);
    }
    Ok(subject.as_obj().is_some_and(|object| has_method_inside(object, &name)).into())
}

/// Does the object forward calls to another object that has the method?
fn has_method_inside(object: &PhpObj, name: &PhpStr) -> bool {
    let class = object.class();
    // With `__call` PHP never looks for the inner object's method.
    if class.magic.call.is_some() {
        return false;
    }
    let Some(target) = class.native.method_target.and_then(|target| target(object)) else { return false };
    target.class().method(name).is_some() || has_method_inside(&target, name)
}

/// Fast path of [`method_exists`] for an object whose class declares all its methods; `None` for others.
fn method_exists_quick(args: &[Val]) -> Option<Val> {
    let (object, name) = (args.first()?.as_obj()?, args.get(1)?.as_str()?);
    let class = object.class();
    match class.method(&lower_str(name)) {
        Some(_) => Some(Val::TRUE),
        None if class.native.missing_method.is_some() => None,
        None if class.native.method_target.is_none() && class.name.as_bytes() != b"Closure" => Some(Val::FALSE),
        None => None,
    }
}

fn property_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = call.arg(0);
    let class = match subject.view() {
        View::Str(name) => match call.vm.find_class(name)? {
            Some(class) => class,
            None => return Ok(Val::FALSE),
        },
        View::Obj(object) => object.class_header().clone(),
        _ => {
            let given = convert::value_name(&subject);
            return Err(call.type_error(0, &format!("must be of type object|string, {given} given")));
        }
    };
    let name = call.str(1);
    if let Some(info) = class.class().props.get(&name) {
        let hidden = info.is_private() && info.declarer().id() != class.id();
        if !hidden {
            return Ok(Val::TRUE);
        }
    }
    // For an object, a private property of the calling class also exists.
    let scope = call.vm.scope();
    let Some(object) = subject.as_obj() else { return Ok(Val::FALSE) };
    if matches!(props::find(class.class(), &name, scope.as_ref()), Found::Declared(_)) {
        return Ok(Val::TRUE);
    }
    Ok(props::exists(call.vm, object, &name, Access { scope: scope.as_ref(), strict: false })?.into())
}
