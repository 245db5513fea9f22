<?php
// Writing deep into arrays, objects and back.
$a = [];
$a['x']['y']['z'] = 1;
$a['x']['y']['list'][] = 'first';
$a['x']['y']['list'][] = 'second';
$a['x']['o'] = new stdClass;
$a['x']['o']->p['q'] = 'in object';
$a['x']['o']->p['r'][] = ['deep' => true];
$a['n'] ??= ['d' => 0];
$a['n']['d'] += 5;
$a['n']['d']++;
$a['s'] = 'str';
echo json_encode($a), "\n";
foreach ([fn() => $a['s']['x'] = 1, fn() => $a['n']['d']['x'] = 1, fn() => $a['n']['d'][] = 1] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
class Box { public array $items = []; public ?Box $inner = null; public function &ref() { return $this->items; } public function get() { return $this->items; } }
$b = new Box;
$b->inner = new Box;
$b->inner->items['k']['l'] = 1;
$b->ref()['by ref'] = 2;
$r = &$b->ref();
$r[] = 3;
echo json_encode($b), "\n";
$list = [[1, 2], [3, 4]];
foreach ($list as $i => [$p, $q]) { $list[$i][] = $p + $q; }
[$list[0][0], $list[1][0]] = [$list[1][0], $list[0][0]];
echo json_encode($list), "\n";
$copy = $list;
$ref = &$copy[0];
$ref[] = 'via ref';
echo count($list[0]), count($copy[0]), "\n";
$i = 0;
$arr = [];
$arr[$i++][$i++] = $i;
echo json_encode($arr), "\n";
