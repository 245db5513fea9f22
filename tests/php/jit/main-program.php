<?php
// Loops of the main program call functions that change its variables.

function touches(int $i): int
{
    global $a, $b;
    if ($i === 70) {
        $a = "text";
    }
    if ($i === 90) {
        unset($GLOBALS['b']);
    }
    return $i;
}

function renames(int $i): string
{
    if ($i % 40 === 39) {
        $GLOBALS['name'] .= "+";
    }
    return "n" . $i;
}

$a = 1;
$b = 2;
for ($i = 0; $i < 120; $i++) {
    $v = touches($i);
    if ($i === 100) {
        var_dump($a, $b ?? null, $v);
    }
}
$name = "";
$last = "";
$all = 0;
for ($i = 0; $i < 120; $i++) {
    $last = $name;
    $name = renames($i);
    $all += strlen($last . $name);
}
var_dump($name, $last, $all);

function maybe(int $i): int|string|null
{
    return $i % 3 === 0 ? $i : ($i % 3 === 1 ? "s$i" : null);
}

$kinds = [0, 0, 0];
for ($i = 0; $i < 300; $i++) {
    $r = maybe($i);
    $kinds[is_int($r) ? 0 : (is_string($r) ? 1 : 2)]++;
}
var_dump(implode(",", $kinds), $r);

class Holder
{
    public ?int $n = null;
}

// The variable that the result goes to is a typed property.
$h = new Holder;
$n = &$h->n;
try {
    for ($i = 0; $i < 300; $i++) {
        $n = maybe($i * 3);
    }
    $n = maybe(1);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
var_dump($h->n);

function literal(int $i): string
{
    return $i & 1 ? "odd" : "even" . $i;
}

$out = "";
for ($i = 0; $i < 200; $i++) {
    $t = literal($i);
    $t .= "!";
    $out = $i % 50 === 0 ? "" : $out . $t;
}
var_dump(strlen($out), $t, literal(1), literal(2));
