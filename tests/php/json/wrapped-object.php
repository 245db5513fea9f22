<?php
// Private and protected properties of an object in an ArrayObject are left out.
class Row
{
    public $shown = 1;
    protected $guarded = 2;
    private $hidden = 3;
}
$row = new Row;
$row->{'more words'} = 4;
$incomplete = unserialize("O:4:\"Gone\":2:{s:3:\"one\";i:1;s:9:\"\0Gone\0two\";i:2;}");
foreach ([$row, $incomplete, ['x' => 1], ["\0odd" => 1, 'even' => 2], new ArrayObject($row), []] as $inner) {
    echo json_encode(new ArrayObject($inner)), json_encode([new ArrayIterator($inner)]), "\n";
    echo json_encode(new ArrayObject($inner, ArrayObject::STD_PROP_LIST), JSON_PRETTY_PRINT), "\n";
}
echo json_encode(new ArrayObject(new class { private $only = 1; })), "\n";
