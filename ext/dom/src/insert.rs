//! Methods that insert, replace and remove children and siblings.

use crate::errors::{self, fail, fail_with};
use crate::namespaces::{reconcile, reconcile_attribute, reconcile_deep};
use crate::node::{is_read_only, may_have_children};
use crate::objects::{Held, argument, held, is_modern, optional_argument, settings, this, wrap};
use phlox_libxml::{Kind, Node};
use phlox_runtime::{Call, PhpObj, PhpResult, Val, View, convert};

fn same_document(one: &Node, other: &Node) -> bool {
    one.document() == other.document()
}

/// Whether `child` is the parent itself or one of its ancestors.
fn is_above(parent: &Node, child: &Node) -> bool {
    same_document(parent, child) && (child.is(Kind::Document) || child.contains(parent))
}

/// The old DOM's checks before an insertion. `Some`: an error was reported, and the call returns this value.
fn check_classic(call: &Call<'_>, parent: &Node, child: &Node, warn_empty: bool) -> PhpResult<Option<Val>> {
    let refuse = |code| fail(call, parent, code).map(Some);
    if is_read_only(parent) || child.parent().is_some_and(|parent| is_read_only(&parent)) {
        return refuse(errors::NO_MODIFICATION_ALLOWED);
    }
    if is_above(parent, child) {
        return refuse(errors::HIERARCHY_REQUEST);
    }
    if child.document().is_some() && !same_document(parent, child) {
        return refuse(errors::WRONG_DOCUMENT);
    }
    if warn_empty && child.is(Kind::Fragment) && child.first_child().is_none() {
        call.warning("Document Fragment is empty")?;
        return Ok(Some(false.into()));
    }
    let wrong_kind = (parent.is(Kind::Attribute) && !matches!(child.kind(), Kind::Text | Kind::EntityReference))
        || (child.is(Kind::Attribute) && !parent.is(Kind::Element))
        || child.kind().is_document();
    if wrong_kind {
        return refuse(errors::HIERARCHY_REQUEST);
    }
    Ok(None)
}

/// Inserts a node, or the children of a fragment, before a child or at the end. In the old DOM namespaces are
/// reconciled.
fn put(parent: &Node, node: &Node, before: Option<&Node>, modern: bool) {
    if node.is(Kind::Fragment) {
        let children: Vec<_> = node.children().collect();
        for child in &children {
            parent.insert_child(child, before);
        }
        if !modern {
            children.iter().for_each(reconcile_deep);
        }
        return;
    }
    let next = before.and_then(|before| if before == node { node.next() } else { Some(before.clone()) });
    parent.insert_child(node, next.as_ref());
    if !modern {
        reconcile(node);
    }
}

/// Adds an attribute node to an element and removes the attribute of that name that it has.
fn put_attribute(parent: &Node, attribute: &Node) {
    let uri = attribute.namespace_uri();
    let old = match &uri {
        None => parent.attribute(&attribute.name()),
        Some(uri) => parent.attribute_ns(Some(uri), &attribute.name()),
    };
    if let Some(old) = old.filter(|old| old.is(Kind::Attribute)) {
        if old == *attribute {
            return;
        }
        old.unlink();
    }
    parent.add_attribute(attribute);
    reconcile_attribute(attribute);
}

fn insert_classic(call: &Call<'_>, parent: &Node, child: &Node, before: Option<Node>) -> PhpResult<Val> {
    if !may_have_children(parent) {
        return Ok(false.into());
    }
    if let Some(refused) = check_classic(call, parent, child, true)? {
        return Ok(refused);
    }
    if before.as_ref().is_some_and(|before| before.parent().as_ref() != Some(parent)) {
        return fail(call, parent, errors::NOT_FOUND);
    }
    match child.kind() {
        Kind::Attribute => put_attribute(parent, child),
        Kind::Dtd | Kind::DocumentType if parent.doctype().is_some_and(|doctype| doctype != *child) => {
            let message = "A document may only contain one document type";
            return fail_with(call, settings(parent).strict_error_checking.get(), errors::HIERARCHY_REQUEST, message);
        }
        Kind::Fragment => {
            let first = child.first_child();
            put(parent, child, before.as_ref(), false);
            return first.map_or(Ok(false.into()), |first| wrap(call.vm, &first));
        }
        _ => put(parent, child, before.as_ref(), false),
    }
    wrap(call.vm, child)
}

