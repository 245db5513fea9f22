//! ReflectionParameter.

use crate::functions::closure_subject;
use crate::methods::{find_method, no_method};
use crate::subject::*;
use crate::{attributes, types};
use phlox_hhbc::TypeMask;
use phlox_runtime::{Call, ClassExt, NativeClass, Param, PhpResult, PhpStr, Slot, Throw, Val, View, convert};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionParameter",
    decl: include_str!("../stubs/ReflectionParameter.stub.php"),
    methods: &[
        ("__clone", refuse_clone),
        ("__construct", construct),
        ("__toString", to_string),
        ("getName", |call| Ok((&parameter(call)?.1.name).into())),
        ("isPassedByReference", |call| Ok(parameter(call)?.1.by_ref.into())),
        ("canBePassedByValue", can_be_passed_by_value),
        ("getDeclaringFunction", get_declaring_function),
        ("getDeclaringClass", |call| reflect_optional_class(call.vm, parameter(call)?.0.func.scope.get())),
        ("getClass", get_class),
        ("hasType", |call| Ok(parameter(call)?.0.ty().is_some().into())),
        ("getType", get_type),
        ("isArray", |call| is_only(call, TypeMask::ARRAY)),
        ("isCallable", |call| is_only(call, TypeMask::CALLABLE)),
        ("allowsNull", allows_null),
        ("getPosition", |call| Ok(Val::int(i64::try_from(parameter(call)?.0.index).unwrap_or(0)))),
        ("isOptional", is_optional),
        ("isDefaultValueAvailable", |call| Ok(has_default(parameter(call)?).into())),
        ("getDefaultValue", get_default_value),
        ("isDefaultValueConstant", is_default_value_constant),
        ("getDefaultValueConstantName", get_default_value_constant_name),
        ("isVariadic", |call| Ok(parameter(call)?.1.variadic.into())),
        ("isPromoted", |call| Ok(parameter(call)?.1.promoted.into())),
        ("getAttributes", get_attributes),
    ],
    hooks: REFLECTOR,
}];

type Parameter<'a> = (&'a ParameterSubject, &'a Param);

/// The parameter of `$this`.
fn parameter<'a>(call: &'a Call<'_>) -> PhpResult<Parameter<'a>> {
    let subject: &ParameterSubject = subject(call)?;
    match subject.func.params.get(subject.index) {
        Some(param) => Ok((subject, param)),
        None => Err(failure(call.vm, b"The parameter specified by its offset could not be found")),
    }
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = declaring_function(call)?;
    let params = &subject.func.params;
    let wanted = call.arg(1);
    let index = match wanted.as_int() {
        Some(position) if position < 0 => return Err(call.value_error(1, "must be greater than or equal to 0")),
        Some(position) => {
            let position = usize::try_from(position).unwrap_or(usize::MAX);
            if position >= params.len() {
                return Err(failure(call.vm, b"The parameter specified by its offset could not be found"));
            }
            position
        }
        None => {
            let name = call.str(1);
            match params.iter().position(|param| param.name == name) {
                Some(position) => position,
                None => return Err(failure(call.vm, b"The parameter specified by its name could not be found")),
            }
        }
    };
    set_property(call.this(), NAME, (&params[index].name).into());
    let closure = Slot::new(subject.closure.get());
    let data = ParameterSubject { func: subject.func.clone(), closure, index };
    call.this().set_native(Rc::new(data));
    Ok(Val::NULL)
}

/// The function that the constructor's first argument means.
fn declaring_function(call: &Call<'_>) -> PhpResult<FunctionSubject> {
    let vm = call.vm;
    let reference = call.arg(0);
    match reference.view() {
        View::Str(name) => match vm.find_function(name) {
            Some(func) => Ok(FunctionSubject::plain(func)),
            None => Err(failure(vm, &text!(b"Function ", name, b"() does not exist"))),
        },
        View::Arr(pair) => {
            let (Some(target), Some(method)) = (pair.get_int(0), pair.get_int(1)) else {
                return Err(failure(vm, b"Expected array($object, $method) or array($classname, $method)"));
            };
            let (target, name) = (target.deref(), convert::to_str(vm, &method.deref())?);
            let object = target.as_obj();
            let class = match object {
                Some(object) => object.class_header().clone(),
                None => {
                    let class_name = convert::to_str(vm, &target)?;
                    match vm.find_class(&class_name)? {
                        Some(class) => class,
                        None => return Err(failure(vm, &text!(b"Class \"", &class_name, b"\" does not exist"))),
                    }
                }
            };
            find_method(vm, &class, object, &name).ok_or_else(|| no_method(vm, &class, &name))
        }
        View::Obj(object) => {
            let class = object.class_header();
            let method = || find_method(vm, class, Some(object), &PhpStr::intern(b"__invoke"));
            let found = closure_subject(vm, object).or_else(method);
            found.ok_or_else(|| no_method(vm, class, &PhpStr::intern(b"__invoke")))
        }
        _ => {
            let given = convert::value_name(&reference);
            let message = format!(
                "ReflectionParameter::__construct(): Argument #1 ($function) must be a string, \
                 an array(class, method), or a callable object, {given} given"
            );
            Err(failure(vm, message.as_bytes()))
        }
    }
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    let mut text = Vec::new();
    crate::render::functions::parameter(call.vm, &mut text, &subject.func, subject.index)?;
    Ok(Val::str(&text))
}

