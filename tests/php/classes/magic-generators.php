<?php
// Magic methods that are generators, and fibers that change while such methods run.
class G implements ArrayAccess {
  public $d = [];
  function __isset($n) { yield 1; }
  function __get($n) { yield 5; }
  function __set($n, $v) { $this->d[$n] = is_object($v) ? get_class($v) : $v; yield 2; }
  function offsetExists($o): bool { return true; }
  #[ReturnTypeWillChange] function offsetGet($o) { yield 7; }
  function offsetSet($o, $v): void { }
  function offsetUnset($o): void { }
  function __call($n, $a) { yield from $a; }
}
for ($i = 0; $i < 200; $i++) {
  $g = new G;
  $a = get_class($g->x ?? 'none');
  foreach ($g->y as $v) $a .= $v;
  try { $g->z += 1; } catch (TypeError $e) { $a .= $e->getMessage(); }
  $g->w = 3;
  $a .= json_encode($g->d) . isset($g->q);
  foreach ($g['k'] as $v) $a .= $v;
  foreach ($g->many(1, 2) as $v) $a .= $v;
}
echo $a, "\n";
class F {
  public $log = [];
  function __construct(private string $own) {}
  function __isset($n) { $this->log[] = "isset $n"; Fiber::suspend(); return true; }
  function __get($n) { $this->log[] = "get $n"; if ($n === 'resume') { $GLOBALS['fiber']->resume(); } return "$n of " . $this->own; }
  function __set($n, $v) { $this->log[] = "set $n"; }
}
for ($i = 0; $i < 50; $i++) {
  $a = new F("a"); $b = new F("b");
  $result = null;
  $fiber = new Fiber(function () use ($a, &$result) { $result = $a->inner ?? 'none'; });
  $fiber->start();
  $x = $b->resume;
}
echo $x, ' ', $result, ' ', json_encode([$a->log, $b->log]), "\n";
class Dies
{
  function __destruct() { throw new Exception('destructor'); }
}
class Leaves
{
  function __isset($n) { $held = new Dies(); return true; }
  function __get($n) { $held = new Dies(); return 1; }
  function __set($n, $v) { echo "set $n\n"; }
}
for ($i = 0; $i < 30; $i++) {
  $o = new Leaves();
  $told = [];
  try { $told[] = $o->a ?? 'none'; } catch (Exception $e) { $told[] = $e->getMessage(); }
  try { $o->b += 1; } catch (Exception $e) { $told[] = $e->getMessage(); }
  try { $o->b .= 'x' . $i; } catch (Exception $e) { $told[] = $e->getMessage(); }
}
echo implode(' ', $told), "\n";
