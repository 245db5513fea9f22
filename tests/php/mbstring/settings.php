<?php
// Settings that name encodings, and the core's that count where they say nothing.
$said = [];
set_error_handler(function ($level, $message) use (&$said) {
    $said[] = "$level $message";
    return true;
});
$try = function (string $name, ?string $value) use (&$said) {
    $said = [];
    $old = ini_set($name, $value);
    $state = [mb_internal_encoding(), mb_http_output(), mb_regex_encoding(), mb_substitute_character(), mb_language(), implode(',', mb_detect_order())];
    $here = $said;
    $said = [];
    ini_restore($name);
    echo json_encode([$name, $value, $old, $state, $here, $said, ini_get($name)]), "\n";
};
$values = ['', 'SJIS', 'utf8', 'EUC-JP', 'nothing', 'pass', 'auto', "a\0b"];
foreach (['default_charset', 'internal_encoding', 'input_encoding', 'output_encoding', 'mbstring.internal_encoding', 'mbstring.http_input', 'mbstring.http_output',
    'mbstring.detect_order'] as $name) {
    foreach ($values as $value) {
        if ($name !== 'input_encoding' || $value !== "a\0b") {
            $try($name, $value);
        }
    }
}
foreach (['none', 'LONG', 'entity', '0x3042', '63', 'x'] as $value) {
    $try('mbstring.substitute_character', $value);
}
foreach (['Japanese', 'de', 'none'] as $value) {
    $try('mbstring.language', $value);
}
foreach (['^text/', ' ', ''] as $value) {
    $try('mbstring.http_output_conv_mimetypes', $value);
}
foreach (['1k', '1x', '-1'] as $value) {
    $try('mbstring.regex_stack_limit', $value);
}
mb_internal_encoding('SJIS');
$try('default_charset', 'EUC-JP');
$try('internal_encoding', 'nothing');
$try('mbstring.internal_encoding', 'EUC-JP');
$try('default_charset', 'EUC-JP');
mb_http_output('SJIS');
$try('output_encoding', 'EUC-JP');
$try('mbstring.http_output', 'nothing');
