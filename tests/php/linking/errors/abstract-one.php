<?php
//: exit 255
abstract class Base { abstract protected function run(int $x); }
class Child extends Base {}
echo "linked\n";
