<?php
class Node
{
    public $left = 1;
    public array $list = [1, 2];
    private $hidden = 'h';
    protected ?Node $child = null;

    public function show(string ...$names)
    {
        foreach ($names as $name) {
            echo json_encode($this->take($this->$name)), is_array($this->$name) ? ' array' : ' ', ' ';
        }
        echo "\n";
    }

    private function take($value)
    {
        return $value;
    }

    public function grow(string $name)
    {
        array_push($this->$name, 3);
        $this->add($this->$name);
        sort($this->$name);
        return $this->$name;
    }

    private function add(&$list)
    {
        $list[] = 0;
    }
}
$node = new Node;
for ($i = 0; $i < 3; $i++) {
    $node->show('left', 'list', 'hidden', 'child');
    echo json_encode($node->grow('list')), "\n";
}
foreach (['left', 'list', 'hidden', 'missing', 'le' . 'ft', str_repeat('x', 2)] as $name) {
    try {
        echo @json_encode($node->$name), strlen(@json_encode($node->$name)), "\n";
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
}
