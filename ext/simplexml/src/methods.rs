//! The methods of `SimpleXMLElement`, and the functions of the extension.

use crate::access::{property_table, text_of};
use crate::element::{Element, View, data, element, object, object_like};
use phlox_ext_libxml::emit;
use phlox_libxml::{Answer, Found, InScope, Kind, Node, Parse, XPath, parse_xml, save_options};
use phlox_runtime::{Call, ClassExt, ClassRef, Key, PhpArr, PhpObj, PhpResult, PhpStr, Val, Vm};
use std::rc::Rc;

fn parse(source: &[u8], is_file: bool, options: i64) -> Option<Node> {
    parse_xml(&Parse {
        options: options as i32,
        text: (!is_file).then_some(source),
        url: is_file.then_some(source),
        ..Parse::default()
    })
    .document
}

/// The root element of a parsed document, with the namespace of the arguments from `namespace` on.
fn root(call: &Call<'_>, document: &Node, namespace: usize) -> Option<Element> {
    let mut element = Element::itself(document.root_element()?);
    let wanted = call.str(namespace);
    element.namespace = Some(wanted.to_vec()).filter(|wanted| !wanted.is_empty());
    element.by_prefix = call.bool(namespace + 1);
    Some(element)
}

/// `SimpleXMLElement::__construct()`.
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    if i32::try_from(call.int(1)).is_err() {
        let text = b"SimpleXMLElement::__construct(): Argument #2 ($options) is invalid";
        return Err(call.vm.throw_class(b"Exception", text, 0));
    }
    let document = parse(&call.str(0), call.bool(2), call.int(1));
    emit(call)?;
    match document.map(|document| root(call, &document, 3)) {
        Some(Some(element)) => {
            crate::element::set(call.this(), element);
            Ok(Val::NULL)
        }
        Some(None) => {
            data(call.this()).rootless.set(true);
            Ok(Val::NULL)
        }
        None => Err(call.vm.throw_class(b"Exception", b"String could not be parsed as XML", 0)),
    }
}

/// The argument that names the class of the result.
fn class_argument(call: &Call<'_>, index: usize) -> PhpResult<ClassRef> {
    let base = call.vm.require_class(b"SimpleXMLElement")?;
    let Some(name) = call.opt_str(index) else { return Ok(base) };
    let class = call.vm.find_class(&name)?;
    match class.filter(|class| class.class().is_a(&base)) {
        Some(class) => Ok(class),
        None => {
            let name = phlox_runtime::shown(&name).into_owned();
            let message = format!("must be a class name derived from SimpleXMLElement or null, {name} given");
            Err(call.type_error(index, &message))
        }
    }
}

fn loaded(call: &Call<'_>, is_file: bool) -> PhpResult<Val> {
    let class = class_argument(call, 1)?;
    if i32::try_from(call.int(2)).is_err() {
        return Err(call.value_error(2, "is too large"));
    }
    let source = if is_file { call.path(0)? } else { call.str(0) };
    let document = parse(&source, is_file, call.int(2));
    emit(call)?;
    match document.map(|document| root(call, &document, 3)) {
        Some(Some(element)) => object(call.vm, &class, element),
        Some(None) => crate::element::rootless(call.vm, &class),
        None => Ok(false.into()),
    }
}

/// `simplexml_load_file()`.
pub fn load_file(call: &mut Call<'_>) -> PhpResult<Val> {
    loaded(call, true)
}

/// `simplexml_load_string()`.
pub fn load_string(call: &mut Call<'_>) -> PhpResult<Val> {
    loaded(call, false)
}

