<?php
// Arrays that compiled functions are given, and change, are values.
function put(array $a, int $i): int { $a[$i] = 5; return $a[0] + count($a); }
function outer(array $a, int $n): int { return put($a, $n % 3) + $a[0]; }
class H {
    public array $list = [];
    public function __construct() { $this->list = range(1, 3); }
    public function set(int $i): int { $this->list[$i % 3] = $i; return $i; }
    public function both(array $l, int $i): int { $r = $this->set($i); return $l[$i % 3] * 10 + $r; }
    public function run(int $i): int { return $this->both($this->list, $i); }
    public function mixed(int $i): int { return $this->pair($this->list, $this->set($i)); }
    public function pair(array $l, int $i): int { return $l[$i % 3] * 100 + $i; }
}
$arr = range(1, 3);
$s = 0;
for ($i = 0; $i < 100; $i++) { $s += outer($arr, $i); }
var_dump($s, $arr);
$h = new H(); $s = 0;
for ($i = 0; $i < 100; $i++) { $s += $h->run($i) + $h->mixed($i + 1); }
var_dump($s, $h->list);
