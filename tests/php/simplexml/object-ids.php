<?php
// Which ids objects of SimpleXML take, and how long they keep them.
function ids($w) { $a = new stdClass; $b = new stdClass; $c = new stdClass; echo $w, ': ', spl_object_id($a), ' ', spl_object_id($b), ' ', spl_object_id($c), "\n"; $l = [spl_object_id($a) => $a, spl_object_id($b) => $b, spl_object_id($c) => $c]; unset($a, $b, $c); krsort($l); foreach (array_keys($l) as $k) unset($l[$k]); }
ids('start');
$x = new SimpleXMLElement('<r/>'); ids('new');
$x->a = 1; ids('set');
$x->a[1] = 'two'; ids('set elem');
$x->b->c['d'] = 'e'; ids('nested');
$x->addChild('f'); ids('addChild');
$x->h = null; ids('null');
$x->{'i-j'} = 'k';ids('name');
 $x['at'] = 5; ids('attr');
 $x->asXML(); ids('asXML');
 foreach ($x->a as $i => $a) echo $i, '=', $a, ' '; ids('foreach'); unset($a); ids('unset');
 count($x->a); ids('count'); isset($x->a[2]); ids('isset'); $_=(string)$x->a[1]; ids('str');
 $x->a == '1'; ids('cmp'); $x->count(); ids('cnt'); $x->nope; ids('nope');
 $t = [$x->a, $x->nope, $x->b]; ids('array'); unset($t); ids('unset');
 $_ = (array)$x; unset($_);ids('cast'); json_encode($x); ids('json');  $x->a[0] + 5; ids('add'); "$x->b"; ids('cat');
 var_dump($x); ids('dump'); $y = $_ = (array)$x; unset($_);ids('arr'); var_dump($y); unset($y); ids('arr gone');
 $y = simplexml_load_string('<l><i v="1">a</i><i v="2">b</i></l>'); ids('load'); $z = clone $y; ids('clone'); $p = $y->xpath('i'); ids('xpath'); $d = dom_import_simplexml($y); ids('dom'); unset($d); ids('nodom'); iterator_to_array($y->i); ids('i2a'); unset($y->i[0]); ids('unset'); foreach ($y->children() as $c) ids('in'); unset($c); ids('out'); foreach ($y->i[0]->attributes() as $k => $v) ids('attrs'); unset($v); ids('end');
 var_dump(count($x->a), $x->nope, $x->a == 1, (array)$x->b, $x->b->c['d'], [$x->b, $x->f]);  ids('args');
