<?php
($a + $b) * $c - ($d - $e) . 'x' . ($f . 'y');
'a' . 'b' . 1 . 2.50 . $c . 'd' . 'e';
!($a && $b) || ($c xor $d) and $e = $f ?? ($g ?: $h);
-(-$a) ** 2 + (-$b) ** 2; (clone $a)->b; (clone $a)['b']; ($a = $b)['c'];
"x\n\0\$ 'q' {$a}b $c[0] ${'v'} {$d->e}"; 'it\'s'; "tab\t"; `ls $x`; `pwd`;
$a->{'b'}->{'c d'}->{$e . 'f'}->$g->{$$h}; A::$b; A::$$b; A::{'c'}; $a::class; 'F'::g(); 'f'();
isset($a, $b) + 1; empty($a); exit; exit(1); eval('x'); include 'a' . 'b'; print $a + print $b;
new A; new A(...$b, c: 1); new class(1) extends B { public $x = 1; }; f(...); (fn() => yield)();
$a ? $b : ($c ? $d : $e); ($a ?: $b) ?: $c; $x = yield $k => $v; [1, 'k' => 2, ...$r, &$s]; list($a, list($b)) = $c;
1.5; 100000.0; 1e14; 1e15; -1.5e-7; 0.0001; 0.00001; 1e999; PHP_INT_MAX; \A\B; namespace\C; __LINE__;
