//! Text of the new DOM's documents: namespaces are declared where they are needed.

use crate::namespaces::XMLNS;
use phlox_libxml::{Kind, Node, save_options};

/// Declarations of a parsed document become attributes as well known to the new DOM.
pub fn attach_declarations(document: &Node) {
    let mut at = document.first_child();
    while let Some(node) = at {
        for declared in node.declared_namespaces().into_iter().rev() {
            let prefix = declared.prefix();
            let name = prefix.as_deref().unwrap_or(b"xmlns");
            let Some(attribute) = Node::new_attribute(Some(document), name, &declared.uri().unwrap_or_default()) else {
                continue;
            };
            let outer = prefix.as_ref().map(|_| &b"xmlns"[..]);
            attribute.set_namespace(document.detached_namespace(Some(XMLNS), outer).as_ref());
            node.forget_namespace(&declared);
            node.add_first_attribute(&attribute);
        }
        at = node.following(document);
    }
}

/// A whole document.
pub fn document(document: &Node, declaration: bool) -> Option<Vec<u8>> {
    let encoding = document.encoding();
    let mut text = Vec::new();
    if declaration {
        text.extend(b"<?xml version=\"");
        text.extend(document.version().unwrap_or_else(|| b"1.0".to_vec()));
        text.extend(b"\" encoding=\"");
        text.extend(encoding.unwrap_or_else(|| b"UTF-8".to_vec()));
        text.push(b'"');
        match document.standalone() {
            1 => text.extend(b" standalone=\"yes\""),
            0 => text.extend(b" standalone=\"no\""),
            _ => {}
        }
        text.extend(b"?>\n");
    }
    for child in document.children() {
        text.extend(node(&child)?);
        if child.is(Kind::Dtd) {
            text.push(b'\n');
        }
    }
    Some(text)
}

/// A node with what is inside.
pub fn node(node: &Node) -> Option<Vec<u8>> {
    if node.kind().is_document() {
        return document(node, true);
    }
    let mut text = Vec::new();
    write(node, &mut vec![(None, Vec::new())], &mut text, 0);
    Some(text)
}

/// Prefixes in scope with their namespaces, innermost last.
type Scope = Vec<(Option<Vec<u8>>, Vec<u8>)>;

/// Deeper trees are cut: the standard has no limit, the stack has.
pub const DEPTH_MAX: u32 = 10_000;

/// Writes a node that XML and HTML write alike, but for what ends an instruction; `false`: it is none.
pub fn write_alike(node: &Node, instruction_end: &[u8], text: &mut Vec<u8>) -> bool {
    let own = || node.own_text().unwrap_or_default();
    match node.kind() {
        Kind::Comment => text.extend([b"<!--", &own()[..], b"-->"].concat()),
        Kind::Instruction => text.extend([b"<?", &node.name()[..], b" ", &own(), instruction_end].concat()),
        Kind::EntityReference => text.extend([b"&", &node.name()[..], b";"].concat()),
        _ => return false,
    }
    true
}

fn write(node: &Node, scope: &mut Scope, text: &mut Vec<u8>, depth: u32) {
    if write_alike(node, b"?>", text) {
        return;
    }
    match node.kind() {
        Kind::Element if depth < DEPTH_MAX => element(node, scope, text, depth),
        Kind::Fragment => {
            for child in node.children() {
                write(&child, scope, text, depth + 1);
            }
        }
        Kind::Text => escape(&node.own_text().unwrap_or_default(), false, text),
        Kind::CData => {
            text.extend(b"<![CDATA[");
            text.extend(node.own_text().unwrap_or_default());
            text.extend(b"]]>");
        }
        _ => text.extend(node.save(None, save_options::AS_XML).unwrap_or_default()),
    }
}

fn escape(value: &[u8], in_attribute: bool, text: &mut Vec<u8>) {
    for &byte in value {
        match byte {
            b'&' => text.extend(b"&amp;"),
            b'<' => text.extend(b"&lt;"),
            b'>' => text.extend(b"&gt;"),
            b'"' if in_attribute => text.extend(b"&quot;"),
            b'\t' if in_attribute => text.extend(b"&#9;"),
            b'\n' if in_attribute => text.extend(b"&#10;"),
            b'\r' if in_attribute => text.extend(b"&#13;"),
            _ => text.push(byte),
        }
    }
}

fn meaning<'a>(scope: &'a Scope, prefix: Option<&[u8]>) -> Option<&'a [u8]> {
    scope.iter().rev().find(|(known, _)| known.as_deref() == prefix).map(|(_, uri)| &uri[..])
}

