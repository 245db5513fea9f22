//! XPath expressions over a document, which can call functions of the caller.

use crate::sys::{self, XPathObject};
use crate::tree::{Kind, Namespace, Node};
use crate::{c_text, copied, optional, taken};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{self, NonNull};
use std::rc::Rc;

/// A member of a set of nodes.
#[derive(Clone)]
pub enum Found {
    Node(Node),
    /// A namespace in scope of an element.
    Namespace {
        element: Node,
        namespace: Namespace,
    },
}

/// The value of an expression.
pub enum Answer {
    Nodes(Vec<Found>),
    Bool(bool),
    Number(f64),
    Text(Vec<u8>),
    /// A value of a type that XPath 1.0 does not have.
    Other,
}

/// The prefixes that an expression may use besides the registered ones.
#[derive(Clone, Copy, Debug)]
pub enum InScope<'a> {
    None,
    /// The declarations that libxml2 finds at the node and its ancestors.
    OfNode,
    /// Prefixes with their namespaces.
    Listed(&'a [(Vec<u8>, Vec<u8>)]),
}

/// A function that expressions call. It gets its name, its namespace and the arguments.
pub type Function = Rc<dyn Fn(&[u8], &[u8], Vec<Answer>) -> Answer>;

struct Sink {
    document: Node,
    function: RefCell<Option<Function>>,
    panic: RefCell<Option<Box<dyn Any + Send>>>,
}

/// A context in which expressions are evaluated.
pub struct XPath {
    raw: NonNull<sys::XPathContext>,
    sink: Box<Sink>,
}

impl XPath {
    /// A context for a document; `None` if the node is no document.
    pub fn new(document: &Node) -> Option<XPath> {
        if !document.kind().is_document() {
            return None;
        }
        crate::reports::prepare();
        let sink =
            Box::new(Sink { document: document.clone(), function: RefCell::default(), panic: RefCell::default() });
        // SAFETY: the sink keeps the document; it is boxed and lives as long as the context.
        unsafe {
            let raw = NonNull::new(sys::xmlXPathNewContext(document.raw().cast()))?;
            sys::phlox_libxml_xpath_set_data(raw.as_ptr(), (&raw const *sink).cast_mut().cast());
            Some(XPath { raw, sink })
        }
    }

    /// The document of the context.
    pub fn document(&self) -> &Node {
        &self.sink.document
    }

    /// Registers a prefix for a namespace; false if libxml2 refuses it.
    pub fn register_namespace(&self, prefix: &[u8], uri: &[u8]) -> bool {
        // SAFETY: libxml2 copies the texts, which end with NUL.
        unsafe {
            sys::xmlXPathRegisterNs(self.raw.as_ptr(), c_text(prefix).as_ptr().cast(), c_text(uri).as_ptr().cast()) == 0
        }
    }

    /// Sets the function that computes the registered functions.
    pub fn set_function(&self, function: Option<Function>) {
        *self.sink.function.borrow_mut() = function;
    }

    /// Registers a function by name and namespace, so that expressions may call it.
    pub fn register_function(&self, name: &[u8], uri: Option<&[u8]>) {
        let uri = uri.map(c_text);
        // SAFETY: libxml2 copies the texts, which end with NUL or are null; `call_function` has the type that it
        // expects.
        unsafe {
            sys::xmlXPathRegisterFuncNS(
                self.raw.as_ptr(),
                c_text(name).as_ptr().cast(),
                optional(uri.as_ref()),
                Some(call_function),
            );
        }
    }

    /// Evaluates an expression at a node. `None`: the expression is invalid, or a function failed.
    pub fn evaluate(&self, expression: &[u8], node: &Node, names: InScope<'_>) -> Option<Answer> {
        let of_node = if matches!(names, InScope::OfNode) { node.namespaces_in_scope() } else { Vec::new() };
        let listed =
            if let InScope::Listed(names) = names { LooseNamespaces::new(names) } else { LooseNamespaces::default() };
        let mut in_scope: Vec<_> = of_node.iter().map(Namespace::raw).chain(listed.0.iter().copied()).collect();
        let expression = c_text(expression);
        // SAFETY: the node is of the document's memory; the list of namespaces lives through the call and is removed
        // after it; the result is freed here.
        unsafe {
            let list = if in_scope.is_empty() { ptr::null_mut() } else { in_scope.as_mut_ptr() };
            let count = c_int::try_from(in_scope.len()).unwrap_or(0);
            sys::phlox_libxml_xpath_place(self.raw.as_ptr(), node.raw(), list, count);
            let object = sys::xmlXPathEvalExpression(expression.as_ptr().cast(), self.raw.as_ptr());
            sys::phlox_libxml_xpath_place(self.raw.as_ptr(), ptr::null_mut(), ptr::null_mut(), 0);
            let panic = self.sink.panic.borrow_mut().take();
            if let Some(panic) = panic {
                resume_unwind(panic);
            }
            if object.is_null() {
                return None;
            }
            let answer = answer(object, &self.sink.document);
            sys::xmlXPathFreeObject(object);
            Some(answer)
        }
    }
}

/// Declarations of namespaces that belong to no tree.
#[derive(Default)]
struct LooseNamespaces(Vec<*mut sys::XmlNs>);

impl LooseNamespaces {
    fn new(names: &[(Vec<u8>, Vec<u8>)]) -> LooseNamespaces {
        // SAFETY: libxml2 copies the texts, which end with NUL.
        let loose = |(prefix, uri): &(Vec<u8>, Vec<u8>)| unsafe {
            sys::xmlNewNs(ptr::null_mut(), c_text(uri).as_ptr().cast(), c_text(prefix).as_ptr().cast())
        };
        LooseNamespaces(names.iter().map(loose).filter(|raw| !raw.is_null()).collect())
    }
}

