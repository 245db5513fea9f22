<?php
//: exit 255
class Base { public int $x { final get => 1; } }
class Child extends Base { public int $x { get => 2; } }
echo "linked\n";
