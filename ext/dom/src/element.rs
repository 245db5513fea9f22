//! Elements and attributes.

use crate::errors::{self, fail};
use crate::namespaces::{self, XMLNS, declaration_of};
use crate::objects::{Held, argument, is_html_element, is_modern, text, this, wrap, wrap_other};
use crate::{insert, lists};
use phlox_libxml::{Kind, Namespace, Node, is_valid};
use phlox_runtime::{Call, PhpArr, PhpResult, PhpStr, Val};

/// `DOMElement::__construct()`.
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, value, uri) = (call.str(0), call.opt_str(1), call.str(2));
    if !is_valid(&name, false) {
        return Err(errors::raise(call.vm, errors::INVALID_CHARACTER));
    }
    let (prefix, local) = namespaces::split(&name);
    if uri.is_empty() && prefix.is_some() {
        return Err(errors::raise(call.vm, errors::NAMESPACE));
    }
    if let Err(code) = namespaces::checked(&name, &uri) {
        return Err(errors::raise(call.vm, code));
    }
    let local: &[u8] = if uri.is_empty() { &name } else { &local };
    let Some(element) = Node::new_element(None, local) else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    if !uri.is_empty() {
        match namespaces::declare(&element, &uri, prefix.as_deref()) {
            Ok(namespace) => element.set_namespace(Some(&namespace)),
            Err(code) => return Err(errors::raise(call.vm, code)),
        }
    }
    if let Some(value) = value.filter(|value| !value.is_empty()) {
        element.set_content_with_references(&value);
        phlox_ext_libxml::emit(call)?;
    }
    crate::objects::hold(call.this(), element);
    Ok(Val::NULL)
}

/// `DOMAttr::__construct()`.
pub fn construct_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, value) = (call.str(0), call.str(1));
    if !is_valid(&name, false) {
        return Err(errors::raise(call.vm, errors::INVALID_CHARACTER));
    }
    match Node::new_attribute(None, &name, &value) {
        Some(attribute) => crate::objects::hold(call.this(), attribute),
        None => return Err(errors::raise(call.vm, errors::INVALID_STATE)),
    }
    Ok(Val::NULL)
}

/// What an attribute's qualified name stands for on an element: the old DOM also finds declarations of namespaces.
enum Found {
    Attribute(Node),
    Namespace(Namespace),
}

/// The name under which an attribute is looked up: lower case for an HTML element of an HTML document.
fn modern_name(element: &Node, name: &[u8]) -> Vec<u8> {
    let html = is_html_element(element) && element.document().is_some_and(|doc| doc.is(Kind::HtmlDocument));
    if html { name.to_ascii_lowercase() } else { name.to_vec() }
}

fn find(element: &Node, name: &[u8]) -> Option<Found> {
    if is_modern(element) {
        let name = modern_name(element, name);
        return element.attributes().find(|attribute| attribute.qualified_name() == name).map(Found::Attribute);
    }
    let (prefix, local) = namespaces::split(name);
    match prefix {
        Some(prefix) if prefix == b"xmlns" => {
            return declaration_of(element, Some(&local)).map(Found::Namespace);
        }
        Some(prefix) => {
            if let Some(uri) = element.find_namespace(Some(&prefix)).and_then(|ns| ns.uri()) {
                return element.attribute_ns(Some(&uri), &local).map(Found::Attribute);
            }
        }
        None if name == b"xmlns" => return declaration_of(element, None).map(Found::Namespace),
        None => {}
    }
    element.attribute_ns(None, name).map(Found::Attribute)
}

/// The value of an attribute, or the default value that a document type declares.
fn value_of(attribute: &Node) -> Vec<u8> {
    match attribute.kind() {
        Kind::Attribute => attribute.children_text(false).unwrap_or_default(),
        _ => attribute.default_value().unwrap_or_default(),
    }
}

fn absent(element: &Node) -> Val {
    if is_modern(element) { Val::NULL } else { Val::str(b"") }
}

