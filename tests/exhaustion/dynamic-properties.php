<?php
#[AllowDynamicProperties]
class Open { public $declared; }
$kept = [];
for ($i = 0; $i < 60; $i++) {
    $plain = new stdClass;
    $plain->a = $i;
    $plain->{"b$i"} = [$i];
    $open = new Open;
    $open->declared = $plain;
    $open->extra = "x$i";
    $open->more = $i;
    $kept[] = $open;
}
echo count($kept), "\n";
