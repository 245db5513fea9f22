//! Documents: functions that make, import and find nodes, and the settings of documents.

use crate::errors::{self, fail};
use crate::namespaces;
use crate::objects::{self, argument, hold, is_modern, optional_argument, settings, text, this, wrap, wrap_optional};
use encoding_rs::Encoding;
use phlox_libxml::{Kind, Node, edit_count, is_valid};
use phlox_runtime::{Call, ClassExt, PhpResult, PhpStr, Val, View};
use std::cell::Cell;

/// `DOMDocument::__construct()`.
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let version = if call.was_passed(0) { call.str(0) } else { PhpStr::new(b"1.0") };
    let Some(document) = Node::new_document(&version) else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    let encoding = call.str(1);
    if !encoding.is_empty() {
        document.set_encoding(Some(&encoding));
    }
    hold(call.this(), document);
    Ok(Val::NULL)
}

fn made(call: &Call<'_>, node: Option<Node>) -> PhpResult<Val> {
    match node {
        Some(node) => wrap(call.vm, &node),
        None => Err(errors::raise(call.vm, errors::INVALID_STATE)),
    }
}

/// `DOMDocument::createElement()` and `Dom\Document::createElement()`: an HTML document of the new DOM makes elements
/// of the HTML namespace with lower-case names.
pub fn create_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, name) = (this(call)?, call.str(0));
    if !is_valid(&name, false) {
        return fail(call, &document, errors::INVALID_CHARACTER);
    }
    if is_modern(&document) {
        if document.is(Kind::HtmlDocument) {
            let element = Node::new_element(Some(&document), &name.to_ascii_lowercase());
            if let Some(element) = &element {
                element.set_namespace(document.detached_namespace(Some(objects::HTML), None).as_ref());
            }
            return made(call, element);
        }
        return made(call, Node::new_element(Some(&document), &name));
    }
    let element = Node::new_element(Some(&document), &name);
    let value = call.str(1);
    if let Some(element) = element.as_ref().filter(|_| !value.is_empty()) {
        element.set_content_with_references(&value);
    }
    phlox_ext_libxml::emit(call)?;
    made(call, element)
}

/// `DOMDocument::createElementNS()` and `Dom\Document::createElementNS()`.
pub fn create_element_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, uri, name) = (this(call)?, call.opt_str(0), call.str(1));
    let uri_bytes = uri.as_deref().unwrap_or_default();
    if is_modern(&document) {
        let (prefix, local) = match namespaces::validated(&name, uri_bytes) {
            Ok(split) => split,
            Err(code) => return fail(call, &document, code),
        };
        let element = Node::new_element(Some(&document), &local);
        if let (Some(element), false) = (&element, uri_bytes.is_empty()) {
            element.set_namespace(document.detached_namespace(Some(uri_bytes), prefix.as_deref()).as_ref());
        }
        return made(call, element);
    }
    let (prefix, local) = match namespaces::checked(&name, uri_bytes) {
        Ok(split) => split,
        Err(code) => return fail(call, &document, code),
    };
    if !is_valid(&local, false) {
        return fail(call, &document, errors::INVALID_CHARACTER);
    }
    let Some(element) = Node::new_element(Some(&document), &local) else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    let value = call.str(2);
    if !value.is_empty() {
        element.set_content_with_references(&value);
        phlox_ext_libxml::emit(call)?;
    }
    if let Some(uri) = &uri {
        let namespace = match element.find_namespace_of(uri) {
            Some(found) => found,
            None => match namespaces::declare(&element, uri, prefix.as_deref()) {
                Ok(namespace) => namespace,
                Err(code) => return fail(call, &document, code),
            },
        };
        element.set_namespace(Some(&namespace));
    }
    wrap(call.vm, &element)
}

/// `DOMDocument::createDocumentFragment()` and `Dom\Document::createDocumentFragment()`.
pub fn create_document_fragment(call: &mut Call<'_>) -> PhpResult<Val> {
    made(call, Node::new_fragment(Some(&this(call)?)))
}

