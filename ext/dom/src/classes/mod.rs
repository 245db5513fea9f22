//! The declarations of all classes. Each row names the function behind a method or a computed property.

pub mod classic;
pub mod modern;

use crate::{lists, objects};
use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

/// Hooks of the classes of nodes.
pub const NODE: NativeHooks =
    NativeHooks { create: Some(objects::create), debug_info: Some(objects::debug_info), ..NativeHooks::NONE };

/// Hooks of the classes of lists and maps.
pub const LIST: NativeHooks = NativeHooks {
    create: Some(lists::create),
    debug_info: Some(objects::debug_info),
    no_serialize: true,
    own_elements: Some(&lists::ELEMENTS),
    ..NativeHooks::NONE
};

/// Classes that both DOMs use.
pub const OTHERS: &[NativeClass] = &[
    NativeClass {
        name: "DOMException",
        decl: "final class DOMException extends \\Exception { public $code = 0; }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass { name: "dom\\domexception", decl: "= DOMException", methods: &[], hooks: NativeHooks::NONE },
    NativeClass {
        name: "Dom\\AdjacentPosition",
        decl: include_str!("../../stubs/Dom/AdjacentPosition.stub.php"),
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];
