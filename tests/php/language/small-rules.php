<?php
// Keys of iterators that are numbers, in array literals.
function pairs()
{
    yield '42' => 'a';
    yield 'x' => 'b';
    yield '4' . '2' => 'c';
}
var_dump([...pairs()]);
// Taking null apart is silent, as the first thing in a function, too.
(function () {
    list($a) = null;
    var_dump($a);
})();
// References in arrays do not reach constants.
$x = 1;
$shared = [&$x, [&$x]];
define('FROZEN', $shared);
$x = 2;
echo json_encode(FROZEN), json_encode($shared), "\n";
// A name that is called is looked up from the root.
try {
    ('\no\such\function')();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
// Results of functions that are compiled to instructions are no variables.
try {
    str_replace('a', 'b', 'c', strlen('d'));
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
// The type of what is returned comes before the notice.
function &listed(): array
{
    return null;
}
try {
    listed();
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
// Casts give values where nobody shares the reference.
class Holder
{
    public $value;
}
function fill($from, $into)
{
    foreach ($from as $name => &$value) {
        $into->$name = &$value;
    }
}
$holder = new Holder();
fill(['value' => 1], $holder);
$array = (array) $holder;
$holder->value = 2;
echo $array['value'], "\n";
// Variables that an arrow function uses and nobody has set.
$set = 1;
ob_start();
var_dump(fn() => [$set, $unset]);
$shown = ob_get_clean();
var_dump(str_contains($shown, '["set"]'), str_contains($shown, '["unset"]'));
// What a constant needs may need the constant.
class Outer
{
    const NAME = Inner::NAME . 'B';
}
spl_autoload_register(function () {
    class Inner
    {
        const NAME = 'A';
    }
    var_dump(Outer::NAME);
});
new Outer();
var_dump(Outer::NAME);
