<?php
// A function that leaves its code in the middle: whoever has called it goes on with what it gives, or throws.
class Left
{
    public static array $log = [];

    public function __construct(public mixed $value, int|string|null $extra = null)
    {
        self::$log[] = describe($this->value, $extra);
    }

    public function __destruct()
    {
        self::$log[] = 'gone: ' . describe($this->value, null);
    }
}

function describe(mixed $value, mixed $extra): string
{
    if ($value === 'throw') {
        throw new LogicException("no $value");
    }
    $text = is_array($value) ? 'array ' . count($value) : gettype($value) . ' ' . $value;
    return $extra === null ? $text : "$text+$extra";
}

function through(mixed $value, array &$seen): string
{
    $seen[] = 1;
    $text = describe($value, $seen[0]);
    return "<$text>";
}

function made(mixed $value, mixed $extra): int
{
    $object = new Left($value, $extra);
    return is_array($object->value) ? count($object->value) : strlen((string) $object->value);
}

$values = [1, 'a', 2.5, null, [1, 2], true, 'throw', 7];
$closure = fn(mixed $value): string => describe($value, 'c');
for ($round = 0; $round < 40; $round++) {
    $seen = [];
    foreach ($values as $number => $value) {
        // Most rounds know one kind only.
        $value = $round % 13 === 12 || $round > 36 ? $value : $number;
        try {
            $text = through($value, $seen) . $closure($value);
            $text .= made($value, $round % 2 ? $number : "s$number");
        } catch (LogicException $e) {
            $text = get_class($e) . ' ' . $e->getMessage() . ' ' . $e->getLine();
        }
        if ($round === 12 || $round === 39) {
            echo $text, ' ', count($seen), "\n";
        }
    }
}
echo count(Left::$log), ' ', md5(implode(',', Left::$log)), "\n";
