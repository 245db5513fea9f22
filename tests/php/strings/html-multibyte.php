<?php
// Where characters of East Asian encodings end, and what documents may not have.
$texts = ["\x8F\xA1\xFF", "\x8F\xA1", "\x8F\xA0", "\x8F\xA1\x21", "\x8E\xAE", "\x8E!", "\xB2\xFF", "\xB2", "\xA0", "\x82\xA0<", "\x80", "a\x7F\x1F", "\xA4\x40", "\xFF"];
foreach (['EUC-JP', 'SJIS', 'BIG5', 'BIG5-HKSCS', 'GB2312'] as $charset) {
    foreach ($texts as $text) {
        $results = [];
        foreach ([ENT_QUOTES, ENT_SUBSTITUTE, ENT_IGNORE, ENT_SUBSTITUTE | ENT_DISALLOWED | ENT_XHTML] as $flags) {
            $results[] = htmlspecialchars($text, $flags, $charset);
        }
        echo $charset, ' ', bin2hex($text), ' ', json_encode(array_map('bin2hex', $results)), "\n";
    }
}
foreach (["\x7F", "\x0B", "\x80", "\x98"] as $text) {
    foreach (['Windows-1251', 'ISO-8859-1', 'KOI8-R'] as $charset) {
        echo bin2hex(htmlentities($text, ENT_DISALLOWED, $charset)), ' ', bin2hex(htmlspecialchars($text, ENT_DISALLOWED, $charset)), "\n";
    }
}
foreach (['&#xD800;', '&#13;', '&#xFFFE;', '&#0;', '&#x110000;'] as $text) {
    foreach ([ENT_HTML401, ENT_HTML5, ENT_XHTML, ENT_XML1] as $type) {
        echo htmlspecialchars($text, $type | ENT_DISALLOWED, 'UTF-8', false), ' ';
    }
    echo "\n";
}
