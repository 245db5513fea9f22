<?php
set_error_handler(function ($n, $m) { echo "[$m]"; return true; });
function f() {
 $q = []; $q[$undef] = 1; var_dump(count($q));
 $q = [1]; $q[$undef] = 1; var_dump(count($q));
 $q = [1]; $q[] = 3; $q[$undef] = 1; var_dump(count($q));
 $q = []; $q[$undef][] = 1; var_dump(count($q));
 $q = []; $q[$undef]['x'] = 1; var_dump(count($q));
 $q = []; $q['x'][$undef] = 1; var_dump(json_encode($q));
 $q = []; $q[1.5] = 1; var_dump(json_encode($q));
 $q = []; $q[1.5][2.5] = 1; var_dump(json_encode($q));
 $q = []; $q[$undef] .= 'x'; var_dump(json_encode($q));
 $q = []; $q['k'] .= 'x'; var_dump(json_encode($q));
 $q = []; $q['k']['l'] .= 'x'; var_dump(json_encode($q));
 $q = []; $q[$undef]++; var_dump(json_encode($q));
 $q = []; $r = &$q[$undef]; var_dump(json_encode($q)); unset($r);
 $q = ['' => 1]; unset($q[$undef]); var_dump(json_encode($q));
 $q = ['' => [1]]; unset($q[$undef][0]); var_dump(json_encode($q));
 $q = []; $q[$undef][$undef2] = $undef3; var_dump(json_encode($q));
 $q = []; $q['x'][] = $undef3; var_dump(json_encode($q));
 $q = []; $q[] = $undef3; var_dump(json_encode($q));
 $q = []; [$q[$undef], $q['b']] = [1, 2]; var_dump(json_encode($q));
 $q = []; foreach ([1, 2] as $q[$undef]); var_dump(json_encode($q));
 $x = null; $x[$undef] = 1; var_dump(json_encode($x));
 $x = false; $x[$undef] = 1; var_dump(json_encode($x));
 $o = new stdClass; $o->p[$undef] = 1; var_dump(json_encode($o));
 $o = new stdClass; $o->p[$undef][] = 1; var_dump(json_encode($o));
 $o = new ArrayObject; $o[$undef] = 1; $o[$undef][] = 1; var_dump(count($o));
}
f();
