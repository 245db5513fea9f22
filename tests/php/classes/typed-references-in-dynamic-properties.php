<?php
// What typed properties share with others by reference keeps its type, wherever the change comes from.
class Typed
{
    public string $text = '';
    public int $number = 1;
}
function attempt(string $what, callable $change): void
{
    try {
        $change(new Typed(), new stdClass());
        echo "$what: no error\n";
    } catch (TypeError $error) {
        echo "$what: ", $error->getMessage(), "\n";
    }
}
attempt('assigning', function ($typed, $object) {
    $object->shared = &$typed->text;
    $object->shared = null;
});
attempt('assigning an unset variable', function ($typed, $object) {
    $object->shared = &$typed->text;
    $object->shared = $missing;
});
attempt('a name in a variable', function ($typed, $object) {
    $name = 'shared';
    $object->$name = &$typed->text;
    $object->$name = [];
});
attempt('counting', function ($typed, $object) {
    $typed->number = PHP_INT_MAX;
    $object->shared = &$typed->number;
    $object->shared++;
});
attempt('appending', function ($typed, $object) {
    $object->shared = &$typed->number;
    $object->shared .= 'x';
});
attempt('converting', function ($typed, $object) {
    $object->shared = &$typed->text;
    $object->shared = 5;
    var_dump($typed->text, $object->shared);
});
attempt('builtin functions', function ($typed, $object) {
    preg_match('/a/', 'a', $typed->text);
});
attempt('counts of builtin functions', function ($typed, $object) {
    preg_replace('/a/', 'b', 'aa', -1, $typed->text);
    var_dump($typed->text);
});
