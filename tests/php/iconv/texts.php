<?php
echo bin2hex(iconv('UTF-8', 'ISO-8859-1', 'grün')), ' ', iconv('UTF-8', 'ASCII//IGNORE', 'aéb'), ' ', bin2hex(iconv('UTF-8', 'UTF-16BE', "\u{1F600}")), "\n";
echo iconv_strlen('grüße', 'UTF-8'), ' ', iconv_substr('grüße', 2, 2, 'UTF-8'), ' ', iconv_strpos('grüße', 'ß', 0, 'UTF-8'), ' ', iconv_strrpos('ßaß', 'ß', 'UTF-8'), "\n";
echo iconv_mime_encode('Subject', 'Prüfung', ['input-charset' => 'UTF-8', 'output-charset' => 'UTF-8']), "\n";
echo iconv_mime_decode('=?UTF-8?B?UHLDvGZ1bmc=?= =?ISO-8859-1?Q?gr=FCn?=', 0, 'UTF-8'), "\n";
print_r(iconv_mime_decode_headers("To: a@b\nSubject: =?UTF-8?Q?Pr=C3=BC?=\n", 0, 'UTF-8'));
