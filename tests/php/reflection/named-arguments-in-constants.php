<?php
// Named arguments of `new` in constant expressions, for classes with and without a constructor.
#[Attribute(Attribute::TARGET_ALL)] class Plain { public $a = 1; }
#[Attribute(Attribute::TARGET_ALL)] class Named { public function __construct(public int $max = 1, public mixed $more = null, public array $rest = []) {} }
#[Plain(max: 6)] class One { #[Named(more: new Plain(max: 3), max: 2)] public $p; #[Named(5, rest: ['k' => new Named(more: 'x')])] const C = 1; }
const GLOBAL_ONE = new Named(max: 6);
static $local = new Named(max: 4, more: new Plain());
function defaulted($x = new Named(more: new Named(max: 9), max: 8)) { return $x; }
class Held { public function __construct(private Named $named = new Named(rest: [1, 2])) {} }
foreach ([(new ReflectionClass('One'))->getAttributes(), (new ReflectionProperty('One', 'p'))->getAttributes(), (new ReflectionClassConstant('One', 'C'))->getAttributes()] as $attributes) {
    foreach ($attributes as $attribute) {
        echo $attribute->getName(), ' ', json_encode($attribute->getArguments()), "\n";
        try { var_dump($attribute->newInstance()); } catch (Error $e) { echo $e::class, ': ', $e->getMessage(), "\n"; }
    }
}
var_dump(GLOBAL_ONE, $local, defaulted(), new Held);
try { new Plain(max: 1); } catch (Error $e) { echo $e->getMessage(), "\n"; }
class Sealed { public final string $x { get => 'x'; } final public string $y { get => 'y'; } public string $z { final get => 'z'; set => $value; } }
foreach (['x', 'y', 'z'] as $name) {
    $property = new ReflectionProperty(Sealed::class, $name);
    echo $name, ' ', json_encode([$property->isFinal(), $property->getHook(PropertyHookType::Get)->isFinal(), Reflection::getModifierNames($property->getHook(PropertyHookType::Get)->getModifiers())]), "\n";
}
