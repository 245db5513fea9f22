<?php
class Item { public $value = 1; public function __destruct() { echo "destroyed\n"; } public function touch() { return $this->value; } }
$class = new ReflectionClass(Item::class);
$uses = [
    'read' => fn() => $GLOBALS['item']->value,
    'write' => function () { global $item; $item->value = new stdClass; },
    'method' => function () { global $item; return $item->touch(); },
    'isset' => fn() => isset($GLOBALS['item']->value),
];
foreach ($uses as $name => $use) {
    foreach (['newLazyGhost', 'newLazyProxy'] as $make) {
        $item = $class->$make(function () use ($make) {
            $GLOBALS['item'] = null;
            return $make === 'newLazyProxy' ? new Item : null;
        });
        try { echo "$name $make: "; var_dump($use()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    }
}
$item = $class->newLazyGhost(function () { $GLOBALS['item'] = null; return 5; });
try { $item->value = 1; } catch (Error $e) { do { echo $e->getMessage(), "\n"; } while ($e = $e->getPrevious()); }
// What a function returned is held by nobody else, and stays.
function make() { global $class; return $class->newLazyGhost(function ($item) { $item->value = 7; }); }
var_dump(make()->value, make()->touch());
make()->value = 3;
$kept = $item = $class->newLazyGhost(function ($item) { $GLOBALS['item'] = null; $item->value = 8; });
var_dump($item->value);
