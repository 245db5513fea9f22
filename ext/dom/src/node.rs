//! The properties and methods of `DOMNode` and `Dom\Node` that do not change the tree.

use crate::lists::{self, Source};
use crate::objects::{
    self, Held, argument, held, is_html_element, is_modern, optional_argument, text, this, wrap, wrap_optional,
};
use crate::{errors, namespaces};
use phlox_ext_libxml::emit;
use phlox_libxml::{Answer, Canonical, Found, InScope, Kind, Node, Visible, XPath};
use phlox_runtime::{Call, Key, ObjExt, PhpArr, PhpResult, PhpStr, Throw, Val, View, convert};

/// Whether the node can have children that scripts see.
pub fn may_have_children(node: &Node) -> bool {
    !matches!(
        node.kind(),
        Kind::DocumentType | Kind::Dtd | Kind::Instruction | Kind::Comment | Kind::CData | Kind::Text | Kind::Notation
    )
}

/// Whether the node belongs to a declaration or an entity, which no script may change.
pub fn is_read_only(node: &Node) -> bool {
    match node.kind() {
        Kind::EntityReference
        | Kind::Entity
        | Kind::DocumentType
        | Kind::Notation
        | Kind::Dtd
        | Kind::ElementDeclaration
        | Kind::AttributeDeclaration
        | Kind::EntityDeclaration
        | Kind::Namespace => true,
        _ => node.document().is_none(),
    }
}

/// The name that `nodeName` gives: upper case for HTML elements of HTML documents of the new DOM.
pub fn node_name(node: &Node) -> Vec<u8> {
    match node.kind() {
        Kind::Element => {
            let name = node.qualified_name();
            let upper = is_modern(node)
                && is_html_element(node)
                && node.document().is_some_and(|document| document.is(Kind::HtmlDocument));
            if upper { name.to_ascii_uppercase() } else { name }
        }
        Kind::Attribute => node.qualified_name(),
        Kind::CData => b"#cdata-section".to_vec(),
        Kind::Comment => b"#comment".to_vec(),
        Kind::Document | Kind::HtmlDocument => b"#document".to_vec(),
        Kind::Fragment => b"#document-fragment".to_vec(),
        Kind::Text => b"#text".to_vec(),
        _ => node.name(),
    }
}

/// Reads `DOMNode::$nodeName` and `Dom\Node::$nodeName`.
pub fn get_node_name(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Held::Notation { notation, .. } = held(call.this()) {
        return Ok(Val::str(&notation.name));
    }
    Ok(Val::str(&node_name(&this(call)?)))
}

/// Reads `DOMNode::$nodeValue` and `Dom\Node::$nodeValue`: null for elements of the new DOM, whose text is their
/// content in the old one.
pub fn get_node_value(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    let node = this(call)?;
    Ok(match node.kind() {
        Kind::Element if is_modern(&node) => Val::NULL,
        Kind::Element | Kind::Attribute | Kind::Text | Kind::Comment | Kind::CData | Kind::Instruction => {
            Val::str(&node.text())
        }
        _ => Val::NULL,
    })
}

/// Sets `DOMNode::$nodeValue`, `Dom\Node::$nodeValue` and `Dom\Element::$substitutedNodeValue`.
pub fn set_node_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, value) = (this(call)?, call.str(0));
    match node.kind() {
        Kind::Attribute if is_modern(&node) => node.set_attribute_text(&value),
        Kind::Attribute => node.set_attribute_content(&value),
        _ if is_modern(&node) && !node.kind().is_character_data() => return Err(read_only(call, b"nodeValue")),
        Kind::Element => node.set_content_with_references(&value),
        _ => node.set_own_text(&value),
    }
    emit_for_caller(call)
}

fn read_only(call: &Call<'_>, property: &[u8]) -> Throw {
    let class = call.this().class_name();
    call.vm.throw_error(&[b"Cannot modify readonly property ", &class[..], b"::$", property].concat())
}

/// Emits what libxml2 reported while a property was set. Warnings name the function that sets the property.
pub fn emit_for_caller(call: &Call<'_>) -> PhpResult<Val> {
    phlox_ext_libxml::emit_by_frame(call)?;
    Ok(Val::NULL)
}

