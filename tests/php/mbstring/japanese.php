<?php
// The family of ISO-2022-JP and UTF-8 of mobile phones: every character, every sequence of two bytes in every set, and
// every short sequence that announces none, as one digest each.
mb_substitute_character(0x3f);
$family = ['JIS', 'ISO-2022-JP', 'ISO-2022-JP-MS', 'CP50220', 'CP50221', 'CP50222', 'ISO-2022-JP-2004', 'ISO-2022-JP-MOBILE#KDDI'];
$phones = ['UTF-8-Mobile#DOCOMO', 'UTF-8-Mobile#KDDI-A', 'UTF-8-Mobile#KDDI-B', 'UTF-8-Mobile#SOFTBANK'];
$sets = ["\e(B", "\e(J", "\e(I", "\e\$B", "\e\$@", "\e\$(B", "\e\$(@", "\e\$(D", "\e\$(Q", "\e\$(P", "\e\$(?", "\e(H", "\x0e", "\x0f"];
$odd = ["\e", "\e(", "\e\$", "\e\$(", "\eA", "\e(A", "\e\$A", "\e\$(A", "\e\$B0", "\e\$B0\xff0"];

$characters = '';
foreach ([[0, 0xd800], [0xe000, 0x10000], [0x1f000, 0x1f800], [0x20000, 0x2a700], [0xfe000, 0xff000]] as [$from, $to]) {
    for ($code = $from; $code < $to; $code++) {
        $characters .= pack('N', $code);
    }
}
foreach ([...$family, ...$phones] as $encoding) {
    echo $encoding, ' ', md5(mb_convert_encoding($characters, $encoding, 'UTF-32BE'));
    $read = '';
    foreach (in_array($encoding, $phones) ? [] : $sets as $set) {
        for ($lead = 0; $lead < 256; $lead++) {
            $text = $set;
            for ($trail = 0x20; $trail < 0x80; $trail++) {
                $text .= chr($lead) . chr($trail);
            }
            $read .= mb_convert_encoding($text . "\e(B", 'UTF-32BE', $encoding);
        }
    }
    foreach ($odd as $text) {
        $read .= mb_convert_encoding($text, 'UTF-32BE', $encoding) . mb_convert_encoding($text . 'zz', 'UTF-32BE', $encoding);
        $read .= (int) mb_check_encoding($text, $encoding);
    }
    if (in_array($encoding, $phones)) {
        for ($code = 0xe000; $code < 0xf900; $code++) {
            $read .= mb_convert_encoding(mb_chr($code, 'UTF-8'), 'UTF-32BE', $encoding);
        }
    }
    echo ' ', md5($read), "\n";
}

echo "-- several characters are one\n";
$texts = ["1\u{20e3}#\u{20e3}#", "\u{1f1ef}\u{1f1f5}\u{1f1ef}", "か\u{309a}か", 'ｶﾞｶｱﾞAﾊﾟ', "\u{f862}XIII", "\u{f860}0.", '大⃝'];
foreach ([...$family, ...$phones, 'SJIS-mac', 'SJIS-Mobile#KDDI'] as $encoding) {
    echo $encoding;
    foreach ($texts as $text) {
        echo ' ', bin2hex(mb_convert_encoding($text, $encoding, 'UTF-8'));
    }
    echo "\n";
}

echo "-- what is valid\n";
foreach (["\e\$B0!\e(B", "\e\$B0!", "\e(I1\e(B", "\x0e1\x0f", "\x0e1", "\xb1", "\e(Hz", "\e\$(D0!\e(B", "a\x0f", "\x0e\e(B"] as $text) {
    echo bin2hex($text), ' ', (int) mb_check_encoding($text, 'JIS'), (int) mb_check_encoding($text, 'ISO-2022-JP'),
        (int) mb_check_encoding($text, 'CP50222'), "\n";
}

echo "-- SoftBank's escape sequences\n";
foreach (["\e\$G!\"\x0fa", "\e\$E!", "\e\$Ozza", "\e\$Q\x5fz", "\e\$Aa", "\eab", "\e", "\e\$"] as $text) {
    echo bin2hex(mb_convert_encoding($text, 'UTF-32BE', 'SJIS-Mobile#SOFTBANK')), "\n";
}
