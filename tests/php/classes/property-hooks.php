<?php
// get and set hooks: backed, virtual, short forms, in interfaces and by inheritance.
class User
{
    public string $name { set => trim($value); }
    public string $full { get => "$this->first $this->last"; set(string $v) { [$this->first, $this->last] = explode(' ', $v); } }
    public int $count = 0 { get { return $this->count * 10; } set { if ($value < 0) { throw new ValueError('negative'); } $this->count = $value; } }
    public function __construct(public string $first = 'A', public string $last = 'B') {}
}
interface HasArea { public float $area { get; } }
class Square implements HasArea { public function __construct(public float $side) {} public float $area { get => $this->side ** 2; } }
class Loud extends User { public string $full { get => strtoupper(parent::$full::get()); } }
$u = new User;
$u->name = '  spaced ';
echo $u->name, '|', $u->full, "\n";
$u->full = 'C D';
$u->count = 5;
$u->count++;
echo $u->first, $u->last, $u->count, (new Square(3))->area, (new Loud('x', 'y'))->full, "\n";
foreach ([fn() => $u->count = -1, function () { $s = new Square(1); $s->area = 2.0; }] as $f) {
    try {
        $f();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
var_dump(isset($u->full), $u);
