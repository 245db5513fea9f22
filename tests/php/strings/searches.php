<?php
// Searches of texts of many lengths, with first bytes that come often.
$texts = ['', 'a', 'ab', 'aaaaaaaaab', str_repeat('a', 40) . 'b', str_repeat('ab', 30) . 'abc', str_repeat('x', 100) . 'needle', str_repeat('ne', 300) . 'needle'];
$needles = ['a', 'b', 'ab', 'aab', 'abc', 'needle', 'nee', 'zz', str_repeat('a', 41)];
foreach ($texts as $text) {
    foreach ($needles as $needle) {
        $found = [strpos($text, $needle), str_contains($text, $needle), substr_count($text, $needle)];
        $replaced = str_replace($needle, '<>', $text, $count);
        echo strlen($text), ' ', strlen($needle), ' ', json_encode($found), ' ', strlen($replaced), ' ', $count, ' ', md5($replaced . str_replace($needle, strrev($needle), $text)), "\n";
    }
    foreach (['b', 'ce', 'zdxb', "\x80\xff"] as $list) {
        var_dump(strpbrk($text, $list), strcspn($text, $list), strspn($text, 'ab' . $list));
    }
}
try {
    strpbrk('text', '');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
