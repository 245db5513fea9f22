<?php
// Loops over nothing leave their variables alone.
function nothing(array $list) { return $list; }
$value = 'value';
$key = 'key';
$none = [];
foreach ($none as $value) { echo "never\n"; }
foreach (nothing([]) as $key => $value) { echo "never\n"; }
foreach (array_slice([1], 1) as $value) { echo "never\n"; }
foreach ([] as $value) { echo "never\n"; }
$gone = [1, 2];
unset($gone[0], $gone[1]);
foreach ($gone as $key => $value) { echo "never\n"; }
$reference = &$none;
foreach ($reference as $value) { echo "never\n"; }
var_dump($value, $key);

// Elements added to arrays that are literal.
function add($name, $value) { $list = []; $list[$name] = $value; $list["{$name}2"] = $value; return $list; }
var_dump(add('name', 1), add('5', 2), add(7, [3]), add("new" . strlen('x'), 'v'));
function keep() { $list = []; $copy = $list; $name = 'n'; $list[$name] = 1; return [$list, $copy]; }
var_dump(keep(), keep());

// What is silenced, in frames that have nothing else.
function silent($x) { $y = @$x['missing']; return $y ?? 'null'; }
var_dump(silent([]), @silent(null), error_reporting() === E_ALL);
function throws() { return @intdiv(1, 0); }
try { throws(); } catch (DivisionByZeroError $e) { echo $e->getMessage(), ' ', error_reporting() === E_ALL ? 'all' : 'less', "\n"; }
function changes() { return @error_reporting(E_ERROR) + 0; }
changes();
var_dump(error_reporting() === E_ERROR);
error_reporting(E_ALL);

// Assignments whose values are used.
function assigned() { $a = $b = $c = [1]; $a[] = 2; $s = $t = str_repeat('x', 3); $s .= 'y'; return [$a, $b, $c, $s, $t, $u = $t, $u = $u]; }
echo json_encode(assigned()), "\n";
var_dump(number_format(1234.5), number_format(0.125, 2), number_format(-0.004, 2), number_format(1e15, 3), number_format(123456789.987654321, 9), number_format(0.1 + 0.2, 15), number_format(-1234567.891, 2, ',', '.'), number_format(1e300, 1) === '1' . substr(number_format(1e300, 1), 1), number_format(2.675, 2), number_format(1.005, 2), number_format(0.5), number_format(9.995, 2), number_format(99999999999999.99, 2));