/// Reads `DOMNode::$nodeType` and `Dom\Node::$nodeType`: the internal subset of a document counts as a document type.
pub fn get_node_type(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::int(Kind::Notation as i64));
    }
    let kind = this(call)?.kind();
    Ok(Val::int(if kind == Kind::Dtd { Kind::DocumentType } else { kind } as i64))
}

/// Reads `DOMNode::$parentNode` and `Dom\Node::$parentNode`.
pub fn get_parent_node(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    wrap_optional(call.vm, this(call)?.parent())
}

/// Reads `DOMNode::$parentElement` and `Dom\Node::$parentElement`: null where the parent is no element.
pub fn get_parent_element(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    wrap_optional(call.vm, this(call)?.parent().filter(|parent| parent.is(Kind::Element)))
}

/// Reads `DOMNode::$childNodes` and `Dom\Node::$childNodes`: a live list.
pub fn get_child_nodes(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Held::Notation { doctype, .. } = held(call.this()) {
        return lists::node_list(call.vm, &doctype, Source::Fixed(Vec::new()));
    }
    let node = this(call)?;
    lists::node_list(call.vm, &node, Source::Children)
}

fn neighbour(call: &Call<'_>, find: impl FnOnce(&Node) -> Option<Node>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    wrap_optional(call.vm, find(&this(call)?))
}

/// Reads `DOMNode::$firstChild` and `Dom\Node::$firstChild`.
pub fn get_first_child(call: &mut Call<'_>) -> PhpResult<Val> {
    neighbour(call, |node| node.first_child().filter(|_| may_have_children(node)))
}

/// Reads `DOMNode::$lastChild` and `Dom\Node::$lastChild`.
pub fn get_last_child(call: &mut Call<'_>) -> PhpResult<Val> {
    neighbour(call, |node| node.last_child().filter(|_| may_have_children(node)))
}

/// Reads `DOMNode::$previousSibling` and `Dom\Node::$previousSibling`.
pub fn get_previous_sibling(call: &mut Call<'_>) -> PhpResult<Val> {
    neighbour(call, Node::previous)
}

/// Reads `DOMNode::$nextSibling` and `Dom\Node::$nextSibling`.
pub fn get_next_sibling(call: &mut Call<'_>) -> PhpResult<Val> {
    neighbour(call, Node::next)
}

/// Reads `DOMCharacterData::$previousElementSibling` and `Dom\CharacterData::$previousElementSibling`.
pub fn get_previous_element_sibling(call: &mut Call<'_>) -> PhpResult<Val> {
    neighbour(call, |node| std::iter::successors(node.previous(), Node::previous).find(|node| node.is(Kind::Element)))
}

/// Reads `DOMCharacterData::$nextElementSibling` and `Dom\CharacterData::$nextElementSibling`.
pub fn get_next_element_sibling(call: &mut Call<'_>) -> PhpResult<Val> {
    neighbour(call, |node| std::iter::successors(node.next(), Node::next).find(|node| node.is(Kind::Element)))
}

/// Reads `DOMNode::$attributes` and `Dom\Element::$attributes`: a live map for an element, null for other nodes.
pub fn get_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    let node = this(call)?;
    if node.is(Kind::Element) { lists::named_node_map(call.vm, &node, Source::Attributes) } else { Ok(Val::NULL) }
}

/// Reads `DOMNode::$isConnected` and `Dom\Node::$isConnected`: whether the topmost node of the tree is a document.
pub fn get_is_connected(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(false.into());
    }
    Ok(this(call)?.root().kind().is_document().into())
}

/// Reads `DOMNode::$ownerDocument` and `Dom\Node::$ownerDocument`: null for a document.
pub fn get_owner_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = match held(call.this()) {
        Held::Notation { doctype, .. } => doctype,
        _ => this(call)?,
    };
    if node.kind().is_document() {
        return Ok(Val::NULL);
    }
    wrap_optional(call.vm, node.document())
}

/// Reads `DOMNode::$namespaceURI` and `Dom\Attr::$namespaceURI`.
pub fn get_namespace_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    Ok(text(this(call)?.namespace_uri()))
}

/// Reads `DOMNode::$prefix` and `Dom\Attr::$prefix`: without one, null in the new DOM and the empty string in the old
/// one.
pub fn get_prefix(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::str(b""));
    }
    let node = this(call)?;
    let prefix = node.namespace().and_then(|ns| ns.prefix());
    Ok(if is_modern(&node) { text(prefix) } else { Val::str(&prefix.unwrap_or_default()) })
}

