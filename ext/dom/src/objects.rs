//! Objects of nodes: one object for a node as long as it lives, and what documents know besides their tree.

use phlox_libxml::{Kind, Namespace, Node, NotationText};
use phlox_runtime::{Call, ClassRef, Edges, NativeData, ObjExt, PhpObj, PhpResult, PhpStr, Slot, Throw, Val, Vm};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// What an object stands for.
#[derive(Clone, Default)]
pub enum Held {
    /// The constructor has not run.
    #[default]
    Nothing,
    Node(Node),
    /// A declaration of a namespace, seen from an element.
    Namespace {
        element: Node,
        namespace: Namespace,
    },
    /// A notation of a document type.
    Notation {
        doctype: Node,
        notation: NotationText,
    },
}

/// The native part of all node objects.
#[derive(Default)]
pub struct NodeData {
    held: RefCell<Held>,
    handle: Cell<u32>,
    /// The handle of an element's list of classes.
    tokens: Cell<u32>,
    /// The object of the element that a declaration of a namespace belongs to, which it keeps.
    owner: Slot,
}

impl NodeData {
    fn forget(&self) {
        let held = self.held.take();
        if let Held::Node(node) = held {
            if node.tag() == Some(self.handle.get()) {
                node.set_tag(None);
                release_below(&node);
            }
        }
    }
}

/// A node outside of any tree ends with its object, and those below it that have objects stand alone from then on.
fn release_below(top: &Node) {
    if !matches!(top.kind(), Kind::Element | Kind::Fragment | Kind::Attribute) || top.parent().is_some() {
        return;
    }
    let mut kept: Vec<Node> = top.attributes().filter(|attribute| attribute.tag().is_some()).collect();
    let mut next = top.first_child();
    while let Some(node) = next {
        next = if node.tag().is_some() {
            kept.push(node.clone());
            node.following_after(top)
        } else {
            kept.extend(node.attributes().filter(|attribute| attribute.tag().is_some()));
            node.following(top)
        };
    }
    kept.iter().for_each(Node::unlink);
}

impl Drop for NodeData {
    fn drop(&mut self) {
        self.forget();
    }
}

impl NativeData for NodeData {
    fn trace(&self, edges: &mut Edges) {
        self.owner.trace(edges);
    }

    fn clear(&self) {
        self.forget();
        self.owner.set(Val::UNDEF);
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        let held = match &*self.held.borrow() {
            Held::Node(node) => copy_of(node, true).map_or(Held::Nothing, Held::Node),
            other => other.clone(),
        };
        let owner = Slot::default();
        owner.set(self.owner.get());
        Some(Rc::new(NodeData { held: RefCell::new(held), handle: Cell::new(0), tokens: Cell::new(0), owner }))
    }
}

/// A copy of a node for the same document; a document's copy has the same settings.
pub fn copy_of(node: &Node, deep: bool) -> Option<Node> {
    if node.kind().is_document() {
        let copy = node.copy(None, deep)?;
        copy.set_extra(Rc::new((*settings(node)).clone()));
        if is_modern(&copy) {
            crate::namespaces::copy_names(node, &copy, &copy, deep);
        }
        return Some(copy);
    }
    let copy = node.copy(node.document().as_ref(), deep)?;
    if let Some(document) = node.document().filter(is_modern) {
        crate::namespaces::copy_names(node, &copy, &document, deep);
    } else if copy.is(Kind::Attribute) && copy.namespace().is_none() {
        copy.set_namespace(node.namespace().as_ref());
    }
    Some(copy)
}

pub fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(NodeData::default()));
}

fn data(object: &PhpObj) -> &NodeData {
    object.native::<NodeData>().unwrap_or_else(|| unreachable!("every node object has its data"))
}

/// The handle of an element's list of classes.
pub fn token_list(object: &PhpObj) -> &Cell<u32> {
    &data(object).tokens
}

/// What the object stands for.
pub fn held(object: &PhpObj) -> Held {
    let data = data(object);
    let held = data.held.borrow().clone();
    if let Held::Node(node) = &held {
        // A clone learns its object's handle here.
        if data.handle.get() == 0 {
            data.handle.set(object.handle());
            node.set_tag(Some(object.handle()));
        }
    }
    held
}

/// Makes the object stand for a node.
pub fn hold(object: &PhpObj, node: Node) {
    let data = data(object);
    data.forget();
    data.handle.set(object.handle());
    node.set_tag(Some(object.handle()));
    *data.held.borrow_mut() = Held::Node(node);
}

pub fn hold_other(object: &PhpObj, held: Held) {
    *data(object).held.borrow_mut() = held;
}

