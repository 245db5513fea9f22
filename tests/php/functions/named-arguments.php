<?php
// Named arguments in any order, with defaults between, spread and variadics.
function box(int $width, int $height = 2, string $color = 'red', string ...$rest)
{
    return "$width x $height $color " . json_encode($rest);
}
echo box(height: 5, width: 1), "\n", box(1, color: 'blue'), "\n", box(3, 4, 'c', 'd', extra: 'e', more: 'f'), "\n";
echo box(...['color' => 'green', 'width' => 7]), "\n", box(1, ...[2, 'x'], ...['y' => 'why']), "\n";
class P { public function __construct(public int $x = 0, public int $y = 0) {} }
echo json_encode([new P(y: 5), new P(...['x' => 1])]), "\n";
echo str_pad(string: 'a', length: 4, pad_type: STR_PAD_LEFT, pad_string: '-'), json_encode(array_slice(array: [1, 2, 3], offset: 1, preserve_keys: true)), "\n";
foreach ([fn() => box(1, width: 2), fn() => box(nope: 1, width: 2), fn() => box(height: 1), fn() => strlen(str: 'a')] as $call) {
    try {
        echo $call(), "\n";
    } catch (Error $e) {
        echo get_class($e), ': ', preg_replace('~, called in.*~', '', $e->getMessage()), "\n";
    }
}
echo call_user_func('box', 1, color: 'cu'), call_user_func_array('box', ['width' => 9, 'height' => 8]), "\n";
