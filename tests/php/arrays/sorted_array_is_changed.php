<?php
class S { public $k; function __construct(public $v, $k = 0) { $this->k = $k; } function __toString(): string { if ($this->k == 1) $GLOBALS['d'] = ['new']; if ($this->k == 2) $GLOBALS['d'][] = 'more'; if ($this->k == 3) unset($GLOBALS['d']); if ($this->k == 4) { global $d; $d[0] = 'w'; } return (string) $this->v; } }
foreach (['sort', 'rsort', 'asort', 'natsort', 'array_multisort', 'usort', 'uasort', 'array_unique', 'shuffle'] as $f) for ($k = 0; $k < 5; $k++) {
  $d = [new S('b'), new S('a', $k), new S('c')];
  if ($f == 'usort' || $f == 'uasort') $f($d, fn($a, $b) => strcmp($a, $b)); elseif ($f == 'natsort') natsort($d); elseif ($f == 'array_multisort') array_multisort($d, SORT_STRING); elseif ($f == 'shuffle') $d = count($d); elseif ($f == 'array_unique') $d = array_unique($d, SORT_STRING); else $f($d, SORT_STRING);
  echo "$f $k "; foreach ((array) ($d ?? ['gone']) as $i => $x) echo $i, '=', is_object($x) ? $x->v : $x, ' '; echo "\n";
}
function loc() { $l = ['k' => 'v']; $w = new class($l) { public $r; function __construct(&$l) { $this->r = &$l; } function __toString() { $this->r['k'] = 'changed'; $this->r['n'] = 1; return '+s'; } };
 $l['k'] .= $w; echo json_encode($l), "\n"; $l['z'] = 'a'; $l['z'] .= $w; echo json_encode($l), "\n"; }
loc();
$str = 'hello'; set_error_handler(function ($n, $m) { global $str; echo "[$m]"; $str = 'changed'; return true; }); $str[$nope5] = 'X'; var_dump($str); $str = 'hello'; $str[1] = $nope6 ?? 'Y'; var_dump($str); $str = 'abc'; $str['1x'] = 'Q'; var_dump($str); 
