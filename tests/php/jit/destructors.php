<?php
// Destructors of what compiled code frees run behind the opline that has freed it.
class D { public function __construct(public string $n) {} function __destruct() { global $log; $log[] = "d:{$this->n}@" . (debug_backtrace()[0]['line'] ?? '-'); } }
class P { public $x; public array $list = []; }
function make($i) { $d = new D("f$i"); return $i * 2; }
function arr($i) { $a = [new D("a$i"), 1, 2]; $a = null; return $i; }
function run($n) {
    global $log;
    $log = [];
    $p = new P;
    $sum = 0;
    for ($i = 0; $i < $n; $i++) {
        if ($i % 97 == 0) { $p->x = new D("p$i"); $log[] = "set$i"; }
        if ($i % 89 == 0) { $sum += make($i); $log[] = "made$i"; }
        if ($i % 83 == 0) { $sum += arr($i); $log[] = "arr$i"; }
        $t = [$i, $i + 1];
        $p->list[] = $t;
        if (count($p->list) > 50) { $p->list = []; }
        if ($i % 101 == 0) { $p->list[] = new D("l$i"); }
        $s = "x" . $i;
        $sum += strlen($s) + $t[1];
    }
    $p = null;
    $log[] = "end";
    return $sum;
}
echo run(100), "\n"; 
echo run(30000), "\n";
echo count($log), " ", md5(implode(",", $log)), "\n";
echo implode(",", array_slice($log, 0, 60)), "\n";
