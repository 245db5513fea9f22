<?php
// An element of an array in an array is set where it is, or in copies if others have one of the two.
final class Witness
{
    public function __construct(public string $name) {}

    public function __destruct()
    {
        echo "-{$this->name}";
    }
}

function made(array $from, int $i): array
{
    $from['last'] = $i;
    return $from;
}

function fill(int $n): array
{
    $kept = [];
    $doc = made(['items' => [1, 2, 3], 'none' => null, 'text' => 'abc'], 0);
    for ($i = 0; $i < $n; $i++) {
        $doc = made($doc, $i);
        $doc['items'][$i % 7] = $i;
        $doc['items']["k$i"] = "v$i";
        if ($i % 50 === 7) {
            $kept[] = $doc;
        }
        if ($i % 60 === 9) {
            $kept[] = $doc['items'];
        }
    }
    return [$doc, $kept];
}

[$doc, $kept] = fill(200);
echo count($doc['items']), ' ', $doc['items'][3], ' ', $doc['items']['k150'], ' ', $doc['last'], "\n";
foreach ($kept as $one) {
    $items = $one['items'] ?? $one;
    echo count($items), ':', $items[0], ',', $items[6] ?? '-', ' ';
}
echo "\n";

$doc = [];
for ($i = 0; $i < 120; $i++) {
    $doc = made($doc, $i);
    // There is no array yet, then there is; now and then it is none.
    $doc['new'][$i] = $i * 2;
    if ($i % 40 === 39) {
        echo count($doc['new']), ' ';
        $doc['new'] = null;
    }
    if ($i === 100) {
        $doc['new'] = new ArrayObject();
    }
}
echo count($doc['new'] ?? []), "\n";

$doc = ['a' => [0 => new Witness('first')]];
for ($i = 0; $i < 60; $i++) {
    $doc = made($doc, $i);
    $doc['a'][0] = $i % 20 === 19 ? new Witness("w$i") : $i;
}
echo "\n";

$doc = ['text' => 'abcdef', 'list' => [1]];
$alias = &$doc['list'];
for ($i = 0; $i < 40; $i++) {
    $doc = made($doc, $i);
    $doc['text'][$i % 6] = 'x';
    $doc['list'][$i % 3] = $i;
}
echo $doc['text'], ' ', implode(',', $alias), "\n";

$doc = ['list' => [1, 2]];
for ($i = 0; $i < 40; $i++) {
    $doc = made($doc, $i);
    $doc['list'][2] = $doc['list'];
    $doc['list'][3] = $doc;
    $doc['list'][3] = count($doc['list'][3]['list']);
    $doc['list'][2] = count($doc['list'][2]);
}
echo json_encode($doc), "\n";
