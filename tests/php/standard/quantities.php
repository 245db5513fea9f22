<?php
// Numbers of settings, and what is said of those that are none.
foreach (['', '128M', ' 2 g ', '0x1F', '0b101', '0o17', '017', '089', '0k', '-1', '+5K', '1GB', '1 2 k', 'x', '0y', '0x', '0x g',
    '-', '99999999999G', '9223372036854775808', '-9223372036854775808', "1\0k", '1.5M', '10 M '] as $text) {
    echo json_encode($text), ' ';
    var_dump(ini_parse_quantity($text));
}
ini_set('pcre.backtrack_limit', '1MB');
ini_set('default_socket_timeout', '1x');
