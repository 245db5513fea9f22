<?php
function g(int $a, int $b = 2, array $c = [3], ...$rest) { return json_encode(func_get_args()) . json_encode([$a,$b,$c,$rest]); }
function h(int $a, int $b = 2, array $c = [3], ?string $d = null, $e = PHP_VERSION_ID > 1) { return func_num_args() . json_encode(func_get_args()) . json_encode([$a,$b,$c,$d,$e]); }
function gen($x, $y = 5, $z = 7) { yield $x; yield $y; yield $z; }
class P { public function __construct(public int $x = 1, public ?P $n = null, public string $s = 'q') {} function m($a, $b = self::class, $c = 3) { return "$a$b$c"; } static function st(int $a = 1, int $b = 2, int $c = 3) { return $a * 100 + $b * 10 + $c; } }
$f = function ($a, $b = 4, $c = 9) use (&$f) { return "$a-$b-$c"; };
for ($i = 0; $i < 3; $i++) {
  foreach ([fn() => g(c: [1], a: $i), fn() => g(a: $i), fn() => h(a: 1, e: 5), fn() => h(1, d: 'x'), fn() => h(1, 2, e: 8), fn() => h(e: 1, a: 2, c: [4]), fn() => h(1, c: [7], b: 9),
   fn() => json_encode(new P(s: 'z')), fn() => json_encode(new P(n: new P(x: 4), x: 9)), fn() => (new P)->m(c: 5, a: 1), fn() => P::st(c: 9), fn() => P::st(b: 9), fn() => P::st(c: 1, a: 2),
   fn() => implode(',', iterator_to_array(gen(x: 1, z: 3))), fn() => $f(c: 1, a: 2), fn() => h(b: 1), fn() => h(a: 'x', e: 1), fn() => h(1, a: 2), fn() => h(1, zz: 2), fn() => json_encode(array_slice(array: [1,2,3], offset: 1, preserve_keys: true)), fn() => h(a: 1, d: 5), fn() => P::st(b: 'x', c: 2)] as $k => $c) {
    try { echo $k, ': ', $c(), "\n"; } catch (Error $e) { echo $k, ' ', get_class($e), ': ', $e->getMessage(), "\n"; }
  }
}
