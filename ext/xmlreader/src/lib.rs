//! The `xmlreader` extension.
#![forbid(unsafe_code)]

mod reading;

use phlox_libxml::Reader;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{ClassExt, Edges, Extension, Key, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Throw, Vm};
use reading::*;
use std::cell::RefCell;
use std::rc::Rc;

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "XMLReader",
    decl: include_str!("../stubs/XMLReader.stub.php"),
    methods: &[
        ("$attributeCount::get", get_attribute_count),
        ("$baseURI::get", get_base_uri),
        ("$depth::get", get_depth),
        ("$hasAttributes::get", get_has_attributes),
        ("$hasValue::get", get_has_value),
        ("$isDefault::get", get_is_default),
        ("$isEmptyElement::get", get_is_empty_element),
        ("$localName::get", get_local_name),
        ("$name::get", get_name),
        ("$namespaceURI::get", get_namespace_uri),
        ("$nodeType::get", get_node_type),
        ("$prefix::get", get_prefix),
        ("$value::get", get_value),
        ("$xmlLang::get", get_xml_lang),
        ("close", close),
        ("getAttribute", get_attribute),
        ("getAttributeNo", get_attribute_no),
        ("getAttributeNs", get_attribute_ns),
        ("getParserProperty", get_parser_property),
        ("isValid", is_valid),
        ("lookupNamespace", lookup_namespace),
        ("moveToAttribute", move_to_attribute),
        ("moveToAttributeNo", move_to_attribute_no),
        ("moveToAttributeNs", move_to_attribute_ns),
        ("moveToElement", move_to_element),
        ("moveToFirstAttribute", move_to_first_attribute),
        ("moveToNextAttribute", move_to_next_attribute),
        ("read", read),
        ("next", next),
        ("open", open),
        ("fromUri", from_uri),
        ("fromStream", from_stream),
        ("readInnerXml", read_inner_xml),
        ("readOuterXml", read_outer_xml),
        ("readString", read_string),
        ("setSchema", set_schema),
        ("setParserProperty", set_parser_property),
        ("setRelaxNGSchema", set_relax_ng_schema),
        ("setRelaxNGSchemaSource", set_relax_ng_schema_source),
        ("XML", xml),
        ("fromString", from_string),
        ("expand", expand),
    ],
    hooks: NativeHooks {
        create: Some(create),
        debug_info: Some(debug_info),
        no_clone: true,
        static_sees_object: true,
        ..NativeHooks::NONE
    },
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "xmlreader",
    functions: &[],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};

/// The native part of a reader.
#[derive(Default)]
pub(crate) struct Data {
    reader: RefCell<Option<Rc<Reader>>>,
}

impl NativeData for Data {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Data::default()));
}

pub(crate) fn data(object: &PhpObj) -> &RefCell<Option<Rc<Reader>>> {
    let data = object.native::<Data>();
    &data.unwrap_or_else(|| unreachable!("every XMLReader has its data")).reader
}

/// The properties that `var_dump` shows: those that can be read now.
fn debug_info(vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    use phlox_runtime::ObjExt;
    use phlox_runtime::vm::Callee;
    let mut table = phlox_runtime::convert::object_properties(object);
    let mut failures = Vec::new();
    for (name, info) in &object.class().props {
        let Some(hook) = info.get_hook.as_ref().filter(|_| info.declarer().class().is_internal()) else { continue };
        match vm.call(&Callee::method(hook.clone(), object.clone()), Vec::new()) {
            Ok(value) => drop(table.insert(Key::from_str(name), value)),
            // Exceptions are thrown when the dump has ended.
            Err(Throw::Exception(failure)) => failures.push(failure),
            Err(other) => return Err(other),
        }
    }
    failures.into_iter().for_each(|failure| vm.set_pending(Throw::Exception(failure)));
    Ok(table)
}
