<?php
// Declared types remember the classes whose objects they took; what they refuse stays refused.

interface I {}
class A implements I {}
class B implements I {}
class C implements I {}
class D extends C {}
class E {}

function takes(I $x): string { return $x::class; }
function gives(mixed $x): I { return $x; }
function either(A|E|int $x): A|E|int { return $x; }
function reference(I &$x): string { return $x::class; }
function callback(callable $x): string { return get_debug_type($x); }

for ($round = 0; $round < 3; $round++) {
    foreach ([new A, new B, new C, new D, new E, new A] as $object) {
        try {
            echo takes($object), ' ';
        } catch (TypeError $e) {
            echo 'refused ';
        }
        try {
            echo gives($object)::class, ' ';
        } catch (TypeError $e) {
            echo 'refused ';
        }
        try {
            echo reference($object), ' ';
        } catch (TypeError $e) {
            echo 'refused ';
        }
        try {
            echo get_debug_type(either($object)), "\n";
        } catch (TypeError $e) {
            echo "refused\n";
        }
    }
}

trait T {
    public function same(self $other): self { return $other; }
    public function late(mixed $other): static { return $other; }
}
class T1 { use T; }
class T2 { use T; }
class T3 extends T1 {}
foreach ([1, 2] as $round) {
    foreach ([new T1, new T2, new T3] as $left) {
        foreach ([new T1, new T2, new T3] as $right) {
            foreach (['same', 'late'] as $method) {
                try {
                    echo $left->$method($right)::class, ' ';
                } catch (TypeError $e) {
                    echo '- ';
                }
            }
        }
    }
    echo "\n";
}

class Invocable { public function __invoke() {} }
class P { private function hidden() {} public function own() { return callback([$this, 'hidden']); } }
foreach ([fn () => 1, new Invocable, 'strlen', [new P, 'hidden'], new E, fn () => 2] as $x) {
    try {
        echo callback($x), "\n";
    } catch (TypeError $e) {
        echo "not callable\n";
    }
}

