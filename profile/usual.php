<?php
// What most programs use, a little of each: the functions of the engine that run here lie next to each other (profile/order).
interface Shape { function area(): float; }
abstract class Base implements Shape { protected array $tags = []; public function __construct(private string $name) {} function tag(string $t): static { $this->tags[] = $t; return $this; } function __toString(): string { return $this->name . implode(',', $this->tags); } }
final class Circle extends Base { public function __construct(private float $r) { parent::__construct('circle'); } function area(): float { return M_PI * $this->r ** 2; } }
final class Rect extends Base { public function __construct(private float $w, private float $h) { parent::__construct('rect'); } function area(): float { return $this->w * $this->h; } }
function gen(int $n) { for ($i = 0; $i < $n; $i++) { yield $i => $i * 2; } }
$shapes = [];
for ($i = 0; $i < 3000; $i++) { $shapes[] = $i % 2 ? new Circle($i) : new Rect($i, $i + 1); $shapes[$i]->tag("t$i"); }
$sum = 0; foreach ($shapes as $k => $s) { $sum += $s->area(); }
usort($shapes, fn($a, $b) => $b->area() <=> $a->area());
$names = array_map(fn($s) => (string)$s, array_slice($shapes, 0, 20));
$words = []; foreach (explode(' ', str_repeat('the quick brown fox jumps over the lazy dog ', 200)) as $w) { if ($w === '') continue; $words[$w] = ($words[$w] ?? 0) + 1; }
ksort($words); arsort($words);
foreach (gen(1000) as $k => $v) { $sum += $k ^ $v; }
try { throw new RuntimeException('x', 3); } catch (LogicException | RuntimeException $e) { $msg = $e->getMessage(); } finally { $sum++; }
$t = preg_replace_callback('/(\w+)@(\w+)\.com/', fn($m) => strtoupper($m[1]), 'joe@example.com, ann@test.com');
preg_match_all('/\d+/', 'a1b22c333', $m);
$j = json_decode(json_encode(['a' => 1, 'b' => [1, 2, 3], 'c' => null, 'd' => 'é']), true);
printf("%s %05.2f %d %s\n", $t, $sum, count($words), serialize($j)); var_dump($j, $names[0]);
echo sprintf('%x', crc32('abc')), md5('x'), strrev('abc'), ucfirst('abc'), str_pad('x', 5, '-', STR_PAD_BOTH), substr_count('aaa', 'a'), trim('  x '), date('Y') > 2000, "\n";
static fn() => match (true) { default => 1 };
for ($s = '', $i = 0; $i < 20000; $i++) { $s .= chr(65 + $i % 26); } echo strlen($s), "\n";
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); } echo fib(18), "\n";
$f = 0.0; for ($i = 1; $i < 20000; $i++) { $f += sqrt($i) / $i; } echo round($f, 3), "\n";