/// `DOMElement::getAttribute()` and `Dom\Element::getAttribute()`: without one, null in the new DOM and the empty
/// string in the old one.
pub fn get_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    Ok(match find(&element, &call.str(0)) {
        Some(Found::Attribute(attribute)) => Val::str(&value_of(&attribute)),
        Some(Found::Namespace(namespace)) => Val::str(&namespace.uri().unwrap_or_default()),
        None => absent(&element),
    })
}

/// `DOMElement::getAttributeNames()` and `Dom\Element::getAttributeNames()`: the old DOM adds declarations of
/// namespaces, which are no attributes there.
pub fn get_attribute_names(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let mut names = Vec::new();
    if !is_modern(&element) {
        for namespace in element.declared_namespaces() {
            names.push(match namespace.prefix() {
                Some(prefix) => Val::str(&[b"xmlns:", &prefix[..]].concat()),
                None => Val::str(b"xmlns"),
            });
        }
    }
    names.extend(element.attributes().map(|attribute| Val::str(&attribute.qualified_name())));
    Ok(PhpArr::from_vec(names).into())
}

/// Sets an attribute without a namespace, and gives it.
fn put(element: &Node, name: &[u8], value: &[u8]) -> Option<Node> {
    if let Some(known) = element.attribute_ns(None, name).filter(|known| known.is(Kind::Attribute)) {
        known.set_attribute_text(value);
        return Some(known);
    }
    let attribute = Node::new_attribute(element.document().as_ref(), name, value)?;
    element.add_attribute(&attribute);
    note_id(&attribute);
    Some(attribute)
}

/// Makes the attribute `id` of an HTML document an id, which `getElementById()` finds.
pub fn note_id(attribute: &Node) {
    let html = attribute.document().is_some_and(|document| document.is(Kind::HtmlDocument));
    if html && attribute.name_is(b"id") && attribute.namespace().is_none() {
        attribute.set_id(true);
    }
}

/// `DOMElement::setAttribute()` and `Dom\Element::setAttribute()`.
pub fn set_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, name, value) = (this(call)?, call.str(0), call.str(1));
    if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if !is_valid(&name, false) {
        return Err(errors::raise(call.vm, errors::INVALID_CHARACTER));
    }
    let modern = is_modern(&element);
    match find(&element, &name) {
        Some(Found::Namespace(_)) => return Ok(false.into()),
        Some(Found::Attribute(attribute)) if attribute.is(Kind::Attribute) => {
            attribute.set_attribute_text(&value);
            return if modern { Ok(Val::NULL) } else { wrap(call.vm, &attribute) };
        }
        _ => {}
    }
    if modern {
        put(&element, &modern_name(&element, &name), &value);
        return Ok(Val::NULL);
    }
    if &name[..] == b"xmlns" {
        return match element.declare_namespace(Some(&value), None) {
            Some(_) => Ok(true.into()),
            None => Err(call.value_error(0, "must be a valid XML attribute")),
        };
    }
    let (prefix, local) = namespaces::split(&name);
    let namespace = prefix.and_then(|prefix| element.find_namespace(Some(&prefix)));
    let attribute = match &namespace {
        Some(_) => Node::new_attribute(element.document().as_ref(), &local, &value),
        None => Node::new_attribute(element.document().as_ref(), &name, &value),
    };
    let Some(attribute) = attribute else { return Err(call.value_error(0, "must be a valid XML attribute")) };
    attribute.set_namespace(namespace.as_ref());
    element.add_attribute(&attribute);
    note_id(&attribute);
    wrap(call.vm, &attribute)
}

/// Removes a declaration from an element. Elements and attributes below that use it declare it again themselves.
fn remove_declaration(element: &Node, namespace: &Namespace) {
    element.forget_namespace(namespace);
    let mut work = vec![(element.clone(), None::<Namespace>)];
    while let Some((node, mut declared)) = work.pop() {
        let users = std::iter::once(node.clone()).chain(node.attributes()).collect::<Vec<_>>();
        for user in users {
            if user.namespace().as_ref() == Some(namespace) {
                if declared.is_none() {
                    declared = node.declare_namespace(namespace.uri().as_deref(), namespace.prefix().as_deref());
                }
                user.set_namespace(declared.as_ref());
            }
        }
        work.extend(node.children().filter(|child| child.is(Kind::Element)).map(|child| (child, declared.clone())));
    }
}

