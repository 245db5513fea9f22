<?php
// Magic methods of a proxy whose instance asks the proxy back: each runs once.
#[AllowDynamicProperties]
class Store {
    public $slot;
    public function __get($n) { global $front; echo static::class, " get $n\n"; return $front->$n; }
    public function __set($n, $v) { global $front; echo static::class, " set $n\n"; $front->$n = $v + 1; }
    public function __isset($n) { global $front; echo static::class, " isset $n\n"; return isset($front->$n); }
    public function __unset($n) { global $front; echo static::class, " unset $n\n"; unset($front->$n); }
}
class Front extends Store {}
$class = new ReflectionClass(Front::class);
$front = $class->newLazyProxy(fn() => new Store);
$real = $class->initializeLazyObject($front);
var_dump(@$real->missing);
var_dump(isset($real->missing), $real->missing ?? 'nothing');
unset($real->missing);
$real->number = 1;
var_dump($real->number, $front->number);

// Inside __isset, ?? and nested isset go on to __get.
class Quiet {
    public $slot;
    public function __isset($n) { echo "isset $n\n"; return isset($this->$n['key']); }
    public function __get($n) { echo "get $n\n"; return ['key' => 5]; }
}
var_dump(isset((new Quiet)->any['key']));
var_dump((new Quiet)->any['key'] ?? 'none');

// A parent's private property counts when the classes of proxy and instance are compared.
class Base { private $hidden = 1; public function __get($n) { return "base $n"; } }
class Derived extends Base { public function __get($n) { return "derived $n"; } }
$class = new ReflectionClass(Derived::class);
$proxy = $class->newLazyProxy(fn() => new Base);
$class->initializeLazyObject($proxy);
echo $proxy->something, "\n";
