<?php
// What the properties of an object are called is text, also where it looks like a number.
class O { public $a = 1; }
foreach ([new ArrayIterator(new O), new ArrayObject(new O), new ArrayObject([])] as $n) {
var_dump($n[0]); var_dump($n['x'] ?? 1); var_dump($n[1.5]); var_dump($n[true]); var_dump($n[-3]); var_dump($n['0']); unset($n[0], $n['q']); $n[7][] = 1; $n[8] .= 'x'; var_dump($n);
}
