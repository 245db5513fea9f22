<?php
class N { public ?self $p = null; public self|int $q = 1; public static ?self $s; }
class M extends N { public ?self $p = null; public int|self $q = 2; public static ?self $s; }
trait T { private ?self $a = null; public self|null $b = null; protected static self $c; public ?parent $x = null; }
class P0 {}
class A extends P0 { use T; }
class B extends A { use T; }
class C extends B { use T; protected static self $c; public null|self $b = null; }
var_dump(new M, new B, new C);
foreach (['M','B','C'] as $k) foreach ((new ReflectionClass($k))->getProperties() as $p) echo $p->class, '::', $p->name, ' ', $p->getType(), "\n";
try { $m = new M; $m->p = new N; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { $c = new C; $c->b = new B; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
interface HasP { public ?self $ip { get; } }
class Im implements HasP { public ?self $ip = null; }
class Im2 extends Im { public ?self $ip = null; }
var_dump(new Im2);