/// `DOMDocument::createTextNode()` and `Dom\Document::createTextNode()`.
pub fn create_text_node(call: &mut Call<'_>) -> PhpResult<Val> {
    made(call, Node::new_text(Some(&this(call)?), &call.str(0)))
}

/// `DOMDocument::createComment()` and `Dom\Document::createComment()`.
pub fn create_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    made(call, Node::new_comment(Some(&this(call)?), &call.str(0)))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// `DOMDocument::createCDATASection()` and `Dom\Document::createCDATASection()`: the new DOM refuses HTML documents
/// and texts that contain `]]>`.
pub fn create_cdatasection(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, value) = (this(call)?, call.str(0));
    if is_modern(&document) {
        if document.is(Kind::HtmlDocument) {
            let message = "This operation is not supported for HTML documents";
            return Err(errors::raise_with(call.vm, errors::NOT_SUPPORTED, message));
        }
        if contains(&value, b"]]>") {
            let message = "Invalid character sequence \"]]>\" in CDATA section";
            return Err(errors::raise_with(call.vm, errors::INVALID_CHARACTER, message));
        }
    }
    made(call, Node::new_cdata(Some(&document), &value))
}

/// `DOMDocument::createProcessingInstruction()` and `Dom\Document::createProcessingInstruction()`: the new DOM
/// refuses data that contains `?>`.
pub fn create_processing_instruction(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, target, data) = (this(call)?, call.str(0), call.str(1));
    if !is_valid(&target, false) {
        return fail(call, &document, errors::INVALID_CHARACTER);
    }
    if is_modern(&document) && contains(&data, b"?>") {
        let message = "Invalid character sequence \"?>\" in processing instruction";
        return Err(errors::raise_with(call.vm, errors::INVALID_CHARACTER, message));
    }
    let data = call.was_passed(1).then_some(&data[..]);
    made(call, Node::new_instruction(Some(&document), &target, data))
}

/// `DOMDocument::createAttribute()` and `Dom\Document::createAttribute()`: an HTML document of the new DOM makes the
/// name lower case.
pub fn create_attribute(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, name) = (this(call)?, call.path(0)?);
    if !is_valid(&name, false) {
        return fail(call, &document, errors::INVALID_CHARACTER);
    }
    let lower = document.is(Kind::HtmlDocument) && is_modern(&document);
    let name = if lower { name.to_ascii_lowercase() } else { name.to_vec() };
    made(call, Node::new_attribute(Some(&document), &name, b""))
}

/// `DOMDocument::createAttributeNS()` and `Dom\Document::createAttributeNS()`: in the old DOM, a document without a
/// root element gets a warning and false.
pub fn create_attribute_ns(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, uri, name) = (this(call)?, call.opt_str(0).unwrap_or_else(PhpStr::empty), call.str(1));
    let modern = is_modern(&document);
    let root = document.root_element();
    if root.is_none() && !modern {
        call.warning("Document Missing Root Element")?;
        return Ok(false.into());
    }
    let (prefix, local) = match namespaces::validated(&name, &uri) {
        Ok(split) => split,
        Err(code) => return fail(call, &document, if modern { code } else { errors::NAMESPACE }),
    };
    let Some(attribute) = Node::new_attribute(Some(&document), &local, b"") else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    if !uri.is_empty() {
        let namespace = match root.filter(|_| !modern) {
            None => document.detached_namespace(Some(&uri), prefix.as_deref()),
            Some(root) => {
                let found = root.find_namespace_of(&uri);
                if &name[..] == b"xmlns" || prefix.as_deref() == Some(b"xml") {
                    found.or_else(|| document.detached_namespace(Some(&uri), prefix.as_deref()))
                } else {
                    let wanted = prefix.as_deref().unwrap_or(b"default");
                    let found = found.filter(|found| found.prefix().is_some());
                    match found.or_else(|| namespaces::declare_unchecked(&root, &uri, Some(wanted))) {
                        Some(found) => Some(found),
                        None => return fail(call, &document, errors::NAMESPACE),
                    }
                }
            }
        };
        attribute.set_namespace(namespace.as_ref());
    }
    wrap(call.vm, &attribute)
}

