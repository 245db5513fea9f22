<?php
//: exit 255
class Base { function run(): Base { return $this; } }
class Child extends Base { function run(): Elsewhere { return $this; } }
echo "linked\n";
