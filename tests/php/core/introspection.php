<?php
// Functions that ask about classes, objects, functions and constants, from inside and outside.

namespace Lab;

abstract class Base implements \Countable
{
    public $open = 1;
    protected $guarded = 2;
    private $hidden = 3;
    public static $static = 4;
    public int $typed;
    const NAME = "base";
    public function count(): int { return 0; }
    protected function inner() {}
    private function secret() {}
    public function vars() { return [get_object_vars($this), get_class_vars(static::class), get_class_methods($this)]; }
    public static function called() { return get_called_class(); }
}

class Derived extends Base
{
    private $hidden = "own";
    public readonly array $list;
    public function __construct() { $this->list = [1]; }
}

$object = new Derived();
$object->{"12"} = "dynamic";
print_r(get_object_vars($object));
print_r($object->vars());
print_r(get_class_methods(Derived::class));
var_dump(array_keys(get_mangled_object_vars($object)) === ["open", "\0*\0guarded", "\0Lab\\Base\0hidden", "\0Lab\\Derived\0hidden", "list", 12]);
var_dump(get_class($object), get_parent_class($object), get_parent_class("Lab\\Base"), Derived::called());
var_dump(is_a($object, "\\Countable"), is_a("Lab\\Derived", Base::class), is_a("Lab\\Derived", Base::class, true));
var_dump(is_subclass_of($object, Derived::class), is_subclass_of("lab\\derived", "countable"));
var_dump(method_exists($object, "SECRET"), method_exists(Base::class, "secret"), method_exists("Nowhere", "x"));
var_dump(property_exists($object, "hidden"), property_exists(Base::class, "static"), property_exists($object, "12"));
var_dump(class_exists("lab\\base"), class_exists("Countable"), interface_exists("Countable"), trait_exists("Lab\\Base"), enum_exists("X"));
var_dump(class_alias(Derived::class, "Lab\\Alias"), (new Alias()) instanceof Derived, class_alias(Derived::class, "Lab\\Alias"));
var_dump(function_exists("strlen"), function_exists("\\Lab\\helper"), function_exists("nothing"));
function helper(...$all) { return [func_num_args(), func_get_args(), get_defined_vars()]; }
print_r(helper(1, "two"));
var_dump(define("Lab\\VALUE", [1]), \Lab\VALUE, defined("Lab\\VALUE"), defined("Lab\\Base::NAME"), constant("Lab\\Base::NAME"), @define("Lab\\VALUE", 2));
var_dump(PHP_MAJOR_VERSION, PHP_INT_SIZE, PHP_OS_FAMILY, E_ALL, PHP_FLOAT_DIG, M_PI > 3);
function outer() { return inner(); }
function inner() { return debug_backtrace(); }
foreach (outer() as $row) {
    echo $row["function"], ":", $row["line"], " ";
}
echo "\n";
function show() { debug_print_backtrace(); }
ob_start();
show();
echo str_replace(__DIR__, "", ob_get_clean());
var_dump(error_reporting(), error_reporting(E_ALL & ~E_NOTICE), error_reporting(), gc_enabled(), extension_loaded("core"));
try {
    define("A::B", 1);
} catch (\ValueError $e) {
    echo $e->getMessage(), "\n";
}
try {
    get_class_methods("Nowhere");
} catch (\TypeError $e) {
    echo $e->getMessage(), "\n";
}
exit("bye\n");
