<?php
class Q { 
  static function pm(string $p, string $s, ?array &$m = null, int $flags = 0): int { if (false === $r = preg_match($p, $s, $m, $flags)) throw new Exception('x'); return $r; }
  static function inc(int &$x, $y) { $x += $y; return $x; }
  private $k = 0;
  function f($s) { if (Q::pm('/(\d+)-(\w+)/', $s, $m)) { $this->k += strlen($m[2]); return $m[1]; } return 0; }
  function g($n) { $t = 0; for ($i = 0; $i < $n; $i++) { $z = self::inc($t, $i); if ($z != $t) echo "bad"; } return $t; }
  static function h($n) { $a = []; for ($i=0; $i<$n; $i++) { static::add($a, $i); self::add($a, -$i); } return array_sum($a) + count($a); }
  static function add(array &$a, $v) { $a[] = $v; }
}
class R extends Q { static function add(array &$a, $v) { $a[] = 2*$v; } }
$q = new Q; $t=0; for ($i=0;$i<400;$i++) { $t += $q->f("a $i-abc"); $t += $q->f("zz"); } echo $t, "\n";
for ($i=0;$i<4;$i++) $t += $q->g(100); echo $t,"\n";
for ($i=0;$i<4;$i++) $t += Q::h(100) + R::h(100); echo $t,"\n";
