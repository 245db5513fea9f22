//! Parses HTML text with html5ever and builds a tree of libxml2 from it.

use crate::namespaces::XMLNS;
use crate::objects::HTML;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, local_name, ns};
use phlox_libxml::{Kind, Namespace, Node};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// The text and the options of a parse.
pub struct How<'a> {
    /// The HTML text.
    pub text: &'a str,
    /// Whether elements get no namespace.
    pub no_namespace: bool,
    /// Whether `html`, `head` and `body` elements are left out for which the text has no tags.
    pub no_implied: bool,
}

/// A node together with the name that html5ever asks for.
pub struct Item {
    name: QualName,
    node: Node,
}

type Handle = Rc<Item>;

/// Builds the tree below a document or a fragment.
struct Builder {
    document: Node,
    root: Handle,
    namespaces: RefCell<Vec<(String, Option<String>, Namespace)>>,
    no_namespace: bool,
}

fn no_name() -> QualName {
    QualName::new(None, ns!(), local_name!(""))
}

impl Builder {
    fn new(document: &Node, root: &Node, no_namespace: bool) -> Builder {
        Builder {
            document: document.clone(),
            root: Rc::new(Item { name: no_name(), node: root.clone() }),
            namespaces: RefCell::default(),
            no_namespace,
        }
    }

    /// The declaration of a namespace and prefix, which all names share.
    fn namespace(&self, uri: &str, prefix: Option<&str>) -> Option<Namespace> {
        let mut known = self.namespaces.borrow_mut();
        if let Some((.., namespace)) = known.iter().find(|(known, name, _)| known == uri && name.as_deref() == prefix) {
            return Some(namespace.clone());
        }
        let made = self.document.detached_namespace(Some(uri.as_bytes()), prefix.map(str::as_bytes))?;
        known.push((uri.to_owned(), prefix.map(str::to_owned), made.clone()));
        Some(made)
    }

    fn add_attribute(&self, element: &Node, attribute: &Attribute) {
        let name = attribute.name.local.as_bytes();
        let uri = &*attribute.name.ns;
        let present = element.attribute_ns(Some(uri.as_bytes()).filter(|uri| !uri.is_empty()), name);
        if present.is_some() {
            return;
        }
        let Some(made) = Node::new_attribute(Some(&self.document), name, attribute.value.as_bytes()) else { return };
        if !uri.is_empty() && (!self.no_namespace || uri.as_bytes() == XMLNS) {
            let prefix = attribute.name.prefix.as_deref().filter(|_| name != b"xmlns");
            made.set_namespace(self.namespace(uri, prefix).as_ref());
        }
        element.add_attribute(&made);
        crate::element::note_id(&made);
    }

    fn item(&self, node: Option<Node>) -> Handle {
        match node {
            Some(node) => Rc::new(Item { name: no_name(), node }),
            None => self.root.clone(),
        }
    }

    fn put(&self, parent: &Node, child: NodeOrText<Handle>, before: Option<&Node>) {
        match child {
            NodeOrText::AppendNode(item) => {
                item.node.unlink();
                parent.insert_child(&item.node, before);
            }
            NodeOrText::AppendText(text) => {
                let left = match before {
                    Some(sibling) => sibling.previous(),
                    None => parent.last_child(),
                };
                match left.filter(|left| left.is(Kind::Text)) {
                    Some(left) => left.append_own_text(text.as_bytes()),
                    None => {
                        if let Some(made) = Node::new_text(Some(&self.document), text.as_bytes()) {
                            parent.insert_child(&made, before);
                        }
                    }
                }
            }
        }
    }
}

impl TreeSink for Builder {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a> = html5ever::ExpandedName<'a>;

    fn finish(self) {}

