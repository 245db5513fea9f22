<?php
//: exit 255
class Base { public $size; }
class Child extends Base { public int $size; }
echo "linked\n";
