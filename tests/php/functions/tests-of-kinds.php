<?php
// is_int and its like, called by all kinds of names, of all kinds of arguments.

namespace Somewhere {
    function kinds(mixed $x): string
    {
        $is = (is_null($x) ? 'n' : '-') . (is_bool($x) ? 'b' : '-') . (is_int($x) ? 'i' : '-') . (is_float($x) ? 'f' : '-')
            . (is_string($x) ? 's' : '-') . (is_array($x) ? 'a' : '-') . (is_object($x) ? 'o' : '-')
            . (is_resource($x) ? 'r' : '-');
        return $is . (\is_int($x) ? 'i' : '-') . (\is_string($x) ? 's' : '-') . (\is_array($x) ? 'a' : '-')
            . (\is_object($x) ? 'o' : '-');
    }

    function late(mixed $x): string { return is_integer($x) ? 'integer' : 'other'; }
    function by_reference(mixed &$x): bool { return is_string($x); }
    function undefined(): void { var_dump(is_null($nothing), \is_null($nothing)); }

    foreach ([null, true, false, 1, 1.5, 'x', '', "a$argc", [], [1], new \stdClass, fn () => 1, \STDIN] as $x) {
        echo kinds($x), ' ', kinds($x), "\n";
    }
    $closed = fopen('php://memory', 'r');
    fclose($closed);
    echo kinds($closed), "\n";
    $incomplete = unserialize('O:7:"Missing":0:{}');
    echo kinds($incomplete), "\n";
    $text = 'text';
    var_dump(by_reference($text));
    undefined();
    foreach ([new \stdClass, 'a' . $argc, [$argc]] as $x) {
        var_dump(is_object($x), is_array([$x][0]), is_string((string) $argc), is_array((fn () => [1])()));
    }
    is_int(new class { public function __destruct() { echo "gone\n"; } });
    if ($argc > 0) {
        function is_integer($x) { return $x === 'own'; }
    }
    foreach ([1, 'own'] as $x) {
        echo late($x), ' ';
    }
    echo "\n";
    $name = 'is_int';
    var_dump($name(1), array_map('is_string', [1, 'a']), is_int(...)(2), is_int(value: 3));
    try {
        is_int();
    } catch (\ArgumentCountError $e) {
        echo $e->getMessage(), "\n";
    }
    try {
        is_int(1, 2);
    } catch (\ArgumentCountError $e) {
        echo $e->getMessage(), "\n";
    }
}
