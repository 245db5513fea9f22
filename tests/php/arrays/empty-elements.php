<?php
// `isset` and `empty` of elements and of bytes.
class F implements ArrayAccess {
    function offsetExists($k): bool { echo "exists($k) "; return true; }
    function offsetGet($k): mixed { echo "get($k) "; return 0; }
    function offsetSet($k, $v): void {}
    function offsetUnset($k): void {}
}
function all($values, $k) {
    foreach ($values as $name => $v) {
        $a = ['e' => $v, 3 => $v];
        echo $name, ': ', json_encode([empty($a['e']), empty($a[3]), empty($a[$k]), empty($a['none']), isset($a['e']), isset($a[$k])]), "\n";
    }
}
all(['null' => null, 'false' => false, 'true' => true, '0' => 0, '1' => 1, '0.0' => 0.0, '-0.0' => -0.0, 'nan' => NAN, 'empty' => '', "'0'" => '0',
    "'00'" => '00', "' '" => ' ', '[]' => [], '[0]' => [0], 'object' => new stdClass, 'resource' => STDERR], 'e');
function bytes($s, $t, $i) {
    echo json_encode([isset($s[0]), isset($s[2]), isset($s[3]), isset($s[-3]), isset($s[-4]), isset($s[$i]), isset($s['1']), isset($s['x']), 
        isset($t[0]), isset($t[$i]), empty($s[0]), empty($s[1]), empty($s[9]), empty($s[-1]), isset($s[0][0]), isset($s[0][1])]), "\n";
}
bytes('a0c', '', 1); bytes('000', "\0", 0); bytes('äö', 'x', PHP_INT_MAX);
$o = new F; var_dump(empty($o['k']), isset($o['k']));
$r = ['in' => 0]; $q = &$r; $v = &$r['in']; var_dump(empty($q['in']), isset($q['in'])); $v = 2; var_dump(empty($q['in']));
class P { public $a = ['x' => '0', 'y' => ['z' => 'zz']]; public $s = 'str';
    function run($k) { echo json_encode([empty($this->a['x']), empty($this->a['y']['z']), empty($this->a[$k]), isset($this->s[0]), isset($this->s[$k]), empty($this->s[5])]), "\n"; } }
(new P)->run('y');
$n = null; var_dump(empty($n['a']), empty($undefined['a']), isset($n[0]), isset(make()['a']), empty(make()['a']), empty(make()['b']), isset(make()['s'][1]));
function make() { return ['a' => new stdClass, 's' => 'str', 'b' => 0]; }
