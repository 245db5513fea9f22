<?php
class Node {
    public $left = 'l';
    protected $right = 'r';
    private $own = 'o';
    public int $number = 1;
    public readonly int $fixed;
    public function __construct() { $this->fixed = 3; }
    public function all() {
        foreach (['left', 'right', 'own', 'number', 'fixed'] as $name) {
            echo $name, ' ', $this->$name, ' ', $this->{'' . $name}, "\n";
        }
    }
    public function change($name, $value) {
        echo $name, ': ', $this->$name = $value, ' ', $this->{$name . ''} = $value, "\n";
    }
}
class Asked {
    public function __get($name) { return "get($name)"; }
    public function __set($name, $value) { echo "set($name)\n"; }
}
function read($object, $name) { return $object->$name; }
function write($object, $name, $value) { $object->$name = $value; return $object; }

for ($round = 0; $round < 3; $round++) {
    $node = new Node;
    $node->all();
    foreach (['left' => [1], 'right' => 2, 'own' => null, 'number' => '5', 'fixed' => 4, 'missing' => 1] as $name => $value) {
        try {
            $node->change($name, is_array($value) ? 'list' : $value);
        } catch (Error $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
    foreach (['left', 'right', 'own', 'nothing', ''] as $name) {
        try {
            var_dump(read($node, $name));
        } catch (Error $error) {
            echo $error->getMessage(), "\n";
        }
    }
    foreach (['left', '12', 'x'] as $name) {
        echo read(new Asked, $name), "\n";
        write(new Asked, $name, 1);
        var_dump(read(write(new stdClass, $name, $round), $name));
    }
    foreach ([1, 1.5, true] as $name) {
        var_dump(read(write(new stdClass, $name, $round), $name));
    }
    foreach ([null, 5, 'text', []] as $base) {
        var_dump(read($base, 'left'));
        try {
            write($base, 'left', 1);
        } catch (Error $error) {
            echo $error->getMessage(), "\n";
        }
    }
    $name = 'left';
    $reference = &$name;
    var_dump(read($node, $reference));
    $node->$reference = $node;
    var_dump($node->$reference === $node);
    $alias = &$node->left;
    $node->$reference = 'aliased';
    var_dump($alias);
    unset($alias, $reference, $name);
}
try {
    (function () { return $undefined->$other; })();
    (function () { $o = new stdClass; return $o->$other; })();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
