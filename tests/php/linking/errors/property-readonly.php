<?php
//: exit 255
class Base { public int $size; }
class Child extends Base { public readonly int $size; }
echo "linked\n";
