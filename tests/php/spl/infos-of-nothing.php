<?php
// What files and classes are that no constructor was told of.
class Unnamed extends SplFileInfo
{
    public function __construct()
    {
    }
}
$info = new Unnamed;
var_dump($info->getRealPath(), $info->getPathInfo(), $info->getPathname());
var_dump((new SplFileInfo(''))->getPathInfo(), (new SplFileInfo(''))->getRealPath() === getcwd());
var_dump((new ReflectionClass('MultipleIterator'))->newInstanceWithoutConstructor()->getFlags(), (new MultipleIterator)->getFlags());
$class = (new ReflectionClass('ReflectionClass'))->newInstanceWithoutConstructor();
foreach (['isSubclassOf', 'implementsInterface'] as $method) {
    try {
        $class->$method('Nobody');
    } catch (ReflectionException $exception) {
        echo $exception->getMessage(), "\n";
    }
}
