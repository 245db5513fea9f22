<?php
// instanceof self, static, parent, and classes that values name; names of classes of objects.

class A {
    public function same($x) { return [$x instanceof self, $x instanceof static, $x instanceof A]; }
    public static function late($x) { return [$x instanceof static, static::class, $x::class]; }
    public function by($x, $class) { return $x instanceof $class; }
}
class B extends A { public function up($x) { return $x instanceof parent; } }
class Loud extends A { public function __destruct() { echo '[gone]'; } }
function line(array $values) { echo json_encode($values), "\n"; }
foreach ([1, 2, 3] as $round) {
    foreach ([new A, new B, new stdClass, null, 5, 'A'] as $x) {
        line([(new A)->same($x), (new B)->same($x), (new B)->up($x)]);
        if (is_object($x)) {
            line([A::late($x), B::late($x), $x::class, (clone $x)::class]);
        }
        line([(new A)->by($x, 'A'), (new A)->by($x, '\B'), (new A)->by($x, 'Missing'), (new A)->by($x, new B)]);
    }
    line([(new A)->by(new Loud, 'Loud'), new Loud instanceof $x]);
    line([(function () { return new Loud instanceof static; })->bindTo(new A, A::class)()]);
    echo (new Loud)::class, "\n";
}
foreach ([5, null, []] as $class) {
    try {
        var_dump(new A instanceof $class);
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
    try {
        var_dump($class::class);
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
