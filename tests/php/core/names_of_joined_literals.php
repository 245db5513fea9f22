<?php
function f() { ${'zz' . '1'} = array_keys(get_defined_vars()); var_dump($zz1);
 $n = 'yy'; $$n = array_keys(get_defined_vars()); var_dump($yy);
 ${'ab' . 'xy'} = isset($abxy) ? 1 : 2; var_dump($abxy);
 $b = 'q'; $$b = ($b = 'r'); var_dump($q ?? null, $r ?? null);
 ${'c' . 'c'} = ${'c' . 'c'} ?? 'unset'; var_dump($cc);
 ${'d' . 'd'} .= 'x';
 ${'e' . 'e'}[] = ${'e' . 'e'};
 var_dump($ee);
 $x = 1; ${'x' . ''} = $x + 1; var_dump($x);
 ${'u' . 'u'} = &$x; $uu++; var_dump($x);
 [${'l' . 'l'}, ${'m' . 'm'}] = [1, isset($ll)]; var_dump($ll, $mm);
 foreach ([1, 2] as ${'fo' . 'o'}); var_dump($foo);
 unset(${'fo' . 'o'}); var_dump(isset($foo), isset(${'ab' . 'xy'}));
 global ${'gl' . 'ob'}; 
 ${'n' . 1} = ${'n' . 1} = 3; var_dump($n1);
 set_error_handler(function ($n, $m) { echo "[$m]"; });
 ${'nu' . 'll'}[$undef] = $undef2; ${$undef3} = 1; ${'pp' . 'p'} = $undef4; echo ${'no' . 'ne'}; ${'no' . $undef5} = $undef6; 
}
f();
