<?php
$codes = ['class A { const array FOO = []; const int B = 1, LIST = 2, array = 3; const self|null X = null; const ?array Y = 1; const (A&B)|array W = 1; const static D=1; const callable E=1; const CLASS_ = 1; const FOR = 1; const string FOR = 2; const array FN = 3; const array array = 4; }',
'class A { public function list() {} function array(array $a, callable $c): array|static {} use T { list as private array; T::print insteadof B; T::for as new; } public array $list; public readonly array $x; }',
'$a->list; $a?->array(); A::class; A::LIST; A::array(); A::for; static::new; $a::print; f(array: 1, list: 2, default: 3, fn: 4); #[Foo(class: 1)] function &list() {}',
'enum E: string { case Array = "a"; case List = "l"; const array X = 1; case Fn = "2"; }',
'namespace list; use function array\foo; use const a\list; goto array; array: echo 1; const LIST2 = 1;',
'namespace A\list; interface I { const array FOO = 1; public function fn(); public array $x { get; set; } }',
'class P { public int $x { get => 1; set(array $v) { } } final const array Q = 1; private(set) array $z; protected const list = 1; }',
'declare(ticks=1); enum list {} ', 'function enum() {} class enum {} enum::X; new enum; enum Foo {} $x = enum; readonly class B {}', 'match(1) { default => 1 }; match: ; $x->match; A::match; class match2 { const match = 1; function match() {} }',
'"$a->list $a[list] {$a->list} ${list}";', 'class X { const string|array ABC = 1; const iterable array = 1; const object OBJ = 1; const mixed M=1; const ?callable C = 1; const array|false LIST=1; const int|string FUNCTION = 1; }'];
foreach ($codes as $c) { foreach ([0, TOKEN_PARSE] as $f) { try { foreach (PhpToken::tokenize("<?php $c", $f) as $t) if (!$t->isIgnorable()) echo $t->getTokenName(), ':', $t->text, ' '; echo "\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; } } }
