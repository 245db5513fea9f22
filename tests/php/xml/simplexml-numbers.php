<?php
// Elements as operands of arithmetic have the type of their text; a count() of one's own is called.
$x = simplexml_load_string('<x>2.5</x>');
var_dump($x * 1, $x * 1.0, $x + 1, -$x, 10 % $x, simplexml_load_string('<x>7</x>') * 2, simplexml_load_string('<x>word</x>') * 2, (int) $x, (float) $x);

class Counting extends SimpleXMLElement
{
    public function count(): int
    {
        echo "asked\n";
        return parent::count() + 10;
    }
}
$elements = new Counting('<r><a/><a/></r>');
var_dump(count($elements), count(new SimpleXMLElement('<r><a/></r>')));
