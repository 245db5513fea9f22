<?php
// Elements that are counted up and down in place, and strings that a switch compares.

final class Tally
{
    public array $counts = [];
    private array $sums = [1.5, 2, 'x' => 10];

    public function note(string $word): void
    {
        if (!isset($this->counts[$word])) {
            $this->counts[$word] = 0;
        }
        $this->counts[$word]++;
        $this->sums['x'] -= 2;
        $this->sums[0] *= 1.5;
    }

    public function show(): string
    {
        return json_encode($this->counts) . round($this->sums[0], 3) . '/' . $this->sums['x'];
    }
}

function spread(array $words): array
{
    $seen = [];
    foreach ($words as $word) {
        if (!isset($seen[$word])) {
            $seen[$word] = 0;
        }
        $copy = $seen;
        $seen[$word] += strlen($word);
        $copy[$word]--;
        if ($copy[$word] >= $seen[$word]) {
            return [];
        }
    }
    return $seen;
}

$tally = new Tally();
$words = ['a', 'bb', 'a', '12', 'ccc', 'bb', '12'];
for ($i = 0; $i < 30; $i++) {
    $tally->note($words[$i % 7]);
}
echo $tally->show(), "\n";
for ($i = 0; $i < 6; $i++) {
    echo json_encode(spread($words)), "\n";
}

function kind(string $text): string
{
    $out = '';
    for ($i = 0; $i < strlen($text); $i++) {
        switch ($text[$i]) {
            case '(':
                $out .= 'open ';
                break;
            case ')':
                $out .= 'close ';
                break;
            case '1':
            case '2':
                $out .= 'digit ';
                break;
            default:
                $out .= 'other ';
        }
    }
    return $out;
}

function word(string $text): int
{
    return match ($text) {
        'alpha' => 1,
        'beta' => 2,
        default => strtolower($text) === 'gamma' ? 3 : ($text == '1e1' ? 4 : 0),
    };
}

for ($i = 0; $i < 6; $i++) {
    echo kind("(1+2)x$i"), word('al' . 'pha'), word(strrev('ateb')), word('GAMMA'), word('10'), word('10.0'), word('ten'), "\n";
}

// Overflow and undefined elements are the interpreter's.
function beyond(int $n): array
{
    $list = ['n' => PHP_INT_MAX - 2];
    for ($i = 0; $i < $n; $i++) {
        $list['n']++;
        @$list['new'] += $i;
    }
    return $list;
}

for ($i = 0; $i < 6; $i++) {
    var_dump(beyond($i));
}
