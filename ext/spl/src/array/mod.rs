//! ArrayObject, ArrayIterator and RecursiveArrayIterator: arrays, or the properties of an object, as objects.

mod data;
mod iterate;
mod methods;
mod serial;
mod sort;

use crate::members::Methods;
use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;
pub use serial::tagged;

const HOOKS: NativeHooks = NativeHooks {
    create: Some(data::create),
    compare: Some(methods::compare),
    count: Some(|_, object| Ok(methods::count_of(object))),
    properties: Some(methods::properties),
    element: Some(methods::element),
    bind_element: Some(methods::bind_element),
    steps_silently: true,
    elements_as_properties: Some(data::as_properties),
    fast_elements: Some(&methods::QUICK),
    element_questions: Some(&methods::QUESTIONS),
    current_element: Some(iterate::element),
    walked_array: Some(iterate::walked),
    ..NativeHooks::NONE
};

const OBJECT_METHODS: Methods = &[
    ("__construct", methods::construct_object),
    ("getIterator", methods::get_iterator),
    ("exchangeArray", methods::exchange_array),
    ("setIteratorClass", methods::set_iterator_class),
    ("getIteratorClass", methods::get_iterator_class),
    ("offsetExists", methods::offset_exists),
    ("offsetGet", methods::offset_get),
    ("offsetSet", methods::offset_set),
    ("offsetUnset", methods::offset_unset),
    ("append", methods::append),
    ("getArrayCopy", methods::get_array_copy),
    ("count", methods::count),
    ("getFlags", methods::get_flags),
    ("setFlags", methods::set_flags),
    ("asort", sort::asort),
    ("ksort", sort::ksort),
    ("uasort", sort::uasort),
    ("uksort", sort::uksort),
    ("natsort", sort::natsort),
    ("natcasesort", sort::natcasesort),
    ("unserialize", serial::unserialize),
    ("serialize", serial::serialize),
    ("__serialize", serial::serialize_array),
    ("__unserialize", serial::unserialize_array),
    ("__debugInfo", methods::debug_info),
];

const ITERATOR_METHODS: Methods = &[
    ("__construct", methods::construct_iterator),
    ("rewind", iterate::rewind),
    ("current", iterate::current),
    ("key", iterate::key),
    ("next", iterate::next),
    ("valid", iterate::valid),
    ("seek", iterate::seek),
    ("offsetExists", methods::offset_exists),
    ("offsetGet", methods::offset_get),
    ("offsetSet", methods::offset_set),
    ("offsetUnset", methods::offset_unset),
    ("append", methods::append),
    ("getArrayCopy", methods::get_array_copy),
    ("count", methods::count),
    ("getFlags", methods::get_flags),
    ("setFlags", methods::set_flags),
    ("asort", sort::asort),
    ("ksort", sort::ksort),
    ("uasort", sort::uasort),
    ("uksort", sort::uksort),
    ("natsort", sort::natsort),
    ("natcasesort", sort::natcasesort),
    ("unserialize", serial::unserialize),
    ("serialize", serial::serialize),
    ("__serialize", serial::serialize_array),
    ("__unserialize", serial::unserialize_array),
    ("__debugInfo", methods::debug_info),
];

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "ArrayObject",
        decl: include_str!("../../stubs/ArrayObject.stub.php"),
        methods: OBJECT_METHODS,
        hooks: HOOKS,
    },
    NativeClass {
        name: "ArrayIterator",
        decl: include_str!("../../stubs/ArrayIterator.stub.php"),
        methods: ITERATOR_METHODS,
        hooks: NativeHooks { copied: Some(data::go_over_original), ..HOOKS },
    },
    NativeClass {
        name: "RecursiveArrayIterator",
        decl: include_str!("../../stubs/RecursiveArrayIterator.stub.php"),
        methods: &[("hasChildren", iterate::has_children), ("getChildren", iterate::get_children)],
        hooks: NativeHooks::NONE,
    },
];
