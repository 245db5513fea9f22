//! The native part of an element: a node, and which of its neighbours the object stands for.

use phlox_libxml::{Kind, Node, XPath};
use phlox_runtime::{ClassRef, Edges, NativeData, PhpObj, PhpResult, Slot, Throw, Val, Vm};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::rc::Rc;

/// What an object stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The node itself.
    #[default]
    Itself,
    /// The children of the node with the name.
    Named,
    /// All children of the node.
    Children,
    /// The attributes of the node, perhaps only those with the name.
    Attributes,
}

/// A node seen in one way.
#[derive(Clone)]
pub struct Element {
    pub node: Node,
    pub view: View,
    pub name: Option<Vec<u8>>,
    /// Only what is in this namespace counts.
    pub namespace: Option<Vec<u8>>,
    /// The namespace is given by its prefix.
    pub by_prefix: bool,
}

/// The native part of a SimpleXMLElement.
pub struct Data {
    pub element: RefCell<Option<Element>>,
    /// The element that an iteration has come to.
    pub current: Slot,
    /// The child that was made last for something to be put inside of it, and the table of properties that was asked for last:
    /// PHP keeps both, so that the ids of the objects stay taken.
    pub inside: Slot,
    pub table: Slot,
    pub xpath: RefCell<Option<Rc<XPath>>>,
    /// Was it made of a text without any element (which the parser was told to recover from)?
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

pub fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Data::new(None)));
}

pub fn data(object: &PhpObj) -> &Data {
    object.native::<Data>().unwrap_or_else(|| unreachable!("every SimpleXMLElement has its data"))
}

fn uninitialised(vm: &Vm) -> Throw {
    vm.throw_error(b"SimpleXMLElement is not properly initialized")
}

/// The element of an object.
pub fn element(vm: &Vm, object: &PhpObj) -> PhpResult<Element> {
    data(object).element.borrow().clone().ok_or_else(|| uninitialised(vm))
}

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

/// A new object of the class of another.
pub fn object_like(vm: &Vm, like: &PhpObj, element: Element) -> PhpResult<Val> {
    object(vm, like.class_header(), element)
}

/// Only the same node is equal.
pub fn compare(_vm: &Vm, one: &PhpObj, other: &PhpObj) -> PhpResult<Option<Ordering>> {
    let node = |object: &PhpObj| data(object).element.borrow().as_ref().map(|element| element.node.clone());
    Ok((node(one) == node(other)).then_some(Ordering::Equal))
}

/// For `dom_import_simplexml`.
pub fn find_node(vm: &Vm, object: &PhpObj) -> PhpResult<Option<Node>> {
    match object.native::<Data>() {
        Some(_) => Ok(element(vm, object)?.target()),
        None => Ok(None),
    }
}

impl Element {
    pub fn itself(node: Node) -> Element {
        Element { node, view: View::Itself, name: None, namespace: None, by_prefix: false }
    }

    /// The same namespace for another node.
    pub fn with(&self, node: Node, view: View, name: Option<Vec<u8>>) -> Element {
        Element { node, view, name, namespace: self.namespace.clone(), by_prefix: self.by_prefix }
    }

    /// Is a node in the wanted namespace?
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

    /// The first node from this one on that the view shows.
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

    pub fn after(&self, node: &Node) -> Option<Node> {
        self.shown_from(node.next())
    }

    pub fn shown(&self) -> impl Iterator<Item = Node> {
        std::iter::successors(self.first(), |node| self.after(node))
    }

    /// The node that the object means: itself, or the first that the view shows.
    pub fn target(&self) -> Option<Node> {
        if self.view == View::Itself { Some(self.node.clone()) } else { self.first() }
    }
}
