//! The `xml` extension: a parser that calls PHP functions.
#![forbid(unsafe_code)]

mod functions;
mod messages;
mod parser;

use functions::*;
use phlox_runtime::ConstValue::{Int, Str};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{ConstValue, Extension, FnDef, NativeClass};

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "XMLParser",
    decl: "final class XMLParser {}",
    methods: &[],
    hooks: NativeHooks {
        create: Some(parser::create),
        no_clone: true,
        no_serialize: true,
        no_dynamic: true,
        no_new: Some("Cannot directly construct XMLParser, use xml_parser_create() or xml_parser_create_ns() instead"),
        ..NativeHooks::NONE
    },
}];

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("xml_parser_create(?string $encoding = null): \\XMLParser", xml_parser_create),
    FnDef::new(
        "xml_parser_create_ns(?string $encoding = null, string $separator = \":\"): \\XMLParser",
        xml_parser_create_ns,
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.4', message: 'provide a proper method callable to xml_set_*_handler() functions')] xml_set_object(\\XMLParser $parser, object $object): true",
        xml_set_object,
    ),
    FnDef::new(
        "xml_set_element_handler(\\XMLParser $parser, #[unchecked] callable|string|null $start_handler, \
         #[unchecked] callable|string|null $end_handler): true",
        xml_set_element_handler,
    ),
    FnDef::new(
        "xml_set_character_data_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_character_data_handler,
    ),
    FnDef::new(
        "xml_set_processing_instruction_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_processing_instruction_handler,
    ),
    FnDef::new(
        "xml_set_default_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_default_handler,
    ),
    FnDef::new(
        "xml_set_unparsed_entity_decl_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_unparsed_entity_decl_handler,
    ),
    FnDef::new(
        "xml_set_notation_decl_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_notation_decl_handler,
    ),
    FnDef::new(
        "xml_set_external_entity_ref_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_external_entity_ref_handler,
    ),
    FnDef::new(
        "xml_set_start_namespace_decl_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_start_namespace_decl_handler,
    ),
    FnDef::new(
        "xml_set_end_namespace_decl_handler(\\XMLParser $parser, #[unchecked] callable|string|null $handler): true",
        xml_set_end_namespace_decl_handler,
    ),
    FnDef::new("xml_parse(\\XMLParser $parser, string $data, bool $is_final = false): int", xml_parse),
    FnDef::new(
        "xml_parse_into_struct(\\XMLParser $parser, string $data, &$values, &$index = null): int|false",
        xml_parse_into_struct,
    ),
    FnDef::new("xml_get_error_code(\\XMLParser $parser): int", xml_get_error_code),
    FnDef::new("xml_error_string(int $error_code): ?string", xml_error_string),
    FnDef::new("xml_get_current_line_number(\\XMLParser $parser): int", xml_get_current_line_number),
    FnDef::new("xml_get_current_column_number(\\XMLParser $parser): int", xml_get_current_column_number),
    FnDef::new("xml_get_current_byte_index(\\XMLParser $parser): int", xml_get_current_byte_index),
    FnDef::new("xml_parser_free(\\XMLParser $parser): bool", xml_parser_free),
    FnDef::new("xml_parser_set_option(\\XMLParser $parser, int $option, $value): bool", xml_parser_set_option),
    FnDef::new("xml_parser_get_option(\\XMLParser $parser, int $option): string|int|bool", xml_parser_get_option),
];

#[rustfmt::skip]
const CONSTANTS: &[(&str, ConstValue)] = &[
    ("XML_ERROR_NONE", Int(0)),
    ("XML_ERROR_NO_MEMORY", Int(1)),
    ("XML_ERROR_SYNTAX", Int(2)),
    ("XML_ERROR_NO_ELEMENTS", Int(3)),
    ("XML_ERROR_INVALID_TOKEN", Int(4)),
    ("XML_ERROR_UNCLOSED_TOKEN", Int(5)),
    ("XML_ERROR_PARTIAL_CHAR", Int(6)),
    ("XML_ERROR_TAG_MISMATCH", Int(7)),
    ("XML_ERROR_DUPLICATE_ATTRIBUTE", Int(8)),
    ("XML_ERROR_JUNK_AFTER_DOC_ELEMENT", Int(9)),
    ("XML_ERROR_PARAM_ENTITY_REF", Int(10)),
    ("XML_ERROR_UNDEFINED_ENTITY", Int(11)),
    ("XML_ERROR_RECURSIVE_ENTITY_REF", Int(12)),
    ("XML_ERROR_ASYNC_ENTITY", Int(13)),
    ("XML_ERROR_BAD_CHAR_REF", Int(14)),
    ("XML_ERROR_BINARY_ENTITY_REF", Int(15)),
    ("XML_ERROR_ATTRIBUTE_EXTERNAL_ENTITY_REF", Int(16)),
    ("XML_ERROR_MISPLACED_XML_PI", Int(17)),
    ("XML_ERROR_UNKNOWN_ENCODING", Int(18)),
    ("XML_ERROR_INCORRECT_ENCODING", Int(19)),
    ("XML_ERROR_UNCLOSED_CDATA_SECTION", Int(20)),
    ("XML_ERROR_EXTERNAL_ENTITY_HANDLING", Int(21)),
    ("XML_OPTION_CASE_FOLDING", Int(1)),
    ("XML_OPTION_TARGET_ENCODING", Int(2)),
    ("XML_OPTION_SKIP_TAGSTART", Int(3)),
    ("XML_OPTION_SKIP_WHITE", Int(4)),
    ("XML_OPTION_PARSE_HUGE", Int(5)),
    ("XML_SAX_IMPL", Str("libxml")),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "xml",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};
