<?php
// The order of the warnings where several variables are not defined, and how often one of them is reported.
set_error_handler(function ($level, $message) { echo "  $message\n"; return true; });
function show(...$values) { echo "  ", json_encode($values), "\n"; }
function t($l,$f){ echo "$l\n"; try { $f(); } catch (Throwable $e) { echo "  ", get_class($e),': ',$e->getMessage(),"\n"; } }
t('nested', function(){ $a=[]; $a[$k]=$a[$j]; show($a); });
t('nested', function(){ $a=null; $a->p[$k]=$b[$j]; });
t('arrlit', function(){ show([$a=>$b, $c=>$d]); });
t('ter', function(){ show($a ? $b : $c); });
t('call', function(){ show(max($a,$b), $a, $b); });
t('echo', function(){ echo $a, $b, $c; print $d; });
t('assignop', function(){ $a += $b; $c .= $d; $e ??= $f; $g = $h; $i = $j = $k; $l++; --$m; });
t('vv', function(){ $$a = $b; });
t('clone', function(){ clone $a; });
t('throw', function(){ throw $a; });
t('ret', function(){ return $a; });
t('yield', function(){ foreach ((function(){ yield $a => $b; yield $c;})() as $x=>$y) ; });
t('foreach', function(){ foreach ($a as $b); });
t('switch', function(){ switch($a) { case $b: case $c: } });
t('switch', function(){ switch($a) { case 1: case 2: } });
t('match', function(){ echo match($a) { $b, $c => 1, default=>2 }; });
t('match', function(){ echo match($a) { 1, 2 => 1, default=>2 }; });
t('match', function(){ echo match($a) { 1, 'x' => 1, default=>2 }; });
t('match', function(){ echo match($a) { 1=>1 }; });
t('match', function(){ echo match($a) { 1, 1000=>1 }; });
t('match', function(){ echo match($a) { 'a','b'=>1 }; });
t('match', function(){ echo match($a) { 1.5, 1 =>1 }; });
t('match', function(){ echo match(true) { $a, $b =>1 }; });
t('isset', function(){ show(isset($a[$k]), isset($a[$k][$j]), empty($a[$k]), $a[$k] ?? 1, isset($a->$k), isset($a->b[$k])); $a=[]; show(isset($a[$k]), isset($a[$k][$j]), empty($a[$k]), $a[$k] ?? 1); });
t('cmp', function(){ show($a>$b, $a>=$b, $a<$b, $a<=>$b, $a==$b, $a.$b, "$a$b", $a+$b, $a??$b, $a?:$b, $a xor $b, $a && $b || $c); });
t('match', function(){ echo match($a) { -1, 1000, 5 => 1, default => 2 }; });
t('match', function(){ $b = 1000; echo match($b) { -1, 1000, 5 => 1, default => 2 }; });
t('match', function(){ $b = '5'; echo match($b) { 5, '5', 'x' => 1, default => 2 }; });
t('match', function(){ $b = 7; echo match($b) { PHP_INT_MAX, PHP_INT_MIN, 7 => 1, 7 => 2 }; });
t('match', function(){ $b = 7; echo match($b) { 9223372036854775807, -9223372036854775807, 7 => 1, 7 => 2 }; });
t('switch', function(){ switch ($a) { case 1: case 1000: case 5: case 70: case 9: case 100000: } });
t('switch', function(){ $b = 100000; switch ($b) { case 1: case 1000: case 5: case 70: case 9: break; case 100000: echo 'found'; } });
t('constant arrays as text', function(){ show($a . [1], [1] . $b, $c . 'x' . [2] . $d); });
t('unknown names', function(){ call_user_func_array('single', ['k' => 1, 2]); });
t('positional after named', function(){ call_user_func_array('single', ['x' => 1, 2]); });
function single($x = 1) {}
