<?php
//: exit 255
class Base { protected $size; }
class Child extends Base { private $size; }
echo "linked\n";
