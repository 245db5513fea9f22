<?php
// Taking apart, putting together and replacing, at the lengths where the ways of copying change.
foreach ([0, 1, 2, 3, 5, 8, 13, 16, 17, 33] as $length) {
    $piece = substr('abcdefghijklmnopqrstuvwxyzABCDEFGHIJK', 0, $length);
    $list = array_fill(0, 3, $piece);
    $text = implode('<>', $list);
    var_dump(strlen($text) === 3 * $length + 4 && explode('<>', $text) === $list);
    var_dump(explode('|', implode('|', $list)) === $list);
    var_dump(strlen(str_repeat($piece, 7)) === 7 * $length && str_repeat($piece, 3) === implode('', $list));
}
echo implode(',', ['k' => 'a', 'b']), implode(', ', []), implode(', ', ['one']), "\n";
echo str_replace('aa', 'bb', 'aaaaa'), str_replace('aa', 'b', 'aaaaa'), str_replace('aa', 'long', 'aaxaa'), "\n";
echo str_replace('xyz', '', 'xyzaxyz'), '|', str_replace('xyz', '', 'xyz'), '|', str_replace('none', 'some', 'text'), "\n";
echo json_encode("plain \"quoted\" \\ / <b> & ' \x01 \u{e9}\u{1f600}"), "\n";
echo json_encode("</a> & 'b'", JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS | JSON_UNESCAPED_SLASHES), "\n";
var_dump(json_encode("ok \xff"), json_encode("ok \xff ok", JSON_INVALID_UTF8_SUBSTITUTE));
echo htmlspecialchars("<a href=\"x\">Fish & 'chips'</a>\t\x01\x7f\u{e9}"), "\n";
echo htmlspecialchars("a\x01b\tc", ENT_DISALLOWED), '|', htmlentities("fj\n!", ENT_HTML5), '|', htmlspecialchars("\xff ok"), "\n";
echo json_encode([0, 9, 10, 99, 100, 12345, -1, -10, -100, PHP_INT_MAX, PHP_INT_MIN]), "\n";
date_default_timezone_set('UTC');
echo date('Y-m-d H:i:s|\Y\\\\m y/n/j', 86399), date(' Y d', -62167305600), date(' Y', 253402300800), "\n";
