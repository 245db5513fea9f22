//! Document types, entities, notations and declarations of namespaces.

use crate::lists::{self, Source};
use crate::objects::{Held, held, text, this, wrap_optional};
use phlox_libxml::{Namespace, Node, save_options};
use phlox_runtime::{Call, PhpResult, Val};

// `DOMDocumentType` and `Dom\DocumentType`.

/// Reads `DOMDocumentType::$name` and `Dom\DocumentType::$name`.
pub fn get_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&this(call)?.name()))
}

/// Reads `DOMDocumentType::$entities` and `Dom\DocumentType::$entities`.
pub fn get_entities(call: &mut Call<'_>) -> PhpResult<Val> {
    let doctype = this(call)?;
    lists::named_node_map(call.vm, &doctype, Source::Entities)
}

/// Reads `DOMDocumentType::$notations` and `Dom\DocumentType::$notations`.
pub fn get_notations(call: &mut Call<'_>) -> PhpResult<Val> {
    let doctype = this(call)?;
    lists::named_node_map(call.vm, &doctype, Source::Notations)
}

/// Reads `DOMDocumentType::$publicId` and `Dom\DocumentType::$publicId`.
pub fn get_public_id(call: &mut Call<'_>) -> PhpResult<Val> {
    match held(call.this()) {
        Held::Notation { notation, .. } => Ok(Val::str(&notation.public_id.unwrap_or_default())),
        _ => Ok(Val::str(&this(call)?.public_id().unwrap_or_default())),
    }
}

/// Reads `DOMDocumentType::$systemId` and `Dom\DocumentType::$systemId`.
pub fn get_system_id(call: &mut Call<'_>) -> PhpResult<Val> {
    match held(call.this()) {
        Held::Notation { notation, .. } => Ok(Val::str(&notation.system_id.unwrap_or_default())),
        _ => Ok(Val::str(&this(call)?.system_id().unwrap_or_default())),
    }
}

/// Reads `DOMDocumentType::$internalSubset` and `Dom\DocumentType::$internalSubset`: null for an empty one.
pub fn get_internal_subset(call: &mut Call<'_>) -> PhpResult<Val> {
    let doctype = this(call)?;
    let mut subset = Vec::new();
    for child in doctype.children() {
        subset.extend(child.save(None, save_options::AS_XML).unwrap_or_default());
    }
    Ok(if subset.is_empty() { Val::NULL } else { Val::str(&subset) })
}

// `DOMEntity` and `Dom\Entity`: only unparsed entities have ids and a notation.

const UNPARSED: i32 = 3;

fn of_unparsed(call: &Call<'_>, read: fn(&Node) -> Option<Vec<u8>>) -> PhpResult<Val> {
    let entity = this(call)?;
    Ok(if entity.entity_type() == UNPARSED { text(read(&entity)) } else { Val::NULL })
}

/// Reads `DOMEntity::$publicId` and `Dom\Entity::$publicId`: null for a parsed entity.
pub fn get_entity_public_id(call: &mut Call<'_>) -> PhpResult<Val> {
    of_unparsed(call, Node::public_id)
}

/// Reads `DOMEntity::$systemId` and `Dom\Entity::$systemId`: null for a parsed entity.
pub fn get_entity_system_id(call: &mut Call<'_>) -> PhpResult<Val> {
    of_unparsed(call, Node::system_id)
}

/// Reads `DOMEntity::$notationName` and `Dom\Entity::$notationName`: null for a parsed entity.
pub fn get_notation_name(call: &mut Call<'_>) -> PhpResult<Val> {
    // The name is empty if the declaration ends before it.
    of_unparsed(call, |entity| Some(entity.entity_notation().unwrap_or_default()))
}

fn deprecated(call: &Call<'_>, name: &str) -> PhpResult<Val> {
    if !crate::objects::is_dumping(call.vm) {
        call.vm.deprecated(format!("Property DOMEntity::${name} is deprecated").as_bytes())?;
    }
    Ok(Val::NULL)
}

/// Reads `DOMEntity::$actualEncoding`: deprecated and always null.
pub fn get_actual_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    deprecated(call, "actualEncoding")
}

/// Reads `DOMEntity::$encoding`: deprecated and always null.
pub fn get_encoding(call: &mut Call<'_>) -> PhpResult<Val> {
    deprecated(call, "encoding")
}

/// Reads `DOMEntity::$version`: deprecated and always null.
pub fn get_version(call: &mut Call<'_>) -> PhpResult<Val> {
    deprecated(call, "version")
}

// `DOMNameSpaceNode`.

fn declaration(call: &Call<'_>) -> PhpResult<(Node, Namespace)> {
    match held(call.this()) {
        Held::Namespace { element, namespace } => Ok((element, namespace)),
        _ => Err(crate::errors::raise(call.vm, crate::errors::INVALID_STATE)),
    }
}

/// Reads `DOMNameSpaceNode::$nodeName`.
pub fn get_namespace_node_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, namespace) = declaration(call)?;
    Ok(match namespace.prefix() {
        Some(prefix) => Val::str(&[b"xmlns:", &prefix[..]].concat()),
        None => Val::str(b"xmlns"),
    })
}

/// Reads `DOMNameSpaceNode::$nodeValue`.
pub fn get_namespace_node_value(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(text(declaration(call)?.1.uri()))
}

/// Reads `DOMNameSpaceNode::$nodeType`.
pub fn get_namespace_node_type(call: &mut Call<'_>) -> PhpResult<Val> {
    declaration(call)?;
    Ok(Val::int(phlox_libxml::Kind::Namespace as i64))
}

/// Reads `DOMNameSpaceNode::$prefix`.
pub fn get_namespace_prefix(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&declaration(call)?.1.prefix().unwrap_or_default()))
}

/// Reads `DOMNameSpaceNode::$localName`.
pub fn get_namespace_local_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, namespace) = declaration(call)?;
    Ok(Val::str(&namespace.prefix().unwrap_or_else(|| b"xmlns".to_vec())))
}

/// Reads `DOMNameSpaceNode::$namespaceURI`.
pub fn get_namespace_namespace_uri(call: &mut Call<'_>) -> PhpResult<Val> {
    get_namespace_node_value(call)
}

/// Reads `DOMNameSpaceNode::$isConnected`.
pub fn get_namespace_is_connected(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(declaration(call)?.0.root().kind().is_document().into())
}

/// Reads `DOMNameSpaceNode::$ownerDocument`.
pub fn get_namespace_owner_document(call: &mut Call<'_>) -> PhpResult<Val> {
    wrap_optional(call.vm, declaration(call)?.0.document())
}

/// Reads `DOMNameSpaceNode::$parentNode`: the element with the declaration.
pub fn get_namespace_parent_node(call: &mut Call<'_>) -> PhpResult<Val> {
    wrap_optional(call.vm, Some(declaration(call)?.0))
}

/// Reads `DOMNameSpaceNode::$parentElement`: the element with the declaration.
pub fn get_namespace_parent_element(call: &mut Call<'_>) -> PhpResult<Val> {
    get_namespace_parent_node(call)
}
