<?php
$t = str_repeat("hello world, this is a text ", 300) . implode(',', range(1,500));
foreach ([ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, ZLIB_ENCODING_DEFLATE] as $e)
foreach ([[], ['memory'=>1], ['memory'=>9,'level'=>9], ['strategy'=>ZLIB_HUFFMAN_ONLY], ['strategy'=>ZLIB_RLE], ['strategy'=>ZLIB_FIXED], ['strategy'=>ZLIB_FILTERED], ['window'=>8], ['window'=>9,'memory'=>2]] as $o) {
  $c = @deflate_init($e, $o);
  if (!$c) { echo "$e ", json_encode($o), " refused: ", error_get_last()['message'], "\n"; continue; }
  $s = '';
  foreach ([ZLIB_NO_FLUSH, ZLIB_PARTIAL_FLUSH, ZLIB_SYNC_FLUSH, ZLIB_FULL_FLUSH, ZLIB_BLOCK, ZLIB_FINISH] as $f) $s .= deflate_add($c, $t, $f) . '|';
  $s .= deflate_add($c, $t, ZLIB_FINISH);
  echo $e, ' ', json_encode($o), ' ', strlen($s), ' ', md5($s), "\n";
}
