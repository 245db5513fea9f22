<?php
//: exit 255
class Base { function run() {} }
abstract class Child extends Base { abstract function run(); }
echo "linked\n";
