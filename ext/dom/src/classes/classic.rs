//! The declarations of the classic DOM's classes, parents before children.

use super::{LIST, NODE};
use crate::{character_data, declared, document, element, insert, lists, loading, node, xpath};
use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "DOMParentNode",
        decl: "interface DOMParentNode {
        #[real_return] public function append(...$nodes): void;
        #[real_return] public function prepend(...$nodes): void;
        #[real_return] public function replaceChildren(...$nodes): void;
    }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "DOMChildNode",
        decl: "interface DOMChildNode {
        #[real_return] public function remove(): void;
        #[real_return] public function before(...$nodes): void;
        #[real_return] public function after(...$nodes): void;
        #[real_return] public function replaceWith(...$nodes): void;
    }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "DOMImplementation",
        decl: "class DOMImplementation {
        public function hasFeature(string $feature, string $version): bool {}
        public function createDocumentType(string $qualifiedName, string $publicId = \"\", \
                string $systemId = \"\") {}
        public function createDocument(?string $namespace = null, string $qualifiedName = \"\", \
                ?\\DOMDocumentType $doctype = null): \\DOMDocument {}
    }",
        methods: &[
            ("hasFeature", document::has_feature),
            ("createDocumentType", document::create_document_type),
            ("createDocument", document::create_document),
        ],
        hooks: NativeHooks { no_serialize: true, ..NativeHooks::NONE },
    },
    NativeClass {
        name: "DOMNode",
        decl: "class DOMNode {
        public const int DOCUMENT_POSITION_DISCONNECTED = 1;
        public const int DOCUMENT_POSITION_PRECEDING = 2;
        public const int DOCUMENT_POSITION_FOLLOWING = 4;
        public const int DOCUMENT_POSITION_CONTAINS = 8;
        public const int DOCUMENT_POSITION_CONTAINED_BY = 16;
        public const int DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC = 32;
        public string $nodeName { get {} }
        public ?string $nodeValue { get {} set {} }
        public int $nodeType { get {} }
        public ?\\DOMNode $parentNode { get {} }
        public ?\\DOMElement $parentElement { get {} }
        public \\DOMNodeList $childNodes { get {} }
        public ?\\DOMNode $firstChild { get {} }
        public ?\\DOMNode $lastChild { get {} }
        public ?\\DOMNode $previousSibling { get {} }
        public ?\\DOMNode $nextSibling { get {} }
        public ?\\DOMNamedNodeMap $attributes { get {} }
        public bool $isConnected { get {} }
        public ?\\DOMDocument $ownerDocument { get {} }
        public ?string $namespaceURI { get {} }
        public string $prefix { get {} set {} }
        public ?string $localName { get {} }
        public ?string $baseURI { get {} }
        public string $textContent { get {} set {} }
        public function appendChild(\\DOMNode $node) {}
        public function C14N(bool $exclusive = false, bool $withComments = false, ?array $xpath = null, \
                ?array $nsPrefixes = null): string|false {}
        public function C14NFile(string $uri, bool $exclusive = false, bool $withComments = false, \
                ?array $xpath = null, ?array $nsPrefixes = null): int|false {}
        public function cloneNode(bool $deep = false) {}
        public function getLineNo(): int {}
        public function getNodePath(): ?string {}
        public function hasAttributes(): bool {}
        public function hasChildNodes(): bool {}
        public function insertBefore(\\DOMNode $node, ?\\DOMNode $child = null) {}
        public function isDefaultNamespace(string $namespace): bool {}
        public function isSameNode(\\DOMNode $otherNode): bool {}
        #[real_return] public function isEqualNode(?\\DOMNode $otherNode): bool {}
        public function isSupported(string $feature, string $version): bool {}
        public function lookupNamespaceURI(?string $prefix): ?string {}
        public function lookupPrefix(string $namespace): ?string {}
        public function normalize(): void {}
        public function removeChild(\\DOMNode $child) {}
        public function replaceChild(\\DOMNode $node, \\DOMNode $child) {}
        #[real_return] public function contains(#[unchecked] \\DOMNode|\\DOMNameSpaceNode|null $other): bool {}
        #[real_return] public function getRootNode(#[unchecked] ?array $options = null): \\DOMNode {}
        #[real_return] public function compareDocumentPosition(\\DOMNode $other): int {}
        #[real_return] public function __sleep(): array {}
        #[real_return] public function __wakeup(): void {}
    }",
        methods: &[
            ("$nodeName::get", node::get_node_name),
            ("$nodeValue::get", node::get_node_value),
            ("$nodeValue::set", node::set_node_value),
            ("$nodeType::get", node::get_node_type),
            ("$parentNode::get", node::get_parent_node),
            ("$parentElement::get", node::get_parent_element),
            ("$childNodes::get", node::get_child_nodes),
            ("$firstChild::get", node::get_first_child),
            ("$lastChild::get", node::get_last_child),
            ("$previousSibling::get", node::get_previous_sibling),
            ("$nextSibling::get", node::get_next_sibling),
            ("$attributes::get", node::get_attributes),
            ("$isConnected::get", node::get_is_connected),
            ("$ownerDocument::get", node::get_owner_document),
            ("$namespaceURI::get", node::get_namespace_uri),
            ("$prefix::get", node::get_prefix),
            ("$prefix::set", node::set_prefix),
            ("$localName::get", node::get_local_name),
            ("$baseURI::get", node::get_base_uri),
            ("$textContent::get", node::get_text_content),
            ("$textContent::set", node::set_text_content),
            ("appendChild", insert::append_child),
            ("C14N", node::c14_n),
            ("C14NFile", node::c14_nfile),
            ("cloneNode", node::clone_node),
            ("getLineNo", node::get_line_no),
            ("getNodePath", node::get_node_path),
            ("hasAttributes", node::has_attributes),
            ("hasChildNodes", node::has_child_nodes),
            ("insertBefore", insert::insert_before),
            ("isDefaultNamespace", node::is_default_namespace),
            ("isSameNode", node::is_same_node),
            ("isEqualNode", node::is_equal_node),
            ("isSupported", node::is_supported),
            ("lookupNamespaceURI", node::lookup_namespace_uri),
            ("lookupPrefix", node::lookup_prefix),
            ("normalize", node::normalize),
            ("removeChild", insert::remove_child),
            ("replaceChild", insert::replace_child),
            ("contains", node::classic_contains),
            ("getRootNode", node::get_root_node),
            ("compareDocumentPosition", node::compare_document_position),
            ("__sleep", node::refuse_serialization),
            ("__wakeup", node::refuse_unserialization),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMNameSpaceNode",
        decl: "class DOMNameSpaceNode {
        public string $nodeName { get {} }
        public ?string $nodeValue { get {} }
        public int $nodeType { get {} }
        public string $prefix { get {} }
        public ?string $localName { get {} }
        public ?string $namespaceURI { get {} }
        public bool $isConnected { get {} }
        public ?\\DOMDocument $ownerDocument { get {} }
        public ?\\DOMNode $parentNode { get {} }
        public ?\\DOMElement $parentElement { get {} }
        #[real_return] public function __sleep(): array {}
        #[real_return] public function __wakeup(): void {}
    }",
        methods: &[
            ("$nodeName::get", declared::get_namespace_node_name),
            ("$nodeValue::get", declared::get_namespace_node_value),
            ("$nodeType::get", declared::get_namespace_node_type),
            ("$prefix::get", declared::get_namespace_prefix),
            ("$localName::get", declared::get_namespace_local_name),
            ("$namespaceURI::get", declared::get_namespace_namespace_uri),
            ("$isConnected::get", declared::get_namespace_is_connected),
            ("$ownerDocument::get", declared::get_namespace_owner_document),
            ("$parentNode::get", declared::get_namespace_parent_node),
            ("$parentElement::get", declared::get_namespace_parent_element),
            ("__sleep", node::refuse_serialization),
            ("__wakeup", node::refuse_unserialization),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMDocumentFragment",
        decl: "class DOMDocumentFragment extends \\DOMNode implements \\DOMParentNode {
        public ?\\DOMElement $firstElementChild { get {} }
        public ?\\DOMElement $lastElementChild { get {} }
        public int $childElementCount { get {} }
        public function __construct() {}
        public function appendXML(string $data): bool {}
        #[real_return] public function append(...$nodes): void {}
        #[real_return] public function prepend(...$nodes): void {}
        #[real_return] public function replaceChildren(...$nodes): void {}
    }",
        methods: &[
            ("$firstElementChild::get", insert::get_first_element_child),
            ("$lastElementChild::get", insert::get_last_element_child),
            ("$childElementCount::get", insert::get_child_element_count),
            ("__construct", character_data::construct_fragment),
            ("appendXML", document::append_xml),
            ("append", insert::append),
            ("prepend", insert::prepend),
            ("replaceChildren", insert::replace_children),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMDocument",
        decl: "class DOMDocument extends \\DOMNode implements \\DOMParentNode {
        public ?\\DOMDocumentType $doctype { get {} }
        public \\DOMImplementation $implementation { get {} }
        public ?\\DOMElement $documentElement { get {} }
        public ?string $actualEncoding { get {} }
        public ?string $encoding { get {} set {} }
        public ?string $xmlEncoding { get {} }
        public bool $standalone { get {} set {} }
        public bool $xmlStandalone { get {} set {} }
        public ?string $version { get {} set {} }
        public ?string $xmlVersion { get {} set {} }
        public bool $strictErrorChecking { get {} set {} }
        public ?string $documentURI { get {} set {} }
        public mixed $config { get {} }
        public bool $formatOutput { get {} set {} }
        public bool $validateOnParse { get {} set {} }
        public bool $resolveExternals { get {} set {} }
        public bool $preserveWhiteSpace { get {} set {} }
        public bool $recover { get {} set {} }
        public bool $substituteEntities { get {} set {} }
        public ?\\DOMElement $firstElementChild { get {} }
        public ?\\DOMElement $lastElementChild { get {} }
        public int $childElementCount { get {} }
        public function __construct(string $version = \"1.0\", string $encoding = \"\") {}
        public function createAttribute(string $localName) {}
        public function createAttributeNS(?string $namespace, string $qualifiedName) {}
        public function createCDATASection(string $data) {}
        public function createComment(string $data): \\DOMComment {}
        public function createDocumentFragment(): \\DOMDocumentFragment {}
        public function createElement(string $localName, string $value = \"\") {}
        public function createElementNS(?string $namespace, string $qualifiedName, string $value = \"\") {}
        public function createEntityReference(string $name) {}
        public function createProcessingInstruction(string $target, string $data = \"\") {}
        public function createTextNode(string $data): \\DOMText {}
        public function getElementById(string $elementId): ?\\DOMElement {}
        public function getElementsByTagName(string $qualifiedName): \\DOMNodeList {}
        public function getElementsByTagNameNS(?string $namespace, string $localName): \\DOMNodeList {}
        public function importNode(\\DOMNode $node, bool $deep = false) {}
        public function load(string $filename, int $options = 0): bool {}
        public function loadXML(string $source, int $options = 0): bool {}
        public function normalizeDocument(): void {}
        public function registerNodeClass(string $baseClass, ?string $extendedClass): true {}
        public function save(string $filename, int $options = 0): int|false {}
        public function loadHTML(string $source, int $options = 0): bool {}
        public function loadHTMLFile(string $filename, int $options = 0): bool {}
        public function saveHTML(?\\DOMNode $node = null): string|false {}
        public function saveHTMLFile(string $filename): int|false {}
        public function saveXML(?\\DOMNode $node = null, int $options = 0): string|false {}
        public function schemaValidate(string $filename, int $flags = 0): bool {}
        public function schemaValidateSource(string $source, int $flags = 0): bool {}
        public function relaxNGValidate(string $filename): bool {}
        public function relaxNGValidateSource(string $source): bool {}
        public function validate(): bool {}
        public function xinclude(int $options = 0): int|false {}
        public function adoptNode(\\DOMNode $node): \\DOMNode|false {}
        #[real_return] public function append(...$nodes): void {}
        #[real_return] public function prepend(...$nodes): void {}
        #[real_return] public function replaceChildren(...$nodes): void {}
    }",
        methods: &[
            ("$doctype::get", document::get_doctype),
            ("$implementation::get", document::get_implementation),
            ("$documentElement::get", document::get_document_element),
            ("$actualEncoding::get", document::get_actual_encoding),
            ("$encoding::get", document::get_encoding),
            ("$encoding::set", document::set_encoding),
            ("$xmlEncoding::get", document::get_xml_encoding),
            ("$standalone::get", document::get_standalone),
            ("$standalone::set", document::set_standalone),
            ("$xmlStandalone::get", document::get_xml_standalone),
            ("$xmlStandalone::set", document::set_xml_standalone),
            ("$version::get", document::get_version),
            ("$version::set", document::set_version),
            ("$xmlVersion::get", document::get_xml_version),
            ("$xmlVersion::set", document::set_xml_version),
            ("$strictErrorChecking::get", document::get_strict_error_checking),
            ("$strictErrorChecking::set", document::set_strict_error_checking),
            ("$documentURI::get", document::get_document_uri),
            ("$documentURI::set", document::set_document_uri),
            ("$config::get", document::get_config),
            ("$formatOutput::get", document::get_format_output),
            ("$formatOutput::set", document::set_format_output),
            ("$validateOnParse::get", document::get_validate_on_parse),
            ("$validateOnParse::set", document::set_validate_on_parse),
            ("$resolveExternals::get", document::get_resolve_externals),
            ("$resolveExternals::set", document::set_resolve_externals),
            ("$preserveWhiteSpace::get", document::get_preserve_white_space),
            ("$preserveWhiteSpace::set", document::set_preserve_white_space),
            ("$recover::get", document::get_recover),
            ("$recover::set", document::set_recover),
            ("$substituteEntities::get", document::get_substitute_entities),
            ("$substituteEntities::set", document::set_substitute_entities),
            ("$firstElementChild::get", insert::get_first_element_child),
            ("$lastElementChild::get", insert::get_last_element_child),
            ("$childElementCount::get", insert::get_child_element_count),
            ("__construct", document::construct),
            ("createAttribute", document::create_attribute),
            ("createAttributeNS", document::create_attribute_ns),
            ("createCDATASection", document::create_cdatasection),
            ("createComment", document::create_comment),
            ("createDocumentFragment", document::create_document_fragment),
            ("createElement", document::create_element),
            ("createElementNS", document::create_element_ns),
            ("createEntityReference", document::create_entity_reference),
            ("createProcessingInstruction", document::create_processing_instruction),
            ("createTextNode", document::create_text_node),
            ("getElementById", document::get_element_by_id),
            ("getElementsByTagName", element::get_elements_by_tag_name),
            ("getElementsByTagNameNS", element::get_elements_by_tag_name_ns),
            ("importNode", document::import_node),
            ("load", loading::load),
            ("loadXML", loading::load_xml_text),
            ("normalizeDocument", document::normalize_document),
            ("registerNodeClass", document::register_node_class),
            ("save", loading::save),
            ("loadHTML", loading::load_html),
            ("loadHTMLFile", loading::load_htmlfile),
            ("saveHTML", loading::save_html),
            ("saveHTMLFile", loading::save_htmlfile),
            ("saveXML", loading::save_xml),
            ("schemaValidate", loading::schema_validate),
            ("schemaValidateSource", loading::schema_validate_source),
            ("relaxNGValidate", loading::relax_ngvalidate),
            ("relaxNGValidateSource", loading::relax_ngvalidate_source),
            ("validate", loading::validate),
            ("xinclude", loading::xinclude),
            ("adoptNode", document::adopt_node),
            ("append", insert::append),
            ("prepend", insert::prepend),
            ("replaceChildren", insert::replace_children),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMNodeList",
        decl: "class DOMNodeList implements \\IteratorAggregate, \\Countable {
        public int $length { get {} }
        public function count(): int {}
        #[real_return] public function getIterator(): \\Iterator {}
        public function item(int $index) {}
    }",
        methods: &[
            ("$length::get", lists::get_length),
            ("count", lists::count),
            ("getIterator", lists::get_iterator),
            ("item", lists::item),
        ],
        hooks: LIST,
    },
    NativeClass {
        name: "DOMNamedNodeMap",
        decl: "class DOMNamedNodeMap implements \\IteratorAggregate, \\Countable {
        public int $length { get {} }
        public function getNamedItem(string $qualifiedName): ?\\DOMNode {}
        public function getNamedItemNS(?string $namespace, string $localName): ?\\DOMNode {}
        public function item(int $index): ?\\DOMNode {}
        public function count(): int {}
        #[real_return] public function getIterator(): \\Iterator {}
    }",
        methods: &[
            ("$length::get", lists::get_length),
            ("getNamedItem", lists::get_named_item),
            ("getNamedItemNS", lists::get_named_item_ns),
            ("item", lists::map_item),
            ("count", lists::count),
            ("getIterator", lists::get_iterator),
        ],
        hooks: LIST,
    },
    NativeClass {
        name: "DOMCharacterData",
        decl: "class DOMCharacterData extends \\DOMNode implements \\DOMChildNode {
        public string $data { get {} set {} }
        public int $length { get {} }
        public ?\\DOMElement $previousElementSibling { get {} }
        public ?\\DOMElement $nextElementSibling { get {} }
        public function appendData(string $data): true {}
        public function substringData(int $offset, int $count) {}
        public function insertData(int $offset, string $data): bool {}
        public function deleteData(int $offset, int $count): bool {}
        public function replaceData(int $offset, int $count, string $data): bool {}
        #[real_return] public function replaceWith(...$nodes): void {}
        #[real_return] public function remove(): void {}
        #[real_return] public function before(...$nodes): void {}
        #[real_return] public function after(...$nodes): void {}
    }",
        methods: &[
            ("$data::get", character_data::get_data),
            ("$data::set", character_data::set_data),
            ("$length::get", character_data::get_length),
            ("$previousElementSibling::get", node::get_previous_element_sibling),
            ("$nextElementSibling::get", node::get_next_element_sibling),
            ("appendData", character_data::append_data),
            ("substringData", character_data::substring_data),
            ("insertData", character_data::insert_data),
            ("deleteData", character_data::delete_data),
            ("replaceData", character_data::replace_data),
            ("replaceWith", insert::replace_with),
            ("remove", insert::remove),
            ("before", insert::before),
            ("after", insert::after),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMAttr",
        decl: "class DOMAttr extends \\DOMNode {
        public string $name { get {} }
        public bool $specified { get {} }
        public string $value { get {} set {} }
        public ?\\DOMElement $ownerElement { get {} }
        public mixed $schemaTypeInfo { get {} }
        public function __construct(string $name, string $value = \"\") {}
        public function isId(): bool {}
    }",
        methods: &[
            ("$name::get", element::get_name),
            ("$specified::get", element::get_specified),
            ("$value::get", element::get_value),
            ("$value::set", element::set_value),
            ("$ownerElement::get", element::get_owner_element),
            ("$schemaTypeInfo::get", element::get_schema_type_info),
            ("__construct", element::construct_attribute),
            ("isId", element::is_id),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMElement",
        decl: "class DOMElement extends \\DOMNode implements \\DOMParentNode, \\DOMChildNode {
        public string $tagName { get {} }
        public string $className { get {} set {} }
        public string $id { get {} set {} }
        public mixed $schemaTypeInfo { get {} }
        public ?\\DOMElement $firstElementChild { get {} }
        public ?\\DOMElement $lastElementChild { get {} }
        public int $childElementCount { get {} }
        public ?\\DOMElement $previousElementSibling { get {} }
        public ?\\DOMElement $nextElementSibling { get {} }
        public function __construct(string $qualifiedName, ?string $value = null, string $namespace = \"\") {}
        public function getAttribute(string $qualifiedName): string {}
        #[real_return] public function getAttributeNames(): array {}
        public function getAttributeNS(?string $namespace, string $localName): string {}
        public function getAttributeNode(string $qualifiedName) {}
        public function getAttributeNodeNS(?string $namespace, string $localName) {}
        public function getElementsByTagName(string $qualifiedName): \\DOMNodeList {}
        public function getElementsByTagNameNS(?string $namespace, string $localName): \\DOMNodeList {}
        public function hasAttribute(string $qualifiedName): bool {}
        public function hasAttributeNS(?string $namespace, string $localName): bool {}
        public function removeAttribute(string $qualifiedName): bool {}
        public function removeAttributeNS(?string $namespace, string $localName): void {}
        public function removeAttributeNode(\\DOMAttr $attr) {}
        public function setAttribute(string $qualifiedName, string $value) {}
        public function setAttributeNS(?string $namespace, string $qualifiedName, string $value): void {}
        public function setAttributeNode(\\DOMAttr $attr) {}
        public function setAttributeNodeNS(\\DOMAttr $attr) {}
        public function setIdAttribute(string $qualifiedName, bool $isId): void {}
        public function setIdAttributeNS(string $namespace, string $qualifiedName, bool $isId): void {}
        public function setIdAttributeNode(\\DOMAttr $attr, bool $isId): void {}
        #[real_return] public function toggleAttribute(string $qualifiedName, ?bool $force = null): bool {}
        #[real_return] public function remove(): void {}
        #[real_return] public function before(...$nodes): void {}
        #[real_return] public function after(...$nodes): void {}
        #[real_return] public function replaceWith(...$nodes): void {}
        #[real_return] public function append(...$nodes): void {}
        #[real_return] public function prepend(...$nodes): void {}
        #[real_return] public function replaceChildren(...$nodes): void {}
        #[real_return] public function insertAdjacentElement(string $where, \\DOMElement $element): ?\\DOMElement {}
        #[real_return] public function insertAdjacentText(string $where, string $data): void {}
    }",
        methods: &[
            ("$tagName::get", element::get_tag_name),
            ("$className::get", element::get_class_name),
            ("$className::set", element::set_class_name),
            ("$id::get", element::get_id),
            ("$id::set", element::set_id_property),
            ("$schemaTypeInfo::get", element::get_schema_type_info),
            ("$firstElementChild::get", insert::get_first_element_child),
            ("$lastElementChild::get", insert::get_last_element_child),
            ("$childElementCount::get", insert::get_child_element_count),
            ("$previousElementSibling::get", node::get_previous_element_sibling),
            ("$nextElementSibling::get", node::get_next_element_sibling),
            ("__construct", element::construct),
            ("getAttribute", element::get_attribute),
            ("getAttributeNames", element::get_attribute_names),
            ("getAttributeNS", element::get_attribute_ns),
            ("getAttributeNode", element::get_attribute_node),
            ("getAttributeNodeNS", element::get_attribute_node_ns),
            ("getElementsByTagName", element::get_elements_by_tag_name),
            ("getElementsByTagNameNS", element::get_elements_by_tag_name_ns),
            ("hasAttribute", element::has_attribute),
            ("hasAttributeNS", element::has_attribute_ns),
            ("removeAttribute", element::remove_attribute),
            ("removeAttributeNS", element::remove_attribute_ns),
            ("removeAttributeNode", element::remove_attribute_node),
            ("setAttribute", element::set_attribute),
            ("setAttributeNS", element::set_attribute_ns),
            ("setAttributeNode", element::set_attribute_node),
            ("setAttributeNodeNS", element::set_attribute_node_ns),
            ("setIdAttribute", element::set_id_attribute),
            ("setIdAttributeNS", element::set_id_attribute_ns),
            ("setIdAttributeNode", element::set_id_attribute_node),
            ("toggleAttribute", element::toggle_attribute),
            ("remove", insert::remove),
            ("before", insert::before),
            ("after", insert::after),
            ("replaceWith", insert::replace_with),
            ("append", insert::append),
            ("prepend", insert::prepend),
            ("replaceChildren", insert::replace_children),
            ("insertAdjacentElement", element::insert_adjacent_element),
            ("insertAdjacentText", element::insert_adjacent_text),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMText",
        decl: "class DOMText extends \\DOMCharacterData {
        public string $wholeText { get {} }
        public function __construct(string $data = \"\") {}
        public function isWhitespaceInElementContent(): bool {}
        public function isElementContentWhitespace(): bool {}
        public function splitText(int $offset) {}
    }",
        methods: &[
            ("$wholeText::get", character_data::get_whole_text),
            ("__construct", character_data::construct_text),
            ("isWhitespaceInElementContent", character_data::is_whitespace_in_element_content),
            ("isElementContentWhitespace", character_data::is_element_content_whitespace),
            ("splitText", character_data::split_text),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMComment",
        decl: "class DOMComment extends \\DOMCharacterData {
        public function __construct(string $data = \"\") {}
    }",
        methods: &[("__construct", character_data::construct_comment)],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMCdataSection",
        decl: "class DOMCdataSection extends \\DOMText {
        public function __construct(string $data) {}
    }",
        methods: &[("__construct", character_data::construct_cdata)],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMDocumentType",
        decl: "class DOMDocumentType extends \\DOMNode {
        public string $name { get {} }
        public \\DOMNamedNodeMap $entities { get {} }
        public \\DOMNamedNodeMap $notations { get {} }
        public string $publicId { get {} }
        public string $systemId { get {} }
        public ?string $internalSubset { get {} }
    }",
        methods: &[
            ("$name::get", declared::get_name),
            ("$entities::get", declared::get_entities),
            ("$notations::get", declared::get_notations),
            ("$publicId::get", declared::get_public_id),
            ("$systemId::get", declared::get_system_id),
            ("$internalSubset::get", declared::get_internal_subset),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMNotation",
        decl: "class DOMNotation extends \\DOMNode {
        public string $publicId { get {} }
        public string $systemId { get {} }
    }",
        methods: &[("$publicId::get", declared::get_public_id), ("$systemId::get", declared::get_system_id)],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMEntity",
        decl: "class DOMEntity extends \\DOMNode {
        public ?string $publicId { get {} }
        public ?string $systemId { get {} }
        public ?string $notationName { get {} }
        public ?string $actualEncoding { get {} }
        public ?string $encoding { get {} }
        public ?string $version { get {} }
    }",
        methods: &[
            ("$publicId::get", declared::get_entity_public_id),
            ("$systemId::get", declared::get_entity_system_id),
            ("$notationName::get", declared::get_notation_name),
            ("$actualEncoding::get", declared::get_actual_encoding),
            ("$encoding::get", declared::get_encoding),
            ("$version::get", declared::get_version),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMEntityReference",
        decl: "class DOMEntityReference extends \\DOMNode {
        public function __construct(string $name) {}
    }",
        methods: &[("__construct", character_data::construct_reference)],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMProcessingInstruction",
        decl: "class DOMProcessingInstruction extends \\DOMNode {
        public string $target { get {} }
        public string $data { get {} set {} }
        public function __construct(string $name, string $value = \"\") {}
    }",
        methods: &[
            ("$target::get", character_data::get_target),
            ("$data::get", character_data::get_data),
            ("$data::set", character_data::set_data),
            ("__construct", character_data::construct_instruction),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "DOMXPath",
        decl: "class DOMXPath {
        public \\DOMDocument $document { get {} }
        public bool $registerNodeNamespaces { get {} set {} }
        public function __construct(\\DOMDocument $document, bool $registerNodeNS = true) {}
        public function evaluate(string $expression, ?\\DOMNode $contextNode = null, \
                bool $registerNodeNS = true): mixed {}
        public function query(string $expression, ?\\DOMNode $contextNode = null, \
                bool $registerNodeNS = true): mixed {}
        public function registerNamespace(string $prefix, string $namespace): bool {}
        public function registerPhpFunctions(array|string|null $restrict = null): void {}
        #[real_return] public function registerPhpFunctionNS(string $namespaceURI, string $name, callable $callable): void {}
        #[real_return] public static function quote(string $str): string {}
    }",
        methods: &[
            ("$document::get", xpath::get_document),
            ("$registerNodeNamespaces::get", xpath::get_register_node_namespaces),
            ("$registerNodeNamespaces::set", xpath::set_register_node_namespaces),
            ("__construct", xpath::construct),
            ("evaluate", xpath::evaluate),
            ("query", xpath::query),
            ("registerNamespace", xpath::register_namespace),
            ("registerPhpFunctions", xpath::register_php_functions),
            ("registerPhpFunctionNS", xpath::register_php_function_ns),
            ("quote", xpath::quote),
        ],
        hooks: xpath::HOOKS,
    },
];
