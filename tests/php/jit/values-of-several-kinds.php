<?php
// Values of many kinds are moved, tested and taken apart.
class Thing { public function __construct(public int $id) {} }
function value(int $i): mixed
{
    switch ($i % 10) {
        case 0: return $i;
        case 1: return $i / 4;
        case 2: return 'literal';
        case 3: return "made$i";
        case 4: return null;
        case 5: return [1, 2];
        case 6: return [$i, 'x' => [$i]];
        case 7: return new Thing($i);
        case 8: return true;
        default: return false;
    }
}
class Holder
{
    public $any;
    public int|string|null $some = null;
    public array $list = [];
    public function get() { return $this->any; }
    public function set($value) { $this->any = $value; return $this; }
    public function typed($value) { $this->some = $value; }
    public function keep($key, $value) { $this->list[$key] = $value; $this->list['last'] = $value; }
}
function element(array $from, int $at) { return $from[$at]; }
function describe($value): string
{
    if ($value === null) return 'null';
    if (is_string($value)) return "s:$value";
    if (is_array($value)) return 'a' . count($value) . ($value['x'][0] ?? '');
    if (is_int($value)) return 'i' . ($value + 1);
    if ($value instanceof Thing) return 'o' . $value->id;
    if (is_bool($value)) return $value ? 'T' : 'F';
    return 'd' . $value * 2;
}
function choose($a, $b, $i) { return $i % 3 ? $a : $b; }
function chain(Holder $holder, array $values, int $n): array
{
    $seen = [];
    for ($i = 0; $i < $n; $i++) {
        $value = $values[$i % count($values)];
        $holder->set($value);
        $copy = $holder->get();
        $pair = [$copy, choose($copy, $holder->any, $i)];
        foreach ($pair as $part) {
            $holder->any = $part;
            $holder->keep($i % 3, $part);
        }
        $seen[] = describe($pair[1]);
        if ($copy) { $seen[] = 'y'; }
        switch ($copy) { case 'literal': $seen[] = 'L'; break; case '20': $seen[] = '20'; break; }
        try {
            $holder->typed($copy);
        } catch (TypeError $error) {
            $seen[] = get_debug_type($copy);
        }
        $seen[] = $copy === 'literal' ? 'same' : ($copy == null ? 'none' : 'other');
    }
    return $seen;
}
$values = [];
for ($i = 0; $i < 50; $i++) {
    $values[] = value($i);
}
$holder = new Holder;
$all = [];
for ($round = 0; $round < 8; $round++) {
    $all = chain($holder, $values, 60);
}
echo md5(implode(' ', $all)), ' ', implode(' ', array_slice($all, 0, 60)), "\n";
echo describe($holder->any), ' ', describe($holder->some), ' ', count($holder->list), "\n";
for ($i = 0; $i < 40; $i++) {
    echo describe(element($values, $i)), ',';
}
echo "\n";
// What is let go is let go once.
class Loud { public function __construct(public $name) {} public function __destruct() { echo "-$this->name "; } }
function rotate(array $values, Holder $holder)
{
    foreach ($values as $value) {
        $old = $holder->any;
        $holder->any = $value;
        $values[0] = $old;
    }
    return $holder->any;
}
for ($i = 0; $i < 6; $i++) {
    $last = rotate([new Loud("a$i"), $i, "b$i", null, new Loud("c$i"), [new Loud("d$i")], 1.5, true], $holder);
    echo describe($last), "\n";
}
$holder = null;
echo "end\n";
