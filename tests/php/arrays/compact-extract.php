<?php
// compact and extract with their flags.
$one = 1;
$two = ['nested'];
echo json_encode(compact('one', ['two', ['one']])), "\n";
var_dump(compact('missing'));
$one = 'kept';
echo extract(['one' => 'new', 'three' => 3, '4bad' => 1, 'ok_1' => 2], EXTR_SKIP), $one, $three, "\n";
echo extract(['one' => 'prefixed', 0 => 'zero'], EXTR_PREFIX_ALL, 'p'), $p_one, $p_0, "\n";
$src = ['ref' => 1];
extract($src, EXTR_REFS);
$ref = 'changed';
echo $src['ref'], "\n";
echo extract(['one' => 'over']), $one, extract(['GLOBALS' => 2, '' => 3]), "\n";
function locals() { $a = 1; extract(['b' => 2]); return array_keys(get_defined_vars()); }
echo implode(',', locals()), "\n";
['a' => $x, 'b' => ['c' => $y]] = ['a' => 1, 'b' => ['c' => 2]];
echo $x, $y, "\n";
