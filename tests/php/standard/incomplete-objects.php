<?php
ob_start(fn($text) => preg_replace('/#\d+/', '#', $text));
set_error_handler(function ($n, $m) { echo preg_replace("~\{closure.*\}\(\)~", "{closure}()", "[$n: $m]"), "\n"; return true; });
function t($f) { try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } }
$o = unserialize('O:4:"Nope":3:{s:1:"a";i:1;s:4:"'."\0*\0".'b";i:2;s:7:"'."\0Nope\0".'c";a:1:{i:0;i:5;}}');
t(fn() => $o->a); t(fn() => $o->zz); t(fn() => isset($o->a)); t(fn() => empty($o->a)); t(fn() => $o->a = 5); t(function() use ($o) { unset($o->a); }); t(fn() => $o->foo()); t(fn() => $o::foo()); t(fn() => $o->a ?? 'd'); t(fn() => $o?->a);
t(fn() => $o->a[] = 1); t(fn() => $o->a['x']['y'] = 1); t(fn() => $o->a->b = 1); t(fn() => $o->a++); t(fn() => $o->a .= 'x'); t(function() use ($o) { $r = &$o->a; $r = 6; return $r; }); t(function() use ($o) { unset($o->c[0]); });
t(fn() => get_class($o)); t(fn() => gettype($o)); t(fn() => is_object($o)); t(fn() => get_object_vars($o)); t(fn() => (array)$o); t(function() use ($o) { foreach ($o as $k => $v) { echo "$k="; var_dump($v); } }); t(fn() => serialize($o)); t(fn() => json_encode($o)); t(fn() => var_export($o, true)); t(fn() => print_r($o, true)); t(fn() => count((array)$o));
t(fn() => method_exists($o, 'foo')); t(fn() => property_exists($o, 'a')); t(fn() => $o instanceof __PHP_Incomplete_Class); t(fn() => is_a($o, 'Nope')); t(fn() => get_parent_class($o)); t(fn() => is_callable([$o, 'x'])); t(fn() => call_user_func([$o, 'x'])); t(fn() => (string)$o); t(fn() => (int)$o); t(fn() => (bool)$o); t(fn() => $o == clone $o); t(fn() => $o <=> 5);
t(fn() => serialize(unserialize(serialize($o))) === serialize($o)); t(fn() => $o()); t(fn() => $o['x']); t(fn() => get_debug_type($o)); t(fn() => spl_object_id($o) > 0);
 t(fn() => (new ReflectionClass($o))->getName());  t(fn() => (new ReflectionProperty($o, 'a'))->getValue($o));
$n = new __PHP_Incomplete_Class; t(fn() => $n->x); t(fn() => $n->x = 1); t(fn() => serialize($n)); t(fn() => isset($n->x)); t(function() use ($n) { unset($n->x); }); t(fn() => $n->m());
t(fn() => unserialize('O:8:"stdClass":1:{s:1:"x";O:3:"Foo":0:{}}', ['allowed_classes' => false])); t(fn() => serialize(unserialize('O:8:"stdClass":1:{s:1:"x";O:3:"Foo":0:{}}', ['allowed_classes' => false])));
t(fn() => unserialize('O:22:"__PHP_Incomplete_Class":1:{s:27:"__PHP_Incomplete_Class_Name";s:3:"abc";}')); t(fn() => serialize(unserialize('O:22:"__PHP_Incomplete_Class":1:{s:27:"__PHP_Incomplete_Class_Name";s:3:"abc";}')));
t(fn() => array_column([$o], 'a')); t(fn() => array_map(fn($x) => $x, (array)$o)); t(fn() => iterator_to_array(new ArrayIterator($o))); t(fn() => http_build_query($o)); t(fn() => unserialize('C:3:"Bar":0:{}')); t(fn() => unserialize('E:7:"Bar:Baz";')); t(fn() => clone $o);
t(function() use ($o) { array_walk($o, function($v, $k) { echo strlen($k), "\n"; }); }); t(fn() => $o->__PHP_Incomplete_Class_Name); t(fn() => Closure::bind(fn() => $this->a, $o)()); t(fn() => array_key_exists('a', (array)$o)); t(fn() => $o->{'a'} ??= 7); t(function() use ($o) { [$o->q, $o->w] = [1, 2]; }); t(function() use ($o) { foreach ([1] as $o->q) {} }); t(fn() => key($o));