/// `simplexml_import_dom()`.
pub fn import_dom(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class_argument(call, 1)?;
    let given = call.opt_obj(0);
    let is_node = |object: &PhpObj| -> PhpResult<bool> {
        for name in [&b"DOMNode"[..], b"Dom\\Node"] {
            if phlox_runtime::ObjExt::is_a(object, &*call.vm.require_class(name)?) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let node = match given {
        Some(object) if is_node(&object)? => phlox_ext_dom::node_of(call.vm, &object)?,
        Some(object) => match crate::element::find_node(call.vm, &object)? {
            Some(node) => node,
            None => return Err(call.type_error(0, "must be a valid XML node")),
        },
        None => return Err(call.type_error(0, "must be a valid XML node")),
    };
    if node.document().is_none() {
        call.warning("Imported Node must have associated Document")?;
        return Ok(Val::NULL);
    }
    let node = if node.kind().is_document() { node.root_element() } else { Some(node) };
    match node.filter(|node| node.is(Kind::Element)) {
        Some(node) => object(call.vm, &class, Element::itself(node)),
        None => {
            call.warning("Invalid Nodetype to import")?;
            Ok(Val::NULL)
        }
    }
}

fn this(call: &Call<'_>) -> PhpResult<Element> {
    element(call.vm, call.this())
}

fn context(call: &Call<'_>, own: &Element) -> PhpResult<Option<Rc<XPath>>> {
    let place = &data(call.this()).xpath;
    if let Some(known) = &*place.borrow() {
        return Ok(Some(known.clone()));
    }
    let made = own.node.document().and_then(|document| XPath::new(&document)).map(Rc::new);
    drop(place.replace(made.clone()));
    Ok(made)
}

/// `SimpleXMLElement::xpath()`.
pub fn xpath(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = this(call)?;
    if own.view == View::Attributes {
        return Ok(Val::NULL);
    }
    let Some(node) = own.target() else { return Ok(Val::NULL) };
    let Some(context) = context(call, &own)? else { return Ok(false.into()) };
    let answer = context.evaluate(&call.str(0), &node, InScope::OfNode);
    emit(call)?;
    let Some(answer) = answer else { return Ok(false.into()) };
    let Answer::Nodes(found) = answer else { return Ok(PhpArr::new().into()) };
    let mut list = Vec::new();
    for found in found {
        let Found::Node(node) = found else { continue };
        let result = match node.kind() {
            // A text that an expression finds is shown as its element.
            Kind::Text => node.parent().map(Element::itself),
            Kind::Attribute => node.parent().map(|holder| Element {
                view: View::Attributes,
                name: Some(node.name()),
                namespace: node.namespace_uri(),
                ..Element::itself(holder)
            }),
            Kind::Element | Kind::Instruction | Kind::Comment => Some(Element::itself(node)),
            _ => None,
        };
        if let Some(result) = result {
            list.push(object_like(call.vm, call.this(), result)?);
        }
    }
    Ok(PhpArr::from_vec(list).into())
}

/// `SimpleXMLElement::registerXPathNamespace()`.
pub fn register_xpath_namespace(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = this(call)?;
    let context = context(call, &own)?;
    Ok(context.is_some_and(|context| context.register_namespace(&call.str(0), &call.str(1))).into())
}

/// `SimpleXMLElement::asXML()` and `SimpleXMLElement::saveXML()`.
pub fn as_xml(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = this(call)?;
    let Some(node) = own.target() else { return Ok(false.into()) };
    let document = node.document();
    let encoding = document.as_ref().and_then(Node::encoding);
    // Only the element is written for a document that was parsed as HTML.
    let text = match node.parent().filter(|parent| parent.is(Kind::Document)) {
        Some(parent) => parent.save(encoding.as_deref(), save_options::AS_XML),
        None => node.save_in(encoding.as_deref()),
    };
    emit(call)?;
    let Some(text) = text else { return Ok(false.into()) };
    match call.opt_str(0) {
        None => Ok(Val::str(&text)),
        Some(_) => {
            let path = call.path(0)?;
            if phlox_ext_libxml::has_encoded_nul(&path) {
                call.warning(phlox_ext_libxml::NUL_IN_URI)?;
                return Ok(false.into());
            }
            let options = phlox_ext_libxml::loading::options(call.vm);
            let opened = phlox_ext_standard_file::stream::open::open(call.vm, &path, "wb", &options)?;
            let Some(stream) = opened else { return Ok(false.into()) };
            stream.write(call.vm, &text)?;
            stream.close(call.vm)?;
            Ok(true.into())
        }
    }
}

fn add_namespace(table: &mut PhpArr, prefix: Option<Vec<u8>>, uri: Option<Vec<u8>>) {
    let name = PhpStr::new(&prefix.unwrap_or_default());
    if !table.contains(Key::from_str(&name)) {
        table.insert(Key::from_str(&name), Val::str(&uri.unwrap_or_default()));
    }
}

fn used_namespaces(node: &Node, recursive: bool, table: &mut PhpArr) {
    let mut at = Some(node.clone());
    while let Some(current) = at {
        for user in std::iter::once(current.clone()).chain(current.attributes()) {
            if let Some(namespace) = user.namespace() {
                add_namespace(table, namespace.prefix(), namespace.uri());
            }
        }
        at = if recursive { current.following(node) } else { None };
    }
}

/// `SimpleXMLElement::getNamespaces()`.
pub fn get_namespaces(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut table = PhpArr::new();
    if let Some(node) = this(call)?.target() {
        match node.kind() {
            Kind::Element => used_namespaces(&node, call.bool(0), &mut table),
            _ => {
                if let Some(namespace) = node.namespace() {
                    add_namespace(&mut table, namespace.prefix(), namespace.uri());
                }
            }
        }
    }
    Ok(table.into())
}

/// `SimpleXMLElement::getDocNamespaces()`.
pub fn get_doc_namespaces(call: &mut Call<'_>) -> PhpResult<Val> {
    let (recursive, from_root) = (call.bool(0), call.bool(1));
    if from_root && data(call.this()).rootless.get() {
        return Ok(false.into());
    }
    let own = this(call)?;
    let node = match from_root {
        true => own.node.document().and_then(|document| document.root_element()),
        false => Some(own.node.clone()),
    };
    let Some(node) = node else { return Ok(false.into()) };
    let modern = phlox_ext_dom::settings(&node).modern.get();
    let mut table = PhpArr::new();
    let mut at = Some(node.clone());
    while let Some(current) = at {
        for declared in current.declared_namespaces() {
            add_namespace(&mut table, declared.prefix(), declared.uri());
        }
        for attribute in current.attributes().filter(|_| modern) {
            if attribute.namespace_uri().as_deref() == Some(b"http://www.w3.org/2000/xmlns/") {
                let prefix = attribute.namespace().and_then(|ns| ns.prefix()).map(|_| attribute.name());
                add_namespace(&mut table, prefix, Some(attribute.text()));
            }
        }
        at = if recursive { current.following(&node) } else { None };
    }
    Ok(table.into())
}

/// A view of the node, with the namespace of the arguments.
fn seen(call: &Call<'_>, view: View) -> PhpResult<Val> {
    let own = this(call)?;
    if own.view == View::Attributes {
        return Ok(Val::NULL);
    }
    let Some(node) = own.target() else { return Ok(Val::NULL) };
    let namespace = call.opt_str(0).map(|name| name.to_vec()).filter(|name| !name.is_empty());
    let by_prefix = call.bool(1) && namespace.is_some();
    object_like(call.vm, call.this(), Element { node, view, name: None, namespace, by_prefix })
}

/// `SimpleXMLElement::children()`.
pub fn children(call: &mut Call<'_>) -> PhpResult<Val> {
    seen(call, View::Children)
}

/// `SimpleXMLElement::attributes()`.
pub fn attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    seen(call, View::Attributes)
}

/// `SimpleXMLElement::getName()`.
pub fn get_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&this(call)?.target().map(|node| node.name()).unwrap_or_default()))
}

