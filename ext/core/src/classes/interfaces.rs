//! Interfaces that the engine knows, and stdClass. Who may implement them is checked when classes are linked.

use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

const fn declared(name: &'static str, decl: &'static str) -> NativeClass {
    NativeClass { name, decl, methods: &[], hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    declared("stdClass", "#[\\AllowDynamicProperties] class stdClass {}"),
    declared("Traversable", "interface Traversable {}"),
    declared(
        "IteratorAggregate",
        "interface IteratorAggregate extends Traversable { public function getIterator(): Traversable; }",
    ),
    declared("Iterator", include_str!("../../stubs/Iterator.stub.php")),
    declared("Serializable", include_str!("../../stubs/Serializable.stub.php")),
    declared("ArrayAccess", include_str!("../../stubs/ArrayAccess.stub.php")),
    declared("Countable", "interface Countable { public function count(): int; }"),
    declared("Stringable", "interface Stringable { public function __toString(): string; }"),
    declared("UnitEnum", "interface UnitEnum { #[real_return] public static function cases(): array; }"),
    declared("BackedEnum", include_str!("../../stubs/BackedEnum.stub.php")),
];
