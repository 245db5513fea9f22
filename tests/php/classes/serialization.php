<?php
// serialize and unserialize with __serialize, __sleep, nested references.
class A { public $a = 1; protected $b = [true, null, 1.5]; private $c = 'x'; }
class S { public $keep = 1; public $drop = 2; public function __sleep() { return ['keep']; } public function __wakeup() { echo '[wakeup]'; } }
class N { private $data; public function __construct($d = null) { $this->data = $d; } public function __serialize(): array { return ['d' => $this->data]; } public function __unserialize(array $d): void { $this->data = strrev($d['d']); } public function get() { return $this->data; } }
echo str_replace("\0", '~', serialize(new A)), "\n", serialize(new S), "\n", serialize(new N('abc')), "\n";
var_dump(unserialize(serialize(new A)) == new A, unserialize(serialize(new S))->keep, unserialize(serialize(new N('abc')))->get());
$x = [1, 'two' => [3.0, false]];
$x['self'] = &$x['two'];
$y = unserialize(serialize($x));
$y['two'][] = 'shared';
echo count($y['self']), serialize([1, 'k' => 'v', 2.5, null, true]), "\n";
$o = new stdClass;
$o->me = $o;
var_dump(unserialize(serialize($o))->me->me instanceof stdClass, @unserialize('a:1:{i:0'), unserialize('b:0;'));
enum E: string { case A = 'a'; }
echo serialize([E::A]), unserialize(serialize(E::A)) === E::A ? 'same' : 'other', "\n";
