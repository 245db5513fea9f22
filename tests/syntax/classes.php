<?php
/** Of the class. */
abstract class A extends \B implements C, namespace\D
{
    use T, U { T::a insteadof U, V; U::a as protected b; c as d; e as final; list as array; }
    /** Of X. */
    final protected const int X = 1, Y = self::X;
    const list = 1, CLASS_ = 2; const string FOO = 'x'; const array = [];
    /** Of x. */
    var $x, /** Of y. */ $y = [1];
    private static ?array $z;
    public private(set) readonly int|string $w;
    abstract protected string $hooked { get; set; }
    public int $v = 1 {
        /** Getter. */
        #[A] final &get { return $this->v; }
        set($value) => $value + 1;
    }
    /** Of m. */
    abstract public static function &m(self $a): static;
    function list() { yield; }
}
final readonly class E { }
interface I extends J, K { const A = 1; public function f(); }
trait T { abstract function x(); }
enum Suit: string implements H
{
    /** Hearts. */
    #[A] case Hearts = 'H';
    case Class = 'C';
    const Wild = self::Hearts;
}
