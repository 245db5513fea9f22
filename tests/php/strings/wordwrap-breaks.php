<?php
// Breaks of several bytes, also where the text ends with one.
foreach ([0,1,2,3,5] as $w) foreach ([' ', 'x', 'abc def', "\n", 'ab'] as $b) foreach ([false, true] as $cut) foreach (['abc def', 'abc', 'aaa bbb ccc', 'abc deffedd', ''] as $s) { echo "$w $b "; try { echo json_encode(wordwrap($s, $w, $b, $cut)), "\n"; } catch (ValueError $e) { echo $e->getMessage(), "\n"; } }
