<?php
//: source-only What PHP 8.4 warns about but still runs.
class Dyn {}
$d = new Dyn;
$d->x = 1;
#[AllowDynamicProperties] class Ok {}
$o = new Ok;
$o->x = 1;
echo strlen(null), str_replace('a', 'b', null), "\n";
$name = 'curly';
echo "x${name}\n";
