<?php
// public private(set) and public protected(set).
class Counter
{
    public private(set) int $n = 0;
    public protected(set) array $log = [];
    public function __construct(public private(set) string $id = 'id') {}
    public function up() { $this->n++; $this->log[] = $this->n; return $this; }
}
class Sub extends Counter { public function write() { $this->log = ['sub']; return $this; } public function bad() { $this->n = 5; } }
$c = (new Counter)->up()->up();
echo $c->n, count($c->log), $c->id, (new Sub)->write()->log[0], "\n";
foreach ([fn() => $c->n = 1, fn() => $c->log[] = 1, fn() => $c->id = 'x', fn() => (new Sub)->bad(), fn() => $c->n++, function () use ($c) { $r = &$c->n; }] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
