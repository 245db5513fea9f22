<?php
//: exit 255
class Base { public $size; }
class Child extends Base { public static $size; }
echo "linked\n";