    /// PHP's parser reports other errors than html5ever, see `problems`.
    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.root.clone()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> html5ever::ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _flags: ElementFlags) -> Handle {
        let node = Node::new_element(Some(&self.document), name.local.as_bytes());
        if let Some(node) = &node {
            if !self.no_namespace {
                node.set_namespace(self.namespace(&name.ns, name.prefix.as_deref()).as_ref());
            }
            attributes.iter().for_each(|attribute| self.add_attribute(node, attribute));
        }
        match node {
            Some(node) => Rc::new(Item { name, node }),
            None => self.root.clone(),
        }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.item(Node::new_comment(Some(&self.document), text.as_bytes()))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.item(Node::new_instruction(Some(&self.document), target.as_bytes(), Some(data.as_bytes())))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.put(&parent.node, child, None);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        match element.node.parent() {
            Some(parent) => self.put(&parent, child, Some(&element.node)),
            None => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let given = |text: &StrTendril| (!text.is_empty()).then(|| text.as_bytes().to_vec());
        let (public_id, system_id) = (given(&public_id), given(&system_id));
        if let Some(doctype) = Node::new_doctype(name.as_bytes(), public_id.as_deref(), system_id.as_deref()) {
            self.root.node.insert_child(&doctype, None);
        }
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let contents = if super::is_template(&target.node) { target.node.make_contents() } else { None };
        contents.map_or_else(|| target.clone(), |node| self.item(Some(node)))
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.node == y.node
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        if let Some(parent) = sibling.node.parent() {
            self.put(&parent, child, Some(&sibling.node));
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        attributes.iter().for_each(|attribute| self.add_attribute(&target.node, attribute));
    }

    fn remove_from_parent(&self, target: &Handle) {
        target.node.unlink();
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        while let Some(child) = node.node.first_child() {
            child.unlink();
            new_parent.node.insert_child(&child, None);
        }
    }
}

fn options() -> ParseOpts {
    ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    }
}

/// Parses a text into an empty document.
pub fn document(document: &Node, how: &How<'_>) {
    let builder = Builder::new(document, document, how.no_namespace);
    html5ever::parse_document(builder, options()).one(how.text);
    if how.no_implied {
        take_out_implied(document, how.text);
    }
}

/// Removes `html`, `head` and `body` elements for which the text has no tags.
fn take_out_implied(document: &Node, text: &str) {
    let text = text.to_ascii_lowercase();
    let implied = |element: &Node, name: &str| element.name_is(name.as_bytes()) && !text.contains(&format!("<{name}"));
    let Some(root) = document.root_element() else { return };
    for child in root.children().collect::<Vec<_>>() {
        if implied(&child, "head") || implied(&child, "body") {
            take_out(&child, &root);
        }
    }
    if implied(&root, "html") {
        take_out(&root, document);
    }
}

/// Replaces an element by its children.
fn take_out(element: &Node, parent: &Node) {
    while let Some(child) = element.first_child() {
        child.unlink();
        parent.insert_child(&child, Some(element));
    }
    element.unlink();
}

/// Parses a text into a fragment, in the context of an element with the name `context`.
fn into_fragment(document: &Node, fragment: &Node, context: QualName, text: &str) {
    let builder = Builder::new(document, fragment, false);
    html5ever::parse_fragment(builder, options(), context, Vec::new(), false).one(text);
    // html5ever puts the result into an element `html`, which is removed here.
    if let Some(root) = fragment.first_child() {
        while let Some(child) = root.first_child() {
            child.unlink();
            fragment.insert_child(&child, None);
        }
        root.unlink();
    }
}

/// Parses a text as the contents of an element, into a new fragment.
pub fn fragment(context: &Node, text: &str) -> Option<Node> {
    let document = context.document()?;
    let fragment = Node::new_fragment(Some(&document))?;
    let local = String::from_utf8_lossy(&context.name()).into_owned();
    let uri = context.namespace_uri().unwrap_or_else(|| HTML.to_vec());
    let uri = String::from_utf8_lossy(&uri).into_owned();
    let name = QualName::new(None, uri.as_str().into(), local.as_str().into());
    into_fragment(&document, &fragment, name, text);
    Some(fragment)
}
