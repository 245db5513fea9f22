<?php
// Elements that are added one by one, by name and by number, with and without others that hold the array.
class D { function __construct(public string $n) {} function __destruct() { echo "~$this->n\n"; } }
function make($a, $b, &$r) {
    $x = ['first' => $a, 'second' => [$b, 'in' => $a], 'third' => $r, 'first' => 'again', '5' => 'five', '' => 'empty', '-0' => 1];
    $r = 'changed';
    return $x;
}
$r = 'by reference';
foreach ([1, 'two', 3.5, null, [4]] as $v) { echo json_encode(make($v, $v, $r)), "\n"; }
function many($v) {
    return ['a' => $v, 'b' => $v, 'c' => $v, 'd' => $v, 'e' => $v, 'f' => $v, 'g' => $v, 'h' => $v, 'i' => $v, 'j' => $v, 'a' => 0];
}
$m = many('m'); $n = $m; $n['k'] = 1; $n['a'] = 2;
echo json_encode($m), json_encode($n), count($n), "\n";
function names() {
    $x = [];
    $x['one'] = 1; $x['two'] = new D('two'); $x['one'] = 'once more'; $x['7'] = 'seven'; $x[] = 'eight';
    $x['two'] = null;
    $y = $x; $y['three'] = 3; unset($x['one']); $x['one'] = 'last'; $x['self'] = $x;
    echo json_encode($x), json_encode($y), "\n";
    $z = []; $z['e'] = $z; $z['f'] = $z; echo json_encode($z), "\n";
    $k = 'dyn' . count($z);
    for ($i = 0; $i < 12; $i++) { $d[$k . $i] = $i; }
    $d[$k . '3'] = 'three'; $key = '12'; $d[$key] = 'number'; $d[] = 'thirteen';
    echo json_encode($d), "\n";
    $l = []; for ($i = 0; $i < 10; $i++) { $l[$i] = "v$i"; } $l[12] = 'hole'; $l[] = 'end'; $l['s'] = 's';
    echo json_encode($l), "\n";
    $o = [3 => 'a']; $o[0] = 'b'; $o[4] = 'c'; $o[] = 'd'; echo json_encode($o), "\n";
    $p = ['x', 'y']; unset($p[1]); $p[1] = 'z'; $p[2] = 'w'; echo json_encode($p), "\n";
    $q = ['x', 'y']; array_pop($q); $q[1] = 'z'; $q[] = 'w'; echo json_encode($q), "\n";
    foreach ($q as $i => &$e) { if ($i < 4) { $q[count($q)] = $i; } }
    unset($e); echo json_encode($q), "\n";
    return ['undefined' => $nothing, 'then' => 1];
}
set_error_handler(function ($n, $text) { echo $text, "\n"; return true; });
echo json_encode(names()), "\n";
set_error_handler(function ($n, $text) { throw new Exception($text); });
function fails() { return ['held' => new D('held'), 'undefined' => $nothing]; }
try { fails(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
