<?php
//: exit 255
class Base { final function run() {} }
class Child extends Base { function run() {} }
echo "linked\n";
