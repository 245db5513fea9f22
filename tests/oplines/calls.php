<?php
namespace N;

class C extends P {
    function calls(callable $f, ?int $x, ...$rest): ?int {
        f();
        $r = \strlen('abc');
        $this->m($x, 1, $this->p['k']);
        $f($x, g());
        $f($this->p);
        C::s($rest[0]);
        static::t();
        parent::calls($f, $x);
        $o = new C($x);
        $o = new static;
        [$o, 'm'](1);
        $o->$f(1);
        h(...$rest);
        h($x, ...f());
        h(a: $x, b: 2);
        h($x, ...$rest, b: $x);
        \call_user_func($f, $x);
        \call_user_func_array($f, $rest);
        $g = strlen(...);
        $r = &h();
        h(h());
        h($x = 2);
        if ($x) {
            try {
                return f();
            } finally {
                echo 1;
            }
        }
        return $x;
    }

    function &byReference() {
        return $this->p;
    }
}
