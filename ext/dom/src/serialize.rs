//! Serialises documents of the new DOM. Namespaces are declared where they are needed.

use crate::namespaces::{XML, XMLNS};
use phlox_libxml::{Kind, Namespace, Node, save_options};

/// Turns the declarations of a parsed document into attributes, which is what the new DOM has.
pub fn attach_declarations(document: &Node) {
    let mut at = document.first_child();
    while let Some(node) = at {
        let declared = node.declared_namespaces();
        attach(document, &node, &declared);
        declared.iter().for_each(|declared| node.forget_namespace(declared));
        at = node.following(document);
    }
}

/// Adds an attribute to an element for each declaration, before the other attributes.
pub fn attach(document: &Node, element: &Node, declarations: &[Namespace]) {
    for declared in declarations.iter().rev() {
        let prefix = declared.prefix();
        let name = prefix.as_deref().unwrap_or(b"xmlns");
        let uri = declared.uri().unwrap_or_default();
        let Some(attribute) = Node::new_attribute(Some(document), name, &uri) else { continue };
        let outer = prefix.as_ref().map(|_| &b"xmlns"[..]);
        attribute.set_namespace(document.detached_namespace(Some(XMLNS), outer).as_ref());
        element.add_first_attribute(&attribute);
    }
}

/// A declaration that exists only until `undeclare`, and the attribute that it replaces, if any.
pub struct Declared {
    element: Node,
    attribute: Option<Node>,
    namespace: Namespace,
}

/// What `declare_attributes` changed in a tree, for `undeclare` to restore.
pub struct Relinked {
    declared: Vec<Declared>,
    /// Elements without a prefix, and the namespaces that they have.
    unprefixed: Vec<(Node, Namespace)>,
}

/// Turns the attributes of a document of the new DOM into declarations, which is what libxml2 looks for, and declares
/// namespaces of names that have no declaration. An element without a prefix gets the default namespace that is
/// declared meanwhile, or none.
pub fn declare_attributes(document: &Node) -> Relinked {
    let (mut all, mut unprefixed) = (Vec::new(), Vec::new());
    let mut at = document.first_child();
    while let Some(element) = at {
        let attributes: Vec<Node> = element.attributes().collect();
        for attribute in attributes {
            let Some(outer) = attribute.namespace().filter(|outer| outer.uri().as_deref() == Some(XMLNS)) else {
                continue;
            };
            let prefix = outer.prefix().map(|_| attribute.name());
            if let Some(namespace) = element.declare_namespace(Some(&attribute.text()), prefix.as_deref()) {
                attribute.unlink();
                all.push(Declared { element: element.clone(), attribute: Some(attribute), namespace });
            }
        }
        if let Some(own) = element.namespace().filter(|own| own.prefix().is_none()) {
            element.set_namespace(None);
            element.set_namespace(element.find_namespace(None).as_ref());
            unprefixed.push((element.clone(), own));
        }
        let prefixed =
            element.attributes().filter(|attribute| attribute.namespace().is_some_and(|own| own.prefix().is_some()));
        let own = Some(element.clone()).filter(|element| element.namespace().is_some_and(|own| own.prefix().is_some()));
        for holder in own.into_iter().chain(prefixed.collect::<Vec<_>>()) {
            all.extend(declare_own(&element, &holder));
        }
        at = element.following(document);
    }
    Relinked { declared: all, unprefixed }
}

/// Declares the namespace of `holder` (the element or one of its attributes) at the element, unless it is in scope
/// already.
fn declare_own(element: &Node, holder: &Node) -> Option<Declared> {
    let own = holder.namespace()?;
    let (prefix, uri) = (own.prefix(), own.uri()?);
    if uri == XMLNS || prefix.as_deref() == Some(b"xml") {
        return None;
    }
    let known = element.find_namespace(prefix.as_deref()).and_then(|known| known.uri());
    if known.as_deref() == Some(&uri[..]) {
        return None;
    }
    let namespace = element.declare_namespace(Some(&uri), prefix.as_deref())?;
    Some(Declared { element: element.clone(), attribute: None, namespace })
}

/// Turns the declarations into attributes again.
pub fn undeclare(Relinked { declared, unprefixed }: Relinked) {
    for (element, own) in unprefixed {
        element.set_namespace(Some(&own));
    }
    for Declared { element, attribute, namespace } in declared.into_iter().rev() {
        element.forget_namespace(&namespace);
        if let Some(attribute) = attribute {
            element.add_first_attribute(&attribute);
        }
    }
}

