<?php
// Settings that do not take any value.
function change(string $name, string $value): void
{
    echo $name, ' ', json_encode($value), ' ';
    var_dump(ini_set($name, $value));
}
foreach (['-2', '-1', 'abc', '5x', '17'] as $value) {
    change('precision', $value);
    change('serialize_precision', $value);
}
change('default_charset', "a\nb");
change('default_mimetype', "a\0b");
change('zend.exception_string_param_max_len', '-1');
change('zend.exception_string_param_max_len', '1000001');
change('zend.exception_string_param_max_len', '15');
change('syslog.filter', 'most');
change('syslog.filter', 'raw');
change('unserialize_max_depth', 'deep');
change('zlib.output_compression', 'off');
change('mbstring.regex_stack_limit', '1y');
set_error_handler(function ($level, $message) {
    echo preg_replace('/\d+ bytes\)/', 'some bytes)', $message), "\n";
    return true;
});
var_dump(ini_set('memory_limit', '0'));
restore_error_handler();

try {
    error_log('text', 2);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}

ini_set('open_basedir', '/nowhere');
var_dump(highlight_file('/elsewhere.php', true), php_strip_whitespace('/elsewhere.php'));
