<?php
// A result that nobody wants goes before the locals of the function, however it is returned.
class L { public $n; function __construct($n) { $this->n = $n; } function m() { return $this; } function __destruct() { echo $this->n, ' '; } }
function id($x) { return $x; }
function a() { $o = new L('o'); $p = new L('p'); return $o; }
function b() { $o = new L('o'); $p = new L('p'); return id($o); }
function c() { $o = new L('o'); $p = new L('p'); return $o->m(); }
function d() { $o = new L('o'); $p = new L('p'); foreach ([1] as $v) { return $o->m(); } }
function e() { $o = new L('o'); $p = new L('p'); foreach ([1] as $v) { return $o; } }
function f() { $o = new L('o'); $p = new L('p'); foreach ([1] as &$v) { foreach ([1] as $k) return id($o); } }
function g() { $o = new L('o'); $p = new L('p'); try { return id($o); } finally { echo 'f '; } }
function h() { $o = new L('o'); $p = new L('p'); switch (1) { case 1: return id($o); } }
function &i() { $o = new L('o'); $p = new L('p'); return $o; }
function j(): L { $o = new L('o'); $p = new L('p'); return id($o); }
function k(): L { $o = new L('o'); $p = new L('p'); return $o; }
function l() { $o = new L('o'); $p = new L('p'); return [$o]; }
function n() { $o = new L('o'); $p = new L('p'); return clone $o; }
function o() { $o = new L('o'); $p = new L('p'); return new L('q'); }
foreach (range('a', 'o') as $f) { if ($f == 'm') continue; echo "$f: "; $f(); echo "| "; $x = $f(); $x = null; echo "| "; eval("$f();"); echo "| "; eval("\$x = $f(); \$x = null;"); echo "\n"; }
a(); echo "|"; b(); echo "|"; c(); echo "|"; d(); echo "|"; f(); echo "|"; g(); echo "|"; j(); echo "|"; l(); echo "|"; n(); echo "|"; o(); echo "\n";
(new class { function __call($n, $a) { $o = new L('o'); $p = new L('p'); return id($o); } })->zz(); echo "\n";
