<?php
// isset and empty on every kind of place.
$a = ['null' => null, 'zero' => 0, 'str' => 'text', 'nested' => ['x' => ['y' => 0]], 'obj' => (object) ['p' => null, 'q' => ['k' => 'v']]];
foreach (['null', 'zero', 'str', 'none'] as $k) { echo $k, (int) isset($a[$k]), (int) empty($a[$k]), (int) array_key_exists($k, $a), ' '; }
echo "\n";
var_dump(isset($a['nested']['x']['y']), isset($a['nested']['x']['z']['w']), empty($a['nested']['x']['y']), isset($a['str']['x']), isset($a['str'][0]), isset($a['str'][0][0]), isset($a['str'][9]), isset($a['obj']->p), isset($a['obj']->q['k']), isset($a['obj']->none->deep), empty($a['obj']->q['none']));
var_dump(isset($u), isset($u['x']), isset($u->x), isset($u->x['y']->z), empty($u), empty(''), empty('0'), empty([]), empty(0.0), empty('a'), empty(fn() => 1));
class S { public static $p = ['k' => 1]; const C = ['x' => ['y' => 1]]; public ?int $typed; public function m() { return ['r' => 5]; } }
$s = new S;
var_dump(isset(S::$p['k']), isset(S::$none), isset(S::C['x']['y']), isset(S::C['z']), isset($s->typed), isset($s->m()['r']), empty($s->m()['none']), isset($s?->typed), isset($a['zero'], $a['str']), isset($a['zero'], $a['none']));