/// Sets `DOMNode::$prefix`.
pub fn set_prefix(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, prefix) = (this(call)?, call.str(0));
    let holder = match node.kind() {
        Kind::Element => Some(node.clone()),
        Kind::Attribute => node.parent().or_else(|| node.document().and_then(|document| document.root_element())),
        _ => return Ok(Val::NULL),
    };
    let (Some(holder), Some(namespace)) = (holder, node.namespace()) else { return Ok(Val::NULL) };
    let wanted = Some(&prefix[..]).filter(|prefix| !prefix.is_empty());
    if namespace.prefix().as_deref() == wanted {
        return Ok(Val::NULL);
    }
    let uri = namespace.uri();
    let is_attribute = node.is(Kind::Attribute);
    let refused = match &uri {
        None => true,
        Some(uri) => {
            (&prefix[..] == b"xml" && uri != namespaces::XML)
                || (is_attribute && &prefix[..] == b"xmlns" && uri != namespaces::XMLNS)
                || (is_attribute && node.name_is(b"xmlns"))
        }
    };
    if refused {
        return errors::fail(call, &node, errors::NAMESPACE).map(|_| Val::NULL);
    }
    let known = holder.declared_namespaces().into_iter().find(|ns| ns.prefix().as_deref() == wanted && ns.uri() == uri);
    let Some(found) = known.or_else(|| holder.declare_namespace(uri.as_deref(), wanted)) else {
        return Err(errors::raise(call.vm, errors::NAMESPACE));
    };
    node.set_namespace(Some(&found));
    Ok(Val::NULL)
}

/// Reads `DOMNode::$localName` and `Dom\Attr::$localName`: null except for elements and attributes.
pub fn get_local_name(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    let node = this(call)?;
    Ok(match node.kind() {
        Kind::Element | Kind::Attribute => Val::str(&node.name()),
        _ => Val::NULL,
    })
}

/// Reads `DOMNode::$baseURI` and `Dom\Node::$baseURI`: without one, the document's URL or `about:blank` in the new
/// DOM.
pub fn get_base_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::NULL);
    }
    let node = this(call)?;
    let uri = node.base_uri();
    if uri.is_none() && is_modern(&node) {
        let url = node.document().and_then(|document| document.url());
        return Ok(Val::str(&url.unwrap_or_else(|| b"about:blank".to_vec())));
    }
    Ok(text(uri))
}

/// Reads `DOMNode::$textContent`, `Dom\Node::$textContent` and `Dom\Element::$substitutedNodeValue`.
pub fn get_text_content(call: &mut Call<'_>) -> PhpResult<Val> {
    if matches!(held(call.this()), Held::Notation { .. }) {
        return Ok(Val::str(b""));
    }
    let node = this(call)?;
    let has_text =
        node.kind().is_character_data() || matches!(node.kind(), Kind::Fragment | Kind::Element | Kind::Attribute);
    // Without a document it is unknown which DOM the node belongs to, and its text is given.
    let is_null = !has_text && node.document().is_some_and(|document| is_modern(&document));
    Ok(if is_null { Val::NULL } else { Val::str(&node.text()) })
}

/// Sets `DOMNode::$textContent` and `Dom\Node::$textContent`.
pub fn set_text_content(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, value) = (this(call)?, call.str(0));
    match node.kind() {
        Kind::Attribute => node.set_attribute_text(&value),
        Kind::Fragment | Kind::Element => {
            node.take_children();
            if let Some(content) = Node::new_text(node.document().as_ref(), &value) {
                node.insert_child(&content, None);
            }
        }
        Kind::Document | Kind::HtmlDocument | Kind::DocumentType | Kind::Dtd if is_modern(&node) => {
            return Err(read_only(call, b"textContent"));
        }
        _ => node.set_own_text(&value),
    }
    Ok(Val::NULL)
}

/// `DOMNode::hasChildNodes()` and `Dom\Node::hasChildNodes()`.
pub fn has_child_nodes(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    Ok((may_have_children(&node) && node.first_child().is_some()).into())
}

/// `DOMNode::hasAttributes()` and `Dom\Element::hasAttributes()`: declarations of namespaces of the old DOM do not
/// count.
pub fn has_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(this(call)?.first_attribute().is_some().into())
}

/// `DOMNode::cloneNode()` and `Dom\Node::cloneNode()`.
pub fn clone_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    match objects::copy_of(&node, call.bool(0)) {
        Some(copy) => wrap(call.vm, &copy),
        None => Ok(false.into()),
    }
}

