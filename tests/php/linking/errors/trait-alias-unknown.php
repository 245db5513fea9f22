<?php
//: exit 255
trait A { }
class Thing { use A { run as walk; } }
echo "linked\n";
