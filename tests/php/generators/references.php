<?php
// Generators by reference change the source.
function &each(array &$list) { foreach ($list as $k => &$v) { yield $k => $v; } }
$data = [1, 2, 3];
foreach (each($data) as &$v) { $v *= 2; }
unset($v);
echo implode(',', $data), "\n";
function &counter() { $n = 10; while ($n > 0) { yield $n; } }
foreach (counter() as &$n) { echo $n, ' '; $n -= 4; }
echo "\n";
class G { private $items = ['a' => 1]; public function &iterate() { foreach ($this->items as $k => &$i) { yield $k => $i; } } public function get() { return $this->items; } }
$o = new G;
foreach ($o->iterate() as &$i) { $i = 'changed'; }
echo $o->get()['a'], "\n";
