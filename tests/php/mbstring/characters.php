<?php
// Lengths, parts, places, case and widths, in several encodings.
$text = 'Ελληνικά, 日本語 и ещё ß ﬁ ΑΣ.';
foreach (['UTF-8', 'UTF-16LE', 'UCS-4', 'SJIS', 'ISO-8859-7', 'KOI8-R', 'UTF-7', 'GB18030'] as $encoding) {
    $bytes = mb_convert_encoding($text, $encoding, 'UTF-8');
    echo $encoding, ' ', mb_strlen($bytes, $encoding), ' ', bin2hex(mb_substr($bytes, -6, 4, $encoding)), ' ',
        mb_convert_encoding($bytes, 'UTF-8', $encoding), "\n";
}
echo mb_substr($text, 0, 8), '|', mb_substr($text, -3), '|', mb_substr($text, 10, -3), '|', mb_strcut($text, 1, 5), "\n";
var_dump(mb_strpos($text, '語'), mb_strrpos($text, 'ι'), mb_stripos($text, 'ΕΛΛ'), mb_strpos($text, 'x'), mb_substr_count('ababab', 'ab'));
echo mb_strtoupper($text), ' ', mb_strtolower($text), ' ', mb_convert_case('ñandú ǆ o\'neil', MB_CASE_TITLE), ' ',
    mb_convert_case('Straße İ', MB_CASE_FOLD), ' ', mb_ucfirst('ǆa'), ' ', mb_lcfirst('ÉA'), "\n";
echo mb_strwidth('日本 abc ｶﾅ'), ' ', mb_strimwidth('日本語テキスト', 0, 9, '…'), ' ', mb_str_pad('é', 5, '→', STR_PAD_BOTH), "\n";
echo json_encode([mb_str_split('añ日', 1), mb_str_split('añ日', 2), mb_trim("\u{3000} x\u{A0}"), mb_ltrim('xxax', 'x'), mb_ord('€'), mb_chr(8364)]), "\n";
echo mb_strstr('user@host', '@'), ' ', mb_strrchr('a/b/c', '/', true), ' ', mb_stristr('HAYSTACK', 'st'), "\n";
var_dump(mb_check_encoding("\xff"), mb_check_encoding('ok', 'ASCII'), bin2hex(mb_scrub("a\xffb")));
mb_substitute_character('long');
echo mb_convert_encoding('aα', 'ASCII', 'UTF-8'), ' ', mb_substitute_character(), "\n";
mb_substitute_character(0x3F);
echo mb_detect_encoding("\x93\xfa\x96\x7b", ['UTF-8', 'EUC-JP', 'SJIS']), ' ', var_export(mb_detect_encoding("\xff\xfe", ['UTF-8', 'ASCII'], true), true), "\n";
echo mb_encode_numericentity('aé€', [0x80, 0xffff, 0, 0xffff]), ' ', mb_decode_numericentity('&#233;&#x20AC;', [0x80, 0xffff, 0, 0xffff]), "\n";
echo mb_encode_mimeheader('Привет, мир', 'UTF-8', 'B'), ' ', mb_decode_mimeheader('=?UTF-8?Q?caf=C3=A9?= =?UTF-8?B?IOKCrA==?='), "\n";
echo mb_convert_kana('ｶﾞｷﾞ アイウ １２３ abc', 'KVn'), ' ', mb_convert_kana('ガギ', 'k'), "\n";
mb_parse_str('a[]=1&a[]=%E3%81%82&b=c', $result);
echo json_encode($result), ' ', mb_internal_encoding(), ' ', mb_language(), ' ', mb_http_output(), ' ', implode(',', mb_detect_order()), "\n";
foreach ([fn() => mb_strlen('', 'nope'), fn() => mb_substr_count('a', ''), fn() => mb_str_split('a', 0), fn() => mb_strpos('a', 'a', 5), fn() => mb_chr(65, 'JIS')] as $call) {
    try { $call(); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
}
