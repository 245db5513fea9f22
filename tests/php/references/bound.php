<?php
// Variables that references are bound to: what they held before goes, in its time.

class Loud
{
    public function __construct(public string $name)
    {
    }
    public function __destruct()
    {
        echo "-{$this->name}\n";
    }
}

$count = 5;
$text = 'global';

function counts(): int
{
    global $count, $missing;
    $missing ??= 10;
    $missing++;
    return ++$count;
}

function rebinds(): void
{
    $held = new Loud('held');
    $other = new Loud('other');
    $held = &$other;
    echo "bound\n";
    $other = new Loud('third');
    echo $held->name, "\n";
    global $count;
    $held = &$count;
    echo $held, "\n";
}

function same(array &$list): array
{
    $list = &$list;
    $alias = &$list;
    $alias[] = count($list);
    $third = $fourth = &$alias;
    $fourth[] = 'x';
    $third[] = 'y';
    return $third;
}

function dies(): void
{
    $victim = new class {
        public function __destruct()
        {
            throw new Exception('from the destructor');
        }
    };
    $other = 1;
    $victim = &$other;
    echo "not reached\n";
}

function undefined(): array
{
    $a = &$b;
    $c = &$a;
    $c = 3;
    return [$a, $b, $c];
}

function hides(): string
{
    $text = 'local';
    $kept = &$text;
    global $text;
    $text .= '!';
    return $kept . ' ' . $text;
}

for ($i = 0; $i < 40; $i++) {
    $last = counts();
}
echo $last, ' ', $count, ' ', $missing, "\n";
rebinds();
for ($i = 0; $i < 30; $i++) {
    $list = [1];
    $got = same($list);
}
echo json_encode($list), json_encode($got), "\n";
for ($i = 0; $i < 3; $i++) {
    try {
        dies();
    } catch (Exception $exception) {
        echo $exception->getMessage(), "\n";
    }
}
echo json_encode(undefined()), "\n";
echo hides(), ' ', hides(), "\n";
$alias = &$GLOBALS['text'];
unset($text);
echo $alias, ' ', isset($text) ? 'set' : 'unset', ' ', hides(), "\n";
