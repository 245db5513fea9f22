//! The native part of an element: a node, and the view of it that the object stands for.

use phlox_libxml::{Kind, Node, XPath};
use phlox_runtime::{ClassRef, Edges, NativeData, PhpObj, PhpResult, Slot, Throw, Val, Vm};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::rc::Rc;

/// The nodes that an object stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The node itself.
    #[default]
    Itself,
    /// The children of the node with the name.
    Named,
    /// All children of the node.
    Children,
    /// The attributes of the node, or only those with the name if there is one.
    Attributes,
}

/// A node and the view of it.
#[derive(Clone)]
pub struct Element {
    /// The node that the view starts from.
    pub node: Node,
    /// The nodes that the object stands for.
    pub view: View,
    /// The name that the view restricts nodes to.
    pub name: Option<Vec<u8>>,
    /// The namespace to which children and attributes are restricted.
    pub namespace: Option<Vec<u8>>,
    /// Whether `namespace` is a prefix instead of a URI.
    pub by_prefix: bool,
}

/// The native part of a `SimpleXMLElement`.
pub struct Data {
    /// The element; none before the constructor has run.
    pub element: RefCell<Option<Element>>,
    /// The current element of the iteration.
    pub current: Slot,
    /// The last child that was made because something inside of it was written. PHP keeps it, so the ids of its objects
    /// stay taken.
    pub inside: Slot,
    /// The last table of properties that was asked for. PHP keeps it, so the ids of its objects stay taken.
    pub table: Slot,
    /// The context for XPath expressions, made at the first use.
    pub xpath: RefCell<Option<Rc<XPath>>>,
    /// Whether it was made from a text without any element, from which the parser was told to recover.
    pub rootless: Cell<bool>,
}

impl Data {
    fn new(element: Option<Element>) -> Data {
        Data {
            element: RefCell::new(element),
            current: Slot::new(Val::UNDEF),
            inside: Slot::new(Val::UNDEF),
            table: Slot::new(Val::UNDEF),
            xpath: RefCell::default(),
            rootless: Cell::new(false),
        }
    }
}

impl NativeData for Data {
    fn trace(&self, edges: &mut Edges) {
        for slot in [&self.current, &self.inside, &self.table] {
            slot.trace(edges);
        }
    }

    fn clear(&self) {
        for slot in [&self.current, &self.inside, &self.table] {
            slot.set(Val::UNDEF);
        }
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        let element = self.element.borrow().clone().and_then(|element| {
            let document = element.node.document();
            let is_root = element.node.parent().is_some_and(|parent| parent.kind().is_document());
            let node = match (is_root, document) {
                (true, Some(document)) => document.copy(None, true)?.root_element()?,
                (_, document) => element.node.copy(document.as_ref(), true)?,
            };
            Some(Element { node, ..element })
        });
        Some(Rc::new(Data::new(element)))
    }
}

/// Gives a new object its native part, without an element yet.
pub fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Data::new(None)));
}

/// The native part of a `SimpleXMLElement`.
pub fn data(object: &PhpObj) -> &Data {
    object.native::<Data>().unwrap_or_else(|| unreachable!("every SimpleXMLElement has its data"))
}

fn uninitialised(vm: &Vm) -> Throw {
    vm.throw_error(b"SimpleXMLElement is not properly initialized")
}

/// The element of an object. Throws if the constructor has not run.
pub fn element(vm: &Vm, object: &PhpObj) -> PhpResult<Element> {
    data(object).element.borrow().clone().ok_or_else(|| uninitialised(vm))
}

/// Makes an object stand for an element.
pub fn set(object: &PhpObj, element: Element) {
    *data(object).element.borrow_mut() = Some(element);
}

/// A new object of a class for an element.
pub fn object(vm: &Vm, class: &ClassRef, element: Element) -> PhpResult<Val> {
    let object = vm.instantiate(class)?;
    set(&object, element);
    Ok(object.into())
}

/// A new object of a class for a document without an element.
pub fn rootless(vm: &Vm, class: &ClassRef) -> PhpResult<Val> {
    let object = vm.instantiate(class)?;
    data(&object).rootless.set(true);
    Ok(object.into())
}

/// A new object of the class of `like`.
pub fn object_like(vm: &Vm, like: &PhpObj, element: Element) -> PhpResult<Val> {
    object(vm, like.class_header(), element)
}

/// Objects are equal if they stand for views of one node; otherwise they cannot be compared.
pub fn compare(_vm: &Vm, one: &PhpObj, other: &PhpObj) -> PhpResult<Option<Ordering>> {
    let node = |object: &PhpObj| data(object).element.borrow().as_ref().map(|element| element.node.clone());
    Ok((node(one) == node(other)).then_some(Ordering::Equal))
}

/// The node of an object, for `dom_import_simplexml()`; `None` if the object is of another class.
pub fn find_node(vm: &Vm, object: &PhpObj) -> PhpResult<Option<Node>> {
    match object.native::<Data>() {
        Some(_) => Ok(element(vm, object)?.target()),
        None => Ok(None),
    }
}

impl Element {
    /// An element that stands for the node itself, without a namespace.
    pub fn itself(node: Node) -> Element {
        Element { node, view: View::Itself, name: None, namespace: None, by_prefix: false }
    }

    /// A view of another node with this element's namespace.
    pub fn with(&self, node: Node, view: View, name: Option<Vec<u8>>) -> Element {
        Element { node, view, name, namespace: self.namespace.clone(), by_prefix: self.by_prefix }
    }

    /// Whether a node is in the namespace to which this element is restricted.
    pub fn in_namespace(&self, node: &Node) -> bool {
        let own = node.namespace();
        match &self.namespace {
            None => own.is_none_or(|own| own.prefix().is_none()),
            Some(wanted) => own.is_some_and(|own| {
                let known = if self.by_prefix { own.prefix() } else { own.uri() };
                known.as_ref() == Some(wanted)
            }),
        }
    }

    /// The first node that the view shows, from `from` on.
    pub fn shown_from(&self, from: Option<Node>) -> Option<Node> {
        let mut at = from;
        while let Some(node) = at {
            let kind = if self.view == View::Attributes { Kind::Attribute } else { Kind::Element };
            let named = matches!(self.view, View::Attributes | View::Named);
            let fits = node.is(kind)
                && self.in_namespace(&node)
                && (!named || self.name.as_ref().is_none_or(|name| node.name_is(name)));
            if fits {
                return Some(node);
            }
            at = node.next();
        }
        None
    }

    /// The first node that the view shows.
    pub fn first(&self) -> Option<Node> {
        match self.view {
            View::Attributes => self.shown_from(self.node.first_attribute()),
            _ => self.shown_from(self.node.first_child()),
        }
    }

    /// The next node that the view shows behind this one.
    pub fn after(&self, node: &Node) -> Option<Node> {
        self.shown_from(node.next())
    }

    /// The nodes that the view shows.
    pub fn shown(&self) -> impl Iterator<Item = Node> {
        std::iter::successors(self.first(), |node| self.after(node))
    }

    /// The node that the object stands for: its own, or the first that the view shows.
    pub fn target(&self) -> Option<Node> {
        if self.view == View::Itself { Some(self.node.clone()) } else { self.first() }
    }
}
