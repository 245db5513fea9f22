<?php
// A property that is a reference nobody else holds obeys its own type alone.
class Line
{
    public string $text = 'first';
    public ?int $number = null;
    public function __construct(public readonly int $fixed = 1) {}
    public function set($text) { $this->text = $text; }
    public function count($number) { $this->number = $number; }
}
function look(&$text) { return strlen($text); }
$line = new Line;
foreach (['a', 'bb', 3, 4.5] as $text) {
    look($line->text);
    $line->set($text);
    var_dump($line->text);
}
try {
    $line->set([]);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
// Two properties of different types share it, then one goes away.
class Number { public int|string $n = 5; }
$number = new Number;
$line->number = 6;
$number->n = &$line->number;
try {
    $number->n = 'text';
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
unset($number->n);
$line->count(8);
$line->count(null);
var_dump($line);
$number = new Number;
$other = new Line;
$other->number = 1;
$number->n = &$other->number;
unset($other);
$number->n = 'a text now';
var_dump($number);
$shared = &$line->text;
$line->set('shared');
var_dump($shared);
