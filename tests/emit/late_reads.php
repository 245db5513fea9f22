<?php
// A plain variable on the left is read after the right operand has run.
$sum = $i + $i++;
$simple = $a + $b;
$text = $a . f();
$list[$i] = $i++;
$pairs = [$k => $k++];
$object->$name = f();
