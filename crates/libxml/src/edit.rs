//! Functions that make nodes and change trees. None of them frees a node that a handle may refer to: a node that
//! leaves a tree becomes the root of a loose tree.

use crate::sys::{self, XmlAttr, XmlDoc, XmlDtd, XmlNode};
use crate::tree::{Kind, Namespace, Node};
use crate::{c_text, optional};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;

/// Whether a text is a name of XML, or a qualified name if `qualified`.
pub fn is_valid(name: &[u8], qualified: bool) -> bool {
    if name.is_empty() || name.contains(&0) {
        return false;
    }
    let name = c_text(name);
    // SAFETY: both functions only read the text, which ends with NUL.
    unsafe {
        if qualified {
            sys::xmlValidateQName(name.as_ptr().cast(), 0) == 0
        } else {
            sys::xmlValidateName(name.as_ptr().cast(), 0) == 0
        }
    }
}

fn length(bytes: &[u8]) -> c_int {
    c_int::try_from(bytes.len()).unwrap_or(c_int::MAX)
}

thread_local! {
    static EDITS: Cell<u64> = const { Cell::new(1) };
}

/// The number of changes of trees on this thread. While it stays the same, results of searches in trees stay valid.
pub fn edit_count() -> u64 {
    EDITS.get()
}

fn note_edit() {
    EDITS.set(EDITS.get() + 1);
}

/// A copy of a text that libxml2 allocated, and that it may free.
fn duplicated(text: &[u8]) -> *mut u8 {
    // SAFETY: the text ends with NUL; the copy belongs to the caller.
    unsafe { sys::xmlStrdup(c_text(text).as_ptr().cast()) }
}

/// Makes a loose tree belong to another document. Texts in the old document's dictionary are copied, because the new
/// document would free them.
///
/// # Safety
/// The tree is valid and loose; both documents live as long as the tree.
unsafe fn set_document(tree: *mut XmlNode, doc: *mut XmlDoc) {
    // SAFETY: the contract keeps the tree and both documents valid; only fields that a node's kind has are read.
    unsafe {
        let old = (*tree).doc;
        let (from, to) = (dictionary(old), dictionary(doc));
        sys::xmlSetTreeDoc(tree, doc);
        if from.is_null() || from == to {
            return;
        }
        let mut work = vec![tree];
        while let Some(node) = work.pop() {
            let kind = (*node.cast::<sys::XmlHead>()).kind;
            rehome(&raw mut (*node).name, from, to);
            let has_element_fields = matches!(kind, 1 | 3 | 4 | 5 | 7 | 8);
            if has_element_fields {
                rehome((&raw mut (*node).content).cast(), from, ptr::null_mut());
            }
            if kind == Kind::EntityReference as i32 {
                (*node).children = ptr::null_mut();
                (*node).last = ptr::null_mut();
                continue;
            }
            let mut at = if kind == Kind::Element as i32 { (*node).properties } else { ptr::null_mut() };
            for list in [(*node).children, at] {
                at = list;
                while !at.is_null() {
                    work.push(at);
                    at = (*at).next;
                }
            }
        }
    }
}

/// # Safety
/// The document is valid or null.
unsafe fn dictionary(doc: *mut XmlDoc) -> *mut c_void {
    // SAFETY: the document is not null, so the contract says that it is valid.
    if doc.is_null() { ptr::null_mut() } else { unsafe { (*doc).dict } }
}

/// Copies a text that the dictionary `from` owns, into the dictionary `to` or into memory of its own.
///
/// # Safety
/// The place holds a text or null. `from` is a valid dictionary; `to` is one or null.
unsafe fn rehome(place: *mut *const u8, from: *mut c_void, to: *mut c_void) {
    // SAFETY: the contract keeps the text and the dictionaries valid; the text ends with NUL.
    unsafe {
        if !(*place).is_null() && sys::xmlDictOwns(from, *place) == 1 {
            *place = if to.is_null() { sys::xmlStrdup(*place) } else { sys::xmlDictLookup(to, *place, -1) };
        }
    }
}