fn remove_found(element: &Node, found: &Found) {
    match found {
        Found::Attribute(attribute) => attribute.unlink(),
        Found::Namespace(namespace) => remove_declaration(element, namespace),
    }
}

/// `DOMElement::removeAttribute()` and `Dom\Element::removeAttribute()`: declared defaults of a document type stay.
pub fn remove_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let found = find(&element, &call.str(0));
    let found = found.filter(|found| !matches!(found, Found::Attribute(node) if !node.is(Kind::Attribute)));
    if let Some(found) = &found {
        remove_found(&element, found);
    }
    Ok(if is_modern(&element) { Val::NULL } else { found.is_some().into() })
}

fn namespace_object(call: &Call<'_>, element: &Node, namespace: Namespace) -> PhpResult<Val> {
    wrap_other(call.vm, "DOMNameSpaceNode", Held::Namespace { element: element.clone(), namespace })
}

/// `DOMElement::getAttributeNode()` and `Dom\Element::getAttributeNode()`: in the old DOM also a declaration of a
/// namespace.
pub fn get_attribute_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    match find(&element, &call.str(0)) {
        Some(Found::Attribute(attribute)) => wrap(call.vm, &attribute),
        Some(Found::Namespace(namespace)) => namespace_object(call, &element, namespace),
        None if is_modern(&element) => Ok(Val::NULL),
        None => Ok(false.into()),
    }
}

fn put_node(call: &Call<'_>, with_namespace: bool) -> PhpResult<Val> {
    let (element, attribute) = (this(call)?, argument(call, 0)?);
    let modern = is_modern(&element);
    if modern {
        if attribute.parent().is_some_and(|parent| parent != element) {
            return Err(errors::raise(call.vm, errors::IN_USE_ATTRIBUTE));
        }
    } else if attribute.document().is_some() && attribute.document() != element.document() {
        return fail(call, &element, errors::WRONG_DOCUMENT);
    }
    let uri = attribute.namespace_uri();
    let old = match (&uri, with_namespace || modern) {
        (Some(uri), true) => element.attribute_ns(Some(uri), &attribute.name()),
        (None, true) if modern => element.attribute_ns(None, &attribute.name()),
        _ => element.attribute(&attribute.name()),
    };
    let old = old.filter(|old| old.is(Kind::Attribute));
    if old.as_ref() == Some(&attribute) {
        return Ok(if modern { wrap(call.vm, &attribute)? } else { Val::NULL });
    }
    if let Some(old) = &old {
        old.unlink();
    }
    element.add_attribute(&attribute);
    if modern {
        note_id(&attribute);
    } else {
        namespaces::reconcile_attribute(&attribute);
    }
    crate::objects::wrap_optional(call.vm, old)
}

/// `DOMElement::setAttributeNode()` and `Dom\Element::setAttributeNode()`.
pub fn set_attribute_node(call: &mut Call<'_>) -> PhpResult<Val> {
    put_node(call, false)
}

/// `DOMElement::setAttributeNodeNS()` and `Dom\Element::setAttributeNodeNS()`.
pub fn set_attribute_node_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    put_node(call, true)
}

/// `DOMElement::removeAttributeNode()` and `Dom\Element::removeAttributeNode()`.
pub fn remove_attribute_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, attribute) = (this(call)?, argument(call, 0)?);
    if attribute.parent().as_ref() != Some(&element) {
        return fail(call, &element, errors::NOT_FOUND);
    }
    attribute.unlink();
    wrap(call.vm, &attribute)
}

/// `DOMDocument::getElementsByTagName()` and `Dom\Document::getElementsByTagName()`: a live list.
pub fn get_elements_by_tag_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, name) = (this(call)?, call.path(0)?);
    lists::elements(call.vm, &node, None, &name)
}

