//! Trees: handles of nodes, who owns their memory, and reading them. Changing them is in `edit`.

use crate::sys::{self, XmlAttr, XmlDoc, XmlDtd, XmlEntity, XmlHead, XmlNode, XmlNotation, XmlNs};
use crate::{c_text, copied, optional, taken};
use std::any::Any;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::rc::Rc;

/// What a node is; the numbers are those of the DOM and of libxml2.
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

    /// Text, CDATA, comments and instructions: what has a text of its own.
    pub fn is_character_data(self) -> bool {
        matches!(self, Kind::Text | Kind::CData | Kind::Comment | Kind::Instruction)
    }

    pub fn is_document(self) -> bool {
        matches!(self, Kind::Document | Kind::HtmlDocument)
    }
}

/// The memory of one or more documents and of all nodes that ever belonged to them. It goes when the last handle goes.
#[derive(Default)]
pub(crate) struct Owner {
    docs: RefCell<Vec<*mut XmlDoc>>,
    /// Roots of trees that are in no document.
    loose: RefCell<HashSet<*mut XmlNode>>,
    /// Declarations of namespaces that belong to no element.
    loose_ns: RefCell<Vec<*mut XmlNs>>,
    /// Where the memory went when nodes moved from one owner's documents to another's.
    merged: RefCell<Option<Rc<Owner>>>,
    /// What callers attached to nodes, by address.
    tags: RefCell<HashMap<usize, u32>>,
    extras: RefCell<HashMap<usize, Rc<dyn Any>>>,
    /// Loose trees that are another node's contents, by that node's address.
    contents: RefCell<HashMap<usize, *mut XmlNode>>,
}

impl Owner {
    /// The owner that has the memory now.
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
        // SAFETY: no handle is left, so nobody sees these trees again. Loose trees go first: their names may live in a
        // document's dictionary.
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

/// A handle of a node. The node lives as long as any handle of its tree.
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
    pub fn prefix(&self) -> Option<Vec<u8>> {
        // SAFETY: the declaration lives as long as its owner.
        unsafe { copied(self.raw.as_ref().prefix) }
    }

    pub fn uri(&self) -> Option<Vec<u8>> {
        // SAFETY: as above.
        unsafe { copied(self.raw.as_ref().href) }
    }

    pub(crate) fn raw(&self) -> *mut XmlNs {
        self.raw.as_ptr()
    }

    pub(crate) fn owner(&self) -> Rc<Owner> {
        self.owner.current()
    }
}

/// Name and ids of a notation, which is no node in libxml2.
#[derive(Clone, Debug, Default)]
pub struct NotationText {
    pub name: Vec<u8>,
    pub public_id: Option<Vec<u8>>,
    pub system_id: Option<Vec<u8>>,
}

impl Node {
    /// # Safety
    /// The node belongs to memory that the owner has.
    pub(crate) unsafe fn from_raw(raw: *mut XmlNode, owner: &Rc<Owner>) -> Option<Node> {
        NonNull::new(raw).map(|raw| Node { raw, owner: owner.clone() })
    }

    /// # Safety
    /// The document is new: nobody else has it.
    pub(crate) unsafe fn adopt_document(doc: *mut XmlDoc) -> Option<Node> {
        let raw = NonNull::new(doc.cast::<XmlNode>())?;
        let owner = Rc::new(Owner::default());
        owner.docs.borrow_mut().push(doc);
        Some(Node { raw, owner })
    }

    /// # Safety
    /// The node is new: in no tree, and nobody else has it. It belongs to `self`'s document, if to any.
    pub(crate) unsafe fn adopt_loose(&self, raw: *mut XmlNode) -> Option<Node> {
        let raw = NonNull::new(raw)?;
        let owner = self.owner();
        owner.loose.borrow_mut().insert(raw.as_ptr());
        Some(Node { raw, owner })
    }

