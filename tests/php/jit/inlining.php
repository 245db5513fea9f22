<?php
// args: temporaries owned, strings, arrays, objects; destructors; exceptions; traces
function lenx(string $s): int { return strlen($s); }
function cat($a, $b) { return $a . $b; }
function pick(array $a, $k) { return $a[$k] ?? 'none'; }
function push(array $a, $v) { $a[] = $v; return $a; }
function first($a) { foreach ($a as $x) { return $x; } return null; }
function over($a) { $a = $a . 'x'; return $a; }
function id($x) { return $x; }
function nul($x) { }
function boom($i) { if ($i % 7 == 6) throw new Exception("boom $i"); return $i; }
function div($a, $b) { return $a % $b; }
function undef($a) { return $a + $zz; }
function fga() { return func_get_args(); }
function sttc() { static $n = 0; return ++$n; }
function def($a, $b = 5) { return $a + $b; }
function typed(?float $f, int|string $u): float { return $f + 1; }
function swap(&$a, &$b) { $t = $a; $a = $b; $b = $t; }
class D { public $n; public ?D $next = null; public array $list = []; function __construct($n) { $this->n = $n; }
  function n() { return $this->n; } function add($v) { $this->list[] = $v; return $this; } function cnt() { return count($this->list); }
  function link(D $d): static { $this->next = $d; return $this; } function nx() { return $this->next->n(); }
  static function mk($n) { return new static($n); } static function two($a) { return self::twice($a) + static::twice($a); } static function twice($a) { return $a * 2; } }
class E extends D { function n() { return -$this->n; } static function twice($a) { return $a * 3; } }
function go() {
  $out = []; $o = new D(3); $e = new E(4); $arr = [1, 'a' => 2, 3.5];
  for ($i = 0; $i < 14; $i++) {
    $s = "v$i"; $q = $i & 1 ? $o : $e;
    $out[] = lenx($s . $i) . cat($s, $i) . pick($arr, $i % 2 ? 'a' : 7);
    $p = push($arr, $i); $out[] = count($p) . count($arr) . first($p) . over($s) . id($s . 'y');
    nul(new D($i)); nul([$i]); 
    try { $out[] = boom($i); } catch (Exception $x) { $out[] = $x->getMessage() . $x->getLine() . preg_replace("~\\(([^()]|\\d+\\))*\\)$~m", "()", $x->getTraceAsString()); }
    try { $out[] = div($i, $i % 5); } catch (Error $x) { $out[] = get_class($x) . $x->getMessage() . preg_replace("~\\(([^()]|\\d+\\))*\\)$~m", "()", $x->getTraceAsString()); }
    $out[] = sttc() . def($i) . def($i, 2) . implode(',', fga(1, $i));
    $out[] = typed($i, 'x') . typed(null, 5);
    try { $out[] = typed($i % 3 ? 1.5 : 'abc', $i); } catch (TypeError $x) { $out[] = $x->getMessage() . preg_replace("~\\(([^()]|\\d+\\))*\\)$~m", "()", $x->getTraceAsString()); }
    $a = $i; $b = -$i; swap($a, $b); $out[] = $a . $b;
    $out[] = $q->n() . $q->add($i)->cnt() . $q->link(new D($i))->nx() . $q->link($q)->nx() . D::mk($i)->n() . E::mk($i)->n() . D::two($i) . E::two($i);
    $q->next = null; $out[] = id(id(id($i))) + id($i * 1.5);
    $f = fn($x) => $x + $i; $g = function ($x) { return $x * 2; }; $out[] = $f(3) . $g($i);
  }
  return $out;
}
set_error_handler(function ($n, $m, $f, $l) { echo "$m @ $l\n"; return true; });
for ($k = 0; $k < 2; $k++) foreach (go() as $x) echo $x, "\n";
for ($i = 0; $i < 20; $i++) { echo @undef($i), ' ', id($i), cat($i, "x"), "\n"; }
echo implode("\n", array_slice(go(), 60, 30));

// Receivers of several classes, constructors in each other, objects that are freed by a call, exits in functions inside functions.
class Log { function __construct(public $name, public ?Log $in = null) { } function __destruct() { echo "-{$this->name} "; } function name() { return $this->name; }
  function inner() { return $this->in->name() . '<' . $this->name(); } }
abstract class Shape { protected $k = 2; function __construct(protected $a) { $this->init(); } function init() { } abstract function area();
  function twice() { return $this->area() * $this->k; } static function of($a) { return new static($a); } }
class Square extends Shape { function area() { return $this->a * $this->a; } }
class Line extends Shape { function init() { $this->k = 0.5; } function area() { return $this->a; } }
class Odd extends Square { function area() { return parent::area() + 1; } }
function outer($x) { return middle($x) + 1; }
function middle($x) { return inner($x, 3) * 2; }
function inner($x, $y) { return $x % $y + intdiv($x, 4 - $x % 5); }
function swallow($o) { return 1; }
function give($o) { return $o; }
function shapes() {
  $sum = 0; $all = [Square::of(2), Line::of(3), Odd::of(4), new Square(1.5)];
  for ($i = 0; $i < 40; $i++) {
    $s = $all[$i * 7 % 4];
    $sum += $s->twice() + $all[$i & 3]->area() + Line::of($i)->twice();
  }
  return $sum;
}
function freed() {
  for ($i = 0; $i < 6; $i++) {
    echo swallow(new Log("a$i")), give(new Log("b$i"))->name(), ' ';
    $l = new Log("c$i", new Log("d$i"));
    echo $l->inner(), ' ';
    $l = give($l);
    try { $l->in = null; echo $l->inner(); } catch (Error $e) { echo $e->getMessage(), ' '; unset($e); }
    echo "\n";
  }
  return $l;
}
for ($k = 0; $k < 3; $k++) echo shapes(), "\n";
$l = freed(); echo "back\n"; unset($l); echo "\n";
for ($i = 0; $i < 14; $i++) {
  try { echo outer($i), ' '; } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), ' @', $e->getLine(), "\n", preg_replace(["~/\S*/~", "~\\(([^()]|\\d+\\))*\\)$~m"], ["", "()"], $e->getTraceAsString()), "\n"; }
}
