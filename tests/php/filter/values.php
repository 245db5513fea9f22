<?php
foreach (['12', ' 12 ', '0x1A', '1e3', 'abc', '-0', ''] as $text) {
    var_dump(filter_var($text, FILTER_VALIDATE_INT, FILTER_FLAG_ALLOW_HEX));
}
var_dump(filter_var('yes', FILTER_VALIDATE_BOOL), filter_var('maybe', FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE));
var_dump(filter_var('1.5e3', FILTER_VALIDATE_FLOAT), filter_var('a@b.example', FILTER_VALIDATE_EMAIL), filter_var('a@b', FILTER_VALIDATE_EMAIL));
var_dump(filter_var('::1', FILTER_VALIDATE_IP, FILTER_FLAG_IPV6), filter_var('10.0.0.1', FILTER_VALIDATE_IP, FILTER_FLAG_NO_PRIV_RANGE));
var_dump(filter_var('http://example.com/?q=1', FILTER_VALIDATE_URL, FILTER_FLAG_QUERY_REQUIRED), filter_var('<b>"x"</b>', FILTER_SANITIZE_SPECIAL_CHARS));
var_dump(filter_var_array(['a' => '5', 'b' => ['1', 'x']], ['a' => ['filter' => FILTER_VALIDATE_INT, 'options' => ['max_range' => 4, 'default' => 3]], 'b' => ['filter' => FILTER_VALIDATE_INT, 'flags' => FILTER_REQUIRE_ARRAY], 'c' => FILTER_DEFAULT]));