/// `DOMDocument::getElementsByTagNameNS()` and `Dom\Document::getElementsByTagNameNS()`: a live list.
pub fn get_elements_by_tag_name_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    if call.opt_str(0).is_some() {
        call.path(0)?;
    }
    let (uri, name) = (call.opt_str(0).unwrap_or_else(PhpStr::empty), call.path(1)?);
    lists::elements(call.vm, &node, Some(&uri), &name)
}

/// The URI argument of a call. In the new DOM an empty one counts as none.
fn uri_argument(call: &Call<'_>, element: &Node) -> Option<PhpStr> {
    call.opt_str(0).filter(|uri| !is_modern(element) || !uri.is_empty())
}

/// The attribute with a name; in the old DOM also the declaration, whose namespace is that of `xmlns`.
fn find_ns(element: &Node, uri: Option<&[u8]>, name: &[u8]) -> Option<Found> {
    if let Some(attribute) = element.attribute_ns(uri, name) {
        return Some(Found::Attribute(attribute));
    }
    if is_modern(element) || uri != Some(XMLNS) {
        return None;
    }
    let prefix = Some(name).filter(|name| *name != b"xmlns");
    declaration_of(element, prefix).map(Found::Namespace)
}

/// `DOMElement::getAttributeNS()` and `Dom\Element::getAttributeNS()`.
pub fn get_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let uri = uri_argument(call, &element);
    Ok(match find_ns(&element, uri.as_deref(), &call.str(1)) {
        Some(Found::Attribute(attribute)) => Val::str(&value_of(&attribute)),
        Some(Found::Namespace(namespace)) => text(namespace.uri()),
        None => absent(&element),
    })
}

/// `DOMElement::getAttributeNodeNS()` and `Dom\Element::getAttributeNodeNS()`.
pub fn get_attribute_node_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let uri = uri_argument(call, &element);
    match find_ns(&element, uri.as_deref(), &call.str(1)) {
        Some(Found::Attribute(attribute)) => wrap(call.vm, &attribute),
        Some(Found::Namespace(namespace)) => namespace_object(call, &element, namespace),
        None => Ok(Val::NULL),
    }
}

/// `DOMElement::hasAttribute()` and `Dom\Element::hasAttribute()`.
pub fn has_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(find(&this(call)?, &call.str(0)).is_some().into())
}

/// `DOMElement::hasAttributeNS()` and `Dom\Element::hasAttributeNS()`.
pub fn has_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let uri = uri_argument(call, &element);
    Ok(find_ns(&element, uri.as_deref(), &call.str(1)).is_some().into())
}

/// `DOMElement::setAttributeNS()` and `Dom\Element::setAttributeNS()`.
pub fn set_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let (uri, name, value) = (call.opt_str(0).unwrap_or_else(PhpStr::empty), call.str(1), call.str(2));
    if is_modern(&element) {
        let (prefix, local) = match namespaces::validated(&name, &uri) {
            Ok(split) => split,
            Err(code) => return Err(errors::raise(call.vm, code)),
        };
        put_ns_modern(&element, &uri, prefix.as_deref(), &local, &value);
        return Ok(Val::NULL);
    }
    if name.is_empty() {
        return Err(call.value_error(1, "must not be empty"));
    }
    let (prefix, local) = match namespaces::checked(&name, &uri) {
        Ok(split) => split,
        Err(code) => return fail(call, &element, code).map(|_| Val::NULL),
    };
    if uri.is_empty() {
        if !is_valid(&local, false) {
            return Err(errors::raise(call.vm, errors::INVALID_CHARACTER));
        }
        put(&element, &local, &value);
        return Ok(Val::NULL);
    }
    match put_ns_classic(&element, &uri, prefix.as_deref(), &local, &value) {
        Ok(()) => Ok(Val::NULL),
        Err(code) => fail(call, &element, code).map(|_| Val::NULL),
    }
}

