<?php
// ArrayAccess, Countable, IteratorAggregate on one class.
class Bag implements ArrayAccess, Countable, IteratorAggregate
{
    private array $d = [];
    public function offsetExists(mixed $k): bool { echo "exists($k) "; return isset($this->d[$k]); }
    public function offsetGet(mixed $k): mixed { echo "get($k) "; return $this->d[$k] ?? null; }
    public function offsetSet(mixed $k, mixed $v): void { echo 'set(', var_export($k, true), ') '; if ($k === null) { $this->d[] = $v; } else { $this->d[$k] = $v; } }
    public function offsetUnset(mixed $k): void { echo "unset($k) "; unset($this->d[$k]); }
    public function count(): int { return count($this->d); }
    public function getIterator(): Iterator { foreach ($this->d as $k => $v) { yield $k => $v; } }
}
$b = new Bag;
$b['a'] = 1;
$b[] = 2;
$b['n'] = ['x' => ['y' => 'deep']];
echo $b['a'], $b['n']['x']['y'], "\n";
var_dump(isset($b['a']), isset($b['zz']), isset($b['n']['x']), empty($b['a']), $b['zz'] ?? 'default');
$b['a'] += 5;
unset($b['a']);
echo count($b), "\n";
foreach ($b as $k => $v) {
    echo $k, '=', is_array($v) ? 'array' : $v, ' ';
}
$b['n']['x'] = 'lost';
['n' => $n] = $b;
echo count($n), "\n";
