<?php
//: exit 255
trait A { public int $size; }
readonly class Thing { use A; }
echo "linked\n";
