<?php
// Going over an object's properties looks at each once, also while they change.
$o = new stdClass; $a = new ArrayObject($o);
for ($i = 0; $i < 20000; $i++) $a["k$i"] = $i;
$sum = 0; foreach ($a as $key => $value) { $sum += $value; if ($value % 2) unset($a[$key]); else $a[$key] = -1; }
var_dump($sum, count($a), $o->k0, isset($o->k1));
$iterator = new ArrayIterator($o); $iterator->seek(9999); var_dump($iterator->key());
$o->{""} = 'empty'; $last = []; foreach ($a as $key => $value) if ($value !== -1) $last[] = [$key, $value];
var_dump(count($last), array_slice($last, -2), isset($a['']), count((array) $a));
class P { public $own = 1; protected $hidden = 2; } $p = new P; @$p->more = 3; foreach (new ArrayObject($p) as $key => $value) echo "$key=$value ";
$copy = (new ArrayObject($o))->getArrayCopy(); unset($o->k0); var_dump(count($copy), count(get_object_vars($o)));