/// `DOMNode::appendChild()` and `Dom\Node::appendChild()`.
pub fn append_child(call: &mut Call<'_>) -> PhpResult<Val> {
    let (parent, child) = (this(call)?, argument(call, 0)?);
    if !is_modern(&parent) {
        return insert_classic(call, &parent, &child, None);
    }
    check_parent(call, &parent)?;
    pre_insert(call, &parent, &child, None)?;
    wrap(call.vm, &child)
}

/// `DOMNode::insertBefore()` and `Dom\Node::insertBefore()`.
pub fn insert_before(call: &mut Call<'_>) -> PhpResult<Val> {
    let (parent, child, before) = (this(call)?, argument(call, 0)?, optional_argument(call, 1)?);
    if !is_modern(&parent) {
        return insert_classic(call, &parent, &child, before);
    }
    check_parent(call, &parent)?;
    pre_insert(call, &parent, &child, before)?;
    wrap(call.vm, &child)
}

/// `DOMNode::replaceChild()` and `Dom\Node::replaceChild()`.
pub fn replace_child(call: &mut Call<'_>) -> PhpResult<Val> {
    let (parent, new, old) = (this(call)?, argument(call, 0)?, argument(call, 1)?);
    let modern = is_modern(&parent);
    if new.document().is_some() && !same_document(&new, &parent) {
        return fail(call, &parent, errors::WRONG_DOCUMENT);
    }
    if modern {
        check_parent(call, &parent)?;
        check_replacement(call, &parent, &new, &old)?;
    } else {
        if !may_have_children(&parent) || parent.first_child().is_none() {
            return Ok(false.into());
        }
        if let Some(refused) = check_classic(call, &parent, &new, false)? {
            return Ok(refused);
        }
        if old.is(Kind::Attribute) != new.is(Kind::Attribute) {
            return fail(call, &parent, errors::HIERARCHY_REQUEST);
        }
        if old.parent().as_ref() != Some(&parent) {
            return fail(call, &parent, errors::NOT_FOUND);
        }
    }
    if old != new {
        if old.is(Kind::Attribute) {
            parent.replace_attribute(&old, &new);
        } else {
            let next = match old.next() {
                Some(next) if next == new => new.next(),
                next => next,
            };
            old.unlink();
            put(&parent, &new, next.as_ref(), modern);
        }
    }
    wrap(call.vm, &old)
}

/// `DOMNode::removeChild()` and `Dom\Node::removeChild()`.
pub fn remove_child(call: &mut Call<'_>) -> PhpResult<Val> {
    let (parent, child) = (this(call)?, argument(call, 0)?);
    if child.parent().as_ref() != Some(&parent) || parent.first_child().is_none() {
        return fail(call, &parent, errors::NOT_FOUND);
    }
    if is_read_only(&parent) {
        return fail(call, &parent, errors::NO_MODIFICATION_ALLOWED);
    }
    child.unlink();
    wrap(call.vm, &child)
}

/// Whether a node takes children in the new DOM: documents, fragments and elements do.
fn takes_children(parent: &Node) -> bool {
    parent.kind().is_document() || matches!(parent.kind(), Kind::Fragment | Kind::Element)
}

fn check_parent(call: &Call<'_>, parent: &Node) -> PhpResult<()> {
    if takes_children(parent) { Ok(()) } else { Err(errors::raise(call.vm, errors::HIERARCHY_REQUEST)) }
}

fn has_child(parent: &Node, kind: Kind) -> bool {
    parent.children().any(|child| child.is(kind))
}

