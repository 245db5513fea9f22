<?php
// Objects that throw, a log by reference, sums of money in integers.
class InsufficientFunds extends RuntimeException { public function __construct(public readonly int $missing) { parent::__construct("short of $missing"); } }
abstract class Account
{
    private static int $next = 1;
    protected int $balance = 0;
    public readonly int $number;
    private array $log = [];
    public function __construct(public readonly string $owner) { $this->number = self::$next++; }
    abstract protected function limit(): int;
    public function deposit(int $n): static { if ($n <= 0) { throw new InvalidArgumentException('not positive'); } $this->balance += $n; $this->log[] = "+$n"; return $this; }
    public function withdraw(int $n): static { if ($this->balance - $n < -$this->limit()) { throw new InsufficientFunds($n - $this->balance - $this->limit()); } $this->balance -= $n; $this->log[] = "-$n"; return $this; }
    public function __get($name) { return match ($name) { 'balance' => $this->balance, 'history' => implode(' ', $this->log), default => throw new LogicException("no $name") }; }
}
class Basic extends Account { protected function limit(): int { return 0; } }
class Premium extends Account { public function __construct(string $o, private int $credit = 500) { parent::__construct($o); } protected function limit(): int { return $this->credit; } }
function transfer(Account $from, Account $to, int $n): void { $from->withdraw($n); try { $to->deposit($n); } catch (Exception $e) { $from->deposit($n); throw $e; } }
$a = (new Basic('Ann'))->deposit(100);
$b = new Premium('Bob');
transfer($b, $a, 300);
foreach ([fn() => transfer($a, $b, 1000), fn() => $a->deposit(0), fn() => $b->nothing, fn() => $b->owner = 'x', fn() => $b->withdraw(201)] as $f) {
    try {
        $f();
    } catch (InsufficientFunds $e) {
        echo $e->missing, ' ', $e->getMessage(), "\n";
    } catch (LogicException | Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
foreach ([$a, $b] as $x) { echo "$x->number $x->owner $x->balance [$x->history]\n"; }
