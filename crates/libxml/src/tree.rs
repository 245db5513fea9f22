//! Trees: handles of nodes, the ownership of their memory, and functions that read trees. `edit` has the functions
//! that change them.

use crate::sys::{self, XmlAttr, XmlDoc, XmlDtd, XmlEntity, XmlHead, XmlNode, XmlNotation, XmlNs};
use crate::{c_text, copied, optional, taken};
use std::any::Any;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::rc::Rc;

/// The kind of a node. The numbers are those of the DOM and of libxml2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Kind {
    Element = 1,
    Attribute = 2,
    Text = 3,
    CData = 4,
    EntityReference = 5,
    Entity = 6,
    Instruction = 7,
    Comment = 8,
    Document = 9,
    DocumentType = 10,
    Fragment = 11,
    Notation = 12,
    HtmlDocument = 13,
    Dtd = 14,
    ElementDeclaration = 15,
    AttributeDeclaration = 16,
    EntityDeclaration = 17,
    Namespace = 18,
    XIncludeStart = 19,
    XIncludeEnd = 20,
}

impl Kind {
    fn from_number(number: i32) -> Kind {
        use Kind::*;
        match number {
            1 => Element,
            2 => Attribute,
            3 => Text,
            4 => CData,
            5 => EntityReference,
            6 => Entity,
            7 => Instruction,
            8 => Comment,
            9 => Document,
            10 => DocumentType,
            11 => Fragment,
            12 => Notation,
            13 => HtmlDocument,
            14 => Dtd,
            15 => ElementDeclaration,
            16 => AttributeDeclaration,
            17 => EntityDeclaration,
            18 => Namespace,
            19 => XIncludeStart,
            _ => XIncludeEnd,
        }
    }

    /// Whether nodes of this kind have a text of their own: texts, CDATA sections, comments and instructions.
    pub fn is_character_data(self) -> bool {
        matches!(self, Kind::Text | Kind::CData | Kind::Comment | Kind::Instruction)
    }

    /// Whether nodes of this kind are documents, of XML or HTML.
    pub fn is_document(self) -> bool {
        matches!(self, Kind::Document | Kind::HtmlDocument)
    }
}

/// The memory of one or more documents and of all nodes that ever belonged to them. It is freed when the last handle
/// is dropped.
#[derive(Default)]
pub(crate) struct Owner {
    docs: RefCell<Vec<*mut XmlDoc>>,
    /// Roots of trees that are in no document.
    loose: RefCell<HashSet<*mut XmlNode>>,
    /// Declarations of namespaces that belong to no element.
    loose_ns: RefCell<Vec<*mut XmlNs>>,
    /// The owner that took over the memory, after nodes moved from one owner's documents to another's.
    merged: RefCell<Option<Rc<Owner>>>,
    /// Numbers that callers attached to nodes, by the node's address.
    tags: RefCell<HashMap<usize, u32>>,
    extras: RefCell<HashMap<usize, Rc<dyn Any>>>,
    /// Loose trees that are the contents of another node, by that node's address.
    contents: RefCell<HashMap<usize, *mut XmlNode>>,
}

impl Owner {
    /// The owner that has the memory now, after any merges.
    pub(crate) fn current(self: &Rc<Owner>) -> Rc<Owner> {
        let mut owner = self.clone();
        loop {
            let next = owner.merged.borrow().clone();
            match next {
                Some(next) => owner = next,
                None => return owner,
            }
        }
    }

