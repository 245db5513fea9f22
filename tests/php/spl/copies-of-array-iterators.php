<?php
$a = new ArrayIterator([1, 2, 3]); $a->next();
$c = clone $a; var_dump($c->current(), $a->current()); $c[] = 4; $c[0] = 'x'; var_dump(count($a), $a[0]); $a['k'] = 5; var_dump($c['k'], count($c));
var_dump($c, serialize($c), $c->getArrayCopy());
$d = clone $c; $d[] = 9; var_dump(count($a)); $c->next(); var_dump($c->key(), $d->key());
class R extends RecursiveArrayIterator { public $p = 1; } $r = new R(['a' => [1], 'b' => 2]); $s = clone $r; $s['a'] = 5; var_dump($r['a'], $s); var_dump($r == $s);
$o = new ArrayObject([1]); $p = clone $o; $p[] = 2; var_dump(count($o), count($p));
class O extends ArrayIterator { public $x = 1; function __construct() { parent::__construct($this); } } 
$q = new O; $w = clone $q; $w->x = 2; var_dump($q->x, $w['x'], count($w));
$st = new stdClass; $st->a = 1; $i = new ArrayIterator($st); $j = clone $i; $j['b'] = 2; var_dump($st, count($j)); unset($i); foreach ($j as $k => $v) echo "$k=$v "; 
var_dump(unserialize(serialize($j)));
foreach (clone $j as $k => $v) echo "$k ";
