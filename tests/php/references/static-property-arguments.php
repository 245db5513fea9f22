<?php
// Elements of static properties as arguments.

class A {
    public static array $list = ['a' => ['b' => 'AB'], 'n' => 3];
    public static function f($x) { return strlen(self::$list['a']['b']) . strtoupper(static::$list[$x] ?? '-') . ucfirst(A::$list['a'][$x] ?? 'none'); }
    public static function g() { return str_repeat(self::$list['missing'], 2); }
    public static function sorts() { sort(self::$list['a']); return implode(self::$list['a']); }
    public static function nested() { return str_repeat(strtolower(self::$list['a']['b']), abs(self::$list['n'])); }
}
for ($round = 0; $round < 2; $round++) {
    echo A::f('n'), A::f('b'), A::nested(), "\n";
}
echo A::g(), "|\n";
echo A::sorts(), "\n";
function takes(&$x) { $x = 1; }
takes(A::$list['new']['deep']);
echo json_encode(A::$list), "\n";
