<?php
// Every use of a variable whose name is computed, of globals through $GLOBALS, and of static properties that are missing.
function show(string $what, mixed $value): void { echo $what, ': ', var_export($value, true), "\n"; }
function change(&$x): void { $x = 'changed'; }
function take($x) { return $x; }

class Box {
    public static $set = 1;
    public static $null = null;
    public static int $uninitialised;
    private static $hidden = 5;
}

function locals(): void {
    $a = 'value';
    $name = 'a';
    $missing = 'nowhere';
    $zero = 0;
    show('quiet', $$name ?? 'default');
    show('quiet missing', $$missing ?? 'default');
    show('isset', isset($$name));
    show('isset missing', isset($$missing));
    show('empty', empty($$name));
    show('empty missing', empty($$missing));
    $null = 'zero';
    show('empty zero', empty($$null));
    $reference = &$$name;
    $reference = 'through the reference';
    show('a', $a);
    $created = &$$missing;
    show('created', $nowhere);
    $other = 'other';
    $$name = &$other;
    $other = 'bound';
    show('a', $a);
    change($$name);
    show('other', $other);
    show('taken', take($$name));
    $fresh = 'fresh';
    $undefined = 'never';
    show('taken undefined', take($$undefined));
    change($$undefined);
    show('never', $never);
    $key = 'key';
    foreach ([1, 2] as $$key) {
    }
    show('key', $key);
    $this_name = 'this';
    try {
        $x = &$$this_name;
    } catch (Error $error) {
        show('this', $error->getMessage());
    }
    try {
        $$this_name = &$other;
    } catch (Error $error) {
        show('this', $error->getMessage());
    }
    show('isset this', isset($$this_name));
    show('empty this', empty($$this_name));
}

locals();

$some = 0;
$thing = 'set';
show('empty global', empty($GLOBALS['some']));
show('empty global set', empty($GLOBALS['thing']));
show('empty global missing', empty($GLOBALS['absent']));
show('isset global', isset($GLOBALS['thing']));
show('quiet global', $GLOBALS['absent'] ?? 'default');

foreach (['set', 'null', 'uninitialised', 'hidden', 'absent'] as $property) {
    show("empty $property", empty(Box::$$property));
    show("isset $property", isset(Box::$$property));
    show("quiet $property", Box::$$property ?? 'default');
}
show('empty set', empty(Box::$set));

try {
    unset(Box::$$property);
} catch (Error $error) {
    show('unset', $error->getMessage());
}
$class = 'Box';
try {
    unset($class::$set);
} catch (Error $error) {
    show('unset', $error->getMessage());
}
