<?php
//: exit 255
class Base { public function run() {} }
class Child extends Base { protected function run() {} }
echo "linked\n";
