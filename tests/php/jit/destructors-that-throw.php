<?php
// Destructors that throw where compiled code frees things: in functions, `try`, generators and callbacks.
class T { function __construct(public int $i) {} function __destruct() { if ($this->i % 5 == 0) throw new Exception("t{$this->i}"); echo "d{$this->i} "; } }
function f($i) { $t = new T($i); return $i; }
function g($i) { try { $x = new T($i); $x = null; return 'n'; } catch (Exception $e) { return 'c' . $e->getMessage() . '@' . $e->getLine(); } finally { echo "f"; } }
function gen($n) { for ($i = 0; $i < $n; $i++) { $t = new T($i * 3 + 1); yield $i; } }
class H { private array $m = []; private $last; function put($k, $v) { $this->m[$k] = $v; $this->last = $v; } function drop($k) { unset($this->m[$k]); $this->last = null; return $k; } }
function go($n) {
    $h = new H;
    for ($i = 0; $i < $n; $i++) {
        try { f($i); } catch (Exception $e) { echo "C", $e->getMessage(), "@", $e->getLine(), " "; }
        echo g($i), " ";
        $h->put($i, new T($i + 1));
        try { $h->drop($i); } catch (Exception $e) { echo "H", $e->getMessage(), " "; }
        try { foreach (gen(3) as $v) echo $v; } catch (Exception $e) { echo "G", $e->getMessage(), " "; }
        $a = [3, 1, 2];
        try { usort($a, function ($x, $y) { $t = new T($x * 10 + $y); return $x <=> $y; }); } catch (Exception $e) { echo "U", $e->getMessage(), " "; }
        try { $m = array_map(fn($x) => (new T($x))->i, $a); } catch (Exception $e) { echo "M", $e->getMessage(), " "; }
        echo "\n";
    }
}
go(60);
