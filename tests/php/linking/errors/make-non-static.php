<?php
//: exit 255
class Base { static function run() {} }
class Child extends Base { function run() {} }
echo "linked\n";
