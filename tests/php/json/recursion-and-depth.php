<?php
// What jsonSerialize() gives may lead back to the object, and what is empty is a level.
class Circle implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        return ['name' => 'circle', 'self' => $this];
    }
}
var_dump(json_encode(new Circle), json_last_error_msg(), json_encode(new Circle, JSON_PARTIAL_OUTPUT_ON_ERROR));

class Same implements JsonSerializable
{
    public $a = 1;
    public function __construct(public $b = null) {}
    public function jsonSerialize(): mixed
    {
        return $this;
    }
}
var_dump(json_encode(new Same(new Same)));
class Wrapper implements JsonSerializable
{
    public function __construct(private $inner) {}
    public function jsonSerialize(): mixed
    {
        return $this->inner;
    }
}
$twice = new Wrapper(5);
var_dump(json_encode([$twice, $twice, new Wrapper($twice)]));
$empty = new stdClass;
foreach ([0, 1, 2] as $depth) {
    var_dump(json_encode($empty, 0, $depth), json_encode([$empty], 0, $depth), json_encode([[]], 0, $depth));
}
var_dump(json_encode([$empty], JSON_PRETTY_PRINT));