/// `DOMDocument::createEntityReference()` and `Dom\XMLDocument::createEntityReference()`.
pub fn create_entity_reference(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, name) = (this(call)?, call.str(0));
    if !is_valid(&name, false) {
        return fail(call, &document, errors::INVALID_CHARACTER);
    }
    made(call, Node::new_reference(Some(&document), &name))
}

/// `DOMDocument::importNode()` and `Dom\Document::importNode()`: gives a copy that belongs to this document. Documents
/// are refused.
pub fn import_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, node) = (this(call)?, argument(call, 0)?);
    let modern = is_modern(&document);
    if node.kind().is_document() {
        if modern {
            return Err(errors::raise(call.vm, errors::NOT_SUPPORTED));
        }
        call.warning("Cannot import: Node Type Not Supported")?;
        return Ok(false.into());
    }
    if node.document().as_ref() == Some(&document) {
        return wrap(call.vm, &node);
    }
    let Some(copy) = node.copy(Some(&document), call.bool(1)) else { return Ok(false.into()) };
    if modern && copy.document().is_none() {
        copy.move_to_document(&document);
    }
    if modern {
        namespaces::copy_names(&node, &copy, &document, call.bool(1));
    } else if copy.is(Kind::Attribute) && copy.namespace().is_none() {
        if let Some(namespace) = node.namespace() {
            let uri = namespace.uri().unwrap_or_default();
            let root = document.root_element();
            let found = root.as_ref().and_then(|root| root.find_namespace_of(&uri)).filter(|ns| ns.prefix().is_some());
            let prefix = namespace.prefix();
            let found = found.or_else(|| match &root {
                Some(root) => namespaces::declare(root, &uri, prefix.as_deref()).ok(),
                None => document.detached_namespace(Some(&uri), prefix.as_deref()),
            });
            copy.set_namespace(found.as_ref());
        }
    }
    wrap(call.vm, &copy)
}

/// `Dom\Document::importLegacyNode()`: nodes of the old DOM, which `import_node` takes as well.
pub fn import_legacy_node(call: &mut Call<'_>) -> PhpResult<Val> {
    import_node(call)
}

/// `DOMDocument::adoptNode()` and `Dom\Document::adoptNode()`: moves a node to this document; documents, document
/// types and what they declare are refused.
pub fn adopt_node(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, node) = (this(call)?, argument(call, 0)?);
    let fixed =
        matches!(node.kind(), Kind::DocumentType | Kind::Dtd | Kind::Entity | Kind::EntityDeclaration | Kind::Notation);
    if node.kind().is_document() || fixed {
        return fail(call, &node, errors::NOT_SUPPORTED);
    }
    adopt(&document, &node);
    Ok(call.arg(0))
}

/// Moves a tree to a document. In the old DOM, namespaces that are declared outside of the tree are declared in it
/// again.
pub fn adopt(document: &Node, node: &Node) {
    let moves = node.document().as_ref() != Some(document);
    node.unlink();
    if moves {
        node.move_to_document(document);
        if !is_modern(document) {
            node.reconcile_namespaces();
        }
    }
}

/// `DOMDocument::getElementById()` and `Dom\Document::getElementById()`.
pub fn get_element_by_id(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, id) = (this(call)?, call.str(0));
    wrap_optional(call.vm, element_by_id(&document, &id))
}

/// The first element of the tree with an attribute that is an id and has the value `id`.
pub fn element_by_id(document: &Node, id: &[u8]) -> Option<Node> {
    let has = |element: &Node| element.attributes().any(|attribute| attribute.is_id() && attribute.text() == id);
    // While no tree was edited, libxml2's table of ids knows the first element with each id.
    if edit_count() == 0 {
        return document.element_by_id(id).filter(|known| document.contains(known) && has(known));
    }
    let mut at = document.first_child();
    while let Some(node) = at {
        if has(&node) {
            return Some(node);
        }
        at = node.following(document);
    }
    None
}

