<?php
// Casting to and from every type.
var_dump((int) "12abc", (int) 3.99, (int) -3.99, (int) true, (int) null, (int) [], (int) [0], (int) "1e3");
var_dump((float) "1.5x", (float) "abc", (string) 1.0, (string) 1e25, (string) 0.1, (string) true, (string) false, (string) null);
var_dump((bool) "0", (bool) "0.0", (bool) [], (bool) [0], (bool) 0.0, (bool) new stdClass, (bool) "false");
var_dump((array) "s", (array) null, (array) (object) ['a' => 1], (object) ['x' => [1]], (object) 'scalar');
class P { public $a = 1; protected $b = 2; private $c = 3; }
foreach ((array) new P as $k => $v) {
    echo str_replace("\0", '~', $k), '=', $v, ' ';
}
echo "\n";
var_dump((object) [1, 2], ((object) ['0' => 'zero'])->{'0'}, (array) (object) [5 => 'five']);
try {
    echo (string) new P;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
echo (string) [1], "\n";
settype($s, 'integer');
var_dump($s, intval('12', 8), intval('0x1f', 16), intval('z', 36), boolval('a'), floatval('1.5'), strval(5));
