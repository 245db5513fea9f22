<?php
namespace A\B;

use const X\LIMIT;
use function X\helper;

const SUM = 1 + 2 * 3, JOINED = 'a' . 1 . 'b', LATER = LIMIT + 1;
echo SUM, true, \PHP_EOL, namespace\SUM, LIMIT, helper(), strlen('x');
echo [1, 'k' => [2, 3], 5 => 'five', 'six'], -1, +'2', !0, ~5, 1 <=> 2;
echo __LINE__, __NAMESPACE__, __FUNCTION__, Foo::class;
echo "a$b{$c['d']}$e[f]{$g()}";
@$h['i'];
