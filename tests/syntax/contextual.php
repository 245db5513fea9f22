<?php
namespace enum\match;
use Foo\{Bar, Baz\Qux as Quux, function f, const C,};
use function A\{b, c}; use const A\B, C\D as E;
use \Leading\Slash;
class enum { function enum() { return $this->match->class->fn(); } const match = 1; }
enum Color { case from; }
enum(1);
function from() { yield from from(); yield
  from x(); }
$a & $b; $a &$b; $a & /* c */ $b; $a & b;
$x = static fn(&...$a) => $a;
$object->function()::class;
namespace\f();
const A = 1, B = A . 'x';
// comment ?> html <?php # another
#[A] function g() { }
