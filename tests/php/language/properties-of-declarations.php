<?php
#[Attribute]
class Named
{
    public function __construct(public string $of = __PROPERTY__)
    {
    }
}
class Subject
{
    public string $plain = __PROPERTY__;
    #[Named(of: __PROPERTY__)]
    public string $hooked = __PROPERTY__ {
        #[Named(of: __PROPERTY__)]
        get => __PROPERTY__ . ':' . $this->hooked;
        set(#[Named(of: __PROPERTY__)] string $value) => $value . __PROPERTY__;
    }
    public string $other = __PROPERTY__ . '!';
    const NONE = __PROPERTY__;
    public function method($x = __PROPERTY__)
    {
        return $x . __PROPERTY__;
    }
}
$subject = new Subject();
var_dump($subject->plain, $subject->hooked, $subject->other, $subject->method(), Subject::NONE);
$subject->hooked = 'new ';
var_dump($subject->hooked);
$property = new ReflectionProperty(Subject::class, 'hooked');
$get = $property->getHook(PropertyHookType::Get);
$set = $property->getHook(PropertyHookType::Set);
foreach ([$property, $get, $set->getParameters()[0]] as $place) {
    var_dump($place->getAttributes()[0]->getArguments()['of']);
}
