<?php
// The same operators with operands of all kinds in turn: doubles first, after which an opline expects more of them.
function work($a, $b)
{
    $sum = $a + $b;
    $twice = 2 * $a;
    $less = $a - 1.5;
    $third = $a / 3;
    $of = 10 / $b;
    $sum += $b;
    $product = $a;
    $product *= 3;
    $kept = ($product -= $b);
    $text = [];
    foreach ([$sum, $twice, $less, $third, $of, $product, $kept] as $value) {
        $text[] = var_export($value, true);
    }
    $text[] = ($a < $b ? 'lt' : '-') . ($a <= 2 ? 'le' : '-') . (1.5 > $b ? 'gt' : '-') . ($a >= $b ? 'ge' : '-');
    if ($a == $b) {
        $text[] = 'eq';
    }
    if ($a != 2) {
        $text[] = 'ne';
    }
    if ($a === 2.0) {
        $text[] = 'same';
    }
    return implode(' ', $text);
}

$values = [1.25, 2.0, -0.0, NAN, INF, 1, 2, PHP_INT_MAX, '3', '1.5', true, null];
foreach ($values as $a) {
    foreach ($values as $b) {
        try {
            echo work($a, $b), "\n";
        } catch (DivisionByZeroError $error) {
            echo $error->getMessage(), "\n";
        }
    }
}

function into($x, $target)
{
    // What the result overwrites is given up.
    $target = $x * 1.5;
    $reference = &$target;
    $target = $x + 0.5;
    $reference *= 2.0;
    return [$target, $reference];
}
foreach ([2.0, 3.0, 4] as $x) {
    echo json_encode(into($x, [1, 2])), json_encode(into($x, new stdClass())), json_encode(into($x, 1)), "\n";
}

class Point
{
    public function __construct(public $x, public $y)
    {
    }

    public function dot($other)
    {
        return $this->x * $other->x + $this->y * $other->y;
    }
}
foreach ([new Point(1.5, 2.5), new Point(1, 2), new Point(PHP_INT_MAX, 2.0), new Point('2', 3)] as $point) {
    var_dump($point->dot(new Point(2, 0.5)), $point->dot($point));
}
$list = [0.5, 1.5, 2, '3'];
$total = 0.0;
for ($round = 0; $round < 2; $round++) {
    for ($i = 0; $i < 4; $i++) {
        $total = $total * $list[$i] + $list[$i];
        if ($list[$i] > 1.0) {
            echo $i;
        }
    }
}
var_dump($total);