/// A prefix in scope for a namespace, preferring a wanted one.
fn prefix_for(scope: &Scope, uri: &[u8], wanted: Option<&[u8]>) -> Option<Vec<u8>> {
    if let Some(wanted) = wanted {
        if meaning(scope, Some(wanted)) == Some(uri) {
            return Some(wanted.to_vec());
        }
    }
    scope
        .iter()
        .rev()
        .filter(|(prefix, known)| known == uri && prefix.is_some())
        .find(|(prefix, _)| meaning(scope, prefix.as_deref()) == Some(uri))
        .and_then(|(prefix, _)| prefix.clone())
}

fn element(node: &Node, scope: &mut Scope, text: &mut Vec<u8>, depth: u32) {
    let outer = scope.len();
    let mut own_default = None;
    for attribute in node.attributes() {
        if attribute.namespace_uri().as_deref() == Some(XMLNS) {
            let prefix = attribute.namespace().and_then(|ns| ns.prefix()).map(|_| attribute.name());
            let uri = attribute.text();
            if prefix.is_none() {
                own_default = Some(uri.clone());
            }
            scope.push((prefix, uri));
        }
    }
    let mut generated = 0;
    let uri = node.namespace_uri().unwrap_or_default();
    let wanted = node.namespace().and_then(|ns| ns.prefix());
    let mut extra = Vec::new();
    let mut skip_default = false;
    let name = if meaning(scope, wanted.as_deref()) == Some(&uri[..]) {
        node.qualified_name()
    } else if uri == crate::namespaces::XML {
        [b"xml:", &node.name()[..]].concat()
    } else if let (Some(prefix), false) = (&wanted, uri.is_empty()) {
        match prefix_for(scope, &uri, Some(prefix)) {
            Some(known) => [&known[..], b":", &node.name()].concat(),
            None => {
                scope.push((Some(prefix.clone()), uri.clone()));
                extra.push((Some(prefix.clone()), uri.clone()));
                node.qualified_name()
            }
        }
    } else {
        // The default namespace has to be said, whatever the attributes say.
        skip_default = own_default.is_some_and(|own| own != uri);
        scope.push((None, uri.clone()));
        extra.push((None, uri.clone()));
        node.name()
    };
    text.push(b'<');
    text.extend(&name);
    for (prefix, uri) in &extra {
        write_declaration(prefix.as_deref(), uri, text);
    }
    for attribute in node.attributes() {
        let uri = attribute.namespace_uri().unwrap_or_default();
        let value = attribute.text();
        let prefix = attribute.namespace().and_then(|ns| ns.prefix());
        let mut shown = attribute.name();
        if uri == XMLNS {
            if prefix.is_none() && skip_default {
                continue;
            }
            if prefix.is_some() {
                shown = [b"xmlns:", &shown[..]].concat();
            }
        } else if uri == crate::namespaces::XML {
            shown = [b"xml:", &shown[..]].concat();
        } else if !uri.is_empty() {
            let known = prefix_for(scope, &uri, prefix.as_deref());
            let chosen = known.unwrap_or_else(|| {
                let free = prefix.clone().filter(|prefix| meaning(scope, Some(prefix)).is_none());
                let fresh = free.unwrap_or_else(|| {
                    generated += 1;
                    format!("ns{generated}").into_bytes()
                });
                scope.push((Some(fresh.clone()), uri.clone()));
                write_declaration(Some(&fresh), &uri, text);
                fresh
            });
            shown = [&chosen[..], b":", &shown].concat();
        }
        text.push(b' ');
        text.extend(shown);
        text.extend(b"=\"");
        escape(&value, true, text);
        text.push(b'"');
    }
    let html = uri == crate::objects::HTML;
    if node.first_child().is_none() && html && crate::html::is_void(node) {
        text.extend(b" />");
    } else if node.first_child().is_none() && !html {
        text.extend(b"/>");
    } else {
        text.push(b'>');
        for child in node.children() {
            write(&child, scope, text, depth + 1);
        }
        text.extend(b"</");
        text.extend(&name);
        text.push(b'>');
    }
    scope.truncate(outer);
}

fn write_declaration(prefix: Option<&[u8]>, uri: &[u8], text: &mut Vec<u8>) {
    text.extend(b" xmlns");
    if let Some(prefix) = prefix {
        text.push(b':');
        text.extend(prefix);
    }
    text.extend(b"=\"");
    escape(uri, true, text);
    text.push(b'"');
}
