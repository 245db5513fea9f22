<?php
// Strings and names of members with and without escapes, and numbers of every length.
$texts = [
    '["", "a", "plain text", "a\\\\b", "\\"", "\\u00e9\\ud83d\\ude00", "line\\nend", "\\/", "tail\\t"]',
    '{"name": 1, "na\\u006de": 2, "": 3, "12": 4, "-0": 5, "a\\u0000b": 6}',
    '[{"id": 1, "key": "x"}, {"id": 2, "key": "y"}, {"idd": 3, "kay": "z"}]',
    '[0, -0, 1, -1, 123456789012345678, -123456789012345678, 1234567890123456789, 9223372036854775807, 9223372036854775808]',
    '[-9223372036854775808, -9223372036854775809, 1e3, 1.5, -0.0, 12345678901234567890123]',
    '["open', '["bad \\x"]', "[\"control \x01\"]", "[\"bad utf8 \xff\"]", '["\\ud800"]', '[01]', '[-]', '["\\u12"]',
];
foreach ($texts as $text) {
    var_dump(json_decode($text, true));
    echo json_last_error_msg(), "\n";
}
var_dump(json_decode($texts[2]), json_decode("[\"a\xffb\"]", flags: JSON_INVALID_UTF8_IGNORE));
var_dump(json_decode("[\"a\xffb\"]", flags: JSON_INVALID_UTF8_SUBSTITUTE), json_decode('[1234567890123456789012]', flags: JSON_BIGINT_AS_STRING));
echo json_encode(["\u{e9}\u{1f600}\u{2028}", "\x01\x7f"]), "\n";
