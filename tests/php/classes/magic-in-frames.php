<?php
// Magic methods that run above the frame that asks: guards, exceptions, temporaries, objects that go away meanwhile.
class M implements ArrayAccess {
    public array $log = [];
    private $hidden = 'h';
    function __get($n) { echo "get $n\n"; if ($n === 'throw') throw new Exception("no $n"); return $n === 'self' ? $this->self : "<$n>"; }
    function __set($n, $v) { echo "set $n\n"; if ($n === 'throw') throw new Exception("no $n"); if ($n === 'real') $this->$n = $v; }
    function __isset($n) { echo "isset $n\n"; return $n !== 'none'; }
    function __unset($n) { echo "unset $n\n"; if ($n === 'throw') throw new Exception("no $n"); if ($n === 'real') unset($this->$n); }
    function offsetExists($o): bool { echo "has $o\n"; return true; }
    function offsetGet($o): mixed { echo "at $o\n"; return $o; }
    function offsetSet($o, $v): void { echo "put $o\n"; }
    function offsetUnset($o): void { echo "remove $o\n"; if ($o === 'throw') throw new Exception("no $o"); }
    function inside() { unset($this['x'], $this->gone); return [isset($this->hidden), $this->hidden, $this->other]; }
}
class Gone { function __unset($n) { global $g; $g = null; echo "gone\n"; var_dump($this::class); } function __destruct() { echo "destroyed\n"; } }
function key_of($k) { return $k . '!'; }
set_error_handler(function ($no, $text) { echo "warning: $text\n"; return true; });
for ($i = 0; $i < 3; $i++) {
    $m = new M;
    foreach (['a', 'throw', 'hidden'] as $name) {
        try { var_dump($m->$name); } catch (Exception $e) { echo $e->getMessage(), ' ', $e->getLine(), "\n"; }
    }
    try { var_dump($m->hidden, $m->throw); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
    var_dump(isset($m->none), isset($m->some), $m->none ?? 'default', $m->some ?? 'default');
    unset($m->a, $m->hidden, $m['k'], $m[key_of('k')], $m[$i]);
    try { unset($m->throw); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
    try { unset($m['throw']); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
    var_dump($m->inside());
    $m->real = 5;
    var_dump($m->real, isset($m->real));
    $m->real = 6;
    unset($m->real);
    var_dump($m->real);
    var_dump($m->self);
    $m->count .= 5;
    var_dump((new M)->temp, isset((new M)->temp));
    $g = new Gone;
    unset($g->x);
}
class C implements Countable { public int $n = 0; function count(): int { return ++$this->n; } }
$c = new C;
for ($i = 0; $i < 3; $i++) echo count($c), ' ', count($c, COUNT_NORMAL), ' ', sizeof([1, $c]), "\n";
try { count(new stdClass); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { iterator_to_array(new C); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
var_dump(iterator_to_array(new ArrayIterator([1, 2])), iterator_count(new IteratorIterator(new ArrayIterator([1]))));
