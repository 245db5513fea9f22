<?php
//: exit 255
class Base { function run(int $x) {} }
class Child extends Base { function run(string $x) {} }
echo "linked\n";
