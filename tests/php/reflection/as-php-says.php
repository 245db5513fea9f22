<?php
// What PHP says of its own declarations, though it is not all of the truth.
foreach (['trim', 'mkdir', 'simplexml_load_string', 'die'] as $name) {
    echo preg_replace('/<internal:\w+>/', '<internal>', new ReflectionFunction($name));
}
echo new ReflectionMethod('SplFileInfo', 'setInfoClass');
echo (new ReflectionParameter(['ArrayObject', '__construct'], 'iteratorClass'))->getDefaultValue(), "\n";
var_dump((new ReflectionParameter('mkdir', 1))->getDefaultValue());

echo "-- not listed\n";
$d = new PDO('sqlite::memory:');
var_dump(method_exists($d, 'sqliteCreateFunction'), method_exists('PDO', 'sqliteCreateFunction'),
    in_array('sqliteCreateFunction', get_class_methods($d)), (new ReflectionClass('PDO'))->hasMethod('sqliteCreateFunction'),
    function_exists('ob_iconv_handler'));

echo "-- properties in order\n";
class Mine extends ErrorException { public $own; protected $code = 3; }
class Hides { private $p = 1; }
#[AllowDynamicProperties]
class Shows extends Hides {}
foreach (['ErrorException', 'Mine', 'ReflectionMethod', 'DOMText', 'PDOException'] as $name) {
    echo $name, ': ', implode(' ', array_map(fn ($p) => $p->name, (new ReflectionClass($name))->getProperties())), "\n";
}
$o = new Shows;
$o->p = 1;
$o->q = 2;
echo substr_count(new ReflectionObject($o), '<dynamic>'), "\n";

echo "-- readonly without saying so\n";
$p = new ReflectionProperty('DatePeriod', 'start');
var_dump($p->isReadOnly(), (string) $p, $p->getModifiers());
$period = new DatePeriod(new DateTime('2000-01-01'), new DateInterval('P1D'), 2);
try {
    $period->start = null;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

abstract class Abs { abstract function f(); const int NUMBER = WRONG; public static int $s = self::NUMBER; }
define('WRONG', 'text');
foreach ([fn () => (new ReflectionMethod('Abs', 'f'))->invoke(true), fn () => (new ReflectionMethod('Mine', 'getLine'))->invoke(true),
    fn () => (new ReflectionClass('Abs'))->getStaticProperties()] as $f) {
    try {
        $f();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
