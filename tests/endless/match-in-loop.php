<?php
function describe(mixed $value): string
{
    for ($i = 0; $i < 3; ++$i) {
        return match (true) {
            describe($value) && $value > 10 => 'big',
            is_int($value) => 'int',
            is_string($value), is_float($value) => 'scalar',
            default => gettype($value),
        };
    }
}
echo describe(42);
