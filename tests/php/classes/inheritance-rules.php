<?php
// Covariant returns, contravariant parameters, #[Override], abstract instantiation by child.
interface Maker { public function make(): iterable; }
class A implements Maker
{
    public function make(): array { return [1]; }
    public function take(int $x): self { return $this; }
    public function opt($a) { return $a; }
}
class B extends A
{
    public function take(int|string $x, ...$more): static { return $this; }
    public function opt($a = 1, $b = 2) { return $a + $b; }
    #[Override]
    public function make(): array { return [...parent::make(), 2]; }
}
$b = new B;
echo get_class($b->take('s')), $b->opt(), implode(',', $b->make()), "\n";
