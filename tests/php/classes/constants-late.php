<?php
// Class constants that depend on each other, static::, enums and errors.
class A { const X = self::Y * 2; const Y = B::Z + 1; const NAME = __CLASS__; public static function x() { return static::X; } final const F = 1; private const P = 'private'; public function p() { return self::P . static::NAME; } }
class B extends A { const Z = 5; const X = parent::X + 1; const NAME = 'b'; }
echo A::X, B::X, A::x(), B::x(), (new B)->p(), "\n";
class Loop { const A = self::B; const B = self::A; }
try {
    echo Loop::A;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    echo A::P;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
class D { public $list = [A::X => 'x', ...[1, 2]]; public static $s = A::NAME . '!'; const MAP = ['k' => ['n' => E::One]]; }
enum E: int { case One = A::Y - 5; const ALIAS = self::One; }
echo (new D)->list[12], D::$s, D::MAP['k']['n']->value, E::ALIAS->name, "\n";
$o = new B;
echo $o::Z, $o::class, constant('B::NAME'), "\n";
