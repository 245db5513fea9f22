<?php
// Arguments that a function has no more use for, and changed, as those see them that it calls.
function thrower(int $n) { if ($n % 2 === 0) { throw new Exception("e$n"); } return debug_backtrace(); }
function f($a, $b, $n) {
    $c = $a + 1;
    if ($c % 3 === 0) { $a = "changed"; } else { $b = $c * 2; }
    for ($i = 0, $s = 0; $i < 5; $i++) { $s += $i; if ($i === 3) { $b = 1.5; } }
    if ($s > 100) { $n = null; }
    return thrower($n)[1]['args'];
}
function g($a, $n) { $t = $a; if ($n & 1) { $t = "x$t"; } $r = call_user_func(fn($k) => thrower($k), $n); return $r[count($r) - 1]['args'] ?? null; }
$out = [];
for ($n = 0; $n < 400; $n++) {
    foreach (['f', 'g'] as $name) {
        try { $r = json_encode($name === 'f' ? f($n, "b", $n) : g($n, $n)); } catch (Exception $e) { $r = $e->getTraceAsString(); }
        $out[] = $r;
    }
}
echo md5(str_replace(__DIR__, "", implode("\n", $out))), "\n", implode("\n", array_slice($out, -4)), "\n";
