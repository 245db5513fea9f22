<?php
// Objects compare by class and properties; identity; recursion is an error.
class P { public function __construct(public $x, public $y = null) {} }
class Q extends P {}
var_dump(new P(1) == new P(1), new P(1) == new P('1'), new P(1) == new Q(1), new P(1) <=> new P(2), new P(1, 2) < new P(1, 3), new P(1) === new P(1));
$p = new P(1);
$q = $p;
var_dump($p === $q, $p != new P(2), [$p] == [new P(1)], in_array(new P(1), [new P(1)]), in_array(new P(1), [new P(1)], true));
var_dump((object) ['a' => 1] == (object) ['a' => 1], (object) ['a' => 1] == (object) ['b' => 1]);
var_dump(new P(1) == 1);
class S { public function __toString() { return 'str'; } }
var_dump(new S == 'str', 'str' == new S, new S < 'sts', null == new P(1), true == new P(1));
$a = new P(null);
$a->x = $a;
$b = new P(null);
$b->x = $b;
try {
    var_dump($a == $b);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
