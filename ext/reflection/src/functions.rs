//! ReflectionFunctionAbstract and ReflectionFunction.

use crate::render::functions::Listed;
use crate::subject::*;
use crate::{attributes, types};
use phlox_hhbc::FuncFlags;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::{
    Args, Call, Callee, ClassExt, Func, Key, NativeClass, PhpArr, PhpResult, Slot, Val, View, dynamic_call, link,
};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "ReflectionFunctionAbstract",
        decl: include_str!("../stubs/ReflectionFunctionAbstract.stub.php"),
        methods: &[
            ("__clone", refuse_clone),
            ("inNamespace", |call| Ok((!namespace(function(call)?).is_empty()).into())),
            ("isClosure", is_closure),
            ("isDeprecated", |call| Ok(function(call)?.func.has(FuncFlags::DEPRECATED).into())),
            ("isInternal", |call| Ok(function(call)?.is_internal().into())),
            ("isUserDefined", |call| Ok((!function(call)?.is_internal()).into())),
            ("isGenerator", |call| Ok(function(call)?.func.is_generator().into())),
            ("isVariadic", |call| Ok(function(call)?.func.is_variadic().into())),
            ("isStatic", |call| Ok(function(call)?.func.is_static().into())),
            ("getClosureThis", get_closure_this),
            ("getClosureScopeClass", get_closure_scope_class),
            ("getClosureCalledClass", get_closure_called_class),
            ("getClosureUsedVariables", get_closure_used_variables),
            ("getDocComment", get_doc_comment),
            ("getEndLine", |call| line(call, |code| code.line_end)),
            ("getExtension", get_extension),
            ("getExtensionName", get_extension_name),
            ("getFileName", get_file_name),
            ("getName", |call| Ok((&function(call)?.func.name).into())),
            ("getNamespaceName", |call| Ok(Val::str(namespace(function(call)?)))),
            ("getNumberOfParameters", |call| Ok(count(function(call)?.func.params.len()))),
            ("getNumberOfRequiredParameters", |call| Ok(count(function(call)?.func.required))),
            ("getParameters", get_parameters),
            ("getShortName", get_short_name),
            ("getStartLine", |call| line(call, |code| code.line_start)),
            ("getStaticVariables", get_static_variables),
            ("returnsReference", |call| Ok(function(call)?.func.returns_by_ref().into())),
            ("hasReturnType", |call| Ok(return_type(function(call)?, false).is_some().into())),
            ("getReturnType", |call| get_return_type(call, false)),
            ("hasTentativeReturnType", |call| Ok(return_type(function(call)?, true).is_some().into())),
            ("getTentativeReturnType", |call| get_return_type(call, true)),
            ("getAttributes", get_attributes),
        ],
        hooks: REFLECTOR,
    },
    NativeClass {
        name: "ReflectionFunction",
        decl: include_str!("../stubs/ReflectionFunction.stub.php"),
        methods: &[
            ("__construct", construct),
            ("__toString", to_string),
            ("isAnonymous", |call| Ok(function(call)?.is_real_closure().into())),
            ("isDisabled", |call| function(call).map(|_| Val::FALSE)),
            ("invoke", invoke),
            ("invokeArgs", invoke_args),
            ("getClosure", get_closure),
        ],
        hooks: NativeHooks::NONE,
    },
];

/// The function of `$this`.
pub fn function<'a>(call: &'a Call<'_>) -> PhpResult<&'a FunctionSubject> {
    subject(call)
}

/// The namespace; a closure's name has backslashes, but it is in none.
fn namespace(subject: &FunctionSubject) -> &[u8] {
    if subject.func.name.starts_with(b"{closure") { b"" } else { namespace_of(&subject.func.name) }
}

fn get_short_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    let is_closure = subject.func.name.starts_with(b"{closure");
    Ok(if is_closure { (&subject.func.name).into() } else { Val::str(short_name(&subject.func.name)) })
}

