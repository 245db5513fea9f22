<?php
// array_walk gives readonly properties by reference, too.
class Kept { public int $a = 1; public readonly int $fixed; public function __construct() { $this->fixed = 9; } }
$kept = new Kept;
array_walk($kept, function ($value, $name) { echo "$name=$value\n"; });
array_walk($kept, function (&$value, $name) { $value++; });
try { array_walk($kept, function (&$value) { $value = []; }); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
var_dump($kept);
