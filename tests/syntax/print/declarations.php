<?php
#[A(1), B] #[C]
abstract class X extends \Y implements \Z, W
{
    use T, \U { T::a insteadof U; b as protected c; d as private; e as f; }
    #[A] final const int A = 1, B = 2;
    private const C = 3;
    var $a = [1, 2], $b;
    public private(set) ?int $c;
    static readonly array|ArrayAccess $d;
    public string $hooked = 'x' { final get => $this->hooked; &get { return $this->x; } set(string $v); }
    final protected static function &f(#[S] public int $a = 1, ?\B &...$rest): static { return $a; }
    abstract function g();
}
interface I extends J, \K { }
enum E: string { case A = 'a'; }
final readonly class R { }
function &h(array $x): ?ARRAY { yield; }
namespace N { use A\B as C; }