impl Drop for LooseNamespaces {
    fn drop(&mut self) {
        // SAFETY: this value alone owns the declarations and frees each once; results of expressions have copies.
        self.0.drain(..).for_each(|raw| unsafe { sys::xmlFreeNs(raw) });
    }
}

impl Drop for XPath {
    fn drop(&mut self) {
        // SAFETY: the context is freed only here.
        unsafe { sys::xmlXPathFreeContext(self.raw.as_ptr()) };
    }
}

/// # Safety
/// The object is valid, and its nodes belong to the document's memory.
unsafe fn answer(object: *mut XPathObject, document: &Node) -> Answer {
    // SAFETY: the contract keeps the object valid; its kind says which fields are set.
    unsafe {
        match (*object).kind {
            1 | 9 => Answer::Nodes(nodes(object, document)),
            2 => Answer::Bool((*object).boolean != 0),
            3 => Answer::Number((*object).number),
            4 => Answer::Text(copied((*object).string).unwrap_or_default()),
            _ => Answer::Other,
        }
    }
}

/// # Safety
/// The object is a set of nodes; it is valid, and its nodes belong to the document's memory.
unsafe fn nodes(object: *mut XPathObject, document: &Node) -> Vec<Found> {
    // SAFETY: the contract keeps the object valid, and the table has `count` members.
    unsafe {
        let set = (*object).nodes;
        if set.is_null() || (*set).table.is_null() {
            return Vec::new();
        }
        let count = usize::try_from((*set).count).unwrap_or(0);
        let members = std::slice::from_raw_parts((*set).table, count);
        members.iter().filter_map(|&member| found(member, document)).collect()
    }
}

/// # Safety
/// The member is null, or a valid node or namespace of a set, which belongs to the document's memory.
unsafe fn found(member: *mut sys::XmlNode, document: &Node) -> Option<Found> {
    // SAFETY: the contract keeps the member valid. The second field of nodes and namespaces says what they are; a
    // namespace in a set is a copy of its own whose `next` is the element.
    unsafe {
        if member.is_null() {
            return None;
        }
        if (*member.cast::<sys::XmlNs>()).kind != Kind::Namespace as i32 {
            return document.near(member).map(Found::Node);
        }
        let raw = member.cast::<sys::XmlNs>();
        let element = document.near((*raw).next.cast())?;
        let (uri, prefix) = (copied((*raw).href), copied((*raw).prefix));
        let namespace = document.detached_namespace(uri.as_deref(), prefix.as_deref())?;
        Some(Found::Namespace { element, namespace })
    }
}

unsafe extern "C" fn call_function(context: *mut sys::XPathParserContext, count: c_int) {
    let (mut name, mut uri, mut data) = (ptr::null(), ptr::null(), ptr::null_mut::<c_void>());
    // SAFETY: libxml2 passes the running context, whose data is the sink of an `XPath` that is alive; popped objects
    // are freed here.
    unsafe {
        sys::phlox_libxml_xpath_function(context, &mut name, &mut uri, &mut data);
        let sink = &*data.cast::<Sink>();
        let (name, uri) = (copied(name).unwrap_or_default(), copied(uri).unwrap_or_default());
        let mut arguments = Vec::new();
        for _ in 0..count {
            let object = sys::valuePop(context);
            if object.is_null() {
                break;
            }
            arguments.push(answer(object, &sink.document));
            sys::xmlXPathFreeObject(object);
        }
        arguments.reverse();
        let function = sink.function.borrow().clone();
        let work = || function.map_or(Answer::Other, |function| function(&name, &uri, arguments));
        let result = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => result,
            Err(panic) => {
                *sink.panic.borrow_mut() = Some(panic);
                Answer::Other
            }
        };
        sys::valuePush(context, object_of(result, &sink.document));
    }
}

/// # Safety
/// A handle keeps the document alive.
unsafe fn object_of(answer: Answer, document: &Node) -> *mut XPathObject {
    // SAFETY: the objects are new; nodes share the document's memory from here on.
    unsafe {
        match answer {
            Answer::Bool(value) => sys::xmlXPathNewBoolean(c_int::from(value)),
            Answer::Number(number) => sys::xmlXPathNewFloat(number),
            Answer::Text(text) => sys::xmlXPathNewString(c_text(&text).as_ptr().cast()),
            Answer::Nodes(nodes) => {
                let object = sys::xmlXPathNewNodeSet(ptr::null_mut());
                for found in nodes {
                    if let (Found::Node(node), false) = (found, object.is_null()) {
                        node.share_memory(document);
                        sys::xmlXPathNodeSetAdd((*object).nodes, node.raw());
                    }
                }
                object
            }
            Answer::Other => sys::xmlXPathNewString(c"".as_ptr().cast()),
        }
    }
}

impl Found {
    /// The text of a member, which is what XPath's `string()` gives.
    pub fn text(&self) -> Vec<u8> {
        match self {
            Found::Node(node) => node.text(),
            Found::Namespace { namespace, .. } => namespace.uri().unwrap_or_default(),
        }
    }
}

/// The text that XPath gives for a number.
pub fn text_of_number(number: f64) -> Vec<u8> {
    // SAFETY: the object is new and freed here; libxml2 allocated the text for the caller.
    unsafe {
        let object = sys::xmlXPathNewFloat(number);
        if object.is_null() {
            return Vec::new();
        }
        let text = taken(sys::xmlXPathCastToString(object)).unwrap_or_default();
        sys::xmlXPathFreeObject(object);
        text
    }
}
