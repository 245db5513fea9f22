<?php
//: exit 255
class Base { function run(&$a, ...$rest) {} }
class Child extends Base { function run($a, ...$rest) {} }
echo "linked\n";
