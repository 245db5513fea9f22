<?php
// Every binary operator over pairs of values of all types.
set_error_handler(function ($level, $message) {
    echo "[$message] ";
    return true;
});
class WithText
{
    public function __toString()
    {
        return "7";
    }
}
$values = [
    'null' => null, 'true' => true, '-7' => -7, 'max' => PHP_INT_MAX, '1.5' => 1.5, '1e20' => 1e20, '"abc"' => "abc",
    '" 12"' => " 12", '"5x"' => "5x", '"9223372036854775808"' => "9223372036854775808", '[k]' => ['k' => 2],
    'stdClass' => new stdClass, 'WithText' => new WithText,
];
$operators = [
    '+' => fn($a, $b) => $a + $b, '-' => fn($a, $b) => $a - $b, '*' => fn($a, $b) => $a * $b, '/' => fn($a, $b) => $a / $b,
    '%' => fn($a, $b) => $a % $b, '**' => fn($a, $b) => $a ** $b, '.' => fn($a, $b) => $a . $b, '&' => fn($a, $b) => $a & $b,
    '|' => fn($a, $b) => $a | $b, '^' => fn($a, $b) => $a ^ $b, '<<' => fn($a, $b) => $a << $b, '>>' => fn($a, $b) => $a >> $b,
    '==' => fn($a, $b) => $a == $b, '===' => fn($a, $b) => $a === $b, '<' => fn($a, $b) => $a < $b,
    '<=' => fn($a, $b) => $a <= $b, '<=>' => fn($a, $b) => $a <=> $b,
];
foreach ($operators as $symbol => $operator) {
    foreach ($values as $left => $a) {
        foreach ($values as $right => $b) {
            echo "$left $symbol $right: ";
            try {
                $result = $operator($a, $b);
                echo is_array($result) ? "array(" . count($result) . ")" : var_export($result, true), "\n";
            } catch (Throwable $e) {
                echo get_class($e), ": ", $e->getMessage(), "\n";
            }
        }
    }
}