/// The style of the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether elements without text are indented on lines of their own.
    pub format: bool,
    /// Whether empty elements are written with two tags.
    pub no_empty: bool,
    /// Whether nodes are refused whose text could not be parsed again.
    pub well_formed: bool,
}

/// The text of a document. `None`: it is not well-formed, if the style asks for that.
pub fn document(document: &Node, declaration: bool, style: Style) -> Option<Vec<u8>> {
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
    let mut writer = Writer::new(style);
    for child in document.children() {
        writer.write(&child, &Scope::root(), 0)?;
    }
    text.extend(writer.out);
    Some(text)
}

/// The text of a node with its contents. `None`: it is not well-formed, if the style asks for that.
pub fn node(node: &Node, style: Style) -> Option<Vec<u8>> {
    if node.kind().is_document() {
        return document(node, true, style);
    }
    let mut writer = Writer::new(style);
    writer.write(node, &Scope::root(), 0)?;
    Some(writer.out)
}

/// The text of an element's contents. `None`: it is not well-formed, if the style asks for that.
pub fn inner(element: &Node, style: Style) -> Option<Vec<u8>> {
    let texts: Option<Vec<Vec<u8>>> =
        crate::html::inside(element).children().map(|child| node(&child, style)).collect();
    Some(texts?.concat())
}

/// The depth at which the output is cut. The standard has no limit, but the recursion needs stack.
pub const DEPTH_MAX: u32 = 10_000;

/// Writes a node that XML and HTML write alike except for the end of an instruction. `false`: it is another kind of
/// node.
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

/// Whether XML allows all characters of a text.
fn are_characters(text: &[u8]) -> bool {
    let is_allowed = |character: char| match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        character => character >= ' ',
    };
    std::str::from_utf8(text).is_ok_and(|text| text.chars().all(is_allowed))
}

