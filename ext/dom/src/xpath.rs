//! DOMXPath: expressions over a document.

use crate::lists::{self, Source};
use crate::objects::{Held, is_modern, node_of, optional_argument, wrap, wrap_other};
use phlox_ext_libxml::emit;
use phlox_libxml::{Answer, Found, InScope, XPath};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, Edges, Key, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Slot, Val, View, Vm, convert,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The native part of a `DOMXPath` or `Dom\XPath`.
pub struct Data {
    context: RefCell<Option<Rc<XPath>>>,
    register_node_namespaces: Cell<bool>,
    callbacks: Rc<Callbacks>,
}

impl Default for Data {
    fn default() -> Data {
        Data { context: RefCell::default(), register_node_namespaces: Cell::new(true), callbacks: Rc::default() }
    }
}

/// The PHP functions that expressions may call.
pub struct Callbacks {
    mode: Cell<Mode>,
    /// Callables by name, for `php:function`.
    named: Slot,
    /// Callables by `{uri}name`, for functions with a namespace of their own.
    own: Slot,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    None,
    All,
    Listed,
}

impl Default for Callbacks {
    fn default() -> Callbacks {
        let empty = || Slot::new(PhpArr::new().into());
        Callbacks { mode: Cell::new(Mode::None), named: empty(), own: empty() }
    }
}

impl Callbacks {
    fn forget(&self) {
        self.mode.set(Mode::None);
        self.named.set(PhpArr::new().into());
        self.own.set(PhpArr::new().into());
    }
}

impl NativeData for Data {
    fn trace(&self, edges: &mut Edges) {
        self.callbacks.named.trace(edges);
        self.callbacks.own.trace(edges);
    }

    fn clear(&self) {
        self.callbacks.forget();
    }
}

/// Gives a new XPath object its native part.
pub fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Data::default()));
}

/// Hooks of `DOMXPath` and `Dom\XPath`.
pub const HOOKS: NativeHooks = NativeHooks {
    create: Some(create),
    no_clone: true,
    no_serialize: true,
    debug_info: Some(crate::objects::debug_info),
    ..NativeHooks::NONE
};

fn data(object: &PhpObj) -> &Data {
    object.native::<Data>().unwrap_or_else(|| unreachable!("every DOMXPath has its data"))
}

fn context(call: &Call<'_>) -> PhpResult<Rc<XPath>> {
    let known = data(call.this()).context.borrow().clone();
    known.ok_or_else(|| call.vm.throw_error(b"Invalid XPath Context"))
}

const PHP: &[u8] = b"http://php.net/xpath";

/// `DOMXPath::__construct()` and `Dom\XPath::__construct()`.
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let document = crate::objects::argument(call, 0)?;
    let Some(xpath) = XPath::new(&document) else { return Err(call.vm.throw_error(b"Invalid XPath Context")) };
    xpath.register_function(b"functionString", Some(PHP));
    xpath.register_function(b"function", Some(PHP));
    let this = data(call.this());
    let callbacks = this.callbacks.clone();
    callbacks.forget();
    xpath.set_function(Some(Rc::new(move |name, uri, arguments| call_php(&callbacks, name, uri, arguments))));
    *this.context.borrow_mut() = Some(Rc::new(xpath));
    this.register_node_namespaces.set(!call.was_passed(1) || call.bool(1));
    Ok(Val::NULL)
}

/// Reads `DOMXPath::$document` and `Dom\XPath::$document`.
pub fn get_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let known = data(call.this()).context.borrow().clone();
    match known {
        Some(context) => wrap(call.vm, &context.document().clone()),
        None => Err(crate::errors::raise(call.vm, crate::errors::INVALID_STATE)),
    }
}

/// Reads `DOMXPath::$registerNodeNamespaces` and `Dom\XPath::$registerNodeNamespaces`.
pub fn get_register_node_namespaces(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(data(call.this()).register_node_namespaces.get().into())
}

/// Sets `DOMXPath::$registerNodeNamespaces` and `Dom\XPath::$registerNodeNamespaces`.
pub fn set_register_node_namespaces(call: &mut Call<'_>) -> PhpResult<Val> {
    data(call.this()).register_node_namespaces.set(call.bool(0));
    Ok(Val::NULL)
}

/// `DOMXPath::registerNamespace()` and `Dom\XPath::registerNamespace()`.
pub fn register_namespace(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(context(call)?.register_namespace(&call.str(0), &call.str(1)).into())
}

const NO_NAMESPACE_AXIS: &str = "The namespace axis is not well-defined in the living DOM specification. \
    Use Dom\\Element::getInScopeNamespaces() or Dom\\Element::getDescendantNamespaces() instead.";

