<?php
// A property of objects of many classes: where they have it in the same place, and where they have something else.
abstract class Node
{
    protected ?Node $next = null;
    public int|string $name = 0;
    private array $own = [];

    public function after(?Node $node): static
    {
        $this->next = $node;
        $this->own[] = $this->name;
        if ($this->next) {
            $this->next->name = $this->name;
        }
        return $this;
    }

    public function count(): int
    {
        return ($this->next ? $this->next->count() : 0) + count($this->own);
    }
}

class Hooked extends Node
{
    public int $reads = 0;
    public int|string $name = 5 {
        get => 'hooked' . ++$this->reads;
    }
}

class Hidden extends Node
{
    private array $own = ['mine', 'too'];

    public function own(): int
    {
        return count($this->own);
    }
}

class Dropped extends Node
{
    public function drop(): void
    {
        unset($this->name);
    }

    public function __get(string $name): mixed
    {
        return "no $name";
    }
}

for ($number = 0; $number < 12; $number++) {
    eval("class Plain$number extends Node { public \$other$number = $number; }");
}

function run(array $nodes): string
{
    $text = '';
    $last = null;
    foreach ($nodes as $node) {
        $node->after($last);
        $text .= $node->name . $node->count() . ' ';
        $last = $last && $last->count() > 3 ? null : $node;
    }
    return $text;
}

$classes = [];
for ($number = 0; $number < 12; $number++) {
    $classes[] = "Plain$number";
}
for ($round = 0; $round < 30; $round++) {
    $nodes = [];
    foreach ($round > 20 ? [...$classes, 'Hooked', 'Hidden', 'Dropped'] : array_slice($classes, 0, 1 + $round % 12) as $class) {
        $nodes[] = new $class();
    }
    if ($round > 25) {
        end($nodes)->drop();
    }
    $text = run($nodes);
    if ($round === 11 || $round === 24 || $round === 29) {
        echo $text, "\n";
    }
}
echo $nodes[13]->own(), "\n";
