<?php
$n = 1;
$object = new ArrayObject(['a' => 0]);
$object['a'] = &$n;
$object['new'] = &$n;
$n++;
var_dump($object['a'], $object['new']);
try { $object[] = &$n; } catch (Error $e) { echo $e->getMessage(), "\n"; }
$map = new WeakMap; $key = new stdClass;
$map[$key] = 0;
$map[$key] = &$n;
$n++;
var_dump($map[$key], $map->offsetGet($key));
try { $map[new stdClass] = &$n; } catch (Error $e) { echo $e->getMessage(), "\n"; }

// Nothing can be appended to be changed inside.
$list = new ArrayObject;
$list[]['x'] = 1;
$r = &$list[];
var_dump(count($list));
class Own extends ArrayObject { public function offsetGet($at): mixed { return 5; } }
try { $own = new Own; $own[]['x'] = 1; } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
class Access implements ArrayAccess {
    public int $n = PHP_INT_MAX;
    public function offsetExists($o): bool { return true; }
    public function &offsetGet($o): mixed { return $this->n; }
    public function offsetSet($o, $v): void {}
    public function offsetUnset($o): void {}
}
$access = new Access;
foreach ([fn() => $access[0]++, fn() => ++$access[0], fn() => $access[0]--] as $step) {
    try { var_dump($step()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
var_dump($access->n);
class ByValue implements ArrayAccess {
    public function offsetExists($o): bool { return true; }
    public function offsetGet($o): mixed { return 1; }
    public function offsetSet($o, $v): void {}
    public function offsetUnset($o): void {}
}
try { $v = new ByValue; $v['k'] = &$n; } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Fixed implements IteratorAggregate {
    public function __construct(public readonly string $text = 'x') {}
    public function getIterator(): Iterator { return new ArrayIterator($this); }
}
try { foreach (new Fixed as &$text) {} } catch (Error $e) { echo $e->getMessage(), "\n"; }
enum Level { case Low; const Usual = self::Low; }
var_dump(unserialize('E:9:"Level:Low";'), @unserialize('E:11:"Level:Usual";'));
