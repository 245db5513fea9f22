<?php
// Of several encodings that a text might be in, the likeliest is taken even if the text is broken, unless that is forbidden.
foreach (["\xe9", "a\xe9", "\xff", "ok"] as $text) {
    foreach ([['ASCII', 'UTF-8'], ['UTF-8', 'ASCII'], ['EUC-JP', 'UTF-8']] as $encodings) {
        echo bin2hex(mb_convert_encoding($text, 'UTF-8', $encodings)), ' ';
    }
    echo bin2hex(mb_convert_encoding($text, 'UTF-8', 'auto')), "\n";
}
ini_set('mbstring.strict_detection', 1);
var_dump(mb_convert_encoding("\xe9", 'UTF-8', 'ASCII,UTF-8'));
