<?php
// Building strings: in place, in loops, with every type.
$s = '';
for ($i = 0; $i < 1000; $i++) {
    $s .= chr(97 + $i % 26);
}
echo strlen($s), md5($s), "\n";
$a = 'x';
$b = $a;
$a .= 'y';
echo $a, $b, "\n";
echo 1 . 2, 1.0 . '', true . false . null . 'end', -1 . 'a', "\n";
$arr = ['k' => 'v'];
$arr['k'] .= 'w';
$arr['new'] ??= 'n';
$o = new stdClass;
$o->s = 'o';
$o->s .= $o->s . $arr['k'];
echo $arr['k'], $o->s, "\n";
function f() { return 'call'; }
echo 'a' . f() . "{$arr['k']}" . PHP_EOL;
echo 'precedence: ' . 1 + 2 . "\n";
