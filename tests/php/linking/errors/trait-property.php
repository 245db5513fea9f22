<?php
//: exit 255
trait A { public $size = 1; }
class Thing { use A; public $size = 2; }
echo "linked\n";
