<?php
// Compiled loops in frames that have more arguments than parameters, iterations over elements that are references, results whose
// type is looked at before `finally`, and builtin functions that get a reference and have no short way.

class Page
{
    public int $rounds = 0;
    public function lines(array $lines): string
    {
        $markup = '';
        foreach ($lines as $line) {
            $markup .= "\n";
            $markup .= isset($line['raw']) ? $line['raw'] : $this->element($line);
        }
        return $markup . func_num_args();
    }
    private function element(array $element): string
    {
        return "<{$element['name']}>" . (method_exists($this, 'x' . $element['name']) ? '!' : '');
    }
    public function finish(string $text): string
    {
        try {
            return $this->lines([['name' => $text], ['raw' => $text]], 'extra');
        } finally {
            $this->rounds++;
        }
    }
    public function self(?Page $page): ?static
    {
        try {
            return $page;
        } finally {
            $this->rounds += 2;
        }
    }
}

$page = new Page;
$sum = 0;
for ($i = 0; $i < 300; $i++) {
    $sum += strlen($page->finish("b$i")) + strlen($page->lines([['name' => 'i'], ['raw' => 'r'], ['name' => "u$i"]], $i, $i));
    $page->self($i % 2 ? $page : null);
}
echo $sum, ' ', $page->rounds, ' ', $page->finish('p'), "\n";

function total(array $list): int
{
    $total = 0;
    foreach ($list as $key => $value) {
        $total += $value * $key;
    }
    return $total;
}
$seven = 7;
$list = [1, 2, 3];
$list[] = &$seven;
$map = ['x' => 1];
for ($i = 0, $all = 0; $i < 300; $i++) {
    $seven = $i;
    $all += total($list) + total([5 => &$seven, 1]);
}
echo $all, "\n";

function parts(string $style): ?string
{
    if (!preg_match_all('/(\w+)=(\w+)/', $style, $matches, PREG_SET_ORDER)) {
        return null;
    }
    $text = '';
    foreach ($matches as $match) {
        array_shift($match);
        $text .= implode(':', $match) . ';';
    }
    return $text;
}
for ($i = 0; $i < 300; $i++) {
    $text = parts("fg=red$i bg=blue") . parts('none');
}
echo $text, "\n";

// What does not fit is an error as everywhere.
function typed(?array &$list, int $i): int
{
    return count($list ?? []) + $i;
}
$counts = 0;
for ($i = 0; $i < 300; $i++) {
    $value = $i === 299 ? 'text' : ($i % 3 ? [$i] : null);
    try {
        $counts += typed($value, $i);
    } catch (TypeError $error) {
        echo preg_replace('/, called.*/', '', $error->getMessage()), "\n";
    }
}
echo $counts, "\n";
try {
    (function (): void {})->call($page);
    for ($i = 0; $i < 100; $i++) {
        (new class extends Page {})->self($i === 99 ? $page : null);
    }
} catch (TypeError $error) {
    echo str_replace("\0", '', preg_replace('/@anonymous.*?(?=::|,)/s', '@anonymous', $error->getMessage())), "\n";
}
