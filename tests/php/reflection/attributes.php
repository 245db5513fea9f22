<?php
#[Attribute(Attribute::TARGET_CLASS | Attribute::IS_REPEATABLE)]
class Tag {
    public function __construct(public string $name, public int $weight = 1) {}
}
#[Attribute]
class Once {}
class NoAttribute {}
#[Tag('a'), Tag(name: 'b', weight: 1 + 2)]
#[Once]
class Thing {
    #[Tag('wrong place')] public $property;
    #[Once, Once] public function twice() {}
    #[NoAttribute] const C = 1;
    #[Gone] public function gone() {}
}
$class = new ReflectionClass('Thing');
foreach ($class->getAttributes() as $attribute) {
    var_dump($attribute->getName(), $attribute->getArguments(), $attribute->getTarget(), $attribute->isRepeated());
    var_dump($attribute->newInstance());
}
var_dump(count($class->getAttributes('TAG')), count($class->getAttributes(Tag::class, ReflectionAttribute::IS_INSTANCEOF)));
$bad = [
    $class->getProperty('property'), $class->getMethod('twice'),
    $class->getReflectionConstant('C'), $class->getMethod('gone'),
];
foreach ($bad as $member) {
    try {
        $member->getAttributes()[0]->newInstance();
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
