<?php
// Encoded words in headers: what stands around them, what is wrong with them, and how long their lines get.

$texts = ["a =?UTF-8?Q?b?=\n c", "a =?UTF-8?Q?b?=\r\n c", "a =?UTF-8?Q?b?= c", "a =?UTF-8?Q?b?=\n  c", "a =?UTF-8?Q?b?= \n c",
    "a =?UTF-8?Q?b?=\n =?UTF-8?Q?c?=", "a =?UTF-8?Q?b?=\n =x", "a =?UTF-8?Q?b?=\n", "a =?UTF-8?Q?b?=\n ", "a =?UTF-8?Q?b?= ",
    "a =?UTF-8?Q?b?=\t c", "a =?UTF-8?Q?b?= \t=x", "a\n b", "a\n\tb\n  c", "a \n b", "a=?UTF-8?Q?b?==?UTF-8?Q?c?=",
    "=?UTF-8?Q?b?=c\n d", "=?UTF-8?Q?b?= =?UTF-8?Q?c?=\n d", "=?UTF-8?Q?b?=\r c", "=?UTF-8?Q?b?=\n\n c", "=?UTF-8?Q?=ff?=",
    "=?UTF-8?Q?=ff?= x", "=?UTF-8?Q?=ff?=x", "=?UTF-8?Q?=ff?=\n x", "=?UTF-8?B?/w==?= x", "x =?nope?Q?a?= y", "=?nope?Q?a?=",
    "=?UTF-8?X?a?= y", "=?UTF-8?Q?a?x y", "=?UTF-8?Q?a=?=", "=?UTF-8?Q?a=2?=", "=?UTF-8?Q?a=zz?=", "=?UTF-8?Q?a=\n?=",
    "=?UTF-8?Q?a=\r\nb?=", "=?UTF-8?B?YQ?=", "=?UTF-8?B?Y?=", "=?UTF-8?B?Y Q==?=", "=?UTF-8?B??=", "=?UTF-8?Q??=x",
    "=?UTF-8*en?Q?x?= y", "=", "=?", "=?UTF-8", "=x\n y", "=?a\n b", "Subject: =?ISO-8859-1?Q?Pr=FCfung?="];
foreach ($texts as $text) {
    foreach ([0, ICONV_MIME_DECODE_STRICT, ICONV_MIME_DECODE_CONTINUE_ON_ERROR, 3] as $mode) {
        echo json_encode($text), " $mode: ", json_encode(@iconv_mime_decode($text, $mode)), "\n";
    }
}
iconv_mime_decode('=?nope?Q?a?=');
foreach ([30, 40, 76] as $length) {
    foreach (['B', 'Q'] as $scheme) {
        foreach (['UTF-8', 'ISO-8859-1', 'EUC-JP'] as $charset) {
            foreach (['', 'abc', str_repeat('ab cd ', 20), "日本語テキスト です。abc", str_repeat('é', 40)] as $value) {
                $options = ['scheme' => $scheme, 'output-charset' => $charset, 'input-charset' => 'UTF-8', 'line-length' => $length];
                echo "$length $scheme $charset ", json_encode(@iconv_mime_encode('Subject', $value, $options)), "\n";
            }
        }
    }
}
