<?php
declare(strict_types=1);
// Only int to float widens; builtin calls are checked as well.
function f(float $x): float { return $x; }
function i(int $x): int { return $x; }
function back(): int { return "5"; }
var_dump(f(5));
foreach ([fn() => i('5'), fn() => i(5.0), fn() => f('1'), fn() => back(), fn() => strlen(5), fn() => str_repeat('a', '3')] as $call) {
    try {
        var_dump($call());
    } catch (TypeError $e) {
        echo preg_replace('~, called in.*~', '', $e->getMessage()), "\n";
    }
}
echo implode(',', array_map('intval', ['1', '2'])), round(5), "\n";
