<?php
// __get, __set, __isset, __unset: when they run and when they do not.
class M
{
    private array $data = ['a' => 1];
    public $real = 'real';
    private $secret = 'secret';
    public function __get($n) { echo "get $n\n"; return $this->data[$n] ?? null; }
    public function __set($n, $v) { echo "set $n\n"; $this->data[$n] = $v; }
    public function __isset($n) { echo "isset $n\n"; return isset($this->data[$n]); }
    public function __unset($n) { echo "unset $n\n"; unset($this->data[$n]); }
}
$m = new M;
echo $m->a, $m->real, "\n";
$m->b = 2;
$m->b .= 'x';
$m->a++;
var_dump(isset($m->a), isset($m->zzz), empty($m->b), $m->zzz ?? 'default', $m->secret);
unset($m->a, $m->real);
echo $m->real, "\n";
$m->list = [1];
$m->list[] = 2;
echo count($m->list), "\n";
class R { private $d = []; public function &__get($n) { return $this->d[$n]; } }
$r = new R;
$r->x[] = 1;
$r->x[] = 2;
echo count($r->x), "\n";