/// `DOMNode::normalize()` and `Dom\Node::normalize()`.
pub fn normalize(call: &mut Call<'_>) -> PhpResult<Val> {
    normalize_below(&this(call)?);
    Ok(Val::NULL)
}

/// Joins neighbouring texts and removes empty ones, everywhere below a node.
pub fn normalize_below(top: &Node) {
    let attributes = !is_modern(top);
    let mut at = top.first_child();
    while let Some(node) = at {
        if node.is(Kind::Text) {
            node.join_following_texts();
            if node.own_text().unwrap_or_default().is_empty() {
                at = node.following_after(top);
                node.unlink();
                continue;
            }
        }
        if attributes {
            for attribute in node.attributes().collect::<Vec<_>>() {
                normalize_texts(&attribute);
            }
        }
        at = node.following(top);
    }
}

fn normalize_texts(parent: &Node) {
    let mut at = parent.first_child();
    while let Some(node) = at {
        node.join_following_texts();
        at = node.next();
        if node.is(Kind::Text) && node.own_text().unwrap_or_default().is_empty() {
            node.unlink();
        }
    }
}

/// The features that `hasFeature()` and `isSupported()` report: XML, and Core 1.0.
pub fn has_feature(feature: &[u8], version: &[u8]) -> bool {
    matches!(version, b"1.0" | b"2.0" | b"")
        && (feature.eq_ignore_ascii_case(b"XML") || (feature.eq_ignore_ascii_case(b"Core") && version == b"1.0"))
}

/// `DOMNode::isSupported()`.
pub fn is_supported(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(has_feature(&call.str(0), &call.str(1)).into())
}

/// `DOMNode::isSameNode()` and `Dom\Node::isSameNode()`.
pub fn is_same_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(other) = optional_argument(call, 0)? else { return Ok(false.into()) };
    Ok((this(call)? == other).into())
}

/// `DOMNode::isEqualNode()` and `Dom\Node::isEqualNode()`.
pub fn is_equal_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(other) = optional_argument(call, 0)? else { return Ok(false.into()) };
    let node = this(call)?;
    Ok(are_equal(&node, &other, is_modern(&node)).into())
}

fn are_equal(one: &Node, other: &Node, modern: bool) -> bool {
    if one == other {
        return true;
    }
    if one.kind() != other.kind() {
        return false;
    }
    match one.kind() {
        Kind::Element => {
            let prefix = |node: &Node| node.namespace().and_then(|ns| ns.prefix());
            one.name() == other.name()
                && prefix(one) == prefix(other)
                && one.namespace_uri() == other.namespace_uri()
                && same_attributes(one, other)
                && (modern || same_declarations(one, other))
                && same_children(one, other, modern)
        }
        Kind::Attribute => {
            one.name() == other.name() && one.namespace_uri() == other.namespace_uri() && one.text() == other.text()
        }
        Kind::Dtd | Kind::DocumentType => {
            one.name() == other.name() && one.public_id() == other.public_id() && one.system_id() == other.system_id()
        }
        Kind::Instruction => one.name() == other.name() && one.own_text() == other.own_text(),
        Kind::Text | Kind::Comment | Kind::CData => one.own_text() == other.own_text(),
        Kind::EntityReference => one.name() == other.name(),
        Kind::EntityDeclaration => {
            one.entity_type() == other.entity_type()
                && one.name() == other.name()
                && one.public_id() == other.public_id()
                && one.system_id() == other.system_id()
                && one.text() == other.text()
        }
        Kind::Fragment | Kind::Document | Kind::HtmlDocument => same_children(one, other, modern),
        _ => false,
    }
}

fn same_children(one: &Node, other: &Node, modern: bool) -> bool {
    let (mut left, mut right) = (one.children(), other.children());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if are_equal(&left, &right, modern) => {}
            _ => return false,
        }
    }
}

fn same_attributes(one: &Node, other: &Node) -> bool {
    let (left, right): (Vec<_>, Vec<_>) = (one.attributes().collect(), other.attributes().collect());
    left.len() == right.len() && left.iter().all(|a| right.iter().any(|b| are_equal(a, b, true)))
}

