<?php
// A named argument that one `...` gives for the next parameter counts when another one goes on with positional arguments.
function named($a = 'a', $b = 2, ...$rest) { return [$a, $b, $rest]; }
function three($a = 'a', $b = 2, $c = 'c', ...$rest) { return [$a, $b, $c, $rest]; }
function &refs(&$a = 1, &$b = 2, &...$rest) { $r = [$a, $b, $rest]; return $r; }
function none($a = 1, $b = 2, $c = 3) { return func_get_args(); }
$sets = [
    [[3], ['b' => 5], [1, 2]], [[], ['a' => 1, 'b' => 5], [1, 2]], [[], ['a' => 1], [9]], [[], ['x' => 1], [9, 8]],
    [[], ['b' => 1], ['a' => 2], [3, 4]], [[], ['b' => 1], [2], ['b' => 3]], [[1], ['b' => 1], [2], ['x' => 3], [4]], [[1], ['b' => 1], ['b' => 1]],
];
foreach (['named', 'three', 'none', 'refs', 'N::call', 'N::made'] as $f) {
    foreach ($sets as $i => $s) {
        $s += [[], [], [], [], []];
        try {
            echo "$f $i ", json_encode($f(...$s[0], ...$s[1], ...$s[2], ...$s[3], ...$s[4])), "\n";
        } catch (Error $e) {
            echo "$f $i ", get_class($e), ': ', $e->getMessage(), "\n";
        }
    }
}
class N {
    static function call($a = 'a', ...$rest) { return [$a, $rest]; }
    static function __callStatic($name, $arguments) { return $arguments; }
}
$list = [1, 2];
refs(...['a' => 5], ...['b' => 6], ...$list);
var_dump($list, array_slice(...[[1, 2, 3, 4]], ...['offset' => 1], ...[2]));
