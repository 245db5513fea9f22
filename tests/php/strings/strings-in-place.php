<?php
// Bytes of strings are assigned in place where nobody else holds the string, and in a copy otherwise.
function fill(string $text): string
{
    for ($at = 0; $at < strlen($text); $at += 2) {
        $text[$at] = '-';
    }
    return $text;
}

$first = str_repeat('ab', 4);
$second = $first;
echo fill($first), ' ', $first, ' ', $second, "\n";
$second[0] = 'X';
$second[-1] = 'Y';
echo $first, ' ', $second, "\n";
$second[8] = 'Z';
$second[12] = '!';
echo $second, "|\n";
$literal = 'literal';
$literal[0] = 'L';
echo $literal, ' ', 'literal', "\n";
$own = str_repeat('q', 1);
$own[0] = $own;
$own[1] = $own;
echo $own, "\n";
$list = ['text' => str_repeat('x', 3), 'deep' => [str_repeat('y', 3)]];
$copy = $list;
$list['text'][1] = '1';
$list['deep'][0][2] = '2';
echo json_encode([$list, $copy]), "\n";
class Buffer
{
    public string $bytes = 'abc';
    public ?string $none = null;

    public function put(int $at, string $byte): static
    {
        $this->bytes[$at] = $byte;
        return $this;
    }
}
$buffer = new Buffer;
$other = clone $buffer->put(1, 'Q');
$buffer->put(-1, 'Z')->put(5, 'W');
echo $buffer->bytes, '|', $other->bytes, "|\n";
$reference = &$first;
$reference[1] = '*';
echo $first, "\n";
$hash = [str_repeat('k', 2) => 1];
$key = str_repeat('k', 2);
$known = isset($hash[$key]);
$key[1] = 'l';
var_dump($known, isset($hash[$key]), isset($hash['kl']));
foreach ([[0, 'long'], [0, ''], ['1', 'n'], ['x', 'n'], [1.7, 'f'], [-9, 'r'], [true, 5], [null, 'z']] as [$at, $byte]) {
    $text = str_repeat('t', 3);
    try {
        $given = ($text[$at] = $byte);
        var_dump($text, $given);
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
$empty = '';
$empty[3] = 'e';
var_dump($empty);
$sieve = str_repeat('1', 40);
for ($i = 2; $i * $i < 40; $i++) {
    if ($sieve[$i] === '1') {
        for ($j = $i * $i; $j < 40; $j += $i) {
            $sieve[$j] = '0';
        }
    }
}
echo $sieve, "\n";
