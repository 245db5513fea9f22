//! The interfaces of iterators beyond `Iterator`.

use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

const fn interface(name: &'static str, decl: &'static str) -> NativeClass {
    NativeClass { name, decl, methods: &[], hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    interface("RecursiveIterator", include_str!("../../stubs/RecursiveIterator.stub.php")),
    interface(
        "OuterIterator",
        "interface OuterIterator extends Iterator { public function getInnerIterator(): ?Iterator; }",
    ),
    interface(
        "SeekableIterator",
        "interface SeekableIterator extends Iterator { public function seek(int $offset): void; }",
    ),
];
