<?php
interface Rows extends Iterator {}
interface Sets extends IteratorAggregate {}
abstract class Table implements Rows {}
abstract class Group implements Sets {}
enum Suit { case Hearts; const Best = self::Hearts; const NUMBER = 1; }
class Holder { const SUIT = Suit::Hearts; const NOTHING = null; function f(iterable|int|null $a, iterable|Countable|false $b, ?iterable $c) {} }
// Interfaces are never iterable themselves.
foreach (['Rows', 'Sets', 'Table', 'Group', 'Iterator', 'IteratorAggregate', 'SeekableIterator', 'ArrayIterator', 'XMLReader'] as $name) {
    echo strtok((string) new ReflectionClass($name), "\n"), "\n";
}
// The type of a constant that holds an object is its class.
foreach ([Suit::class, Holder::class] as $name) {
    foreach ((new ReflectionClass($name))->getReflectionConstants() as $constant) {
        echo $constant;
    }
    preg_match_all('/Constant \[.*/', (string) new ReflectionClass($name), $matches);
    echo implode("\n", $matches[0]), "\n";
}
foreach ((new ReflectionMethod('Holder', 'f'))->getParameters() as $parameter) {
    $type = $parameter->getType();
    echo get_class($type), ' ', $type, ':';
    if ($type instanceof ReflectionUnionType) {
        echo ' ', implode(' ', $type->getTypes());
    }
    echo "\n";
}
