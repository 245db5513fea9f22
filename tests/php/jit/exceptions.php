<?php
// Exceptions out of compiled functions, caught in compiled loops and above them.
final class Rows
{
    private array $rows = [];
    public function put(string $k, int $v): void
    {
        if ($v < 0) {
            throw new InvalidArgumentException("negative: $v");
        }
        $this->rows[$k] = $v;
    }
    public function get(string $k): int
    {
        return $this->rows[$k] ?? throw new OutOfBoundsException($k);
    }
}
function dive(int $d, int $i): int
{
    if ($d === 0) {
        if ($i % 4 === 0) {
            throw new LogicException("at $i", $i % 100);
        }
        return $i;
    }
    return dive($d - 1, $i) + 1;
}
$rows = new Rows();
for ($i = 0; $i < 50; $i++) {
    $rows->put("k$i", $i);
}
$ok = $missing = $deep = $negative = 0;
for ($i = 0; $i < 4000; $i++) {
    try {
        $ok += $rows->get('k' . ($i % 60));
    } catch (OutOfBoundsException $e) {
        $missing += strlen($e->getMessage());
    }
    try {
        $ok += dive(5, $i);
        $rows->put('x', $i % 9 ? $i : -$i - 1);
    } catch (LogicException $e) {
        $deep += $e->getCode() + count($e->getTrace());
        $negative += $e instanceof InvalidArgumentException ? 1 : 0;
    }
}
echo "$ok $missing $deep $negative\n";