/// `DOMDocument::normalizeDocument()`.
pub fn normalize_document(call: &mut Call<'_>) -> PhpResult<Val> {
    crate::node::normalize_below(&this(call)?);
    Ok(Val::NULL)
}

/// `DOMDocument::registerNodeClass()` and `Dom\Document::registerNodeClass()`: objects of nodes of this document get
/// the given class from then on.
pub fn register_node_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let document = this(call)?;
    let modern = is_modern(&document);
    let class_of = |index: usize| -> PhpResult<_> {
        let name = call.str(index);
        match call.vm.find_class(&name)? {
            Some(class) => Ok(class),
            None => {
                let name = phlox_runtime::shown(&name);
                let wanted = match index {
                    0 if modern => "a class name derived from Dom\\Node",
                    0 => "a class name derived from DOMNode",
                    _ => "a valid class name or null",
                };
                Err(call.type_error(index, &format!("must be {wanted}, {name} given")))
            }
        }
    };
    let base = class_of(0)?;
    let node_class = call.vm.require_class(if modern { b"Dom\\Node" } else { b"DOMNode" })?;
    if !base.class().is_a(&node_class) {
        let (wanted, given) = (&node_class.class().name, &base.class().name);
        let message = [b"must be a class name derived from ", &wanted[..], b", ", given, b" given"].concat();
        return Err(call.type_error(0, &phlox_runtime::shown(&message)));
    }
    if base.class().is_abstract() {
        return Err(call.value_error(0, "must not be an abstract class"));
    }
    let known = settings(&document);
    if call.is_null(1) {
        known.classes.borrow_mut().remove(&base.class().lower_name);
        return Ok(if modern { Val::NULL } else { true.into() });
    }
    let extended = class_of(1)?;
    if !extended.class().is_a(&base) {
        let (wanted, given) = (&base.class().name, &extended.class().name);
        let message = [b"must be a class name derived from ", &wanted[..], b" or null, ", given, b" given"].concat();
        return Err(call.error(1, &phlox_runtime::shown(&message)));
    }
    if extended.class().is_abstract() {
        return Err(call.value_error(1, "must not be an abstract class"));
    }
    known.classes.borrow_mut().insert(base.class().lower_name.clone(), objects::ClassName(extended));
    Ok(if modern { Val::NULL } else { true.into() })
}

/// Reads `DOMDocument::$doctype` and `Dom\Document::$doctype`.
pub fn get_doctype(call: &mut Call<'_>) -> PhpResult<Val> {
    wrap_optional(call.vm, this(call)?.doctype())
}

/// Reads `DOMDocument::$implementation` and `Dom\Document::$implementation`: a new object at each read, for which the
/// document need not have been constructed.
pub fn get_implementation(call: &mut Call<'_>) -> PhpResult<Val> {
    let modern = matches!(objects::held(call.this()), objects::Held::Node(document) if is_modern(&document));
    let class: &[u8] = if modern { b"Dom\\Implementation" } else { b"DOMImplementation" };
    Ok(call.vm.instantiate(&call.vm.require_class(class)?)?.into())
}

/// Reads `DOMDocument::$documentElement` and `Dom\Document::$documentElement`.
pub fn get_document_element(call: &mut Call<'_>) -> PhpResult<Val> {
    wrap_optional(call.vm, this(call)?.root_element())
}

fn deprecated(call: &Call<'_>, name: &str) -> PhpResult<()> {
    if objects::is_dumping(call.vm) {
        return Ok(());
    }
    call.vm.deprecated(format!("Property DOMDocument::${name} is deprecated").as_bytes())
}

/// Reads `DOMDocument::$encoding`.
pub fn get_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(text(this(call)?.encoding()))
}

/// Reads `DOMDocument::$xmlEncoding`.
pub fn get_xml_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    get_encoding(call)
}

