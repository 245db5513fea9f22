<?php
// Deprecated attributes and signatures.
#[Deprecated('use new_one()', since: '2.0')]
function old_one() { return 1; }
class C { #[Deprecated] public function m() { return 2; } #[Deprecated(message: 'no K')] const K = 3; }
echo old_one(), (new C)->m(), C::K, "\n";
function implicit(int $x = null) { return $x; }
function order($a = 1, $b) { return $b; }
var_dump(implicit(), order(1, 2));
$x = 5.7;
$a = [1, 2, 3, 4, 5, 6];
echo $a[$x], 17.5 % 3, 1.5 | 1, "\n";
echo 10 % 3.9, chr(300.5 | 0) === ',' ? 'comma' : 'other', "\n";
