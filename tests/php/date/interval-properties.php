<?php
set_error_handler(function($n,$m){ echo "[$n: $m]\n"; return true; });
$i = new DateInterval('P1Y2M3DT4H5M6S');
$i->foo = 7;
$i->days = 5;
var_dump($i->days, $i);
var_dump(isset($i->days), isset($i->y), isset($i->nope), empty($i->y), property_exists($i,'y'), property_exists($i,'days'),property_exists($i,'from_string'), property_exists('DateInterval','y'));
unset($i->y); var_dump($i->y); var_dump($i);
$r = &$i->y; $r = 99; var_dump($i->y);
$i->y += 5; $i->m++; --$i->d; $i->h .= '1'; var_dump($i->y, $i->m, $i->d,$i->h);
$i->i ??= 4; $i->f += 0.25; var_dump($i->f);
var_dump($i->s = "12abc");
var_dump($i->s);
try { $i->y = []; } catch (Error $e) { echo $e->getMessage(); } var_dump($i->y);
$i->y = new stdClass; var_dump($i->y);
$i->invert = 300; var_dump($i->invert, $i->format('%R'));
$i->invert = -1; var_dump($i->invert);
$i->invert = 4294967297; var_dump($i->invert);
foreach ($i as $k => $v) { echo "$k="; var_dump($v); $i->m = 77; }
var_dump($i->m);
foreach ($i as $k => &$v2) { if ($k=='y') $v2 = 1000; } unset($v2);
var_dump($i->y, get_object_vars($i)['y']);
$c = clone $i; $c->y = 3; var_dump($i->y, $c->y);
try { $i->y["a"] = 5; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $i->y->b = 5; } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump($i->y);
$i->f = 1.5; var_dump($i->f, $i->format('%f %s'));
$i->f = -1; var_dump($i->f);
$i->f = "0.5x"; var_dump($i->f);
$i->f = NAN; var_dump($i->f);
$i->y = 1e30; var_dump($i->y);
$i->y = null; var_dump($i->y);
var_dump($i->from_string);
var_dump($i->date_string);
$i->from_string = 3;
var_dump($i->from_string);
var_dump($i);
var_dump((array)$i, json_encode($i), serialize($i));
var_export($i);
$j = DateInterval::createFromDateString('3 days ago');
var_dump($j->d, $j->from_string, $j->date_string, $j);
$j->d = 5; var_dump($j, $j->d, serialize($j));
$x = unserialize(serialize($j)); var_dump($x->d, $x);
foreach ($j as $k=>$v) { echo $k; var_dump($v);}
var_dump($j->days, isset($j->days), isset($j->date_string), $j->invert);
function f(&$x) { $x = 5; }
f($j->y); var_dump($j->y);
[$j->h, $j->i] = ['3', 4.7]; var_dump($j->h, $j->i);
$d = (new DateTime('2000-01-01'))->diff(new DateTime('2001-02-03')); var_dump($d); $d->days = 4; var_dump($d->days, $d); unset($d->days); var_dump($d->days);
var_dump($d->days++);
var_dump($d->days);
$n = new DateInterval('P1D'); var_dump($n->from_string);
class S extends DateInterval { public int $y = 4; public ?string $foo = null; private $days = 1; function __construct() { }
 function __get($n) { echo "get $n\n"; return 5; } function __set($n, $v) { echo "set $n\n"; } function __isset($n) { echo "isset $n\n"; return true; } function __unset($n) { echo "unset $n\n"; } }
$s = new S; var_dump($s->y, $s->m, isset($s->m), $s->days);
$s->y = '7'; $s->m = 6; unset($s->m); var_dump($s);
class T extends S { function __construct() { parent::__construct(); DateInterval::__construct('P2Y5D'); } }
$s = new T; var_dump($s->y, $s->m, isset($s->m), $s->days, $s->bar);
$s->y = '7'; $s->m = 6; $s->days = 7; $s->bar = 4; unset($s->m); var_dump($s);
try { $s->y = 'x'; } catch (Error $e) { echo $e->getMessage(); }
var_dump($s->y);
var_dump(unserialize(serialize($s)));
var_dump(get_object_vars($s), (array)$s);
$c = clone $s; var_dump($c);
$z = DateInterval::__set_state(['y' => 4, 'foo' => 5, 'd'=>"12x", 'f'=>0.5]); var_dump($z);
$w = unserialize('O:12:"DateInterval":3:{s:1:"y";i:4;s:3:"foo";i:4;s:4:"days";b:0;}'); var_dump($w);
var_dump($w == $z, $w < $z);
var_dump(array_key_exists('y', get_object_vars(new DateInterval('P4Y'))));
var_dump(count((array)new DateInterval('P4Y')));
foreach (new DateInterval('P4Y') as $k => $v) echo $k;
$q = new DateInterval('P4Y'); var_dump((new ReflectionObject($q))->getProperties(), (new ReflectionObject($q))->hasProperty('y'));
var_dump(key($q), current($q));
array_walk($q, function($v, $k) { echo "$k "; });
print_r($q);
echo http_build_query($q), "\n";

$fn = function() { return $this->y; }; var_dump($fn->call($q));
var_dump(array_column([$q], 'y'), array_column([$q], 'd', 'y'));
$q->{'y'} = 3; $p = 'y'; var_dump($q->$p, $q?->y, $q->y ?? 4, $q->days ?? 4);
list('y'=>$yy) = (array)$q; var_dump($yy);
(new ReflectionProperty($q, 'y'));
