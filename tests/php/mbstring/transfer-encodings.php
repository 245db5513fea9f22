<?php
set_error_handler(fn() => true);
$s = 'Añß€ 日本 привет';
$encs = ['BASE64','Quoted-Printable','UUENCODE','HTML','UTF-8','ISO-8859-1','UTF-16LE','7bit','8bit'];
foreach (['BASE64','Quoted-Printable','UUENCODE','HTML','7bit','8bit'] as $f) {
  foreach ([mb_convert_encoding($s, $f, 'UTF-8'), $s, "\xff\xfe", "&eacute;&#233;=E9", ''] as $i => $in)
    foreach ($encs as $t) { $r = @mb_convert_encoding($in, $t, $f); echo "$f $i $t: ", bin2hex((string)$r), "\n"; }
}
foreach ($encs as $t) foreach ($encs as $u) echo $t, ' ', $u, ' ', bin2hex((string)@mb_convert_encoding("caf\xc3\xa9 & <b>", $t, $u)), "\n";
var_dump(@mb_convert_encoding('4pWqw6k=', 'UTF-8', 'BASE64'), @mb_convert_encoding('caf=C3=A9', 'UTF-8', 'QPrint'), @mb_convert_encoding('caf=E9', 'UTF-8', 'quoted-printable'),@mb_convert_encoding('4pWqw6k=', 'ISO-8859-1', 'BASE64'));

