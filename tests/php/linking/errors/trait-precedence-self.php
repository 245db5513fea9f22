<?php
//: exit 255
trait A { function run() {} }
class Thing { use A { A::run insteadof A; } }
echo "linked\n";
