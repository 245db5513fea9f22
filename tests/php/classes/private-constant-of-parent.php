<?php
// A private constant of a parent that names a missing class is no error of the children, which do not have it.
class Base
{
    private const SETTINGS = ['key' => Missing::VALUE];
    public $own = 1;

    static function hello()
    {
        return 'hello';
    }
}
class Child extends Base
{
    public $more = 2;
}
class Grandchild extends Child {}
class Shared
{
    public const VALUE = Missing::VALUE;
}
class Inheriting extends Shared {}
class Overriding extends Shared
{
    public const VALUE = 1;
}
class Slot
{
    public $value = Missing::VALUE;
}
class OtherSlot extends Slot
{
    public $value = 4;
}
class LaterSlot extends OtherSlot {}
class Variable
{
    public static $value = Missing::VALUE;
}
class OtherVariable extends Variable
{
    public static $value = 1;
}
class Hidden
{
    private $value = Missing::VALUE;
}
class Hiding extends Hidden {}
interface Contract
{
    const VALUE = Missing::VALUE;
}
class Fulfilling implements Contract {}
trait Part
{
    private const VALUE = Missing::VALUE;
}
class Whole
{
    use Part;
}
class BelowWhole extends Whole {}

$classes = ['Child', 'Grandchild', 'Base', 'Inheriting', 'Overriding', 'OtherSlot', 'OtherVariable', 'Hiding', 'Fulfilling', 'Whole', 'BelowWhole'];
foreach ($classes as $class) {
    foreach (['new', 'reflection', 'variables', 'properties'] as $way) {
        try {
            match ($way) {
                'new' => new $class,
                'reflection' => (new ReflectionClass($class))->newInstanceWithoutConstructor(),
                'variables' => get_class_vars($class),
                'properties' => (new ReflectionClass($class))->getDefaultProperties(),
            };
            echo "$class $way: fine\n";
        } catch (Error $error) {
            echo "$class $way: ", $error->getMessage(), "\n";
        }
    }
}
echo Child::hello(), ' ', Base::hello(), "\n";
print_r(get_class_vars('Child'));
var_dump((new ReflectionClass('Child'))->getConstants());
var_dump(unserialize('O:5:"Child":1:{s:4:"more";i:7;}')->more);