fn split(name: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match name.iter().position(|&byte| byte == b':') {
        Some(at) if at > 0 && at + 1 < name.len() => (Some(&name[..at]), &name[at + 1..]),
        _ => (None, name),
    }
}

/// `SimpleXMLElement::addChild()`.
pub fn add_child(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let own = this(call)?;
    if own.view == View::Attributes {
        call.warning("Cannot add element to attributes")?;
        return Ok(Val::NULL);
    }
    let Some(parent) = own.target() else {
        call.warning("Cannot add child. Parent is not a permanent member of the XML tree")?;
        return Ok(Val::NULL);
    };
    let (prefix, local) = split(&name);
    let Some(child) = Node::new_element(parent.document().as_ref(), local) else { return Ok(Val::NULL) };
    parent.insert_child(&child, None);
    child.set_namespace(parent.namespace().as_ref());
    if let Some(value) = call.opt_str(1).filter(|value| !value.is_empty()) {
        child.set_content_with_references(&value);
        emit(call)?;
    }
    if let Some(uri) = call.opt_str(2) {
        if uri.is_empty() {
            child.set_namespace(None);
            child.declare_namespace(Some(b""), prefix);
        } else {
            let known = parent.find_namespace_of(&uri);
            let namespace = known.or_else(|| child.declare_namespace(Some(&uri), prefix));
            child.set_namespace(namespace.as_ref());
        }
    }
    let element =
        Element { name: Some(local.to_vec()), namespace: prefix.map(<[u8]>::to_vec), ..Element::itself(child) };
    object_like(call.vm, call.this(), element)
}