/// The node of an object.
pub fn node_of(vm: &Vm, object: &PhpObj) -> PhpResult<Node> {
    match held(object) {
        Held::Node(node) => Ok(node),
        _ => Err(vm.throw_error(&[b"Couldn't fetch ", &object.class_name()[..]].concat())),
    }
}

/// The node of `$this`.
pub fn this(call: &Call<'_>) -> PhpResult<Node> {
    match held(call.this()) {
        Held::Node(node) => Ok(node),
        // A property of an object without a node is no programmer's mistake but a state.
        _ if call.func.name.first() == Some(&b'$') => Err(crate::errors::raise(call.vm, crate::errors::INVALID_STATE)),
        _ => Err(not_fetched(call)),
    }
}

fn not_fetched(call: &Call<'_>) -> Throw {
    call.vm.throw_error(&[b"Couldn't fetch ", &call.this().class_name()[..]].concat())
}

/// The node of an argument that is an object.
pub fn argument(call: &Call<'_>, index: usize) -> PhpResult<Node> {
    match call.opt_obj(index) {
        Some(object) => node_of(call.vm, &object),
        None => Err(not_fetched(call)),
    }
}

/// The node of an optional argument.
pub fn optional_argument(call: &Call<'_>, index: usize) -> PhpResult<Option<Node>> {
    call.opt_obj(index).map(|object| node_of(call.vm, &object)).transpose()
}

/// What a document knows besides its tree.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Do its nodes have the classes of the namespace `Dom`?
    pub modern: Cell<bool>,
    pub format_output: Cell<bool>,
    pub validate_on_parse: Cell<bool>,
    pub resolve_externals: Cell<bool>,
    pub preserve_white_space: Cell<bool>,
    pub substitute_entities: Cell<bool>,
    pub strict_error_checking: Cell<bool>,
    pub recover: Cell<bool>,
    /// Classes that stand for others, by the others' lower-case names.
    pub classes: RefCell<HashMap<PhpStr, ClassName>>,
}

/// A registered class.
#[derive(Clone)]
pub struct ClassName(pub ClassRef);

impl std::fmt::Debug for ClassName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("class")
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            modern: Cell::new(false),
            format_output: Cell::new(false),
            validate_on_parse: Cell::new(false),
            resolve_externals: Cell::new(false),
            preserve_white_space: Cell::new(true),
            substitute_entities: Cell::new(false),
            strict_error_checking: Cell::new(true),
            recover: Cell::new(false),
            classes: RefCell::default(),
        }
    }
}

/// The settings of a node's document; a node without one has the usual ones.
pub fn settings(node: &Node) -> Rc<Settings> {
    let Some(document) = node.document() else { return Rc::default() };
    if let Some(known) = document.extra().and_then(|extra| extra.downcast::<Settings>().ok()) {
        return known;
    }
    let fresh = Rc::new(Settings::default());
    document.set_extra(fresh.clone());
    fresh
}

/// Does the node belong to the new DOM? Of a node outside of documents its object tells.
pub fn is_modern(node: &Node) -> bool {
    match node.document() {
        Some(_) => settings(node).modern.get(),
        None => node.tag().and_then(phlox_value::object_by_handle).is_some_and(|object| has_modern_class(&object)),
    }
}

fn has_modern_class(object: &PhpObj) -> bool {
    use phlox_runtime::ClassExt;
    let above = |class: &ClassRef| class.class().parent.clone();
    std::iter::successors(Some(object.class_header().clone()), above)
        .any(|class| &class.class().name[..] == b"Dom\\Node")
}

/// The namespace of HTML.
pub const HTML: &[u8] = b"http://www.w3.org/1999/xhtml";

pub fn is_html_element(node: &Node) -> bool {
    node.namespace_uri().as_deref() == Some(HTML)
}

/// The class of a node's object, before any registered one.
fn base_class(node: &Node, modern: bool) -> &'static str {
    let (classic, new) = match node.kind() {
        Kind::Element if modern && is_html_element(node) => ("DOMElement", "Dom\\HTMLElement"),
        Kind::Element => ("DOMElement", "Dom\\Element"),
        Kind::Attribute => ("DOMAttr", "Dom\\Attr"),
        Kind::Text => ("DOMText", "Dom\\Text"),
        Kind::CData => ("DOMCdataSection", "Dom\\CDATASection"),
        Kind::EntityReference => ("DOMEntityReference", "Dom\\EntityReference"),
        Kind::Entity | Kind::EntityDeclaration => ("DOMEntity", "Dom\\Entity"),
        Kind::Instruction => ("DOMProcessingInstruction", "Dom\\ProcessingInstruction"),
        Kind::Comment => ("DOMComment", "Dom\\Comment"),
        Kind::Document => ("DOMDocument", "Dom\\XMLDocument"),
        Kind::HtmlDocument => ("DOMDocument", "Dom\\HTMLDocument"),
        Kind::DocumentType | Kind::Dtd => ("DOMDocumentType", "Dom\\DocumentType"),
        Kind::Fragment => ("DOMDocumentFragment", "Dom\\DocumentFragment"),
        Kind::Notation => ("DOMNotation", "Dom\\Notation"),
        _ => ("DOMNode", "Dom\\Node"),
    };
    if modern { new } else { classic }
}

