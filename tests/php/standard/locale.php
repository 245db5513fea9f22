<?php
// The locales that there are, and what they change.
var_dump(setlocale(LC_ALL, 0), setlocale(LC_CTYPE, 0), setlocale(LC_NUMERIC, 0), nl_langinfo(CODESET));
$texts = ["\xff\xfe", "é", "a\xc3", "a\xffb"];
foreach ($texts as $text) {
    echo bin2hex(escapeshellarg($text)), ' ', bin2hex(escapeshellcmd($text)), "\n";
}
var_dump(setlocale(LC_ALL, 'C'), setlocale(LC_ALL, 0), nl_langinfo(CODESET));
var_dump(setlocale(LC_CTYPE, 'C.UTF-8'), setlocale(LC_ALL, 0));
var_dump(setlocale(LC_ALL, 'xx_YY', 'C.UTF-8'), setlocale(LC_ALL, ['xx_YY']), setlocale(LC_ALL, 'POSIX'), setlocale(99, 'C'));
var_dump(setlocale(LC_ALL, 'LC_CTYPE=C.UTF-8;LC_NUMERIC=C;LC_TIME=C;LC_COLLATE=C;LC_MONETARY=C;LC_MESSAGES=C;LC_PAPER=C;LC_NAME=C;LC_ADDRESS=C;LC_TELEPHONE=C;LC_MEASUREMENT=C;LC_IDENTIFICATION=C'));