    /// # Safety
    /// The node is new, belongs to no document, and nobody else has it.
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
        // SAFETY: the owner keeps the node, and every kind of node begins like this.
        unsafe { self.raw.cast::<XmlHead>().as_ref() }
    }

    pub(crate) fn near(&self, raw: *mut XmlNode) -> Option<Node> {
        // SAFETY: neighbours of a node are in the same memory.
        unsafe { Node::from_raw(raw, &self.owner) }
    }

    /// Leaves a declaration of a namespace to the owner.
    pub(crate) fn keep_namespace(&self, raw: *mut XmlNs) {
        self.owner().loose_ns.borrow_mut().push(raw);
    }

    /// Takes a declaration from the owner; false when it has another place.
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

    /// Makes one owner of this node's and another's memory.
    pub(crate) fn share_memory(&self, other: &Node) {
        self.owner().merge_into(&other.owner());
    }

    pub(crate) fn share_memory_with_namespace(&self, other: &Namespace) {
        other.owner().merge_into(&self.owner());
    }

    /// The same for one node as long as it lives, different for different nodes.
    pub fn address(&self) -> usize {
        self.raw() as usize
    }

    /// A number that the caller attached to the node.
    pub fn tag(&self) -> Option<u32> {
        self.owner().tags.borrow().get(&self.address()).copied()
    }

    pub fn set_tag(&self, tag: Option<u32>) {
        let owner = self.owner();
        let mut tags = owner.tags.borrow_mut();
        match tag {
            Some(tag) => tags.insert(self.address(), tag),
            None => tags.remove(&self.address()),
        };
    }

    /// Data that the caller attached to the node; it goes with the memory.
    pub fn extra(&self) -> Option<Rc<dyn Any>> {
        self.owner().extras.borrow().get(&self.address()).cloned()
    }

    pub fn set_extra(&self, extra: Rc<dyn Any>) {
        self.owner().extras.borrow_mut().insert(self.address(), extra);
    }

    /// A fragment that belongs to the node without being among its children, as HTML's templates have one.
    pub fn contents(&self) -> Option<Node> {
        let owner = self.owner();
        let raw = owner.contents.borrow().get(&self.address()).copied()?;
        // SAFETY: the owner has the fragment's memory, as it has the node's: both came from it, and owners that become one
        // take their tables along.
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

    pub fn kind(&self) -> Kind {
        Kind::from_number(self.fields().kind)
    }

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

    /// The local name of an element or attribute, the target, the entity's name.
    pub fn name(&self) -> Vec<u8> {
        if self.kind().is_document() {
            return Vec::new();
        }
        // SAFETY: the name ends with NUL.
        unsafe { copied(self.fields().name) }.unwrap_or_default()
    }

    pub fn name_is(&self, name: &[u8]) -> bool {
        let own = self.fields().name;
        if own.is_null() || self.kind().is_document() {
            return false;
        }
        // SAFETY: the name ends with NUL.
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

    /// The document that the node belongs to (a document: itself).
    pub fn document(&self) -> Option<Node> {
        self.near(self.fields().doc.cast())
    }

    pub(crate) fn doc_raw(&self) -> *mut XmlDoc {
        self.fields().doc
    }

    pub fn parent(&self) -> Option<Node> {
        self.near(self.fields().parent)
    }

    pub fn first_child(&self) -> Option<Node> {
        self.near(self.fields().children)
    }

    pub fn last_child(&self) -> Option<Node> {
        self.near(self.fields().last)
    }

    pub fn next(&self) -> Option<Node> {
        self.near(self.fields().next)
    }

    pub fn previous(&self) -> Option<Node> {
        self.near(self.fields().prev)
    }

    pub fn children(&self) -> impl Iterator<Item = Node> {
        std::iter::successors(self.first_child(), Node::next)
    }

    /// The topmost node above (or the node itself).
    pub fn root(&self) -> Node {
        let mut node = self.clone();
        while let Some(parent) = node.parent() {
            node = parent;
        }
        node
    }

    /// The node after this one in document order, staying below `top`. References are not entered.
    pub fn following(&self, top: &Node) -> Option<Node> {
        if !matches!(self.kind(), Kind::EntityReference | Kind::Attribute | Kind::EntityDeclaration) {
            if let Some(child) = self.first_child() {
                return Some(child);
            }
        }
        self.following_after(top)
    }

    /// As [`Node::following`], without what is inside.
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

    pub fn contains(&self, other: &Node) -> bool {
        std::iter::successors(Some(other.clone()), Node::parent).any(|node| node == *self)
    }

    /// The namespace of an element or attribute.
    pub fn namespace(&self) -> Option<Namespace> {
        if !matches!(self.kind(), Kind::Element | Kind::Attribute) {
            return None;
        }
        // SAFETY: both kinds have the field.
        self.near_namespace(unsafe { (*self.raw()).ns })
    }

    pub(crate) fn near_namespace(&self, raw: *mut XmlNs) -> Option<Namespace> {
        NonNull::new(raw).map(|raw| Namespace { raw, owner: self.owner.clone() })
    }

    pub fn namespace_uri(&self) -> Option<Vec<u8>> {
        self.namespace().and_then(|ns| ns.uri())
    }

    /// The namespaces that an element declares.
    pub fn declared_namespaces(&self) -> Vec<Namespace> {
        let mut result = Vec::new();
        if self.kind() == Kind::Element {
            // SAFETY: elements have the field.
            let mut at = unsafe { (*self.raw()).ns_def };
            while let Some(ns) = self.near_namespace(at) {
                // SAFETY: the list is the element's.
                at = unsafe { (*at).next };
                result.push(ns);
            }
        }
        result
    }

    /// The namespaces in scope, innermost first.
    pub fn namespaces_in_scope(&self) -> Vec<Namespace> {
        let mut result = Vec::new();
        // SAFETY: the list is ours to free; what it points to is the tree's.
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

    /// The declaration in scope of a prefix (none: the default namespace).
    pub fn find_namespace(&self, prefix: Option<&[u8]>) -> Option<Namespace> {
        let prefix = prefix.map(c_text);
        // SAFETY: document and node belong together; the text ends with NUL.
        let found = unsafe { sys::xmlSearchNs(self.doc_raw(), self.raw(), optional(prefix.as_ref())) };
        self.near_namespace(found)
    }

    /// A declaration in scope of a URI.
    pub fn find_namespace_of(&self, uri: &[u8]) -> Option<Namespace> {
        // SAFETY: as above.
        let found = unsafe { sys::xmlSearchNsByHref(self.doc_raw(), self.raw(), c_text(uri).as_ptr().cast()) };
        self.near_namespace(found)
    }

    pub fn first_attribute(&self) -> Option<Node> {
        // SAFETY: elements have the field.
        if self.kind() == Kind::Element { self.near(unsafe { (*self.raw()).properties }) } else { None }
    }

    pub fn attributes(&self) -> impl Iterator<Item = Node> {
        std::iter::successors(self.first_attribute(), Node::next)
    }

    /// An attribute without a namespace; declared defaults are found, too (as declarations).
    pub fn attribute(&self, name: &[u8]) -> Option<Node> {
        if self.kind() != Kind::Element {
            return None;
        }
        // SAFETY: the node is an element; the text ends with NUL.
        self.near(unsafe { sys::xmlHasProp(self.raw(), c_text(name).as_ptr().cast()) })
    }

    pub fn attribute_ns(&self, uri: Option<&[u8]>, name: &[u8]) -> Option<Node> {
        if self.kind() != Kind::Element {
            return None;
        }
        let uri = uri.map(c_text);
        // SAFETY: as above.
        let found = unsafe { sys::xmlHasNsProp(self.raw(), c_text(name).as_ptr().cast(), optional(uri.as_ref())) };
        self.near(found)
    }

    /// The text of character data.
    pub fn own_text(&self) -> Option<Vec<u8>> {
        if self.kind().is_character_data() && self.has_element_fields() {
            // SAFETY: the kind has the field; the text ends with NUL.
            return unsafe { copied((*self.raw()).content) };
        }
        None
    }

    /// The text inside, of all descendants.
    pub fn text(&self) -> Vec<u8> {
        crate::reports::prepare();
        // SAFETY: the text is new and ours.
        unsafe { taken(sys::xmlNodeGetContent(self.raw())) }.unwrap_or_default()
    }

    /// The text of the children, entities replaced or (`references`) as references.
    pub fn children_text(&self, references: bool) -> Option<Vec<u8>> {
        // SAFETY: the text is new and ours.
        unsafe { taken(sys::xmlNodeListGetString(self.doc_raw(), self.fields().children, i32::from(!references))) }
    }

    pub fn is_blank(&self) -> bool {
        // SAFETY: the node is kept.
        unsafe { sys::xmlIsBlankNode(self.raw()) != 0 }
    }

    pub fn line(&self) -> i64 {
        // SAFETY: the node is kept.
        unsafe { sys::xmlGetLineNo(self.raw()) }
    }

    pub fn path(&self) -> Option<Vec<u8>> {
        // SAFETY: the text is new and ours.
        unsafe { taken(sys::xmlGetNodePath(self.raw())) }
    }

    pub fn base_uri(&self) -> Option<Vec<u8>> {
        // SAFETY: the text is new and ours.
        unsafe { taken(sys::xmlNodeGetBase(self.doc_raw(), self.raw())) }
    }

    fn doc(&self) -> Option<&XmlDoc> {
        // SAFETY: the kind says that it is a document.
        self.kind().is_document().then(|| unsafe { self.raw.cast::<XmlDoc>().as_ref() })
    }

    pub fn encoding(&self) -> Option<Vec<u8>> {
        // SAFETY: the text ends with NUL.
        self.doc().and_then(|doc| unsafe { copied(doc.encoding) })
    }

    pub fn version(&self) -> Option<Vec<u8>> {
        // SAFETY: as above.
        self.doc().and_then(|doc| unsafe { copied(doc.version) })
    }

    /// 1 yes, 0 no, -1 unsaid, -2 no declaration at all.
    pub fn standalone(&self) -> i32 {
        self.doc().map_or(-2, |doc| doc.standalone)
    }

    pub fn url(&self) -> Option<Vec<u8>> {
        // SAFETY: as above.
        self.doc().and_then(|doc| unsafe { copied(doc.url) })
    }

    /// The outermost element of a document.
    pub fn root_element(&self) -> Option<Node> {
        self.children().find(|child| child.is(Kind::Element))
    }

    /// The document type declaration of a document.
    pub fn doctype(&self) -> Option<Node> {
        self.doc()?;
        // SAFETY: the node is a document.
        self.near(unsafe { sys::xmlGetIntSubset(self.raw().cast()) }.cast())
    }

    pub fn external_subset(&self) -> Option<Node> {
        self.doc().and_then(|doc| self.near(doc.external_subset.cast()))
    }

    fn dtd(&self) -> Option<&XmlDtd> {
        // SAFETY: the kind says that it is one.
        matches!(self.kind(), Kind::Dtd | Kind::DocumentType).then(|| unsafe { self.raw.cast::<XmlDtd>().as_ref() })
    }

    fn entity(&self) -> Option<&XmlEntity> {
        // SAFETY: the kind says that it is one.
        self.is(Kind::EntityDeclaration).then(|| unsafe { self.raw.cast::<XmlEntity>().as_ref() })
    }

    /// The public id of a document type or an entity.
    pub fn public_id(&self) -> Option<Vec<u8>> {
        let text = match (self.dtd(), self.entity()) {
            (Some(dtd), _) => dtd.external_id,
            (_, Some(entity)) => entity.external_id,
            _ => return None,
        };
        // SAFETY: the text ends with NUL.
        unsafe { copied(text) }
    }

    pub fn system_id(&self) -> Option<Vec<u8>> {
        let text = match (self.dtd(), self.entity()) {
            (Some(dtd), _) => dtd.system_id,
            (_, Some(entity)) => entity.system_id,
            _ => return None,
        };
        // SAFETY: the text ends with NUL.
        unsafe { copied(text) }
    }

    /// libxml2's number of an entity's sort: 1 to 3 general, 4 and 5 parameters, 6 predefined.
    pub fn entity_type(&self) -> i32 {
        self.entity().map_or(0, |entity| entity.entity_type)
    }

    /// The notation of an unparsed entity.
    pub fn entity_notation(&self) -> Option<Vec<u8>> {
        self.entity().filter(|entity| entity.entity_type == 3).and_then(|entity| unsafe {
            // SAFETY: the text ends with NUL.
            copied(entity.content)
        })
    }

    /// The entities of a document type, in the library's order.
    pub fn entities(&self) -> Vec<Node> {
        let table = self.dtd().map_or(ptr::null_mut(), |dtd| dtd.entities);
        table_entries(table).into_iter().filter_map(|raw| self.near(raw.cast())).collect()
    }

    pub fn entity_named(&self, name: &[u8]) -> Option<Node> {
        let table = self.dtd().map_or(ptr::null_mut(), |dtd| dtd.entities);
        if table.is_null() {
            return None;
        }
        // SAFETY: the table is the document type's.
        self.near(unsafe { sys::xmlHashLookup(table, c_text(name).as_ptr().cast()) }.cast())
    }

    pub fn notations(&self) -> Vec<NotationText> {
        let table = self.dtd().map_or(ptr::null_mut(), |dtd| dtd.notations);
        table_entries(table)
            .into_iter()
            .map(|raw| {
                // SAFETY: the entries of this table are notations, which live as long as the document type.
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

    /// The element with an id.
    pub fn element_by_id(&self, id: &[u8]) -> Option<Node> {
        self.doc()?;
        // SAFETY: the node is a document.
        let found = self.near(unsafe { sys::xmlGetID(self.raw().cast(), c_text(id).as_ptr().cast()) })?;
        if found.is(Kind::Attribute) { found.parent() } else { Some(found) }
    }

    /// The value that a declaration gives to an absent attribute.
    pub fn default_value(&self) -> Option<Vec<u8>> {
        // SAFETY: the kind says that it is a declaration of an attribute; the text ends with NUL.
        self.is(Kind::AttributeDeclaration)
            .then(|| unsafe { copied((*self.raw().cast::<sys::XmlAttributeDeclaration>()).default_value) })
            .flatten()
    }

    /// Is the attribute an id?
    pub fn is_id(&self) -> bool {
        // SAFETY: the kind says that it is one.
        self.is(Kind::Attribute) && unsafe { self.raw.cast::<XmlAttr>().as_ref() }.attribute_type == 2
    }
}

/// The payloads of one of libxml2's tables.
fn table_entries(table: *mut c_void) -> Vec<*mut c_void> {
    unsafe extern "C" fn visit(payload: *mut c_void, data: *mut c_void, _name: *const u8) {
        // SAFETY: `data` is the vector below, which outlives the scan.
        unsafe { (*data.cast::<Vec<*mut c_void>>()).push(payload) };
    }
    let mut entries: Vec<*mut c_void> = Vec::new();
    if !table.is_null() {
        // SAFETY: the table is a document type's; the function only reads.
        unsafe { sys::xmlHashScan(table, Some(visit), (&raw mut entries).cast()) };
    }
    entries
}
