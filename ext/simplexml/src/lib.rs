//! The `SimpleXML` extension: elements whose children are properties and whose attributes are array elements.
#![forbid(unsafe_code)]

mod access;
mod element;
mod methods;

use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Extension, FnDef, NativeClass, Vm};

const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "SimpleXMLElement",
        decl: include_str!("../stubs/SimpleXMLElement.stub.php"),
        methods: &[
            ("xpath", methods::xpath),
            ("registerXPathNamespace", methods::register_xpath_namespace),
            ("asXML", methods::as_xml),
            ("saveXML", methods::as_xml),
            ("getNamespaces", methods::get_namespaces),
            ("getDocNamespaces", methods::get_doc_namespaces),
            ("children", methods::children),
            ("attributes", methods::attributes),
            ("__construct", methods::construct),
            ("addChild", methods::add_child),
            ("addAttribute", methods::add_attribute),
            ("getName", methods::get_name),
            ("__toString", methods::to_string),
            ("__debugInfo", methods::debug_info),
            ("count", methods::count),
            ("rewind", methods::rewind),
            ("valid", methods::valid),
            ("current", methods::current),
            ("key", methods::key),
            ("next", methods::next),
            ("hasChildren", methods::has_children),
            ("getChildren", methods::get_children),
        ],
        hooks: NativeHooks {
            create: Some(element::create),
            no_serialize: true,
            cast: Some(access::cast),
            compare: Some(element::compare),
            properties: Some(access::properties),
            own_properties: Some(&access::MEMBERS),
            own_elements: Some(&access::MEMBERS),
            current_element: Some(methods::current_element),
            count: Some(methods::count_of),
            ..NativeHooks::NONE
        },
    },
    NativeClass {
        name: "SimpleXMLIterator",
        decl: "class SimpleXMLIterator extends \\SimpleXMLElement {}",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];

const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "simplexml_load_file(string $filename, #[written(\"SimpleXMLElement::class\")] ?string $class_name = \"SimpleXMLElement\", int $options = 0, \
         string $namespace_or_prefix = \"\", bool $is_prefix = false): \\SimpleXMLElement|false",
        methods::load_file,
    ),
    FnDef::new(
        "simplexml_load_string(string $data, #[written(\"SimpleXMLElement::class\")] ?string $class_name = \"SimpleXMLElement\", int $options = 0, \
         string $namespace_or_prefix = \"\", bool $is_prefix = false): \\SimpleXMLElement|false",
        methods::load_string,
    ),
    FnDef::new(
        "simplexml_import_dom(object $node, #[written(\"SimpleXMLElement::class\")] ?string $class_name = \"SimpleXMLElement\"): ?\\SimpleXMLElement",
        methods::import_dom,
    ),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "SimpleXML",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    phlox_ext_dom::add_finder(vm, element::find_node);
}