/// The object of a member of a set of nodes.
fn found_object(vm: &Vm, found: Found) -> PhpResult<Val> {
    match found {
        Found::Node(node) => wrap(vm, &node),
        Found::Namespace { element, .. } if is_modern(&element) => {
            Err(crate::errors::raise_with(vm, crate::errors::NOT_SUPPORTED, NO_NAMESPACE_AXIS))
        }
        Found::Namespace { element, namespace } => {
            wrap_other(vm, "DOMNameSpaceNode", Held::Namespace { element, namespace })
        }
    }
}

fn run(call: &Call<'_>, wants_nodes: bool) -> PhpResult<Val> {
    let xpath = context(call)?;
    let document = xpath.document().clone();
    let node = optional_argument(call, 1)?;
    if let Some(node) = &node {
        if node.document().as_ref() != Some(&document) {
            return Err(call.vm.throw_error(b"Node from wrong document"));
        }
    }
    let node = node.or_else(|| document.root_element()).unwrap_or_else(|| document.clone());
    let with_namespaces =
        if call.was_passed(2) { call.bool(2) } else { data(call.this()).register_node_namespaces.get() };
    // In the new DOM declarations are attributes, which libxml2 does not search for prefixes.
    let listed = if is_modern(&document) { crate::namespaces::prefixes_in_scope(&node, true) } else { Vec::new() };
    let names = match (with_namespaces, is_modern(&document)) {
        (false, _) => InScope::None,
        (true, false) => InScope::OfNode,
        (true, true) => InScope::Listed(&listed),
    };
    let answer = xpath.evaluate(&call.str(0), &node, names);
    emit(call)?;
    let Some(answer) = answer else {
        if is_modern(&document) {
            return Err(call.vm.throw_error(b"Could not evaluate XPath expression"));
        }
        return Ok(false.into());
    };
    let list = |found: Vec<Found>| -> PhpResult<Val> {
        let objects: PhpResult<Vec<Val>> = found.into_iter().map(|found| found_object(call.vm, found)).collect();
        lists::node_list(call.vm, &document, Source::Fixed(objects?))
    };
    match answer {
        Answer::Nodes(found) => list(found),
        _ if wants_nodes => list(Vec::new()),
        Answer::Bool(value) => Ok(value.into()),
        Answer::Number(number) => Ok(Val::double(number)),
        Answer::Text(text) => Ok(Val::str(&text)),
        Answer::Other => Ok(Val::NULL),
    }
}

/// `DOMXPath::query()` and `Dom\XPath::query()`: only sets of nodes are results.
pub fn query(call: &mut Call<'_>) -> PhpResult<Val> {
    run(call, true)
}

/// `DOMXPath::evaluate()` and `Dom\XPath::evaluate()`.
pub fn evaluate(call: &mut Call<'_>) -> PhpResult<Val> {
    run(call, false)
}

/// `Dom\XPath::quote()`: an XPath expression whose value is the text.
pub fn quote(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.path(0)?;
    if !text.contains(&b'\'') {
        return Ok(Val::str(&[b"'", &text[..], b"'"].concat()));
    }
    if !text.contains(&b'"') {
        return Ok(Val::str(&[b"\"", &text[..], b"\""].concat()));
    }
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut rest = &text[..];
    while !rest.is_empty() {
        let reach = |quote: u8| rest.iter().position(|&byte| byte == quote).unwrap_or(rest.len());
        let (single, double) = (reach(b'\''), reach(b'"'));
        let (length, quote) = if single > double { (single, b"'") } else { (double, b"\"") };
        parts.push([quote.as_slice(), &rest[..length], quote].concat());
        rest = &rest[length..];
    }
    Ok(Val::str(&[b"concat(".as_slice(), &parts.join(&b','), b")"].concat()))
}

fn invalid_callback(call: &Call<'_>, index: usize, message: &str) -> phlox_runtime::Throw {
    call.type_error(index, message)
}

fn insert(slot: &Slot, key: &[u8], value: Val) {
    let mut table = slot.take().into_arr().unwrap_or_default();
    let old = table.insert(Key::from_str(&PhpStr::new(key)), value);
    slot.set(table.into());
    drop(old);
}

/// `DOMXPath::registerPhpFunctions()` and `Dom\XPath::registerPhpFunctions()`.
pub fn register_php_functions(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = data(call.this());
    let argument = call.arg(0);
    match argument.view() {
        View::Arr(list) => {
            // Names before an invalid one stay registered.
            for (key, value) in list {
                let value = value.deref();
                let name = match key {
                    Key::Str(name) => name.to_vec(),
                    Key::Int(_) => convert::to_str(call.vm, &value)?.to_vec(),
                };
                if let Err(reason) = call.vm.resolve_callable(&value)? {
                    let message = format!("must be an array with valid callbacks as values, {reason}");
                    return Err(invalid_callback(call, 0, &message));
                }
                if name.is_empty() || name.contains(&0) {
                    return Err(call.value_error(0, "must be an array containing valid callback names"));
                }
                insert(&this.callbacks.named, &name, value);
            }
            this.callbacks.mode.set(Mode::Listed);
        }
        View::Str(name) => {
            if name.is_empty() || name.contains(&0) {
                return Err(call.value_error(0, "must be a valid callback name"));
            }
            if let Err(reason) = call.vm.resolve_callable(&argument)? {
                return Err(invalid_callback(call, 0, &format!("must be a callable, {reason}")));
            }
            insert(&this.callbacks.named, name, argument.clone());
            this.callbacks.mode.set(Mode::Listed);
        }
        _ => this.callbacks.mode.set(Mode::All),
    }
    Ok(Val::NULL)
}

