<?php
// An object that gets the place of an earlier one begins with its own first property.
class Pair
{
    public $first = 1;
    public $second = 2;
}
set_error_handler(fn() => true);
for ($i = 0; $i < 3; $i++) {
    $pair = new Pair();
    echo current($pair), next($pair), ' ';
    unset($pair);
}
echo "\n";
