<?php
// Defaults, dynamic, unset, typed and uninitialised properties.
class P
{
    public $plain, $with = [1, 'k' => self::K];
    const K = 'const';
    public int $typed;
    public ?string $nullable = null;
    protected $hidden = 'h';
    private $own = 'o';
    public function all() { return get_object_vars($this); }
}
$p = new P;
var_dump($p->plain, $p->with['k'], $p->nullable, isset($p->typed), $p->all());
foreach ([fn() => $p->typed, fn() => $p->hidden, fn() => $p->own, fn() => $p->typed = 'x', fn() => $p->nullable = []] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
$p->typed = '5';
var_dump($p->typed);
unset($p->typed, $p->plain);
try {
    echo $p->typed;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
$p->dynamic = 1;
echo isset($p->dynamic) ? 'set' : 'unset', count((array) $p), "\n";
