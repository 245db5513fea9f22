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
    declared(
        "Iterator",
        "interface Iterator extends Traversable {
            public function current(): mixed;
            public function next(): void;
            public function key(): mixed;
            public function valid(): bool;
            public function rewind(): void;
        }",
    ),
    declared(
        "Serializable",
        "interface Serializable {
            public function serialize();
            public function unserialize(string $data);
        }",
    ),
    declared(
        "ArrayAccess",
        "interface ArrayAccess {
            public function offsetExists(mixed $offset): bool;
            public function offsetGet(mixed $offset): mixed;
            public function offsetSet(mixed $offset, mixed $value): void;
            public function offsetUnset(mixed $offset): void;
        }",
    ),
    declared("Countable", "interface Countable { public function count(): int; }"),
    declared("Stringable", "interface Stringable { public function __toString(): string; }"),
    declared("UnitEnum", "interface UnitEnum { #[real_return] public static function cases(): array; }"),
    declared(
        "BackedEnum",
        "interface BackedEnum extends UnitEnum {
            #[real_return] public static function from(int|string $value): static;
            #[real_return] public static function tryFrom(int|string $value): ?static;
        }",
    ),
];
