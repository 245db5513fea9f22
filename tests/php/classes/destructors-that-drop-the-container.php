<?php
// A value's destructor drops what the value was in: the ids that come next tell which of the two went last.
error_reporting(E_ALL & ~E_DEPRECATED);
class Free { function __destruct() { unset($GLOBALS['b']); } }
class B2 { public $any; public int $num = 4; public static $st; }
class Bd { public $any; function __destruct() { echo "Bd gone "; } }
function ids($w) { $a = new stdClass; $b = new stdClass; $c = new stdClass; echo $w, ': ', spl_object_id($a), ' ', spl_object_id($b), ' ', spl_object_id($c), "\n"; $l = [spl_object_id($a) => $a, spl_object_id($b) => $b, spl_object_id($c) => $c]; unset($a, $b, $c); krsort($l); foreach (array_keys($l) as $k) unset($l[$k]); }
ids('start');
$v = 3;
$b = new B2; $b->any = new Free; $b->any = &$v; ids('bind ref');
$b = new B2; $b->any = new Free; $b->any = 5; ids('assign');
$b = new B2; $b->any = new Free; $r = &$b->num; $b->any = 5; ids('assign with ref'); unset($r);
$b = new B2; $b->any = new Free; unset($b->any); ids('unset prop');
$b = new B2; $b->any = new Free; $b = null; ids('null');
$b = new B2; $b->any = new Free; unset($b); ids('unset');
$b = new Bd; $b->any = new Free; $b->any = 1; ids('bd assign');
$b = new Bd; $b->any = new Free; $b->any = &$v; ids('bd bind');
$b = new Bd; $b->any = [new Free]; $b->any[0] = 1; ids('bd dim');
$b = [new Free, new stdClass]; $b[0] = 1; ids('array dim');
$b = [new Free, new stdClass]; unset($b[0]); ids('array unset');
$b = [new Free, new stdClass]; $b[0] = &$v; ids('array bind');
$b = new B2; $b->any = new Free; try { $b->any .= 'x'; } catch (Error) {} $b = null; ids('op');
$b = new B2; $b->zz = new Free; $b->zz = 4; ids('dyn');
$b = new B2; $b->zz = new Free; unset($b->zz); ids('dyn unset');
$b = new B2; $b->num = 5; $q = &$b->any; $q = new Free; $q = 1; ids('through ref');unset($q);
$b = new B2; B2::$st = new Free; B2::$st = $b; ids('static'); B2::$st = null; ids('static null');
$b = new ArrayObject([new Free]); $b[0] = 1; ids('ao');
$b = new SplObjectStorage; $b[$b] = new Free; $b->detach($b); ids('storage');
$b = new SplFixedArray(2); $b[0] = new Free; $b[0] = 2; ids('fixed');
$b = new SplObjectStorage; $b->attach(new Free); $b->removeAll($b); ids('storage all');
function f($x) { $x->any = null; } $b = new B2; $b->any = new Free; f($b); ids("in function"); unset($x);
$b = new B2; $b->any = new Free; (function() { $this->any = null; })->call($b); ids('this');
$b = new B2; $b->any = new Free; foreach ($b as $k => &$z) { $z = 1; } unset($z); ids('foreach ref');
$b = new B2; $b->any = new Free; [$b->any] = [1]; ids('list');
$b = new B2; $b->any = new Free; $b->any = $b->any2 = 1; ids('chain');
$b = new B2; $b->any = new Free; $b->{'any'} = null; ids('name');
$b = new B2; $b->any = new Free; $b->any ??= 1; $b->any = 0 ?: null; ids('coalesce');
(function() { return 1; })->call(new B2); ids('call');
$gen = (function() { yield 1; })->call(new B2); ids('generator'); unset($gen); ids('generator gone');
