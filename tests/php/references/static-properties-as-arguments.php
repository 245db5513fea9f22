<?php
// Static properties as arguments: by value, by reference, with names, elements that are not there yet, [] itself.
class Registry { static $number = 1; static $list = ['q' => 5]; }
function by_value($first, $second) { return "$first-$second"; }
function by_ref(&$first, $second = 0) { $first++; return $first; }
for ($i = 0; $i < 50; $i++) {
    foreach (['by_value', 'by_ref'] as $f) {
        if ($f == 'by_ref') { echo $f(Registry::$number), $f(Registry::$list['q']), "\n"; continue; }
        echo $f(second: Registry::$number, first: Registry::$list['q']), "\n";
        echo $f(first: Registry::$list['q'], second: 3), "\n";
    }
    echo by_value(second: Registry::$number, first: Registry::$list['q']), "\n";
}
function app(array &$x) { $x[] = 1; return count($x); }
class S { static $x = []; static function t() { return app(self::$x) . by_value(self::$x[0], 2); } static function u() { by_ref(self::$x[]); return count(self::$x); } }
for ($i = 0; $i < 20; $i++) { echo S::t(), S::u(), "\n"; }