/// Reads `DOMDocument::$actualEncoding`: deprecated, which is not reported while a dump reads it.
pub fn get_actual_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    deprecated(call, "actualEncoding")?;
    get_encoding(call)
}

/// Sets `DOMDocument::$encoding`: names that libxml2 does not know are refused.
pub fn set_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    let document = this(call)?;
    match call.opt_str(0) {
        Some(name) if phlox_libxml::is_encoding(&name) => document.set_encoding(Some(&name)),
        _ => return Err(call.vm.throw_value_error(b"Invalid document encoding")),
    }
    Ok(Val::NULL)
}

/// Reads `DOMDocument::$standalone`.
pub fn get_standalone(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok((this(call)?.standalone() > 0).into())
}

/// Reads `DOMDocument::$xmlStandalone` and `Dom\XMLDocument::$xmlStandalone`.
pub fn get_xml_standalone(call: &mut Call<'_>) -> PhpResult<Val> {
    get_standalone(call)
}

/// Sets `DOMDocument::$standalone`.
pub fn set_standalone(call: &mut Call<'_>) -> PhpResult<Val> {
    this(call)?.set_standalone(i32::from(call.bool(0)));
    Ok(Val::NULL)
}

/// Sets `DOMDocument::$xmlStandalone` and `Dom\XMLDocument::$xmlStandalone`.
pub fn set_xml_standalone(call: &mut Call<'_>) -> PhpResult<Val> {
    set_standalone(call)
}

/// Reads `DOMDocument::$version`.
pub fn get_version(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(text(this(call)?.version()))
}

/// Reads `DOMDocument::$xmlVersion` and `Dom\XMLDocument::$xmlVersion`.
pub fn get_xml_version(call: &mut Call<'_>) -> PhpResult<Val> {
    get_version(call)
}

/// Sets `DOMDocument::$version`: the new DOM takes 1.0 and 1.1 only.
pub fn set_version(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, version) = (this(call)?, call.str(0));
    if is_modern(&document) && !matches!(&version[..], b"1.0" | b"1.1") {
        return Err(call.vm.throw_value_error(b"Invalid XML version"));
    }
    document.set_version(&version);
    Ok(Val::NULL)
}

/// Sets `DOMDocument::$xmlVersion` and `Dom\XMLDocument::$xmlVersion`.
pub fn set_xml_version(call: &mut Call<'_>) -> PhpResult<Val> {
    set_version(call)
}

/// Reads `DOMDocument::$documentURI` and `Dom\Document::$documentURI`: a document of the new DOM without one has
/// `about:blank`.
pub fn get_document_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    let document = this(call)?;
    match document.url() {
        None if is_modern(&document) => Ok(Val::str(b"about:blank")),
        url => Ok(text(url)),
    }
}

/// Sets `DOMDocument::$documentURI` and `Dom\Document::$documentURI`.
pub fn set_document_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    this(call)?.set_url(Some(&call.str(0)));
    Ok(Val::NULL)
}

/// Reads `Dom\Document::$URL`.
pub fn get_url(call: &mut Call<'_>) -> PhpResult<Val> {
    get_document_uri(call)
}

/// Sets `Dom\Document::$URL`.
pub fn set_url(call: &mut Call<'_>) -> PhpResult<Val> {
    set_document_uri(call)
}

/// Reads `DOMDocument::$config`: deprecated and always null.
pub fn get_config(call: &mut Call<'_>) -> PhpResult<Val> {
    deprecated(call, "config")?;
    Ok(Val::NULL)
}

fn flag(call: &Call<'_>, which: fn(&objects::Settings) -> &Cell<bool>) -> PhpResult<Val> {
    // A document whose constructor did not run has the default settings.
    let settings = match objects::held(call.this()) {
        objects::Held::Node(document) => settings(&document),
        _ => std::rc::Rc::default(),
    };
    Ok(which(&settings).get().into())
}

