<?php
// Static properties in code: read where they lie, as whatever they hold now, references included.
class Store
{
    public static int $hits = 0;
    public static $mixed = 1;
    public static array $table = ['a' => 1];
    public static ?Store $last = null;
    public static int $unset;
    public int $n = 0;
    public static function hit(int $i): int
    {
        self::$hits += $i & 1;
        return self::$hits + count(self::$table);
    }
    public static function mixed() { return static::$mixed; }
    public function chain(): int
    {
        self::$last = $this;
        return self::$last->n + (Store::$mixed === null ? 1 : 0);
    }
}
class Child extends Store { public static $mixed = 'child'; }

function look(int $i): string
{
    return Store::$mixed . '';
}

$sum = 0;
$text = '';
$store = new Store();
for ($i = 0; $i < 4000; $i++) {
    $sum += Store::hit($i);
    $sum += strlen(Store::mixed() . '') + strlen(Child::mixed());
    $store->n = $i;
    $sum += $store->chain();
    $text .= $i % 400 === 0 ? look($i) . ' ' : '';
    if ($i % 1000 === 999) {
        Store::$mixed = [null, 2.5, 'text', 7][intdiv($i, 1000) % 4];
        Store::$table[] = $i;
    }
    if ($i === 2500) {
        $r = &Store::$mixed;
    }
    if ($i > 2500) {
        $r = $i;
    }
}
echo $sum, "\n", $text, "\n";
function missing() { return Store::$unset ?? 'none'; }
function typed() { return Store::$unset; }
for ($i = 0; $i < 3000; $i++) {
    if ($i === 2000) {
        Store::$unset = 5;
    }
    $x = missing();
    if ($i > 2000) {
        $x .= typed();
    }
}
echo $x, "\n";
try {
    class Other { public static int $no; }
    (fn() => Other::$no)();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
