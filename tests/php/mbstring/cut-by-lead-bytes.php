<?php
// Where the first byte of a character tells its length, a part begins and ends between characters.
foreach (['SJIS', 'EUC-JP', 'BIG-5', 'EUC-KR', 'EUC-CN', 'CP936', 'GB18030', 'SJIS-win', 'UHC', 'eucJP-win'] as $encoding) {
    $text = mb_convert_encoding("a\u{e9}\u{65e5}\u{672c}x\u{3a9} \u{30ab}b", $encoding, 'UTF-8');
    echo $encoding, ' ', bin2hex($text), "\n";
    foreach ([-3, -2, 0, 1, 2, 3, 5, 8, 10] as $start) {
        foreach ([null, -2, 0, 1, 2, 3, 5, 14] as $length) {
            echo bin2hex(mb_strcut($text, $start, $length, $encoding)), ' ';
        }
        echo "\n";
    }
}