/// The object of a node: the one that there is, or a new one.
pub fn wrap(vm: &Vm, node: &Node) -> PhpResult<Val> {
    if let Some(object) = node.tag().and_then(phlox_value::object_by_handle) {
        return Ok(object.into());
    }
    let settings = settings(node);
    let name = base_class(node, is_modern(node));
    let registered = settings.classes.borrow().get(&PhpStr::new(&name.to_ascii_lowercase().into_bytes())).cloned();
    let class = match registered {
        Some(class) => class.0,
        None => vm.require_class(name.as_bytes())?,
    };
    let object = vm.instantiate(&class)?;
    hold(&object, node.clone());
    Ok(object.into())
}

/// As [`wrap`]; null for none.
pub fn wrap_optional(vm: &Vm, node: Option<Node>) -> PhpResult<Val> {
    node.map_or(Ok(Val::NULL), |node| wrap(vm, &node))
}

/// A new object of a class for something that is no node of the tree.
pub fn wrap_other(vm: &Vm, class: &str, held: Held) -> PhpResult<Val> {
    let object = vm.instantiate(&vm.require_class(class.as_bytes())?)?;
    if let Held::Namespace { element, .. } = &held {
        if element.tag().is_some() {
            data(&object).owner.set(wrap(vm, element)?);
        }
    }
    hold_other(&object, held);
    Ok(object.into())
}

/// Text as a value.
pub fn text(bytes: Option<Vec<u8>>) -> Val {
    bytes.map_or(Val::NULL, |bytes| Val::str(&bytes))
}

/// Properties as `var_dump` shows them: dynamic ones, then the class's own, other objects left out.
pub fn debug_info(vm: &Vm, object: &PhpObj) -> PhpResult<phlox_runtime::PhpArr> {
    let mut table = phlox_runtime::convert::object_properties(object);
    let flag = vm.data::<Cell<bool>>(DUMPING);
    let before = flag.replace(true);
    let result = add_own_properties(vm, object, &mut table);
    flag.set(before);
    result.map(|()| table)
}

const DUMPING: &str = "dom dump";

/// Are properties read for a dump, which warns of nothing?
pub fn is_dumping(vm: &Vm) -> bool {
    vm.data::<Cell<bool>>(DUMPING).get()
}

/// A node outside of documents has no `ownerDocument`; a document's own is null.
fn lacks_document(object: &PhpObj, property: &[u8]) -> bool {
    property == b"ownerDocument" && matches!(held(object), Held::Node(node) if !node.kind().is_document())
}

fn add_own_properties(vm: &Vm, object: &PhpObj, table: &mut phlox_runtime::PhpArr) -> PhpResult<()> {
    use phlox_runtime::vm::Callee;
    use phlox_runtime::{ClassExt, Key};
    let mut class = Some(object.class_header().clone());
    let mut failures = Vec::new();
    let omitted = Val::str(b"(object value omitted)");
    while let Some(current) = class {
        for (name, info) in &current.class().props {
            let own = Rc::ptr_eq(info.declarer(), &current) && info.unit.internal;
            let Some(hook) = info.get_hook.as_ref().filter(|_| own) else { continue };
            if table.contains(Key::from_str(name)) {
                continue;
            }
            match vm.call(&Callee::method(hook.clone(), object.clone()), Vec::new()) {
                Ok(value) if value.as_obj().is_some() => drop(table.insert(Key::from_str(name), omitted.clone())),
                Ok(value) if value.is_null() && lacks_document(object, name) => {}
                Ok(value) => drop(table.insert(Key::from_str(name), value)),
                // What cannot be read is left out; the dump goes on and what it threw comes after it.
                Err(Throw::Exception(failure)) => failures.push(failure),
                Err(other) => return Err(other),
            }
        }
        class = current.class().parent.clone();
    }
    failures.into_iter().for_each(|failure| vm.set_pending(Throw::Exception(failure)));
    Ok(())
}
