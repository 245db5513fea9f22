<?php
class Point {
    public readonly int $usual;
    public private(set) readonly int $mine;
    public protected(set) readonly int $ours;
    public public(set) readonly int $all;
    public readonly Box $box;
    public private(set) Box $own;
}
class Box { public int $n = 1; public array $list = []; }
foreach (['usual', 'mine', 'ours', 'all', 'all'] as $name) {
    $point ??= new Point;
    try { $point->$name = 1; echo "$name set\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { unset($point->$name); echo "$name unset\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
echo implode(' ', Reflection::getModifierNames((new ReflectionProperty('Point', 'all'))->getModifiers())), "\n";
echo implode(' ', Reflection::getModifierNames((new ReflectionProperty('Point', 'usual'))->getModifiers())), "\n";
foreach (['box', 'own'] as $name) {
    try { $point->$name->n += 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $point->$name->n++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $point->$name->n = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $point->$name->list[] = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
}

// Static properties of a class and of the class below it, named as instance ones.
class Upper {
    private static $secret = 1;
    public function look() { return $this->secret; }
}
class Lower extends Upper { private static $secret = 2; }
var_dump((new Lower)->look());

// What `op=` makes is made after the warning.
#[AllowDynamicProperties]
class Loose {}
$loose = new Loose;
set_error_handler(function ($code, $text) use ($loose) { echo $text, ' ', count((array) $loose), "\n"; return true; });
$loose->count += 2;
var_dump($loose->count);
restore_error_handler();

// An error handler drops the object that was to get the property.
class Strict {}
$strict = new Strict;
set_error_handler(function ($code, $text) { echo $text, "\n"; $GLOBALS['strict'] = null; });
try { $strict->late = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
function fresh() { return new Strict; }
try { fresh()->late = 1; echo "kept\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
