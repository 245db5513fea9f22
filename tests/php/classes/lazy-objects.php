<?php
// Lazy ghosts and proxies initialise on first use.
class Heavy { public int $n = 0; public string $s = 'default'; public function __construct(int $n) { echo "[constructed $n]"; $this->n = $n; } public function hi() { return "hi $this->n"; } }
$r = new ReflectionClass(Heavy::class);
$ghost = $r->newLazyGhost(function (Heavy $h) { echo '[init]'; $h->__construct(7); });
echo get_class($ghost), "\n";
var_dump($r->isUninitializedLazyObject($ghost));
echo $ghost->hi(), $ghost->n, "\n";
var_dump($r->isUninitializedLazyObject($ghost));
$proxy = $r->newLazyProxy(function () { echo '[make]'; return new Heavy(9); });
echo $proxy->n, $proxy->s, "\n";