    /// Moves all memory of `self` to `other`.
    fn merge_into(self: &Rc<Owner>, other: &Rc<Owner>) {
        if Rc::ptr_eq(self, other) {
            return;
        }
        other.docs.borrow_mut().append(&mut self.docs.borrow_mut());
        other.loose.borrow_mut().extend(self.loose.borrow_mut().drain());
        other.loose_ns.borrow_mut().append(&mut self.loose_ns.borrow_mut());
        other.tags.borrow_mut().extend(self.tags.borrow_mut().drain());
        other.extras.borrow_mut().extend(self.extras.borrow_mut().drain());
        other.contents.borrow_mut().extend(self.contents.borrow_mut().drain());
        *self.merged.borrow_mut() = Some(other.clone());
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.extras.get_mut().clear();
        // SAFETY: the last handle is gone, so nothing refers to these trees. Loose trees are freed first, because
        // their names may live in a document's dictionary.
        unsafe {
            for node in self.loose.get_mut().drain() {
                match Kind::from_number((*node).kind) {
                    Kind::Attribute => sys::xmlFreeProp(node),
                    Kind::Dtd | Kind::DocumentType => sys::xmlFreeDtd(node.cast()),
                    _ => sys::xmlFreeNode(node),
                }
            }
            for doc in self.docs.get_mut().drain(..) {
                sys::xmlFreeDoc(doc);
            }
            for ns in self.loose_ns.get_mut().drain(..) {
                sys::xmlFreeNs(ns);
            }
        }
    }
}

/// A handle of a node. The node lives as long as any handle of a node of its memory.
#[derive(Clone)]
pub struct Node {
    raw: NonNull<XmlNode>,
    owner: Rc<Owner>,
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Node {}

/// A declaration of a namespace.
#[derive(Clone)]
pub struct Namespace {
    raw: NonNull<XmlNs>,
    owner: Rc<Owner>,
}

impl PartialEq for Namespace {
    fn eq(&self, other: &Namespace) -> bool {
        self.raw == other.raw
    }
}

impl Namespace {
    /// The prefix that is declared; `None` for a default namespace.
    pub fn prefix(&self) -> Option<Vec<u8>> {
        // SAFETY: `self.owner` keeps the declaration alive, and its prefix is null or ends with NUL.
        unsafe { copied(self.raw.as_ref().prefix) }
    }

    /// The URI of the namespace.
    pub fn uri(&self) -> Option<Vec<u8>> {
        // SAFETY: `self.owner` keeps the declaration alive, and its URI is null or ends with NUL.
        unsafe { copied(self.raw.as_ref().href) }
    }

    pub(crate) fn raw(&self) -> *mut XmlNs {
        self.raw.as_ptr()
    }

    pub(crate) fn owner(&self) -> Rc<Owner> {
        self.owner.current()
    }
}

/// Name and ids of a notation. Notations are no nodes in libxml2.
#[derive(Clone, Debug, Default)]
pub struct NotationText {
    pub name: Vec<u8>,
    pub public_id: Option<Vec<u8>>,
    pub system_id: Option<Vec<u8>>,
}

impl Node {
    /// # Safety
    /// The node belongs to memory that `owner` frees, or is null.
    pub(crate) unsafe fn from_raw(raw: *mut XmlNode, owner: &Rc<Owner>) -> Option<Node> {
        NonNull::new(raw).map(|raw| Node { raw, owner: owner.clone() })
    }

    /// # Safety
    /// The document is new and nothing else frees it; or it is null.
    pub(crate) unsafe fn adopt_document(doc: *mut XmlDoc) -> Option<Node> {
        let raw = NonNull::new(doc.cast::<XmlNode>())?;
        let owner = Rc::new(Owner::default());
        owner.docs.borrow_mut().push(doc);
        Some(Node { raw, owner })
    }

    /// # Safety
    /// The node is new, in no tree, and nothing else frees it; or it is null. It belongs to `self`'s document or to
    /// none.
    pub(crate) unsafe fn adopt_loose(&self, raw: *mut XmlNode) -> Option<Node> {
        let raw = NonNull::new(raw)?;
        let owner = self.owner();
        owner.loose.borrow_mut().insert(raw.as_ptr());
        Some(Node { raw, owner })
    }

    /// # Safety
    /// The node is new, belongs to no document, and nothing else frees it; or it is null.
    pub(crate) unsafe fn adopt_alone(raw: *mut XmlNode) -> Option<Node> {
        let raw = NonNull::new(raw)?;
        let owner = Rc::new(Owner::default());
        owner.loose.borrow_mut().insert(raw.as_ptr());
        Some(Node { raw, owner })
    }

    pub(crate) fn owner(&self) -> Rc<Owner> {
        self.owner.current()
    }

    pub(crate) fn raw(&self) -> *mut XmlNode {
        self.raw.as_ptr()
    }

