<?php
// Bytes of strings that are assigned in compiled code: of strings that others hold, too, and at positions that are not there.
function sieve(int $to): string
{
    $flags = str_repeat('1', $to);
    for ($i = 2; $i * $i < $to; $i++) {
        if ($flags[$i] === '1') {
            for ($j = $i * $i; $j < $to; $j += $i) {
                $flags[$j] = '0';
            }
        }
    }
    return $flags;
}

function reversed(string $text): string
{
    $before = $text;
    for ($i = 0, $j = strlen($text) - 1; $i < $j; $i++, $j--) {
        $byte = $text[$i];
        $text[$i] = $text[$j];
        $text[$j] = $byte;
    }
    return $before === $text ? 'same' : $text;
}

function shared(int $rounds): array
{
    $kept = [];
    $text = str_repeat('.', 5);
    for ($i = 0; $i < $rounds; $i++) {
        $kept[] = $text;
        $text[$i % 5] = chr(65 + $i % 26);
        $other = $text;
        $other[0] = '#';
        $kept[] = $other;
    }
    return $kept;
}

function outside(int $rounds): string
{
    $text = str_repeat('a', 3);
    for ($i = 0; $i < $rounds; $i++) {
        try {
            $text[$i % 7 - 3] = $i % 11 ? 'b' : '';
        } catch (Error $error) {
            $text = substr($text, 0, 3) . 'E';
        }
    }
    return $text;
}

function one(int $rounds): string
{
    $result = '';
    for ($i = 0; $i < $rounds; $i++) {
        $text = chr(97 + $i % 26);
        $text[0] = $text === 'c' ? 'C' : $text;
        $result .= $text;
    }
    return $result;
}

class Cipher
{
    private string $state = '';

    public function run(string $text, int $rounds): string
    {
        for ($round = 0; $round < $rounds; $round++) {
            $this->state = $text;
            for ($i = 0, $length = strlen($text); $i < $length; $i++) {
                $text[$i] = chr(ord($text[$i]) ^ ($i * $round & 31));
            }
        }
        return bin2hex($text . $this->state);
    }
}
for ($round = 0; $round < 3; $round++) {
    echo substr_count(sieve(5000), '1'), ' ', reversed(str_repeat('abc', 50) . 'd'), ' ', reversed('abcba'), "\n";
    echo crc32(implode(' ', shared(300))), ' ', outside(200), ' ', crc32(one(400)), ' ', (new Cipher)->run('some text here', 90), "\n";
}
$global = str_repeat('-', 64);
for ($i = 0; $i < 5000; $i++) {
    $global[$i & 63] = $i % 3 ? 'x' : 'y';
}
echo $global, "\n";
