<?php
//: exit 255
trait A { }
trait B { function run() {} }
class Thing { use A, B { A::run insteadof B; } }
echo "linked\n";
