<?php
// Literal keys that look like integers are integers on every way to an element.
$x = [10 => 'ten'];
$x["a"] = [];
$x["a"]["11"] = 1;
$x["11"] = 2;
$x["a"][11]++;
$x["12"]["13"] = 4;
$x["a"]["-4"] ??= 5;
$x["a"]["007"] = 6;
var_dump($x, isset($x["10"]), isset($x["a"]["11"]), isset($x["a"]["7"]), empty($x["12"]["13"]));
