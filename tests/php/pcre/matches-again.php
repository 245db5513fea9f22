<?php
// The same variable takes the groups of one search after the other, with and without offsets.
foreach ([0, PREG_OFFSET_CAPTURE, PREG_UNMATCHED_AS_NULL, PREG_OFFSET_CAPTURE | PREG_UNMATCHED_AS_NULL] as $flags) {
    foreach (['/(\w)(x)?(\d)/', '/(?<word>[a-z]+)(?<rest>-)?/', '/none/'] as $pattern) {
        for ($offset = 0; $offset < 9; $offset += 4) {
            echo preg_match($pattern, 'ab1 cd2 e3', $matches, $flags, $offset), ' ', json_encode($matches), "\n";
            echo preg_match($pattern, 'ab1 cd2 e3', $matches, $flags), ' ', json_encode($matches), "\n";
        }
        echo preg_match_all($pattern, 'ab1 cd2 e3', $all), ' ', json_encode($all), "\n";
    }
}
try {
    preg_match('/a/', 'a', $matches, 1);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
var_dump(preg_match('/a/', 'a', $matches, PREG_OFFSET_CAPTURE, 2), $matches, preg_last_error_msg());
class Witness { public function __destruct() { echo "gone\n"; } }
$matches = [[new Witness]];
var_dump(preg_match('/a/', 'a', $matches, PREG_OFFSET_CAPTURE));
class Typed { public array $list = []; public ?string $text = null; }
$typed = new Typed;
var_dump(preg_match('/(a)/', 'a', $typed->list), $typed->list);
try {
    preg_match_all('/a/', 'a', $typed->text);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
try {
    preg_match('/a/', 'a', $typed->text);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
