<?php
// Undefined variables, references, symbol tables and generators around hot loops.

function undefined(): void
{
    for ($i = 0; $i < 3; $i++) {
        $x = $y + $i;
        if ($i === 1) {
            $y = 5;
        }
    }
    var_dump($x);
}
undefined();

function referenced(): void
{
    $sum = 0;
    for ($i = 0; $i < 20; $i++) {
        $sum += $i;
        if ($i === 10) {
            $alias = &$sum;
        }
        if ($i === 15) {
            $alias = 1000;
        }
    }
    var_dump($sum, $alias);
}
referenced();

function captured(): void
{
    $n = 0;
    $bump = function () use (&$n) { return ++$n; };
    for ($i = 0; $i < 10; $i++) {
        $n += 2;
        $bump();
    }
    var_dump($n);
}
captured();

function by_name(): void
{
    $total = 0;
    for ($i = 0; $i < 10; $i++) {
        $total += $i;
        extract(['total' => $total + 1]);
        if ($i === 5) {
            var_dump(compact('total', 'i'));
        }
    }
    var_dump(get_defined_vars());
}
by_name();

function unsetting(): void
{
    for ($i = 0; $i < 6; $i++) {
        $v = $i * 2;
        if (isset($last)) {
            $v += $last;
        }
        $last = $v;
        if ($i === 3) {
            unset($last);
        }
        echo isset($last) ? "set " : "unset ", empty($v) ? "empty\n" : "$v\n";
    }
}
unsetting();

function numbers(int $n): Generator
{
    $sum = 0;
    for ($i = 0; $i < $n; $i++) {
        for ($j = 0; $j < 10; $j++) {
            $sum += $i * $j;
        }
        $got = yield $i => $sum;
        if ($got !== null) {
            $sum = $got;
        }
    }
    return $sum;
}
$g = numbers(6);
foreach ($g as $k => $v) {
    echo "$k=>$v ";
    if ($k === 2) {
        $g->send(0.5);
    }
}
echo $g->getReturn(), "\n";

function finalizing(): int
{
    $n = 0;
    while (true) {
        try {
            $n++;
            if ($n % 3 === 0) {
                continue;
            }
            if ($n > 20) {
                return $n;
            }
            if ($n % 5 === 0) {
                throw new Exception("at $n");
            }
        } catch (Exception $e) {
            echo $e->getMessage(), " ";
        } finally {
            $n++;
        }
    }
}
var_dump(finalizing());

class Noisy
{
    public function __construct(public int $n) {}
    public function __destruct() { echo "~", $this->n, " "; }
}
function destructors(): void
{
    $sum = 0;
    for ($i = 0; $i < 5; $i++) {
        $sum += $i;
        $o = new Noisy($i);
        for ($j = 0; $j < 5; $j++) {
            $sum += $j;
        }
    }
    echo $sum, "\n";
}
destructors();
echo "\n";

set_error_handler(function ($no, $text) { echo "[$text] "; $GLOBALS['w'] = 100; return true; });
$w = 0;
for ($i = 0; $i < 4; $i++) {
    $w += $nothing + 1;
}
var_dump($w);

function loops_of_all_kinds(array $list): array
{
    $n = 0;
    foreach ($list as $k => $v) {
        $n += $k * $v;
    }
    do {
        $n -= 3;
    } while ($n > 10);
    while (--$n > 0);
    $i = 0;
    for (;;) {
        if (++$i > 50) break;
        switch ($i % 5) {
            case 0: $n += 1; break;
            case 1: $n += 10; continue 2;
            case 3: $n *= 2; break;
            default: $n--;
        }
    }
    return [$n, $i];
}
var_dump(loops_of_all_kinds(range(0, 30)));