/// `DOMXPath::registerPhpFunctionNS()` and `Dom\XPath::registerPhpFunctionNS()`.
pub fn register_php_function_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let (uri, name, callable) = (call.path(0)?, call.path(1)?, call.arg(2));
    if &uri[..] == PHP {
        let message = "must not be \"http://php.net/xpath\" because it is reserved by PHP";
        return Err(call.value_error(0, message));
    }
    if !phlox_libxml::is_valid(&name, true) || name.contains(&b':') {
        return Err(call.value_error(1, "must be a valid callback name"));
    }
    let xpath = context(call)?;
    insert(&data(call.this()).callbacks.own, &[b"{", &uri[..], b"}", &name].concat(), callable);
    xpath.register_function(&name, Some(&uri));
    Ok(Val::NULL)
}

/// Calls a PHP function from an expression. An exception is kept until the expression has ended.
fn call_php(callbacks: &Callbacks, name: &[u8], uri: &[u8], arguments: Vec<Answer>) -> Answer {
    let Some(vm) = Vm::current() else { return Answer::Other };
    match try_call(vm, callbacks, name, uri, arguments) {
        Ok(answer) => answer,
        Err(throw) => {
            vm.set_pending(throw);
            Answer::Other
        }
    }
}

fn argument_value(vm: &Vm, answer: Answer, as_text: bool) -> PhpResult<Val> {
    Ok(match answer {
        Answer::Bool(value) => value.into(),
        Answer::Number(number) => Val::double(number),
        Answer::Text(text) => Val::str(&text),
        Answer::Nodes(found) if as_text => Val::str(&found.first().map(Found::text).unwrap_or_default()),
        Answer::Nodes(found) => {
            let objects: PhpResult<Vec<Val>> = found.into_iter().map(|found| found_object(vm, found)).collect();
            PhpArr::from_vec(objects?).into()
        }
        Answer::Other => Val::str(b""),
    })
}

fn try_call(vm: &Vm, callbacks: &Callbacks, name: &[u8], uri: &[u8], arguments: Vec<Answer>) -> PhpResult<Answer> {
    let mut values = Vec::new();
    let as_text = uri == PHP && name == b"functionString";
    for argument in arguments {
        values.push(argument_value(vm, argument, as_text)?);
    }
    let callable = if uri == PHP {
        if callbacks.mode.get() == Mode::None {
            return Err(vm.throw_error(b"No callbacks were registered"));
        }
        if values.is_empty() {
            return Err(vm.throw_error(b"Function name must be passed as the first argument"));
        }
        let first = values.remove(0);
        let View::Str(name) = first.view() else {
            return Err(vm.throw_type_error(b"Handler name must be a string"));
        };
        let known = callbacks.named.get().into_arr().and_then(|table| table.get_bytes(name).map(Val::deref));
        match known {
            Some(callable) => callable,
            None if callbacks.mode.get() == Mode::All => {
                if let Err(reason) = vm.resolve_callable(&first)? {
                    return Err(vm.throw_error(&[b"Invalid callback ", &name[..], b", ", reason.as_bytes()].concat()));
                }
                first.clone()
            }
            None => return Err(vm.throw_error(&[b"No callback handler \"", &name[..], b"\" registered"].concat())),
        }
    } else {
        let key = [b"{", uri, b"}", name].concat();
        match callbacks.own.get().into_arr().and_then(|table| table.get_bytes(&key).map(Val::deref)) {
            Some(callable) => callable,
            None => return Ok(Answer::Other),
        }
    };
    let result = vm.call_value(&callable, values)?.into_deref();
    Ok(match result.view() {
        View::Bool(value) => Answer::Bool(value),
        View::Obj(object) if is_node_object(vm, object)? => Answer::Nodes(vec![Found::Node(node_of(vm, object)?)]),
        View::Obj(_) => {
            return Err(vm.throw_type_error(
                b"Only objects that are instances of DOM nodes can be converted to an XPath expression",
            ));
        }
        _ => Answer::Text(convert::to_str(vm, &result)?.to_vec()),
    })
}

fn is_node_object(vm: &Vm, object: &PhpObj) -> PhpResult<bool> {
    for class in [&b"DOMNode"[..], b"Dom\\Node"] {
        if object.is_a(&*vm.require_class(class)?) {
            return Ok(true);
        }
    }
    Ok(false)
}