fn set_flag(call: &Call<'_>, which: fn(&objects::Settings) -> &Cell<bool>) -> PhpResult<Val> {
    which(&settings(&this(call)?)).set(call.bool(0));
    Ok(Val::NULL)
}

macro_rules! flags {
    ($($get:ident $set:ident $field:ident;)*) => {
        $(
            pub fn $get(call: &mut Call<'_>) -> PhpResult<Val> {
                flag(call, |settings| &settings.$field)
            }

            pub fn $set(call: &mut Call<'_>) -> PhpResult<Val> {
                set_flag(call, |settings| &settings.$field)
            }
        )*
    };
}

flags! {
    get_strict_error_checking set_strict_error_checking strict_error_checking;
    get_format_output set_format_output format_output;
    get_validate_on_parse set_validate_on_parse validate_on_parse;
    get_resolve_externals set_resolve_externals resolve_externals;
    get_preserve_white_space set_preserve_white_space preserve_white_space;
    get_recover set_recover recover;
    get_substitute_entities set_substitute_entities substitute_entities;
}

// Documents of the new DOM (`Dom\Document` and its subclasses).

/// Reads `Dom\Document::$characterSet`: UTF-8 where the document names no encoding.
pub fn get_character_set(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&this(call)?.encoding().unwrap_or_else(|| b"UTF-8".to_vec())))
}

/// Reads `Dom\Document::$charset`.
pub fn get_charset(call: &mut Call<'_>) -> PhpResult<Val> {
    get_character_set(call)
}

/// Reads `Dom\Document::$inputEncoding`.
pub fn get_input_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    get_character_set(call)
}

/// Sets `Dom\Document::$characterSet`: an HTML document takes the labels of the WHATWG Encoding Standard and keeps the
/// name of the encoding behind the label.
pub fn set_character_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let document = this(call)?;
    if !document.is(Kind::HtmlDocument) {
        return set_encoding(call);
    }
    let label = call.str(0);
    match Encoding::for_label(&label).filter(|_| !label.iter().any(u8::is_ascii_whitespace)) {
        Some(encoding) => document.set_encoding(Some(encoding.name().as_bytes())),
        None => return Err(call.vm.throw_value_error(b"Invalid document encoding")),
    }
    Ok(Val::NULL)
}

/// Sets `Dom\Document::$charset`.
pub fn set_charset(call: &mut Call<'_>) -> PhpResult<Val> {
    set_character_set(call)
}

/// Sets `Dom\Document::$inputEncoding`.
pub fn set_input_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    set_character_set(call)
}

/// Reads `Dom\XMLDocument::$xmlEncoding`: UTF-8 where the document names no encoding.
pub fn get_modern_xml_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&this(call)?.encoding().unwrap_or_else(|| b"UTF-8".to_vec())))
}

/// The first child of the root element `html` that is an HTML element with one of the names.
fn html_child(document: &Node, names: &[&[u8]]) -> Option<Node> {
    let root = document.root_element().filter(|root| objects::is_html_element(root) && root.name_is(b"html"))?;
    root.children().find(|child| objects::is_html_element(child) && names.iter().any(|name| child.name_is(name)))
}

/// Reads `Dom\Document::$body`: the first `body` or `frameset` of the root element `html`.
pub fn get_body(call: &mut Call<'_>) -> PhpResult<Val> {
    wrap_optional(call.vm, html_child(&this(call)?, &[b"body", b"frameset"]))
}

/// Sets `Dom\Document::$body`: replaces the `body` or `frameset` there is, or appends the new one to the root
/// element.
pub fn set_body(call: &mut Call<'_>) -> PhpResult<Val> {
    let document = this(call)?;
    let refuse = |message| Err(errors::raise_with(call.vm, errors::HIERARCHY_REQUEST, message));
    let wanted = optional_argument(call, 0)?.filter(|node| node.name_is(b"body") || node.name_is(b"frameset"));
    let Some(body) = wanted else { return refuse("The new body must either be a body or a frameset tag") };
    match html_child(&document, &[b"body", b"frameset"]) {
        Some(old) if old == body => {}
        Some(old) => {
            let (Some(parent), next) = (old.parent(), old.next()) else { return Ok(Val::NULL) };
            adopt(&document, &body);
            old.unlink();
            parent.insert_child(&body, next.filter(|next| *next != body).as_ref());
        }
        None => {
            let Some(root) = document.root_element() else {
                return refuse("A body can only be set if there is a document element");
            };
            adopt(&document, &body);
            root.insert_child(&body, None);
        }
    }
    Ok(Val::NULL)
}

