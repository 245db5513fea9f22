<?php
// By-reference parameters, returns and builtins that write to their arguments.
function set(&$x, $value) { $old = $x; $x = $value; return $old; }
$v = 1;
set($v, 2);
set($fresh, 'created');
set($array['a']['b'], 'deep');
$o = new stdClass;
set($o->p, 'prop');
echo $v, $fresh, json_encode($array), json_encode($o), "\n";
function &pick(array &$list, $key) { return $list[$key]; }
$list = ['x' => 1];
$ref = &pick($list, 'x');
$ref = 9;
$new = &pick($list, 'y');
$new = 'why';
echo json_encode($list), "\n";
$s = [3, 1, 2];
sort($s);
preg_match('/(\d)/', 'a7', $m);
echo json_encode([$s, $m, array_pop($s), array_shift($s), end($s)]), "\n";
try {
    eval('set(5, 1);');
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
function value() { return [1, 2]; }
echo end(value()), "\n";
$f = function (&$x) use (&$v) { $x++; $v = 'captured'; };
$n = 1;
$f($n);
call_user_func_array($f, [&$n]);
echo $n, $v, "\n";
