<?php
// Everything that is done to static properties, in functions that are compiled.
class S {
    public static array $a = []; public static ?array $n = null; public static int $i = 0; public static string $s = ''; public static $m; public static ?object $o = null;
    public array $list = []; public static array $deep = ['x' => []];
    static function go(int $k, mixed $v): void {
        self::$a[] = $v; self::$a["k$k"] = $v; self::$a["n"]["m"][] = $v;
        static::$n[] = $k; self::$n['c'] = (self::$n['c'] ?? 0) + 1; self::$n['d'] ??= $v;
        self::$i++; self::$i += $k; self::$s .= $k; self::$m = $v; self::$m .= 'x';
        self::$o ??= new S; self::$o->list[] = $v; self::$o->list['q'] = ($v . 'z'); 
        self::$deep['x'][] = $k; self::$deep['y'][$k % 3][] = $v; self::$deep['n'] = (self::$deep['n'] ?? 0) + 1; 
        if ($k % 4 == 3) { unset(self::$a["k" . ($k - 1)], self::$deep['y'][1]); array_pop(self::$n); }
        [$p, self::$deep['l'][]] = [1, $v]; 
        foreach ([1, 2] as self::$deep['f']) { self::$i ^= self::$deep['f']; }
    }
}
for ($i = 0; $i < 200; $i++) { S::go($i, $i % 3 ? $i : "s$i"); }
echo md5(serialize([S::$a, S::$n, S::$i, S::$s, S::$m, S::$o, S::$deep])), "\n";
