<?php
// Results that depend on single bytes and on the C library.
foreach ([['zzz', '  '], ['md5', '/path/to/file.tar.gz'], ['<b a="c">', 'abc'], ['1.0', '1'], ['1..2', '1.2'], ['5.2', '5.10'], ['1.0-rc1', '1.0RC1'], ['1.0pl1', '1.0'], ['#a', '1'], ['1.0.dev', '1.0'], ['.', ''], ['1.a', '1.0.0']] as [$a, $b]) {
    echo version_compare($a, $b), ' ', version_compare($b, $a), "\n";
}
echo ucwords('some more me', " m"), ' ', strcoll('a', ''), ' ', strcoll('abc', 'abz'), ' ', metaphone("thumb\0x"), ' ', quoted_printable_decode("a=41\0b"), "\n";
echo http_build_query([1, 'x' => [2]], 'p ä_'), ' ', acosh(2.5), ' ', atanh(-1e-5), ' ', asinh(1e300), "\n";
foreach (['array_key_exists' => [[], []], 'array_udiff' => [[1]], 'array_diff_ukey' => ['x'], 'array_uintersect_uassoc' => [[], 'strcmp'], 'closedir' => [1], 'unpack' => ["\xff", 'x'], 'pack' => ["\xe9"]] as $function => $args) {
    try {
        $function(...$args);
    } catch (Throwable $e) {
        echo $e::class, ' ', bin2hex(substr($e->getMessage(), -24)), ' ', $e->getMessage()[0], "\n";
    }
}
echo var_export(@preg_match("\xe9a", ''), true), ' ', bin2hex(error_get_last()['message']), ' ', var_export(@parse_ini_string('', false, 9), true), ' ', error_get_last()['message'], "\n";
