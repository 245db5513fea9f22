<?php
// What decides branches: values of every kind, in variables and out of calls, and what dies there.

class Loud
{
    public function __construct(private string $name) {}
    public function __destruct() { echo "$this->name gone\n"; }
    public function itself(): static { return $this; }
}
function give(mixed $value): mixed { return $value; }
function truth(mixed $value): string { return $value ? 'true' : 'false'; }
function given(mixed $value): string { return give($value) ? 'true' : 'false'; }
$object = new stdClass;
$element = simplexml_load_string('<a><b/><c>x</c></a>');
foreach (['', '0', '00', 'a' . $object::class, "0\n", [], [0], ['a' => null], 0, 0.0, -0.0, 1.5, NAN, null, $object, fn() => 0,
    new ArrayObject, fopen('php://memory', 'r'), $element->b, $element->c, $element->d] as $i => $value) {
    echo $i, ' ', truth($value), ' ', given($value), ' ', !$value ? 'no' : 'yes', ' ', $value && give($value) ? 'both' : 'not', "\n";
    $by = &$value;
    echo $by ? 'true' : 'false', "\n";
    unset($by, $value);
}
if (new Loud('temporary')) {
    echo "in the branch\n";
}
while ((new Loud('loop'))->itself()) {
    echo "once\n";
    break;
}
$loud = new Loud('variable');
if (give($loud)) {
    echo "held\n";
}
if ([new Loud('in an array')]) {
    echo "after the array\n";
}
$text = str_repeat('x', 3);
if ($text . $text) {
    echo "text\n";
}
if (substr($text, 3)) {
    echo "never\n";
}
foreach ([[], [1], [[]], ['k' => []]] as $list) {
    foreach ($list as $key => $item) {
        foreach ($item === 1 ? [] : $item as $never) {
            echo "never\n";
        }
        foreach (array_filter([$item]) as $kept) {
            echo json_encode([$key => $kept]), "\n";
        }
    }
}
unset($loud);
echo "end\n";
