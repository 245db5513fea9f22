<?php
ini_set('html_errors', 0);
class O { public $p = []; public array $q = []; }
class S { public static $p = []; }
function o(...$values) { echo json_encode($values), "\n"; }
function make($n) { $a = []; for ($i = 0; $i < $n; $i++) { $a[$i % 2 ? $i : "k$i"] = $i; } return $a; }
/** What grows in loops must end. */
function cut(array $a) { return count($a) > 40 ? array_slice($a, 0, 9) : $a; }
function same(array $a) { return $a; }
function change(&$a, $way) {
    switch ($way) {
        case 0: return next($a);
        case 1: next($a); next($a); return key($a);
        case 2: $a[] = 'more'; return end($a);
        case 3: unset($a[key($a) ?? 'none']); return current($a);
        case 4: return prev($a);
        case 5: $a['in'] = 1; return key($a);
        case 6: reset($a); return key($a);
        default: return [key($a), current($a)];
    }
}
function byValue($a, $way) { $r = change($a, $way); return [$r, key($a)]; }
function byRef(&$a, $way) { $r = change($a, $way); return [$r, key($a)]; }
function byValueGiven(array $a, $way) {
    switch ($way) {
        case 0: next($a); return key($a);
        case 1: unset($a['a'], $a[0]); return [key($a), next($a)];
        case 2: $b = $a; next($b); return [key($a), key($b)];
        case 3: unset($a[key($a) ?? 'none']); return prev($a);
        case 4: end($a); next($a); $b = $a; $a[] = 1; return [key($a), key($b), next($b)];
        case 5: foreach ($a as $k => $v) { unset($a[$k]); if ($k === 'b' || $k === 1) break; } return [key($a), prev($a)];
        default: reset($a); return key($a);
    }
}
function byRefGiven(array &$a, $way) { $b = $a; $a[] = 'x'; $r = byValueGiven($a, $way); next($a); return [$r, key($a), key($b)]; }
function show($a) {
    if (!is_array($a)) { o($a); return; }
    $b = $a;
    echo json_encode([key($a), current($a)]), json_encode($a), json_encode(array_keys($a));
    $a[] = 'tail'; echo json_encode([key($a), prev($a)]);
    for ($n = 0; $n < 4; $n++) { next($b); echo json_encode(key($b)); }
    echo "\n";
}
