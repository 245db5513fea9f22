<?php
// One assignment and one loop, objects of many classes.
interface I {} class V1 implements I {} class V2 implements I {} class V3 implements I {} class V4 {} class W extends V1 {}
abstract class B { protected array $attributes = []; public readonly int $id; public ?I $i; public int|string $u = 0; private $p = 'private';
    function __construct(array $a, int $id, ?I $i) { $this->attributes = $a; $this->id = $id; $this->i = $i; $this->p = $i; }
    function set($u) { $this->u = $u; return $this->u; } function again() { $this->id = 3; } function get() { return [$this->attributes, $this->id, $this->i ? get_class($this->i) : null, $this->p === $this->i]; } }
class A1 extends B {} class A2 extends B {} class A3 extends B { public $i2; } class A4 extends B { public ?I $i = null; }
class A5 extends B { public int|string $u { set => $value . '!'; } } class A6 extends B { private $p = 'own'; function own() { return $this->p; } }
class A7 extends B { function __set($n, $v) { echo "__set $n\n"; } function drop() { unset($this->u); } }
$is = [new V1, new V2, new V3, null, new W];
for ($round = 0; $round < 3; $round++) foreach (['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7'] as $n => $class) {
    $o = new $class(['n' => $n], $round, $is[($n + $round) % 5]); echo json_encode($o->get()), ' ';
    echo json_encode([$o->set('s' . $n), $o->set($n)]), ' ';
    try { $o->set([]); } catch (TypeError $e) { echo 'T'; } try { $o->set(2.0); echo json_encode($o->u); } catch (TypeError $e) { echo 't'; }
    try { $o->again(); } catch (Error $e) { echo 'R'; } try { $o->i = new V4; } catch (TypeError $e) { echo 'I'; }
    if ($o instanceof A6) echo $o->own(); if ($o instanceof A7) { $o->drop(); try { $o->set('magic'); } catch (Error $e) { echo 'U'; } } echo "\n";
    foreach ($is as $v) { $o->i = $v; } if ($o instanceof A5 || $o instanceof A7) continue; $ref = &$o->u; try { $o->set([]); } catch (TypeError $e) { echo 'ref '; } $o->set("through"); echo $ref, "\n"; unset($ref);
}
class D { function __construct(public $n) {} function __destruct() { echo "~$this->n "; } } class H1 { public $d; } class H2 extends H1 {} class H3 extends H1 {} class H4 { public mixed $x = 1; public $d; }
function put($h, $d) { $h->d = $d; }
for ($i = 0; $i < 2; $i++) foreach ([new H1, new H2, new H3, new H4] as $k => $h) { put($h, new D("$i$k")); put($h, $k); } echo "\n";
