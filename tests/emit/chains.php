<?php
echo $a->b['c']->d(1)->e::$f;
echo $a?->b->c['d'];
echo $a->b?->c(f())->d;
isset($a?->b->c, $d['e']);
empty($a?->b);
$x = $a?->b ?? 'none';
unset($a->b['c'], $d, $GLOBALS['e']);
$class::$prop['k'];
$o->{'a' . $b}($c);
(fn() => 1)();
