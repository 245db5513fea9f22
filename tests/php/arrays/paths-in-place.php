<?php // Changes at the end of a path, where the place exists already and where it does not.
class P { public int $n = 1; public ?P $next = null; public $any = []; public readonly array $fixed; public function __construct() { $this->fixed = ['a' => [1]]; } }
function numbers() {
    $b = [['x' => 1.5, 'n' => 1], ['x' => 2.5, 'n' => 2]];
    for ($i = 0; $i < 2; $i++) {
        $b[$i]['x'] += 0.5; $b[$i]['x'] *= 2; $b[$i]['n']++; --$b[$i]['n']; $b[$i]['n'] -= 10;
        $b[$i]['new'] = $i; $b[$i][] = 'appended'; $b["$i"]['n'] = $b[$i]['n'];
    }
    $copy = $b; $b[0]['x'] = 'changed'; $b[1][5][] = $b;
    echo json_encode($copy), json_encode($b), "\n";
    $b[0]['n'] = PHP_INT_MAX; $b[0]['n']++; var_dump($b[0]['n']);
    $r = &$b[0]['x']; $b[0]['x'] = 'through'; echo $r, "\n";
    $b['k'] = $b; $b['k']['self'] = $b; echo count($b['k']['self']), count($b), "\n";
    $a = [1]; $a[] = $a; $a[1][] = $a; $a[1][0] = $a; echo json_encode($a), "\n";
    $e = [[1]]; try { $e[][]->bar = 2; } catch (Error $x) { echo $x->getMessage(), "\n"; }
    $e[][] = 3; echo json_encode($e), "\n";
    $s = ['t' => 'text']; $s['t'][0] = 'T'; $s['t'] .= '!'; echo $s['t'], "\n";
    $m = []; $m['a']['b']['c'] = 1; $m['a']['b']['c'] += 2; $m['q'] ??= []; $m['q'][3] = 1; $m['q'][] = 2; echo json_encode($m), "\n";
}
numbers();
$o = new P; $o->next = new P; $o->next->n += 5; $o->next->next = $o; $o->next->next->n++; $o->any['x']['y'] = 1; $o->any['x']['y']++;
foreach ([fn() => $o->n = 'no', fn() => $o->next->n = 1.5, fn() => $o->fixed['a'][0] = 2, fn() => $o->fixed['a'][0]++, fn() => $o->next = 5] as $f) {
    try { echo json_encode($f()), "\n"; } catch (Error $x) { echo get_class($x), ': ', $x->getMessage(), "\n"; }
}
echo $o->n, $o->next->n, json_encode($o->any), "\n";
class D { public function __construct(public $name) {} public function __destruct() { echo "{$this->name} gone\n"; } }
function destroyed() { $a = ['d' => [new D('one'), new D('two')]]; $a['d'][0] = 1; $a['d'][1] = new D('three'); echo "end\n"; }
destroyed();