/// Reads `Dom\Document::$head`: the first `head` of the root element `html`.
pub fn get_head(call: &mut Call<'_>) -> PhpResult<Val> {
    wrap_optional(call.vm, html_child(&this(call)?, &[b"head"]))
}

fn title_element(document: &Node) -> Option<Node> {
    let root = document.root_element()?;
    if root.name_is(b"svg") && root.namespace_uri().as_deref() == Some(b"http://www.w3.org/2000/svg") {
        return root.children().find(|child| child.name_is(b"title"));
    }
    let mut at = Some(root.clone());
    while let Some(node) = at {
        if objects::is_html_element(&node) && node.name_is(b"title") {
            return Some(node);
        }
        at = node.following(&root);
    }
    None
}

/// Reads `Dom\Document::$title`: the text of the title element, with runs of white space made one space.
pub fn get_title(call: &mut Call<'_>) -> PhpResult<Val> {
    let document = this(call)?;
    let mut raw = Vec::new();
    if let Some(element) = title_element(&document) {
        for child in element.children().filter(|child| matches!(child.kind(), Kind::Text | Kind::CData)) {
            raw.extend(child.own_text().unwrap_or_default());
        }
    }
    let words: Vec<&[u8]> =
        raw.split(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)).filter(|word| !word.is_empty()).collect();
    Ok(Val::str(&words.join(&b' ')))
}

/// Sets `Dom\Document::$title`: makes a title element in the head if there is none.
pub fn set_title(call: &mut Call<'_>) -> PhpResult<Val> {
    let (document, value) = (this(call)?, call.str(0));
    let element = title_element(&document).or_else(|| {
        let head = html_child(&document, &[b"head"])?;
        let element = Node::new_element(Some(&document), b"title")?;
        element.set_namespace(document.detached_namespace(Some(objects::HTML), None).as_ref());
        head.insert_child(&element, None);
        Some(element)
    });
    if let Some(element) = element {
        element.take_children();
        if let Some(content) = Node::new_text(Some(&document), &value) {
            element.insert_child(&content, None);
        }
    }
    Ok(Val::NULL)
}

/// `DOMDocumentFragment::appendXML()`: parses the text and appends its nodes.
pub fn append_xml(call: &mut Call<'_>) -> PhpResult<Val> {
    let (fragment, data) = (this(call)?, call.str(0));
    if crate::node::is_read_only(&fragment) {
        return fail(call, &fragment, errors::NO_MODIFICATION_ALLOWED);
    }
    let done = phlox_libxml::parse_fragment(&fragment, &data);
    phlox_ext_libxml::emit(call)?;
    Ok(done.into())
}

// `DOMImplementation` and `Dom\Implementation`.

/// `DOMImplementation::hasFeature()`.
pub fn has_feature(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(crate::node::has_feature(&call.str(0), &call.str(1)).into())
}

fn is_modern_implementation(call: &Call<'_>) -> bool {
    call.scope().is_some_and(|class| class.class().lower_name.starts_with(b"dom\\"))
}

