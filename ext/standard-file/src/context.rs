//! Stream contexts: options by wrapper, and parameters.

use crate::stream::open;
use phlox_runtime::{ArrKey, Call, FnDef, PhpArr, PhpRes, PhpResult, Val, View, Vm, convert};
use std::cell::RefCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("stream_context_create(?array $options = null, ?array $params = null)", stream_context_create),
    FnDef::new("stream_context_get_options($stream_or_context): array", stream_context_get_options),
    FnDef::new(
        "stream_context_set_option(#[resource] $context, array|string $wrapper_or_options, ?string $option_name = null, mixed $value = UNKNOWN): true",
        stream_context_set_option,
    ),
    FnDef::new("stream_context_set_options(#[resource] $context, array $options): true", stream_context_set_options),
    FnDef::new("stream_context_set_params(#[resource] $context, array $params): true", stream_context_set_params),
    FnDef::new("stream_context_get_params($context): array", stream_context_get_params),
    FnDef::new("stream_context_get_default(?array $options = null)", stream_context_get_default),
    FnDef::new("stream_context_set_default(array $options)", stream_context_set_default),
];

/// A context's state.
#[derive(Default)]
pub struct Context {
    /// Wrapper name to (option name to value).
    pub options: RefCell<PhpArr>,
    pub notification: RefCell<Val>,
}

/// The request's default context, made when first needed.
#[derive(Default)]
struct DefaultContext {
    resource: RefCell<Option<PhpRes>>,
}

fn create() -> PhpRes {
    PhpRes::new("stream-context", Box::new(std::rc::Rc::new(Context::default())))
}

fn default(vm: &Vm) -> PhpRes {
    let holder = vm.data::<DefaultContext>("default stream context");
    let existing = holder.resource.borrow().clone();
    existing.unwrap_or_else(|| {
        let fresh = create();
        drop(holder.resource.replace(Some(fresh.clone())));
        fresh
    })
}

fn context_of(resource: &PhpRes) -> Option<std::rc::Rc<Context>> {
    resource.data::<std::rc::Rc<Context>>().map(|context| context.clone())
}

/// The context of an optional `$context` parameter; the default one when it is null.
pub fn argument(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let value = call.arg(index);
    if value.is_null() {
        return Ok(default(call.vm).into());
    }
    let Some(resource) = value.as_res() else {
        let text = format!("must be of type resource or null, {} given", convert::value_name(&value));
        return Err(call.type_error(index, &text));
    };
    if context_of(resource).is_none() {
        let name = call.func.display_name();
        let text = [&name[..], b"(): supplied resource is not a valid Stream-Context resource"].concat();
        return Err(call.vm.throw_type_error(&text));
    }
    Ok(value)
}

/// The context that a wrapper object gets.
pub fn or_default(vm: &Vm, context: &Val) -> Val {
    if context.is_null() { default(vm).into() } else { context.clone() }
}

/// An option of a context, as `context['wrapper']['name']`.
pub fn option(context: &Val, wrapper: &[u8], name: &[u8]) -> Option<Val> {
    let context = context_of(context.as_res()?)?;
    let options = context.options.borrow();
    let wrapper = options.get_bytes(wrapper)?.deref();
    wrapper.as_arr()?.get_bytes(name).map(Val::deref)
}

/// Sets an option of a context.
pub fn set_option(context: &Val, wrapper: &[u8], name: &[u8], value: Val) {
    if let Some(context) = context.as_res().and_then(context_of) {
        set(&context, &ArrKey::from_bytes(wrapper), &ArrKey::from_bytes(name), value);
    }
}

/// The context of a parameter that may be a context or a stream.
fn subject(call: &Call<'_>, index: usize) -> PhpResult<std::rc::Rc<Context>> {
    let value = call.arg(index);
    let Some(resource) = value.as_res() else {
        let text = format!("must be of type resource, {} given", convert::value_name(&value));
        return Err(call.type_error(index, &text));
    };
    if let Some(context) = context_of(resource) {
        return Ok(context);
    }
    if let Some(stream) = open::stream_of(resource) {
        if stream.context.borrow().is_null() {
            drop(stream.context.replace(create().into()));
        }
        if let Some(context) = stream.context.borrow().as_res().and_then(context_of) {
            return Ok(context);
        }
    }
    Err(call.type_error(index, "must be a valid stream/context"))
}

fn merge(call: &Call<'_>, context: &Context, options: &PhpArr) -> PhpResult<()> {
    for (wrapper, values) in options {
        let values = values.deref();
        let (ArrKey::Str(_), View::Arr(values)) = (wrapper.to_owned(), values.view()) else {
            return Err(call
                .vm
                .throw_value_error(b"Options should have the form [\"wrappername\"][\"optionname\"] = $value"));
        };
        for (name, value) in values {
            set(context, &wrapper.to_owned(), &name.to_owned(), value.deref());
        }
    }
    Ok(())
}

