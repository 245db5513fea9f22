<?php
// Every way of calling a deprecated function, with handlers that call functions themselves.
class Loud { public $v; function __construct($v) { $this->v = $v; } function __destruct() { echo "~{$this->v} "; busy(1, 2, 3); } }
function busy(...$a) { $x = [5, 3, 9]; usort($x, fn ($p, $q) => $p <=> $q); return implode(',', array_map(fn ($i) => str_repeat((string) $i, 3), $x)); }
#[Deprecated] function cmp($a, $b) { return $a <=> $b; }
#[Deprecated("use other")] function one($a) { return $a; }
#[Deprecated(since: "1.2")] function many(...$a) { return implode('|', $a); }
#[Deprecated] function &ref(array &$a, $b = 5) { $a[] = $b; return $a; }
#[Deprecated] function gen($n) { for ($i = 0; $i < $n; $i++) yield $i; }
class D {
    public $p;
    #[Deprecated] function __construct($x = 1) { $this->p = $x; }
    #[Deprecated] function m($a, $b = 2) { return "$a $b " . $this->p; }
    #[Deprecated] static function s($a) { return static::class . $a; }
    #[Deprecated] function __invoke($a) { return "inv $a"; }
    #[Deprecated] function __call($n, $a) { return "call $n " . count($a); }
    #[Deprecated] static function __callStatic($n, $a) { return "scall $n " . count($a); }
    #[Deprecated] function __get($n) { return "get $n"; }
    #[Deprecated] function __set($n, $v) { echo "set $n\n"; }
    #[Deprecated] function __isset($n) { return true; }
    #[Deprecated] function __unset($n) { echo "unset $n\n"; }
    #[Deprecated] function __toString() { return "str"; }
    #[Deprecated] function __clone() { echo "clone\n"; }
    #[Deprecated] const C = 5;
}
class It implements IteratorAggregate, ArrayAccess, Countable, JsonSerializable {
    #[Deprecated] function getIterator(): Iterator { return new ArrayIterator([1, 2]); }
    #[Deprecated] function offsetGet($o): mixed { return "og$o"; }
    #[Deprecated] function offsetSet($o, $v): void { echo "os\n"; }
    #[Deprecated] function offsetExists($o): bool { return true; }
    #[Deprecated] function offsetUnset($o): void { echo "ou\n"; }
    #[Deprecated] function count(): int { return 7; }
    #[Deprecated] function jsonSerialize(): mixed { return [1]; }
    #[Deprecated] function __serialize(): array { return [1]; }
    #[Deprecated] function __unserialize($x): void { echo "unser\n"; }
    #[Deprecated] function __debugInfo() { return ['d' => 1]; }
}
enum E { #[Deprecated] case A; case B; #[Deprecated] static function f() { return self::B; } #[Deprecated] const K = self::B; }
#[Deprecated] function loader($c) { if ($c === 'Auto') { eval('class Auto {}'); } }
#[Deprecated] function tick() { echo "tick\n"; }
#[Deprecated] function shut() { echo "shut\n"; }
$cl = #[Deprecated] function ($a, $b = 3) { return "$a $b"; };
$arrow = #[Deprecated] fn ($a) => $a * 2;
function run(callable $handler) {
    global $cl, $arrow;
    set_error_handler($handler);
    $tests = [
        'usort' => function () { $a = [3, 1, 2]; usort($a, 'cmp'); return implode(',', $a); },
        'uasort' => function () { $a = [3, 1, 2]; uasort($a, 'cmp'); return implode(',', $a); },
        'map' => fn () => implode(',', array_map('one', [new class { function __toString() { return 'q'; } }, 2])),
        'map2' => fn () => implode(',', array_map('cmp', [1, 2], [2, 1])),
        'filter' => fn () => implode(',', array_filter([1, 0, 2], 'one')),
        'reduce' => fn () => array_reduce([1, 2], 'cmp', 5),
        'walk' => function () { $a = [1, 2]; return array_walk($a, 'one'); },
        'cuf' => fn () => call_user_func('one', 5),
        'cufa' => fn () => call_user_func_array('many', [1, 2, 3]),
        'cufn' => fn () => call_user_func_array('many', ['a' => 1, 'b' => 2]),
        'variadic' => fn () => many(1, ...[2, 3]),
        'extra' => fn () => one(1, 2, 3),
        'tooFew' => fn () => one(),
        'direct' => fn () => one(new Loud('d'))->v,
        'ref' => function () { $x = [1]; $y = &ref($x); $y[] = 9; return implode(',', $x); },
        'gen' => fn () => implode(',', iterator_to_array(gen(3))),
        'genf' => function () { foreach (gen(2) as $v) echo $v, "\n"; },
        'new' => fn () => (new D(new Loud('n')))->p->v,
        'method' => fn () => (new D)->m(1),
        'static' => fn () => D::s(1),
        'invoke' => fn () => (new D)(1),
        'call' => fn () => (new D)->zork(1, 2),
        'callStatic' => fn () => D::zork(1, 2),
        'get' => fn () => (new D)->zork,
        'set' => function () { $d = new D; $d->zork = 1; },
        'isset' => fn () => isset((new D)->zork),
        'unset' => function () { $d = new D; unset($d->zork); },
        'toString' => fn () => (new D) . '',
        'clone' => fn () => get_class(clone new D),
        'const' => fn () => D::C,
        'enum' => fn () => E::A->name . E::f()->name . E::K->name,
        'iter' => function () { foreach (new It as $v) echo $v, "\n"; },
        'dims' => function () { $i = new It; $i[1] = 2; unset($i[3]); return $i['a'] . isset($i['b']); },
        'count' => fn () => count(new It),
        'json' => fn () => json_encode(new It),
        'ser' => fn () => get_class(unserialize(serialize(new It))),
        
        'closure' => fn () => $cl(1),
        'closure2' => fn () => implode(',', array_map($cl, [1, 2])),
        'arrow' => fn () => implode(',', array_map($arrow, [1, 2])),
        'fcc' => function () { $f = one(...); return $f(3); },
        'fccm' => function () { $f = (new D)->m(...); return $f(3) . implode(',', array_map($f, [1])); },
        'fccs' => function () { $f = D::s(...); return $f(3); },
        'fccn' => function () { $f = new D; return implode(',', array_map($f, [1])); },
        'arr' => fn () => implode(',', array_map([new D, 'm'], [new Loud('x') and 1])),
        'str' => fn () => implode(',', array_map('D::s', [1])),
        'refl' => fn () => (new ReflectionFunction('one'))->invoke(4) . (new ReflectionMethod('D', 's'))->invoke(null, 4) . (new ReflectionMethod('D', 'm'))->invokeArgs(new D, [4]),
        'newi' => fn () => (new ReflectionClass('D'))->newInstance(4)->p,
        'preg' => fn () => preg_replace_callback('/a/', 'many', 'banana'),
        'autoload' => function () { spl_autoload_register('loader'); try { return class_exists('Auto'); } finally { spl_autoload_unregister('loader'); } },
        'cbf' => fn () => implode(',', iterator_to_array(new CallbackFilterIterator(new ArrayIterator([1, 2]), 'many'))),
        'iap' => fn () => iterator_apply(new ArrayIterator([1, 2]), 'one', [0]),
        'named' => fn () => one(a: new Loud('na'))->v,
        'ob' => function () { ob_start('one'); echo 'x'; ob_end_clean(); return 1; },
        'fiber' => function () { $f = new Fiber('one'); $f->start(4); return $f->getReturn(); },
        'bind' => fn () => Closure::bind($cl, new D, D::class)(new Loud('bb') and 4),
        'args' => fn () => usort2([new Loud('u1'), new Loud('u2')]),
    ];
    foreach ($tests as $name => $test) {
        try { $r = $test(); echo "$name: ", is_scalar($r) ? $r : gettype($r), "\n"; } catch (Throwable $e) { echo "$name! ", get_class($e), ': ', $e->getMessage(), "\n"; }
    }
    restore_error_handler();
}
function usort2($a) { usort($a, 'cmp'); return count($a); }
run(function ($n, $m) { echo "[", $m, "] ", busy(1, 2, 3), "\n"; return true; });
echo "=== throwing\n";
run(function ($n, $m) { busy(1, 2, 3); throw new ErrorException($m); });
echo "=== tracing\n";
run(function ($n, $m) { echo $m, ' ', count(debug_backtrace()), ' ', (new Exception)->getTraceAsString() === '' ? '' : 't', "\n"; return true; });
register_shutdown_function('shut');
