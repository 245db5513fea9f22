<?php
/** First. */
#[A, B(1, name: 2)]
#[\C\D]
function &f(int|null $a, ?B $b = null, (A&B)|C|null &$c = X, array ...$rest): static
{
    /** Not for anything. */
}
function readonly(callable $x, namespace\T $y) { }
/** For the closure. */
$c = static function & (A & B $a, self &$b) use ($x, &$y): never { };
$d = #[A] static fn(int $x = 1 + 2): int|float => $x;
class P
{
    public function __construct(
        /** Promoted. */
        #[A] public readonly int $a = 1,
        protected private(set) ?string $b = null { get => 'x'; set(string $v) { $this->b = $v; } },
    ) { }
}
