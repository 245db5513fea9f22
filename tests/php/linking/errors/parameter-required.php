<?php
//: exit 255
class Base { function run($a = "a longer string") {} }
class Child extends Base { function run($a) {} }
echo "linked\n";
