<?php
//: exit 255
trait A { abstract function run(int $x): int; }
class Thing { use A; function run(int $x): string { return ""; } }
echo "linked\n";
