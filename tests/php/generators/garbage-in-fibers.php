<?php
// Destructors that the collector calls inside a fiber run in a fiber of their own.
class Loop {
    public $self;
    public function __construct(public string $name) { $this->self = $this; }
    public function __destruct() {
        global $waiting, $outer;
        echo "$this->name begins, ", Fiber::getCurrent() === $outer ? 'same' : 'other', " fiber\n";
        if ($this->name === 'suspended') {
            $waiting = Fiber::getCurrent();
            $got = Fiber::suspend('ignored');
            echo "resumed with $got\n";
        }
        if ($this->name === 'thrown') { throw new Exception('from destructor'); }
        echo "$this->name ends\n";
    }
}
$outer = new Fiber(function () {
    global $waiting;
    foreach (['plain', 'suspended', 'thrown'] as $name) {
        new Loop($name);
        try { gc_collect_cycles(); } catch (Exception $e) {
            echo $e->getMessage(), ': ', implode(' < ', array_column($e->getTrace(), 'function')), "\n";
        }
        echo "collected\n";
    }
    Fiber::suspend();
    $waiting->resume('value');
});
$outer->start();
echo "outside\n";
$outer->resume();
var_dump($outer->isTerminated(), $waiting->isTerminated());
new Loop('last');
gc_collect_cycles();
