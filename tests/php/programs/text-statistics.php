<?php
// Words, counts and a table.
$text = <<<TEXT
It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness,
it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness.
TEXT;
$words = str_word_count(strtolower($text), 1);
$counts = array_count_values($words);
uksort($counts, fn($a, $b) => $counts[$b] <=> $counts[$a] ?: strcmp($a, $b));
foreach (array_slice($counts, 0, 8) as $word => $n) {
    printf("%-12s %2d %s\n", $word, $n, str_repeat('#', $n));
}
$lengths = [];
foreach ($words as $w) { $lengths[strlen($w)][] = $w; }
ksort($lengths);
foreach ($lengths as $n => $list) { echo $n, ': ', implode(' ', array_slice(array_unique($list), 0, 4)), "\n"; }
echo ucwords(implode(' ', array_map('strrev', explode(' ', 'abc def')))), count($words), round(array_sum(array_map('strlen', $words)) / count($words), 3), "\n";
