<?php
set_error_handler(function ($level, $message) {
    echo "$level $message\n";
    return true;
});
foreach (['UTF-8', '', str_repeat('x', 63), str_repeat('x', 64)] as $value) {
    var_dump(ini_set('iconv.internal_encoding', $value), iconv_get_encoding('internal_encoding'));
    ini_restore('iconv.internal_encoding');
}
var_dump(iconv_set_encoding('output_encoding', 'ISO-8859-1'), iconv_get_encoding(), ini_get_all('iconv'));
