<?php
// Conflict resolution, aliases, abstract and static members, constants, precedence.
trait Hello { public function say() { return 'Hello'; } protected function hidden() { return 'hidden'; } }
trait World
{
    public const LEVEL = 2;
    private static int $count = 0;
    public $where = 'world';
    public function say() { return 'World'; }
    public static function bump() { return ++self::$count; }
    abstract public function need(): string;
    public function who() { return [self::class, static::class, __CLASS__, __TRAIT__, __FUNCTION__, __METHOD__]; }
    public function cached() { static $n = 0; return ++$n; }
}
class A
{
    use Hello, World { Hello::say insteadof World; World::say as protected sayWorld; hidden as public shown; }
    public function need(): string { return $this->say() . $this->sayWorld(); }
}
class B { use World; public function need(): string { return 'b'; } public function say() { return 'own'; } }
class C extends A { public function say() { return 'C+' . parent::say(); } }
$a = new A;
echo $a->need(), $a->shown(), $a->where, A::LEVEL, (new C)->say(), (new B)->say(), "\n";
echo A::bump(), A::bump(), B::bump(), "\n", implode(' ', (new C)->who()), "\n";
echo $a->cached(), $a->cached(), (new B)->cached(), "\n";
print_r(class_uses('A'));
