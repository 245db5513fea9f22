<?php
// The error of a match says no more than the type when the variable is a reference: PHP does not look through it.
function attempt(callable $f): void
{
    try {
        $f();
    } catch (\UnhandledMatchError $e) {
        echo $e->getMessage(), "\n";
    }
}
foreach ([5, 'x', 1.5, true, null, [1], new stdClass] as $value) {
    attempt(function () use ($value) { match ($value) { 1 => 2 }; });
    attempt(function () use (&$value) { match ($value) { 1 => 2 }; });
    attempt(function () use (&$value) { match ($value) { 1 => 2, 'y' => 3 }; });
    attempt(function () use (&$value) { match ($value) { 10 => 2, 11 => 3, 12 => 4, 13 => 5, 14 => 6 }; });
    attempt(function () use (&$value) { match ($value) { 'a' => 2, 'b' => 3 }; });
    attempt(function () use (&$value) { match ($value) { }; });
}
// What is read into a temporary is a value.
attempt(function () { $a = [4]; $r = &$a[0]; match ($a[0]) { 1 => 2 }; });
attempt(function () { $a = 5; $r = &$a; match ($a + 0) { 1 => 2 }; });
attempt(function () { $a = 5; $r = &$a; match (++$a) { 1 => 2 }; });
attempt(function () { $a = 5; $r = &$a; match (($a)) { 1 => 2 }; });
attempt(function () { $a = 5; $r = &$a; match ($a ?? 3) { 1 => 2 }; });
attempt(function () { global $g; $g = 4; match ($g) { 1 => 2 }; });
attempt(function () { static $s = 4; match ($s) { 1 => 2 }; });
attempt(function () { match ($undefined) { 1 => 2 }; });
// The conditions make the variable a reference.
attempt(function () { $a = 5; match ($a) { $r = &$a, 1 => 2 }; });
attempt(function () { $a = 5; match ($a) { strlen($r = &$a), 'x' => 2 }; });
$g = 'global';
try {
    match ($g) { 1 => 2 };
} catch (\UnhandledMatchError $e) {
    echo $e->getMessage(), "\n";
}
$h = 'global';
try {
    match ($h) { 1 => 2 };
} catch (\UnhandledMatchError $e) {
    echo $e->getMessage(), "\n";
}
