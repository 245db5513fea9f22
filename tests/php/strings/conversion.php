<?php
// Numbers and strings, bases, hashes.
echo intval('42abc'), intval('  7'), intval('0b11', 0), intval('0x1A', 16), intval('012', 0), intval(null), intval('1e3'), "\n";
echo bindec('1010'), decbin(10), hexdec('ff'), dechex(255), octdec('17'), decoct(15), base_convert('zz', 36, 2), "\n";
echo ord('A'), chr(66), bin2hex('abc'), hex2bin('616263'), strval(1.0), (string) 1e6, (string) 123456789012345678, 7.0, "\n";
echo md5('a'), "\n", sha1('a'), "\n", crc32('hello'), "\n", hash('sha256', 'abc'), "\n", strlen(uniqid()), "\n";
var_dump(is_numeric('1e5'), is_numeric('abc'), is_numeric('0x1A'));
var_dump('5' + '5', '5' . '5', '1.5' + 1, '0.1' + '0.2' == '0.3', 0 == 'a', '1' == '01', 100 == '1e2', (int) '9999999999999999999');
var_dump(str_word_count('Hello big World'), array_sum(count_chars('abca', 1)), ucwords('hello_world', '_'), money(5));
function money($x) { return number_format($x, 2, ',', '.') . ' €'; }
