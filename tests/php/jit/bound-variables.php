<?php
// Functions with global and static variables: code reads and writes through the references.

function next_random(int $n): float
{
    global $last;
    return ($n * ($last = ($last * 3877 + 29573) % 139968)) / 139968;
}

function counted(): int
{
    static $calls = 0;
    return ++$calls;
}

function cached(int $n): string
{
    static $cache = [];
    if (isset($cache[$n])) {
        return $cache[$n];
    }
    return $cache[$n] = "value $n";
}

final class Registry
{
    public int $n = 0;
    public function add(int $by): int { return $this->n += $by; }
    public static function get(): Registry
    {
        static $instance = null;
        if ($instance === null) {
            $instance = new Registry();
        }
        return $instance;
    }
}

function registered(int $n): int
{
    global $registry;
    return $registry->add($n);
}

function pushes($value): int
{
    global $list;
    $list[] = $value;
    return count($list);
}

function swapped(int $n)
{
    global $mixed;
    $before = $mixed;
    if ($n % 3000 === 0) {
        $mixed = "text $n";
    } elseif ($n % 2000 === 0) {
        $mixed = $n / 7;
    } else {
        $mixed = $n;
    }
    return $before;
}

function loses(int $n): int
{
    global $gone;
    if ($n === 4000) {
        unset($GLOBALS['gone']);
    }
    $gone = $gone + 1;
    return $gone;
}

function rebinds(int $n): int
{
    global $one;
    if ($n % 2 === 0) {
        global $two;
        $one = &$two;
    }
    $one = $one + 1;
    return $one;
}

function &by_reference()
{
    static $inside = 1;
    return $inside;
}

function twice(bool $deep): int
{
    static $depth = 0;
    $depth++;
    $sum = $depth;
    if ($deep) {
        $sum += twice(false);
    }
    $depth--;
    return $sum;
}

function throws(int $n): int
{
    static $left = 0;
    $left = $left + 1;
    if ($n % 1000 === 999) {
        throw new Exception("at $left");
    }
    return $left;
}

$last = 42;
$registry = new Registry();
$list = [];
$mixed = 0;
$gone = 1;
$one = 1;
$two = 100;
$sum = 0.0;
$text = '';
for ($i = 0; $i < 6000; $i++) {
    $sum += next_random(100);
    $sum += counted() & 7;
    $sum += strlen(cached($i % 50));
    $sum += Registry::get()->add(1) & 3;
    $sum += registered(2) & 3;
    $sum += pushes($i) & 1;
    $before = swapped($i);
    if (!is_int($before)) {
        $text .= "$before ";
    }
    $sum += loses($i) & 15;
    $sum += rebinds($i) & 3;
    $sum += twice($i % 2 === 0);
    if ($i % 1500 === 0) {
        $r = &by_reference();
        $r += $i;
        unset($r);
    }
    $sum += by_reference();
    try {
        $sum += throws($i) & 1;
    } catch (Exception $e) {
        $text .= $e->getMessage() . ' ';
    }
}
printf("%.6f %s\n", $sum, $text);
echo "$last {$registry->n} ", count($list), " $mixed $gone $one $two ", counted(), ' ', Registry::get()->n, "\n";

// A kind that was not there when the code was made.
$last = 1.5;
var_dump(next_random(3));
$last = null;
var_dump(next_random(3), $last);
$registry = new class {
    public function add($n) { return -$n; }
};
var_dump(registered(5));
$list = 'text';
try {
    pushes(1);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

// Static variables of closures are the closures' own.
$make = fn() => function () {
    static $n = 0;
    return ++$n;
};
[$a, $b] = [$make(), $make()];
for ($i = 0; $i < 3000; $i++) {
    $a();
    if ($i % 2) {
        $b();
    }
}
echo $a(), ' ', $b(), "\n";

// What a destructor sees when the last reference goes.
class Loud
{
    public function __destruct() { echo "gone\n"; }
}
function drops(int $n): void
{
    global $loud;
    if ($n === 3000) {
        unset($GLOBALS['loud']);
        echo "unset\n";
        $loud = 1;
    }
}
$loud = new Loud();
for ($i = 0; $i < 4000; $i++) {
    drops($i);
}
var_dump(isset($loud));
