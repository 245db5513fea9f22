<?php
// unset() of something inside a property that is not there makes the property.
class P { public $x; } class T { public int $i; public ?array $l; } class G { function __get($n) { echo "get $n\n"; return null; } }
$o = new stdClass; unset($o->a[0]); var_dump($o); $k = 'b'; unset($o->$k['x']['y']); var_dump($o); unset($o->c->d); var_dump($o);
$p = new P; unset($p->x); unset($p->x[0]); var_dump($p); unset($p->new[0]); var_dump($p);
$t = new T; try { unset($t->l[0]); } catch (Error $e) { echo $e->getMessage(), "\n"; } var_dump($t); $g = new G; unset($g->q[0]); var_dump($g);
$a = []; unset($a['x']['y']); var_dump($a); unset($u['x']['y']); var_dump(isset($u));
class S { public $y; function __set($n, $v) { echo "set $n\n"; } }
$s = new S; unset($s->q['x']); unset($s->y); unset($s->y['x']); var_dump($s);
readonly class R { function __construct(public array $l = []) {} }
$r = new R;
try { unset($r->other[1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
