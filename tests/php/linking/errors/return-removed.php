<?php
//: exit 255
class Base { function run(): static { return $this; } }
class Child extends Base { function run() { return $this; } }
echo "linked\n";