fn count(number: usize) -> Val {
    Val::int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    let data = match value.view() {
        View::Obj(object) => closure_subject(call.vm, object),
        _ => {
            let name = call.str(0);
            let Some(func) = call.vm.find_function(&name) else {
                let shown = name.strip_prefix(b"\\").unwrap_or(&name);
                return Err(failure(call.vm, &text!(b"Function ", shown, b"() does not exist")));
            };
            Some(FunctionSubject::plain(func))
        }
    };
    if let Some(data) = data {
        set_property(call.this(), NAME, (&data.func.name).into());
        call.this().set_native(Rc::new(data));
    }
    Ok(Val::NULL)
}

/// The function of a Closure object.
pub fn closure_subject(vm: &phlox_runtime::Vm, object: &phlox_runtime::PhpObj) -> Option<FunctionSubject> {
    let data = object.native::<ClosureData>()?;
    let closure = Slot::new(object.clone().into());
    Some(FunctionSubject { func: data.shown_func(vm), closure, class: None })
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    let mut text = Vec::new();
    let listed = Listed { name: &subject.func.name, scope: None, of_closure: subject.closure.get().as_obj().is_some() };
    crate::render::functions::function(call.vm, &mut text, &subject.func, listed, "")?;
    Ok(Val::str(&text))
}

fn is_closure(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    Ok((subject.is_real_closure() || subject.closure.get().as_obj().is_some()).into())
}

fn get_closure_this(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = function(call)?.closure_data(|data| data.this.get());
    Ok(this.unwrap_or(Val::NULL).or_null())
}

fn get_closure_scope_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let scope = function(call)?.closure_data(|data| data.func.scope.get().cloned()).flatten();
    reflect_optional_class(call.vm, scope.as_ref())
}

fn get_closure_called_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let called = function(call)?.closure_data(|data| {
        let this = data.this.get().into_obj();
        let called = data.called_scope.clone().or_else(|| this.map(|this| this.class_header().clone()));
        called.or_else(|| data.func.scope.get().cloned())
    });
    reflect_optional_class(call.vm, called.flatten().as_ref())
}

fn get_closure_used_variables(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut variables = PhpArr::new();
    function(call)?.closure_data(|data| add_captures(data, &mut variables));
    Ok(variables.into())
}

fn add_captures(data: &ClosureData, variables: &mut PhpArr) {
    let code = data.func.code();
    if data.is_fake || data.func.is_native() {
        return;
    }
    for ((local, by_ref), slot) in code.captures.iter().zip(&data.captured) {
        let name = code.locals.get(local.index()).copied().flatten().map(|name| data.func.unit.str(name));
        if let Some(name) = name.filter(|_| !slot.is_undef()) {
            let value = if *by_ref { slot.get() } else { slot.get_deref() };
            variables.insert(Key::Str(name), value.or_null());
        }
    }
}

fn get_static_variables(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    let mut variables = PhpArr::new();
    subject.closure_data(|data| add_captures(data, &mut variables));
    if subject.func.is_native() {
        return Ok(variables.into());
    }
    let own = subject.closure_data(|data| (!data.is_fake).then(|| data.statics.borrow().clone()));
    let statics = match own.flatten() {
        Some(statics) => statics,
        None => subject.func.statics.borrow().clone(),
    };
    for (index, (name, known)) in subject.func.code().statics.iter().enumerate() {
        let current = statics.as_ref().and_then(|statics| statics.vars.get(index)).filter(|(_, ran)| ran.get());
        let value = match (current, known) {
            (Some((slot, _)), _) => slot.get_deref().or_null(),
            (None, Some(init)) => call.vm.evaluate_init(&subject.func.unit, *init, subject.func.scope.get())?,
            (None, None) => Val::NULL,
        };
        variables.insert(Key::Str(subject.func.unit.str(*name)), value);
    }
    Ok(variables.into())
}

fn get_doc_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    if subject.is_internal() {
        return Ok(Val::FALSE);
    }
    Ok(doc_comment(&subject.func.unit, subject.func.code().doc_comment))
}

