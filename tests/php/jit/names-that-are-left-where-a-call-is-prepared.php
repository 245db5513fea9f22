<?php
// The code that calls note() is left where the call is prepared, while the static property's name still lies where its header comes.
class Limits
{
    const LARGE = 65536;
}

class Collected
{
    public static array $list = ['k' => 'v', 7];

    public function run(): void
    {
        foreach (keys([-5 => 1, 2, 'Hello']) as $value) {
            static::$list[] = keys(Limits::LARGE);
            note(count(static::$list));
        }
    }
}

function keys($values, $depth = 0)
{
    foreach ($values as $key => $value) {
        $result[is_string($key) ? substr($key, 0, 20) : $key] = @keys($value, $depth + 1);
    }
    return $result ?? null;
}

function note(...$values)
{
    echo implode(' ', $values), "\n";
}

foreach (@keys([1, 2, 3]) as $key => $value) {
    $collected = new Collected();
    @$collected->run();
}
echo json_encode(Collected::$list), "\n";
