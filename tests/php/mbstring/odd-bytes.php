<?php
// Parts of UTF-16 are cut as bytes; what is no character has a number that a map can have; a pattern that is compiled anew leaves
// the search that used it without one.

foreach (['UTF-16BE', 'UTF-16LE', 'UTF-16'] as $encoding) {
    echo $encoding, "\n";
    foreach (["d9001243", "d900", "0061d800dc000062", "610000d800dc6200", "feff00610062", "fffe61006200", "61"] as $hex) {
        for ($start = 0; $start < 5; $start++) {
            foreach ([0, 1, 2, 3, 4, 100] as $length) {
                echo bin2hex(mb_strcut(hex2bin($hex), $start, $length, $encoding)), ' ';
            }
        }
        echo "\n";
    }
}

echo mb_encode_numericentity("\xFF", [0xffffffff, 0xffffffff, 0x540a0af7, 0x5a485054], "ASCII", true), "\n";
echo mb_encode_numericentity("a\xFFb", [0, 0xffffffff, 0, 0xffffffff], "ASCII", true), "\n";
echo mb_encode_numericentity("a\xFFb", [0x80, 0xffff, 0, 0xffff], "ASCII"), "\n";

function show(callable $body): void {
    try {
        var_dump($body());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
show(fn() => mb_regex_encoding('iso-8859-11'));
show(fn() => mb_ereg_search_init("1212", "2"));
show(fn() => mb_ereg_search_pos());
show(fn() => mb_eregi_replace("2", "x", "12"));
show(fn() => mb_ereg_search_pos());
show(fn() => mb_ereg_search_init("1212", "2"));
show(fn() => mb_ereg_replace("2", "x", "12"));
show(fn() => mb_ereg_search_pos());
