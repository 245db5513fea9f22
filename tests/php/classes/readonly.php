<?php
// Readonly properties and classes: once, from inside, also not through references.
class P
{
    public function __construct(public readonly int $x, public readonly array $list = []) {}
    public function withX(int $x): static { return new static($x, $this->list); }
    public function change() { $this->x = 9; }
}
readonly class Q { public string $name; public function set($n) { $this->name = $n; return $this; } }
$p = new P(1, [1]);
echo $p->withX(5)->x, $p->x, "\n";
$q = (new Q)->set('once');
foreach ([fn() => $p->x = 2, fn() => $p->x++, fn() => $p->change(), fn() => $p->list[] = 2, fn() => $q->set('twice'), function () use ($p) { $r = &$p->x; }, function () use ($p) { unset($p->x); }, fn() => $q->other = 1, fn() => (new Q)->name, function () { $q = new Q; $q->name = 'outside'; }] as $f) {
    try {
        $f();
        echo "no error\n";
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
$c = clone $p;
var_dump($c == $p, $c->x, isset($p->x), isset($q->none));
foreach ($p as $k => $v) {
    echo $k, ' ';
}