fn can_be_passed_by_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, param) = parameter(call)?;
    Ok((!param.by_ref || param.prefer_ref).into())
}

fn get_declaring_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    let mut function = FunctionSubject::plain(subject.func.clone());
    function.closure = Slot::new(subject.closure.get());
    match subject.func.scope.get() {
        Some(_) => reflect_method(call.vm, function),
        None => reflect_function(call.vm, function),
    }
}

fn get_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    let Some(ty) = subject.ty() else { return Ok(Val::NULL) };
    let refuse = |word: &str, why: &str| -> Throw {
        failure(call.vm, format!("Parameter uses \"{word}\" as type {why}").as_bytes())
    };
    let scope = subject.func.scope.get();
    if ty.has(TypeMask::SELF) {
        let class = scope.ok_or_else(|| refuse("self", "but function is not a class member"))?;
        return reflect_class(call.vm, class);
    }
    if ty.has(TypeMask::PARENT) {
        let class = scope.ok_or_else(|| refuse("parent", "but function is not a class member"))?;
        let parent = class.class().parent.as_ref();
        let parent = parent.ok_or_else(|| refuse("parent", "although class does not have a parent"))?;
        return reflect_class(call.vm, parent);
    }
    let [single] = ty.classes.as_slice() else { return Ok(Val::NULL) };
    let [name] = single.as_slice() else { return Ok(Val::NULL) };
    match call.vm.find_class(name)? {
        Some(class) => reflect_class(call.vm, &class),
        None => Err(failure(call.vm, &text!(b"Class \"", name, b"\" does not exist"))),
    }
}

fn allows_null(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    Ok(subject.ty().is_none_or(|ty| ty.allows_null()).into())
}

fn get_type(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    match subject.ty() {
        Some(ty) => types::reflect(call.vm, ty),
        None => Ok(Val::NULL),
    }
}

/// Is the type this one, or this one or null, whatever classes it names besides?
fn is_only(call: &Call<'_>, mask: u32) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    Ok(subject.ty().is_some_and(|ty| ty.mask & !TypeMask::NULL == mask).into())
}

fn is_optional(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    Ok((subject.index >= subject.func.required).into())
}

/// The default's source; `None` if there is none or its source is not known.
pub fn default_text(subject: &phlox_runtime::Func, index: usize) -> Option<&PhpStr> {
    let text = subject.unit.str(subject.code().params.get(index)?.default_text?);
    (!(subject.unit.internal && text.as_bytes() == b"UNKNOWN")).then_some(text)
}

fn has_default((subject, param): Parameter<'_>) -> bool {
    param.default.is_some()
        && !hides_defaults(&subject.func)
        && (!subject.func.unit.internal || default_text(&subject.func, subject.index).is_some())
}

/// The default's source; a ReflectionException when there is no default.
fn required_default<'a>(call: &Call<'_>, parameter: Parameter<'a>) -> PhpResult<Option<&'a PhpStr>> {
    if !has_default(parameter) {
        return Err(failure(call.vm, b"Internal error: Failed to retrieve the default value"));
    }
    Ok(default_text(&parameter.0.func, parameter.0.index))
}

fn get_default_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, param) = parameter(call)?;
    required_default(call, (subject, param))?;
    match param.default {
        Some(init) => call.vm.evaluate_init(&subject.func.unit, init, subject.func.scope.get()),
        None => Ok(Val::NULL),
    }
}

/// The text, if it is the name of a constant or class constant.
fn constant_name(text: &PhpStr) -> Option<&PhpStr> {
    let is_name = |part: &[u8]| {
        let start =
            part.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || b"_\\".contains(&byte) || byte >= 0x80);
        start && part.iter().all(|&byte| byte.is_ascii_alphanumeric() || b"_\\".contains(&byte) || byte >= 0x80)
    };
    let literal = [b"null".as_slice(), b"true", b"false"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let named = match text.windows(2).position(|pair| pair == b"::") {
        // A class's name is no constant, though it is written like one.
        Some(at) => {
            let name = &text[at + 2..];
            is_name(&text[..at]) && is_name(name) && !name.eq_ignore_ascii_case(b"class")
        }
        None => is_name(text) && !literal,
    };
    named.then_some(text)
}

fn is_default_value_constant(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = required_default(call, parameter(call)?)?;
    Ok(text.and_then(constant_name).is_some().into())
}

fn get_default_value_constant_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = required_default(call, parameter(call)?)?;
    Ok(text.and_then(constant_name).map_or(Val::NULL, |name| Val::str(name.strip_prefix(b"\\").unwrap_or(name))))
}

fn get_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    let (subject, _) = parameter(call)?;
    let func = &subject.func;
    let target = attributes::TARGET_PARAMETER;
    let owner = attributes::Owner { unit: func.unit.clone(), scope: func.scope.get().cloned(), target };
    let all = func.code().params.get(subject.index).map_or(&[][..], |param| &param.attributes);
    attributes::reflect_all(call, owner, all)
}