    /// The fields that every node has.
    pub(crate) fn fields(&self) -> &XmlHead {
        // SAFETY: the owner keeps the node alive, and every kind of node begins with the fields of `XmlHead`.
        unsafe { self.raw.cast::<XmlHead>().as_ref() }
    }

    pub(crate) fn near(&self, raw: *mut XmlNode) -> Option<Node> {
        // SAFETY: the links of a node point to nodes of the same memory, or are null.
        unsafe { Node::from_raw(raw, &self.owner) }
    }

    /// Hands a declaration of a namespace over to the owner, which frees it at the end.
    pub(crate) fn keep_namespace(&self, raw: *mut XmlNs) {
        self.owner().loose_ns.borrow_mut().push(raw);
    }

    /// Takes a declaration out of the owner's list; false if it is not in that list.
    pub(crate) fn release_namespace(&self, namespace: &Namespace) -> bool {
        self.share_memory_with_namespace(namespace);
        let owner = self.owner();
        let mut kept = owner.loose_ns.borrow_mut();
        let found = kept.iter().position(|&raw| raw == namespace.raw());
        found.map(|at| kept.swap_remove(at)).is_some()
    }

    pub(crate) fn mark_loose(&self, loose: bool) {
        let owner = self.owner();
        let mut set = owner.loose.borrow_mut();
        if loose {
            set.insert(self.raw());
        } else {
            set.remove(&self.raw());
        }
    }

    /// Makes one owner of the memory of this node and of another.
    pub(crate) fn share_memory(&self, other: &Node) {
        self.owner().merge_into(&other.owner());
    }

    pub(crate) fn share_memory_with_namespace(&self, other: &Namespace) {
        other.owner().merge_into(&self.owner());
    }

    /// The address of the node, which identifies it as long as it lives.
    pub fn address(&self) -> usize {
        self.raw() as usize
    }

    /// A number that the caller attached to the node.
    pub fn tag(&self) -> Option<u32> {
        self.owner().tags.borrow().get(&self.address()).copied()
    }

    /// Attaches a number to the node, or removes it.
    pub fn set_tag(&self, tag: Option<u32>) {
        let owner = self.owner();
        let mut tags = owner.tags.borrow_mut();
        match tag {
            Some(tag) => tags.insert(self.address(), tag),
            None => tags.remove(&self.address()),
        };
    }

    /// Data that the caller attached to the node. It is dropped with the memory.
    pub fn extra(&self) -> Option<Rc<dyn Any>> {
        self.owner().extras.borrow().get(&self.address()).cloned()
    }

    /// Attaches data to the node, in place of what was attached before.
    pub fn set_extra(&self, extra: Rc<dyn Any>) {
        self.owner().extras.borrow_mut().insert(self.address(), extra);
    }

    /// A fragment that belongs to the node without being among its children, such as the contents of an HTML
    /// template.
    pub fn contents(&self) -> Option<Node> {
        let owner = self.owner();
        let raw = owner.contents.borrow().get(&self.address()).copied()?;
        // SAFETY: the owner frees the fragment's memory: the entry was made by `make_contents` from a fragment of
        // this owner, and merged owners take over the tables.
        unsafe { Node::from_raw(raw, &owner) }
    }

    /// The fragment that [`Node::contents`] gives, made if there is none.
    pub fn make_contents(&self) -> Option<Node> {
        if let Some(contents) = self.contents() {
            return Some(contents);
        }
        let fragment = Node::new_fragment(Some(&self.document()?))?;
        self.owner().contents.borrow_mut().insert(self.address(), fragment.raw());
        Some(fragment)
    }

    /// The kind of the node.
    pub fn kind(&self) -> Kind {
        Kind::from_number(self.fields().kind)
    }

