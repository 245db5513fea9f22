//! The declarations of the classes of the namespace `Dom`, parents before children.

use super::{LIST, NODE};
use crate::{character_data, declared, document, element, html, insert, lists, loading, namespaces, node};
use crate::{selectors, tokens, xpath};
use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Dom\\ParentNode",
        decl: "namespace Dom; interface ParentNode {
        #[real_return] public function append(#[unchecked] \\Dom\\Node|string ...$nodes): void;
        #[real_return] public function prepend(#[unchecked] \\Dom\\Node|string ...$nodes): void;
        #[real_return] public function replaceChildren(#[unchecked] \\Dom\\Node|string ...$nodes): void;
        #[real_return] public function querySelector(string $selectors): ?\\Dom\\Element;
        #[real_return] public function querySelectorAll(string $selectors): \\Dom\\NodeList;
    }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "Dom\\ChildNode",
        decl: "namespace Dom; interface ChildNode {
        #[real_return] public function remove(): void;
        #[real_return] public function before(#[unchecked] \\Dom\\Node|string ...$nodes): void;
        #[real_return] public function after(#[unchecked] \\Dom\\Node|string ...$nodes): void;
        #[real_return] public function replaceWith(#[unchecked] \\Dom\\Node|string ...$nodes): void;
    }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "Dom\\Implementation",
        decl: "namespace Dom; class Implementation {
        #[real_return] public function createDocumentType(string $qualifiedName, string $publicId, \
                string $systemId): \\Dom\\DocumentType {}
        #[real_return] public function createDocument(?string $namespace, string $qualifiedName, \
                ?\\Dom\\DocumentType $doctype = null): \\Dom\\XMLDocument {}
        #[real_return] public function createHTMLDocument(?string $title = null): \\Dom\\HTMLDocument {}
    }",
        methods: &[
            ("createDocumentType", document::create_document_type),
            ("createDocument", document::create_document),
            ("createHTMLDocument", html::create_html_document),
        ],
        hooks: NativeHooks { no_clone: true, no_serialize: true, ..NativeHooks::NONE },
    },
    NativeClass {
        name: "Dom\\Node",
        decl: "namespace Dom; class Node {
        public const int DOCUMENT_POSITION_DISCONNECTED = 1;
        public const int DOCUMENT_POSITION_PRECEDING = 2;
        public const int DOCUMENT_POSITION_FOLLOWING = 4;
        public const int DOCUMENT_POSITION_CONTAINS = 8;
        public const int DOCUMENT_POSITION_CONTAINED_BY = 16;
        public const int DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC = 32;
        public int $nodeType { get {} }
        public string $nodeName { get {} }
        public string $baseURI { get {} }
        public bool $isConnected { get {} }
        public ?\\Dom\\Document $ownerDocument { get {} }
        public ?\\Dom\\Node $parentNode { get {} }
        public ?\\Dom\\Element $parentElement { get {} }
        public \\Dom\\NodeList $childNodes { get {} }
        public ?\\Dom\\Node $firstChild { get {} }
        public ?\\Dom\\Node $lastChild { get {} }
        public ?\\Dom\\Node $previousSibling { get {} }
        public ?\\Dom\\Node $nextSibling { get {} }
        public ?string $nodeValue { get {} set {} }
        public ?string $textContent { get {} set {} }
        final private function __construct() {}
        #[real_return] public function getRootNode(#[unchecked] array $options = []): \\Dom\\Node {}
        #[real_return] public function hasChildNodes(): bool {}
        #[real_return] public function normalize(): void {}
        #[real_return] public function cloneNode(bool $deep = false): \\Dom\\Node {}
        #[real_return] public function isEqualNode(?\\Dom\\Node $otherNode): bool {}
        #[real_return] public function isSameNode(?\\Dom\\Node $otherNode): bool {}
        #[real_return] public function compareDocumentPosition(\\Dom\\Node $other): int {}
        #[real_return] public function contains(?\\Dom\\Node $other): bool {}
        #[real_return] public function lookupPrefix(?string $namespace): ?string {}
        #[real_return] public function lookupNamespaceURI(?string $prefix): ?string {}
        #[real_return] public function isDefaultNamespace(?string $namespace): bool {}
        #[real_return] public function insertBefore(\\Dom\\Node $node, ?\\Dom\\Node $child): \\Dom\\Node {}
        #[real_return] public function appendChild(\\Dom\\Node $node): \\Dom\\Node {}
        #[real_return] public function replaceChild(\\Dom\\Node $node, \\Dom\\Node $child): \\Dom\\Node {}
        #[real_return] public function removeChild(\\Dom\\Node $child): \\Dom\\Node {}
        #[real_return] public function getLineNo(): int {}
        #[real_return] public function getNodePath(): string {}
        #[real_return] public function C14N(bool $exclusive = false, bool $withComments = false, ?array $xpath = null, \
                ?array $nsPrefixes = null): string|false {}
        #[real_return] public function C14NFile(string $uri, bool $exclusive = false, bool $withComments = false, \
                ?array $xpath = null, ?array $nsPrefixes = null): int|false {}
        #[real_return] public function __sleep(): array {}
        #[real_return] public function __wakeup(): void {}
    }",
        methods: &[
            ("$nodeType::get", node::get_node_type),
            ("$nodeName::get", node::get_node_name),
            ("$baseURI::get", node::get_base_uri),
            ("$isConnected::get", node::get_is_connected),
            ("$ownerDocument::get", node::get_owner_document),
            ("$parentNode::get", node::get_parent_node),
            ("$parentElement::get", node::get_parent_element),
            ("$childNodes::get", node::get_child_nodes),
            ("$firstChild::get", node::get_first_child),
            ("$lastChild::get", node::get_last_child),
            ("$previousSibling::get", node::get_previous_sibling),
            ("$nextSibling::get", node::get_next_sibling),
            ("$nodeValue::get", node::get_node_value),
            ("$nodeValue::set", node::set_node_value),
            ("$textContent::get", node::get_text_content),
            ("$textContent::set", node::set_text_content),
            ("getRootNode", node::get_root_node),
            ("hasChildNodes", node::has_child_nodes),
            ("normalize", node::normalize),
            ("cloneNode", node::clone_node),
            ("isEqualNode", node::is_equal_node),
            ("isSameNode", node::is_same_node),
            ("compareDocumentPosition", node::compare_document_position),
            ("contains", node::contains),
            ("lookupPrefix", node::lookup_prefix),
            ("lookupNamespaceURI", node::lookup_namespace_uri),
            ("isDefaultNamespace", node::is_default_namespace),
            ("insertBefore", insert::insert_before),
            ("appendChild", insert::append_child),
            ("replaceChild", insert::replace_child),
            ("removeChild", insert::remove_child),
            ("getLineNo", node::get_line_no),
            ("getNodePath", node::get_node_path),
            ("C14N", node::c14_n),
            ("C14NFile", node::c14_nfile),
            ("__sleep", node::refuse_serialization),
            ("__wakeup", node::refuse_unserialization),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\DocumentFragment",
        decl: "namespace Dom; class DocumentFragment extends \\Dom\\Node implements \\Dom\\ParentNode {
        public ?\\Dom\\Element $firstElementChild { get {} }
        public ?\\Dom\\Element $lastElementChild { get {} }
        public int $childElementCount { get {} }
        #[real_return] public function appendXml(string $data): bool {}
        #[real_return] public function append(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function prepend(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function replaceChildren(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function querySelector(string $selectors): ?\\Dom\\Element {}
        #[real_return] public function querySelectorAll(string $selectors): \\Dom\\NodeList {}
    }",
        methods: &[
            ("$firstElementChild::get", insert::get_first_element_child),
            ("$lastElementChild::get", insert::get_last_element_child),
            ("$childElementCount::get", insert::get_child_element_count),
            ("appendXml", document::append_xml),
            ("append", insert::append),
            ("prepend", insert::prepend),
            ("replaceChildren", insert::replace_children),
            ("querySelector", selectors::query_selector),
            ("querySelectorAll", selectors::query_selector_all),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\Document",
        decl: "namespace Dom; abstract class Document extends \\Dom\\Node implements \\Dom\\ParentNode {
        public \\Dom\\Implementation $implementation { get {} }
        public string $URL { get {} set {} }
        public string $documentURI { get {} set {} }
        public string $characterSet { get {} set {} }
        public string $charset { get {} set {} }
        public string $inputEncoding { get {} set {} }
        public ?\\Dom\\DocumentType $doctype { get {} }
        public ?\\Dom\\Element $documentElement { get {} }
        public ?\\Dom\\Element $firstElementChild { get {} }
        public ?\\Dom\\Element $lastElementChild { get {} }
        public int $childElementCount { get {} }
        public ?\\Dom\\HTMLElement $body { get {} set {} }
        public ?\\Dom\\HTMLElement $head { get {} }
        public string $title { get {} set {} }
        #[real_return] public function getElementsByTagName(string $qualifiedName): \\Dom\\HTMLCollection {}
        #[real_return] public function getElementsByTagNameNS(?string $namespace, string $localName): \\Dom\\HTMLCollection {}
        #[real_return] public function createElement(string $localName): \\Dom\\Element {}
        #[real_return] public function createElementNS(?string $namespace, string $qualifiedName): \\Dom\\Element {}
        #[real_return] public function createDocumentFragment(): \\Dom\\DocumentFragment {}
        #[real_return] public function createTextNode(string $data): \\Dom\\Text {}
        #[real_return] public function createCDATASection(string $data): \\Dom\\CDATASection {}
        #[real_return] public function createComment(string $data): \\Dom\\Comment {}
        #[real_return] public function createProcessingInstruction(string $target, \
                string $data): \\Dom\\ProcessingInstruction {}
        #[real_return] public function importNode(#[not_null] ?\\Dom\\Node $node, bool $deep = false): \\Dom\\Node {}
        #[real_return] public function adoptNode(\\Dom\\Node $node): \\Dom\\Node {}
        #[real_return] public function createAttribute(string $localName): \\Dom\\Attr {}
        #[real_return] public function createAttributeNS(?string $namespace, string $qualifiedName): \\Dom\\Attr {}
        #[real_return] public function getElementById(string $elementId): ?\\Dom\\Element {}
        #[real_return] public function registerNodeClass(string $baseClass, ?string $extendedClass): void {}
        #[real_return] public function schemaValidate(string $filename, int $flags = 0): bool {}
        #[real_return] public function schemaValidateSource(string $source, int $flags = 0): bool {}
        #[real_return] public function relaxNgValidate(string $filename): bool {}
        #[real_return] public function relaxNgValidateSource(string $source): bool {}
        #[real_return] public function append(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function prepend(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function replaceChildren(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function importLegacyNode(\\DOMNode $node, bool $deep = false): \\Dom\\Node {}
        #[real_return] public function querySelector(string $selectors): ?\\Dom\\Element {}
        #[real_return] public function querySelectorAll(string $selectors): \\Dom\\NodeList {}
    }",
        methods: &[
            ("$implementation::get", document::get_implementation),
            ("$URL::get", document::get_url),
            ("$URL::set", document::set_url),
            ("$documentURI::get", document::get_document_uri),
            ("$documentURI::set", document::set_document_uri),
            ("$characterSet::get", document::get_character_set),
            ("$characterSet::set", document::set_character_set),
            ("$charset::get", document::get_charset),
            ("$charset::set", document::set_charset),
            ("$inputEncoding::get", document::get_input_encoding),
            ("$inputEncoding::set", document::set_input_encoding),
            ("$doctype::get", document::get_doctype),
            ("$documentElement::get", document::get_document_element),
            ("$firstElementChild::get", insert::get_first_element_child),
            ("$lastElementChild::get", insert::get_last_element_child),
            ("$childElementCount::get", insert::get_child_element_count),
            ("$body::get", document::get_body),
            ("$body::set", document::set_body),
            ("$head::get", document::get_head),
            ("$title::get", document::get_title),
            ("$title::set", document::set_title),
            ("getElementsByTagName", element::get_elements_by_tag_name),
            ("getElementsByTagNameNS", element::get_elements_by_tag_name_ns),
            ("createElement", document::create_element),
            ("createElementNS", document::create_element_ns),
            ("createDocumentFragment", document::create_document_fragment),
            ("createTextNode", document::create_text_node),
            ("createCDATASection", document::create_cdatasection),
            ("createComment", document::create_comment),
            ("createProcessingInstruction", document::create_processing_instruction),
            ("importNode", document::import_node),
            ("adoptNode", document::adopt_node),
            ("createAttribute", document::create_attribute),
            ("createAttributeNS", document::create_attribute_ns),
            ("getElementById", document::get_element_by_id),
            ("registerNodeClass", document::register_node_class),
            ("schemaValidate", loading::schema_validate),
            ("schemaValidateSource", loading::schema_validate_source),
            ("relaxNgValidate", loading::relax_ngvalidate),
            ("relaxNgValidateSource", loading::relax_ngvalidate_source),
            ("append", insert::append),
            ("prepend", insert::prepend),
            ("replaceChildren", insert::replace_children),
            ("querySelector", selectors::query_selector),
            ("querySelectorAll", selectors::query_selector_all),
            ("importLegacyNode", document::import_legacy_node),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\XMLDocument",
        decl: "namespace Dom; final class XMLDocument extends \\Dom\\Document {
        public string $xmlEncoding { get {} }
        public bool $xmlStandalone { get {} set {} }
        public string $xmlVersion { get {} set {} }
        public bool $formatOutput { get {} set {} }
        #[real_return] public static function createEmpty(string $version = \"1.0\", \
                string $encoding = \"UTF-8\"): \\Dom\\XMLDocument {}
        #[real_return] public static function createFromFile(string $path, int $options = 0, \
                ?string $overrideEncoding = null): \\Dom\\XMLDocument {}
        #[real_return] public static function createFromString(string $source, int $options = 0, \
                ?string $overrideEncoding = null): \\Dom\\XMLDocument {}
        #[real_return] public function createEntityReference(string $name): \\Dom\\EntityReference {}
        #[real_return] public function validate(): bool {}
        #[real_return] public function xinclude(int $options = 0): int {}
        #[real_return] public function saveXml(?\\Dom\\Node $node = null, int $options = 0): string|false {}
        #[real_return] public function saveXmlFile(string $filename, int $options = 0): int|false {}
    }",
        methods: &[
            ("$xmlEncoding::get", document::get_modern_xml_encoding),
            ("$xmlStandalone::get", document::get_xml_standalone),
            ("$xmlStandalone::set", document::set_xml_standalone),
            ("$xmlVersion::get", document::get_xml_version),
            ("$xmlVersion::set", document::set_xml_version),
            ("$formatOutput::get", document::get_format_output),
            ("$formatOutput::set", document::set_format_output),
            ("createEmpty", loading::create_empty),
            ("createFromFile", loading::create_from_file),
            ("createFromString", loading::create_from_string),
            ("createEntityReference", document::create_entity_reference),
            ("validate", loading::validate),
            ("xinclude", loading::xinclude),
            ("saveXml", loading::save_xml),
            ("saveXmlFile", loading::save_xml_file),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\HTMLDocument",
        decl: "namespace Dom; final class HTMLDocument extends \\Dom\\Document {
        #[real_return] public static function createEmpty(string $encoding = \"UTF-8\"): \\Dom\\HTMLDocument {}
        #[real_return] public static function createFromFile(string $path, int $options = 0, \
                ?string $overrideEncoding = null): \\Dom\\HTMLDocument {}
        #[real_return] public static function createFromString(string $source, int $options = 0, \
                ?string $overrideEncoding = null): \\Dom\\HTMLDocument {}
        #[real_return] public function saveXml(?\\Dom\\Node $node = null, int $options = 0): string|false {}
        #[real_return] public function saveXmlFile(string $filename, int $options = 0): int|false {}
        #[real_return] public function saveHtml(?\\Dom\\Node $node = null): string {}
        #[real_return] public function saveHtmlFile(string $filename): int|false {}
    }",
        methods: &[
            ("createEmpty", html::create_empty),
            ("createFromFile", html::create_from_file),
            ("createFromString", html::create_from_string),
            ("saveXml", loading::save_xml),
            ("saveXmlFile", loading::save_xml_file),
            ("saveHtml", html::save_html),
            ("saveHtmlFile", html::save_html_file),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\TokenList",
        decl: "namespace Dom; final class TokenList implements \\IteratorAggregate, \\Countable {
        public int $length { get {} }
        public string $value { get {} set {} }
        private function __construct() {}
        #[real_return] public function item(int $index): ?string {}
        #[real_return] public function contains(string $token): bool {}
        #[real_return] public function add(#[unchecked] string ...$tokens): void {}
        #[real_return] public function remove(#[unchecked] string ...$tokens): void {}
        #[real_return] public function toggle(string $token, ?bool $force = null): bool {}
        #[real_return] public function replace(string $token, string $newToken): bool {}
        #[real_return] public function supports(string $token): bool {}
        #[real_return] public function count(): int {}
        #[real_return] public function getIterator(): \\Iterator {}
    }",
        methods: &[
            ("$length::get", tokens::count),
            ("$value::get", tokens::get_value),
            ("$value::set", tokens::set_value),
            ("item", tokens::item),
            ("contains", tokens::contains),
            ("add", tokens::add),
            ("remove", tokens::remove),
            ("toggle", tokens::toggle),
            ("replace", tokens::replace),
            ("supports", tokens::supports),
            ("count", tokens::count),
            ("getIterator", tokens::get_iterator),
        ],
        hooks: tokens::HOOKS,
    },
    NativeClass {
        name: "Dom\\NamespaceInfo",
        decl: "namespace Dom; final readonly class NamespaceInfo {
        public ?string $prefix;
        public ?string $namespaceURI;
        public \\Dom\\Element $element;
        private function __construct() {}
    }",
        methods: &[],
        hooks: NativeHooks { no_serialize: true, ..NativeHooks::NONE },
    },
    NativeClass {
        name: "Dom\\NodeList",
        decl: "namespace Dom; class NodeList implements \\IteratorAggregate, \\Countable {
        public int $length { get {} }
        #[real_return] public function count(): int {}
        #[real_return] public function getIterator(): \\Iterator {}
        #[real_return] public function item(int $index): ?\\Dom\\Node {}
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
        name: "Dom\\NamedNodeMap",
        decl: "namespace Dom; class NamedNodeMap implements \\IteratorAggregate, \\Countable {
        public int $length { get {} }
        #[real_return] public function item(int $index): ?\\Dom\\Attr {}
        #[real_return] public function getNamedItem(string $qualifiedName): ?\\Dom\\Attr {}
        #[real_return] public function getNamedItemNS(?string $namespace, string $localName): ?\\Dom\\Attr {}
        #[real_return] public function count(): int {}
        #[real_return] public function getIterator(): \\Iterator {}
    }",
        methods: &[
            ("$length::get", lists::get_length),
            ("item", lists::map_item),
            ("getNamedItem", lists::get_named_item),
            ("getNamedItemNS", lists::get_named_item_ns),
            ("count", lists::count),
            ("getIterator", lists::get_iterator),
        ],
        hooks: LIST,
    },
    NativeClass {
        name: "Dom\\DtdNamedNodeMap",
        decl: "namespace Dom; class DtdNamedNodeMap implements \\IteratorAggregate, \\Countable {
        public int $length { get {} }
        #[real_return] public function item(int $index): \\Dom\\Entity|\\Dom\\Notation|null {}
        #[real_return] public function getNamedItem(string $qualifiedName): \\Dom\\Entity|\\Dom\\Notation|null {}
        #[real_return] public function getNamedItemNS(?string $namespace, \
                string $localName): \\Dom\\Entity|\\Dom\\Notation|null {}
        #[real_return] public function count(): int {}
        #[real_return] public function getIterator(): \\Iterator {}
    }",
        methods: &[
            ("$length::get", lists::get_length),
            ("item", lists::map_item),
            ("getNamedItem", lists::get_named_item),
            ("getNamedItemNS", lists::get_named_item_ns),
            ("count", lists::count),
            ("getIterator", lists::get_iterator),
        ],
        hooks: LIST,
    },
    NativeClass {
        name: "Dom\\HTMLCollection",
        decl: "namespace Dom; class HTMLCollection implements \\IteratorAggregate, \\Countable {
        public int $length { get {} }
        #[real_return] public function item(int $index): ?\\Dom\\Element {}
        #[real_return] public function namedItem(string $key): ?\\Dom\\Element {}
        #[real_return] public function count(): int {}
        #[real_return] public function getIterator(): \\Iterator {}
    }",
        methods: &[
            ("$length::get", lists::get_length),
            ("item", lists::item),
            ("namedItem", lists::named_item),
            ("count", lists::count),
            ("getIterator", lists::get_iterator),
        ],
        hooks: LIST,
    },
    NativeClass {
        name: "Dom\\CharacterData",
        decl: "namespace Dom; class CharacterData extends \\Dom\\Node implements \\Dom\\ChildNode {
        public string $data { get {} set {} }
        public int $length { get {} }
        public ?\\Dom\\Element $previousElementSibling { get {} }
        public ?\\Dom\\Element $nextElementSibling { get {} }
        #[real_return] public function substringData(int $offset, int $count): string {}
        #[real_return] public function appendData(string $data): void {}
        #[real_return] public function insertData(int $offset, string $data): void {}
        #[real_return] public function deleteData(int $offset, int $count): void {}
        #[real_return] public function replaceData(int $offset, int $count, string $data): void {}
        #[real_return] public function remove(): void {}
        #[real_return] public function before(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function after(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function replaceWith(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
    }",
        methods: &[
            ("$previousElementSibling::get", node::get_previous_element_sibling),
            ("$nextElementSibling::get", node::get_next_element_sibling),
            ("$data::get", character_data::get_data),
            ("$data::set", character_data::set_data),
            ("$length::get", character_data::get_length),
            ("substringData", character_data::substring_data),
            ("appendData", character_data::append_data),
            ("insertData", character_data::insert_data),
            ("deleteData", character_data::delete_data),
            ("replaceData", character_data::replace_data),
            ("remove", insert::remove),
            ("before", insert::before),
            ("after", insert::after),
            ("replaceWith", insert::replace_with),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\Attr",
        decl: "namespace Dom; class Attr extends \\Dom\\Node {
        public ?string $namespaceURI { get {} }
        public ?string $prefix { get {} }
        public string $localName { get {} }
        public string $name { get {} }
        public string $value { get {} set {} }
        public ?\\Dom\\Element $ownerElement { get {} }
        public bool $specified { get {} }
        #[real_return] public function isId(): bool {}
        #[real_return] public function rename(?string $namespaceURI, string $qualifiedName): void {}
    }",
        methods: &[
            ("$namespaceURI::get", node::get_namespace_uri),
            ("$prefix::get", node::get_prefix),
            ("$localName::get", node::get_local_name),
            ("$name::get", element::get_name),
            ("$value::get", element::get_value),
            ("$value::set", element::set_value),
            ("$ownerElement::get", element::get_owner_element),
            ("$specified::get", element::get_specified),
            ("isId", element::is_id),
            ("rename", element::rename),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\Element",
        decl: "namespace Dom; class Element extends \\Dom\\Node implements \\Dom\\ParentNode, \\Dom\\ChildNode {
        public ?string $namespaceURI { get {} }
        public ?string $prefix { get {} }
        public string $localName { get {} }
        public string $tagName { get {} }
        public string $id { get {} set {} }
        public string $className { get {} set {} }
        public \\Dom\\TokenList $classList { get {} }
        public \\Dom\\NamedNodeMap $attributes { get {} }
        public ?\\Dom\\Element $firstElementChild { get {} }
        public ?\\Dom\\Element $lastElementChild { get {} }
        public int $childElementCount { get {} }
        public ?\\Dom\\Element $previousElementSibling { get {} }
        public ?\\Dom\\Element $nextElementSibling { get {} }
        public string $innerHTML { get {} set {} }
        public string $substitutedNodeValue { get {} set {} }
        #[real_return] public function hasAttributes(): bool {}
        #[real_return] public function getAttributeNames(): array {}
        #[real_return] public function getAttribute(string $qualifiedName): ?string {}
        #[real_return] public function getAttributeNS(?string $namespace, string $localName): ?string {}
        #[real_return] public function setAttribute(string $qualifiedName, string $value): void {}
        #[real_return] public function setAttributeNS(?string $namespace, string $qualifiedName, string $value): void {}
        #[real_return] public function removeAttribute(string $qualifiedName): void {}
        #[real_return] public function removeAttributeNS(?string $namespace, string $localName): void {}
        #[real_return] public function toggleAttribute(string $qualifiedName, ?bool $force = null): bool {}
        #[real_return] public function hasAttribute(string $qualifiedName): bool {}
        #[real_return] public function hasAttributeNS(?string $namespace, string $localName): bool {}
        #[real_return] public function getAttributeNode(string $qualifiedName): ?\\Dom\\Attr {}
        #[real_return] public function getAttributeNodeNS(?string $namespace, string $localName): ?\\Dom\\Attr {}
        #[real_return] public function setAttributeNode(\\Dom\\Attr $attr): ?\\Dom\\Attr {}
        #[real_return] public function setAttributeNodeNS(\\Dom\\Attr $attr): ?\\Dom\\Attr {}
        #[real_return] public function removeAttributeNode(\\Dom\\Attr $attr): \\Dom\\Attr {}
        #[real_return] public function getElementsByTagName(string $qualifiedName): \\Dom\\HTMLCollection {}
        #[real_return] public function getElementsByTagNameNS(?string $namespace, string $localName): \\Dom\\HTMLCollection {}
        #[real_return] public function insertAdjacentElement(\\Dom\\AdjacentPosition $where, \
                \\Dom\\Element $element): ?\\Dom\\Element {}
        #[real_return] public function insertAdjacentText(\\Dom\\AdjacentPosition $where, string $data): void {}
        #[real_return] public function setIdAttribute(string $qualifiedName, bool $isId): void {}
        #[real_return] public function setIdAttributeNS(?string $namespace, string $qualifiedName, bool $isId): void {}
        #[real_return] public function setIdAttributeNode(\\Dom\\Attr $attr, bool $isId): void {}
        #[real_return] public function remove(): void {}
        #[real_return] public function before(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function after(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function replaceWith(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function append(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function prepend(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function replaceChildren(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function querySelector(string $selectors): ?\\Dom\\Element {}
        #[real_return] public function querySelectorAll(string $selectors): \\Dom\\NodeList {}
        #[real_return] public function closest(string $selectors): ?\\Dom\\Element {}
        #[real_return] public function matches(string $selectors): bool {}
        #[real_return] public function getInScopeNamespaces(): array {}
        #[real_return] public function getDescendantNamespaces(): array {}
        #[real_return] public function rename(?string $namespaceURI, string $qualifiedName): void {}
    }",
        methods: &[
            ("$namespaceURI::get", node::get_namespace_uri),
            ("$prefix::get", node::get_prefix),
            ("$localName::get", node::get_local_name),
            ("$tagName::get", element::get_tag_name),
            ("$id::get", element::get_id),
            ("$id::set", element::set_id_property),
            ("$className::get", element::get_class_name),
            ("$className::set", element::set_class_name),
            ("$classList::get", tokens::get_class_list),
            ("$attributes::get", node::get_attributes),
            ("$firstElementChild::get", insert::get_first_element_child),
            ("$lastElementChild::get", insert::get_last_element_child),
            ("$childElementCount::get", insert::get_child_element_count),
            ("$previousElementSibling::get", node::get_previous_element_sibling),
            ("$nextElementSibling::get", node::get_next_element_sibling),
            ("$innerHTML::get", html::get_inner_html),
            ("$innerHTML::set", html::set_inner_html),
            ("$substitutedNodeValue::get", node::get_text_content),
            ("$substitutedNodeValue::set", node::set_node_value),
            ("hasAttributes", node::has_attributes),
            ("getAttributeNames", element::get_attribute_names),
            ("getAttribute", element::get_attribute),
            ("getAttributeNS", element::get_attribute_ns),
            ("setAttribute", element::set_attribute),
            ("setAttributeNS", element::set_attribute_ns),
            ("removeAttribute", element::remove_attribute),
            ("removeAttributeNS", element::remove_attribute_ns),
            ("toggleAttribute", element::toggle_attribute),
            ("hasAttribute", element::has_attribute),
            ("hasAttributeNS", element::has_attribute_ns),
            ("getAttributeNode", element::get_attribute_node),
            ("getAttributeNodeNS", element::get_attribute_node_ns),
            ("setAttributeNode", element::set_attribute_node),
            ("setAttributeNodeNS", element::set_attribute_node_ns),
            ("removeAttributeNode", element::remove_attribute_node),
            ("getElementsByTagName", element::get_elements_by_tag_name),
            ("getElementsByTagNameNS", element::get_elements_by_tag_name_ns),
            ("insertAdjacentElement", element::insert_adjacent_element),
            ("insertAdjacentText", element::insert_adjacent_text),
            ("setIdAttribute", element::set_id_attribute),
            ("setIdAttributeNS", element::set_id_attribute_ns),
            ("setIdAttributeNode", element::set_id_attribute_node),
            ("remove", insert::remove),
            ("before", insert::before),
            ("after", insert::after),
            ("replaceWith", insert::replace_with),
            ("append", insert::append),
            ("prepend", insert::prepend),
            ("replaceChildren", insert::replace_children),
            ("querySelector", selectors::query_selector),
            ("querySelectorAll", selectors::query_selector_all),
            ("closest", selectors::closest),
            ("matches", selectors::matches),
            ("getInScopeNamespaces", namespaces::in_scope),
            ("getDescendantNamespaces", namespaces::of_descendants),
            ("rename", element::rename),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\HTMLElement",
        decl: "namespace Dom; class HTMLElement extends \\Dom\\Element {
    }",
        methods: &[],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\Text",
        decl: "namespace Dom; class Text extends \\Dom\\CharacterData {
        public string $wholeText { get {} }
        #[real_return] public function splitText(int $offset): \\Dom\\Text {}
    }",
        methods: &[("$wholeText::get", character_data::get_whole_text), ("splitText", character_data::split_text)],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\Comment",
        decl: "namespace Dom; class Comment extends \\Dom\\CharacterData {
    }",
        methods: &[],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\CDATASection",
        decl: "namespace Dom; class CDATASection extends \\Dom\\Text {
    }",
        methods: &[],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\DocumentType",
        decl: "namespace Dom; class DocumentType extends \\Dom\\Node implements \\Dom\\ChildNode {
        public string $name { get {} }
        public \\Dom\\DtdNamedNodeMap $entities { get {} }
        public \\Dom\\DtdNamedNodeMap $notations { get {} }
        public string $publicId { get {} }
        public string $systemId { get {} }
        public ?string $internalSubset { get {} }
        #[real_return] public function remove(): void {}
        #[real_return] public function before(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function after(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
        #[real_return] public function replaceWith(#[unchecked] \\Dom\\Node|string ...$nodes): void {}
    }",
        methods: &[
            ("$name::get", declared::get_name),
            ("$entities::get", declared::get_entities),
            ("$notations::get", declared::get_notations),
            ("$publicId::get", declared::get_public_id),
            ("$systemId::get", declared::get_system_id),
            ("$internalSubset::get", declared::get_internal_subset),
            ("remove", insert::remove),
            ("before", insert::before),
            ("after", insert::after),
            ("replaceWith", insert::replace_with),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\Notation",
        decl: "namespace Dom; class Notation extends \\Dom\\Node {
        public string $publicId { get {} }
        public string $systemId { get {} }
    }",
        methods: &[("$publicId::get", declared::get_public_id), ("$systemId::get", declared::get_system_id)],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\Entity",
        decl: "namespace Dom; class Entity extends \\Dom\\Node {
        public ?string $publicId { get {} }
        public ?string $systemId { get {} }
        public ?string $notationName { get {} }
    }",
        methods: &[
            ("$publicId::get", declared::get_entity_public_id),
            ("$systemId::get", declared::get_entity_system_id),
            ("$notationName::get", declared::get_notation_name),
        ],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\EntityReference",
        decl: "namespace Dom; class EntityReference extends \\Dom\\Node {
    }",
        methods: &[],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\ProcessingInstruction",
        decl: "namespace Dom; class ProcessingInstruction extends \\Dom\\CharacterData {
        public string $target { get {} }
    }",
        methods: &[("$target::get", character_data::get_target)],
        hooks: NODE,
    },
    NativeClass {
        name: "Dom\\XPath",
        decl: "namespace Dom; final class XPath {
        public \\Dom\\Document $document { get {} }
        public bool $registerNodeNamespaces { get {} set {} }
        public function __construct(\\Dom\\Document $document, bool $registerNodeNS = true) {}
        #[real_return] public function evaluate(string $expression, ?\\Dom\\Node $contextNode = null, \
                bool $registerNodeNS = true): \\Dom\\NodeList|string|float|bool|null {}
        #[real_return] public function query(string $expression, ?\\Dom\\Node $contextNode = null, \
                bool $registerNodeNS = true): \\Dom\\NodeList {}
        #[real_return] public function registerNamespace(string $prefix, string $namespace): bool {}
        #[real_return] public function registerPhpFunctions(array|string|null $restrict = null): void {}
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
