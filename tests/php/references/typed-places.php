<?php
// Typed properties behind references: steps at the end of the range, failed operators, binding, cloning, __get.

class C {
    public int $i = PHP_INT_MAX;
    public static int $s = PHP_INT_MAX;
    public ?string $t = null;
    public static ?string $u;
    public static ?array $list;
}
function attempt(callable $f) {
    try {
        $f();
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
$c = new C;
attempt(fn() => $c->i++);
attempt(fn() => ++C::$s);
$ref = &$c->i;
$list = [&$c->i];
attempt(function () use (&$ref) { $ref++; });
attempt(function () use ($c) { $c->i++; });
attempt(function () use (&$list) { $list[0]++; });
$list[0] = 5;
attempt(function () use (&$list) { $list[0] .= "e50"; });
var_dump($c->i);
$copy = clone $c;
unset($c);
attempt(function () use (&$ref) { $ref = "text"; });
var_dump($copy->i);

$c = new C;
attempt(fn() => $c->t[] = 1);
$t = &$c->t;
attempt(function () use (&$t) { $t[] = 1; });
attempt(fn() => C::$u["x"][] = 1);
attempt(fn() => C::$u);
C::$list["k"] = 1;
var_dump(C::$list);

$s = &C::$s;
$other = 1;
C::$s = &$other;
$s = "free again";
attempt(function () use (&$other) { $other = "bound"; });
var_dump($s, C::$s);

class Lazy {
    public int $n;
    public function __construct(private $value) { unset($this->n); }
    public function &__get($name) { return $this->value; }
}
var_dump((new Lazy("42"))->n);
attempt(fn() => (new Lazy("x"))->n);

class Released { public string $p = ""; }
class Releases { function __toString() { $GLOBALS["holder"] = null; return "text"; } }
$holder = new Released;
attempt(function () { $GLOBALS["holder"]->p = new Releases; });
var_dump($holder);

class Old { function __destruct() { $GLOBALS["kept"] = null; } }
$kept = new Old;
$alias = &$kept;
var_dump($kept = 7, $kept);