/// `SimpleXMLElement::addAttribute()`.
pub fn add_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, value, uri) = (call.str(0), call.str(1), call.opt_str(2));
    if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let target = this(call)?.target();
    let holder = target.and_then(|node| if node.is(Kind::Element) { Some(node) } else { node.parent() });
    let Some(holder) = holder else {
        call.warning("Unable to locate parent Element")?;
        return Ok(Val::NULL);
    };
    let (prefix, local) = split(&name);
    if prefix.is_none() && uri.as_ref().is_some_and(|uri| !uri.is_empty()) {
        call.warning("Attribute requires prefix for namespace")?;
        return Ok(Val::NULL);
    }
    if holder.attribute_ns(uri.as_deref(), local).is_some_and(|known| known.is(Kind::Attribute)) {
        call.warning("Attribute already exists")?;
        return Ok(Val::NULL);
    }
    let namespace =
        uri.and_then(|uri| holder.find_namespace_of(&uri).or_else(|| holder.declare_namespace(Some(&uri), prefix)));
    if let Some(attribute) = Node::new_attribute(holder.document().as_ref(), local, &value) {
        attribute.set_namespace(namespace.as_ref());
        holder.add_attribute(&attribute);
    }
    Ok(Val::NULL)
}

/// `SimpleXMLElement::__toString()`.
pub fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this()).element.borrow().clone();
    Ok(Val::str(&own.map(|own| text_of(&own)).unwrap_or_default()))
}

/// `SimpleXMLElement::__debugInfo()`.
pub fn debug_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this()).element.borrow().clone();
    match own {
        Some(own) => Ok(property_table(call.vm, call.this(), &own, true)?.into()),
        None => Ok(PhpArr::new().into()),
    }
}

/// `SimpleXMLElement::count()`: the number of nodes that the view shows.
pub fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(this(call)?.shown().count() as i64))
}

/// The number of nodes that the view shows, for `count()` of an object without a method of its own.
pub fn count_of(vm: &Vm, object: &PhpObj) -> PhpResult<i64> {
    Ok(element(vm, object)?.shown().count() as i64)
}

/// Makes a node, or none at the end, the current element of the iteration.
fn arrive(call: &Call<'_>, node: Option<Node>) -> PhpResult<Val> {
    let own = this(call)?;
    let value = match node {
        Some(node) => object_like(call.vm, call.this(), own.with(node, View::Itself, None))?,
        None => Val::UNDEF,
    };
    data(call.this()).current.set(value);
    Ok(Val::NULL)
}

/// `SimpleXMLElement::rewind()`.
pub fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let first = this(call)?.first();
    arrive(call, first)
}

/// `SimpleXMLElement::valid()`.
pub fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    this(call)?;
    Ok((!data(call.this()).current.get().is_undef()).into())
}

fn current_value(call: &Call<'_>) -> PhpResult<Val> {
    let value = data(call.this()).current.get();
    if value.is_undef() {
        return Err(call.vm.throw_error(b"Iterator not initialized or already consumed"));
    }
    Ok(value)
}

/// `SimpleXMLElement::current()`: throws if the iteration is not at an element.
pub fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    current_value(call)
}

fn current_node(vm: &Vm, value: &Val) -> PhpResult<Option<Node>> {
    match value.as_obj() {
        Some(object) => Ok(Some(element(vm, object)?.node)),
        None => Ok(None),
    }
}

/// `SimpleXMLElement::key()`.
pub fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = current_value(call)?;
    let node = current_node(call.vm, &value)?;
    Ok(Val::str(&node.map(|node| node.name()).unwrap_or_default()))
}

/// `SimpleXMLElement::next()`.
pub fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = data(call.this()).current.get();
    let own = this(call)?;
    let next = current_node(call.vm, &value)?.and_then(|node| own.after(&node));
    arrive(call, next)
}

/// The current element and, if wanted, its key, for the engine's `foreach`.
pub fn current_element(vm: &Vm, object: &PhpObj, wants_key: bool) -> PhpResult<Option<(Val, Val)>> {
    let value = data(object).current.get();
    let Some(node) = current_node(vm, &value)? else { return Ok(None) };
    let key = if wants_key { Val::str(&node.name()) } else { Val::NULL };
    Ok(Some((value, key)))
}

/// `SimpleXMLElement::hasChildren()`.
pub fn has_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = this(call)?;
    let value = data(call.this()).current.get();
    if own.view == View::Attributes {
        return Ok(false.into());
    }
    let node = current_node(call.vm, &value)?;
    Ok(node.is_some_and(|node| node.children().any(|child| child.is(Kind::Element))).into())
}

/// `SimpleXMLElement::getChildren()`.
pub fn get_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = this(call)?;
    let value = data(call.this()).current.get();
    Ok(if own.view == View::Attributes { Val::NULL } else { value.or_null() })
}
