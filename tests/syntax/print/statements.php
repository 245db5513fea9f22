<?php
if ($a) { b(); } elseif ($c) d(); else if ($e) { f(); } else { g(); }
while ($a) { if ($b) { break 2; } continue; }
do { a(); } while ($b);
for ($i = 0, $j = 1; $i < 10; $i++) { echo $i, $j; }
for (;;) { }
foreach ($a as $k => [$x, , 'y' => &$z]) { }
switch ($a) { case 1: b(); default: c(); }
try { a(); } catch (A | \B $e) { } finally { b(); }
static $s = 1, $t; global $g; unset($a, $b);
declare(ticks=1) { a(); }
declare(strict_types=1);
goto end;
end:
const A = 1;
return match ($x) { 1, 2 => fn&(?\X $a, int|string &...$b): (A&B)|null => 1.0, default => function () use ($x, &$y) { return 1e100; } };
?>
html 'quoted'
