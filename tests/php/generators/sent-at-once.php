<?php
class D { public $n; function __construct($n){$this->n=$n;} function __destruct(){ echo "d{$this->n} "; } }
// Bodies that `send()` and `next()` resume: what they are sent, destructors on the way, other ways to call the methods.
function g() { $x = null; while (true) { $x = yield new D($x instanceof D ? -1 : (int)$x); if ($x === 'stop') return 'done'; if ($x === 'throw') throw new Exception('thrown'); if ($x === 'trace') var_dump(debug_backtrace()[1]["args"]); if ($x==='kill') { global $gg; $gg = null; } } }
$gg = g(); $gg->current(); $gg->send(1); $v = $gg->send(2); echo "v{$v->n}\n"; $gg->next(); $gg->next(); $gg->send('trace'); 
$gg->send(new D(100)); $gg->send([1,2]); 
foreach ([1,2,3] as $k) { $w = $gg->send($k); echo "w{$w->n} "; }
$gg->send(...[7]); call_user_func([$gg, 'send'], 8); $m = $gg->send(...); $m(9); array_map([$gg,'send'],[1,2]);
try { $gg->send('throw'); } catch (Exception $e) { echo get_class($e), $e->getLine(), "\n"; }
var_dump($gg->valid(), $gg->send(1));
$gg = g(); $gg->current(); $gg->send('kill'); echo "killed\n";
function h() { $r = yield from i(); echo "r=$r\n"; $y = yield 5; echo "y=$y\n"; }
function i() { $a = yield 1; echo "a=$a\n"; $b = yield 2; echo "b=$b\n"; return 3; }
$h = h(); $h->current(); for ($q=0;$q<5;$q++) { var_dump($h->send($q)); }
function k() { while (true) { $s = yield "k" => $s ?? 0; echo $s, ","; } }
$c = 0; $k = k(); foreach ($k as $kk => $vv) { echo "$kk=>$vv "; if (++$c > 3) break; $k->send($c); } echo "\n";
function &r() { $v = 1; while (true) { $z = yield $v; $v += $z; } }
$r = r(); $r->current(); for ($q=0;$q<5;$q++) { echo $r->send($q), " "; $r->next(); }
echo "\n";
function big($n) { $t = 0; while (true) { $t += yield $t; if ($t > $n) return $t; } }
$b = big(100); $b->current(); for ($q=0; $q<30 && $b->valid(); $q++) { $x = $b->send($q); echo $x, ' '; } echo $b->getReturn(), "\n";
function named() { $p = yield; while ($p) { $p = yield $p . '!'; } }
$nn = named(); $nn->current(); for ($q=0;$q<4;$q++) echo $nn->send(value: "x$q"), ' '; 
function inner($g2) { $z = yield 1; $z = yield $g2->send($z); $z = yield $g2->send($z*2); }
$b2 = big(1000); $b2->current(); $in = inner($b2); $in->current(); echo $in->send(5), $in->send(6), "\n";
function self_() { global $sf; try { $sf->send(1); } catch (Error $e) { echo $e->getMessage(), "\n"; } $x = yield 1; try { $sf->next(); } catch (Error $e) { echo $e->getMessage(), "\n"; } yield 2; }
$sf = self_(); $sf->current(); $sf->send(2);
