<?php
// Compiled code makes, passes on and gives up objects, strings and arrays.

final class Cell
{
    public ?Cell $next = null;
    public function __construct(public readonly int $value, public string $tag = 'none')
    {
    }
}

class Lists
{
    private array $byName = [];
    private int $made = 0;
    public ?Cell $head = null;

    public function push(int $value): Cell
    {
        $cell = new Cell($value, "c$value");
        $cell->next = $this->head;
        $this->head = $cell;
        $this->byName[$cell->tag] = $cell;
        $this->made++;
        return $cell;
    }

    public function find(string $name): ?Cell
    {
        return $this->byName[$name] ?? null;
    }

    public function drop(string $name): void
    {
        unset($this->byName[$name]);
    }

    public function sum(): int
    {
        $sum = 0;
        $cell = $this->head;
        while ($cell !== null) {
            $sum += $cell->value;
            $cell = $cell->next;
        }
        return $sum;
    }

    public function made(): int
    {
        return $this->made;
    }
}

$lists = new Lists();
for ($i = 0; $i < 60; $i++) {
    $lists->push($i);
}
for ($i = 0; $i < 8; $i++) {
    echo $lists->sum(), ' ', $lists->made(), ' ', $lists->find("c$i")?->value ?? 'none', "\n";
    $lists->drop("c" . ($i + 1));
}

// A parameter that is assigned to; what was passed stays the caller's.
function last(Cell $cell): Cell
{
    while ($cell->next !== null) {
        $cell = $cell->next;
    }
    return $cell;
}

for ($i = 0; $i < 6; $i++) {
    $kept = $lists->head;
    echo last($lists->head)->value, ' ', $kept === $lists->head ? 'same' : 'other', "\n";
}

// Arguments that are changed while others are evaluated.
function pair(array $a, array $b): string
{
    return count($a) . ':' . count($b);
}

function texts(string $a, string $b): string
{
    return $a . '|' . $b;
}

function shifting(int $n): string
{
    $list = [1, 2];
    $text = 'x' . $n;
    $out = '';
    for ($i = 0; $i < 4; $i++) {
        $out .= pair($list, ($list[] = $i) === $i ? $list : []) . ' ';
        $out .= texts($text, $text .= $i) . ' ';
    }
    return $out;
}

for ($i = 0; $i < 5; $i++) {
    echo shifting($i), "\n";
}

// Arrays of pairs, and results of several kinds.
function tree(int $depth): ?array
{
    return $depth === 0 ? null : [tree($depth - 1), $depth, tree($depth - 1)];
}

function weight(?array $tree): int|string
{
    if ($tree === null) {
        return 0;
    }
    $left = weight($tree[0]);
    return $tree[1] === 4 ? 'four' : $tree[1] + (int) $left + (int) weight($tree[2]);
}

for ($i = 0; $i < 6; $i++) {
    echo weight(tree($i)), ' ';
}
echo "\n";

// Copies of arrays stay as they were.
function grown(array $list, int $by): array
{
    for ($i = 0; $i < $by; $i++) {
        $list["k$i"] = "v$i";
        $list[] = [$i];
    }
    return $list;
}

$base = ['a' => 1];
for ($i = 0; $i < 5; $i++) {
    $copy = grown($base, $i);
    echo count($base), '/', count($copy), ' ', isset($copy['k1']) ? $copy['k1'] : '-', ' ', empty($copy['zz']) ? 'e' : 'f', "\n";
}

// A constructor that throws, called from compiled code.
final class Picky
{
    public array $items = [];
    public function __construct(int $n)
    {
        if ($n > 40) {
            throw new LengthException("no $n");
        }
        $this->items[] = "item $n";
    }
}

function pick(int $n): Picky
{
    return new Picky($n);
}

$picked = 0;
for ($i = 30; $i < 50; $i++) {
    try {
        $picked += count(pick($i)->items);
    } catch (LengthException $e) {
        echo $e->getMessage(), ' in ', count($e->getTrace()), "\n";
    }
}
echo $picked, "\n";

// From here on objects have destructors.
final class Loud
{
    public function __construct(public string $name)
    {
    }

    public function __destruct()
    {
        echo "~{$this->name} ";
    }
}

function chain(int $n): void
{
    $loud = new Loud("a$n");
    $loud = new Loud("b$n");
    $list = [$loud];
    $loud = null;
    $list = [];
    echo "end$n ";
}

for ($i = 0; $i < 5; $i++) {
    chain($i);
}
echo "\n", $lists->sum(), "\n";
