<?php
//: exit 255
// What the parser refuses besides syntax is a CompileError where code is evaluated.
$codes = [
    'class A { final final function f() {} }', 'class A { private protected $x; }', 'class A { abstract final function f(); }',
    'class A { static static $x; }', 'class A { readonly readonly int $x; }', 'final final class A {}', 'abstract final class A {}',
    'class A { readonly function f() {} }', 'new abstract class {};', 'if (true) { __HALT_COMPILER(); }', 'declare(encoding=[]);',
    'class A { public public(set) private(set) int $x; }', 'class A { function f(static $x) {} }', 'class A {',
];
foreach ($codes as $code) {
    try {
        eval($code);
        echo "fine\n";
    } catch (ParseError $e) {
        echo 'ParseError: ', $e->getMessage(), "\n";
    } catch (CompileError $e) {
        echo get_class($e), ': ', $e->getMessage(), ' on line ', $e->getLine(), "\n";
    }
}
eval('class A { final final function f() {} }');
