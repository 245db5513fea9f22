<?php
// More arguments than parameters: they are kept for those who ask, and freed at the end.

class Loud { public function __construct(public string $name) {} public function __destruct() { echo "[{$this->name}]"; } }
function none() { return implode(',', func_get_args()) . '/' . func_num_args(); }
function one($a, $b = 5) { $a = 'changed'; return implode(',', func_get_args()) . "/$b"; }
function typed(int $a): array { return func_get_args(); }
function trace($a) { return count(debug_backtrace()[0]['args']); }
function quiet($a) { $x = 1; $y = 2; echo 'quiet '; return $a->name; }
function by_reference(&$a) { $a++; return func_num_args(); }
function generator($a) { yield from func_get_args(); }
class M {
    public function m($a = 1) { return func_get_args(); }
    public static function s() { return func_num_args(); }
    public function __construct() { $this->made = func_get_args(); }
    public array $made;
}
for ($round = 0; $round < 3; $round++) {
    echo none(1, 2, 3), ' ', one(1, 2, 3, 4), ' ', one(1), ' ', implode(typed('7', 'x', 2.5)), ' ', trace(1, [2], 3), "\n";
    echo quiet(new Loud('first'), new Loud('second'), new Loud('third')), "\n";
    $x = 1;
    echo by_reference($x, $x, 3), $x, implode(iterator_to_array(generator(1, 2, 3))), "\n";
    $m = new M(1, 2);
    echo implode($m->m(1, 2, 3)), M::s(1, 2), implode($m->made), (fn () => func_num_args())(1, 2, 3), "\n";
    try {
        typed('x', 2);
    } catch (TypeError $e) {
        echo preg_replace('/, called.*/', '', $e->getMessage()), "\n";
    }
}
function deep($n) { return $n === 0 ? func_num_args() : deep($n - 1, ...range(1, 20)); }
echo deep(500), "\n";
$captured = 'captured';
$closure = function ($a) use ($captured) { $b = $captured; return $b . count(func_get_args()); };
echo $closure(1, 2, 3), $closure(1), "\n";
