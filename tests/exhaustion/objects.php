<?php
interface Shape { function area(): float; }
abstract class Base implements Shape { protected array $log = []; function note($m) { $this->log[] = $m . count($this->log); return $this; } abstract function name(); }
class Sq extends Base { function __construct(private float $s) {} function area(): float { return $this->s ** 2; } function name() { return "sq{$this->s}"; } function __destruct() { global $d; $d++; } }
class Ci extends Base { public $opt = ['a' => 1]; function __construct(private float $r) { $this->opt["k$r"] = new ArrayIterator([$r]); } function area(): float { return 3 * $this->r; } function name() { return sprintf('ci%d', $this->r); } function __get($n) { return $n . 'x'; } function __call($n, $a) { return implode(',', $a) . $n; } }
function walk(array $t, callable $f) { $o = []; foreach ($t as $k => $v) { $o["$k!"] = is_array($v) ? walk($v, $f) : $f($v, $k); } return $o; }
function fact($n) { return $n < 2 ? [1] : [...fact($n - 1), $n]; }
function &refs(array &$a) { foreach ($a as $k => &$v) { $v .= 'r'; } $a[] = &$a[0]; return $a[0]; }
$d = 0; $acc = [];
for ($i = 0; $i < 25; $i++) {
  $sh = $i % 2 ? new Sq($i) : new Ci($i); $sh->note("a")->note("b$i"); $acc[$sh->name()] = $sh->area() + strlen($sh->zork ?? '') ;
  if ($sh instanceof Ci) { $acc['z'] = $sh->foo($i, 'y'); $acc['y'] = $sh->bar; }
  $w = walk(['a' => 1, 'b' => ['c' => 2, 'd' => ['e' => 3]]], fn($v, $k) => "$k=$v;$i"); $acc["w$i"] = json_encode($w); $acc['f'] = array_sum(fact(8));
  $l = ['p', 'q', "r$i"]; refs($l); [$x, [, $y]] = [$i, [1, "s$i"]]; ['k' => $z] = ['k' => "t$i"]; $str = ''; foreach (str_split("hello$i") as $ch) $str = $ch . $str; $acc['s'] = $str . $x . $y . $z;
  $g = (function () use ($i) { $r = yield "g$i"; try { yield from ["in$r"]; } finally { $GLOBALS['fin'] = "f$i"; } return [$i]; })(); $g->current(); $g->send("S$i"); $g->next(); $acc['g'] = $g->getReturn();
  static $cache = []; $cache["c$i"] ??= md5("c$i"); $acc['m'] = match (true) { $i < 5 => "lo$i", default => "hi" . $i }; $o = (object)['a' => $i, "b$i" => [1]]; $o->n = clone $o; $acc['o'] = count((array)$o); $acc['u'] = unserialize(serialize($o))->a;
  usort($l, fn($a, $b) => strcmp("$a", "$b")); $acc['p'] = preg_replace_callback('/l+/', fn($m) => strtoupper($m[0]), $str);
}
echo count($acc), $d, "\n";
