<?php
//: exit 255
class Thing { public int|string $x { set(int $value) {} } }
echo "linked\n";
