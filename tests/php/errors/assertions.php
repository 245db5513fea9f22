<?php
//: ini zend.assertions=1
// assert throws with the source of the expression.
try {
    assert(1 + 1 === 3);
} catch (AssertionError $e) {
    echo $e->getMessage(), "\n";
}
try {
    assert(is_int('x') && $undefined ?? false, 'custom message');
} catch (AssertionError $e) {
    echo $e->getMessage(), "\n";
}
try {
    assert(false, new DomainException('own exception'));
} catch (DomainException $e) {
    echo $e->getMessage(), "\n";
}
try {
    assert((fn(int $x, ...$r): ?string => null)(5) instanceof stdClass || [1, 'k' => new class {}] === null);
} catch (AssertionError $e) {
    echo $e->getMessage(), "\n";
}
var_dump(assert(true));
