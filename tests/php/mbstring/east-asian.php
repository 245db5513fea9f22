<?php
// Every sequence of two bytes, and of three behind 0x8F, in the encodings of East Asia, as one digest each; and back.
mb_substitute_character('long');
$encodings = [
    'EUC-JP', 'SJIS', 'eucJP-win', 'EUC-JP-2004', 'SJIS-mac', 'SJIS-2004', 'CP932', 'SJIS-win', 'CP51932', 'GB18030',
    'GB18030-2022', 'EUC-CN', 'CP936', 'EUC-TW', 'CP950', 'EUC-KR',
];
$pairs = $triples = '';
for ($lead = 0x81; $lead < 0xff; $lead++) {
    for ($trail = 0x40; $trail < 0xff; $trail++) {
        $pairs .= chr($lead) . chr($trail) . "AA\n";
    }
}
for ($second = 0xa1; $second < 0xff; $second++) {
    for ($third = 0xa1; $third < 0xff; $third++) {
        $triples .= "\x8f" . chr($second) . chr($third) . "AA\n";
    }
}
$characters = '';
for ($code = 0x80; $code < 0xd800; $code++) {
    $characters .= mb_chr($code) . "\n";
}
foreach ($encodings as $encoding) {
    $read = mb_convert_encoding($pairs, 'UTF-8', $encoding);
    echo $encoding, ' ', md5($read);
    if (str_starts_with(strtolower($encoding), 'euc')) {
        echo ' ', md5(mb_convert_encoding($triples, 'UTF-8', $encoding));
    }
    echo ' ', md5(mb_convert_encoding($characters, $encoding, 'UTF-8')), "\n";
}
mb_substitute_character('none');
echo md5(mb_convert_encoding($characters, 'SJIS-Mobile#DOCOMO', 'UTF-8')), "\n";
echo bin2hex(mb_convert_encoding("か\u{309a}か", 'SJIS-2004', 'UTF-8')), ' ',
    bin2hex(mb_convert_encoding("\x82\xf5", 'UTF-16BE', 'SJIS-2004')), "\n";
echo mb_convert_encoding("~{<:Ky2;~} ~~ ~{VP~}", 'UTF-8', 'HZ'), ' ',
    bin2hex(mb_convert_encoding('中a', 'HZ', 'UTF-8')), ' ',
    bin2hex(mb_convert_encoding('한a', 'ISO-2022-KR', 'UTF-8')), "\n";

// A substitute that names code points keeps the character for bytes that have none.
mb_substitute_character(0x25);
mb_substitute_character('long');
var_dump(mb_convert_encoding("\x80", 'UTF-8', 'EUC-KR'), mb_convert_encoding('한', 'ASCII', 'UTF-8'));
var_dump(mb_check_encoding('A + B', 'UTF-7'), mb_check_encoding('A +- B', 'UTF-7'), mb_check_encoding('~', 'UTF-7'));
print_r(array_map('bin2hex', mb_str_split("\x80ab\xfd\x82\xa0", 2, 'SJIS')));