/// Whether a text is a name without a colon.
fn is_simple_name(name: &[u8]) -> bool {
    let starts = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
    let goes_on = |byte: u8| starts(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    name.first().copied().is_some_and(starts) && name.iter().copied().all(goes_on)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// The namespaces that the ancestors declare, for the algorithm of the W3C's "DOM Parsing and Serialization" with the
/// corrections of its open issues that PHP follows (29, 43, 44, 45, 47, 50, 52, 59).
#[derive(Clone)]
struct Scope {
    /// The namespace of names without a prefix; empty for none.
    inherited: Vec<u8>,
    /// Prefixes with their namespaces, innermost last. A prefix can occur several times, with different namespaces.
    prefixes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Scope {
    fn root() -> Scope {
        Scope { inherited: Vec::new(), prefixes: vec![(b"xml".to_vec(), XML.to_vec())] }
    }

    fn has(&self, prefix: &[u8], uri: &[u8]) -> bool {
        self.prefixes.iter().any(|(known, namespace)| known == prefix && namespace == uri)
    }

    fn add(&mut self, prefix: &[u8], uri: &[u8]) {
        self.prefixes.push((prefix.to_vec(), uri.to_vec()));
    }
}

/// Prefixes that the element being written declares or uses itself.
#[derive(Default)]
struct Local(Vec<(Vec<u8>, Vec<u8>)>);

impl Local {
    fn get(&self, prefix: &[u8]) -> Option<&[u8]> {
        self.0.iter().rev().find(|(known, _)| known == prefix).map(|(_, uri)| &uri[..])
    }

    fn add(&mut self, prefix: &[u8], uri: &[u8]) {
        self.0.push((prefix.to_vec(), uri.to_vec()));
    }

    /// A prefix in scope for a namespace that no inner declaration hides, preferably `wanted`.
    fn preferred(&self, scope: &Scope, wanted: Option<&[u8]>, uri: &[u8]) -> Option<Vec<u8>> {
        let candidates = scope
            .prefixes
            .iter()
            .rev()
            .filter(|(prefix, known)| known == uri && self.get(prefix).is_none_or(|local| local == uri));
        let mut nearest = None;
        for (prefix, _) in candidates {
            if wanted == Some(&prefix[..]) {
                return Some(prefix.clone());
            }
            nearest.get_or_insert(prefix);
        }
        nearest.cloned()
    }
}

fn prefix_of(node: &Node) -> Option<Vec<u8>> {
    node.namespace().and_then(|namespace| namespace.prefix())
}

struct Writer {
    style: Style,
    out: Vec<u8>,
    /// The number of the next generated prefix.
    generated: u32,
}

impl Writer {
    fn new(style: Style) -> Writer {
        Writer { style, out: Vec::new(), generated: 1 }
    }

    /// Refuses (`None`) if the style asks for well-formed text and the condition does not hold.
    fn require(&self, holds: impl FnOnce() -> bool) -> Option<()> {
        (!self.style.well_formed || holds()).then_some(())
    }

    fn generate(&mut self, scope: &mut Scope, local: &mut Local, uri: &[u8]) -> Vec<u8> {
        loop {
            let prefix = format!("ns{}", self.generated).into_bytes();
            self.generated += 1;
            if local.get(&prefix).is_none() {
                scope.add(&prefix, uri);
                local.add(&prefix, uri);
                return prefix;
            }
        }
    }

    fn declaration(&mut self, prefix: Option<&[u8]>, uri: &[u8]) {
        self.out.extend(b" xmlns");
        if let Some(prefix) = prefix {
            self.out.extend([b":", prefix].concat());
        }
        self.out.extend(b"=\"");
        escape(uri, true, &mut self.out);
        self.out.push(b'"');
    }

    fn write(&mut self, node: &Node, scope: &Scope, depth: u32) -> Option<()> {
        self.write_at(node, scope, depth, self.style.format.then_some(0))
    }

    /// Writes a node. `indent`: the depth of indentation, if lines are indented here.
    fn write_at(&mut self, node: &Node, scope: &Scope, depth: u32, indent: Option<u32>) -> Option<()> {
        let own = || node.own_text().unwrap_or_default();
        match node.kind() {
            Kind::Element if depth < DEPTH_MAX => return self.element(node, scope.clone(), depth, indent),
            Kind::Fragment => {
                for child in node.children() {
                    self.write_at(&child, scope, depth + 1, indent)?;
                }
            }
            Kind::Text => {
                self.require(|| are_characters(&own()))?;
                escape(&own(), false, &mut self.out);
            }
            Kind::CData => self.out.extend([b"<![CDATA[", &own()[..], b"]]>"].concat()),
            Kind::Comment => {
                self.require(|| are_characters(&own()) && !contains(&own(), b"--") && !own().ends_with(b"-"))?;
                write_alike(node, b"?>", &mut self.out);
            }
            Kind::Instruction => {
                let target = node.name();
                self.require(|| {
                    !target.contains(&b':')
                        && !target.eq_ignore_ascii_case(b"xml")
                        && are_characters(&own())
                        && !contains(&own(), b"?>")
                })?;
                write_alike(node, b"?>", &mut self.out);
            }
            Kind::EntityReference => drop(write_alike(node, b"?>", &mut self.out)),
            kind => {
                self.out.extend(node.save(None, save_options::AS_XML).unwrap_or_default());
                if kind == Kind::Dtd {
                    self.out.push(b'\n');
                }
            }
        }
        Some(())
    }

    /// Records the declarations of an element in both tables, and gives the default namespace that it declares, if any.
    fn record(node: &Node, scope: &mut Scope, local: &mut Local) -> Option<Vec<u8>> {
        let mut default = None;
        for attribute in node.attributes().filter(|attribute| attribute.namespace_uri().as_deref() == Some(XMLNS)) {
            let uri = attribute.text();
            if prefix_of(&attribute).is_none() {
                default = Some(uri);
            } else if uri != XML && !scope.has(&attribute.name(), &uri) {
                scope.add(&attribute.name(), &uri);
                local.add(&attribute.name(), &uri);
            }
        }
        default
    }

    fn element(&mut self, node: &Node, mut scope: Scope, depth: u32, indent: Option<u32>) -> Option<()> {
        let (name, inner) = (node.name(), crate::html::inside(node));
        self.require(|| is_simple_name(&name))?;
        let is_text = |child: &Node| matches!(child.kind(), Kind::Text | Kind::EntityReference | Kind::CData);
        let lines = indent.filter(|_| inner.first_child().is_some() && !inner.children().any(|child| is_text(&child)));
        let mut local = Local::default();
        let default = Writer::record(node, &mut scope, &mut local);
        let uri = node.namespace_uri().unwrap_or_default();
        let mut skips_default = false;
        self.out.push(b'<');
        let shown = if scope.inherited == uri {
            skips_default = default.is_some();
            let shown = if uri == XML { [b"xml:", &name[..]].concat() } else { name.clone() };
            self.out.extend(&shown);
            shown
        } else {
            let own = prefix_of(node);
            let is_default = own.is_none() && uri == default.as_deref().unwrap_or_default();
            let mut candidate = if is_default { None } else { local.preferred(&scope, own.as_deref(), &uri) };
            if own.as_deref() == Some(b"xmlns") {
                self.require(|| false)?;
                candidate = own.clone();
            }
            if let Some(candidate) = candidate {
                let shown = [&candidate[..], b":", &name].concat();
                if let Some(default) = default.as_ref().filter(|default| &default[..] != XML) {
                    scope.inherited.clone_from(default);
                }
                self.out.extend(&shown);
                shown
            } else if let Some(mut prefix) = own {
                if local.get(&prefix).is_some() {
                    prefix = self.generate(&mut scope, &mut local, &uri);
                } else {
                    scope.add(&prefix, &uri);
                    local.add(&prefix, &uri);
                }
                let shown = [&prefix[..], b":", &name].concat();
                self.out.extend(&shown);
                self.declaration(Some(&prefix), &uri);
                if let Some(default) = &default {
                    scope.inherited.clone_from(default);
                }
                shown
            } else {
                self.out.extend(&name);
                scope.inherited.clone_from(&uri);
                if default.as_ref() != Some(&uri) {
                    skips_default = true;
                    self.declaration(None, &uri);
                }
                name.clone()
            }
        };
        self.attributes(node, &mut scope, &mut local, skips_default)?;
        let html = uri == crate::objects::HTML;
        if inner.first_child().is_none() && !self.style.no_empty && (!html || crate::html::is_void(node)) {
            self.out.extend(if html { &b" />"[..] } else { b"/>" });
            return Some(());
        }
        self.out.push(b'>');
        let inside = lines.map(|indent| indent + 1);
        for child in inner.children() {
            if let Some(indent) = inside {
                self.line(indent);
            }
            self.write_at(&child, &scope, depth + 1, inside)?;
        }
        if let Some(indent) = lines {
            self.line(indent);
        }
        self.out.extend([b"</", &shown[..], b">"].concat());
        Some(())
    }

    fn line(&mut self, indent: u32) {
        self.out.push(b'\n');
        for _ in 0..indent {
            self.out.extend(b"  ");
        }
    }

    fn attributes(&mut self, node: &Node, scope: &mut Scope, local: &mut Local, skips_default: bool) -> Option<()> {
        let mut seen = Vec::new();
        for attribute in node.attributes() {
            let (uri, name, value) = (attribute.namespace_uri(), attribute.name(), attribute.text());
            self.require(|| !seen.contains(&(uri.clone(), name.clone())))?;
            seen.push((uri.clone(), name.clone()));
            let prefix = prefix_of(&attribute);
            let mut candidate = None;
            if let Some(uri) = uri.as_deref().filter(|uri| !uri.is_empty()) {
                candidate = local.preferred(scope, prefix.as_deref(), uri);
                if uri == XMLNS {
                    let own = node.namespace_uri().unwrap_or_default();
                    let is_known = || local.get(&name) != Some(&value[..]) && scope.has(&name, &value);
                    let skips = match &prefix {
                        None => skips_default && own != value,
                        Some(_) => is_known(),
                    };
                    if value == XML || skips {
                        continue;
                    }
                    if prefix.as_deref() == Some(b"xmlns") {
                        candidate = prefix;
                    }
                    self.require(|| value != XMLNS && !(value.is_empty() && candidate.is_some()))?;
                } else if candidate.is_none() {
                    let chosen = match prefix.filter(|prefix| local.get(prefix).is_none()) {
                        Some(prefix) => {
                            scope.add(&prefix, uri);
                            local.add(&prefix, uri);
                            prefix
                        }
                        None => self.generate(scope, local, uri),
                    };
                    self.declaration(Some(&chosen), uri);
                    candidate = Some(chosen);
                }
            }
            self.out.push(b' ');
            if let Some(prefix) = candidate {
                self.out.extend([&prefix[..], b":"].concat());
            }
            self.require(|| is_simple_name(&name) && !(name == b"xmlns" && uri.is_none()))?;
            self.require(|| are_characters(&value))?;
            self.out.extend([&name[..], b"=\""].concat());
            escape(&value, true, &mut self.out);
            self.out.push(b'"');
        }
        Some(())
    }
}
