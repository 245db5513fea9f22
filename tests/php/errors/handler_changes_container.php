<?php
// A handler changes the very container that is being written to.
$log = [];
set_error_handler(function ($n, $m) { global $log; $log[] = preg_replace('/.*(Undefined [a-z ]+|Array to|false).*/', '$1', $m); return true; });
$log['v'] = $none; echo json_encode($log), "\n";
$log = []; $log['b']['c'] = $none; echo json_encode($log), "\n";
$log = []; $log['k'] .= 'x'; echo json_encode($log), "\n";
$log = []; $log['k']++; echo json_encode($log), "\n";
$log = []; $log[] = $none; echo json_encode($log), "\n";
$log = []; $log[$none] = 1; echo json_encode($log), "\n";
$log = ['a' => []]; $log['a'] .= 'y'; echo json_encode($log), "\n";
$log = ['f' => false]; $log['f']['x'] = 1; echo json_encode($log), "\n";
$log = ['n' => [1]]; unset($log['n'][$none]); echo json_encode($log), "\n";
$log = []; [$log['p'], $log['q']] = [$none, 2]; echo json_encode($log), "\n";
class P { public $list = []; public static $all = []; function put($x) { $this->list['k'] = $x; $this->list[$x] = 'null'; } }
$p = new P; set_error_handler(function ($n, $m) use ($p) { $p->list[] = 'h'; P::$all[] = 's'; return true; });
$p->list['a'] = $none; $p->list['b'][] = $none; P::$all['c'] = $none; P::$all['d']['e'] .= 'f'; echo json_encode([$p, P::$all]), "\n";
$p->list = []; P::$all = []; $p->list['z'] .= $none; $p->put($none); echo json_encode([$p, P::$all]), "\n";
set_error_handler(function ($n, $m) { global $gone; $gone = 'gone'; return true; });
$gone = ['k' => 1]; $gone['x'] = $none; var_dump($gone);
$gone = ['k' => 1]; $gone[$none] = 2; var_dump($gone);
$gone = ['k' => 1]; $gone['u'] .= 'v'; var_dump($gone);
$gone = ['k' => 1]; var_dump($gone[] = $none); var_dump($gone);
class Wipe { function __toString() { $GLOBALS['gone'] = 5; return 'w'; } }
$gone = ['k' => 'v']; $gone['k'] .= new Wipe; var_dump($gone);
