<?php
// Elements read into variables that hold something already, and what goes away then.
class D { function __construct(public string $n) {} function __destruct() { echo "~$this->n\n"; } }
class T { function __destruct() { throw new Exception("thrown"); } }
function f(): array { return ['k' => new D('in'), 0 => 'zero']; }
function run() {
    $list = ['one', 'two', new D('element')];
    $x = new D('first');
    $x = $list[0];
    var_dump($x);
    $x = $list[1] . '!';
    $x = $list[2];
    echo get_class($x), "\n";
    $x = $x->n;
    $table = ['a' => ['deep' => str_repeat('d', 3)], 'b' => null];
    $x = [1, 2];
    $x = $table['a']['deep'];
    var_dump($x);
    $x = new D('second');
    $x = $table['none'] ?? 'default';
    $x = new D('third');
    $x = $table['b'] ?? null;
    var_dump($x);
    // The array that it is read from.
    $x = ['in' => ['side' => 'yes']];
    $x = $x['in'];
    $x = $x['side'];
    $x = $x[1];
    var_dump($x);
    // A temporary base.
    $x = new D('fourth');
    $x = f()['k'];
    echo $x->n, "\n";
    $x = f()[0];
    var_dump($x);
    // References.
    $r = 'old';
    $s = &$r;
    $s = $list[0];
    var_dump($r);
    $a = ['p', 'q'];
    foreach ([0, 1] as $i) { $v = $a[$i]; $v .= '+'; }
    var_dump($a, $v);
    $key = 'k' . strlen('a');
    $names = ['k1' => 'found'];
    $v = $names[$key];
    $v = $names['k' . 1];
    var_dump($v);
    $text = 'abc';
    $v = [1];
    $v = $text[1];
    var_dump($v);
    $v = ['again'];
    $v = 'abc'[2];
    var_dump($v);
    $v = new T;
    try { $v = $list[0]; } catch (Exception $e) { echo $e->getMessage(), ' ', var_export($v, true), "\n"; }
    $v = new T;
    try { $v = $names['gone'] ?? 5; } catch (Exception $e) { echo $e->getMessage(), ' ', var_export($v, true), "\n"; }
    $v = 'kept';
    $v = @$list[9];
    var_dump($v);
}
class P {
    public array $a = ['x' => 'px', 1 => 'one', 'in' => ['y' => 'py']];
    public string $s = 'text';
    function run() {
        $v = new D('p1'); $v = $this->a['x']; echo $v, "\n";
        $v = new D('p2'); $v = $this->a['in']['y']; echo $v, "\n";
        $v = new D('p3'); $v = $this->s[0]; echo $v, "\n";
        $k = 'x'; $v = [1]; $v = $this->a[$k]; echo $v, "\n";
        $v = new D('p4'); $v = $this->a['no'] ?? 'none'; echo $v, "\n";
        $w = 'w'; $v = &$w; $v = $this->a[1]; echo $w, "\n";
    }
}
run();
(new P)->run();
echo "end\n";
