//! The objects of nodes: a node has at most one object at a time. Also the settings of documents.

use phlox_libxml::{Kind, Namespace, Node, NotationText};
use phlox_runtime::{Call, ClassRef, Edges, NativeData, ObjExt, PhpObj, PhpResult, PhpStr, Slot, Throw, Val, Vm};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// What a native object of this extension stands for.
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
    /// The handle of the object that `classList` of an element gave last; 0 if none.
    tokens: Cell<u32>,
    /// The object of the element that a declaration belongs to, which must live as long as the declaration's object.
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

/// Frees a node that has no parent when its object ends. Nodes below it that have objects become trees of their own.
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

/// A copy of a node for its document. A copied document has the settings of the original.
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

/// Gives a new node object its native part, which stands for nothing yet.
pub fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(NodeData::default()));
}

fn data(object: &PhpObj) -> &NodeData {
    object.native::<NodeData>().unwrap_or_else(|| unreachable!("every node object has its data"))
}

/// The handle of the object that `classList` of an element gave last; 0 if none.
pub fn token_list(object: &PhpObj) -> &Cell<u32> {
    &data(object).tokens
}

/// What an object stands for.
pub fn held(object: &PhpObj) -> Held {
    let data = data(object);
    let held = data.held.borrow().clone();
    if let Held::Node(node) = &held {
        // A clone's handle is unknown while its data is copied, so the node's tag is set at the first use.
        if data.handle.get() == 0 {
            data.handle.set(object.handle());
            node.set_tag(Some(object.handle()));
        }
    }
    held
}

/// Makes an object stand for a node, and ends what it stood for before.
pub fn hold(object: &PhpObj, node: Node) {
    let data = data(object);
    data.forget();
    data.handle.set(object.handle());
    node.set_tag(Some(object.handle()));
    *data.held.borrow_mut() = Held::Node(node);
}

/// Makes an object stand for something that is no node of a tree.
pub fn hold_other(object: &PhpObj, held: Held) {
    *data(object).held.borrow_mut() = held;
}

/// The node of an object. Throws an `Error` if the object stands for none.
pub fn node_of(vm: &Vm, object: &PhpObj) -> PhpResult<Node> {
    match held(object) {
        Held::Node(node) => Ok(node),
        _ => Err(vm.throw_error(&[b"Couldn't fetch ", &object.class_name()[..]].concat())),
    }
}

/// The node of `$this`. Throws if the object stands for none.
pub fn this(call: &Call<'_>) -> PhpResult<Node> {
    match held(call.this()) {
        Held::Node(node) => Ok(node),
        // Reading or setting a property of an object without a node throws a `DOMException`; a method throws an
        // `Error`.
        _ if call.func.name.first() == Some(&b'$') => Err(crate::errors::raise(call.vm, crate::errors::INVALID_STATE)),
        _ => Err(not_fetched(call)),
    }
}

fn not_fetched(call: &Call<'_>) -> Throw {
    call.vm.throw_error(&[b"Couldn't fetch ", &call.this().class_name()[..]].concat())
}

/// The node of an argument that is an object. Throws if the object stands for none.
pub fn argument(call: &Call<'_>, index: usize) -> PhpResult<Node> {
    match call.opt_obj(index) {
        Some(object) => node_of(call.vm, &object),
        None => Err(not_fetched(call)),
    }
}

/// The node of an optional argument; `None` for null.
pub fn optional_argument(call: &Call<'_>, index: usize) -> PhpResult<Option<Node>> {
    call.opt_obj(index).map(|object| node_of(call.vm, &object)).transpose()
}

/// The settings that a document has besides its tree.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether the nodes' objects have classes of the namespace `Dom` (the new DOM).
    pub modern: Cell<bool>,
    /// `DOMDocument::$formatOutput`.
    pub format_output: Cell<bool>,
    /// `DOMDocument::$validateOnParse`.
    pub validate_on_parse: Cell<bool>,
    /// `DOMDocument::$resolveExternals`.
    pub resolve_externals: Cell<bool>,
    /// `DOMDocument::$preserveWhiteSpace`.
    pub preserve_white_space: Cell<bool>,
    /// `DOMDocument::$substituteEntities`.
    pub substitute_entities: Cell<bool>,
    /// `DOMDocument::$strictErrorChecking`: errors are exceptions instead of warnings.
    pub strict_error_checking: Cell<bool>,
    /// `DOMDocument::$recover`.
    pub recover: Cell<bool>,
    /// Registered node classes, by the lower-case names of the classes that they replace.
    pub classes: RefCell<HashMap<PhpStr, ClassName>>,
}

/// A class that `registerNodeClass()` registered.
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

/// The settings of a node's document. A node without a document has the default ones.
pub fn settings(node: &Node) -> Rc<Settings> {
    let Some(document) = node.document() else { return Rc::default() };
    if let Some(known) = document.extra().and_then(|extra| extra.downcast::<Settings>().ok()) {
        return known;
    }
    let fresh = Rc::new(Settings::default());
    document.set_extra(fresh.clone());
    fresh
}

/// Whether a node belongs to the new DOM. The class of its object decides for a node without a document.
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

/// Whether a node is in the namespace of HTML.
pub fn is_html_element(node: &Node) -> bool {
    node.namespace_uri().as_deref() == Some(HTML)
}

/// The class of a node's object before `registerNodeClass()` is considered.
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

/// The object of a node: the one that exists, or a new one.
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

/// The object of an optional node; null for `None`.
pub fn wrap_optional(vm: &Vm, node: Option<Node>) -> PhpResult<Val> {
    node.map_or(Ok(Val::NULL), |node| wrap(vm, &node))
}

/// A new object of a class for something that is no node of a tree.
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

/// A string, or null for `None`.
pub fn text(bytes: Option<Vec<u8>>) -> Val {
    bytes.map_or(Val::NULL, |bytes| Val::str(&bytes))
}

/// The properties that `var_dump` shows: dynamic ones, then those of the class. Objects among the values are left out.
pub fn debug_info(vm: &Vm, object: &PhpObj) -> PhpResult<phlox_runtime::PhpArr> {
    let mut table = phlox_runtime::convert::object_properties(object);
    let flag = vm.data::<Cell<bool>>(DUMPING);
    let before = flag.replace(true);
    let result = add_own_properties(vm, object, &mut table);
    flag.set(before);
    result.map(|()| table)
}

const DUMPING: &str = "dom dump";

/// Whether properties are being read for a dump, which reports no deprecations.
pub fn is_dumping(vm: &Vm) -> bool {
    vm.data::<Cell<bool>>(DUMPING).get()
}

/// Whether the dump leaves `ownerDocument` out: a node without a document has none, and a document's own is null.
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
                // A property that cannot be read is left out. Exceptions are thrown when the dump has ended.
                Err(Throw::Exception(failure)) => failures.push(failure),
                Err(other) => return Err(other),
            }
        }
        class = current.class().parent.clone();
    }
    failures.into_iter().for_each(|failure| vm.set_pending(Throw::Exception(failure)));
    Ok(())
}
