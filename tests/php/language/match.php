<?php
// match compares with ===, evaluates arms in order and throws on no match.
function describe(mixed $value): string
{
    return match (true) {
        is_int($value) && $value > 10 => 'big',
        is_int($value) => 'int',
        is_string($value), is_float($value) => 'scalar',
        default => gettype($value),
    };
}
foreach ([42, 3, 'x', 1.5, null, [1]] as $value) {
    echo describe($value), "\n";
}
foreach (['1', 1, 5, "long string that is cut somewhere", new stdClass, [1], null, true, 1.5] as $value) {
    try {
        echo match ($value) { 1 => "one\n", '1' => "string one\n" };
    } catch (\UnhandledMatchError $e) {
        echo $e->getMessage(), "\n";
    }
}
$n = 0;
echo match (++$n) { 2 => 'two', 1 => 'one', }, $n, "\n";
echo match (true) { default => 'only default' }, "\n";