    /// Whether the node is of this kind.
    pub fn is(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    fn has_element_fields(&self) -> bool {
        matches!(
            self.kind(),
            Kind::Element
                | Kind::Text
                | Kind::CData
                | Kind::EntityReference
                | Kind::Instruction
                | Kind::Comment
                | Kind::Fragment
                | Kind::XIncludeStart
                | Kind::XIncludeEnd
        )
    }

    /// The local name of an element or attribute, the target of an instruction, or the name of an entity. Empty for a
    /// document.
    pub fn name(&self) -> Vec<u8> {
        if self.kind().is_document() {
            return Vec::new();
        }
        // SAFETY: the owner keeps the name alive, which is null or ends with NUL.
        unsafe { copied(self.fields().name) }.unwrap_or_default()
    }

    /// Whether `name` is the node's name, compared without a copy.
    pub fn name_is(&self, name: &[u8]) -> bool {
        let own = self.fields().name;
        if own.is_null() || self.kind().is_document() {
            return false;
        }
        // SAFETY: the owner keeps the name alive; it is not null here, and ends with NUL.
        unsafe { std::ffi::CStr::from_ptr(own.cast()) }.to_bytes() == name
    }

    /// The name with its prefix.
    pub fn qualified_name(&self) -> Vec<u8> {
        let name = self.name();
        match self.namespace().and_then(|ns| ns.prefix()) {
            Some(prefix) if !prefix.is_empty() => [&prefix[..], b":", &name].concat(),
            _ => name,
        }
    }

    /// The document that the node belongs to; a document gives itself.
    pub fn document(&self) -> Option<Node> {
        self.near(self.fields().doc.cast())
    }

    pub(crate) fn doc_raw(&self) -> *mut XmlDoc {
        self.fields().doc
    }

    /// The parent; of an attribute, its element.
    pub fn parent(&self) -> Option<Node> {
        self.near(self.fields().parent)
    }

    /// The first child.
    pub fn first_child(&self) -> Option<Node> {
        self.near(self.fields().children)
    }

    /// The last child.
    pub fn last_child(&self) -> Option<Node> {
        self.near(self.fields().last)
    }

    /// The next sibling; of an attribute, the element's next attribute.
    pub fn next(&self) -> Option<Node> {
        self.near(self.fields().next)
    }

    /// The previous sibling; of an attribute, the element's previous attribute.
    pub fn previous(&self) -> Option<Node> {
        self.near(self.fields().prev)
    }

    /// The children in their order.
    pub fn children(&self) -> impl Iterator<Item = Node> {
        std::iter::successors(self.first_child(), Node::next)
    }

    /// The topmost ancestor, or the node itself if it has no parent.
    pub fn root(&self) -> Node {
        let mut node = self.clone();
        while let Some(parent) = node.parent() {
            node = parent;
        }
        node
    }

    /// The node after this one in document order, staying below `top`. Children of entity references are not entered.
    pub fn following(&self, top: &Node) -> Option<Node> {
        if !matches!(self.kind(), Kind::EntityReference | Kind::Attribute | Kind::EntityDeclaration) {
            if let Some(child) = self.first_child() {
                return Some(child);
            }
        }
        self.following_after(top)
    }

    /// The node after this one and its descendants in document order, staying below `top`.
    pub fn following_after(&self, top: &Node) -> Option<Node> {
        let mut node = self.clone();
        while node != *top {
            if let Some(next) = node.next() {
                return Some(next);
            }
            node = node.parent()?;
        }
        None
    }

    /// Whether `other` is this node or one of its descendants.
    pub fn contains(&self, other: &Node) -> bool {
        std::iter::successors(Some(other.clone()), Node::parent).any(|node| node == *self)
    }

    /// The namespace of an element or attribute.
    pub fn namespace(&self) -> Option<Namespace> {
        if !matches!(self.kind(), Kind::Element | Kind::Attribute) {
            return None;
        }
        // SAFETY: elements and attributes have the field `ns` at this place, and the owner keeps the node alive.
        self.near_namespace(unsafe { (*self.raw()).ns })
    }

    pub(crate) fn near_namespace(&self, raw: *mut XmlNs) -> Option<Namespace> {
        NonNull::new(raw).map(|raw| Namespace { raw, owner: self.owner.clone() })
    }

    /// The URI of the namespace of an element or attribute.
    pub fn namespace_uri(&self) -> Option<Vec<u8>> {
        self.namespace().and_then(|ns| ns.uri())
    }

    /// The namespaces that an element declares.
    pub fn declared_namespaces(&self) -> Vec<Namespace> {
        let mut result = Vec::new();
        if self.kind() == Kind::Element {
            // SAFETY: the node is an element, which has the field, and the owner keeps it alive.
            let mut at = unsafe { (*self.raw()).ns_def };
            while let Some(ns) = self.near_namespace(at) {
                // SAFETY: `at` is a declaration in the element's list, which the owner keeps alive.
                at = unsafe { (*at).next };
                result.push(ns);
            }
        }
        result
    }

    /// The namespaces in scope, innermost first.
    pub fn namespaces_in_scope(&self) -> Vec<Namespace> {
        let mut result = Vec::new();
        // SAFETY: libxml2 allocated the list for this call, and it is freed once. Its declarations belong to the
        // tree.
        unsafe {
            let list = sys::xmlGetNsList(self.doc_raw(), self.raw());
            let mut at = list;
            while !at.is_null() && !(*at).is_null() {
                result.extend(self.near_namespace(*at));
                at = at.add(1);
            }
            if !list.is_null() {
                (sys::xmlFree)(list.cast::<c_void>());
            }
        }
        result
    }

    /// The declaration of a prefix that is in scope; without a prefix, of the default namespace.
    pub fn find_namespace(&self, prefix: Option<&[u8]>) -> Option<Namespace> {
        let prefix = prefix.map(c_text);
        // SAFETY: the document is the node's own, and the text ends with NUL.
        let found = unsafe { sys::xmlSearchNs(self.doc_raw(), self.raw(), optional(prefix.as_ref())) };
        self.near_namespace(found)
    }

    /// A declaration of a URI that is in scope.
    pub fn find_namespace_of(&self, uri: &[u8]) -> Option<Namespace> {
        // SAFETY: the document is the node's own, and the text ends with NUL.
        let found = unsafe { sys::xmlSearchNsByHref(self.doc_raw(), self.raw(), c_text(uri).as_ptr().cast()) };
        self.near_namespace(found)
    }

    /// The first attribute of an element.
    pub fn first_attribute(&self) -> Option<Node> {
        // SAFETY: the node is an element, which has the field, and the owner keeps it alive.
        if self.kind() == Kind::Element { self.near(unsafe { (*self.raw()).properties }) } else { None }
    }

    /// The attributes of an element in their order.
    pub fn attributes(&self) -> impl Iterator<Item = Node> {
        std::iter::successors(self.first_attribute(), Node::next)
    }

    /// An attribute without a namespace. For an absent one, its declaration with a default value is given.
    pub fn attribute(&self, name: &[u8]) -> Option<Node> {
        if self.kind() != Kind::Element {
            return None;
        }
        // SAFETY: the node is an element; the text ends with NUL.
        self.near(unsafe { sys::xmlHasProp(self.raw(), c_text(name).as_ptr().cast()) })
    }

    /// An attribute with a namespace. For an absent one, its declaration with a default value is given.
    pub fn attribute_ns(&self, uri: Option<&[u8]>, name: &[u8]) -> Option<Node> {
        if self.kind() != Kind::Element {
            return None;
        }
        let uri = uri.map(c_text);
        // SAFETY: the node is an element, and the texts end with NUL or are null.
        let found = unsafe { sys::xmlHasNsProp(self.raw(), c_text(name).as_ptr().cast(), optional(uri.as_ref())) };
        self.near(found)
    }

    /// The text of a text, CDATA section, comment or instruction.
    pub fn own_text(&self) -> Option<Vec<u8>> {
        if self.kind().is_character_data() && self.has_element_fields() {
            // SAFETY: nodes of these kinds have the field, and the text is null or ends with NUL.
            return unsafe { copied((*self.raw()).content) };
        }
        None
    }

    /// The text of the node and all its descendants.
    pub fn text(&self) -> Vec<u8> {
        crate::reports::prepare();
        // SAFETY: libxml2 allocated the text for the caller.
        unsafe { taken(sys::xmlNodeGetContent(self.raw())) }.unwrap_or_default()
    }

    /// The text of the children. Entities are replaced, or written as references if `references`.
    pub fn children_text(&self, references: bool) -> Option<Vec<u8>> {
        // SAFETY: libxml2 allocated the text for the caller.
        unsafe { taken(sys::xmlNodeListGetString(self.doc_raw(), self.fields().children, i32::from(!references))) }
    }

    /// Whether the node is a text that is empty or consists of white space.
    pub fn is_blank(&self) -> bool {
        // SAFETY: the owner keeps the node alive, and libxml2 only reads it.
        unsafe { sys::xmlIsBlankNode(self.raw()) != 0 }
    }

    /// The line of the source on which the node is.
    pub fn line(&self) -> i64 {
        // SAFETY: the owner keeps the node alive, and libxml2 only reads it.
        unsafe { sys::xmlGetLineNo(self.raw()) }
    }

    /// An XPath expression that leads to the node.
    pub fn path(&self) -> Option<Vec<u8>> {
        // SAFETY: libxml2 allocated the text for the caller.
        unsafe { taken(sys::xmlGetNodePath(self.raw())) }
    }

    /// The base URI of the node.
    pub fn base_uri(&self) -> Option<Vec<u8>> {
        // SAFETY: libxml2 allocated the text for the caller.
        unsafe { taken(sys::xmlNodeGetBase(self.doc_raw(), self.raw())) }
    }

    fn doc(&self) -> Option<&XmlDoc> {
        // SAFETY: the kind says that the node is an `XmlDoc`, which the owner keeps alive.
        self.kind().is_document().then(|| unsafe { self.raw.cast::<XmlDoc>().as_ref() })
    }

    /// The name of a document's encoding.
    pub fn encoding(&self) -> Option<Vec<u8>> {
        // SAFETY: the text belongs to the document, and is null or ends with NUL.
        self.doc().and_then(|doc| unsafe { copied(doc.encoding) })
    }

    /// The version of XML that a document names.
    pub fn version(&self) -> Option<Vec<u8>> {
        // SAFETY: the text belongs to the document, and is null or ends with NUL.
        self.doc().and_then(|doc| unsafe { copied(doc.version) })
    }

    /// What a document's declaration says of `standalone`: 1 yes, 0 no, -1 nothing; -2 if there is no declaration.
    pub fn standalone(&self) -> i32 {
        self.doc().map_or(-2, |doc| doc.standalone)
    }

    /// The URL of a document.
    pub fn url(&self) -> Option<Vec<u8>> {
        // SAFETY: the text belongs to the document, and is null or ends with NUL.
        self.doc().and_then(|doc| unsafe { copied(doc.url) })
    }

    /// The outermost element of a document.
    pub fn root_element(&self) -> Option<Node> {
        self.children().find(|child| child.is(Kind::Element))
    }

    /// The document type declaration of a document.
    pub fn doctype(&self) -> Option<Node> {
        self.doc()?;
        // SAFETY: `doc()` was `Some`, so the node is a document.
        self.near(unsafe { sys::xmlGetIntSubset(self.raw().cast()) }.cast())
    }

    /// The external subset of a document's type, if it was loaded.
    pub fn external_subset(&self) -> Option<Node> {
        self.doc().and_then(|doc| self.near(doc.external_subset.cast()))
    }

    fn dtd(&self) -> Option<&XmlDtd> {
        // SAFETY: the kind says that the node is an `XmlDtd`, which the owner keeps alive.
        matches!(self.kind(), Kind::Dtd | Kind::DocumentType).then(|| unsafe { self.raw.cast::<XmlDtd>().as_ref() })
    }

    fn entity(&self) -> Option<&XmlEntity> {
        // SAFETY: the kind says that the node is an `XmlEntity`, which the owner keeps alive.
        self.is(Kind::EntityDeclaration).then(|| unsafe { self.raw.cast::<XmlEntity>().as_ref() })
    }

    /// The public id of a document type or an entity.
    pub fn public_id(&self) -> Option<Vec<u8>> {
        let text = match (self.dtd(), self.entity()) {
            (Some(dtd), _) => dtd.external_id,
            (_, Some(entity)) => entity.external_id,
            _ => return None,
        };
        // SAFETY: the text belongs to the node, and is null or ends with NUL.
        unsafe { copied(text) }
    }

    /// The system id of a document type or an entity.
    pub fn system_id(&self) -> Option<Vec<u8>> {
        let text = match (self.dtd(), self.entity()) {
            (Some(dtd), _) => dtd.system_id,
            (_, Some(entity)) => entity.system_id,
            _ => return None,
        };
        // SAFETY: the text belongs to the node, and is null or ends with NUL.
        unsafe { copied(text) }
    }

    /// libxml2's number of an entity's kind: 1 to 3 general, 4 and 5 parameter, 6 predefined; 0 if the node is no
    /// entity.
    pub fn entity_type(&self) -> i32 {
        self.entity().map_or(0, |entity| entity.entity_type)
    }

    /// The notation of an unparsed entity.
    pub fn entity_notation(&self) -> Option<Vec<u8>> {
        self.entity().filter(|entity| entity.entity_type == 3).and_then(|entity| unsafe {
            // SAFETY: an unparsed entity keeps the name of its notation in this field, which is null or ends with
            // NUL.
            copied(entity.content)
        })
    }

    /// The entities that a document type declares, in the order of libxml2's table.
    pub fn entities(&self) -> Vec<Node> {
        let table = self.dtd().map_or(ptr::null_mut(), |dtd| dtd.entities);
        table_entries(table).into_iter().filter_map(|raw| self.near(raw.cast())).collect()
    }

    /// The entity of a name that a document type declares.
    pub fn entity_named(&self, name: &[u8]) -> Option<Node> {
        let table = self.dtd().map_or(ptr::null_mut(), |dtd| dtd.entities);
        if table.is_null() {
            return None;
        }
        // SAFETY: the table belongs to the document type, its payloads are entities, and the text ends with NUL.
        self.near(unsafe { sys::xmlHashLookup(table, c_text(name).as_ptr().cast()) }.cast())
    }

    /// The notations that a document type declares, in the order of libxml2's table.
    pub fn notations(&self) -> Vec<NotationText> {
        let table = self.dtd().map_or(ptr::null_mut(), |dtd| dtd.notations);
        table_entries(table)
            .into_iter()
            .map(|raw| {
                // SAFETY: the payloads of this table are notations, which live as long as the document type.
                unsafe {
                    let notation = &*raw.cast::<XmlNotation>();
                    NotationText {
                        name: copied(notation.name).unwrap_or_default(),
                        public_id: copied(notation.public_id),
                        system_id: copied(notation.system_id),
                    }
                }
            })
            .collect()
    }

    /// The element of a document with an id, by libxml2's table of ids.
    pub fn element_by_id(&self, id: &[u8]) -> Option<Node> {
        self.doc()?;
        // SAFETY: `doc()` was `Some`, so the node is a document; the text ends with NUL.
        let found = self.near(unsafe { sys::xmlGetID(self.raw().cast(), c_text(id).as_ptr().cast()) })?;
        if found.is(Kind::Attribute) { found.parent() } else { Some(found) }
    }

    /// The default value that a declaration of an attribute has.
    pub fn default_value(&self) -> Option<Vec<u8>> {
        // SAFETY: the kind says that the node is a declaration of an attribute; the text is null or ends with NUL.
        self.is(Kind::AttributeDeclaration)
            .then(|| unsafe { copied((*self.raw().cast::<sys::XmlAttributeDeclaration>()).default_value) })
            .flatten()
    }

    /// Whether the node is an attribute that is an id.
    pub fn is_id(&self) -> bool {
        // SAFETY: the kind says that the node is an `XmlAttr`, which the owner keeps alive.
        self.is(Kind::Attribute) && unsafe { self.raw.cast::<XmlAttr>().as_ref() }.attribute_type == 2
    }
}

/// The payloads of a hash table of libxml2.
fn table_entries(table: *mut c_void) -> Vec<*mut c_void> {
    unsafe extern "C" fn visit(payload: *mut c_void, data: *mut c_void, _name: *const u8) {
        // SAFETY: `data` is the vector below, which outlives the scan and is not used otherwise meanwhile.
        unsafe { (*data.cast::<Vec<*mut c_void>>()).push(payload) };
    }
    let mut entries: Vec<*mut c_void> = Vec::new();
    if !table.is_null() {
        // SAFETY: the table belongs to a document type, and `visit` does not change it.
        unsafe { sys::xmlHashScan(table, Some(visit), (&raw mut entries).cast()) };
    }
    entries
}