impl Node {
    /// A new document without content.
    pub fn new_document(version: &[u8]) -> Option<Node> {
        crate::reports::prepare();
        // SAFETY: the document that libxml2 makes is new, and only the handle frees it.
        unsafe { Node::adopt_document(sys::xmlNewDoc(c_text(version).as_ptr().cast())) }
    }

    /// A new HTML document without content.
    pub fn new_html_document() -> Option<Node> {
        crate::reports::prepare();
        // SAFETY: the document that libxml2 makes is new, and only the handle frees it.
        unsafe { Node::adopt_document(sys::htmlNewDocNoDtD(ptr::null(), ptr::null())) }
    }

    /// A loose node that `make` makes for a document; without one it belongs to no document yet.
    fn made(document: Option<&Node>, make: impl FnOnce(*mut XmlDoc) -> *mut XmlNode) -> Option<Node> {
        crate::reports::prepare();
        let raw = make(document.map_or(ptr::null_mut(), Node::doc_raw));
        // SAFETY: `make` made the node, and only its owner frees it.
        unsafe {
            match document {
                Some(document) => document.adopt_loose(raw),
                None => Node::adopt_alone(raw),
            }
        }
    }

    /// A loose element without a namespace.
    pub fn new_element(document: Option<&Node>, name: &[u8]) -> Option<Node> {
        let name = c_text(name);
        // SAFETY: libxml2 copies the name, which ends with NUL. The document is null or alive, here and in the
        // functions below.
        Node::made(document, |doc| unsafe {
            sys::xmlNewDocNode(doc, ptr::null_mut(), name.as_ptr().cast(), ptr::null())
        })
    }

    /// A loose text.
    pub fn new_text(document: Option<&Node>, text: &[u8]) -> Option<Node> {
        // SAFETY: libxml2 copies `length` bytes of the text.
        Node::made(document, |doc| unsafe { sys::xmlNewDocTextLen(doc, text.as_ptr(), length(text)) })
    }

    /// A loose CDATA section.
    pub fn new_cdata(document: Option<&Node>, text: &[u8]) -> Option<Node> {
        Node::made(document, |doc| unsafe { sys::xmlNewCDataBlock(doc, text.as_ptr(), length(text)) })
    }

    /// A loose comment.
    pub fn new_comment(document: Option<&Node>, text: &[u8]) -> Option<Node> {
        let text = c_text(text);
        Node::made(document, |doc| unsafe { sys::xmlNewDocComment(doc, text.as_ptr().cast()) })
    }

    /// A loose processing instruction.
    pub fn new_instruction(document: Option<&Node>, target: &[u8], text: Option<&[u8]>) -> Option<Node> {
        let (target, text) = (c_text(target), text.map(c_text));
        Node::made(document, |doc| unsafe { sys::xmlNewDocPI(doc, target.as_ptr().cast(), optional(text.as_ref())) })
    }

    /// A loose, empty fragment.
    pub fn new_fragment(document: Option<&Node>) -> Option<Node> {
        Node::made(document, |doc| unsafe { sys::xmlNewDocFragment(doc) })
    }

    /// A loose reference to an entity.
    pub fn new_reference(document: Option<&Node>, name: &[u8]) -> Option<Node> {
        let name = c_text(name);
        Node::made(document, |doc| unsafe { sys::xmlNewReference(doc, name.as_ptr().cast()) })
    }

    /// A loose attribute whose value is plain text.
    pub fn new_attribute(document: Option<&Node>, name: &[u8], value: &[u8]) -> Option<Node> {
        let name = c_text(name);
        let made = Node::made(document, |doc| unsafe { sys::xmlNewDocProp(doc, name.as_ptr().cast(), ptr::null()) })?;
        if !value.is_empty() {
            made.set_attribute_text(value);
        }
        Some(made)
    }

