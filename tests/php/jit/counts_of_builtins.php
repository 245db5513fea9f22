<?php
// Too many arguments for a builtin function are refused in compiled code, too.
function attempt(Closure $call): void
{
    try {
        var_dump($call());
    } catch (ArgumentCountError $error) {
        echo $error->getMessage(), "\n";
    }
}

function loop(): void
{
    for ($i = 0; $i < 4; ++$i) {
        try {
            $r = \decoct(4, 1);
            var_dump($r);
        } catch (ArgumentCountError $error) {
            echo $error->getMessage(), "\n";
        }
    }
}

loop();
for ($i = 0; $i < 4; ++$i) {
    attempt(fn () => \strlen('a', 1));
    attempt(fn () => \ord('a', 1));
    attempt(fn () => \abs(2, 1));
    attempt(fn () => \chr(65, 1));
    attempt(fn () => \substr('abc', 1, 1, 1));
    attempt(fn () => \dechex());
    attempt(fn () => \str_repeat('a'));
    attempt(fn () => \sqrt(2, 3));
    attempt(fn () => \max());
    attempt(fn () => \count([1], 0, 1));
}