fn set(context: &Context, wrapper: &ArrKey, name: &ArrKey, value: Val) {
    let mut options = context.options.borrow_mut();
    let (place, _) = options.entry(wrapper.as_key());
    let mut inner = place.take().into_arr().unwrap_or_default();
    let old = inner.insert(name.as_key(), value);
    place.set(inner.into());
    drop(options);
    drop(old);
}

fn set_params(call: &Call<'_>, context: &Context, params: &PhpArr) -> PhpResult<()> {
    if let Some(notification) = params.get_bytes(b"notification") {
        context.notification.replace(notification.deref());
    }
    match params.get_bytes(b"options").map(Val::deref) {
        Some(options) => match options.as_arr() {
            Some(options) => merge(call, context, options),
            None => Err(call.vm.throw_type_error(b"Invalid stream/context parameter")),
        },
        None => Ok(()),
    }
}

fn stream_context_create(call: &mut Call<'_>) -> PhpResult<Val> {
    let resource = create();
    if let Some(context) = context_of(&resource) {
        if let Some(options) = call.opt_arr(0) {
            merge(call, &context, &options)?;
        }
        if let Some(params) = call.opt_arr(1) {
            set_params(call, &context, &params)?;
        }
    }
    Ok(resource.into())
}

fn stream_context_get_options(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(subject(call, 0)?.options.borrow().clone().into())
}

fn stream_context_set_option(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.passed == 2 {
        let text = b"Calling stream_context_set_option() with 2 arguments is deprecated, use stream_context_set_options() instead";
        call.vm.deprecated(text)?;
    }
    let context = subject(call, 0)?;
    let target = call.arg(1);
    match target.view() {
        View::Arr(options) => {
            if !call.is_null(2) {
                return Err(call.value_error(2, "must be null when argument #2 ($wrapper_or_options) is an array"));
            }
            if call.was_passed(3) {
                return Err(
                    call.value_error(3, "cannot be provided when argument #2 ($wrapper_or_options) is an array")
                );
            }
            merge(call, &context, options)?;
        }
        View::Str(wrapper) => {
            let Some(name) = call.opt_str(2) else {
                return Err(call.value_error(2, "cannot be null when argument #2 ($wrapper_or_options) is a string"));
            };
            if !call.was_passed(3) {
                return Err(call.value_error(3, "must be provided when argument #2 ($wrapper_or_options) is a string"));
            }
            set(&context, &ArrKey::from_str(wrapper.clone()), &ArrKey::from_str(name), call.arg(3));
        }
        _ => {}
    }
    Ok(Val::TRUE)
}

fn stream_context_set_options(call: &mut Call<'_>) -> PhpResult<Val> {
    let context = subject(call, 0)?;
    merge(call, &context, &call.arr(1))?;
    Ok(Val::TRUE)
}

fn stream_context_set_params(call: &mut Call<'_>) -> PhpResult<Val> {
    let context = subject(call, 0)?;
    set_params(call, &context, &call.arr(1))?;
    Ok(Val::TRUE)
}

fn stream_context_get_params(call: &mut Call<'_>) -> PhpResult<Val> {
    let context = subject(call, 0)?;
    let mut params = PhpArr::new();
    let notification = context.notification.borrow().clone();
    if !notification.is_null() {
        params.set_bytes(b"notification", notification);
    }
    params.set_bytes(b"options", context.options.borrow().clone().into());
    Ok(params.into())
}

fn stream_context_get_default(call: &mut Call<'_>) -> PhpResult<Val> {
    let resource = default(call.vm);
    if let (Some(options), Some(context)) = (call.opt_arr(0), context_of(&resource)) {
        merge(call, &context, &options)?;
    }
    Ok(resource.into())
}

fn stream_context_set_default(call: &mut Call<'_>) -> PhpResult<Val> {
    let resource = default(call.vm);
    if let Some(context) = context_of(&resource) {
        merge(call, &context, &call.arr(0))?;
    }
    Ok(resource.into())
}

/// Calls the context's callback about the progress of a stream.
pub fn notify(vm: &Vm, context: &Val, code: i64, message: &[u8], done: i64, most: i64) -> PhpResult<()> {
    const INFO: i64 = 0;
    tell(vm, context, [code, INFO], message, [0, done, most])
}

/// Calls the context's callback about a failure, with the number that the other side gave.
pub fn notify_failure(vm: &Vm, context: &Val, code: i64, message: &[u8], number: i64) -> PhpResult<()> {
    const ERROR: i64 = 2;
    tell(vm, context, [code, ERROR], message, [number, 0, 0])
}

fn tell(vm: &Vm, context: &Val, kind: [i64; 2], message: &[u8], numbers: [i64; 3]) -> PhpResult<()> {
    let Some(context) = context.as_res().and_then(context_of) else { return Ok(()) };
    let callback = context.notification.borrow().clone();
    if callback.is_null() {
        return Ok(());
    }
    let message = if message.is_empty() { Val::NULL } else { Val::str(message) };
    let mut args = kind.map(Val::int).to_vec();
    args.push(message);
    args.extend(numbers.map(Val::int));
    vm.call_value(&callback, args).map(drop)
}
