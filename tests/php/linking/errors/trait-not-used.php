<?php
//: exit 255
trait A { function run() {} }
trait B { function run() {} }
class Thing { use A { B::run as walk; } }
echo "linked\n";
