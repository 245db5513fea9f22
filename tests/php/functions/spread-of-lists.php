<?php
// Lists that are unpacked as a whole: into literals, into calls of functions with parameters by reference, into constructors.
$list = [1, 2, 3];
unset($list[2]);
$new = [...$list, 9];
var_dump($new, array_key_last($new));
$value = 5;
$references = [1, &$value];
$copied = [...$references];
$copied[1] = 6;
echo $value, ' ', json_encode([[...[]], [...$list], [...['a' => 1], ...$list, ...['a' => 2, 7 => 3]]]), "\n";
$full = [PHP_INT_MAX => 'last'];
echo json_encode([...$full, 'next']), "\n";
$original = ['x', 'y'];
$other = [...$original];
$other[] = 'z';
$original[0] = 'changed';
echo json_encode([$original, $other]), "\n";
const FIRST = [1, 2];
const BOTH = [...FIRST, ...FIRST];
echo json_encode(BOTH), "\n";

$stack = ['bottom'];
foreach ([[1, 2], [], [[3]]] as $more) {
    array_push($stack, ...$more);
    array_unshift($stack, ...array_reverse($more), ...[]);
}
echo json_encode($stack), "\n";
function add(array &$to, int $first, int ...$others)
{
    $to[] = $first + array_sum($others);
    return count($others);
}
function all(&...$variables)
{
    foreach ($variables as &$variable) {
        $variable .= '!';
    }
}
$sums = [];
echo add($sums, ...[1, 2, 3]), add($sums, 4, ...[5]), add($sums, ...['first' => 6]), json_encode($sums), "\n";
$words = ['a', 'b'];
all(...$words);
all($words[0], ...$words);
echo json_encode($words), "\n";
sort(...[&$words, SORT_STRING]);
try {
    add(...[$sums, 1]);
    add($sums, ...[], ...['others' => 1]);
} catch (Error $error) {
    echo get_class($error), ': ', $error->getMessage(), "\n";
}
class Vector
{
    public function __construct(public float $x = 0, public ?float $y = null, public int|float $z = 1, public float|string $w = 2)
    {
    }
}
foreach ([[1, 2, 3, 4], ['y' => 7], ['w' => 5, 'x' => PHP_INT_MAX], [1.5, null, 2.5, 'text'], ['1', '2.5'], [true, false], ['z' => 'no']] as $arguments) {
    try {
        var_dump(new Vector(...$arguments));
    } catch (TypeError $error) {
        echo preg_replace('/, called.*/', '', $error->getMessage()), "\n";
    }
}
function half(float $of, float &$by)
{
    $by = 2;
    return $of / $by;
}
$by = 3;
var_dump(half(9, $by), $by);
$strict = eval('declare(strict_types=1); return fn() => [(fn(float $x) => $x)(3), (fn(?float $x, float ...$more) => [$x, $more])(1, 2, 3)];');
var_dump($strict());
