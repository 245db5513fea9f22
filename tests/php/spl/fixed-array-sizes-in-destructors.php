<?php
// Destructors that set the size again: the last size that they ask for counts when all have run.
class D { public $a; public $n; function __construct($a, $n) { $this->a=$a; $this->n = $n; } function __destruct() { global $f; echo "destruct $this->n size ", $f->getSize(), "\n"; $f->setSize($this->a); echo "after ", $f->getSize(), "\n"; } }
foreach ([[5,3,0],[5,2,10],[5,0,3],[4,0,0],[6,1,20],[3,2,1]] as [$size, $to, $inner]) {
  $f = new SplFixedArray($size);
  for ($i = 0; $i < $size; $i++) $f[$i] = new D($inner, $i);
  echo "== $size $to $inner\n";
  $f->setSize($to);
  echo "now ", $f->getSize(), "\n";
  foreach ($f as $k => $v) echo $k, '=', is_object($v) ? $v->n : 'null', ' '; echo "\n";
  $x = $f; $f = new SplFixedArray(1); unset($x);
}

$f = new SplFixedArray(2); $f->setSize(2); $f[1] = 'x'; $copy = $f->toArray(); $f->setSize(4); $f[3] = 'y'; $f->setSize(3); var_dump($f->toArray(), $copy);
$f = new SplFixedArray(0); for ($i = 0; $i < 30000; $i++) { $f->setSize($i + 1); $f[$i] = $i; } var_dump($f->getSize(), $f[29999]);
