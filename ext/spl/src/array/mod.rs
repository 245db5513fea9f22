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

/// What ArrayObject and ArrayIterator share.
macro_rules! common {
    ($head:literal, $constructor:literal, $tail:literal) => {
        concat!(
            $head,
            " {
            public const int STD_PROP_LIST = 1;
            public const int ARRAY_AS_PROPS = 2;
            ",
            $constructor,
            "
            public function offsetExists(mixed $key): bool {}
            public function offsetGet(mixed $key): mixed {}
            public function offsetSet(mixed $key, mixed $value): void {}
            public function offsetUnset(mixed $key): void {}
            public function append(mixed $value): void {}
            public function getArrayCopy(): array {}
            public function count(): int {}
            public function getFlags(): int {}
            public function setFlags(int $flags): void {}
            public function asort(int $flags = SORT_REGULAR): true {}
            public function ksort(int $flags = SORT_REGULAR): true {}
            public function uasort(#[unchecked] callable $callback): true {}
            public function uksort(#[unchecked] callable $callback): true {}
            public function natsort(): true {}
            public function natcasesort(): true {}
            public function unserialize(string $data): void {}
            public function serialize(): string {}
            public function __serialize(): array {}
            public function __unserialize(array $data): void {}
            ",
            $tail,
            " public function __debugInfo(): array {} }"
        )
    };
}

const HOOKS: NativeHooks = NativeHooks {
    create: Some(data::create),
    compare: Some(methods::compare),
    count: Some(|_, object| Ok(methods::count_of(object))),
    properties: Some(methods::properties),
    element: Some(methods::element),
    bind_element: Some(methods::bind_element),
    steps_silently: true,
    elements_as_properties: Some(data::as_properties),
    quick_elements: Some(&methods::QUICK),
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
        decl: common!(
            "class ArrayObject implements IteratorAggregate, ArrayAccess, Serializable, Countable",
            "public function __construct(
                #[unchecked] array|object $array = [],
                int $flags = 0,
                #[written(\"ArrayIterator::class\")] string $iteratorClass = ArrayIterator::class
            ) {}",
            "public function getIterator(): Iterator {}
            public function exchangeArray(#[unchecked] array|object $array): array {}
            public function setIteratorClass(string $iteratorClass): void {}
            public function getIteratorClass(): string {}"
        ),
        methods: OBJECT_METHODS,
        hooks: HOOKS,
    },
    NativeClass {
        name: "ArrayIterator",
        decl: common!(
            "class ArrayIterator implements SeekableIterator, ArrayAccess, Serializable, Countable",
            "public function __construct(#[unchecked] array|object $array = [], int $flags = 0) {}",
            "public function rewind(): void {}
            public function current(): mixed {}
            public function key(): string|int|null {}
            public function next(): void {}
            public function valid(): bool {}
            public function seek(int $offset): void {}"
        ),
        methods: ITERATOR_METHODS,
        hooks: NativeHooks { copied: Some(data::go_over_original), ..HOOKS },
    },
    NativeClass {
        name: "RecursiveArrayIterator",
        decl: "class RecursiveArrayIterator extends ArrayIterator implements RecursiveIterator {
            public const int CHILD_ARRAYS_ONLY = 4;
            public function hasChildren(): bool {}
            public function getChildren(): ?RecursiveArrayIterator {}
        }",
        methods: &[("hasChildren", iterate::has_children), ("getChildren", iterate::get_children)],
        hooks: NativeHooks::NONE,
    },
];
