<?php
//: exit 255
class Base { protected(set) public int $size = 1; }
class Child extends Base { private(set) public int $size = 2; }
echo "linked\n";
