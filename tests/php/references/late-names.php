<?php
// `$$name = value`: the variable that holds the name is read when the value is there, and when the keys behind it are.

function next_name(string &$name): string { return ++$name; }

$n = 'a';
$$n = next_name($n);
echo json_encode([$n, $a ?? null, $b ?? null]), "\n";
$n = 'c';
$$n .= next_name($n);
echo json_encode([$n, $c ?? null, $d ?? null]), "\n";
$n = 'e';
$$n['k'] = next_name($n);
echo json_encode([$n, $e ?? null, $f ?? null]), "\n";
$n = 'g';
$$n[++$n] = 'value';
echo json_encode([$n, $g ?? null, $h ?? null]), "\n";
$n = 'i';
$i = ['j' => 1];
$j = ['j' => 2];
echo $$n[++$n], "\n";
$n = 'k';
$$n = $$n[++$n] = "test";
echo json_encode([$n, $k ?? null, $l ?? null]), "\n";
