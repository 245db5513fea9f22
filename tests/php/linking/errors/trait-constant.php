<?php
//: exit 255
trait A { const SIZE = 1; }
trait B { const SIZE = 2; }
class Thing { use A, B; }
echo "linked\n";
