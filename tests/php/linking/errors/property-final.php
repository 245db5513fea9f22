<?php
//: exit 255
class Base { final public int $size = 1; }
class Child extends Base { public int $size = 2; }
echo "linked\n";
