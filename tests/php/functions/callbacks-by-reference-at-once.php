<?php
// Builtin functions call what takes references the short way, when they have references to give.
$list = range(1, 5);
for ($round = 0; $round < 300; $round++) {
    array_walk($list, function (&$value, $key, $add) { $value = ($value * 3 + $key + $add) % 1000; }, $round);
}
echo json_encode($list), "\n";
$tree = ['a' => [1, 2, ['x' => 3]], 'b' => 4];
for ($round = 0; $round < 300; $round++) {
    array_walk_recursive($tree, function (int &$value, string|int $key) { $value = ($value + strlen((string) $key)) % 97; });
}
echo json_encode($tree), "\n";
$shared = [1, 2, 3];
$copy = $shared;
array_walk($shared, function (&$value) { $value = "v$value"; });
echo json_encode([$shared, $copy]), "\n";
// Values for parameters by reference are told of.
echo json_encode(array_map(function (&$value) { return ++$value; }, [1, 2])), "\n";
try {
    array_walk($tree, function (string &$value) { $value .= '!'; });
} catch (TypeError $error) {
    echo preg_replace('/, called in.*|\{closure[^}]*\}/', '', $error->getMessage()), "\n";
}
// Whole floats as text.
echo implode(' ', [1.0, -2.0, 100.0, 123456789012345.0, 1e14, 1e15, 1e16, 0.1 + 0.2, -0.0, 99999999999999.0, 1e22]), "\n";
echo json_encode([1.0, 120.0, 1e15, 123456789012345678.0, 9007199254740993.0]), ' ', var_export(1e14, true), ' ', 1.5e3, "\n";
ini_set('precision', 3);
echo 1234.0, ' ', 123.0, ' ', 120.0, ' ', 999.0, ' ', 1000.0, "\n";
// Heaps whose method is the user's, and counts.
$heap = new class extends SplHeap { protected function compare($a, $b): int { return strlen($a) <=> strlen($b); } };
foreach (['aaa', 'b', 'cc', 'dddd', 'e'] as $word) { $heap->insert($word); }
echo count($heap), ' ', implode(' ', iterator_to_array($heap, false)), ' ', count($heap), "\n";
$queue = new SplPriorityQueue();
foreach ([3, '3', 2.5, [1], null, 10] as $number => $priority) { $queue->insert("n$number", $priority); }
echo count($queue), ' ', implode(' ', iterator_to_array($queue, false)), "\n";
$own = new class([1, 2]) extends ArrayObject { public function count(): int { return 42; } };
echo count($own), ' ', count(new ArrayObject([1, 2])), ' ', count(new SplFixedArray(3)), ' ', count(new SplObjectStorage()), "\n";
// Objects of calls.
class Chain { public int $n = 0; public array $l = []; public ?Chain $c = null; function me(): static { return $this; } function __destruct() { echo "gone $this->n\n"; } }
function made(): Chain { $chain = new Chain(); $chain->n = 7; return $chain; }
$chain = new Chain();
for ($i = 0; $i < 300; $i++) {
    $chain->me()->n += $i;
    $chain->me()->l[$i & 3] = $i;
    $chain->me()->l['k']['j'] = $i;
    $chain->me()->n++;
}
echo json_encode($chain), "\n";
made()->n = 8;
made()->n += 2;
made()->l[] = 5;
$chain->me()->c = made();
$chain->me()->c = null;
echo made()->n++, "\n";
