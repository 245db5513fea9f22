<?php
// A private property of a parent hides a dynamic one of the name.
class P { private $x = 1; private static $st = 2; private int $t = 3; protected $pr = 4; private readonly int $ro; }
#[AllowDynamicProperties] class C extends P { public $own = 1; }
$c = new C; $c->x = 'dyn'; $c->t = 'dyn t'; $c->free = 'f';
foreach ([[$c, 'x'], [$c, 't'], [$c, 'st'], [$c, 'free'], ['C', 'x'], ['C', 'st'], [$c, 'pr'], [$c, 'own'], ['P', 'x'], [$c, 'ro'], [new C, 'x'], [$c, 'nope']] as [$o, $n]) {
  echo is_object($o) ? 'obj' : $o, " $n: ";
  try { $r = new ReflectionProperty($o, $n); echo $r->class, ' ', $r->name, ' ', implode(' ', Reflection::getModifierNames($r->getModifiers())), ' ', var_export($r->isDefault(), true), ' ', var_export($r->isPrivate(), true), ' ', var_export($r->isDynamic(), true), ' ';
   if (is_object($o)) var_dump($r->getValue($o)); else echo "\n"; echo $r; } catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; }
}
$ro = new ReflectionObject($c); foreach ($ro->getProperties() as $p) echo $p->class, '::', $p->name, ' ', (int)$p->isDefault(), "\n"; var_dump($ro->hasProperty('x'), $ro->hasProperty('st'), $ro->hasProperty('free'), $ro->hasProperty('nope'));
try { var_dump($ro->getProperty('x')->isDefault()); } catch (Throwable $e) { echo $e->getMessage(); }