fn put_ns_modern(element: &Node, uri: &[u8], prefix: Option<&[u8]>, local: &[u8], value: &[u8]) {
    let uri = Some(uri).filter(|uri| !uri.is_empty());
    if let Some(known) = element.attribute_ns(uri, local).filter(|known| known.is(Kind::Attribute)) {
        known.set_attribute_text(value);
        return;
    }
    let Some(attribute) = Node::new_attribute(element.document().as_ref(), local, value) else { return };
    if let Some(uri) = uri {
        attribute.set_namespace(element.detached_namespace(Some(uri), prefix).as_ref());
    }
    element.add_attribute(&attribute);
    note_id(&attribute);
}

fn put_ns_classic(
    element: &Node,
    uri: &[u8],
    prefix: Option<&[u8]>,
    local: &[u8],
    value: &[u8],
) -> Result<(), errors::Code> {
    let declares = uri == XMLNS && (prefix == Some(b"xmlns") || (prefix.is_none() && local == b"xmlns"));
    if declares {
        let wanted = prefix.map(|_| local);
        match declaration_of(element, wanted) {
            Some(known) => element.set_namespace_uri(&known, value),
            None => {
                element.declare_namespace(Some(value), wanted);
                element.reconcile_namespaces();
            }
        }
        return Ok(());
    }
    let known = element.attribute_ns(Some(uri), local).filter(|known| known.is(Kind::Attribute));
    let namespace = match element.find_namespace_of(uri) {
        // An attribute cannot use a default namespace, so a declaration with a prefix is looked for.
        Some(found) if found.prefix().is_none() => {
            let other = element
                .declared_namespaces()
                .into_iter()
                .find(|ns| ns.prefix().is_some() && ns.uri().as_deref() == Some(uri));
            match other {
                Some(other) => Some(other),
                None => namespaces::resolve_conflict(element, uri),
            }
        }
        Some(found) => Some(found),
        None => {
            let declared = namespaces::declare(element, uri, prefix)?;
            element.reconcile_namespaces();
            Some(declared)
        }
    };
    if let Some(known) = known {
        known.set_attribute_text(value);
        known.set_namespace(namespace.as_ref());
        return Ok(());
    }
    let Some(attribute) = Node::new_attribute(element.document().as_ref(), local, value) else { return Ok(()) };
    attribute.set_namespace(namespace.as_ref());
    element.add_attribute(&attribute);
    Ok(())
}

/// `DOMElement::removeAttributeNS()` and `Dom\Element::removeAttributeNS()`.
pub fn remove_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    let (uri, name) = (uri_argument(call, &element), call.str(1));
    let attribute = element.attribute_ns(uri.as_deref(), &name);
    if !is_modern(&element) {
        let prefix = Some(&name[..]).filter(|name| *name != b"xmlns");
        if let Some(declared) = declaration_of(&element, prefix) {
            if declared.uri().as_deref() != uri.as_deref() {
                return Ok(Val::NULL);
            }
            element.forget_namespace(&declared);
            let mut at = Some(element.clone());
            while let Some(node) = at {
                for user in std::iter::once(node.clone()).chain(node.attributes()).collect::<Vec<_>>() {
                    if user.namespace().as_ref() == Some(&declared) {
                        user.set_namespace(None);
                    }
                }
                at = node.following(&element);
            }
        }
    }
    if let Some(attribute) = attribute.filter(|attribute| attribute.is(Kind::Attribute)) {
        attribute.unlink();
    }
    Ok(Val::NULL)
}

fn set_id(call: &Call<'_>, element: &Node, attribute: Option<Node>, on: bool) -> PhpResult<Val> {
    match attribute.filter(|attribute| attribute.is(Kind::Attribute)) {
        Some(attribute) => {
            attribute.set_id(on);
            Ok(Val::NULL)
        }
        None => fail(call, element, errors::NOT_FOUND).map(|_| Val::NULL),
    }
}

/// `DOMElement::setIdAttribute()` and `Dom\Element::setIdAttribute()`.
pub fn set_id_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    set_id(call, &element, element.attribute_ns(None, &call.str(0)), call.bool(1))
}

/// `DOMElement::setIdAttributeNS()` and `Dom\Element::setIdAttributeNS()`.
pub fn set_id_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    set_id(call, &element, element.attribute_ns(call.opt_str(0).as_deref(), &call.str(1)), call.bool(2))
}

