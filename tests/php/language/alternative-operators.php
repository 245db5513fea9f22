<?php
// instanceof, clone, print, backtick-free oddities, casts with spaces, comma lists.
$o = new ArrayObject([1]);
var_dump($o instanceof Countable and !$o instanceof Closure, !$x = 5, $x, -3 ** 2, (int) '5' + 5, ! empty([0]));
$a = $b = $c = 3;
echo $a + $b * $c - $a / $b % 2 . "\n";
echo true ? 'a' : (false ? 'b' : 'c'), null ?: 'elvis', 5 <=> 3, 1 + 2 . '3' + 4, "\n";
var_dump(1 < 2 == true, '5' === 5 || 5 == '5', 7 . '', 07 . '', (bool) 'false' && !0, 6 & 3 | 8 ^ 1, ~0 & 0xFF, 1 << 3 >> 1);
$i = 10;
$i **= 2;
$i %= 7;
$i <<= 4;
$i |= 1;
$i ^= 3;
$i .= 'x';
$n = null;
$n ??= 'd';
echo $i, $n, "\n";
print 'x' . print 'y';
echo "\n", @$undefined['k'] ?? 'z', -'5', +'3.5', "\n";
list(, $second) = [1, 2];
[$p, [$q]] = [1, [2]];
echo $second, $p, $q, "\n";
