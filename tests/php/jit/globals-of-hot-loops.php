<?php
// Loops outside of functions whose variables are read and written by what they call: functions, methods, closures, generators.
function shared() { global $given, $n; $n++; return $given; }
function viaGlobals() { $GLOBALS['n'] = $GLOBALS['n'] + 1; return $GLOBALS['given'] . '!'; }
function deep($k) { if ($k > 0) return deep($k - 1); global $given; $given .= $k; return $given; }
function big() { global $given, $n, $list; $s = 0; for ($i = 0; $i < 5; $i++) { $s += strlen($given) + $n; if ($s > 1000) { $s -= 999; } } $list[] = $s; if (count($list) > 10) { array_shift($list); } return $s; }
function setter($v) { global $given; $given = "set $v"; }
function unsetter() { unset($GLOBALS['given']); }
function refret() { global $n; return $n; }
class T { public $p; function __toString() { global $given; return "T:$given"; } function __get($x) { global $n; return $n; } function m() { global $given; $given = strrev($given); return $given; } static function s() { global $n; return $n * 2; } function __destruct() { global $n; $n += 100; } }
$n = 0; $list = []; $given = 'start'; $out = '';
$cb = function ($x) { global $given; return $x . $given; };
$arrow = fn($x) => $GLOBALS['given'] . $x;
for ($i = 0; $i < 120; $i++) {
    $given = "x $i";
    $out .= shared() . '|' . viaGlobals() . '|' . deep(3) . '|';
    $out .= big() . '|';
    setter($i); $out .= $given . '|';
    $t = new T; $out .= $t . $t->zz . $t->m() . T::s() . '|';
    $t = null; $out .= $n . '|';
    $out .= $cb('c') . $arrow('a') . implode(',', array_map($cb, [1, 2])) . '|';
    if ($i % 10 == 3) { unsetter(); $out .= isset($given) ? 'set' : 'unset'; $given = 'again'; }
    $r = &$given; $r .= 'R'; $out .= shared(); unset($r);
    $copy = $given; $given = [$copy, $i]; $out .= json_encode(shared()); $given = 3.5 + $i; $out .= shared() * 2; $given = $i; $out .= shared() + 1;
    $out .= "\n";
}
echo md5($out), ' ', $n, "\n"; 
$sum = 0; $k = 0; $flag = false;
function step() { global $k, $sum, $flag; $k++; $sum += $k; if ($k > 500) $flag = true; }
while (!$flag) { step(); if ($k % 7 == 0) { $sum -= 1; } }
echo $k, ' ', $sum, "\n";
$acc = ''; $word = '';
function add() { global $acc, $word; $acc .= $word; return strlen($acc); }
foreach (range(1, 300) as $v) { $word = chr(65 + $v % 26); if (add() > 50) { $acc = substr($acc, 25); } }
echo $acc, "\n";
function gen() { global $v; while (true) { $got = yield $v; if ($got) return; } }
$g = gen(); $o = 0; for ($v = 0; $v < 200; $v++) { $o += $g->current(); $g->next(); } echo $o, "\n";
function incf() { global $loc; $loc .= 'z'; return strlen($loc); }
$loc = ''; $tot = 0; for ($q = 0; $q < 150; $q++) { $loc .= $q; $tot += incf(); if (strlen($loc) > 40) $loc = 'r'; } echo $tot, $loc, "\n";
function inner() { $loc2 = 'in'; $z = ''; for ($i = 0; $i < 100; $i++) { $z .= extract(['loc2' => $i]) . $loc2 . incf(); } return md5($z); } echo inner(), "\n";
