<?php
//: exit 255
class Base { function run($a, $b = [1], $c = PHP_INT_MAX) {} }
class Child extends Base { function run($a) {} }
echo "linked\n";
