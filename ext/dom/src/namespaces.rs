//! Names with prefixes, and declarations of namespaces.

use crate::errors::{self, Code};
use phlox_libxml::{Kind, Namespace, Node, is_valid};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};

/// The namespace of the prefix `xml`.
pub const XML: &[u8] = b"http://www.w3.org/XML/1998/namespace";
/// The namespace of attributes that declare namespaces.
pub const XMLNS: &[u8] = b"http://www.w3.org/2000/xmlns/";

/// Prefix and local name.
pub type Split = (Option<Vec<u8>>, Vec<u8>);

/// Splits a name at its first colon if neither side is empty.
pub fn split(name: &[u8]) -> Split {
    match name.iter().position(|&byte| byte == b':') {
        Some(at) if at > 0 && at + 1 < name.len() => (Some(name[..at].to_vec()), name[at + 1..].to_vec()),
        _ => (None, name.to_vec()),
    }
}

/// Splits a qualified name after the checks of the old DOM.
pub fn checked(name: &[u8], uri: &[u8]) -> Result<Split, Code> {
    if name.is_empty() {
        return Err(errors::NAMESPACE);
    }
    let (prefix, local) = split(name);
    if prefix.is_none() && uri.is_empty() {
        return Ok((prefix, local));
    }
    if !is_valid(name, true) || (prefix.is_some() && uri.is_empty()) {
        return Err(errors::NAMESPACE);
    }
    Ok((prefix, local))
}

/// Splits a qualified name after the DOM standard's "validate and extract".
pub fn validated(name: &[u8], uri: &[u8]) -> Result<Split, Code> {
    if !is_valid(name, true) {
        return Err(errors::INVALID_CHARACTER);
    }
    let (prefix, local) = split(name);
    let is_xmlns = name == b"xmlns" || prefix.as_deref() == Some(b"xmlns");
    let refused = (prefix.is_some() && uri.is_empty())
        || (prefix.as_deref() == Some(b"xml") && uri != XML)
        || is_xmlns != (uri == XMLNS);
    if refused { Err(errors::NAMESPACE) } else { Ok((prefix, local)) }
}

/// A declaration for a prefix at an element, made if there is none. Whether prefix and URI go together is not checked.
pub fn declare_unchecked(element: &Node, uri: &[u8], prefix: Option<&[u8]>) -> Option<Namespace> {
    if let Some(found) = element.declare_namespace(Some(uri), prefix) {
        return Some(found);
    }
    match element.find_namespace(prefix).filter(|found| found.uri().as_deref() == Some(uri)) {
        Some(found) => Some(found),
        None => resolve_conflict(element, uri),
    }
}

/// A declaration of a URI under a generated prefix, where the wanted prefix stands for another URI.
pub fn resolve_conflict(element: &Node, uri: &[u8]) -> Option<Namespace> {
    (0..1000).find_map(|number| {
        let prefix = match number {
            0 => b"default".to_vec(),
            _ => format!("default{number}").into_bytes(),
        };
        let known = element.find_namespace(Some(&prefix));
        match known {
            Some(known) if known.uri().as_deref() == Some(uri) => Some(known),
            Some(_) => None,
            None => element.declare_namespace(Some(uri), Some(&prefix)),
        }
    })
}

/// A declaration for a prefix at an element. Pairs of prefix and URI that XML reserves otherwise are refused.
pub fn declare(element: &Node, uri: &[u8], prefix: Option<&[u8]>) -> Result<Namespace, Code> {
    let refused = prefix.is_some_and(|prefix| {
        (prefix == b"xml" && uri != XML) || (prefix == b"xmlns" && uri != XMLNS) || (uri == XMLNS && prefix != b"xmlns")
    });
    if refused {
        return Err(errors::NAMESPACE);
    }
    declare_unchecked(element, uri, prefix).ok_or(errors::NAMESPACE)
}

/// The element's own declaration of a prefix.
pub fn declaration_of(element: &Node, prefix: Option<&[u8]>) -> Option<Namespace> {
    element.declared_namespaces().into_iter().find(|ns| ns.prefix().as_deref() == prefix)
}

