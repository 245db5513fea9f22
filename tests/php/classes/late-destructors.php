<?php
// Destructors that make objects with destructors, at the end and while arguments of a constructor throw.
class Chain {
    static $left = 3;
    static $kept;
    function __destruct() { echo "chain ", self::$left, "\n"; if (self::$left-- > 0) self::$kept[] = new Chain; }
}
class Loud { function __construct($x = null) {} function __destruct() { echo "loud\n"; } }
function fail() { throw new Exception("argument"); }
try {
    new Loud(fail());
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
class Base { private $secret = 1; function has() { return property_exists($this, "secret"); } }
class Derived extends Base {}
var_dump((new Derived)->has(), property_exists(new Derived, "secret"));
new Chain;
$t = new stdClass;
$t->self = $t;
unset($t);
var_dump(gc_collect_cycles());
echo "end\n";
