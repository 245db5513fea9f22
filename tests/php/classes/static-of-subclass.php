<?php
// A subclass's own static property is what `static::` finds, even from a class with a private one of the same name.
class Base
{
    private static $name = 'base';
    private static $only = 'only base';
    public static function show()
    {
        echo static::$name, ' ', static::$only, "\n";
    }
}
class Guarded extends Base
{
    protected static $name = 'guarded';
}
class Open extends Base
{
    public static $name = 'open';
}
class Plain extends Base
{
}
class Closed extends Base
{
    private static $name = 'closed';
}
foreach ([Base::class, Guarded::class, Open::class, Plain::class, Closed::class] as $class) {
    try {
        $class::show();
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
}
class Instance
{
    private $hidden = 1;
    public $shown = 1;
}
foreach (['hidden', 'shown', 'missing'] as $name) {
    try {
        echo Instance::$$name;
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
}
