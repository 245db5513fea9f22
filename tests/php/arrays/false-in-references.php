<?php
// What becomes an array says so, but not where a reference to false gets an element that is gone into.
echo "1\n"; $a = false; $b = &$a; $b[] = 1;
echo "2\n"; $a = false; $b = &$a; $b[0][1] = 1;
echo "3\n"; $c = false; $c[0][1] = 1;
echo "4\n"; $c = false; $r = &$c[0];
echo "5\n"; $a = false; $b = &$a; $r = &$b[0];
echo "6\n"; $a = [false]; $a[0][1] = 1;
echo "7\n"; $a = [false]; $a[0][1][2] = 1;
echo "8\n"; $x = false; $a = [&$x]; $a[0][1][2] = 1;
echo "9\n"; $x = false; $a = [&$x]; $a[0][1] = 1;
echo "10\n"; $x = false; $a = [&$x]; $r = &$a[0][1];
echo "11\n"; $o = new stdClass; $o->p = false; $o->p[1] = 1;
echo "12\n"; $o = new stdClass; $o->p = false; $o->p[1][2] = 1;
echo "13\n"; $o = new stdClass; $o->p = false; $q = &$o->p; $o->p[1][2] = 1;
echo "14\n"; $a = false; $b = &$a; $b[0][1] ??= 1;
echo "15\n"; $a = false; $b[0][1] ??= 1;
echo "16\n"; $a = false; $b = &$a; $b[0] ??= 1;
echo "17\n"; $a = false; $a[0] ??= 1;
echo "18\n"; $a = false; $b = &$a; $b[0] .= 1;
echo "19\n"; $a = false; $b = &$a; $b[0][1] .= 1;
echo "20\n"; $a = false; $b = &$a; unset($b[0]);
echo "21\n"; $a = false; $b = &$a; unset($b[0][1]);
echo "22\n"; $a = false; $b = &$a; foreach ($b[0] as &$v);
echo "23\n"; $a = false; $b = &$a; try { sort($b[0]); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
echo "24\n"; $a = false; unset($b); $b = &$a; $b[0]++;
echo "25\n"; $a = false; unset($b); $b = &$a; $b[0] = &$zz;
echo "26\n"; $a = false; unset($b); $b = &$a; foreach ([1] as $b[1]);
echo "27\n"; $a = false; unset($b); $b = &$a; [$b[0]] = [1];
echo "28\n"; $a = false; unset($b); $b = &$a; $b[][] = 1;
echo "29\n"; $a = false; unset($b); $b = &$a; $b[0]->x ?? 1; isset($b[0][1]);
echo "30\n"; $o = new stdClass; $o->p = false; $q = &$o->p; $o->p[1] = 1;
echo "31\n"; class SS { static $s = false; } SS::$s[1][2] = 1; SS::$s = false; $ss = &SS::$s; SS::$s[1][2] = 1; 
echo "32\n"; $a = false; unset($b); $b = &$a; try { $b[0]->x = 1; } catch (Error $e) { echo $e->getMessage(); }
echo "33\n"; function fr() { global $gl; $gl = false; $gl[1][2] = 3; static $st = false; $st[1][2] = 3; } fr();
echo "34\n"; $z = false; (function() use (&$z) { $z[1][2] = 3; })(); $z = false; (function(&$z) { $z[1][2] = 3; })($z);
