<?php
[$a, , $b] = $pair;
['x' => $a, 'y' => [$b, $c]] = f();
[$a, $b] = [$b, $a];
list($o->p, $l[]) = $pair;
[$l[f()]] = $pair;
[&$r, [$s, &$t]] = $pair;
echo ([$a] = $pair);