fn follows(node: &Node, kind: Kind) -> bool {
    std::iter::successors(node.next(), Node::next).any(|next| next.is(kind))
}

fn precedes(node: &Node, kind: Kind) -> bool {
    std::iter::successors(node.previous(), Node::previous).any(|previous| previous.is(kind))
}

const MANY_ELEMENTS: &str = "Cannot have more than one element child in a document";
const DOCTYPE_FIRST: &str = "Document types must be the first child in a document";
const TEXT_IN_DOCUMENT: &str = "Cannot insert text as a child of a document";
const DOCTYPE_ELSEWHERE: &str = "Cannot insert a document type into anything other than a document";

/// The DOM standard's checks before an insertion. `false`: an error was reported as a warning.
fn check_insertion(call: &Call<'_>, parent: &Node, node: &Node, before: Option<&Node>) -> PhpResult<bool> {
    let strict = settings(parent).strict_error_checking.get();
    let refuse = |code: errors::Code| fail_with(call, strict, code, code.1).map(|_| false);
    // The parent may be an attribute or an entity reference when a sibling is inserted.
    if !takes_children(parent) {
        return refuse(errors::HIERARCHY_REQUEST);
    }
    if node.document().is_some() && !same_document(node, parent) {
        return refuse(errors::WRONG_DOCUMENT);
    }
    if is_above(parent, node) {
        return refuse(errors::HIERARCHY_REQUEST);
    }
    if before.is_some_and(|before| before.parent().as_ref() != Some(parent)) {
        return refuse(errors::NOT_FOUND);
    }
    let parent_is_document = parent.kind().is_document();
    let modern = is_modern(parent);
    let wrong = match node.kind() {
        Kind::Attribute => modern || !parent.is(Kind::Element),
        Kind::EntityReference => modern,
        kind => !matches!(
            kind,
            Kind::Fragment
                | Kind::Dtd
                | Kind::DocumentType
                | Kind::Element
                | Kind::Text
                | Kind::CData
                | Kind::Comment
                | Kind::Instruction
        ),
    };
    if wrong {
        return refuse(errors::HIERARCHY_REQUEST);
    }
    if !modern {
        return Ok(true);
    }
    let hierarchy = |message| Err(errors::raise_with(call.vm, errors::HIERARCHY_REQUEST, message));
    if parent_is_document && matches!(node.kind(), Kind::Text | Kind::CData) {
        return hierarchy(TEXT_IN_DOCUMENT);
    }
    if !parent_is_document && node.is(Kind::Dtd) {
        return hierarchy(DOCTYPE_ELSEWHERE);
    }
    if parent_is_document {
        let doctype_after = before.is_some_and(|before| before.is(Kind::Dtd) || follows(before, Kind::Dtd));
        match node.kind() {
            Kind::Fragment => check_fragment(call, parent, node, before)?,
            Kind::Element if has_child(parent, Kind::Element) => return hierarchy(MANY_ELEMENTS),
            Kind::Element if doctype_after => return hierarchy(DOCTYPE_FIRST),
            Kind::Dtd if has_child(parent, Kind::Dtd) => return hierarchy("Cannot have more than one document type"),
            Kind::Dtd => {
                let element_before = match before {
                    Some(before) => precedes(before, Kind::Element),
                    None => has_child(parent, Kind::Element),
                };
                if element_before {
                    return hierarchy(DOCTYPE_FIRST);
                }
            }
            _ => {}
        }
    }
    Ok(true)
}

fn check_fragment(call: &Call<'_>, parent: &Node, fragment: &Node, before: Option<&Node>) -> PhpResult<()> {
    let hierarchy = |message| Err(errors::raise_with(call.vm, errors::HIERARCHY_REQUEST, message));
    let elements = fragment.children().filter(|child| child.is(Kind::Element)).count();
    if elements > 1 {
        return hierarchy(MANY_ELEMENTS);
    }
    if fragment.children().any(|child| matches!(child.kind(), Kind::Text | Kind::CData)) {
        return hierarchy(TEXT_IN_DOCUMENT);
    }
    if elements == 1 {
        if has_child(parent, Kind::Element) {
            return hierarchy(MANY_ELEMENTS);
        }
        if before.is_some_and(|before| before.is(Kind::Dtd) || follows(before, Kind::Dtd)) {
            return hierarchy(DOCTYPE_FIRST);
        }
    }
    Ok(())
}

