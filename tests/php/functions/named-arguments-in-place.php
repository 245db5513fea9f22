<?php
function f($a, $b = 2, $c = 3, ...$r) { var_dump(func_get_args(), compact('a','b','c','r')); }
function g($a, $b = 2, $c = 3) { echo "$a $b $c\n"; return $a; }
function h(&$x, $y) { $x .= $y; }
class P { public function __construct(public int $x = 0, public int $y = 0, public ?P $n = null) {} function __call($n, $a) { var_dump($n, $a); } static function __callStatic($n,$a) { var_dump($n,$a); } function m(int $p, string ...$q) { var_dump($p, $q); } }
g(a: 1); g(b: 5, a: 1); g(c: 7, a: 2); g(1, c: 9); g(1, b: 2, c: 4); g(c: 1, b: 2, a: 3);
f(1, c: 5, b: 4); f(a: 1, z: 5);
$s = 'q'; h(y: 'r', x: $s); echo $s, "\n"; h(x: $s, y: $s); echo $s, "\n";
var_dump(new P(y: 5, x: 4), new P(n: new P(y: 1)));
$p = new P; $p->foo(a: 1, b: 2); P::bar(q: 3); $p->m(p: 1, k: 'v'); $p->m(1, ...['a' => 'b']);
try { g(b: 1); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { g(q: 1); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { g(1, a: 1); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { new P(y: 'x', x: 1); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
echo str_pad(string: 'x', length: 5, pad_string: '-'), str_pad(length: 4, string: 'y'), json_encode(value: [1], flags: 0), implode(array: [1,2], separator: ','), "\n";
var_dump(in_array(needle: 1, haystack: [1], strict: true)); 
echo number_format(num: 1234.5, decimals: 2, thousands_separator: ' '), "\n";
$fn = fn(int $u, int $v) => $u - $v; echo $fn(v: 1, u: 5), "\n"; echo call_user_func($fn, v: 2, u: 9), "\n"; echo call_user_func_array($fn, ['v' => 1, 'u' => 3]), "\n";
g(...[1, 2], c: 8); g(...['c' => 1, 'a' => 2]);
function u($a, $b) { return $undefined; } echo @u(b: $nope, a: $p->nope ?? 1);
preg_match(pattern: '/b/', subject: 'abc', matches: $mm, offset: 0); var_dump($mm); preg_match('/b/', 'abc', flags: PREG_OFFSET_CAPTURE, matches: $mn); var_dump($mn);
$arr = ['k' => 3]; g(b: $arr['k'], a: $arr['zz'] ?? 'd'); g(a: strlen(string: 'abc'), b: g(a: 'in'));
function &rr() { static $x = 5; return $x; } g(b: rr(), a: 1);
foreach ([1,2] as $i) g(c: $i, a: $i * 2);
function gg() { g(a: yield 1, b: yield 2); } $q = gg(); $q->current(); $q->send('A'); $q->send('B');
sort(array: $arr); array_push($arr, ...[4]); usort(callback: fn($a, $b) => $b <=> $a, array: $arr); var_dump($arr);
