<?php
// A map's values go with the map, though their keys stay.
class Noted
{
    public function __construct(public string $name)
    {
    }
    public function __destruct()
    {
        echo "$this->name goes\n";
    }
}
$key = new stdClass();
$map = new WeakMap();
$map[$key] = new Noted('value');
echo "before\n";
unset($map);
echo "after\n";
$map = new WeakMap();
$map[$key] = new Noted('second');
$copy = clone $map;
$map = null;
echo "the copy stays\n";
$copy = null;
// A result that nobody uses goes before the function's variables.
function made()
{
    $local = new Noted('local');
    return new Noted('result');
}
made();
function passed()
{
    $first = new Noted('first');
    $second = new Noted('second');
    $third = new Noted('third');
    return $second;
}
passed();
$kept = passed();
echo "kept\n";
