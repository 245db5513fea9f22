<?php
// At the end, what a destructor frees is destructed at once, before other objects have their turn.
class Canary {
    public $other;
    public function __construct(public readonly string $name) {}
    public function __destruct() { echo "{$this->name} goes\n"; $this->other = null; }
}
$first = new Canary('first');
$second = new Canary('second');
$third = new Canary('third');
$inner = new Canary('inner');
$inner->other = new Canary('innermost');
$first->other = $inner;
$second->other = $first;
$holder = [$second, $third, &$holder];
unset($inner);
$generator = (function () { $c = new Canary('in generator'); try { $fiber = yield 1; Fiber::suspend(2); } finally { echo "generator ends\n"; } })();
$fiber = new Fiber(function () use ($generator, &$fiber) { $c = new Canary('in fiber'); try { $generator->send($fiber); } finally { echo "fiber ends\n"; } });
var_dump($fiber->start());
echo "end of script\n";
