<?php
// Where bytes are no character: what is replaced, and what is read anew.
mb_substitute_character(0x3f);
$texts = ["\xc8\x40", "\xc8\x01", "\xc8\xa1a", "\xc9\x41", "\xc9\x01", "\xc9\xc8", '&', '&~', '&A', '&AAE', '&ACY-', '&AAEAAdgB',
    '&2Gf-', '&2GfePQ-a', 'a&-b', '&AAE1-', '+', '+-', '+A', '+ZeVnLIqe', '+ZeVnLIq', '+ZeVnLIqe1 B', '+2Gc B', '+3j3YZw-', "+\x80", '+~', '~'];
foreach (['BIG-5', 'UHC', 'UTF-7', 'UTF7-IMAP'] as $encoding) {
    foreach ($texts as $text) {
        echo $encoding, ' ', addcslashes($text, "\0..\37\177..\377"), ' ', bin2hex(mb_convert_encoding($text, 'UTF-16BE', $encoding)),
            (int) mb_check_encoding($text, $encoding), "\n";
    }
}

echo "-- parts of what is no UTF-8\n";
foreach (["\xf0AAA<b>", "a\xe3\x81", "\xff\xfe日本", "日\x80本\x80\x80語", "abcdefghijkl\xc3"] as $text) {
    foreach ([[0, 4], [1, 2], [0, null], [2, null], [-2, null], [-3, 2], [0, -1], [1, -1], [9, 2], [0, 12]] as [$start, $length]) {
        echo bin2hex(mb_substr($text, $start, $length)), ' ';
    }
    echo mb_strlen($text), "\n";
}
echo bin2hex(mb_strstr("\xdd\x00", '')), ' ', bin2hex(mb_strstr("\xf0start", 'start')), ' ', bin2hex(mb_strstr("\xf0start", 'start', true)), "\n";
echo mb_substr(str_repeat('abcdefgh', 3) . 'äöü' . str_repeat('0', 20), 25, 5), "\n";
