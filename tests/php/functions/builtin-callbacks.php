<?php
// Builtin functions as callbacks: plain arguments, others, references, too many and too few.
function attempt(callable $try): void
{
    try {
        echo json_encode($try()), "\n";
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
$word = ' Ref ';
$words = [' one ', 'TWO ', &$word, 4, 5.5, true];
for ($round = 0; $round < 3; $round++) {
    attempt(fn() => array_map('trim', $words));
    attempt(fn() => array_map('strtolower', $words));
    attempt(fn() => array_map('strlen', ['a', 'bb', '']));
    attempt(fn() => array_map('max', [1, 2], [3, 1]));
    attempt(fn() => array_map('strlen', [[]]));
    attempt(fn() => array_map('strlen', ['a'], ['b']));
    attempt(fn() => array_map('str_repeat', ['a']));
    attempt(fn() => array_map('str_repeat', ['ab', 'c'], [2, -1]));
    attempt(fn() => array_filter(['a', '', '0', 'b'], 'strlen'));
    attempt(fn() => array_filter([1, 'a', '2', null], 'is_numeric'));
    attempt(fn() => array_reduce(['a', 'b'], 'strcmp', 'x'));
    attempt(function () {
        $list = ['b', 'a', 'C'];
        usort($list, 'strcmp');
        return $list;
    });
    attempt(fn() => array_map('array_pop', [[1, 2], [3]]));
    attempt(fn() => array_map('count', [[1, 2], [3]]));
    attempt(fn() => preg_replace_callback('/[a-z]+/', 'current', 'ab 12 cd'));
    attempt(fn() => array_map(strtoupper(...), ['a', 'b']));
}
var_dump(error_get_last() !== null);