/// `DOMElement::setIdAttributeNode()` and `Dom\Element::setIdAttributeNode()`.
pub fn set_id_attribute_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, attribute) = (this(call)?, argument(call, 0)?);
    let own = attribute.parent().as_ref() == Some(&element);
    set_id(call, &element, Some(attribute).filter(|_| own), call.bool(1))
}

/// `DOMElement::toggleAttribute()` and `Dom\Element::toggleAttribute()`.
pub fn toggle_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, name, force) = (this(call)?, call.str(0), call.opt_bool(1));
    if !is_valid(&name, false) {
        return Err(errors::raise(call.vm, errors::INVALID_CHARACTER));
    }
    let modern = is_modern(&element);
    let html = element.document().is_some_and(|document| document.is(Kind::HtmlDocument))
        && (is_html_element(&element) || (!modern && element.namespace().is_none()));
    let name = if html { name.to_ascii_lowercase() } else { name.to_vec() };
    if let Some(found) = find(&element, &name) {
        if force == Some(true) {
            return Ok(true.into());
        }
        remove_found(&element, &found);
        return Ok(false.into());
    }
    if force == Some(false) {
        return Ok(false.into());
    }
    match name.strip_prefix(b"xmlns:".as_slice()) {
        Some(prefix) if !modern => drop(element.declare_namespace(Some(b""), Some(prefix))),
        _ if !modern && name == b"xmlns" => drop(element.declare_namespace(Some(b""), None)),
        _ => drop(put(&element, &name, b"")),
    }
    Ok(true.into())
}

/// Reads `DOMElement::$tagName` and `Dom\Element::$tagName`.
pub fn get_tag_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&crate::node::node_name(&this(call)?)))
}

fn reflected(call: &Call<'_>, name: &[u8]) -> PhpResult<Val> {
    let attribute = this(call)?.attribute_ns(None, name);
    Ok(Val::str(&attribute.map(|attribute| value_of(&attribute)).unwrap_or_default()))
}

/// Reads `DOMElement::$className` and `Dom\Element::$className`.
pub fn get_class_name(call: &mut Call<'_>) -> PhpResult<Val> {
    reflected(call, b"class")
}

/// Sets `DOMElement::$className` and `Dom\Element::$className`.
pub fn set_class_name(call: &mut Call<'_>) -> PhpResult<Val> {
    put(&this(call)?, b"class", &call.str(0));
    Ok(Val::NULL)
}

/// Reads `DOMElement::$id` and `Dom\Element::$id`.
pub fn get_id(call: &mut Call<'_>) -> PhpResult<Val> {
    reflected(call, b"id")
}

/// Sets `DOMElement::$id` and `Dom\Element::$id`: the attribute is an id for `getElementById()` from then on.
pub fn set_id_property(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(attribute) = put(&this(call)?, b"id", &call.str(0)) {
        attribute.set_id(true);
    }
    Ok(Val::NULL)
}

/// Reads `DOMAttr::$schemaTypeInfo`: always null.
pub fn get_schema_type_info(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}

/// Inserts at the position that a word, or a case of `Dom\AdjacentPosition`, names. Gives false if there is no such
/// position.
fn insert_adjacent(call: &Call<'_>, element: &Node, node: &Node) -> PhpResult<bool> {
    let place = match call.opt_obj(0) {
        Some(case) => case.slots().first().and_then(|name| name.get().into_str()).unwrap_or_else(PhpStr::empty),
        None => call.str(0),
    };
    let (parent, before) = match &place.to_ascii_lowercase()[..] {
        b"beforebegin" => (element.parent(), Some(element.clone())),
        b"afterbegin" => (Some(element.clone()), element.first_child()),
        b"beforeend" => (Some(element.clone()), None),
        b"afterend" => (element.parent(), element.next()),
        _ => {
            fail(call, element, errors::SYNTAX)?;
            return Ok(false);
        }
    };
    let Some(parent) = parent else { return Ok(false) };
    if let Some(document) = element.document().filter(|document| node.document().as_ref() != Some(document)) {
        node.move_to_document(&document);
    } else {
        node.unlink();
    }
    insert::pre_insert(call, &parent, node, before)
}