    /// A loose document type that belongs to no document yet.
    pub fn new_doctype(name: &[u8], public_id: Option<&[u8]>, system_id: Option<&[u8]>) -> Option<Node> {
        let (name, public_id, system_id) = (c_text(name), public_id.map(c_text), system_id.map(c_text));
        crate::reports::prepare();
        // SAFETY: the texts end with NUL or are null; the document type is new, and only the handle frees it.
        unsafe {
            let raw = sys::xmlCreateIntSubset(
                ptr::null_mut(),
                name.as_ptr().cast(),
                optional(public_id.as_ref()),
                optional(system_id.as_ref()),
            );
            Node::adopt_alone(raw.cast())
        }
    }

    /// Declares a namespace on an element. On another node, the declaration belongs to no element.
    pub fn declare_namespace(&self, uri: Option<&[u8]>, prefix: Option<&[u8]>) -> Option<Namespace> {
        let (uri, prefix) = (uri.map(c_text), prefix.map(c_text));
        // SAFETY: the texts end with NUL or are null. The owner keeps a declaration that belongs to no element.
        unsafe {
            if self.is(Kind::Element) {
                let raw = sys::xmlNewNs(self.raw(), optional(uri.as_ref()), optional(prefix.as_ref()));
                return self.near_namespace(raw);
            }
            self.loose_namespace(optional(uri.as_ref()), optional(prefix.as_ref()))
        }
    }

    /// A declaration that belongs to the document's memory and to no element.
    pub fn detached_namespace(&self, uri: Option<&[u8]>, prefix: Option<&[u8]>) -> Option<Namespace> {
        let (uri, prefix) = (uri.map(c_text), prefix.map(c_text));
        // SAFETY: the texts end with NUL or are null.
        unsafe { self.loose_namespace(optional(uri.as_ref()), optional(prefix.as_ref())) }
    }

    unsafe fn loose_namespace(&self, uri: *const u8, prefix: *const u8) -> Option<Namespace> {
        // SAFETY: the callers pass texts that end with NUL, or null.
        let mut raw = unsafe { sys::xmlNewNs(ptr::null_mut(), uri, prefix) };
        if raw.is_null() && !prefix.is_null() {
            // libxml2 makes no declarations of the prefix `xml`, which is always declared.
            // SAFETY: the texts end with NUL or are null; the declaration owns its prefix, which is freed with it.
            unsafe {
                raw = sys::xmlNewNs(ptr::null_mut(), uri, ptr::null());
                if !raw.is_null() {
                    (*raw).prefix = sys::xmlStrdup(prefix);
                }
            }
        }
        if raw.is_null() {
            return None;
        }
        self.keep_namespace(raw);
        self.near_namespace(raw)
    }

    /// Sets the namespace of an element or attribute. The declaration may belong to any tree.
    pub fn set_namespace(&self, namespace: Option<&Namespace>) {
        if !matches!(self.kind(), Kind::Element | Kind::Attribute) {
            return;
        }
        if let Some(namespace) = namespace {
            self.share_memory_with_namespace(namespace);
        }
        // SAFETY: elements and attributes have the field, and the declaration lives as long as the node, because both
        // have one owner now.
        unsafe { sys::xmlSetNs(self.raw(), namespace.map_or(ptr::null_mut(), Namespace::raw)) };
    }

    /// Takes a declaration out of an element's list. Its memory stays valid.
    pub fn forget_namespace(&self, namespace: &Namespace) {
        if !self.is(Kind::Element) {
            return;
        }
        // SAFETY: the list belongs to the element; the owner frees the declaration from now on.
        unsafe {
            let mut place = &raw mut (*self.raw()).ns_def;
            while !(*place).is_null() {
                if *place == namespace.raw() {
                    *place = (*namespace.raw()).next;
                    (*namespace.raw()).next = ptr::null_mut();
                    self.keep_namespace(namespace.raw());
                    return;
                }
                place = &raw mut (**place).next;
            }
        }
    }

