//! Making nodes and changing trees. Nothing here frees a node that a handle can name: what leaves a tree becomes the
//! root of a loose one.

use crate::sys::{self, XmlAttr, XmlDoc, XmlDtd, XmlNode};
use crate::tree::{Kind, Namespace, Node};
use crate::{c_text, optional};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;

/// Is a text a name, a qualified name, or (`colon` false) a name without a colon?
pub fn is_valid(name: &[u8], qualified: bool) -> bool {
    if name.is_empty() || name.contains(&0) {
        return false;
    }
    let name = c_text(name);
    // SAFETY: the text ends with NUL.
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

/// How often trees of this thread have changed: what was found in a tree is still there if the number is the same.
pub fn edit_count() -> u64 {
    EDITS.get()
}

fn note_edit() {
    EDITS.set(EDITS.get() + 1);
}

/// A copy of a text as libxml2 allocates it.
fn duplicated(text: &[u8]) -> *mut u8 {
    // SAFETY: the text ends with NUL; the copy is libxml2's.
    unsafe { sys::xmlStrdup(c_text(text).as_ptr().cast()) }
}

/// Makes a loose tree belong to another document. Texts in the old document's dictionary are copied: the new one would
/// free them as its own.
///
/// # Safety
/// The tree is valid and loose; both documents live as long as the tree.
unsafe fn set_document(tree: *mut XmlNode, doc: *mut XmlDoc) {
    // SAFETY: by the contract; only fields that the kinds have are looked at.
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
    // SAFETY: by the contract.
    if doc.is_null() { ptr::null_mut() } else { unsafe { (*doc).dict } }
}

/// # Safety
/// The place holds a text or null; the dictionaries are valid or (`to`) null.
unsafe fn rehome(place: *mut *const u8, from: *mut c_void, to: *mut c_void) {
    // SAFETY: by the contract.
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
        // SAFETY: the document is new.
        unsafe { Node::adopt_document(sys::xmlNewDoc(c_text(version).as_ptr().cast())) }
    }

    /// A new HTML document without content.
    pub fn new_html_document() -> Option<Node> {
        crate::reports::prepare();
        // SAFETY: the document is new.
        unsafe { Node::adopt_document(sys::htmlNewDocNoDtD(ptr::null(), ptr::null())) }
    }

    /// A loose node for this document, or (`document` none) for no document yet.
    fn made(document: Option<&Node>, make: impl FnOnce(*mut XmlDoc) -> *mut XmlNode) -> Option<Node> {
        crate::reports::prepare();
        let raw = make(document.map_or(ptr::null_mut(), Node::doc_raw));
        // SAFETY: the node is new.
        unsafe {
            match document {
                Some(document) => document.adopt_loose(raw),
                None => Node::adopt_alone(raw),
            }
        }
    }

    pub fn new_element(document: Option<&Node>, name: &[u8]) -> Option<Node> {
        let name = c_text(name);
        // SAFETY: texts end with NUL; so below.
        Node::made(document, |doc| unsafe {
            sys::xmlNewDocNode(doc, ptr::null_mut(), name.as_ptr().cast(), ptr::null())
        })
    }

    pub fn new_text(document: Option<&Node>, text: &[u8]) -> Option<Node> {
        // SAFETY: the length belongs to the text; so below.
        Node::made(document, |doc| unsafe { sys::xmlNewDocTextLen(doc, text.as_ptr(), length(text)) })
    }

    pub fn new_cdata(document: Option<&Node>, text: &[u8]) -> Option<Node> {
        Node::made(document, |doc| unsafe { sys::xmlNewCDataBlock(doc, text.as_ptr(), length(text)) })
    }

    pub fn new_comment(document: Option<&Node>, text: &[u8]) -> Option<Node> {
        let text = c_text(text);
        Node::made(document, |doc| unsafe { sys::xmlNewDocComment(doc, text.as_ptr().cast()) })
    }

    pub fn new_instruction(document: Option<&Node>, target: &[u8], text: Option<&[u8]>) -> Option<Node> {
        let (target, text) = (c_text(target), text.map(c_text));
        Node::made(document, |doc| unsafe { sys::xmlNewDocPI(doc, target.as_ptr().cast(), optional(text.as_ref())) })
    }

    pub fn new_fragment(document: Option<&Node>) -> Option<Node> {
        Node::made(document, |doc| unsafe { sys::xmlNewDocFragment(doc) })
    }

    pub fn new_reference(document: Option<&Node>, name: &[u8]) -> Option<Node> {
        let name = c_text(name);
        Node::made(document, |doc| unsafe { sys::xmlNewReference(doc, name.as_ptr().cast()) })
    }

    /// An attribute of no element; its value is plain text.
    pub fn new_attribute(document: Option<&Node>, name: &[u8], value: &[u8]) -> Option<Node> {
        let name = c_text(name);
        let made = Node::made(document, |doc| unsafe { sys::xmlNewDocProp(doc, name.as_ptr().cast(), ptr::null()) })?;
        if !value.is_empty() {
            made.set_attribute_text(value);
        }
        Some(made)
    }

    /// A document type that belongs to no document yet.
    pub fn new_doctype(name: &[u8], public_id: Option<&[u8]>, system_id: Option<&[u8]>) -> Option<Node> {
        let (name, public_id, system_id) = (c_text(name), public_id.map(c_text), system_id.map(c_text));
        crate::reports::prepare();
        // SAFETY: the texts end with NUL; the declaration is new.
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

    /// Declares a namespace on an element, or (anything else) a declaration that belongs to no element.
    pub fn declare_namespace(&self, uri: Option<&[u8]>, prefix: Option<&[u8]>) -> Option<Namespace> {
        let (uri, prefix) = (uri.map(c_text), prefix.map(c_text));
        // SAFETY: the texts end with NUL. A declaration without an element goes to the document's list of those.
        unsafe {
            if self.is(Kind::Element) {
                let raw = sys::xmlNewNs(self.raw(), optional(uri.as_ref()), optional(prefix.as_ref()));
                return self.near_namespace(raw);
            }
            self.loose_namespace(optional(uri.as_ref()), optional(prefix.as_ref()))
        }
    }

    /// A declaration that belongs to the document's memory, not to an element's list.
    pub fn detached_namespace(&self, uri: Option<&[u8]>, prefix: Option<&[u8]>) -> Option<Namespace> {
        let (uri, prefix) = (uri.map(c_text), prefix.map(c_text));
        // SAFETY: the texts end with NUL.
        unsafe { self.loose_namespace(optional(uri.as_ref()), optional(prefix.as_ref())) }
    }

    unsafe fn loose_namespace(&self, uri: *const u8, prefix: *const u8) -> Option<Namespace> {
        // SAFETY: by the callers.
        let mut raw = unsafe { sys::xmlNewNs(ptr::null_mut(), uri, prefix) };
        if raw.is_null() && !prefix.is_null() {
            // The library does not make declarations of the prefix `xml`, which is always declared.
            // SAFETY: as above; a declaration owns its prefix, which is freed with it.
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

    /// Gives an element or attribute its namespace, from anywhere.
    pub fn set_namespace(&self, namespace: Option<&Namespace>) {
        if !matches!(self.kind(), Kind::Element | Kind::Attribute) {
            return;
        }
        if let Some(namespace) = namespace {
            self.share_memory_with_namespace(namespace);
        }
        // SAFETY: the kinds have the field, and the declaration lives as long as the node.
        unsafe { sys::xmlSetNs(self.raw(), namespace.map_or(ptr::null_mut(), Namespace::raw)) };
    }

    /// Takes a declaration out of an element's list; the memory stays.
    pub fn forget_namespace(&self, namespace: &Namespace) {
        if !self.is(Kind::Element) {
            return;
        }
        // SAFETY: the list is the element's; the declaration's memory goes to the owner.
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

    /// Adds a declaration that is in no list to an element's list.
    pub fn add_namespace(&self, namespace: &Namespace) {
        if !self.is(Kind::Element) || !self.release_namespace(namespace) {
            return;
        }
        // SAFETY: the declaration is in no list any more.
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
        // SAFETY: the old text is the declaration's unless it is in a dictionary; it is left to the document's end in
        // that case only, so it is never freed here.
        unsafe { (*namespace.raw()).href = fresh };
    }

    pub fn set_name(&self, name: &[u8]) {
        if matches!(self.kind(), Kind::Element | Kind::Attribute | Kind::Instruction) {
            // SAFETY: the kinds are those that the function is for.
            unsafe { sys::xmlNodeSetName(self.raw(), c_text(name).as_ptr().cast()) };
        }
    }

    /// Sets the text of character data.
    pub fn set_own_text(&self, text: &[u8]) {
        if self.kind().is_character_data() {
            // SAFETY: these kinds have no children; the length belongs to the text.
            unsafe { sys::xmlNodeSetContentLen(self.raw(), text.as_ptr(), length(text)) };
        }
    }

    /// Appends to the text of character data.
    pub fn append_own_text(&self, text: &[u8]) {
        if self.kind().is_character_data() {
            // SAFETY: as above.
            unsafe { sys::xmlNodeAddContentLen(self.raw(), text.as_ptr(), length(text)) };
        }
    }

    /// The children of an attribute become one plain text.
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

    /// As [`Node::set_content_with_references`], of an attribute, which may be an id.
    pub fn set_attribute_content(&self, text: &[u8]) {
        let was_id = self.is_id();
        self.set_id(false);
        self.set_content_with_references(text);
        self.set_id(was_id);
    }

    /// The children become what a text with references (`&name;`) means.
    pub fn set_content_with_references(&self, text: &[u8]) {
        self.take_children();
        // SAFETY: the list is new; its members are linked below.
        let list = unsafe { sys::xmlStringLenGetNodeList(self.doc_raw(), c_text(text).as_ptr().cast(), length(text)) };
        self.adopt_list(list);
    }

    /// Appends a new list of nodes.
    pub(crate) fn adopt_list(&self, list: *mut XmlNode) {
        let mut at = list;
        while !at.is_null() {
            // SAFETY: the list is new and ours; each member leaves it before it is linked.
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

    /// Takes the node out of its tree.
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
            // SAFETY: the attribute belongs to the document.
            unsafe { sys::xmlRemoveID(self.doc_raw(), self.raw()) };
        }
        // SAFETY: the node is kept as the root of a loose tree.
        unsafe { sys::xmlUnlinkNode(self.raw()) };
        self.mark_loose(true);
    }

    /// Takes all children out, each the root of a tree of its own.
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

    /// Brings a loose tree to this node's document.
    fn bring_here(&self, node: &Node) {
        node.share_memory(self);
        if node.doc_raw() != self.doc_raw() {
            // SAFETY: the tree is loose, and its memory is now shared with the document's.
            unsafe { set_document(node.raw(), self.doc_raw()) };
        }
    }

    /// Inserts a loose node before a child, or at the end. Texts are not joined.
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
        // SAFETY: the node is in no tree, `before` is a child of `self`; all links are set to match.
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
        // SAFETY: a document's children are linked like other children; the declaration is the document's only one,
        // because one that was there is taken out first.
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

    /// Adds a loose attribute to an element, after its others. One of the same name must have been taken out.
    pub fn add_attribute(&self, attribute: &Node) {
        if !self.is(Kind::Element) || !attribute.is(Kind::Attribute) {
            return;
        }
        attribute.unlink();
        note_edit();
        self.bring_here(attribute);
        // SAFETY: the attribute is in no list; it is linked at the end of the element's.
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
        // SAFETY: the attribute is in the element's list.
        if unsafe { sys::xmlIsID(self.doc_raw(), self.raw(), attribute.raw()) } == 1 {
            attribute.set_id(true);
        }
    }

    /// Adds a loose attribute to an element, before its others.
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

    /// Puts an attribute in the place of another of the same element.
    pub fn replace_attribute(&self, old: &Node, new: &Node) {
        old.unlink();
        self.add_attribute(new);
    }

    /// Makes an attribute an id or not.
    pub fn set_id(&self, on: bool) {
        if !self.is(Kind::Attribute) || self.doc_raw().is_null() || self.is_id() == on {
            return;
        }
        let value = self.children_text(false).unwrap_or_default();
        // SAFETY: the attribute belongs to the document; the text ends with NUL.
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

    /// A copy for a document (a document: with everything in it, or without).
    pub fn copy(&self, document: Option<&Node>, deep: bool) -> Option<Node> {
        crate::reports::prepare();
        // SAFETY: copies are new.
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

    /// Moves a loose tree to another document.
    pub fn move_to_document(&self, document: &Node) {
        self.unlink();
        document.bring_here(self);
    }

    /// Joins a text with the texts after it.
    pub fn join_following_texts(&self) {
        while let Some(next) = self.next().filter(|next| self.is(Kind::Text) && next.is(Kind::Text)) {
            self.append_own_text(&next.own_text().unwrap_or_default());
            next.unlink();
        }
    }

    fn doc_mut(&self) -> Option<*mut XmlDoc> {
        self.kind().is_document().then(|| self.raw().cast())
    }

    pub fn set_encoding(&self, encoding: Option<&[u8]>) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: the text is the document's own.
            unsafe {
                if !(*doc).encoding.is_null() {
                    (sys::xmlFree)((*doc).encoding.cast());
                }
                (*doc).encoding = encoding.map_or(ptr::null_mut(), duplicated);
            }
        }
    }

    pub fn set_version(&self, version: &[u8]) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: as above.
            unsafe {
                if !(*doc).version.is_null() {
                    (sys::xmlFree)((*doc).version.cast());
                }
                (*doc).version = duplicated(version);
            }
        }
    }

    pub fn set_url(&self, url: Option<&[u8]>) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: as above.
            unsafe {
                if !(*doc).url.is_null() {
                    (sys::xmlFree)((*doc).url.cast());
                }
                (*doc).url = url.map_or(ptr::null_mut(), duplicated);
            }
        }
    }

    pub fn set_standalone(&self, standalone: i32) {
        if let Some(doc) = self.doc_mut() {
            // SAFETY: the node is a document.
            unsafe { (*doc).standalone = standalone };
        }
    }

    /// Declares prefixes that the tree uses and does not have in scope.
    pub fn reconcile_namespaces(&self) {
        if self.is(Kind::Element) {
            // SAFETY: the tree belongs to the document.
            unsafe { sys::xmlReconciliateNs(self.doc_raw(), self.raw()) };
        }
    }

    /// Replaces includes by what they include. Gives how many there were, or none after an error.
    pub fn process_includes(&self, options: i32) -> Option<i32> {
        crate::reports::prepare();
        self.rescue_fallbacks();
        // SAFETY: the library frees what is inside the include elements, which is loose now where handles exist.
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

    /// Takes what is inside include elements out when the caller knows a node of it.
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
