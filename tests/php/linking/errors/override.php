<?php
//: exit 255
class Base { private function run() {} }
class Child extends Base { #[Override] function run() {} }
echo "linked\n";
