<?php
// Where the operands and the result of a concatenation are.
class S { function __toString() { echo "<"; return 'S'; } }
class P { public string $out = ''; public $un = 'u'; public array $a = ['k' => 'v'];
    function run($t) { for ($i = 0; $i < 20; $i++) { $this->out .= $t; $this->out .= 'lit' . $i; $this->un .= $this->out; $this->a['k'] .= $t; }
        $copy = $this->out; $this->out .= $this->out; $this->un .= $this->un; echo strlen($this->out), strlen($copy), md5($this->un), $this->a['k'], "\n";
        $this->out .= new S; $this->out .= 5; $this->a['k'] .= 1.5; echo substr($this->out, -5), substr($this->a['k'], -4), "\n"; } }
function run($a, $b, $e) {
    $x = $a . $b; $y = $x; $x = $x . 'tail'; echo $x, $y, "\n";
    $x = $x . $x; echo $x, "\n"; $x = $x . ($b . $a); echo $x, "\n";
    $x = $a . $x; $x = 'pre' . $x; $x = $x . $e; $x = $e . $x; echo $x, "\n";
    $r = &$x; $x = $x . 'ref'; $r = $a . $r; echo $x === $r ? 'same' : 'other', "\n"; unset($r);
    $z = $e . $e; var_dump($z); $z = $e . 'x'; var_dump($z); $z = 'x' . $e; var_dump($z);
    $n = 5; $z = $a . $n; $z = $n . $a; $z = $z . $n . 1.5 . true . null; var_dump($z);
    $z = $a . new S . $b; $z = new S . $z; $z = "$a-$b-{$n}-" . $z; var_dump($z);
    $long = ''; for ($i = 0; $i < 300; $i++) { $long = $long . chr(65 + $i % 26); $keep[$i % 3] = $long; } echo md5($long), strlen($keep[0]), "\n";
    $long = ''; for ($i = 0; $i < 300; $i++) { $long .= chr(65 + $i % 26) . $i; } echo md5($long), "\n";
    $h = ['old']; $h = $a . $b; $o = new S; $o = $a . $o; var_dump($h, $o);
    $k = [$a . $b => 1]; $k[$a . 'z'] = 2; echo json_encode($k), "\n";
    "$a$b"; $a . $b;
    echo "{$a}{$b}{$e}{$n}", "\n";
    try { $t = $a . []; } catch (Error $x) { } var_dump($t);
}
error_reporting(E_ALL & ~E_DEPRECATED);
set_error_handler(function ($n, $t) { echo "[$t]"; return true; }, E_WARNING);
run('aa', 'bb', '');
(new P)->run('t');