    /// Adds a declaration that belongs to no element to an element's list.
    pub fn add_namespace(&self, namespace: &Namespace) {
        if !self.is(Kind::Element) || !self.release_namespace(namespace) {
            return;
        }
        // SAFETY: `release_namespace` took the declaration out of the only list that had it.
        unsafe {
            let mut place = &raw mut (*self.raw()).ns_def;
            while !(*place).is_null() {
                place = &raw mut (**place).next;
            }
            *place = namespace.raw();
        }
    }

    /// Changes the URI of a declaration.
    pub fn set_namespace_uri(&self, namespace: &Namespace, uri: &[u8]) {
        let fresh = duplicated(uri);
        // SAFETY: the declaration is alive. Its old text is not freed here, because it may be in a dictionary.
        unsafe { (*namespace.raw()).href = fresh };
    }

    /// Renames an element, an attribute or an instruction.
    pub fn set_name(&self, name: &[u8]) {
        if matches!(self.kind(), Kind::Element | Kind::Attribute | Kind::Instruction) {
            // SAFETY: `xmlNodeSetName` allows nodes of these kinds, and the text ends with NUL.
            unsafe { sys::xmlNodeSetName(self.raw(), c_text(name).as_ptr().cast()) };
        }
    }

    /// Sets the text of a text, CDATA section, comment or instruction.
    pub fn set_own_text(&self, text: &[u8]) {
        if self.kind().is_character_data() {
            // SAFETY: nodes of these kinds have no children that would be freed; libxml2 copies `length` bytes of the
            // text.
            unsafe { sys::xmlNodeSetContentLen(self.raw(), text.as_ptr(), length(text)) };
        }
    }

    /// Appends to the text of a text, CDATA section, comment or instruction.
    pub fn append_own_text(&self, text: &[u8]) {
        if self.kind().is_character_data() {
            // SAFETY: nodes of these kinds have no children; libxml2 copies `length` bytes of the text.
            unsafe { sys::xmlNodeAddContentLen(self.raw(), text.as_ptr(), length(text)) };
        }
    }

    /// Replaces the children of an attribute by one plain text.
    pub fn set_attribute_text(&self, text: &[u8]) {
        if !self.is(Kind::Attribute) {
            return;
        }
        let was_id = self.is_id();
        if was_id {
            self.set_id(false);
        }
        self.take_children();
        if let Some(content) = Node::new_text(Some(self).filter(|node| !node.doc_raw().is_null()), text) {
            self.insert_child(&content, None);
        }
        if was_id {
            self.set_id(true);
        }
    }

    /// Replaces the children of an attribute by a text in which references (`&name;`) count. The attribute stays an
    /// id if it is one.
    pub fn set_attribute_content(&self, text: &[u8]) {
        let was_id = self.is_id();
        self.set_id(false);
        self.set_content_with_references(text);
        self.set_id(was_id);
    }

    /// Replaces the children by a text in which references (`&name;`) count.
    pub fn set_content_with_references(&self, text: &[u8]) {
        self.take_children();
        // SAFETY: the text ends with NUL and has this length; the list is new, and its members are linked by
        // `adopt_list`.
        let list = unsafe { sys::xmlStringLenGetNodeList(self.doc_raw(), c_text(text).as_ptr().cast(), length(text)) };
        self.adopt_list(list);
    }

    /// Appends a new list of nodes.
    pub(crate) fn adopt_list(&self, list: *mut XmlNode) {
        let mut at = list;
        while !at.is_null() {
            // SAFETY: the list is new and has no other user; each member leaves it before it is linked.
            unsafe {
                let next = (*at).next;
                (*at).next = ptr::null_mut();
                (*at).prev = ptr::null_mut();
                (*at).parent = ptr::null_mut();
                if !next.is_null() {
                    (*next).prev = ptr::null_mut();
                }
                if let Some(child) = self.adopt_loose(at) {
                    self.insert_child(&child, None);
                }
                at = next;
            }
        }
    }

