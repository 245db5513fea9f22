<?php
// Hebrew in the order of a page.
$hebrew = "\xf9\xec\xe5\xed";
foreach ([
    ['', 0],
    ['plain English', 0],
    ["$hebrew abc (def) $hebrew!", 0],
    ["abc $hebrew [1] {2} <3> a/b \\ $hebrew", 0],
    ["$hebrew $hebrew $hebrew one two three $hebrew", 8],
    ["one two three four\n$hebrew\r\nfive - $hebrew, six", 6],
    ["word", 1],
    ["a b c d", 2],
    ["\n\n$hebrew\n\n", 3],
    [" .,$hebrew,. ", 0],
] as [$text, $length]) {
    echo bin2hex(hebrev($text, $length)), "\n";
}
