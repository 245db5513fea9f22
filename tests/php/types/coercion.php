<?php
// Weak-mode arguments: what each type makes of each value.
set_error_handler(function ($level, $message) {
    echo "[$message] ";
    return true;
});
class Text
{
    public function __toString()
    {
        return "text";
    }
}
$values = [null, true, 5, 1.5, 1e20, NAN, "", "5", " 5", "1.5", "1e3", "5x", [], new Text, new stdClass];
$functions = [
    'int' => fn(int $x) => $x, 'float' => fn(float $x) => $x, 'string' => fn(string $x) => $x, 'bool' => fn(bool $x) => $x,
    'int|float' => fn(int|float $x) => $x, 'int|string' => fn(int|string $x) => $x, 'int|bool' => fn(int|bool $x) => $x,
    'false|int' => fn(false|int $x) => $x, '?int' => fn(?int $x) => $x, 'array' => fn(array $x) => $x,
    'iterable' => fn(iterable $x) => $x, 'callable' => fn(callable $x) => $x, 'object' => fn(object $x) => 1,
    'Text' => fn(Text $x) => 1, 'return int' => fn($x): int => $x, 'strlen' => fn($x) => strlen($x), 'chr' => fn($x) => bin2hex(chr($x)),
    'round' => fn($x) => round($x),
];
class Holder
{
    public int $int = 0;
    public ?string $string = null;
    public int|float $number = 0;
}
foreach (['int', 'string', 'number'] as $name) {
    $functions["property $name"] = function ($x) use ($name) {
        $holder = new Holder;
        $holder->$name = $x;
        return $holder->$name;
    };
    $functions["reference $name"] = function ($x) use ($name) {
        $holder = new Holder;
        $reference = &$holder->$name;
        $reference = $x;
        return $holder->$name;
    };
}
foreach ($functions as $name => $function) {
    foreach ($values as $index => $value) {
        echo "$name $index: ";
        try {
            var_dump($function($value));
        } catch (Throwable $e) {
            echo get_class($e), ": ", explode(", called in", $e->getMessage())[0], "\n";
        }
    }
}