fn line(call: &Call<'_>, of: fn(&phlox_hhbc::Func) -> u32) -> PhpResult<Val> {
    let subject = function(call)?;
    Ok(if subject.is_internal() { Val::FALSE } else { Val::int(i64::from(of(subject.func.code()))) })
}

fn get_file_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    Ok(if subject.is_internal() { Val::FALSE } else { (&subject.func.unit.filename).into() })
}

/// The extension that a builtin function is part of. The methods that every enum has are of the enum's, if it has one.
pub fn extension(func: &Func) -> Option<&'static str> {
    if is_closure_invoke(func) {
        return None;
    }
    let of_enum = func.scope.get().filter(|class| class.class().is_enum());
    let unit = of_enum.map_or(&func.unit, |class| &class.class().unit);
    Some(unit.extension).filter(|name| unit.internal && !name.is_empty())
}

fn get_extension(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    match extension(&subject.func).filter(|_| subject.is_internal()) {
        Some(name) => crate::extensions::reflect(call.vm, name),
        None => Ok(Val::NULL),
    }
}

fn get_extension_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    Ok(extension(&subject.func).filter(|_| subject.is_internal()).map_or(Val::FALSE, Val::from))
}

fn get_parameters(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    let mut parameters = Vec::with_capacity(subject.func.params.len());
    for index in 0..subject.func.params.len() {
        let closure = Slot::new(subject.closure.get());
        let func = subject.func.clone();
        parameters.push(reflect_parameter(call.vm, ParameterSubject { func, closure, index })?);
    }
    Ok(list(parameters))
}

/// The declared return type, if it is tentative or not, as asked.
fn return_type(subject: &FunctionSubject, tentative: bool) -> Option<&Rc<phlox_runtime::TypeSpec>> {
    let ty = subject.func.return_type.as_ref()?;
    (link::has_tentative_return_type(&subject.func) == tentative).then_some(ty)
}

fn get_return_type(call: &Call<'_>, tentative: bool) -> PhpResult<Val> {
    let subject = function(call)?;
    match return_type(subject, tentative) {
        Some(ty) => types::reflect(call.vm, ty),
        None => Ok(Val::NULL),
    }
}

fn get_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    // A closure of `__call` has that method's attributes.
    let called = subject.closure_data(|data| data.func.clone());
    let func = called.as_ref().unwrap_or(&subject.func);
    let is_method = func.scope.get().is_some() && !func.is_closure();
    let target = if is_method { attributes::TARGET_METHOD } else { attributes::TARGET_FUNCTION };
    let owner = attributes::Owner { unit: func.unit.clone(), scope: func.scope.get().cloned(), target };
    attributes::reflect_all(call, owner, &func.code().attributes)
}

/// The callee of a call of the reflected function.
fn callee(subject: &FunctionSubject) -> Callee {
    let from_closure = subject.closure.get().as_obj().and_then(closure::callee);
    from_closure.unwrap_or_else(|| Callee::function(subject.func.clone()))
}

fn invoke(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = callee(function(call)?);
    let args = Args { positional: call.args.to_vec(), named: call.take_named() };
    Ok(call.vm.call(&callee, args)?.into_deref())
}

/// Positional and named arguments from an array.
pub fn arguments_of(array: &PhpArr) -> Args {
    let mut args = Args::default();
    for (key, value) in array.iter() {
        match key {
            Key::Str(name) => args.named.push((name.clone(), value.clone())),
            Key::Int(_) => args.positional.push(value.clone()),
        }
    }
    args
}

fn invoke_args(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = callee(function(call)?);
    Ok(call.vm.call(&callee, arguments_of(&call.arr(0)))?.into_deref())
}

fn get_closure(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    if let Some(object) = subject.closure.get().into_obj() {
        return Ok(object.into());
    }
    Ok(dynamic_call::closure_of(call.vm, Callee::function(subject.func.clone()))?.into())
}
