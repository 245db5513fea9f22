<?php
// What was found when compiled functions were entered again in a second request of one process.

// Arguments that compiled code borrows from a variable stay as they are when the variable changes before the call.
function texts(string $a, string $b): string { return $a . '|' . $b; }
function pair(array $a, array $b): string { return count($a) . ':' . count($b); }
function made(int $i): string { return str_repeat('y', $i + 3); }
function shifting(int $n): string
{
    $text = 'x' . $n;
    $list = [1, 2];
    $out = '';
    for ($i = 0; $i < 4; $i++) {
        $out .= texts($text, $text .= $i) . ' ';
        $out .= pair($list, $list = [...$list, $i]) . ' ';
        $out .= texts($text, $text = made($i)) . ' ';
    }
    return $out;
}
for ($i = 0; $i < 5; $i++) {
    echo shifting($i), "\n";
}

// Too many arguments for a builtin function that is looked up for the first time in compiled code.
function too_many(): void
{
    for ($i = 0; $i < 2; ++$i) {
        try {
            var_dump(\decoct(4, 1));
        } catch (ArgumentCountError $error) {
            echo $error->getMessage(), "\n";
        }
    }
}
too_many();
too_many();
too_many();

// What `send()` gives where compiled code knows no type of it.
function sums(int $most) { $sum = 0; while (true) { $sum += yield $sum; if ($sum > $most) { return $sum; } } }
function sender($sums) { $z = yield 1; $z = yield $sums->send($z); $z = yield $sums->send($z * 2); }
for ($i = 0; $i < 3; $i++) {
    $sums = sums(1000);
    $sums->current();
    $sender = sender($sums);
    $sender->current();
    echo $sender->send(5), ' ', $sender->send(6), "\n";
}

// A compiled method whose parameter's type is refused lets go of its object.
class Strict { public function take(int $x): int { return $x; } }
function refused(mixed $x): Strict
{
    $strict = new Strict;
    try {
        $strict->take($x);
    } catch (TypeError $error) {
    }
    unset($error);
    return $strict;
}
for ($i = 0; $i < 9; $i++) {
    $strict = refused($i % 3 === 2 ? 'x' : 1);
    $weak = WeakReference::create($strict);
    unset($strict);
    echo $weak->get() === null ? '.' : 'kept';
}
echo "\n";