    /// Takes the node out of its tree. It becomes the root of a loose tree. Declarations of a document type stay
    /// where they are.
    pub fn unlink(&self) {
        if self.kind().is_document() {
            return;
        }
        note_edit();
        if self.is(Kind::EntityDeclaration) || self.is(Kind::ElementDeclaration) || self.is(Kind::AttributeDeclaration)
        {
            return;
        }
        if self.is(Kind::Attribute) && self.is_id() {
            // SAFETY: the attribute belongs to the document, whose table has its id.
            unsafe { sys::xmlRemoveID(self.doc_raw(), self.raw()) };
        }
        // SAFETY: the owner frees the node as the root of a loose tree from now on.
        unsafe { sys::xmlUnlinkNode(self.raw()) };
        self.mark_loose(true);
    }

    /// Takes all children out. Each becomes the root of a loose tree.
    pub fn take_children(&self) {
        if self.is(Kind::EntityReference) {
            return;
        }
        while let Some(child) = self.first_child() {
            child.unlink();
            if self.first_child().is_some_and(|first| first == child) {
                break;
            }
        }
    }

    /// Makes a loose tree belong to this node's document.
    fn bring_here(&self, node: &Node) {
        node.share_memory(self);
        if node.doc_raw() != self.doc_raw() {
            // SAFETY: the tree is loose, and one owner now keeps both documents alive.
            unsafe { set_document(node.raw(), self.doc_raw()) };
        }
    }

    /// Inserts a node before a child, or at the end. It leaves its tree first. Neighbouring texts are not joined.
    pub fn insert_child(&self, node: &Node, before: Option<&Node>) {
        if node.contains(self) || before.is_some_and(|before| before.parent().as_ref() != Some(self)) {
            return;
        }
        if matches!(node.kind(), Kind::Dtd | Kind::DocumentType) {
            return self.insert_doctype(node, before);
        }
        node.unlink();
        note_edit();
        self.bring_here(node);
        // SAFETY: the node is in no tree, and `before` is a child of `self`; all links are set to match.
        unsafe {
            let (parent, child) = (self.raw(), node.raw());
            let next = before.map_or(ptr::null_mut(), Node::raw);
            let previous = if next.is_null() { (*parent).last } else { (*next).prev };
            (*child).parent = parent;
            (*child).next = next;
            (*child).prev = previous;
            match previous.is_null() {
                true => (*parent).children = child,
                false => (*previous).next = child,
            }
            match next.is_null() {
                true => (*parent).last = child,
                false => (*next).prev = child,
            }
        }
        node.mark_loose(false);
    }

    fn insert_doctype(&self, node: &Node, before: Option<&Node>) {
        if !self.kind().is_document() {
            return;
        }
        node.unlink();
        note_edit();
        self.bring_here(node);
        // SAFETY: the children of a document are linked like those of other nodes. The document type is the only one
        // of the document, because an older one is taken out first.
        unsafe {
            let doc = self.raw().cast::<XmlDoc>();
            if let Some(old) = self.near((*doc).internal_subset.cast()) {
                old.unlink();
                (*doc).internal_subset = ptr::null_mut();
            }
            let dtd = node.raw().cast::<XmlDtd>();
            (*dtd).doc = doc;
            (*dtd).parent = doc.cast();
            (*doc).internal_subset = dtd;
            let next = before.map_or(ptr::null_mut(), Node::raw);
            let previous = if next.is_null() { (*doc).last } else { (*next).prev };
            (*dtd).next = next;
            (*dtd).prev = previous;
            match previous.is_null() {
                true => (*doc).children = dtd.cast(),
                false => (*previous).next = dtd.cast(),
            }
            match next.is_null() {
                true => (*doc).last = dtd.cast(),
                false => (*next).prev = dtd.cast(),
            }
        }
        node.mark_loose(false);
    }

