<?php
class M {
    const K = 1;
    static $s = [];
    public $p;

    function members($a, $b) {
        $c = $a['k'][$b];
        $c = $a->p->q;
        $c = $this->p[$b] ?? 1;
        $c = isset($a[$b]) && isset($this->p) && empty($a->q);
        $a[$b] = $c;
        $a[] = $c;
        $this->p = $c;
        $d = $this->p = $c;
        $a[$b]['x'] = $c;
        $a->p['x'] .= $c;
        $e = $this->p[$b]++;
        $this->p += 2;
        unset($a[$b], $a->p['x']);
        self::$s = $c;
        static::$s[$b] = $c;
        M::$s .= 'x';
        $f = self::$s['k'];
        $g = self::K + M::K + static::K + PHP_INT_MAX + \N\UNKNOWN;
        $h = $this->$b;
        $this->$b = $c;
        $a->$b->c = 1;
        $i = $this;
        $j = clone $a;
        $k = function ($x) use ($a, &$b) {
            return [$this, $a, $b, $x];
        };
        $l = fn() => $a;
        $m = static::class . $a::class . M::class;
        return $a::K;
    }
}
