<?php
// Nanoseconds per call of builtins that programs call most, best of the rounds that fit in a moment.
// Without an argument all of them, else those named. `cargo bench -p phlox --bench builtins` compares engines with it.

$sentence = 'the quick brown fox jumps over the lazy dog ';
$text = rtrim(str_repeat($sentence, 50));
$words = explode(' ', $text);
mt_srand(1);
$numbers = [];
for ($i = 0; $i < 1000; $i++) {
    $numbers[] = mt_rand();
}
$record = [
    'name' => 'record',
    'list' => range(1, 50),
    'nested' => ['ratio' => 1.5, 'yes' => true, 'nothing' => null, 'quoted' => 'tëxt "in" quotes'],
];
$json = json_encode($record);
$page = str_repeat('<p class="note">Fish & chips</p>, plain words between the tags; ', 20);

$cases = [
    'str_replace' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) $x = str_replace('fox', 'cat', $text);
    }),
    'explode' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) $x = explode(' ', $text);
    }),
    'implode' => fn($n) => repeat($n, function ($n) use ($words) {
        for ($i = 0; $i < $n; $i++) $x = implode(',', $words);
    }),
    'sort' => fn($n) => repeat($n, function ($n) use ($numbers) {
        for ($i = 0; $i < $n; $i++) {
            $x = $numbers;
            sort($x);
        }
    }),
    'usort' => fn($n) => repeat($n, function ($n) use ($numbers) {
        for ($i = 0; $i < $n; $i++) {
            $x = $numbers;
            usort($x, fn($a, $b) => $a <=> $b);
        }
    }),
    'preg_match' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) preg_match('/(\w+) (fox)/', $text, $x);
    }),
    'preg_replace_callback' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) $x = preg_replace_callback('/\w+/', fn($m) => $m[0], $text);
    }),
    'json_encode' => fn($n) => repeat($n, function ($n) use ($record) {
        for ($i = 0; $i < $n; $i++) $x = json_encode($record);
    }),
    'json_decode' => fn($n) => repeat($n, function ($n) use ($json) {
        for ($i = 0; $i < $n; $i++) $x = json_decode($json, true);
    }),
    'md5' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) $x = md5($text);
    }),
    'sha1' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) $x = sha1($text);
    }),
    'serialize' => fn($n) => repeat($n, function ($n) use ($record) {
        for ($i = 0; $i < $n; $i++) $x = serialize($record);
    }),
    'array_map' => fn($n) => repeat($n, function ($n) use ($numbers) {
        for ($i = 0; $i < $n; $i++) $x = array_map(fn($v) => $v + 1, $numbers);
    }),
    'in_array' => fn($n) => repeat($n, function ($n) use ($numbers) {
        for ($i = 0; $i < $n; $i++) $x = in_array(-1, $numbers);
    }),
    'array_merge' => fn($n) => repeat($n, function ($n) use ($numbers, $words) {
        for ($i = 0; $i < $n; $i++) $x = array_merge($numbers, $words);
    }),
    'substr_count' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) $x = substr_count($text, 'the');
    }),
    'htmlspecialchars' => fn($n) => repeat($n, function ($n) use ($page) {
        for ($i = 0; $i < $n; $i++) $x = htmlspecialchars($page);
    }),
    'number_format' => fn($n) => repeat($n, function ($n) {
        for ($i = 0; $i < $n; $i++) $x = number_format(1234567.891 + $i, 2);
    }),
    'date' => fn($n) => repeat($n, function ($n) {
        for ($i = 0; $i < $n; $i++) $x = date('Y-m-d H:i:s', $i * 1000);
    }),
    'mb_strlen' => fn($n) => repeat($n, function ($n) use ($text) {
        for ($i = 0; $i < $n; $i++) $x = mb_strlen($text . 'ä');
    }),
    'str_repeat' => fn($n) => repeat($n, function ($n) {
        for ($i = 0; $i < $n; $i++) $x = str_repeat('ab', 100);
    }),
];

/** Nanoseconds per call. */
function repeat(int $times, Closure $calls): float
{
    $start = hrtime(true);
    $calls($times);
    return (hrtime(true) - $start) / $times;
}

foreach (array_slice($argv, 1) ?: array_keys($cases) as $name) {
    $times = max(1, (int) (2e6 / $cases[$name](20)));
    $best = INF;
    for ($end = hrtime(true) + 40_000_000; hrtime(true) < $end;) {
        $best = min($best, $cases[$name]($times));
    }
    printf("%s %.1f\n", $name, $best);
}
