<?php
function sorted(array $values): array
{
    usort($values, fn($a, $b) => count(sorted([$b, $a])) <=> 1);
    return $values;
}
echo count(sorted([2, 1]));
