<?php class N { public $l; public $t; static function make($d) { $n = new N; $n->t = "t" . $d; if ($d < 60) $n->l = N::make($d + 1); return $n; } function __construct() { $this->t = [1, 2]; } }
function f($n) { $a = []; for ($i = 0; $i < $n; $i++) { $a[] = "x$i"; $a["k$i"] = [$i, $i + 1]; } return $a; }
function g($n) { $s = ''; for ($i = 0; $i < $n; $i++) { $s .= "abc$i"; } return $s; }
function h($n) { return $n == 0 ? [] : [h($n - 1), $n]; }
function gen($n) { for ($i = 0; $i < $n; $i++) yield "v$i" => [$i]; }
$total = 0;
for ($r = 0; $r < 6; $r++) { N::make(0); $total += count(f(40)) + strlen(g(80)) + count(h(30)); foreach (gen(20) as $k => $v) $total += strlen($k) + $v[0]; $m = array_map(fn($x) => "m$x", range(1, 20)); $total += count($m); usort($m, fn($a, $b) => strcmp($b . 'x', $a . 'x')); $c = clone new ArrayObject($m); foreach ($c as $x) { $total += strlen($x . $x); } try { throw new Exception("e$r"); } catch (Exception $e) { $total += strlen($e->getMessage()); } }
echo $total, "\n";
