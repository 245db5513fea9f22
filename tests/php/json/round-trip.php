<?php
class Money implements JsonSerializable
{
    public function __construct(private int $cents) {}

    public function jsonSerialize(): mixed
    {
        return $this->cents / 100;
    }
}
enum Suit: string
{
    case Hearts = "H";
}
$value = ["list" => [1, 2.5, true, null], "empty" => [], "object" => new stdClass, "money" => new Money(150),
    "suit" => Suit::Hearts, "text" => "a/b \"é\" <\u{1F600}>", "ten" => 10.0];
echo json_encode($value), "\n";
echo json_encode($value, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION), "\n";
var_dump(json_decode('{"a":{"b":[1,{"c":2}]},"big":12345678901234567890}', true));
foreach (['{"a":1', '[1,}', "\"\x01\"", "\"\xff\"", '[[1]]'] as $text) {
    var_dump(json_decode($text, depth: 2));
    echo json_last_error(), " ", json_last_error_msg(), "\n";
}
try {
    json_decode("{", flags: JSON_THROW_ON_ERROR);
} catch (JsonException $e) {
    echo $e->getCode(), " ", $e->getMessage(), "\n";
}