/// The URI that the standard's "locate a namespace" finds.
pub fn located(element: &Node, prefix: Option<&[u8]>) -> Option<Vec<u8>> {
    if prefix == Some(b"xml") {
        return Some(XML.to_vec());
    }
    if prefix == Some(b"xmlns") {
        return Some(XMLNS.to_vec());
    }
    let mut at = Some(element.clone());
    while let Some(node) = at.filter(|node| node.is(Kind::Element)) {
        if let Some(namespace) = node.namespace().filter(|ns| ns.prefix().as_deref() == prefix) {
            return namespace.uri();
        }
        for attribute in node.attributes() {
            if attribute.namespace_uri().as_deref() != Some(XMLNS) {
                continue;
            }
            let declared = match attribute.namespace().and_then(|ns| ns.prefix()) {
                Some(_) => prefix.is_some_and(|prefix| attribute.name_is(prefix)),
                None => prefix.is_none() && attribute.name_is(b"xmlns"),
            };
            if declared {
                return Some(attribute.text()).filter(|uri| !uri.is_empty());
            }
        }
        if let Some(declared) = declaration_of(&node, prefix) {
            return declared.uri().filter(|uri| !uri.is_empty());
        }
        at = node.parent();
    }
    None
}

/// The prefix that the standard's "locate a namespace prefix" finds.
pub fn located_prefix(element: &Node, uri: &[u8]) -> Option<Vec<u8>> {
    let mut at = Some(element.clone());
    while let Some(node) = at.filter(|node| node.is(Kind::Element)) {
        let own = node.namespace().filter(|namespace| namespace.uri().as_deref() == Some(uri));
        if let Some(prefix) = own.and_then(|namespace| namespace.prefix()) {
            return Some(prefix);
        }
        let declares = |attribute: &Node| {
            let namespace = attribute.namespace();
            namespace.is_some_and(|namespace| namespace.prefix().as_deref() == Some(b"xmlns"))
                && attribute.text() == uri
        };
        if let Some(attribute) = node.attributes().find(declares) {
            return Some(attribute.name());
        }
        at = node.parent();
    }
    None
}

/// Gives the elements and attributes of a copied tree the prefixes and namespaces of the original. In the new DOM
/// attributes declare namespaces, and libxml2 would give the copies other prefixes.
pub fn copy_names(original: &Node, copy: &Node, document: &Node, deep: bool) {
    let mut known: Vec<Namespace> = Vec::new();
    let mut rename = |from: &Node, to: &Node| {
        let Some(namespace) = from.namespace() else { return to.set_namespace(None) };
        let (uri, prefix) = (namespace.uri(), namespace.prefix());
        let found = known.iter().find(|known| known.uri() == uri && known.prefix() == prefix).cloned();
        let found = found.or_else(|| {
            let made = document.detached_namespace(uri.as_deref(), prefix.as_deref());
            known.extend(made.clone());
            made
        });
        to.set_namespace(found.as_ref());
    };
    let (mut from, mut to) = (Some(original.clone()), Some(copy.clone()));
    while let (Some(old), Some(new)) = (from, to) {
        if old.is(Kind::Element) && new.is(Kind::Element) {
            rename(&old, &new);
            old.attributes().zip(new.attributes()).for_each(|(old, new)| rename(&old, &new));
            new.declared_namespaces().iter().for_each(|declared| new.forget_namespace(declared));
            crate::serialize::attach(document, &new, &old.declared_namespaces());
        } else if old.is(Kind::Attribute) && new.is(Kind::Attribute) {
            rename(&old, &new);
        }
        if !deep {
            return;
        }
        (from, to) = (old.following(original), new.following(copy));
    }
}

/// Reconciles namespaces after a tree was inserted: removes declarations that an ancestor repeats, and adds missing
/// ones.
pub fn reconcile(node: &Node) {
    if !node.is(Kind::Element) {
        return;
    }
    let Some(parent) = node.parent() else { return };
    drop_superfluous(node, &parent);
    node.reconcile_namespaces();
}

/// Reconciles namespaces of a tree that was inserted from a fragment: superfluous declarations go from every element in
/// it, not only from its root.
pub fn reconcile_deep(node: &Node) {
    let Some(parent) = node.parent().filter(|_| node.is(Kind::Element)) else { return };
    let mut at = Some(node.clone());
    while let Some(current) = at {
        drop_superfluous(&current, &parent);
        at = current.following(node);
    }
    node.reconcile_namespaces();
}

fn drop_superfluous(node: &Node, above: &Node) {
    if !node.is(Kind::Element) {
        return;
    }
    for declared in node.declared_namespaces() {
        let Some(uri) = declared.uri() else { continue };
        let Some(outer) = above.find_namespace_of(&uri) else { continue };
        if declared.prefix().is_none() || outer.prefix() == declared.prefix() {
            node.forget_namespace(&declared);
        }
    }
}

