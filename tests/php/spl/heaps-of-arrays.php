<?php
// Heaps that compare arrays, objects and what raises something.
foreach ([new SplMinHeap, new SplMaxHeap, new SplPriorityQueue] as $heap) {
    $values = [[3, 'c'], [1, 'z'], [2], [1, 'a'], 5, '7', 2.5, [], [1, [2, 3]], null, true, 'text'];
    foreach ($values as $number => $value) {
        $heap instanceof SplPriorityQueue ? $heap->insert($number, $value) : $heap->insert($value);
    }
    while (!$heap->isEmpty()) {
        echo json_encode($heap->extract()), ' ';
    }
    echo "\n";
}
class Name
{
    public function __construct(public string $name)
    {
    }
}
$heap = new SplMinHeap;
foreach (['q', 'b', 'x'] as $name) {
    $heap->insert([new Name($name), 1]);
}
echo $heap->extract()[0]->name, $heap->top()[0]->name, "\n";
class Failing extends SplMinHeap
{
    protected function compare(mixed $a, mixed $b): int
    {
        if ($a === 13 || $b === 13) {
            throw new Exception('thirteen');
        }
        return parent::compare($a, $b);
    }
}
$heap = new Failing;
try {
    foreach ([4, 2, 13, 1] as $value) {
        $heap->insert($value);
    }
} catch (Exception $exception) {
    echo $exception->getMessage(), ' ', $heap->isCorrupted() ? 'corrupted' : 'fine', ' ', count($heap), "\n";
}
$deep = [];
$deep[] = &$deep;
$heap = new SplMaxHeap;
try {
    $heap->insert($deep);
    $heap->insert($deep);
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
$queue = new SplPriorityQueue;
$queue->setExtractFlags(SplPriorityQueue::EXTR_BOTH);
foreach (range(1, 30) as $number) {
    $queue->insert("v$number", [$number % 4, -$number]);
}
while ($queue->valid()) {
    $top = $queue->extract();
    echo $top['data'], ':', implode('/', $top['priority']), ' ';
}
echo "\n";
