<?php
// func_num_args counts the arguments of the function that asks, whatever that is.

namespace Somewhere {
    function plain($a = 1, $b = 2) { $c = func_num_args(); return $c . \func_num_args(); }
    function variadic($a = 1, ...$b) { return func_num_args(); }
    function generator() { yield func_num_args(); yield \func_num_args(); }
    class A {
        public int $made;
        public function __construct() { $this->made = func_num_args(); }
        public function __call($name, $args) { return func_num_args(); }
        public static function s() { return array_sum(array_map(fn () => func_num_args(), [1, 2, 3])); }
    }
    for ($i = 0; $i < 3; $i++) {
        echo plain(), plain(1), plain(1, 2, 3), variadic(), variadic(1, 2, 3), variadic(...[1, 2]), plain(b: 1), "\n";
        echo implode(iterator_to_array(generator(1, 2), false)), (new A(1, 2))->made, (new A)->x(1, 2, 3), A::s(9), "\n";
        echo (fn () => func_num_args())(1, 2), (function ($x) { return func_num_args(); })(1), call_user_func('Somewhere\variadic', 1, 2), "\n";
        func_num_args(...);
    }
    function included() { return eval('return func_num_args();'); }
    try {
        echo included(1, 2), "\n";
    } catch (\Error $e) {
        echo $e->getMessage(), "\n";
    }
    foreach ([fn () => func_num_args(1), fn () => call_user_func('func_num_args')] as $f) {
        try {
            echo $f(), "\n";
        } catch (\Error $e) {
            echo $e->getMessage(), "\n";
        }
    }
    try {
        echo func_num_args();
    } catch (\Error $e) {
        echo $e->getMessage(), "\n";
    }
}
