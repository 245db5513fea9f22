<?php
function g($z) { try { throw new LogicException('x'); } catch (LogicException $e) { yield 1; yield 2; } finally { echo "[fin]"; [] ** $z; } }
function t1() { try { foreach (g(1) as $x) break; echo "next "; } catch (TypeError $e) { echo "inner "; } echo "after\n"; }
function t2() { try { foreach (g(1) as $x) { try { return 5; } catch (TypeError $e) { echo 'in '; } } } catch (TypeError $e) { echo "inner "; } echo "after\n"; }
function t3() { try { $g = g(1); $g->current(); $g = null; echo "next "; } catch (TypeError $e) { echo "inner "; } echo "after\n"; }
function t4() { try { $g = g(1); $g->current(); unset($g); echo "next "; } catch (TypeError $e) { echo "inner "; } echo "after\n"; }
function t5() { $g = g(1); $g->current(); }
function t6() { try { try { foreach (g(1) as $x) { throw new RuntimeException('r'); } } catch (TypeError $e) { echo "inner ", get_class($e->getPrevious()); } } catch (Exception $e) { echo get_class($e); } echo "after\n"; }
function t7() { try { [$a] = [(function () { yield from g(1); })()]; $a->current(); $a = 3; echo "next "; } catch (TypeError $e) { echo "inner "; } echo "after\n"; }
function t8($x) { return $x > 0; }
foreach (['t1', 't2', 't3', 't4', 't6', 't7'] as $f) { try { $f(); } catch (Throwable $e) { echo get_class($e), "\n"; } }
try { t5(); } catch (TypeError $e) { echo "t5 inner\n"; }
for ($i = 0; $i < 2; $i++) { try { foreach (g(1) as $x) continue 2; } catch (TypeError $e) { echo "cont\n"; } finally { echo 'F'; } }
try { foreach (g(1) as $x) { foreach (g(2) as $y) { break 2; } } } catch (TypeError $e) { echo "two ", $e->getPrevious() ? 'prev' : 'none', "\n"; }
function arr() { foreach ([g(1)] as $v) { $v->current(); } return 1; }
try { echo strlen((function () { $g = g(1); $g->current(); return 'abc'; })()), "\n"; } catch (TypeError $e) { echo "closure\n"; }
class Noisy implements Iterator {
    public int $at = 0;
    public function __construct(public string $name) {}
    public function current(): mixed { return $this->at; }
    public function key(): mixed { return $this->at; }
    public function next(): void { $this->at++; }
    public function rewind(): void {}
    public function valid(): bool { return $this->at < 3; }
    public function __destruct() { throw new DomainException($this->name); }
}
function chain(?Throwable $e): string { return $e ? get_class($e) . '(' . chain($e->getPrevious()) . ')' : '-'; }
function loops(callable $leave) {
    try {
        try {
            foreach (new Noisy('outer') as $x) {
                foreach (g(3) as $y) {
                    foreach (new Noisy('inner') as $z) { $leave(); break 3; }
                }
            }
        } finally { echo "(F)"; }
    } catch (TypeError | RuntimeException $e) { echo 'here ', chain($e), "\n"; }
    return 'end';
}
foreach ([fn() => throw new RuntimeException('r'), fn() => throw new LogicException('l')] as $leave) {
    try { echo loops($leave), "\n"; } catch (Throwable $e) { echo 'outside ', chain($e), "\n"; }
}