fn same_declarations(one: &Node, other: &Node) -> bool {
    let (left, right) = (one.declared_namespaces(), other.declared_namespaces());
    left.len() == right.len()
        && left.iter().all(|a| right.iter().any(|b| a.prefix() == b.prefix() && a.uri() == b.uri()))
}

/// `Dom\Node::contains()`, whose declaration has the parameter's type.
pub fn contains(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(other) = call.opt_obj(0) else { return Ok(false.into()) };
    let node = this(call)?;
    Ok(matches!(held(&other), Held::Node(inner) if node.contains(&inner)).into())
}

/// `DOMNode::contains()`: the parameter's type is checked here because the declaration has none.
pub fn classic_contains(call: &mut Call<'_>) -> PhpResult<Val> {
    let other = call.arg(0);
    if !other.is_null() && other.as_obj().is_none() {
        return Err(call.type_error(0, &format!("must be of type ?object, {} given", convert::value_name(&other))));
    }
    let Some(other) = other.into_obj() else { return Ok(false.into()) };
    let (nodes, namespaces) = (call.vm.require_class(b"DOMNode")?, call.vm.require_class(b"DOMNameSpaceNode")?);
    if !other.is_a(&nodes) && !other.is_a(&namespaces) {
        let given = other.class_name();
        return Err(call.type_error(0, &format!("must be of type DOMNode|DOMNameSpaceNode|null, {given} given")));
    }
    let inner = match held(&other) {
        Held::Node(inner) => inner,
        Held::Namespace { element, .. } => element,
        _ => return Ok(false.into()),
    };
    Ok(this(call)?.contains(&inner).into())
}

/// `DOMNode::getRootNode()` and `Dom\Node::getRootNode()`: the parameter's type is checked here; its options have no
/// effect.
pub fn get_root_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = call.arg(0);
    if call.was_passed(0) && options.as_arr().is_none() && !options.is_null() {
        return Err(call.type_error(0, &format!("must be of type ?array, {} given", convert::value_name(&options))));
    }
    wrap(call.vm, &this(call)?.root())
}

const DISCONNECTED: i64 = 1;
const PRECEDING: i64 = 2;
const FOLLOWING: i64 = 4;
const CONTAINS: i64 = 8;
const CONTAINED_BY: i64 = 16;
const IMPLEMENTATION_SPECIFIC: i64 = 32;

/// `DOMNode::compareDocumentPosition()` and `Dom\Node::compareDocumentPosition()`.
pub fn compare_document_position(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, other) = (this(call)?, argument(call, 0)?);
    Ok(Val::int(position_of(&other, &this)))
}

/// The position of `one` relative to `two`, in the bits of `compareDocumentPosition()`.
fn position_of(one: &Node, two: &Node) -> i64 {
    if one == two {
        return 0;
    }
    // An attribute is compared by the element that has it.
    let anchor = |node: &Node| match node.kind() {
        Kind::Attribute => (node.parent(), Some(node.clone())),
        _ => (Some(node.clone()), None),
    };
    let ((node1, attr1), (node2, attr2)) = (anchor(one), anchor(two));
    if let (Some(first), Some(second), Some(element)) = (&attr1, &attr2, &node2) {
        if node1 == node2 {
            for attribute in element.attributes() {
                if attribute == *first {
                    return IMPLEMENTATION_SPECIFIC | PRECEDING;
                }
                if attribute == *second {
                    return IMPLEMENTATION_SPECIFIC | FOLLOWING;
                }
            }
        }
    }
    let by_address = || if one.address() > two.address() { FOLLOWING } else { PRECEDING };
    let (Some(node1), Some(node2)) = (node1, node2) else {
        return DISCONNECTED | IMPLEMENTATION_SPECIFIC | by_address();
    };
    if node1.root() != node2.root() {
        return DISCONNECTED | IMPLEMENTATION_SPECIFIC | by_address();
    }
    if (node1 != node2 && node1.contains(&node2) && attr1.is_none()) || (node1 == node2 && attr2.is_some()) {
        return CONTAINS | PRECEDING;
    }
    if (node1 != node2 && node2.contains(&node1) && attr2.is_none()) || (node1 == node2 && attr1.is_some()) {
        return CONTAINED_BY | FOLLOWING;
    }
    let root = node1.root();
    let mut at = Some(root.clone());
    while let Some(node) = at {
        if node == node1 {
            return PRECEDING;
        }
        if node == node2 {
            return FOLLOWING;
        }
        at = node.following(&root);
    }
    PRECEDING
}

