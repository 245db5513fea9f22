<?php
// Counts of pack and unpack that no int holds, places outside of the text, and what sscanf calls the end of the text.
foreach (['h2147483648', 'c2147483648', 'x2147483648', 'X2147483648', 'X99/c', '@13/c', '@12/c', '@3/c', 'x13', 'x12', 'x*/X2/c'] as $format) {
    echo "unpack $format: ", json_encode(@unpack($format, '123456789012')), ' ', error_get_last()['message'] ?? '', "\n";
    error_clear_last();
}
foreach ([['h2147483648', 'a'], ['H4294967298', 'abcd'], ['X2147483648'], ['x4294967298'], ['c4294967297', 5]] as $arguments) {
    echo 'pack ', $arguments[0], ': ', bin2hex(@pack(...$arguments)), ' ', error_get_last()['message'] ?? '', "\n";
    error_clear_last();
}
foreach ([['-', '%d'], ['+', '%f'], ['-a', '%d'], ['1 -', '%d%d'], ['   abc', '%c'], ['   abc', '%3c'], ['   abc', '%c%s'], ['abc', '%c%2c']] as [$text, $format]) {
    echo "sscanf '$text' $format: ", json_encode(sscanf($text, $format)), "\n";
}
foreach (['%1$d %3$d', '%65$d', '%2$d', '%1$d %1$d', '%1$d %2$d %2$d', '%2$d %1$d'] as $format) {
    try {
        var_dump(sscanf('1', $format, $a, $b));
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
foreach ([['a', []], ['a', ['a' => 'b']], ['a', 'b']] as [$text, $from]) {
    try {
        var_dump(@strtr($text, $from, null));
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
foreach ([["\n", '"', ''], ["\r\n", '"', ''], ["\r", '"', ''], ['y', 'y', "\0"], ['"a', '"', "\0"], ["\0", "\0", "\0"]] as [$line, $enclosure, $escape]) {
    echo json_encode(str_getcsv($line, ',', $enclosure, $escape)), "\n";
}
try {
    ini_set('precision', []);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
var_dump(ini_set('syslog.filter', 'bogus'), ini_set('syslog.filter', 'raw'), ini_get('syslog.filter'));