/// `DOMElement::insertAdjacentElement()` and `Dom\Element::insertAdjacentElement()`: gives the inserted element, or
/// null where there is no such position.
pub fn insert_adjacent_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, node) = (this(call)?, argument(call, 1)?);
    if insert_adjacent(call, &element, &node)? { wrap(call.vm, &node) } else { Ok(Val::NULL) }
}

/// `DOMElement::insertAdjacentText()` and `Dom\Element::insertAdjacentText()`.
pub fn insert_adjacent_text(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = this(call)?;
    if let Some(node) = Node::new_text(element.document().as_ref(), &call.str(1)) {
        insert_adjacent(call, &element, &node)?;
    }
    Ok(Val::NULL)
}

// `DOMAttr` and `Dom\Attr`.

/// Reads `DOMAttr::$name` and `Dom\Attr::$name`: the old DOM gives the name without its prefix.
pub fn get_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let attribute = this(call)?;
    let name = if is_modern(&attribute) { attribute.qualified_name() } else { attribute.name() };
    Ok(Val::str(&name))
}

/// Reads `DOMAttr::$specified` and `Dom\Attr::$specified`: always true.
pub fn get_specified(call: &mut Call<'_>) -> PhpResult<Val> {
    this(call)?;
    Ok(true.into())
}

/// Reads `DOMAttr::$value` and `Dom\Attr::$value`.
pub fn get_value(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&this(call)?.text()))
}

/// Sets `DOMAttr::$value` and `Dom\Attr::$value`.
pub fn set_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, value) = (this(call)?, call.str(0));
    if is_modern(&node) {
        node.set_attribute_text(&value);
        return Ok(Val::NULL);
    }
    node.set_attribute_content(&value);
    crate::node::emit_for_caller(call)
}

/// Reads `DOMAttr::$ownerElement` and `Dom\Attr::$ownerElement`.
pub fn get_owner_element(call: &mut Call<'_>) -> PhpResult<Val> {
    crate::objects::wrap_optional(call.vm, this(call)?.parent())
}

/// `DOMAttr::isId()` and `Dom\Attr::isId()`.
pub fn is_id(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(this(call)?.is_id().into())
}

/// `Dom\Attr::rename()`.
pub fn rename(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    let (uri, name) = (call.opt_str(0).unwrap_or_else(PhpStr::empty), call.str(1));
    let (prefix, local) = match namespaces::validated(&name, &uri) {
        Ok(split) => split,
        Err(code) => return Err(errors::raise(call.vm, code)),
    };
    let uri = Some(&uri[..]).filter(|uri| !uri.is_empty());
    if node.is(Kind::Attribute) {
        let other = node.parent().and_then(|element| element.attribute_ns(uri, &local));
        if other.is_some_and(|other| other.is(Kind::Attribute) && other != node) {
            let message = "An attribute with the given name in the given namespace already exists";
            return Err(errors::raise_with(call.vm, errors::INVALID_MODIFICATION, message));
        }
    } else {
        let html = uri == Some(b"http://www.w3.org/1999/xhtml");
        if html != is_html_element(&node) {
            let message = if html {
                "It is not possible to move an element into the HTML namespace because the HTML namespace is tied to the \
                 HTMLElement class"
            } else {
                "It is not possible to move an element out of the HTML namespace because the HTML namespace is tied to the \
                 HTMLElement class"
            };
            return Err(errors::raise_with(call.vm, errors::INVALID_MODIFICATION, message));
        }
        if html && (node.name_is(b"template") || local == b"template") {
            let message = "It is not possible to rename the template element because it hosts a document fragment";
            return Err(errors::raise_with(call.vm, errors::INVALID_MODIFICATION, message));
        }
    }
    node.set_name(&local);
    let namespace = uri.and_then(|uri| node.detached_namespace(Some(uri), prefix.as_deref()));
    node.set_namespace(namespace.as_ref());
    Ok(Val::NULL)
}
