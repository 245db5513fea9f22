<?php
// bzcompress() and bzdecompress(): results, and the numbers of errors.
$texts = ['', 'a', str_repeat('hello ', 2000), implode(range("\0", "\xff"))];
foreach ($texts as $text) {
    $compressed = bzcompress($text);
    echo strlen($compressed), ' ', md5($compressed), ' ', var_export(bzdecompress($compressed) === $text, true), "\n";
}
foreach ([[1, 0], [9, 250], [0, 0], [10, 0], [4, -1], [4, 251], [(1 << 32) | 5, 0]] as [$blocks, $work]) {
    $result = bzcompress('some text', $blocks, $work);
    echo "$blocks, $work: ", is_string($result) ? bin2hex($result) : $result, "\n";
}
$large = bzcompress(str_repeat('ab', 100000));
$damaged = [
    'B', 'BZh9', 'xx' . bzcompress('a'), strrev(bzcompress('q')), bzcompress('whole') . 'junk', bzcompress('one') . bzcompress('two'),
    substr(bzcompress('cut'), 0, -5), substr($large, 0, -11), substr($large, 0, -10), substr_replace($large, "\xff\xff", 20, 2),
];
foreach ($damaged as $text) {
    foreach ([false, true] as $less) {
        $result = bzdecompress($text, $less);
        echo is_string($result) ? strlen($result) . ' ' . substr($result, 0, 10) : $result, $less ? "\n" : ' | ';
    }
}
