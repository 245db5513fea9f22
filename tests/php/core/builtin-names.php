<?php
// Lists of what is declared: builtin names come first, each in the list of its kind, and those of the script behind them.
$kinds = fn() => [get_declared_classes(), get_declared_interfaces(), get_declared_traits()];
[$classes, $interfaces, $traits] = $kinds();
foreach ($classes as $name) {
    $is = new ReflectionClass($name);
    if ($is->isInterface() || $is->isTrait() || !$is->isInternal()) echo "no class: $name\n";
}
foreach ($interfaces as $name) {
    if (!(new ReflectionClass($name))->isInterface()) echo "no interface: $name\n";
}
var_dump($traits, in_array('stdClass', $classes), in_array('Dom\NodeList', $interfaces), in_array('Traversable', $interfaces));
var_dump(count(array_unique($classes)) === count($classes), in_array('Random\IntervalBoundary', $classes), in_array('BackedEnum', $interfaces));
if (true) { class Own {} interface OwnInterface {} trait OwnTrait {} enum OwnEnum {} }
class_alias('Own', 'OtherName');
$names = $kinds();
var_dump(array_slice($names[0], count($classes)), array_slice($names[1], count($interfaces)), $names[2]);
var_dump(array_slice($names[0], 0, count($classes)) === $classes);
$functions = get_defined_functions();
var_dump(array_filter($functions['internal'], fn($name) => !function_exists($name)), $functions['user']);
if (true) { function own_function() {} }
var_dump(get_defined_functions()['user'], get_defined_functions()['internal'] === $functions['internal']);
$constants = get_defined_constants();
define('OWN', [1]); define('Own\Space\NAME', 2);
var_dump(array_diff_key(get_defined_constants(), $constants), get_defined_constants(true)['user']);
var_dump(array_filter(get_defined_constants(), fn($value, $name) => @constant($name) !== $value && !is_nan($value), ARRAY_FILTER_USE_BOTH));
var_dump(isset($constants['PHP_BINARY'], $constants['STDIN'], get_defined_constants(true)['Core']['STDERR'], get_defined_constants(true)['standard']['M_PI']));
