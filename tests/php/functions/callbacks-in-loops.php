<?php
// Builtin functions that call back for many elements: arguments, what is thrown, what calls back in turn.

class Loud { public function __construct(public string $name) {} public function __destruct() { echo "[{$this->name}]"; } }
class M { public $sum = 0; public function add($x) { $this->sum += $x; return $this; } public static function twice($x) { return 2 * $x; } public function __invoke($a, $b = 'b') { return $a . $b; } }
$captured = 10;
for ($round = 0; $round < 3; $round++) {
    echo json_encode([
        array_map(fn ($x) => $x + $captured, [1, 2, 3]),
        array_map(fn ($x, $y = 'default') => "$x$y", ['a', 'b']),
        array_map(fn ($x, $y) => "$x$y", ['a', 'b'], ['c']),
        array_map([M::class, 'twice'], [1, 2]),
        array_map(new M, ['x', 'y']),
        array_map(function () { return func_num_args() . implode(func_get_args()); }, [1, 2], [3, 4]),
        array_map(fn (...$all) => count($all), [1], [2]),
        array_filter([1, 2, 3, 4], fn ($x) => $x & 1),
        array_filter(['a' => 1, 'b' => 2], fn ($k) => $k === 'b', ARRAY_FILTER_USE_KEY),
        array_filter(['a' => 1, 'b' => 2], fn ($v, $k) => "$v$k" === '1a', ARRAY_FILTER_USE_BOTH),
        array_reduce([1, 2, 3], fn ($sum, $x) => $sum + $x, 0),
        array_map(fn ($row) => array_sum(array_map(fn ($x) => $x * $captured, $row)), [[1, 2], [3]]),
    ]), "\n";
    $reference = 5;
    $list = [1, &$reference, 3];
    echo json_encode(array_map(function ($x) { $x++; return $x; }, $list)), json_encode($list), "\n";
    $sorted = ['b' => 2, 'a' => 3, 'c' => 1];
    usort($list, fn ($x, $y) => $y <=> $x);
    uasort($sorted, fn ($x, $y) => $x - $y);
    uksort($sorted, function (string $x, string $y) use (&$calls) { $calls++; return strcmp($x, $y); });
    echo json_encode([$list, $sorted]), "\n";
    foreach ([2, 1] as $bad) {
        try {
            array_map(function ($x) use ($bad) { if ($x === $bad) { throw new Exception("at $x"); } return new Loud("made $x"); }, [1, 2, 3]);
        } catch (Exception $e) {
            echo $e->getMessage(), ' ', count($e->getTrace()), "\n";
        }
    }
    try {
        array_map(fn (int $x) => $x, [1, 'two']);
    } catch (TypeError $e) {
        echo preg_replace('~\{closure[^}]*\}| in \S+~', '', $e->getMessage()), "\n";
    }
    try {
        array_map(fn ($x, $y) => $x, [1]);
    } catch (ArgumentCountError $e) {
        echo preg_replace('~\{closure[^}]*\}| in \S+~', '', $e->getMessage()), "\n";
    }
    array_walk($list, function (&$x, $key, $by) { $x = "$x$key$by"; }, '!');
    echo implode(',', $list), ' ', implode(array_map(fn ($x) => $x->name, [new Loud('passed'), new Loud('other')])), "\n";
    echo preg_replace_callback('/\d/', fn ($m) => $m[0] + 1, 'a1b2'), count(array_map(function ($x) { static $n = 0; return ++$n; }, [1, 2])), "\n";
    $m = new M;
    array_map([$m, 'add'], [1, 2, 3]);
    echo $m->sum, implode(iterator_to_array((function () { yield from array_map(fn ($x) => $x, [1, 2]); })())), "\n";
    $nest = function ($n) use (&$nest) { return $n === 0 ? 0 : 1 + array_map($nest, [$n - 1])[0]; };
    echo $nest(200), "\n";
}