/// `DOMNode::lookupPrefix()` and `Dom\Node::lookupPrefix()`.
pub fn lookup_prefix(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, uri) = (this(call)?, call.opt_str(0).unwrap_or_else(PhpStr::empty));
    if uri.is_empty() {
        return Ok(Val::NULL);
    }
    let element = match node.kind() {
        Kind::Element => Some(node),
        Kind::Document | Kind::HtmlDocument => node.root_element(),
        Kind::Entity | Kind::Notation | Kind::Fragment | Kind::DocumentType | Kind::Dtd => None,
        _ => node.parent(),
    };
    if element.as_ref().is_some_and(is_modern) {
        return Ok(text(element.and_then(|element| namespaces::located_prefix(&element, &uri))));
    }
    let found = element.and_then(|element| element.find_namespace_of(&uri));
    Ok(text(found.and_then(|ns| ns.prefix())))
}

fn namespace_holder(node: Node) -> Option<Node> {
    if node.kind().is_document() { node.root_element() } else { Some(node) }
}

/// `DOMNode::lookupNamespaceURI()` and `Dom\Node::lookupNamespaceURI()`.
pub fn lookup_namespace_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, prefix) = (this(call)?, call.opt_str(0));
    let modern = is_modern(&node);
    let prefix = prefix.filter(|prefix| !modern || !prefix.is_empty());
    let holder = match node.kind() {
        Kind::Fragment | Kind::DocumentType | Kind::Dtd if modern => None,
        Kind::Attribute | Kind::Text | Kind::Comment | Kind::CData | Kind::Instruction if modern => node.parent(),
        _ => namespace_holder(node),
    };
    let Some(holder) = holder else { return Ok(Val::NULL) };
    if modern {
        return Ok(text(namespaces::located(&holder, prefix.as_deref())));
    }
    let found = holder.find_namespace(prefix.as_deref());
    Ok(text(found.and_then(|ns| ns.uri())))
}

/// `DOMNode::isDefaultNamespace()` and `Dom\Node::isDefaultNamespace()`.
pub fn is_default_namespace(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, uri) = (this(call)?, call.opt_str(0).unwrap_or_else(PhpStr::empty));
    if is_modern(&node) {
        let holder = match node.kind() {
            Kind::Fragment | Kind::DocumentType | Kind::Dtd => None,
            Kind::Attribute | Kind::Text | Kind::Comment | Kind::CData | Kind::Instruction => node.parent(),
            _ => namespace_holder(node),
        };
        let found = holder.and_then(|holder| namespaces::located(&holder, None)).unwrap_or_default();
        return Ok((found == uri.as_bytes()).into());
    }
    if uri.is_empty() {
        return Ok(false.into());
    }
    let found = namespace_holder(node).and_then(|holder| holder.find_namespace(None));
    Ok(found.is_some_and(|ns| ns.uri().as_deref() == Some(&uri[..])).into())
}

/// `DOMNode::getLineNo()` and `Dom\Node::getLineNo()`.
pub fn get_line_no(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(this(call)?.line()))
}

/// `DOMNode::getNodePath()` and `Dom\Node::getNodePath()`.
pub fn get_node_path(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(text(this(call)?.path()))
}

/// The canonical text of a call's node. `None`: the call was refused with a warning.
fn canonical(call: &Call<'_>, first: usize) -> PhpResult<Option<Vec<u8>>> {
    let node = this(call)?;
    let Some(document) = node.document() else {
        return Err(call.vm.throw_error(b"Node must be associated with a document"));
    };
    let (exclusive, comments) = (call.bool(first), call.bool(first + 1));
    if is_modern(&document) && !node.root().kind().is_document() {
        let text = "Canonicalization can only happen on nodes attached to a document.";
        return Err(errors::raise_with(call.vm, errors::HIERARCHY_REQUEST, text));
    }
    // libxml2 looks for declarations of namespaces, which are attributes in the new DOM: attributes become declarations
    // for the duration of the call.
    let relinked = is_modern(&document).then(|| crate::serialize::declare_attributes(&document));
    let saved = canonical_text(call, first, &document, &node, (exclusive, comments));
    if let Some(relinked) = relinked {
        crate::serialize::undeclare(relinked);
    }
    emit(call)?;
    saved
}

