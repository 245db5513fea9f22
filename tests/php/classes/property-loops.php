<?php
// foreach over properties: hooks, virtual ones, and properties that the loop itself makes.
#[AllowDynamicProperties]
class P {
    public $a = 1;
    public $virtual { get => "computed"; }
    private $hidden = 2;
    public $b = 3 { get { echo "(get b)"; return $this->b; } set { $this->b = $value; } }
    public string $unset { set { $this->unset = $value; } }
    function all() { foreach ($this as $name => $value) { echo "$name=$value "; } echo "\n"; }
}
$p = new P;
$p->z = 26;
foreach ($p as $name => $value) {
    echo "$name=$value ";
    if ($name === "z") { $p->late = "late"; }
}
echo "\n";
$p->all();
$o = (object) ["x" => 1];
foreach ($o as $name => &$value) {
    $value .= "!";
    if ($name === "x") { $o->y = 2; }
}
unset($value);
var_dump($o);

class R {
    public function __construct(public readonly object $o, public private(set) array $list = [1], public readonly ?array $ro = null) {}
}
function attempt(callable $f) {
    try {
        $f();
        echo "done\n";
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
$r = new R(new stdClass);
attempt(fn() => $r->o++);
attempt(fn() => $r->list[] = 2);
attempt(function () use ($r) { $x = &$r->o; $x = 1; });
attempt(function () use ($r) { unset($r->list[0]); });
attempt(function () use ($r) { $x = &$r->ro; });
var_dump($r->o);

#[Attribute]
class Marked { public function __construct(public int $n) { echo (new Exception)->getTraceAsString(), "\n"; } }
#[Marked("x")]
class Target {}
try {
    (new ReflectionClass("Target"))->getAttributes()[0]->newInstance();
} catch (TypeError $e) {
    echo preg_replace('~, called in .*/~', ', called in ', $e->getMessage()), "\n";
}
class A { static $s = 1; static protected $p; function __get($n) { return "got $n"; } }
$a = new A;
echo $a->s, "\n";
class B { static $s = 1; }
$b = new B;
attempt(fn() => $b->s = 2);
$b->n += 5;
$b->n++;
