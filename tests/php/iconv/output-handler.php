<?php
// The handler that is no function.
ini_set('iconv.internal_encoding', 'UTF-8');
ini_set('iconv.output_encoding', 'ISO-8859-1');
ob_start();
ob_start('ob_iconv_handler');
echo 'äöü';
ob_end_flush();
$text = ob_get_clean();
echo bin2hex($text), "\n";
var_dump(is_callable('ob_iconv_handler'));

class Mine extends SimpleXMLElement { function __toString(): string { return 'mine'; } }
$x = simplexml_load_string('<a><b>text</b></a>', 'Mine');
echo $x, ' ', (string) $x->b, ' ', strlen($x->b), ' ', $x->b == 'mine' ? 'same' : 'other', "\n";
