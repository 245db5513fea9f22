<?php
// Keys and offsets that are references.
function at($base, &$key) {
    return $base[$key] ?? null;
}
function read(string $text, array $list, array $map, &$i, &$name) {
    $out = [];
    while ($i < strlen($text)) {
        $char = $text[$i];
        $out[] = $char . $list[$i] . $map[$name] . $text[$i];
        $same = $list[$i];
        $list[$i] = $same . '!';
        $map[$name] = $i;
        $i++;
    }
    return $out;
}
$i = 1;
$name = 'k';
echo json_encode(read('abc', ['x', 'y', 'z'], ['k' => '-'], $i, $name)), "$i\n";
foreach ([0, -1, '1', 'k', null, 7, 1.0, true] as $key) {
    echo json_encode([@at('text', $key), @at(['a', 'b', 'k' => 'c', '' => 'd'], $key), @at(new ArrayObject(['e', 'f']), $key)]), "\n";
}
set_error_handler(function ($number, $text) use (&$i) {
    echo $text, "\n";
    $i = 0;
    return true;
});
function warns(&$i) {
    $list = ['only'];
    $text = 'only';
    var_dump($list[$i]);
    $i = 9;
    var_dump($text[$i]);
    $i = 9;
    return $list[$i] . $list[$i];
}
$i = 5;
var_dump(warns($i));
