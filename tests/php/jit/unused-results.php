<?php
// Results that nobody wants: what making them says is said all the same.

function complement(int $number): int
{
    ~(10 - $number);
    return 1;
}

function complement_of_one(int $number): int
{
    ~match ($number % 2) {
        0 => 10 - $number,
        default => 7,
    };
    return 5;
}

function of_float(float $number): int
{
    ~$number;
    $number % 3;
    return 2;
}

function divides(int $a, int $b): int
{
    $a % $b;
    return 3;
}

function sums(int $a): int
{
    $a + 1;
    $a * 2 - 7;
    return 4;
}

set_error_handler(function ($level, $text) {
    echo $text, "\n";
    return true;
});
for ($i = 0; $i < 40; $i++) {
    complement($i < 36 ? $i : PHP_INT_MIN);
    complement_of_one($i < 36 ? $i : PHP_INT_MIN);
    of_float($i < 36 ? 2.0 : 2.5);
    sums($i < 36 ? $i : PHP_INT_MAX);
    try {
        divides($i, $i < 36 ? 2 : 0);
    } catch (DivisionByZeroError $error) {
        echo $error->getMessage(), "\n";
    }
}
