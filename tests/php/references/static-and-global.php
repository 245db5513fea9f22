<?php
// References to statics and globals.
function &counter() { static $n = 0; $n++; return $n; }
$c = &counter();
$c = 10;
echo counter(), "\n";
function reg() { static $list = []; $list[] = count($list); return $list; }
reg();
echo count(reg()), "\n";
$g = 1;
function bind() { $local = 5; $GLOBALS['g'] = &$local; }
bind();
echo $g, "\n";
function viaGlobal() { global $fresh; $fresh['k'][] = 1; }
viaGlobal();
viaGlobal();
echo count($fresh['k']), "\n";
class S { public static $list = []; }
$s = &S::$list['deep']['er'];
$s = 1;
echo json_encode(S::$list), "\n";
$fn = function () use (&$late) { return $late; };
$late = 'bound late';
echo $fn(), "\n";
