<?php
class Shape {
    public $plain = 'plain';
    public $area { get => 'computed'; }
    public $sides = 3 { get => $this->sides * 10; set => $value; }
    public $sink { set {} }
    protected $inner = 'in' { get => strtoupper($this->inner); }
    private $own = 'own' { get => "<$this->own>"; }
    public function ofShape() { return get_object_vars($this); }
}
#[AllowDynamicProperties]
class Square extends Shape {
    private $own = 'square' { get => "[$this->own]"; }
    public $plain = 'p' { get => 'hooked ' . $this->plain; }
    public function ofSquare() { return get_object_vars($this); }
}
$square = new Square;
$square->extra = 1;
print_r($square->ofShape());
print_r($square->ofSquare());
print_r(get_object_vars($square));
foreach ($square as $name => $value) { echo "$name=$value\n"; }
var_export($square);
echo "\n", json_encode($square), "\n";
try {
    foreach ($square as $name => &$value) { echo $name, "\n"; }
} catch (Error $e) { echo $e->getMessage(), "\n"; }

// The stored value that a hook of an abstract property uses belongs to the class below, too.
abstract class Named { abstract public string $name { get; set => trim($value); } }
class Person extends Named { public string $name { get => 'I am ' . $this->name; } }
class Silent extends Named { public string $name { get => 'nobody'; } }
$person = new Person; $person->name = '  Ann ';
$silent = new Silent; $silent->name = 'x';
var_dump($person->name, $silent->name);

// A hook is asked before its property refuses to become an alias.
class Alias {
    public $ref = 1 { &get { echo "asked\n"; return $this->ref; } }
    public $val = 1 { get { echo "asked by value\n"; return $this->val; } }
    public function __get($n) { echo "get $n\n"; return 1; }
}
foreach (['ref', 'val', 'none'] as $name) {
    $alias = new Alias;
    try { $alias->$name = &$other; } catch (Error $e) {
        do { echo $e->getMessage(), "\n"; } while ($e = $e->getPrevious());
    }
}