    /// Adds an attribute to an element, after the others. One of that name must have been taken out before.
    pub fn add_attribute(&self, attribute: &Node) {
        if !self.is(Kind::Element) || !attribute.is(Kind::Attribute) {
            return;
        }
        attribute.unlink();
        note_edit();
        self.bring_here(attribute);
        // SAFETY: the attribute is in no list; it is linked at the end of the element's list.
        unsafe {
            let (element, child) = (self.raw(), attribute.raw());
            let mut last = (*element).properties;
            while !last.is_null() && !(*last).next.is_null() {
                last = (*last).next;
            }
            (*child).parent = element;
            (*child).prev = last;
            (*child).next = ptr::null_mut();
            match last.is_null() {
                true => (*element).properties = child,
                false => (*last).next = child,
            }
        }
        attribute.mark_loose(false);
        // SAFETY: the attribute is in the element's list, and both belong to the document.
        if unsafe { sys::xmlIsID(self.doc_raw(), self.raw(), attribute.raw()) } == 1 {
            attribute.set_id(true);
        }
    }

    /// Adds an attribute to an element, before the others.
    pub fn add_first_attribute(&self, attribute: &Node) {
        let others: Vec<Node> = self.attributes().collect();
        self.add_attribute(attribute);
        for other in others {
            let was_id = other.is_id();
            other.unlink();
            self.add_attribute(&other);
            other.set_id(was_id);
        }
    }

    /// Replaces an attribute of the element by another one, which is added after the others.
    pub fn replace_attribute(&self, old: &Node, new: &Node) {
        old.unlink();
        self.add_attribute(new);
    }

    /// Makes an attribute an id of its document, or no longer one.
    pub fn set_id(&self, on: bool) {
        if !self.is(Kind::Attribute) || self.doc_raw().is_null() || self.is_id() == on {
            return;
        }
        let value = self.children_text(false).unwrap_or_default();
        // SAFETY: the attribute belongs to the document, which is not null; the text ends with NUL.
        unsafe {
            if on {
                let taken = sys::xmlGetID(self.doc_raw(), c_text(&value).as_ptr().cast());
                if taken.is_null() {
                    sys::xmlAddID(ptr::null_mut(), self.doc_raw(), c_text(&value).as_ptr().cast(), self.raw());
                } else {
                    (*self.raw().cast::<XmlAttr>()).attribute_type = 2;
                }
            } else {
                sys::xmlRemoveID(self.doc_raw(), self.raw());
                (*self.raw().cast::<XmlAttr>()).attribute_type = 0;
            }
        }
    }

    /// A loose copy for a document; of a document, a new document. `deep`: with everything inside.
    pub fn copy(&self, document: Option<&Node>, deep: bool) -> Option<Node> {
        crate::reports::prepare();
        // SAFETY: the copies are new, and only their handles free them.
        unsafe {
            if self.kind().is_document() {
                return Node::adopt_document(sys::xmlCopyDoc(self.raw().cast(), c_int::from(deep)));
            }
            if matches!(self.kind(), Kind::Dtd | Kind::DocumentType) {
                let copy = sys::xmlCopyDtd(self.raw().cast());
                return Node::adopt_alone(copy.cast());
            }
            let doc = document.map_or(ptr::null_mut(), Node::doc_raw);
            let raw = if self.is(Kind::Attribute) {
                let copy = sys::xmlCopyProp(ptr::null_mut(), self.raw());
                if !copy.is_null() && (*copy).doc != doc {
                    set_document(copy, doc);
                }
                copy
            } else {
                sys::xmlDocCopyNode(self.raw(), doc, if deep { 1 } else { 2 })
            };
            match document {
                Some(document) => document.adopt_loose(raw),
                None => Node::adopt_alone(raw),
            }
        }
    }

    /// Moves a tree to another document, of which it is a loose tree.
    pub fn move_to_document(&self, document: &Node) {
        self.unlink();
        document.bring_here(self);
    }