/// Declares the namespace of an attribute that was added to an element, under another prefix if its own stands for
/// another URI.
pub fn reconcile_attribute(attribute: &Node) {
    let (Some(element), Some(namespace)) = (attribute.parent(), attribute.namespace()) else { return };
    let prefix = namespace.prefix();
    match element.find_namespace(prefix.as_deref()).filter(|found| found.uri() == namespace.uri()) {
        Some(found) => attribute.set_namespace(Some(&found)),
        None if prefix.is_some() => element.reconcile_namespaces(),
        None => {}
    }
}

/// The namespaces that an element's attributes declare, with their prefixes, in their order.
fn declarations(element: &Node) -> Vec<(Option<Vec<u8>>, Vec<u8>)> {
    let is_declaration = |attribute: &Node| attribute.namespace_uri().as_deref() == Some(XMLNS);
    let declared = |attribute: Node| {
        let prefix = attribute.namespace().and_then(|namespace| namespace.prefix()).map(|_| attribute.name());
        (prefix, attribute.text())
    };
    element.attributes().filter(is_declaration).map(declared).collect()
}

/// An element and its ancestors, the innermost first.
fn upwards(element: &Node) -> impl Iterator<Item = Node> {
    let next = |node: &Node| node.parent();
    std::iter::successors(Some(element.clone()), next).filter(|node| node.is(Kind::Element))
}

/// Prefixes with their namespaces as attributes declare them at an element and its ancestors. The innermost declaration
/// of a prefix counts; those of the outermost element come first.
fn declared_at(element: &Node) -> Vec<(Option<Vec<u8>>, Vec<u8>)> {
    let mut found: Vec<(Option<Vec<u8>>, Vec<u8>)> = Vec::new();
    for (prefix, uri) in upwards(element).flat_map(|node| declarations(&node).into_iter().rev()) {
        if !found.iter().any(|(known, _)| *known == prefix) {
            found.push((prefix, uri));
        }
    }
    found.retain(|(prefix, uri)| prefix.is_some() || !uri.is_empty());
    found.reverse();
    found
}

/// The prefixes that stand for a namespace at a node of the new DOM, the innermost first. With `with_names`, prefixes
/// of the names of elements count although nothing declares them.
pub fn prefixes_in_scope(node: &Node, with_names: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut found: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for element in upwards(node) {
        let own = element.namespace().filter(|_| with_names).map(|own| (own.prefix(), own.uri().unwrap_or_default()));
        for (prefix, uri) in own.into_iter().chain(declarations(&element)) {
            if let Some(prefix) = prefix.filter(|prefix| !found.iter().any(|(known, _)| known == prefix)) {
                found.push((prefix, uri));
            }
        }
    }
    found
}

/// A `Dom\NamespaceInfo` of an element.
fn info(call: &Call<'_>, element: &Node, prefix: Option<&[u8]>, uri: &[u8]) -> PhpResult<Val> {
    let object = call.vm.instantiate(&call.vm.require_class(b"Dom\\NamespaceInfo")?)?;
    let shown = |text: Option<&[u8]>| text.filter(|text| !text.is_empty()).map_or(Val::NULL, Val::str);
    let values = [shown(prefix), shown(Some(uri)), crate::objects::wrap(call.vm, element)?];
    for (slot, value) in object.slots().iter().zip(values) {
        slot.set(value);
    }
    Ok(object.into())
}

fn infos(call: &Call<'_>, element: &Node) -> PhpResult<Vec<Val>> {
    let found = declared_at(element);
    found.iter().map(|(prefix, uri)| info(call, element, prefix.as_deref(), uri)).collect()
}

/// `Dom\Element::getInScopeNamespaces()`.
pub fn in_scope(call: &mut Call<'_>) -> PhpResult<Val> {
    let element = crate::objects::this(call)?;
    Ok(PhpArr::from_vec(infos(call, &element)?).into())
}

/// `Dom\Element::getDescendantNamespaces()`: the namespaces in scope at the element, then those at each of its
/// descendants.
pub fn of_descendants(call: &mut Call<'_>) -> PhpResult<Val> {
    let top = crate::objects::this(call)?;
    let mut all = infos(call, &top)?;
    let mut at = top.first_child();
    while let Some(node) = at {
        if node.is(Kind::Element) {
            all.extend(infos(call, &node)?);
        }
        at = node.following(&top);
    }
    Ok(PhpArr::from_vec(all).into())
}