/// `DOMImplementation::createDocumentType()` and `Dom\Implementation::createDocumentType()`.
pub fn create_document_type(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, public_id, system_id) = (call.str(0), call.str(1), call.str(2));
    let modern = is_modern_implementation(call);
    if modern {
        if !is_valid(&name, true) {
            return Err(errors::raise(call.vm, errors::NAMESPACE));
        }
    } else if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let optional = |id: &PhpStr| Some(id.to_vec()).filter(|id| !id.is_empty());
    // The new DOM keeps an empty system id behind a public id, because both are written together.
    let system_id = if modern && !public_id.is_empty() { Some(system_id.to_vec()) } else { optional(&system_id) };
    let public_id = optional(&public_id);
    let Some(doctype) = Node::new_doctype(&name, public_id.as_deref(), system_id.as_deref()) else {
        call.warning("Unable to create DocumentType")?;
        return Ok(false.into());
    };
    if !modern {
        return wrap(call.vm, &doctype);
    }
    let object = call.vm.instantiate(&call.vm.require_class(b"Dom\\DocumentType")?)?;
    hold(&object, doctype);
    Ok(object.into())
}

/// `DOMImplementation::createDocument()` and `Dom\Implementation::createDocument()`.
pub fn create_document(call: &mut Call<'_>) -> PhpResult<Val> {
    let (uri, name) = (call.opt_str(0).unwrap_or_else(PhpStr::empty), call.str(1));
    let modern = is_modern_implementation(call);
    let doctype = objects::optional_argument(call, 2)?;
    if !modern && doctype.as_ref().is_some_and(|doctype| doctype.document().is_some()) {
        return Err(errors::raise(call.vm, errors::WRONG_DOCUMENT));
    }
    let mut split = None;
    if !name.is_empty() {
        // The old DOM drops a prefix without a namespace: any URI lets its name pass the check.
        let checked = if modern { namespaces::validated(&name, &uri) } else { namespaces::checked(&name, b"any") };
        match checked {
            Ok(parts) => split = Some(parts),
            Err(code) => return Err(errors::raise(call.vm, code)),
        }
    }
    let Some(document) = Node::new_document(b"1.0") else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    settings(&document).modern.set(modern);
    if modern {
        document.set_encoding(Some(b"UTF-8"));
    }
    if let Some(doctype) = &doctype {
        document.insert_child(doctype, None);
    }
    if let Some((prefix, local)) = split {
        if let Some(element) = Node::new_element(Some(&document), &local) {
            document.insert_child(&element, None);
            if !uri.is_empty() {
                let namespace = match modern {
                    true => document.detached_namespace(Some(&uri), prefix.as_deref()),
                    false => match namespaces::declare(&element, &uri, prefix.as_deref()) {
                        Ok(namespace) => Some(namespace),
                        Err(code) => return Err(errors::raise(call.vm, code)),
                    },
                };
                element.set_namespace(namespace.as_ref());
            }
        }
    }
    wrap(call.vm, &document)
}

/// The DOM object of a SimpleXML object's node, which a finder of another extension looks up (see `add_finder`). Trees
/// whose nodes already have objects of the other DOM are refused.
fn import(call: &Call<'_>, modern: bool) -> PhpResult<Val> {
    let value = call.arg(0);
    if let View::Obj(object) = value.view() {
        let finders = call.vm.data::<crate::Finders>(crate::FINDERS);
        let list = finders.0.borrow().clone();
        for find in list {
            if let Some(node) = find(call.vm, object)? {
                if !matches!(node.kind(), Kind::Element | Kind::Attribute) {
                    break;
                }
                if let Some(document) = node.document() {
                    let other = if modern { "a legacy" } else { "a modern" };
                    let known = settings(&document);
                    if document.tag().is_some() && known.modern.get() != modern {
                        let text = format!("must not be already imported as {other} node");
                        return Err(call.type_error(0, &text));
                    }
                    known.modern.set(modern);
                }
                return wrap(call.vm, &node);
            }
        }
    }
    Err(call.type_error(0, "is not a valid node type"))
}

/// `dom_import_simplexml()`.
pub fn import_simplexml(call: &mut Call<'_>) -> PhpResult<Val> {
    import(call, false)
}

/// `Dom\import_simplexml()`.
pub fn import_simplexml_modern(call: &mut Call<'_>) -> PhpResult<Val> {
    import(call, true)
}
