<?php
// Static properties that code writes: plain, by operators, elements of arrays in them, objects in them; types are kept.
class Counter
{
    public static $plain = 0;
    public static int $typed = 0;
    public static ?int $maybe = null;
    public static float $float = 0.0;
    public static array $list = [];
    public static $table = [];
    public static ?Counter $one = null;
    public static string $text = '';
    public int $n = 0;

    public static function step(int $i): int
    {
        self::$plain = $i;
        self::$plain++;
        self::$plain += 2;
        self::$typed += $i & 3;
        self::$maybe = $i & 1 ? $i : null;
        self::$float += 0.5;
        self::$list[] = $i;
        if (count(self::$list) > 20) {
            self::$list = [];
        }
        self::$table[$i & 7] = $i;
        self::$table['k' . ($i & 3)] = $i;
        self::$table[$i & 7] += 1;
        self::$text .= 'x';
        if (strlen(self::$text) > 10) {
            self::$text = '';
        }
        if ($i % 50 === 0) {
            self::$one = new Counter();
        }
        self::$one->n++;
        return self::$plain + self::$typed + count(self::$list) + self::$one->n;
    }

    public static function late(): int
    {
        return ++static::$plain;
    }
}
class Other extends Counter { public static $plain = 1000; }

$sum = 0;
for ($i = 0; $i < 4000; $i++) {
    $sum += Counter::step($i) + Counter::late() + Other::late();
    if ($i === 3000) {
        $r = &Counter::$plain;
    }
    if ($i === 3500) {
        $copy = Counter::$table;
    }
}
echo $sum, ' ', Counter::$plain, ' ', Counter::$typed, ' ', json_encode([Counter::$maybe, Counter::$float, Counter::$list, Counter::$table, $copy, Counter::$text, Counter::$one, $r]), "\n";
function wrong($value) { Counter::$typed = $value; return Counter::$typed; }
for ($i = 0; $i < 3000; $i++) {
    wrong($i);
}
try {
    wrong('no number');
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
var_dump(wrong('12'), wrong(2.0));
Counter::$typed = PHP_INT_MAX - 2;
try {
    for ($i = 0; $i < 9; $i++) {
        Counter::$typed++;
    }
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
