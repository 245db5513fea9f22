<?php
// Words of mail headers: how they are cut, and how they are put together.
mb_internal_encoding('UTF-8');
mb_language('uni');
$texts = [
    '', 'plain', 'some plain words', '  in front', 'question?', 'under_score a', str_repeat('long', 25), str_repeat('word ', 30),
    'a ' . str_repeat('x', 80) . ' b', 'Prüfung', 'A plain beginning and then Prüfung of the rest of it, which goes on and on',
    str_repeat('日本語テキスト', 9), 'tab' . "\t" . 'inside', 'end of line' . "\n" . 'inside', str_repeat('a', 85) . ' tail é',
];
foreach ($texts as $text) {
    foreach ([['UTF-8', 'B'], ['UTF-8', 'Q'], ['ISO-2022-JP', 'B'], ['ISO-8859-1', 'Q']] as [$charset, $transfer]) {
        echo mb_encode_mimeheader($text, $charset, $transfer), "\n";
    }
    echo mb_encode_mimeheader($text, 'UTF-8', 'B', "\n", 30), "\n";
    echo addcslashes(mb_encode_mimeheader($text, 'UTF-8', 'Q', "|\0|", 73), "\0"), "\n";
}

$headers = [
    'plain', '=?UTF-8?B?w6k=?=', '=?UTF-8?Q?=C3=A9_x?= y', "=?UTF-8?Q?a?=\r\n =?UTF-8?Q?b?=  c", 'a =?UTF-8?Q?b?= c', '=?UTF-8?B?w6k',
    '=?UTF-8?B?w6k?', '=?none?B?w6k=?=', '=?UTF-8?X?w6k=?=', '=?UTF-8?Q?=ZZ=4?=', "a\r\n\t b \r\n", 'a=b', '=?', '=?a?Q?', '=?UTF-8?Q??=x',
    "raw \xC3\xA9", '=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?= =?ISO-2022-JP?B?GyRCOGwbKEI=?=', '=?UTF-8?B?*w6k=?=', "=?UTF-8?Q?a=\nb?=",
];
foreach ($headers as $header) {
    var_dump(mb_decode_mimeheader($header));
}
