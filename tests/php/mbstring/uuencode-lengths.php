<?php
// A text in UUENCODE is counted and cut in bytes.
$strings = [convert_uuencode('Cat'), convert_uuencode(str_repeat('xy', 40)), "begin 0644 f\n#0V%T\n`\nend\n", '', 'abc', "\xff\xfeab", @mb_convert_encoding('Añß€ 日本', 'UUENCODE', 'UTF-8')];
foreach ($strings as $s) {
    var_dump(@mb_strlen($s, 'UUENCODE'), bin2hex(@mb_substr($s, 1, 3, 'UUENCODE')), bin2hex(@mb_substr($s, -4, 2, 'UUENCODE')), bin2hex(@mb_strcut($s, 2, 4, 'UUENCODE')));
    var_dump(implode('|', array_map('bin2hex', @mb_str_split($s, 5, 'UUENCODE'))), @mb_strpos($s, 'e', 0, 'UUENCODE'), @mb_strwidth($s, 'UUENCODE'), @mb_check_encoding($s, 'UUENCODE'));
}
