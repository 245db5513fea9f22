<?php
// Which types of content mb_output_handler converts is a pattern, in which case does not matter.
ini_set('mbstring.http_output_conv_mimetypes', '^(image|x-.*HTML\+)');
mb_http_output('EUC-JP');
header('Content-Type: X-Some-html+xml; charset=UTF-8');
ob_start();
ob_start('mb_output_handler');
echo 'テスト';
ob_end_flush();
echo bin2hex(ob_get_clean()), "\n";
mb_http_output('pass');
ob_start();
ob_start('mb_output_handler');
echo 'テスト';
ob_end_flush();
echo bin2hex(ob_get_clean()), "\n";