    /// Joins a text with the texts that follow it.
    pub fn join_following_texts(&self) {
        while let Some(next) = self.next().filter(|next| self.is(Kind::Text) && next.is(Kind::Text)) {
            self.append_own_text(&next.own_text().unwrap_or_default());
            next.unlink();
        }
    }

    fn doc_mut(&self) -> Option<*mut XmlDoc> {
        self.kind().is_document().then(|| self.raw().cast())
    }

    /// Sets or removes the name of a document's encoding.
    pub fn set_encoding(&self, encoding: Option<&[u8]>) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: the document owns its old text, which libxml2 allocated, and takes over the new one.
            unsafe {
                if !(*doc).encoding.is_null() {
                    (sys::xmlFree)((*doc).encoding.cast());
                }
                (*doc).encoding = encoding.map_or(ptr::null_mut(), duplicated);
            }
        }
    }

    /// Sets the version of XML that a document names.
    pub fn set_version(&self, version: &[u8]) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: the document owns its old text, which libxml2 allocated, and takes over the new one.
            unsafe {
                if !(*doc).version.is_null() {
                    (sys::xmlFree)((*doc).version.cast());
                }
                (*doc).version = duplicated(version);
            }
        }
    }

    /// Sets or removes the URL of a document.
    pub fn set_url(&self, url: Option<&[u8]>) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: the document owns its old text, which libxml2 allocated, and takes over the new one.
            unsafe {
                if !(*doc).url.is_null() {
                    (sys::xmlFree)((*doc).url.cast());
                }
                (*doc).url = url.map_or(ptr::null_mut(), duplicated);
            }
        }
    }

    /// Sets what a document says of `standalone`, in the numbers of [`Node::standalone`].
    pub fn set_standalone(&self, standalone: i32) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: `doc_mut` gives documents only, which the owner keeps alive.
            unsafe { (*doc).standalone = standalone };
        }
    }

    /// Declares the prefixes that the tree uses and that are not in scope.
    pub fn reconcile_namespaces(&self) {
        if self.is(Kind::Element) {
            // SAFETY: the tree belongs to the document.
            unsafe { sys::xmlReconciliateNs(self.doc_raw(), self.raw()) };
        }
    }

    /// Replaces XInclude elements by what they include. Gives their number, or `None` after an error.
    pub fn process_includes(&self, options: i32) -> Option<i32> {
        crate::reports::prepare();
        self.rescue_fallbacks();
        // SAFETY: libxml2 frees the contents of the include elements; `rescue_fallbacks` made those loose that
        // handles may refer to.
        let count = unsafe {
            if self.kind().is_document() {
                sys::xmlXIncludeProcessFlags(self.raw().cast(), options)
            } else {
                sys::xmlXIncludeProcessTreeFlags(self.raw(), options)
            }
        };
        self.drop_include_marks();
        (count >= 0).then_some(count)
    }

    /// Takes the contents out of include elements where the caller has tagged a node in them.
    fn rescue_fallbacks(&self) {
        let mut inside = Vec::new();
        let mut at = Some(self.clone());
        while let Some(node) = at {
            let is_include = node.is(Kind::Element)
                && node.name_is(b"include")
                && node.namespace_uri().is_some_and(|uri| uri.starts_with(b"http://www.w3.org/200"));
            if is_include {
                let mut child = node.first_child();
                while let Some(current) = child {
                    if current.tag().is_some() {
                        inside.push(current.clone());
                    }
                    child = current.following(&node);
                }
            }
            at = node.following(self);
        }
        inside.iter().for_each(Node::unlink);
    }

    fn drop_include_marks(&self) {
        let mut at = Some(self.clone());
        while let Some(node) = at {
            at = node.following(self);
            if matches!(node.kind(), Kind::XIncludeStart | Kind::XIncludeEnd) {
                node.unlink();
            }
        }
    }
}
