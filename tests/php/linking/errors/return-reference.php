<?php
//: exit 255
class Base { function &run() {} }
class Child extends Base { function run() {} }
echo "linked\n";