/// The canonical text of a node, or of what the array argument selects. The options follow `first` arguments, of which
/// one names a file.
fn canonical_text(
    call: &Call<'_>,
    first: usize,
    document: &Node,
    node: &Node,
    (exclusive, comments): (bool, bool),
) -> PhpResult<Option<Vec<u8>>> {
    let query = call.opt_arr(first + 2);
    let found = query.map(|query| selected(call, first + 2, document, node, &query)).transpose()?;
    let visible = match &found {
        Some(found) => Visible::Only(found),
        None if node.kind().is_document() => Visible::All,
        None => Visible::Below(node),
    };
    let prefixes: Vec<PhpStr> = match call.opt_arr(first + 3) {
        Some(prefixes) if exclusive => prefixes.values().filter_map(|prefix| prefix.deref().into_str()).collect(),
        Some(_) => {
            call.raise(phlox_runtime::Level::Notice, b"Inclusive namespace prefixes only allowed in exclusive mode.")?;
            Vec::new()
        }
        None => Vec::new(),
    };
    let how = Canonical { exclusive, comments, prefixes: prefixes.iter().map(|prefix| &prefix[..]).collect() };
    // The file is opened before the text is made: it stays empty if the document has no canonical form.
    let file = match first {
        0 => None,
        _ => match crate::loading::file_to_write(call, &call.str(0))? {
            Some(file) => Some(file),
            None => return Ok(None),
        },
    };
    let text = document.save_canonical(&how, visible);
    if let Some(file) = file {
        file.write(call.vm, text.as_deref().unwrap_or_default())?;
        file.close(call.vm)?;
    }
    Ok(text)
}

/// The nodes that the array argument of a canonicalisation selects by an XPath expression.
fn selected(call: &Call<'_>, index: usize, document: &Node, node: &Node, query: &PhpArr) -> PhpResult<Vec<Found>> {
    let Some(expression) = query.get_bytes(b"query").map(Val::deref) else {
        return Err(call.value_error(index, "must have a \"query\" key"));
    };
    let View::Str(expression) = expression.view() else {
        let given = phlox_runtime::convert::value_name(&expression);
        let message = format!("\"query\" option must be a string, {given} given");
        return Err(call.type_error(index, &message));
    };
    let Some(xpath) = XPath::new(document) else { return Ok(Vec::new()) };
    if let Some(table) = query.get_bytes(b"namespaces").and_then(|table| table.deref().into_arr()) {
        for (prefix, uri) in &table {
            if let (Key::Str(prefix), Some(uri)) = (prefix, uri.deref().into_str()) {
                xpath.register_namespace(prefix, &uri);
            }
        }
    }
    match xpath.evaluate(expression, node, InScope::None) {
        Some(Answer::Nodes(found)) => Ok(found),
        _ => {
            emit(call)?;
            Err(call.vm.throw_error(b"XPath query did not return a nodeset"))
        }
    }
}

/// `DOMNode::C14N()` and `Dom\Node::C14N()`.
pub fn c14_n(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(canonical(call, 0)?.map_or_else(|| false.into(), |text| Val::str(&text)))
}

/// `DOMNode::C14NFile()` and `Dom\Node::C14NFile()`: gives the size of the text.
pub fn c14_nfile(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if path.is_empty() {
        return Err(call.vm.throw_value_error(b"Path must not be empty"));
    }
    Ok(canonical(call, 1)?.map_or_else(|| false.into(), |text| Val::int(text.len() as i64)))
}

/// `DOMNode::__sleep()` and `Dom\Node::__sleep()`: Throws the exception for serialising a node.
pub fn refuse_serialization(call: &mut Call<'_>) -> PhpResult<Val> {
    use phlox_runtime::ObjExt;
    let name = call.this().class_name().clone();
    let tail: &[u8] = b"' is not allowed, unless serialization methods are implemented in a subclass";
    Err(call.vm.throw_class(b"Exception", &[b"Serialization of '", &name[..], tail].concat(), 0))
}

/// `DOMNode::__wakeup()` and `Dom\Node::__wakeup()`: Throws the exception for unserialising a node.
pub fn refuse_unserialization(call: &mut Call<'_>) -> PhpResult<Val> {
    use phlox_runtime::ObjExt;
    let name = call.this().class_name().clone();
    let tail: &[u8] = b"' is not allowed, unless unserialization methods are implemented in a subclass";
    Err(call.vm.throw_class(b"Exception", &[b"Unserialization of '", &name[..], tail].concat(), 0))
}