fn check_replacement(call: &Call<'_>, parent: &Node, new: &Node, old: &Node) -> PhpResult<()> {
    let hierarchy = |message| Err(errors::raise_with(call.vm, errors::HIERARCHY_REQUEST, message));
    if is_above(parent, new) {
        return Err(errors::raise(call.vm, errors::HIERARCHY_REQUEST));
    }
    if old.parent().as_ref() != Some(parent) {
        return Err(errors::raise(call.vm, errors::NOT_FOUND));
    }
    let fits = new.kind().is_character_data() || matches!(new.kind(), Kind::Fragment | Kind::Dtd | Kind::Element);
    if !fits {
        return Err(errors::raise(call.vm, errors::HIERARCHY_REQUEST));
    }
    let in_document = parent.kind().is_document();
    match new.kind() {
        Kind::Text | Kind::CData if in_document => hierarchy(TEXT_IN_DOCUMENT),
        Kind::Dtd if !in_document => hierarchy(DOCTYPE_ELSEWHERE),
        Kind::Fragment if in_document => {
            let elements = new.children().filter(|child| child.is(Kind::Element)).count();
            let other = parent.children().any(|child| child.is(Kind::Element) && child != *old);
            if elements > 1 || (elements == 1 && other) {
                return hierarchy(MANY_ELEMENTS);
            }
            if new.children().any(|child| matches!(child.kind(), Kind::Text | Kind::CData)) {
                return hierarchy(TEXT_IN_DOCUMENT);
            }
            if elements == 1 && follows(old, Kind::Dtd) { hierarchy(DOCTYPE_FIRST) } else { Ok(()) }
        }
        Kind::Element if in_document => {
            if parent.root_element().is_some_and(|root| root != *old) {
                return hierarchy(MANY_ELEMENTS);
            }
            if follows(old, Kind::Dtd) { hierarchy(DOCTYPE_FIRST) } else { Ok(()) }
        }
        Kind::Dtd => {
            if parent.doctype().as_ref() != Some(old) || precedes(old, Kind::Element) {
                return hierarchy(DOCTYPE_FIRST);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The DOM standard's "pre-insert". `false`: the checks refused the node, which was reported as a warning.
pub fn pre_insert(call: &Call<'_>, parent: &Node, node: &Node, before: Option<Node>) -> PhpResult<bool> {
    if !check_insertion(call, parent, node, before.as_ref())? {
        return Ok(false);
    }
    if node.is(Kind::Attribute) {
        put_attribute(parent, node);
    } else {
        put(parent, node, before.as_ref(), is_modern(parent));
    }
    Ok(true)
}

/// The node that an object stands for, if it is one.
fn node_in(object: &PhpObj) -> Option<Node> {
    match held(object) {
        Held::Node(node) => Some(node),
        _ => None,
    }
}

/// Checks that each argument of a variadic call is a node or a string.
fn check_arguments(call: &Call<'_>, context: &Node) -> PhpResult<()> {
    let class = if is_modern(context) { "Dom\\Node" } else { "DOMNode" };
    let wanted = call.vm.require_class(class.as_bytes())?;
    for (index, value) in call.rest(0).iter().enumerate() {
        let fits = match value.deref().view() {
            View::Str(_) => true,
            View::Obj(object) => phlox_runtime::ObjExt::is_a(object, &wanted),
            _ => false,
        };
        if !fits {
            let given = convert::type_or_class_name(value);
            let display = call.func.display_name();
            let text = format!("(): Argument #{} must be of type {class}|string, {given} given", index + 1);
            return Err(call.vm.throw_type_error(&[&display[..], text.as_bytes()].concat()));
        }
    }
    Ok(())
}

/// One node for all arguments: the only one, or a fragment that contains them. `None`: refused, which was reported.
fn single_node(call: &Call<'_>, context: &Node) -> PhpResult<Option<Node>> {
    let document = if context.kind().is_document() { Some(context.clone()) } else { context.document() };
    let one = |value: &Val| match value.deref().view() {
        View::Obj(object) => node_in(object),
        View::Str(text) => Node::new_text(document.as_ref(), text),
        _ => None,
    };
    // A single object that stands for no node inserts nothing, without an error.
    if let [only] = call.rest(0) {
        return Ok(one(only));
    }
    let Some(fragment) = Node::new_fragment(document.as_ref()) else { return Ok(None) };
    for value in call.rest(0) {
        let Some(node) = one(value) else { return Err(errors::raise(call.vm, errors::INVALID_STATE)) };
        if node.document().is_some() && node.document() != document {
            fail(call, context, errors::WRONG_DOCUMENT)?;
            return Ok(None);
        }
        if node.kind().is_document() || node.is(Kind::Attribute) {
            fail(call, context, errors::HIERARCHY_REQUEST)?;
            return Ok(None);
        }
        if node.is(Kind::Fragment) {
            let children: Vec<_> = node.children().collect();
            children.iter().for_each(|child| fragment.insert_child(child, None));
        } else {
            fragment.insert_child(&node, None);
        }
    }
    Ok(Some(fragment))
}

/// `DOMDocumentFragment::append()` and `Dom\DocumentFragment::append()`.
pub fn append(call: &mut Call<'_>) -> PhpResult<Val> {
    let parent = this(call)?;
    check_arguments(call, &parent)?;
    if let Some(node) = single_node(call, &parent)? {
        pre_insert(call, &parent, &node, None)?;
    }
    Ok(Val::NULL)
}

/// `DOMDocumentFragment::prepend()` and `Dom\DocumentFragment::prepend()`.
pub fn prepend(call: &mut Call<'_>) -> PhpResult<Val> {
    let parent = this(call)?;
    check_arguments(call, &parent)?;
    if let Some(node) = single_node(call, &parent)? {
        pre_insert(call, &parent, &node, parent.first_child())?;
    }
    Ok(Val::NULL)
}

/// `DOMDocumentFragment::replaceChildren()` and `Dom\DocumentFragment::replaceChildren()`.
pub fn replace_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let parent = this(call)?;
    check_arguments(call, &parent)?;
    let Some(node) = single_node(call, &parent)? else { return Ok(Val::NULL) };
    if parent.kind().is_document() && is_modern(&parent) {
        let fits = match node.kind() {
            Kind::Fragment => check_replaced(call, &node),
            Kind::Text | Kind::CData => Err(errors::raise_with(call.vm, errors::HIERARCHY_REQUEST, TEXT_IN_DOCUMENT)),
            _ => Ok(()),
        };
        fits?;
    }
    if check_insertion(call, &parent, &node, None)? {
        parent.take_children();
        pre_insert(call, &parent, &node, None)?;
    }
    Ok(Val::NULL)
}

fn check_replaced(call: &Call<'_>, fragment: &Node) -> PhpResult<()> {
    let elements = fragment.children().filter(|child| child.is(Kind::Element)).count();
    if elements > 1 {
        return Err(errors::raise_with(call.vm, errors::HIERARCHY_REQUEST, MANY_ELEMENTS));
    }
    Ok(())
}

/// The nearest sibling in the direction of `step` that is not among the arguments.
fn viable_sibling(call: &Call<'_>, node: &Node, step: fn(&Node) -> Option<Node>) -> PhpResult<Option<Node>> {
    let mut given = Vec::new();
    for value in call.rest(0) {
        if let View::Obj(object) = value.deref().view() {
            given.extend(node_in(object));
        }
    }
    Ok(std::iter::successors(step(node), step).find(|sibling| !given.contains(sibling)))
}

/// `DOMCharacterData::after()` and `Dom\CharacterData::after()`.
pub fn after(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    check_arguments(call, &node)?;
    let Some(parent) = node.parent() else { return Ok(Val::NULL) };
    let next = viable_sibling(call, &node, Node::next)?;
    if let Some(node) = single_node(call, &parent)? {
        pre_insert(call, &parent, &node, next)?;
    }
    Ok(Val::NULL)
}

/// `DOMCharacterData::before()` and `Dom\CharacterData::before()`.
pub fn before(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    check_arguments(call, &node)?;
    let Some(parent) = node.parent() else { return Ok(Val::NULL) };
    let previous = viable_sibling(call, &node, Node::previous)?;
    if let Some(node) = single_node(call, &parent)? {
        let next = match previous {
            Some(previous) => previous.next(),
            None => parent.first_child(),
        };
        pre_insert(call, &parent, &node, next)?;
    }
    Ok(Val::NULL)
}

/// `DOMCharacterData::replaceWith()` and `Dom\CharacterData::replaceWith()`.
pub fn replace_with(call: &mut Call<'_>) -> PhpResult<Val> {
    let child = this(call)?;
    check_arguments(call, &child)?;
    let Some(parent) = child.parent() else { return Ok(Val::NULL) };
    let next = viable_sibling(call, &child, Node::next)?;
    if is_read_only(&child) || is_read_only(&parent) {
        return fail(call, &child, errors::NO_MODIFICATION_ALLOWED);
    }
    let Some(node) = single_node(call, &parent)? else { return Ok(Val::NULL) };
    if node == child {
        return Ok(Val::NULL);
    }
    if is_modern(&parent) && parent.kind().is_document() {
        check_replacement(call, &parent, &node, &child).or_else(|error| {
            // The replaced child may be one of the arguments, and then it is in the fragment by now.
            if child.parent().as_ref() == Some(&parent) { Err(error) } else { Ok(()) }
        })?;
    } else if !check_insertion(call, &parent, &node, next.as_ref())? {
        return Ok(Val::NULL);
    }
    if child.parent().as_ref() == Some(&parent) {
        child.unlink();
    }
    put(&parent, &node, next.as_ref(), is_modern(&parent));
    Ok(Val::NULL)
}

/// `DOMCharacterData::remove()` and `Dom\CharacterData::remove()`.
pub fn remove(call: &mut Call<'_>) -> PhpResult<Val> {
    let child = this(call)?;
    if is_read_only(&child) || child.parent().is_some_and(|parent| is_read_only(&parent)) {
        return fail(call, &child, errors::NO_MODIFICATION_ALLOWED).map(|_| Val::NULL);
    }
    if child.parent().is_none() {
        if is_modern(&child) {
            return Ok(Val::NULL);
        }
        return fail(call, &child, errors::NOT_FOUND).map(|_| Val::NULL);
    }
    child.unlink();
    Ok(Val::NULL)
}

fn elements(call: &Call<'_>) -> PhpResult<Vec<Node>> {
    Ok(this(call)?.children().filter(|child| child.is(Kind::Element)).collect())
}

/// Reads `DOMDocumentFragment::$firstElementChild` and `Dom\DocumentFragment::$firstElementChild`.
pub fn get_first_element_child(call: &mut Call<'_>) -> PhpResult<Val> {
    crate::objects::wrap_optional(call.vm, elements(call)?.first().cloned())
}

/// Reads `DOMDocumentFragment::$lastElementChild` and `Dom\DocumentFragment::$lastElementChild`.
pub fn get_last_element_child(call: &mut Call<'_>) -> PhpResult<Val> {
    crate::objects::wrap_optional(call.vm, elements(call)?.last().cloned())
}

/// Reads `DOMDocumentFragment::$childElementCount` and `Dom\DocumentFragment::$childElementCount`.
pub fn get_child_element_count(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(elements(call)?.len() as i64))
}
