//! Serialises a tree as the HTML standard says.

use crate::namespaces::{XML, XMLNS};
use crate::objects::HTML;
use crate::serialize::{DEPTH_MAX, write_alike};
use phlox_libxml::{Kind, Node};

const XLINK: &[u8] = b"http://www.w3.org/1999/xlink";
const FOREIGN: [&[u8]; 2] = [b"http://www.w3.org/2000/svg", b"http://www.w3.org/1998/Math/MathML"];

/// Elements that have neither contents nor an end tag.
const VOID: [&[u8]; 18] = [
    b"area",
    b"base",
    b"basefont",
    b"bgsound",
    b"br",
    b"col",
    b"embed",
    b"frame",
    b"hr",
    b"img",
    b"input",
    b"keygen",
    b"link",
    b"meta",
    b"param",
    b"source",
    b"track",
    b"wbr",
];

/// Elements whose text is not escaped.
const RAW: [&[u8]; 7] = [b"style", b"script", b"xmp", b"iframe", b"noembed", b"noframes", b"plaintext"];

/// The text of a node with its contents; for a document or fragment, of its contents only.
pub fn outer(node: &Node) -> Vec<u8> {
    let mut text = Vec::new();
    if node.kind().is_document() || node.is(Kind::Fragment) {
        children(node, &mut text, 0);
    } else {
        write(node, &mut text, 0);
    }
    text
}

/// The text of a node's contents.
pub fn inner(node: &Node) -> Vec<u8> {
    let mut text = Vec::new();
    if !is_void(node) {
        children(node, &mut text, 0);
    }
    text
}

fn is_html(node: &Node) -> bool {
    node.namespace_uri().as_deref() == Some(HTML)
}

/// Whether a node is an HTML element that never has contents.
pub fn is_void(node: &Node) -> bool {
    node.is(Kind::Element) && is_html(node) && VOID.contains(&&node.name()[..])
}

fn children(node: &Node, text: &mut Vec<u8>, depth: u32) {
    if depth < DEPTH_MAX {
        super::inside(node).children().for_each(|child| write(&child, text, depth + 1));
    }
}

fn write(node: &Node, text: &mut Vec<u8>, depth: u32) {
    if write_alike(node, b">", text) {
        return;
    }
    match node.kind() {
        Kind::Element => element(node, text, depth),
        Kind::Text | Kind::CData => {
            let raw = node.parent().is_some_and(|parent| {
                parent.is(Kind::Element) && is_html(&parent) && RAW.contains(&&parent.name()[..])
            });
            let own = node.own_text().unwrap_or_default();
            if raw { text.extend(own) } else { escape(&own, false, text) }
        }
        Kind::Dtd | Kind::DocumentType => {
            text.extend(b"<!DOCTYPE ");
            text.extend(node.name());
            text.push(b'>');
        }
        Kind::Fragment => children(node, text, depth),
        _ => {}
    }
}

fn element(node: &Node, text: &mut Vec<u8>, depth: u32) {
    let uri = node.namespace_uri();
    let plain = uri.as_deref().is_some_and(|uri| uri == HTML || FOREIGN.contains(&uri));
    let name = if plain { node.name() } else { node.qualified_name() };
    text.push(b'<');
    text.extend(&name);
    for attribute in node.attributes() {
        text.push(b' ');
        text.extend(attribute_name(&attribute));
        text.extend(b"=\"");
        escape(&attribute.text(), true, text);
        text.push(b'"');
    }
    text.push(b'>');
    if is_void(node) {
        return;
    }
    children(node, text, depth);
    text.extend(b"</");
    text.extend(&name);
    text.push(b'>');
}

fn attribute_name(attribute: &Node) -> Vec<u8> {
    let name = attribute.name();
    match attribute.namespace_uri().as_deref() {
        Some(XML) => [b"xml:", &name[..]].concat(),
        Some(XMLNS) if name == b"xmlns" => name,
        Some(XMLNS) => [b"xmlns:", &name[..]].concat(),
        Some(XLINK) => [b"xlink:", &name[..]].concat(),
        _ => attribute.qualified_name(),
    }
}

fn escape(value: &[u8], in_attribute: bool, text: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        match byte {
            b'&' => text.extend(b"&amp;"),
            // A no-break space.
            0xc2 if value.get(at + 1) == Some(&0xa0) => {
                text.extend(b"&nbsp;");
                at += 1;
            }
            b'"' if in_attribute => text.extend(b"&quot;"),
            b'<' if !in_attribute => text.extend(b"&lt;"),
            b'>' if !in_attribute => text.extend(b"&gt;"),
            _ => text.push(byte),
        }
        at += 1;
    }
}
